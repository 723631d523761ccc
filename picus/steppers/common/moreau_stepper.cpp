// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/moreau_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/error.h"

namespace picus {
namespace {

// A gap below this, relative to the positions, is closed: sums of positions have as much rounding.
// More would close contacts early, by gap over rate.
constexpr double kTouching = 1e-13;
// A contact that pushed in the step before may have been projected; its gap is below this then,
// relative to the positions.
constexpr double kProjectedGap = 1e-11;
// It was left with a gap rate of zero, but for what its solver tolerates, or this part of the
// velocities when that is less; its gap gathers that from step to step. To let it fall for a step
// would be an impact. On curved surfaces gaps change by more.
constexpr double kHeld = 1e-6;
// What the solver leaves of gap rates, in tolerances of the present velocities: it was a part of
// those of the impact, which were larger.
constexpr double kUnresolved = 10.0;
// Contacts that move less than this in the smallest step, relative to the positions, have no rate:
// their gaps cannot tell. With restitution they would bounce for ever, since a fall is seen to end
// only when it is fast enough to change a position.
constexpr double kMotionless = std::numeric_limits<double>::epsilon();
constexpr double kSmallest = 1.0 + 1e-6;  // times the smallest step
// Of joints, relative to 1 + positions; and what one solution must leave of their violation at
// most.
constexpr double kJointClosed = 1e-12, kClosingRate = 0.5;
constexpr int kMaxClosings = 20;
// What an iteration leaves that does not shrink by this may be rounding.
constexpr double kShrinking = 0.5;
// What the residual of a contact problem may grow by when it is stated again where the step ends,
// so that a solution just below the tolerance does not come out above it for ever.
constexpr double kElsewhere = 2.0;

// Between 1 + |q| and twice that, a power of two: a limit that followed |q| as it shrinks would
// pass contacts at rest again and again.
double stepwise(double size) {
  int exponent = 0;
  std::frexp(1.0 + size, &exponent);
  return std::ldexp(1.0, exponent);
}

// The first columns of a matrix.
void head_columns(const SparseMatrix& all, int cols, SparseMatrix& head) {
  head.begin(all.rows(), cols);
  all.for_each([&](int row, int col, double value) {
    if (col < cols) head.add(row, col, value);
  });
  head.end();
}

}  // namespace

MoreauStepper::MoreauStepper(std::string_view name, double theta, PositionCorrection correction,
                             std::unique_ptr<ContactSolver> solver, Limits limits)
    : ImpulseStepper(name, std::move(solver), limits), theta_(theta), correction_(correction) {}

void MoreauStepper::start(const System& system, const State& state) {
  ImpulseStepper::start(system, state);
  if (sizes_.variables > 0 && theta_ == 0.0)
    throw InputError("option 'theta': found 0, expected a number > 0 for a system with variables");
  middle_ = begin_;
  middle_increment_ = shift_ = shift_change_ = Vector::Zero(sizes_.velocities);
  surfaces_move_ = system.has_forcing();
  velocity_seen_ = begin_.velocity;
  first_time_ = std::min(first_time_, state.time);
}

void MoreauStepper::follow_contacts(const System& system, const State& state,
                                    const ContactChange& change) {
  ImpulseStepper::follow_contacts(system, state, change);
  middle_ = begin_;
}

void MoreauStepper::begin_step(const System& system) {
  span_ = h_;
  velocity_before_ = velocity_ = begin_.velocity;
  shift_.setZero();
  left_ = {};
  contacts_.active().clear();
  forecast(system);
  if (gaps_decide_ && h_ <= kSmallest * smallest_step_) stop_motionless();
  activate_friction(system);
  if (contacts_.any()) look_ahead(system);
}

void MoreauStepper::activate_friction(const System& system) {
  if (sizes_.friction_elements == 0) return;
  placed_ = begin_;
  placed_.time = begin_.time + theta_ * h_;
  shift_change_ = theta_ * h_ * begin_.velocity;
  system.retract(begin_.position, shift_change_, placed_.position);
  contacts_.activate_friction(system, placed_, h_);
}

void MoreauStepper::activate(const Vector& gaps, double lead) {
  if (!gaps_decide_) {
    contacts_.active().assign(acting_.begin(), acting_.end());
    return;
  }
  const double size = stepwise(max_abs(begin_.position));
  const double gathered =
      std::max(kHeld, limits().contact_tolerance) * h_ * max_abs(begin_.velocity);
  const bool is_projected = correction_ == PositionCorrection::kProjected ||
                            correction_ == PositionCorrection::kMultiplier;
  const double touching = kTouching * size;
  const double held = (is_projected ? kProjectedGap : kTouching) * size + gathered;
  // Bodies that fly on together after an impact touch without force, and take part in the next one.
  // What the solver left of their gap rates adds up.
  const double unresolved = kUnresolved * limits().contact_tolerance * max_abs(begin_.velocity);
  const double drifted = touching + unresolved * (begin_.time - first_time_);
  const bool is_bare = begin_.multiplier.size() != sizes_.constraints;
  for (int j = 0; j < sizes_.contacts; ++j) {
    const int row = sizes_.joints() + j;
    const double rate = before_.gap_rate(row);
    const bool pushed = !is_bare && begin_.multiplier(row) > 0.0;
    const double least = std::abs(rate) <= unresolved ? drifted : touching;
    if (gaps(row) + lead * rate <= (pushed ? std::max(held, least) : least))
      contacts_.active().push_back(j);
  }
}

void MoreauStepper::stop_motionless() {
  const double motionless = kMotionless * max_abs(begin_.position);
  for (const int j : contacts_.active_contacts()) {
    double& rate = before_.gap_rate(sizes_.joints() + j);
    if (h_ * std::abs(rate) <= motionless) rate = 0.0;
  }
}

void MoreauStepper::fill_middle(const Vector& velocity) {
  middle_.velocity = velocity;
  middle_.acceleration = (velocity_ - begin_.velocity) / h_;
  middle_.control_rate = control_rate_;
  middle_.control = begin_.control + h_ * theta_ * control_rate_;
  set_joint_reactions(middle_);
}

void MoreauStepper::border_joints(const System& system) {
  if (sizes_.joints() > 0) {
    system.constraint_jacobian(middle_, G_);
    head_rows(G_, sizes_.joints(), joints_);
    border(kJoints, joints_, joints_);
  }
  if (sizes_.rollings() > 0) {
    system.nonholonomic_jacobian(middle_, k_v_);
    head_rows(k_v_, sizes_.rollings(), rollings_);
    border(kRollings, rollings_, rollings_);
  }
}

void MoreauStepper::border_controls(const System& system, double dq, double dv) {
  if (sizes_.controls == 0) return;
  system.control_tangent(middle_, middle_chart(), control_);
  head_columns(control_.multiplier, sizes_.joints(), control_joints_);
  matrix_.add(kMotion, kControls, -h_ * theta_, control_.force);
  matrix_.add(kControls, kMotion, dq, control_.position);
  matrix_.add(kControls, kMotion, dv, control_.velocity);
  matrix_.add(kControls, kMotion, 1.0, control_.acceleration);
  matrix_.add(kControls, kJoints, -1.0, control_joints_);  // reactions turn their sign in x_
  matrix_.add(kControls, kControls, 1.0, control_.rate);
  matrix_.add(kControls, kControls, h_ * theta_, control_.control);
}

void MoreauStepper::state_equations(const System& system) {
  system.force(middle_, F_);
  residual_ = -F_;
  M_.multiply_add(1.0, middle_.acceleration, residual_);
  x_.head(sizes_.velocities) = -residual_;
  if (sizes_.joints() + sizes_.rollings() > 0) {
    const State& s = with_velocity(place_of_joints(), velocity_);
    system.constraint_velocity(s, rate_);
    x_.segment(sizes_.velocities, sizes_.joints()) = -rate_.head(sizes_.joints()) / h_;
    if (sizes_.rollings() > 0) {
      system.nonholonomic(s, rolling_rate_);
      x_.segment(matrix_.offset(kRollings), sizes_.rollings()) =
          -rolling_rate_.head(sizes_.rollings()) / h_;
    }
  }
  if (sizes_.controls > 0) {
    system.control(middle_, control_residual_);
    x_.tail(sizes_.controls) = -control_residual_;
  }
}

void MoreauStepper::evaluate_contacts(const System& system) {
  velocity_seen_ = velocity_ + h_ * x_.head(sizes_.velocities);
  evaluate_rates(system, velocity_seen_);
}

// g_t and k_t are rates at rest.
void MoreauStepper::evaluate_rates(const System& system, const Vector& velocity) {
  free_.evaluate_rates(system, with_velocity(*seen_from_, velocity));
  if (!surfaces_move_) return;
  placed_.velocity.setZero();
  surface_.evaluate_rates(system, placed_);
  free_.gap_rate -= surface_.gap_rate;
  if (sizes_.nonholonomic > 0) free_.slip -= surface_.slip;
  placed_.time = begin_.time + h_;
  surface_.evaluate_rates(system, placed_);
  free_.gap_rate += surface_.gap_rate;
  if (sizes_.nonholonomic > 0) free_.slip += surface_.slip;
}

void MoreauStepper::advance() {
  end_.velocity = velocity_;
  increment_ = h_ * ((1.0 - theta_) * begin_.velocity + theta_ * velocity_) + shift_;
}

bool MoreauStepper::is_settled(const System& system, double change) {
  if (!shifts_positions()) return is_balanced(system);
  // acary (19): positions and velocities are found together
  shift_change_ = -shift_;
  if (!find_shift(system)) return false;
  shift_change_ += shift_;
  return std::max(change, max_abs(shift_change_) / h_) <= limits().tolerance * scale_;
}

bool MoreauStepper::is_balanced(const System& system) {
  system.mass_matrix(middle_, M_);
  state_equations(system);
  if (contacts_.any()) contacts_.add_reaction(1.0 / h_, free_, x_);
  matrix_.solve(x_);
  const double tolerance = limits().tolerance;
  velocity_left_ = h_ * x_.head(sizes_.velocities);
  control_left_ = x_.tail(sizes_.controls);
  const double fastest = max_abs(control_rate_) + max_abs(middle_.control) / h_;
  const double velocity = max_abs(velocity_left_), control = max_abs(control_left_);
  const bool is_solved = velocity <= tolerance * scale_ && control <= tolerance * fastest;
  const auto shrank = [](double now, double before) {
    return now > 0.0 && now <= kShrinking * before;
  };
  const bool shrinks = shrank(velocity, left_.velocity) || shrank(control, left_.control);
  left_ = {velocity, control};
  if (!is_solved && (shrinks || !is_rounding(system))) return false;
  if (!contacts_.any() || seen_from_ != &middle_) return true;  // stated where it holds
  evaluate_rates(system, velocity_);
  speed_ = velocity_.cwiseAbs().cwiseMax(begin_.velocity.cwiseAbs());
  return contacts_.residual(free_, before_, speed_) <= kElsewhere * limits().contact_tolerance;
}

// Where a mechanism has come to rest, velocities and variables are differences of larger numbers,
// and rounding is a part of those.
bool MoreauStepper::is_rounding(const System& system) {
  const double place = std::max(max_abs(middle_.position), size_of_positions(system, middle_));
  ControlTerms terms;
  if (sizes_.controls > 0)
    terms = control_rounding_.terms_of(control_, middle_, sizes_.variables, place, place / h_);
  double inertia = 0.0;
  for (const double entry : M_.values())
    inertia = std::max(inertia, std::abs(entry));
  const double forces = max_abs(middle_.multiplier) + terms.force;
  const double velocity = place / h_ + (inertia > 0.0 ? h_ * forces / inertia : 0.0);
  const double control =
      terms.rate + (theta_ > 0.0 ? terms.value / (theta_ * h_) : 0.0) + max_abs(control_rate_);
  return left_.velocity <= kRoundingOfTerms * velocity &&
         left_.control <= kRoundingOfTerms * control;
}

bool MoreauStepper::end_step(const System& system) {
  advance();
  system.retract(begin_.position, increment_, end_.position);
  const int states = sizes_.controls - sizes_.variables;
  end_.control_rate = control_rate_;
  end_.control = begin_.control + h_ * theta_ * control_rate_;
  end_.control.head(states) = begin_.control.head(states) + h_ * control_rate_.head(states);
  switch (correction_) {
    case PositionCorrection::kJoints:
      return close_joints(system);
    case PositionCorrection::kProjected:
      return projection_.project(system, contacts_.active_contacts(), end_);
    default:
      return true;
  }
}

// A step violates joints by its local error. Its own matrix has the directions of q_m and masses
// with the stiffness of the step, which is as good a metric: the rest shrinks like h from one
// solution to the next.
bool MoreauStepper::close_joints(const System& system) {
  const int joints = sizes_.joints();
  if (joints == 0) return true;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxClosings; ++i) {
    system.constraint(end_, violation_);
    const double off = violation_.head(joints).cwiseAbs().maxCoeff();
    if (off <= kJointClosed * (1.0 + max_abs(end_.position))) return true;
    if (!(off <= kClosingRate * last)) break;
    last = off;
    x_.setZero();
    x_.segment(sizes_.velocities, joints) = -violation_.head(joints);
    matrix_.solve(x_);
    increment_ += x_.head(sizes_.velocities);
    system.retract(begin_.position, increment_, end_.position);
  }
  return projection_.project(system, {}, end_);
}

// (19b), (19e) with G at q_m
bool MoreauStepper::find_shift(const System& system) {
  if (!shifts_positions()) return true;
  shift_.setZero();
  advance();
  system.constraint_jacobian(middle_, G_);
  return projection_.shift_along(system, G_, {begin_.position, increment_}, end_, shift_);
}

}  // namespace picus
