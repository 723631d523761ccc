// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every derivative that a System promises, against central differences of the function it belongs
// to: an independent derivative, on random states.

#include <functional>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "picus/dynamics/system.h"

namespace picus::testing {

// Central differences with Richardson extrapolation: error about 1e-10 for smooth functions.
inline Matrix differences(int rows, int cols, const std::function<Vector(int, double)>& f) {
  Matrix result(rows, cols);
  for (int j = 0; j < cols; ++j) {
    const auto central = [&](double h) { return Vector((f(j, h) - f(j, -h)) / (2.0 * h)); };
    result.col(j) = (4.0 * central(5e-4) - central(1e-3)) / 3.0;
  }
  return result;
}

/// Compares every derivative of a system with central differences at a random state near `start`.
class TangentChecks {
 public:
  TangentChecks(std::string name, const System& system, const State& start, double size = 0.5)
      : name_(std::move(name)), system_(system), sizes_(system.sizes()) {
    std::mt19937 random(42);  // fixed seed
    std::uniform_real_distribution<double> spread(-size, size);
    const auto perturbed = [&](Vector x) {
      for (double& value : x)
        value += spread(random);
      return x;
    };
    state_ = start;
    state_.time = 0.3;
    base_ = state_.position;
    increment_ = perturbed(Vector::Zero(sizes_.velocities));
    state_.velocity = perturbed(state_.velocity);
    state_.acceleration = perturbed(state_.acceleration);
    state_.multiplier = perturbed(state_.multiplier);
    state_.nonholonomic_multiplier = perturbed(state_.nonholonomic_multiplier);
    state_.control = perturbed(state_.control);
    state_.control_rate = perturbed(state_.control_rate);
    system_.retract(base_, increment_, state_.position);
  }

  void of_the_momentum() const {
    const auto residual = [&](const State& s) {
      SparseMatrix M;
      Vector F;
      system().mass_matrix(s, M);
      system().force(s, F);
      Vector r = -F;
      M.multiply_add(1.0, s.acceleration, r);
      return r;
    };
    SparseMatrix K, D, along_multiplier, along_nonholonomic, M;
    system().momentum_tangent(state_, chart(), K, D);
    system().multiplier_tangent(state_, along_multiplier, along_nonholonomic);
    const int n = sizes_.velocities;
    expect_near(K, along_increment(n, residual), "K");
    expect_near(D, along(&State::velocity, n, residual), "D");
    expect_near(along_multiplier, -along(&State::multiplier, n, residual), "F_lambda");
    expect_near(along_nonholonomic, -along(&State::nonholonomic_multiplier, n, residual), "F_psi");
    system().mass_matrix(state_, M);
    expect_near(M, along(&State::acceleration, n, residual), "M");
  }

  void of_the_constraints_at_every_level() const {
    const int m = sizes_.constraints;
    SparseMatrix G, tangent, rate_q, acc_q, acc_v;
    system().constraint_jacobian(state_, G);
    system().constraint_tangent(state_, chart(), tangent);
    system().constraint_velocity_tangent(state_, chart(), rate_q);
    system().constraint_acceleration_tangent(state_, chart(), acc_q, acc_v);
    expect_near(tangent, along_increment(m, form(&System::constraint)), "g_q");
    expect_near(rate_q, along_increment(m, form(&System::constraint_velocity)), "(Gv)_q");
    expect_near(G, along(&State::velocity, m, form(&System::constraint_velocity)), "G");
    expect_near(acc_q, along_increment(m, form(&System::constraint_acceleration)), "acc_q");
    expect_near(acc_v, along(&State::velocity, m, form(&System::constraint_acceleration)), "acc_v");
    expect_near(G, along(&State::acceleration, m, form(&System::constraint_acceleration)), "acc_a");
  }

  // g, ġ and g̈ along a motion: the velocity and acceleration forms are its time derivatives.
  void of_the_constraints_in_time() const {
    const auto moved = [&](double h) {
      State s = state_;
      s.time += h;
      const Vector dq = h * state_.velocity;
      system().retract(state_.position, dq, s.position);
      s.velocity += h * state_.acceleration;
      return s;
    };
    const auto in_time = [&](int rows, auto member) {
      return Vector(differences(rows, 1, [&](int, double h) { return form(member)(moved(h)); }));
    };
    const auto near = [&](const Vector& a, const Vector& b) {
      EXPECT_LT(max_abs(a - b), 1e-7 * (1.0 + max_abs(a))) << name_;
    };
    near(form(&System::constraint_velocity)(state_),
         in_time(sizes_.constraints, &System::constraint));
    near(form(&System::constraint_acceleration)(state_),
         in_time(sizes_.constraints, &System::constraint_velocity));
    near(form(&System::nonholonomic_rate)(state_),
         in_time(sizes_.nonholonomic, &System::nonholonomic));
  }

  void of_the_nonholonomic_constraints() const {
    const int m = sizes_.nonholonomic;
    SparseMatrix k_q, k_v, rate_q, rate_v;
    system().nonholonomic_tangent(state_, chart(), k_q, k_v);
    system().nonholonomic_rate_tangent(state_, chart(), rate_q, rate_v);
    expect_near(k_q, along_increment(m, form(&System::nonholonomic)), "k_q");
    expect_near(k_v, along(&State::velocity, m, form(&System::nonholonomic)), "k_v");
    expect_near(rate_q, along_increment(m, form(&System::nonholonomic_rate)), "kd_q");
    expect_near(rate_v, along(&State::velocity, m, form(&System::nonholonomic_rate)), "kd_v");
    expect_near(k_v, along(&State::acceleration, m, form(&System::nonholonomic_rate)), "kd_a");
  }

  void of_the_corrections() const {
    if (sizes_.constraints + sizes_.nonholonomic == 0) return;
    const Vector zero = Vector::Zero(sizes_.velocities);
    const auto residual = [&](const State& s) {
      SparseMatrix M, G, k_q, k_v;
      system().mass_matrix(s, M);
      system().constraint_jacobian(s, G);
      system().nonholonomic_tangent(s, {s.position, zero}, k_q, k_v);
      Vector r = Vector::Zero(sizes_.velocities);
      M.multiply_add(1.0, s.acceleration, r);
      G.multiply_transposed_add(-1.0, s.multiplier, r);
      k_v.multiply_transposed_add(-1.0, s.nonholonomic_multiplier, r);
      return r;
    };
    SparseMatrix along_q, along_v;
    system().correction_tangent(state_, chart(), along_q, along_v);
    expect_near(along_q, along_increment(sizes_.velocities, residual), "correction_q");
    expect_near(along_v, along(&State::velocity, sizes_.velocities, residual), "correction_v");
  }

  void of_the_controls() const {
    const int n = sizes_.controls;
    ControlTangent tangent;
    system().control_tangent(state_, chart(), tangent);
    const auto d = form(&System::control);
    expect_near(tangent.rate, along(&State::control_rate, n, d), "d_xdot");
    expect_near(tangent.control, along(&State::control, n, d), "d_x");
    expect_near(tangent.position, along_increment(n, d), "d_q");
    expect_near(tangent.velocity, along(&State::velocity, n, d), "d_v");
    expect_near(tangent.acceleration, along(&State::acceleration, n, d), "d_a");
    expect_near(tangent.multiplier, along(&State::multiplier, n, d), "d_lambda");
    expect_near(tangent.force, along(&State::control, sizes_.velocities, form(&System::force)),
                "F_x");
  }

  // System::is_linear() is a promise: the derivatives are those of any other place.
  void of_a_linear_system_everywhere(const State& start) const {
    EXPECT_TRUE(system().is_linear()) << name_;
    const auto compare = [&](int count, auto evaluate) {
      std::vector<SparseMatrix> here(static_cast<std::size_t>(count)), there = here;
      const Vector zero = Vector::Zero(sizes_.velocities);
      evaluate(state_, chart(), here);
      evaluate(start, Chart{start.position, zero}, there);
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (here[i].rows() * here[i].cols() == 0) continue;
        EXPECT_LT((here[i].dense() - there[i].dense()).cwiseAbs().maxCoeff(), 1e-12) << name_;
      }
    };
    compare(3, [&](const State& s, const Chart& c, auto& A) {
      system().mass_matrix(s, A[0]);
      system().momentum_tangent(s, c, A[1], A[2]);
    });
    compare(6, [&](const State& s, const Chart& c, auto& A) {
      system().constraint_tangent(s, c, A[0]);
      system().constraint_velocity_tangent(s, c, A[1]);
      system().constraint_acceleration_tangent(s, c, A[2], A[3]);
      system().multiplier_tangent(s, A[4], A[5]);
    });
  }

  void all() const {
    of_the_momentum();
    of_the_constraints_at_every_level();
    of_the_constraints_in_time();
    of_the_nonholonomic_constraints();
    of_the_corrections();
    of_the_controls();
  }

 private:
  const System& system() const { return system_; }
  Chart chart() const { return {base_, increment_}; }

  // f at the state with entry j of one of its vectors moved
  template <class F>
  Matrix along(Vector State::*member, int rows, F&& f) const {
    return differences(rows, static_cast<int>((state_.*member).size()), [&](int j, double h) {
      State moved = state_;
      (moved.*member)(j) += h;
      return f(moved);
    });
  }

  // f at base ⊕ (increment + h e_j)
  template <class F>
  Matrix along_increment(int rows, F&& f) const {
    return differences(rows, sizes_.velocities, [&](int j, double h) {
      State moved = state_;
      Vector increment = increment_;
      increment(j) += h;
      system().retract(base_, increment, moved.position);
      return f(moved);
    });
  }

  template <class Form>
  std::function<Vector(const State&)> form(Form member) const {
    return [this, member](const State& s) {
      Vector result;
      (system().*member)(s, result);
      return result;
    };
  }

  void expect_near(const SparseMatrix& exact, const Matrix& reference, const char* what) const {
    ASSERT_EQ(exact.rows(), reference.rows()) << what;
    ASSERT_EQ(exact.cols(), reference.cols()) << what;
    if (reference.size() == 0) return;
    const double scale = 1.0 + reference.cwiseAbs().maxCoeff();
    EXPECT_LT((exact.dense() - reference).cwiseAbs().maxCoeff(), 2e-8 * scale)
        << name_ << " " << what << "\nexact\n"
        << exact.dense() << "\ndifferences\n"
        << reference;
  }

  std::string name_;
  const System& system_;
  SystemSizes sizes_;
  State state_;
  Vector base_, increment_;
};

}  // namespace picus::testing
