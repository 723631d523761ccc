// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <nlohmann/json.hpp>

#include "picus/math/decompositions.h"
#include "picus/runs/linearization.h"
#include "picus/runs/names.h"
#include "picus/runs/rotating_frame.h"

namespace picus {
namespace {

constexpr double kZero = 1e-7;  // a double root at zero is off by the square root of the rounding

void place(const SparseMatrix& piece, int row, int col, double factor, Matrix& target) {
  piece.for_each([&](int i, int j, double value) { target(row + i, col + j) += factor * value; });
}

// ẏ, u̇, ẋ from y, u, x, where δq = N y, δv = N u and x are the first-order states.
//
// The accelerations, reactions, rates and variables solve
//   [M −F_λ −F_ψ −F_w; G 0 0 0; k_v 0 0 0; d_a d_λ 0 C] (δv̇, δλ, δψ, (δẋ, δw))
//     = −(K δq + D δv − F_x δx; g̈_q δq + g̈_v δv; k̇_q δq + k̇_v δv; d_q δq + d_v δv + d_x δx)
// with the variables w, and C the derivatives of d along ẋ and w.
class Linearization {
 public:
  Linearization(const System& system, const State& s)
      : system_(system), s_(s), n_(system.sizes()), N_(allowed_motions(system, s)) {
    states_ = n_.controls - n_.variables;
    total_ = n_.velocities + n_.constraints + n_.nonholonomic + n_.controls;
    zero_ = Vector::Zero(n_.velocities);
  }

  const Matrix& motions() const { return N_; }
  int states() const { return states_; }

  /// Velocities are measured in units of `pace` [1/s], so that the blocks are of one size.
  Matrix matrix(double& pace) {
    fill();
    const auto free = N_.cols();
    Matrix right(total_, 2 * free + states_);
    right << along_q_ * N_, along_v_ * N_, along_x_;
    const Matrix solved = solve_dense(left_, -right);
    const Matrix acceleration = N_.transpose() * solved.topRows(n_.velocities);
    const double stiffness = free > 0 ? acceleration.leftCols(free).cwiseAbs().maxCoeff() : 0.0;
    pace = stiffness > 0.0 ? std::sqrt(stiffness) : 1.0;
    Matrix A = Matrix::Zero(2 * free + states_, 2 * free + states_);
    A.block(0, free, free, free) = pace * Matrix::Identity(free, free);
    A.middleRows(free, free) = acceleration / pace;
    A.bottomRows(states_) = solved.middleRows(total_ - n_.controls, states_);
    A.block(free, free, free + states_, free) *= pace;
    return A;
  }

 private:
  void fill() {
    const int nv = n_.velocities, g = nv, k = nv + n_.constraints;
    const Chart here{s_.position, zero_};
    left_ = Matrix::Zero(total_, total_);
    along_q_ = along_v_ = Matrix::Zero(total_, nv);
    along_x_ = Matrix::Zero(total_, states_);
    SparseMatrix a, b;
    system_.mass_matrix(s_, a);
    place(a, 0, 0, 1.0, left_);
    system_.momentum_tangent(s_, here, a, b);
    place(a, 0, 0, 1.0, along_q_);
    place(b, 0, 0, 1.0, along_v_);
    SparseMatrix F_lambda, F_psi;
    system_.multiplier_tangent(s_, F_lambda, F_psi);
    if (n_.constraints > 0) {
      SparseMatrix G, g_q, g_v;
      place(F_lambda, 0, g, -1.0, left_);
      system_.constraint_jacobian(s_, G);
      place(G, g, 0, 1.0, left_);
      system_.constraint_acceleration_tangent(s_, here, g_q, g_v);
      place(g_q, g, 0, 1.0, along_q_);
      place(g_v, g, 0, 1.0, along_v_);
    }
    if (n_.nonholonomic > 0) {
      SparseMatrix k_q, k_v, rate_q, rate_v;
      place(F_psi, 0, k, -1.0, left_);
      system_.nonholonomic_tangent(s_, here, k_q, k_v);
      place(k_v, k, 0, 1.0, left_);
      system_.nonholonomic_rate_tangent(s_, here, rate_q, rate_v);
      place(rate_q, k, 0, 1.0, along_q_);
      place(rate_v, k, 0, 1.0, along_v_);
    }
    if (n_.controls > 0) fill_controls(here);
  }

  void fill_controls(const Chart& here) {
    const int d = total_ - n_.controls, g = n_.velocities;
    ControlTangent tangent;
    system_.control_tangent(s_, here, tangent);
    place(tangent.acceleration, d, 0, 1.0, left_);
    place(tangent.multiplier, d, g, 1.0, left_);
    place(tangent.position, d, 0, 1.0, along_q_);
    place(tangent.velocity, d, 0, 1.0, along_v_);
    const auto split = [&](const SparseMatrix& piece, int row, double factor) {
      piece.for_each([&](int i, int j, double value) {
        if (j < states_)
          along_x_(row + i, j) += factor * value;
        else
          left_(row + i, d + j) += factor * value;
      });
    };
    tangent.rate.for_each([&](int i, int j, double value) {
      if (j < states_) left_(d + i, d + j) += value;
    });
    split(tangent.control, d, 1.0);
    split(tangent.force, 0, -1.0);
  }

  const System& system_;
  const State& s_;
  SystemSizes n_;
  Matrix N_;
  int states_ = 0, total_ = 0;
  Vector zero_;
  Matrix left_, along_q_, along_v_, along_x_;
};

Mode mode_of(std::complex<double> eigenvalue, double zero) {
  Mode mode;
  const double size = std::abs(eigenvalue);
  const bool is_real = std::abs(eigenvalue.imag()) <= zero;
  mode.eigenvalue = is_real ? eigenvalue.real() : eigenvalue;
  mode.frequency = is_real ? 0.0 : size / (2.0 * std::numbers::pi);
  mode.damping = -eigenvalue.real() / size;
  mode.is_unstable = eigenvalue.real() > zero;
  return mode;
}

// The states that lead a mode when bodies hardly move in it.
std::vector<std::string> leading_states(const System& system, const Eigen::VectorXcd& states) {
  int index = 0;
  states.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&index);
  return {system.name_of(Equation::kControl, index)};
}

}  // namespace

bool Modes::is_stable() const {
  return std::none_of(modes.begin(), modes.end(),
                      [](const Mode& mode) { return mode.is_unstable; });
}

Modes find_modes(const Mechanism& mechanism, const Consistency& consistency, const State& state,
                 const Vector3& spin) {
  const RegularSystem regular(mechanism.system(), consistency);
  State s;
  regular.reduce(state, s);
  s.velocity.setZero();
  std::optional<RotatingFrame> frame;
  if (spin.norm() > 0.0) {
    frame.emplace(regular.system(), mechanism.bodies(), spin);
    frame->check(s);
  }
  const System& system = frame ? *frame : regular.system();
  expect_dense_size(system);
  if (const Consistency at_rest = solve_accelerations(system, s); !at_rest.ok())
    throw InputError(at_rest.message);

  Modes result;
  if (s.acceleration.size() > 0) {
    int index = 0;
    result.unbalanced = s.acceleration.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&index);
    result.fastest = coordinate_name(system, index);
    result.unit = acceleration_unit(system, index);
  }
  Linearization linearization(system, s);
  double pace = 1.0;
  const Matrix A = linearization.matrix(pace);
  if (A.rows() == 0) return result;
  const auto [values, vectors] = complex_modes(A);
  // forces may cancel: then the eigenvalues are rounding of the parts that did
  const AllowedStiffness stiffness = allowed_stiffness(system, s);
  const double zero =
      kZero *
      std::sqrt(std::max({values.cwiseAbs2().maxCoeff(), stiffness.scale, result.unbalanced}));
  const Vector weights = kinetic_weights(system, s);
  const auto free = linearization.motions().cols();
  for (int i = 0; i < values.size(); ++i) {
    if (std::abs(values(i)) <= zero) {
      ++result.zero_eigenvalues;
      continue;
    }
    if (values(i).imag() < -zero) continue;  // the other one of a pair
    Mode mode = mode_of(values(i), zero);
    mode.shape = linearization.motions() * vectors.col(i).head(free);
    const Vector size = mode.shape.cwiseAbs();
    const Eigen::VectorXcd states = vectors.col(i).tail(linearization.states());
    const bool moves = size.size() > 0 && max_abs(size) > kZero;
    mode.leading =
        moves ? leading_coordinates(system, size, weights) : leading_states(system, states);
    if (moves) {
      int largest = 0;
      size.maxCoeff<Eigen::PropagateNaN>(&largest);
      mode.shape /= std::complex<double>(mode.shape(largest));
    }
    result.modes.push_back(std::move(mode));
  }
  std::stable_sort(result.modes.begin(), result.modes.end(), [](const Mode& a, const Mode& b) {
    return std::abs(a.eigenvalue) < std::abs(b.eigenvalue);
  });
  if (result.zero_eigenvalues > 0) {
    for (int i = 0; i < stiffness.values.size(); ++i)
      if (std::abs(stiffness.values(i)) <= stiffness.rounding())
        result.free_motions.push_back(
            leading_coordinates(system, stiffness.directions.col(i), weights));
  }
  return result;
}

std::string to_json(const Modes& modes, const Mechanism& mechanism, int count) {
  nlohmann::ordered_json json;
  json["stable"] = modes.is_stable();
  json["zero_eigenvalues"] = modes.zero_eigenvalues;
  json["free_motions"] = modes.free_motions;
  json["unbalanced"] = modes.unbalanced;
  json["modes"] = nlohmann::ordered_json::array();
  for (const Mode& mode : modes.modes) {
    if (count >= 0 && json["modes"].size() >= static_cast<std::size_t>(count)) break;
    nlohmann::ordered_json entry;
    entry["eigenvalue"] = {mode.eigenvalue.real(), mode.eigenvalue.imag()};
    entry["frequency"] = mode.frequency;
    entry["damping"] = mode.damping;
    entry["unstable"] = mode.is_unstable;
    entry["leading"] = mode.leading;
    for (int i = 0; i < mode.shape.size(); ++i)
      entry["shape"][coordinate_name(mechanism.system(), i)] = {mode.shape(i).real(),
                                                                mode.shape(i).imag()};
    json["modes"].push_back(std::move(entry));
  }
  return json.dump();
}

}  // namespace picus
