// SPDX-License-Identifier: BSD-3-Clause
// Moreau–Jean with an estimate of its local error, so that a controller may choose the steps,
// acary §5. Two steps of h/2 lead on, and one of h tells how good they are:
//
//   e_q = q_{1/2} - q_1                                                        (67), (63) with p =
//   1 error = ‖e_q / (tolerance · scale)‖,   h_opt = h (1/error)^{1/(p+1)}       (64), (65)
//
// The local order p is 0 where an impact falls into the step and 1 elsewhere, guessed by (68)-(70):
// a gap that was open and no longer is. `order: zero` takes p = 0 everywhere.
//
// An impact late in the step is seen by neither the whole step nor the halves, since contacts act
// by the forecast g + hγ ġ: both fall freely below the obstacle and agree. The depth at which a
// contact ends that was open at the beginning is therefore an error, too, unless
// `penetration: ignored` asks for (67) alone.
//
// Where something begins or ceases to slip or lets go, accelerations jump and the velocity has an
// error like h times the jump; e_q is like h² and within the tolerance long before the motion
// behind it is. It may vanish, too: what sticks moves neither in the whole step nor in the halves,
// although a force passes friction behind the last place that they look at, and there are times of
// a jump at which both are wrong alike. Jumps are therefore looked for. Accelerations of the step
// before, of both halves and of a short step behind the end are four in a row; of changes that are
// more than twice as steep as the gentlest one, a quarter of h times the rest is an error of the
// velocity. It counts by what it will have moved when the motion has passed its own scale. In
// smooth motions slopes are alike; impacts have jumps of velocities, which are not compared.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "picus/steppers/common/error_weights.h"
#include "picus/steppers/common/impulse_stepper.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus {
namespace {

constexpr double kLargestFactor = 1e3;    // of a step without error
constexpr double kUlpOfPosition = 1e-15;  // of positions, relative to 1 + their size
constexpr double kBehind = 0.125;         // of h: the step behind the end
constexpr double kOfJump = 0.25;          // times h and a jump: an error of the velocity
constexpr double kSteeper = 2.0;          // than other slopes: smooth motions have such, too
constexpr double kSpeedNoise = 1e-8;      // of the largest velocity: what contact solvers leave

void add_effort(const StepReport& part, StepReport& sum) {
  sum.newton_iterations += part.newton_iterations;
  sum.factorizations += part.factorizations;
  sum.refreshed.add(part.refreshed);
  sum.cycles += part.cycles;
  sum.newton_rate = std::max(sum.newton_rate, part.newton_rate);
}

/// Changes of an acceleration, less what they would be by the gentlest slope among them. A jump
/// within a half makes two of three changes large.
class Jump {
 public:
  void add(double change, double time) {
    size_[count_] = std::abs(change);
    time_[count_] = time;
    gentlest_ = std::min(gentlest_, size_[count_] / time);
    ++count_;
  }
  double size() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i)
      sum += std::max(0.0, size_[i] - kSteeper * gentlest_ * time_[i]);
    return sum;
  }

 private:
  std::array<double, 3> size_{}, time_{};
  std::size_t count_ = 0;
  double gentlest_ = std::numeric_limits<double>::infinity();
};

class MoreauAdaptive final : public Stepper {
 public:
  explicit MoreauAdaptive(const MoreauAdaptiveOptions& options)
      : order_kind_(options.order),
        penetration_(options.penetration),
        whole_(make_moreau_jean(options.method)),
        half_(make_moreau_jean(options.method)),
        behind_(make_moreau_jean(options.method)) {}

  StepperTraits traits() const override {
    StepperTraits traits = half_->traits();
    traits.estimates_error = true;
    return traits;
  }

  void control_error(double tolerance) override { tolerance_ = tolerance; }

  void start(const System& system, const State& state) override {
    whole_->start(system, state);
    half_->start(system, state);
    behind_->start(system, state);
    start_time_ = state.time;
    has_before_ = false;
    size_states(system, state);
    weights_.start(system, state, WeightKind::kMotion);
    first_increment_ = increment_ = error_ = Vector::Zero(sizes_.velocities);
    control_error_ = Vector::Zero(sizes_.controls - sizes_.variables);
  }

  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override {
    whole_->follow_contacts(system, state, change);
    half_->follow_contacts(system, state, change);
    behind_->follow_contacts(system, state, change);
    size_states(system, state);
  }

  StepReport attempt(const System& system, const State& from, double h, State& to) override {
    StepReport report;
    begin_ = from;
    if (tolerance_ > 0.0) {
      const StepReport whole = whole_->attempt(system, begin_, h, whole_end_);
      if (!whole.ok()) return whole;
      add_effort(whole, report);
    }
    const StepReport first = half_->attempt(system, begin_, 0.5 * h, middle_);
    if (!first.ok()) return first;
    add_effort(first, report);
    keep_first_half();
    const StepReport second = half_->attempt(system, middle_, 0.5 * h, end_);
    if (!second.ok()) return second;
    add_effort(second, report);
    join_halves(h);
    if (tolerance_ > 0.0) estimate(system, h, report);
    to = end_;
    return report;
  }

  void accept() override {
    whole_->accept();
    half_->accept();
    if (tolerance_ > 0.0) weights_.accept();
    has_before_ = is_smooth();
    if (!has_before_) return;
    const double h = end_.time - begin_.time;
    before_ = 2.0 * (end_.velocity - middle_.velocity) / h;
    before_time_ = end_.time - 0.25 * h;
  }

  /// As in a step of moreau_jean, in each half.
  void interpolate(const System& system, double fraction, State& result) const override {
    const bool is_first = fraction < 0.5;
    const State &a = is_first ? begin_ : middle_, &b = is_first ? middle_ : end_;
    const double part = is_first ? 2.0 * fraction : 2.0 * fraction - 1.0;
    result = b;
    result.time = (1.0 - part) * a.time + part * b.time;
    scaled_ = first_increment_;
    if (!is_first) scaled_ = increment_ - first_increment_;
    scaled_ *= part;
    const bool has_impact = is_first ? first_has_impact_ : half_->smooth_part() < 1.0;
    if (!has_impact) add_bulge(a, b, part, scaled_);
    system.retract(a.position, scaled_, result.position);
    if (part >= 1.0) result.position = b.position;
    result.velocity = b.velocity;
    if (part < 1.0)
      result.velocity = has_impact ? a.velocity : (1.0 - part) * a.velocity + part * b.velocity;
    result.control = (1.0 - part) * a.control + part * b.control;
  }

  double smooth_part() const override {
    return first_has_impact_ ? 0.0 : half_->smooth_part() < 1.0 ? 0.5 : 1.0;
  }

  /// Of the second half.
  std::span<const LawMode> law_modes() const override { return half_->law_modes(); }

  /// Of both halves.
  StepImpulses impulses() const override {
    return {.normal = &impulse_,
            .tangential = &tangential_impulse_,
            .friction_limit = &friction_limit_};
  }
  /// "increment" of positions; "consistency_order": p of the last attempt.
  const Vector* internal(std::string_view name) const override {
    if (name == "increment") return &increment_;
    return name == "consistency_order" ? &order_ : nullptr;
  }

 private:
  void size_states(const System& system, const State& state) {
    sizes_ = system.sizes();
    begin_ = middle_ = end_ = whole_end_ = behind_end_ = state;
    for (State* s : {&begin_, &middle_, &end_, &whole_end_, &behind_end_})
      size_state(system, *s);
    impulse_ = Vector::Zero(sizes_.constraints);
    tangential_impulse_ = Vector::Zero(sizes_.nonholonomic);
    friction_limit_ = Vector::Zero(sizes_.friction_elements);
    gap_before_ = gap_after_ = Vector::Zero(sizes_.constraints);
  }

  void keep_first_half() {
    first_has_impact_ = half_->smooth_part() < 1.0;
    first_increment_ = *half_->internal("increment");
    const StepImpulses first = half_->impulses();
    impulse_ = *first.normal;
    tangential_impulse_ = *first.tangential;
    friction_limit_ = *first.friction_limit;
  }

  // Accelerations and reactions are those of the whole step.
  void join_halves(double h) {
    increment_ = first_increment_ + *half_->internal("increment");
    const StepImpulses second = half_->impulses();
    impulse_ += *second.normal;
    tangential_impulse_ += *second.tangential;
    friction_limit_ += *second.friction_limit;
    end_.time = begin_.time + h;
    end_.acceleration = (end_.velocity - begin_.velocity) / h;
    end_.multiplier = impulse_ / h;
    end_.nonholonomic_multiplier = tangential_impulse_ / h;
  }

  void estimate(const System& system, double h, StepReport& report) {
    weights_.include(increment_, end_);
    // along the coordinates of velocities, so that orientations have a difference
    error_ = increment_ - *whole_->internal("increment");
    // variables follow from the rest and have no error of their own
    const int states = sizes_.controls - sizes_.variables;
    control_error_ = end_.control.head(states) - whole_end_.control.head(states);
    const double noise = kUlpOfPosition * (1.0 + max_abs(end_.position));
    double error =
        std::max(weights_.position_norm(error_, noise), weights_.control_norm(control_error_));
    if (find_jumps(system, h, report)) error = std::max(error, velocity_norm());
    report.equation = "positions";
    const double depth = compare_gaps(system);
    if (depth > error) {
      error = depth;
      report.equation = "gaps of contacts";
    }
    report.error = error / tolerance_;
    const double p = order_(0);
    report.step_factor = report.error > 0.0
                             ? std::min(std::pow(report.error, -1.0 / (p + 1.0)), kLargestFactor)
                             : kLargestFactor;
  }

  // Whether there are laws, but no impacts, whose velocities cannot be compared.
  bool is_smooth() const { return sizes_.laws() > 0 && smooth_part() == 1.0; }

  // What errors of velocities move while the motion passes its own scale, or in as long a time as
  // it has lasted, relative to that scale.
  double velocity_norm() const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < error_.size(); ++i) {
      const double speed = weights_.speed(i), scale = weights_.position()(i);
      const double size = std::abs(error_(i)) - kSpeedNoise * speed;
      if (!(size > 0.0 && scale > 0.0)) continue;
      const double moved = size * std::min(end_.time - start_time_, scale / speed) / scale;
      sum += moved * moved;
    }
    return std::sqrt(sum / static_cast<double>(error_.size()));
  }

  // Puts errors of the velocity by jumps of the acceleration to error_; false where none are seen.
  bool find_jumps(const System& system, double h, StepReport& report) {
    if (!is_smooth()) return false;
    const StepReport next = behind_->attempt(system, end_, kBehind * h, behind_end_);
    add_effort(next, report);
    const bool has_next = next.ok() && behind_->smooth_part() == 1.0;
    if (!has_next && !has_before_) return false;
    const double to_first = begin_.time + 0.25 * h - before_time_;
    const double to_next = (0.25 + 0.5 * kBehind) * h;
    for (Eigen::Index i = 0; i < error_.size(); ++i) {
      const double first = 2.0 * (middle_.velocity(i) - begin_.velocity(i)) / h;
      const double second = 2.0 * (end_.velocity(i) - middle_.velocity(i)) / h;
      Jump jump;
      jump.add(second - first, 0.5 * h);
      if (has_before_) jump.add(first - before_(i), to_first);
      if (has_next)
        jump.add((behind_end_.velocity(i) - end_.velocity(i)) / (kBehind * h) - second, to_next);
      error_(i) = kOfJump * h * jump.size();
    }
    return true;
  }

  // (68)-(70), and how deep contacts are that were open, relative to the size of the system.
  double compare_gaps(const System& system) {
    order_(0) = order_kind_ == ConsistencyOrder::kZero ? 0.0 : 1.0;
    if (sizes_.contacts == 0) return 0.0;
    system.constraint(begin_, gap_before_);
    system.constraint(end_, gap_after_);
    double deepest = 0.0;
    for (int row = sizes_.joints(); row < sizes_.constraints; ++row) {
      if (gap_before_(row) <= 0.0 || gap_after_(row) > 0.0) continue;
      order_(0) = 0.0;
      deepest = std::max(deepest, -gap_after_(row));
    }
    if (penetration_ == Penetration::kIgnored || weights_.length() == 0.0) return 0.0;
    return deepest / weights_.length();
  }

  ConsistencyOrder order_kind_;
  Penetration penetration_;
  std::unique_ptr<Stepper> whole_, half_, behind_;  ///< each keeps the matrix of its step size
  double tolerance_ = 0.0;
  double start_time_ = 0.0;
  bool has_before_ = false;
  double before_time_ = 0.0;       ///< of before_
  bool first_has_impact_ = false;  ///< the first half
  SystemSizes sizes_;
  ErrorWeights weights_;
  State begin_, middle_, end_, whole_end_, behind_end_;
  Vector first_increment_, increment_, error_, control_error_;
  Vector before_;  ///< acceleration of the second half of the step before
  Vector impulse_, tangential_impulse_, friction_limit_;
  Vector gap_before_, gap_after_;
  Vector order_ = Vector::Ones(1);
  mutable Vector scaled_;
};

}  // namespace

std::unique_ptr<Stepper> make_moreau_adaptive(const MoreauAdaptiveOptions& options) {
  return std::make_unique<MoreauAdaptive>(options);
}

}  // namespace picus
