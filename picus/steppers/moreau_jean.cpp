// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean: a θ-method for the smooth forces, and laws between impulses and velocities at the
// end of the step, so that impacts need not be located. acary (16):
//
//   M(q_θ) (v_{k+1} - v_k) - h F(t_θ, q_θ, v_θ) = Gᵀ P
//   q_{k+1} = q_k ⊕ h v_θ,      v_θ = (1-θ) v_k + θ v_{k+1},   q_θ = q_k ⊕ h θ v_θ
//   joints    G(q_θ) v_{k+1} + g_t = 0
//   contacts  with g_k + h γ ġ_k ≤ 0:  0 ≤ ġ_{k+1} + e ġ_k ⊥ P ≥ 0, and Coulomb friction
//
// With positions: projected, joints and contacts are then closed by q ⊕ M⁻¹ Gᵀ τ, as in (19).
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/steppers/common/contact_impulses.h"
#include "picus/steppers/common/position_projection.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {
namespace {

// A gap below this, relative to 1 + the positions, is closed: projections leave as much.
constexpr double kTouching = 1e-11;

std::unique_ptr<ContactSolver> make_solver(const ContactOptions& options) {
  return make_contact_solver(
      EnumNames<ContactMethod>::names[static_cast<std::size_t>(options.contact_solver)],
      {{"tolerance", fmt::format("{:.17g}", options.contact_tolerance)}});
}

class MoreauJean final : public Stepper {
 public:
  explicit MoreauJean(const MoreauJeanOptions& options)
      : options_(options), contacts_(make_solver(options.contact)) {
    const auto check = [](double value, const char* option) {
      if (!(value >= 0.0 && value <= 1.0))
        throw InputError(
            fmt::format("option '{}': found {:g}, expected a number in [0, 1]", option, value));
    };
    check(options.theta, "theta");
    check(options.gamma, "gamma");
  }

  StepperTraits traits() const override {
    return {.order = 1,
            .holonomic = true,
            .nonholonomic = true,
            .controls = false,
            .handles_impacts = true};
  }

  void start(const System& system, const State& state) override {
    if (!system.has_linear_reactions())
      throw InputError(
          "moreau_jean does not accept forces that are nonlinear in the multipliers; use soi2");
    sizes_ = system.sizes();
    if (sizes_.controls > 0)
      throw InputError("moreau_jean does not accept controls; use nonsmooth_pva");
    begin_ = end_ = middle_ = state;
    for (State* s : {&begin_, &end_, &middle_})
      size_state(system, *s);
    matrix_.reset({sizes_.velocities, sizes_.joints(), sizes_.rollings()});
    x_ = Vector::Zero(matrix_.size());
    increment_ = Vector::Zero(sizes_.velocities);
    impulse_ = Vector::Zero(sizes_.constraints);
    rolling_impulse_ = Vector::Zero(sizes_.nonholonomic);
    contacts_.start(system);
  }

  StepReport attempt(const System& system, const State& from, double h, State& to) override {
    expects(h > 0.0 && std::isfinite(h), "a positive step size");
    h_ = h;
    begin_ = from;
    end_ = from;
    end_.time = from.time + h;
    scale_ = 0.0;
    forecast(system);
    StepReport report;
    impulse_.setZero();
    rolling_impulse_.setZero();
    for (;;) {
      if (report.newton_iterations >= options_.newton_max_iterations)
        return failed(report, StepReport::Status::kNotConverged);
      velocity_ = end_.velocity;
      const StepReport::Status status = iterate(system, report);
      if (status != StepReport::Status::kOk) return failed(report, status);
      velocity_ -= end_.velocity;
      const double change = max_abs(velocity_);
      if (!std::isfinite(change)) return failed(report, StepReport::Status::kNotFinite);
      if (change <= options_.newton_tolerance * scale_) break;
    }
    middle();
    increment_ = h_ * middle_.velocity;
    system.retract(begin_.position, increment_, end_.position);
    if (options_.positions == PositionCorrection::kProjected &&
        !projection_.project(system, contacts_.active(), end_))
      return failed(report, StepReport::Status::kNotConverged);
    end_.acceleration = (end_.velocity - begin_.velocity) / h_;
    end_.multiplier = impulse_ / h_;
    end_.nonholonomic_multiplier = rolling_impulse_ / h_;
    to = end_;
    return report;
  }

  void accept() override {}

  // Straight lines: a method of first order knows no more.
  void interpolate(const System& system, double fraction, State& result) const override {
    result = end_;
    result.time = begin_.time + fraction * h_;
    scaled_ = fraction * increment_;
    system.retract(begin_.position, scaled_, result.position);
    if (fraction >= 1.0) result.position = end_.position;
    result.velocity = (1.0 - fraction) * begin_.velocity + fraction * end_.velocity;
  }

  const Vector* internal(std::string_view name) const override {
    if (name == "impulse") return &impulse_;
    if (name == "tangential_impulse") return &rolling_impulse_;
    return nullptr;
  }

 private:
  enum Block { kMotion, kJoints, kRollings };

  // The worst equation is that with the largest change of its velocity, or the first that is none.
  StepReport failed(StepReport report, StepReport::Status status) const {
    report.status = status;
    report.equation = "momentum balance";
    const Vector& blamed = status == StepReport::Status::kNotFinite ? residual_ : velocity_;
    for (int i = 0; i < blamed.size(); ++i) {
      const double size = std::abs(blamed(i)) / h_;
      if (size <= report.worst_residual) continue;
      report.worst_index = i;
      report.worst_residual = size;
      if (!std::isfinite(size)) break;
    }
    return report;
  }

  // (16e)
  void forecast(const System& system) {
    contacts_.active().clear();
    zero_.setZero(sizes_.velocities);
    before_.see(system, begin_, {begin_.position, zero_});
    if (sizes_.contacts == 0) return;
    system.constraint(begin_, gap_);
    const double touching = kTouching * (1.0 + max_abs(begin_.position));
    for (int j = 0; j < sizes_.contacts; ++j) {
      const int row = sizes_.joints() + j;
      if (gap_(row) + h_ * options_.gamma * before_.gap_rate(row) <= touching)
        contacts_.active().push_back(j);
    }
  }

  // middle_ at t_θ, q_θ, v_θ with the accelerations and reactions of the step.
  void middle() {
    const double theta = options_.theta;
    middle_.time = begin_.time + theta * h_;
    middle_.velocity = (1.0 - theta) * begin_.velocity + theta * end_.velocity;
    middle_.acceleration = (end_.velocity - begin_.velocity) / h_;
    middle_.multiplier = impulse_ / h_;
    middle_.nonholonomic_multiplier = rolling_impulse_ / h_;
  }

  // One step of Newton's method for the smooth forces, and the impulses that go with it.
  StepReport::Status iterate(const System& system, StepReport& report) {
    middle();
    increment_ = h_ * options_.theta * middle_.velocity;
    system.retract(begin_.position, increment_, middle_.position);
    // contacts are found anew: what is left are the smooth forces and the joints
    middle_.multiplier.tail(sizes_.contacts).setZero();
    middle_.nonholonomic_multiplier.tail(sizes_.slips).setZero();
    if (!factorize(system)) return StepReport::Status::kSingularMatrix;
    ++report.newton_iterations;
    ++report.factorizations;
    solve_free(system);
    if (!x_.allFinite()) return StepReport::Status::kNotFinite;
    // velocities may cancel: those before the step and what forces alone would do are a scale, too
    velocity_change_ = h_ * x_.head(sizes_.velocities);
    scale_ = std::max({scale_, max_abs(end_.velocity), max_abs(velocity_change_)});
    if (contacts_.any()) {
      free_.see(system, middle_with(end_.velocity + h_ * x_.head(sizes_.velocities)), chart());
      if (!contacts_.solve(matrix_, free_, before_).ok()) return StepReport::Status::kNotConverged;
      x_ *= h_;
      contacts_.add_response(x_);
      x_ /= h_;
    }
    end_.velocity += h_ * x_.head(sizes_.velocities);
    impulse_.head(sizes_.joints()) -= h_ * x_.segment(sizes_.velocities, sizes_.joints());
    rolling_impulse_.head(sizes_.rollings()) -= h_ * x_.tail(sizes_.rollings());
    contacts_.put(impulse_, rolling_impulse_);
    return StepReport::Status::kOk;
  }

  // M + h²θ² K + hθ D along accelerations, bordered by the joints.
  bool factorize(const System& system) {
    const double theta = options_.theta;
    system.mass_matrix(middle_, M_);
    system.momentum_tangent(middle_, chart(), K_, D_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    matrix_.add(kMotion, kMotion, h_ * h_ * theta * theta, K_);
    matrix_.add(kMotion, kMotion, h_ * theta, D_);
    if (sizes_.joints() > 0) {
      system.constraint_jacobian(middle_, G_);
      head_rows(G_, sizes_.joints(), joints_);
      matrix_.add(kMotion, kJoints, 1.0, joints_, Transposed::kYes);
      matrix_.add(kJoints, kMotion, 1.0, joints_);
    }
    if (sizes_.rollings() > 0) {
      system.nonholonomic_tangent(middle_, chart(), k_q_, k_v_);
      head_rows(k_v_, sizes_.rollings(), rollings_);
      matrix_.add(kMotion, kRollings, 1.0, rollings_, Transposed::kYes);
      matrix_.add(kRollings, kMotion, 1.0, rollings_);
    }
    return matrix_.factorize();
  }

  // x_: the change of the mean acceleration, and of the reactions with their sign turned.
  void solve_free(const System& system) {
    system.force(middle_, F_);
    residual_ = -F_;
    M_.multiply_add(1.0, middle_.acceleration, residual_);
    const State& s = middle_with(end_.velocity);
    system.constraint_velocity(s, rate_);
    x_.head(sizes_.velocities) = -residual_;
    x_.segment(sizes_.velocities, sizes_.joints()) = -rate_.head(sizes_.joints()) / h_;
    if (sizes_.nonholonomic > 0) {
      system.nonholonomic(s, rolling_rate_);
      x_.tail(sizes_.rollings()) = -rolling_rate_.head(sizes_.rollings()) / h_;
    }
    matrix_.solve(x_);
  }

  // The place of middle_ at the end of the step, for the velocities of joints and contacts.
  template <class Velocity>
  const State& middle_with(const Velocity& velocity) {
    placed_ = middle_;
    placed_.velocity = velocity;
    return placed_;
  }

  Chart chart() const { return {begin_.position, increment_}; }

  static void head_rows(const SparseMatrix& all, int rows, SparseMatrix& head) {
    head.begin(rows, all.cols());
    all.for_each([&](int row, int col, double value) {
      if (row < rows) head.add(row, col, value);
    });
    head.end();
  }

  MoreauJeanOptions options_;
  SystemSizes sizes_;
  double h_ = 0.0;
  double scale_ = 0.0;  ///< of velocities in the step under way
  State begin_, middle_, end_, placed_;
  BlockMatrix matrix_;
  ContactImpulses contacts_;
  PositionProjection projection_;
  ContactMotion before_, free_;
  SparseMatrix M_, K_, D_, G_, joints_, k_q_, k_v_, rollings_;
  Vector x_, F_, residual_, rate_, rolling_rate_, gap_, velocity_, velocity_change_, increment_,
      zero_;
  Vector impulse_, rolling_impulse_;
  mutable Vector scaled_;
};

}  // namespace

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options) {
  return std::make_unique<MoreauJean>(options);
}

}  // namespace picus
