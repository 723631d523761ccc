// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean: a θ-method for the smooth forces, and laws between impulses and velocities at the
// end of the step, so that impacts need not be located. acary (16):
//
//   M(q_θ) (v_{k+1} - v_k) - h F(t_θ, q_θ, v_θ) = Gᵀ P
//   q_{k+1} = q_k ⊕ h v_θ,      v_θ = (1-θ) v_k + θ v_{k+1},   q_θ = q_k ⊕ h θ v_θ
//   joints    G(q_θ) v_{k+1} + g_t = 0
//   contacts  with g_k + h γ ġ_k ≤ 0:  0 ≤ ġ_{k+1} + e ġ_k ⊥ P ≥ 0, and Coulomb friction
//
// States x and variables of controls: d(ẋ_θ, x_θ, q_θ, v_θ, …) = 0 at t_θ with x_θ = x_k + hθ ẋ_θ
// and x_{k+1} = x_k + h ẋ_θ; variables keep their value of t_θ.
//
// Newton's method on the smooth forces; within it the impulses of contacts solve a contact problem.
// With directions: explicit, those of contacts are taken at q_k ⊕ hθ v_k in place of q_θ, so that a
// step with linear forces solves a single one.
//
// With positions: projected, joints and contacts are then closed by q ⊕ M⁻¹ Gᵀ τ, as in (19).
#include <cmath>

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
  MoreauJean(const MoreauJeanOptions& options, std::unique_ptr<ContactSolver> solver)
      : options_(options), contacts_(std::move(solver)) {
    const auto check = [](double value, const char* option) {
      if (!(value >= 0.0 && value <= 1.0))
        throw InputError(
            fmt::format("option '{}': found {:g}, expected a number in [0, 1]", option, value));
    };
    check(options.theta, "theta");
    check(options.gamma, "gamma");
  }

  StepperTraits traits() const override {
    return {.order = 1, .holonomic = true, .nonholonomic = true, .handles_impacts = true};
  }

  void start(const System& system, const State& state) override {
    if (!system.has_linear_reactions())
      throw InputError(
          "moreau_jean does not accept forces that are nonlinear in the multipliers; use soi2");
    sizes_ = system.sizes();
    if (sizes_.variables > 0 && options_.theta == 0.0)
      throw InputError("moreau_jean with variables needs theta > 0");
    matrix_.reset({sizes_.velocities, sizes_.joints(), sizes_.rollings(), sizes_.controls});
    x_ = Vector::Zero(matrix_.size());
    increment_ = Vector::Zero(sizes_.velocities);
    contacts_.start(system);
    size_states(system, state);
  }

  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override {
    sizes_ = system.sizes();
    contacts_.follow(system, change);
    size_states(system, state);
  }

  StepReport attempt(const System& system, const State& from, double h, State& to) override {
    expects(h > 0.0 && std::isfinite(h), "a positive step size");
    h_ = h;
    begin_ = from;
    end_ = from;
    end_.time = from.time + h;
    rate_of_control_ = from.control_rate;
    impulse_.setZero();
    rolling_impulse_.setZero();
    scale_ = 0.0;
    forecast(system);
    StepReport report;
    go_to_middle(system);
    for (;;) {
      if (report.newton_iterations >= options_.newton_max_iterations)
        return failed(report, StepReport::Status::kNotConverged);
      const StepReport::Status status = iterate(system, report);
      if (status != StepReport::Status::kOk) return failed(report, status);
      go_to_middle(system);
      if (is_solved(system)) break;
      if (!x_.allFinite()) return failed(report, StepReport::Status::kNotFinite);
    }
    if (!end_step(system)) return failed(report, StepReport::Status::kNotConverged);
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
    result.control = (1.0 - fraction) * begin_.control + fraction * end_.control;
  }

  const Vector* internal(std::string_view name) const override {
    if (name == "impulse") return &impulse_;
    if (name == "tangential_impulse") return &rolling_impulse_;
    return nullptr;
  }

 private:
  enum Block { kMotion, kJoints, kRollings, kControls };

  void size_states(const System& system, const State& state) {
    begin_ = end_ = middle_ = state;
    for (State* s : {&begin_, &end_, &middle_})
      size_state(system, *s);
    impulse_ = Vector::Zero(sizes_.constraints);
    rolling_impulse_ = Vector::Zero(sizes_.nonholonomic);
  }

  // The worst equation is that with the largest change of its velocity, or the first that is none.
  StepReport failed(StepReport report, StepReport::Status status) const {
    report.status = status;
    report.equation = "momentum balance";
    for (int i = 0; i < sizes_.velocities; ++i) {
      const double size = std::abs(status == StepReport::Status::kNotFinite ? residual_(i) : x_(i));
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
    if (sizes_.contacts == 0) return;
    before_.see_rates(system, begin_);
    system.constraint(begin_, gap_);
    const double touching = kTouching * (1.0 + max_abs(begin_.position));
    for (int j = 0; j < sizes_.contacts; ++j) {
      const int row = sizes_.joints() + j;
      if (gap_(row) + h_ * options_.gamma * before_.gap_rate(row) <= touching)
        contacts_.active().push_back(j);
    }
    if (!contacts_.any() || options_.directions == ContactDirections::kImplicit) return;
    place_ = begin_;
    place_.time = begin_.time + options_.theta * h_;
    increment_ = h_ * options_.theta * begin_.velocity;
    system.retract(begin_.position, increment_, place_.position);
    at_contacts_.see_directions(system, place_);
  }

  // middle_ at t_θ, q_θ, v_θ with the accelerations and reactions of the step, contacts apart.
  void go_to_middle(const System& system) {
    const double theta = options_.theta;
    middle_.time = begin_.time + theta * h_;
    middle_.velocity = (1.0 - theta) * begin_.velocity + theta * end_.velocity;
    middle_.acceleration = (end_.velocity - begin_.velocity) / h_;
    middle_.multiplier = impulse_ / h_;
    middle_.nonholonomic_multiplier = rolling_impulse_ / h_;
    middle_.multiplier.tail(sizes_.contacts).setZero();
    middle_.nonholonomic_multiplier.tail(sizes_.slips).setZero();
    middle_.control_rate = rate_of_control_;
    middle_.control = begin_.control + h_ * theta * rate_of_control_;
    increment_ = h_ * theta * middle_.velocity;
    system.retract(begin_.position, increment_, middle_.position);
    if (contacts_.any() && options_.directions == ContactDirections::kImplicit)
      at_contacts_.see_directions(system, middle_);
  }

  // One step of Newton's method for the smooth forces, and the impulses that go with it.
  StepReport::Status iterate(const System& system, StepReport& report) {
    if (!factorize(system)) return StepReport::Status::kSingularMatrix;
    ++report.newton_iterations;
    ++report.factorizations;
    find_residual(system);
    x_ = -residual_;
    matrix_.solve(x_);
    if (!x_.allFinite()) return StepReport::Status::kNotFinite;
    // velocities may cancel: those before the step and what forces alone would do are a scale, too
    velocity_ = end_.velocity + h_ * x_.head(sizes_.velocities);
    scale_ = std::max({scale_, max_abs(end_.velocity), max_abs(velocity_)});
    if (contacts_.any()) {
      at_contacts_.see_rates(system, contact_place(velocity_));
      if (!contacts_.solve(matrix_, at_contacts_, before_).ok())
        return StepReport::Status::kNotConverged;
      x_ *= h_;
      contacts_.add_response(x_);
      x_ /= h_;
    }
    end_.velocity += h_ * x_.head(sizes_.velocities);
    impulse_.head(sizes_.joints()) -= h_ * x_.segment(sizes_.velocities, sizes_.joints());
    rolling_impulse_.head(sizes_.rollings()) -=
        h_ * x_.segment(matrix_.offset(kRollings), sizes_.rollings());
    rate_of_control_ += x_.tail(sizes_.controls);
    contacts_.put(impulse_, rolling_impulse_);
    return StepReport::Status::kOk;
  }

  // Whether the equations hold where the last iteration has led, with the impulses found. x_
  // becomes the correction that is left.
  bool is_solved(const System& system) {
    find_residual(system);
    if (contacts_.any()) contacts_.add_reaction(-1.0 / h_, at_contacts_, residual_);
    x_ = -residual_;
    matrix_.solve(x_);
    const double tolerance = options_.newton_tolerance;
    velocity_ = h_ * x_.head(sizes_.velocities);
    if (!(max_abs(velocity_) <= tolerance * scale_)) return false;
    control_change_ = x_.tail(sizes_.controls);
    const double fastest = max_abs(rate_of_control_) + max_abs(middle_.control) / h_;
    if (!(max_abs(control_change_) <= tolerance * fastest)) return false;
    if (!contacts_.any() || options_.directions == ContactDirections::kExplicit) return true;
    at_contacts_.see_rates(system, contact_place(end_.velocity));
    return contacts_.residual(at_contacts_, before_) <= options_.contact.contact_tolerance;
  }

  bool end_step(const System& system) {
    increment_ = h_ * middle_.velocity;
    system.retract(begin_.position, increment_, end_.position);
    if (options_.positions == PositionCorrection::kProjected &&
        !projection_.project(system, contacts_.active(), end_))
      return false;
    const int states = sizes_.controls - sizes_.variables;
    end_.acceleration = middle_.acceleration;
    end_.multiplier = impulse_ / h_;
    end_.nonholonomic_multiplier = rolling_impulse_ / h_;
    end_.control_rate = rate_of_control_;
    end_.control = middle_.control;
    end_.control.head(states) = begin_.control.head(states) + h_ * rate_of_control_.head(states);
    return true;
  }

  // M + h²θ² K + hθ D along accelerations, bordered by joints and controls.
  bool factorize(const System& system) {
    const double theta = options_.theta, dv = h_ * theta, dq = dv * dv;
    system.momentum_tangent(middle_, chart(), K_, D_);
    system.mass_matrix(middle_, M_);
    matrix_.begin();
    matrix_.add(kMotion, kMotion, 1.0, M_);
    matrix_.add(kMotion, kMotion, dq, K_);
    matrix_.add(kMotion, kMotion, dv, D_);
    if (sizes_.joints() > 0) {
      system.constraint_jacobian(middle_, G_);
      head_rows(G_, sizes_.joints(), joints_);
      matrix_.add(kMotion, kJoints, 1.0, joints_, Transposed::kYes);
      matrix_.add(kJoints, kMotion, 1.0, joints_);
    }
    if (sizes_.rollings() > 0) {
      system.nonholonomic_jacobian(middle_, k_v_);
      head_rows(k_v_, sizes_.rollings(), rollings_);
      matrix_.add(kMotion, kRollings, 1.0, rollings_, Transposed::kYes);
      matrix_.add(kRollings, kMotion, 1.0, rollings_);
    }
    if (sizes_.controls > 0) {
      system.control_tangent(middle_, chart(), control_);
      head_columns(control_.multiplier, sizes_.joints(), control_joints_);
      matrix_.add(kMotion, kControls, -dv, control_.force);
      matrix_.add(kControls, kMotion, dq, control_.position);
      matrix_.add(kControls, kMotion, dv, control_.velocity);
      matrix_.add(kControls, kMotion, 1.0, control_.acceleration);
      matrix_.add(kControls, kJoints, -1.0, control_joints_);
      matrix_.add(kControls, kControls, 1.0, control_.rate);
      matrix_.add(kControls, kControls, dv, control_.control);
    }
    return matrix_.factorize();
  }

  // The equations at middle_ in the units of accelerations, without contacts. Joints are those of
  // the end of the step; the matrix has their reactions with the sign turned.
  void find_residual(const System& system) {
    system.mass_matrix(middle_, M_);
    system.force(middle_, F_);
    resize(residual_, matrix_.size());
    motion_ = -F_;
    M_.multiply_add(1.0, middle_.acceleration, motion_);
    residual_.head(sizes_.velocities) = motion_;
    if (sizes_.joints() + sizes_.rollings() > 0) {
      place_at_middle(end_.velocity);
      system.constraint_velocity(moved_, rate_);
      residual_.segment(sizes_.velocities, sizes_.joints()) = rate_.head(sizes_.joints()) / h_;
    }
    if (sizes_.rollings() > 0) {
      system.nonholonomic(moved_, rolling_rate_);
      residual_.segment(matrix_.offset(kRollings), sizes_.rollings()) =
          rolling_rate_.head(sizes_.rollings()) / h_;
    }
    if (sizes_.controls > 0) {
      system.control(middle_, control_residual_);
      residual_.tail(sizes_.controls) = control_residual_;
    }
  }

  void place_at_middle(const Vector& velocity) {
    moved_ = middle_;
    moved_.velocity = velocity;
  }

  // Where contacts are looked at, with a velocity of the end of the step.
  const State& contact_place(const Vector& velocity) {
    if (options_.directions == ContactDirections::kExplicit) {
      place_.velocity = velocity;
      return place_;
    }
    place_at_middle(velocity);
    return moved_;
  }

  Chart chart() const { return {begin_.position, increment_}; }

  static void head_rows(const SparseMatrix& all, int rows, SparseMatrix& head) {
    head.begin(rows, all.cols());
    all.for_each([&](int row, int col, double value) {
      if (row < rows) head.add(row, col, value);
    });
    head.end();
  }

  static void head_columns(const SparseMatrix& all, int cols, SparseMatrix& head) {
    head.begin(all.rows(), cols);
    all.for_each([&](int row, int col, double value) {
      if (col < cols) head.add(row, col, value);
    });
    head.end();
  }

  MoreauJeanOptions options_;
  SystemSizes sizes_;
  double h_ = 0.0;
  double scale_ = 0.0;  ///< of velocities in the step under way
  State begin_, middle_, end_;
  State place_;  ///< of explicit directions
  State moved_;
  BlockMatrix matrix_;
  ContactImpulses contacts_;
  PositionProjection projection_;
  ContactMotion before_, at_contacts_;
  SparseMatrix M_, K_, D_, G_, joints_, k_v_, rollings_, control_joints_;
  ControlTangent control_;
  Vector x_, F_, residual_, motion_, rate_, rolling_rate_, gap_, velocity_, increment_;
  Vector control_residual_, control_change_;
  Vector impulse_, rolling_impulse_, rate_of_control_;
  mutable Vector scaled_;
};

}  // namespace

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options) {
  return std::make_unique<MoreauJean>(options, make_solver(options.contact));
}

std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options,
                                          std::unique_ptr<ContactSolver> solver) {
  return std::make_unique<MoreauJean>(options, std::move(solver));
}

}  // namespace picus
