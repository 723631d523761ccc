// SPDX-License-Identifier: BSD-3-Clause
// Extrapolation, studer-leine-glocker §7–§9.2: a step h is taken with n_i substeps of a method of
// low order, i = 1, 2, …, and the results T_{i,1} are continued to substeps of no length,
//
//   T_{i,j+1} = T_{i,j} + (T_{i,j} − T_{i−1,j}) / ((n_i/n_{i−j})^k − 1)                        (42)
//
// with k the powers of h in the error of the base scheme, until
// ‖T_{i,i} − T_{i−1,i−1}‖ ≤ atol + rtol ‖T_{i,i}‖. That takes a smooth motion: all substeps must
// leave contacts and friction in the modes σ̂ of the step before. Where they do not, the step is
// T_{1,1}, and the report tells that there is a switching point (36).
//
// Positions are continued as increments from the beginning of the step, which form a vector space
// where positions do not. Impulses are summed over substeps and continued with the rest, which the
// paper does not do.
#include "picus/steppers/extrapolation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/error.h"
#include "picus/steppers/common/base_scheme.h"
#include "picus/steppers/common/recorded_step.h"
#include "picus/steppers/common/refusal.h"

namespace picus {
namespace {

using Switching = StepReport::Switching;

constexpr double kDefaultTolerance = 1e-8;
constexpr int kHighestOrder = 12;        // beyond it rounding grows faster than accuracy
constexpr double kSizeRounding = 1e-6;   // of step sizes, relative
constexpr double kLargestGrowth = 10.0;  // StepReport::step_factor of a step without error

class Extrapolation final : public Stepper {
 public:
  Extrapolation(const ExtrapolationOptions& options, std::unique_ptr<Stepper> base);

  StepperTraits traits() const override { return attempted_.can; }
  void control_error(double tolerance) override { tolerance_ = tolerance; }
  void limit_division(double h_min) override {
    h_min_ = h_min;
    base_->limit_division(h_min);
  }
  void start(const System& system, const State& state) override;
  void follow_contacts(const System& system, const State& state,
                       const ContactChange& change) override;
  // Nothing but the modes is remembered, and those did not change since.
  void roll_back(const System&, const State&) override {}
  StepReport attempt(const System& system, const State& from, double h, State& to) override;
  void accept() override;

  void interpolate(const System& system, double fraction, State& result) const override {
    shown_->interpolate(system, fraction, result);
  }
  double smooth_part() const override { return shown_->smooth_part(); }
  StepImpulses impulses() const override { return shown_->impulses(); }
  std::span<const LawMode> law_modes() const override { return shown_->law_modes(); }
  const StepView& accepted() const override { return accepted_; }

 private:
  int substeps(int row) const {
    return options_.substeps == SubstepSequence::kOdd ? 2 * row + 1 : row + 1;
  }
  int rows() const { return options_.order > 0 ? options_.order : options_.max_order; }
  bool is_smallest(double h) const { return h <= h_min_ * (1.0 + kSizeRounding); }

  void size_work(const System& system, const State& state);
  bool take_row(const System& system, const State& from, int row, StepReport& report);
  bool keeps_modes();
  void clear_impulses();
  void add_impulses();
  void pack(const System& system, const State& from, Vector& y);
  void unpack(const System& system, const State& from, const Vector& y);
  void continue_to_zero(int row);
  double error_of(const State& from, StepReport& report) const;
  int extrapolate(const System& system, const State& from, StepReport& report);

  ExtrapolationOptions options_;
  std::unique_ptr<Stepper> base_;
  BaseScheme* scheme_;
  double tolerance_ = 0.0, h_min_ = 0.0, h_ = 0.0;
  int powers_ = 1;  ///< k
  int exact_ = 0;   ///< how many entries of a row have errors in those powers; others in all
  SystemSizes sizes_;

  State now_, next_;                ///< of the substeps
  std::vector<LawMode> modes_;      ///< σ̂ that substeps must keep
  bool knows_modes_ = false;        ///< of an accepted step
  std::vector<Vector> row_;         ///< T_{i,1} … T_{i,i}
  Vector first_, best_, previous_;  ///< T_{1,1}, T_{i,i}, T_{i−1,i−1}
  Vector continued_;
  Vector increment_;
  RecordedStep attempted_, accepted_;
  const RecordedStep* shown_ = &attempted_;
};

void check(bool good, const char* option, double found, const std::string& expected) {
  if (good) return;
  throw InputError(fmt::format("option '{}': found {:g}, expected {}", option, found, expected));
}

Extrapolation::Extrapolation(const ExtrapolationOptions& options, std::unique_ptr<Stepper> base)
    : options_(options), base_(std::move(base)), scheme_(dynamic_cast<BaseScheme*>(base_.get())) {
  if (scheme_ == nullptr)
    throw InputError(
        "extrapolation: the base method declares no error expansion; use moreau_midpoint or "
        "moreau_jean");
  check(options.order >= 0 && options.order <= kHighestOrder, "order", options.order,
        fmt::format("0 for automatic, or an order up to {}", kHighestOrder));
  check(options.max_order >= 1 && options.max_order <= kHighestOrder, "max_order",
        options.max_order, fmt::format("an order from 1 to {}", kHighestOrder));
  const auto is_tolerance = [](double x) { return x >= 0.0 && x < 1.0; };
  check(is_tolerance(options.atol), "atol", options.atol, "0, or a number below 1");
  check(is_tolerance(options.rtol), "rtol", options.rtol, "0, or a number below 1");
  StepperTraits can = base_->traits();
  can.order = rows();
  can.estimates_error = rows() > 1;
  can.finds_switches = true;
  can.reaction_limits = false;  // nobody knows how such limits are extrapolated
  can.position_drift = can.velocity_drift = rows() > 1;  // what is extrapolated obeys nothing
  attempted_.can = accepted_.can = can;
}

void Extrapolation::start(const System& system, const State& state) {
  refuse_reaction_limits("extrapolation", attempted_.can, system);
  base_->start(system, state);
  powers_ = scheme_->error_powers(system);
  knows_modes_ = false;
  size_work(system, state);
}

void Extrapolation::follow_contacts(const System& system, const State& state,
                                    const ContactChange& change) {
  base_->follow_contacts(system, state, change);
  const std::vector<LawMode> before = modes_;
  const auto friction = static_cast<std::ptrdiff_t>(sizes_.friction_elements);
  modes_.assign(change.contacts.size(), LawMode{});
  for (std::size_t j = 0; j < change.contacts.size(); ++j)
    if (knows_modes_ && change.contacts[j] >= 0)
      modes_[j] = before[static_cast<std::size_t>(change.contacts[j])];
  if (knows_modes_) modes_.insert(modes_.end(), before.end() - friction, before.end());
  size_work(system, state);
}

void Extrapolation::size_work(const System& system, const State& state) {
  sizes_ = system.sizes();
  const SystemSizes& n = sizes_;
  exact_ = 2 * n.velocities + n.controls;
  const int all = exact_ + n.velocities + 2 * (n.constraints + n.nonholonomic) + n.controls +
                  n.friction_elements;
  row_.assign(static_cast<std::size_t>(rows()), Vector::Zero(all));
  first_ = best_ = previous_ = continued_ = Vector::Zero(all);
  increment_ = Vector::Zero(n.velocities);
  now_ = next_ = state;
  size_state(system, now_);
  size_state(system, next_);
  for (RecordedStep* step : {&attempted_, &accepted_}) {
    step->begin = step->end = now_;
    step->increment = increment_;
    step->impulse = Vector::Zero(n.constraints);
    step->tangential_impulse = Vector::Zero(n.nonholonomic);
    step->friction_limit = Vector::Zero(n.friction_elements);
  }
}

// σ̂ of the substep just taken against that of the step before; the first of all steps has none.
bool Extrapolation::keeps_modes() {
  const std::span<const LawMode> found = base_->law_modes();
  if (modes_.empty()) {
    modes_.assign(found.begin(), found.end());
    return true;
  }
  return std::equal(found.begin(), found.end(), modes_.begin(), modes_.end());
}

void Extrapolation::clear_impulses() {
  for (Vector* sum :
       {&attempted_.impulse, &attempted_.tangential_impulse, &attempted_.friction_limit})
    sum->setZero();
}

void Extrapolation::add_impulses() {
  const StepImpulses parts = base_->impulses();
  const auto add = [](Vector& sum, const Vector* part) {
    if (part != nullptr) sum += *part;
  };
  attempted_.has_impulses = parts.normal != nullptr;
  add(attempted_.impulse, parts.normal);
  add(attempted_.tangential_impulse, parts.tangential);
  add(attempted_.friction_limit, parts.friction_limit);
}

// T_{i,1}; false when a substep fails or has a switching point.
bool Extrapolation::take_row(const System& system, const State& from, int row, StepReport& report) {
  const int count = substeps(row);
  now_ = from;
  clear_impulses();
  for (int n = 1; n <= count; ++n) {
    const StepReport part = base_->attempt(system, now_, h_ / count, next_);
    report.newton_iterations += part.newton_iterations;
    report.factorizations += part.factorizations;
    report.refreshed.add(part.refreshed);
    if (!part.ok()) {
      report.status = part.status;
      report.newton_rate = part.newton_rate;
      report.equation = part.equation;
      report.worst_kind = part.worst_kind;
      report.worst_index = part.worst_index;
      report.worst_residual = part.worst_residual;
      return false;
    }
    base_->accept();
    add_impulses();
    std::swap(now_, next_);
    now_.time = from.time + h_ * (static_cast<double>(n) / count);
    if (!keeps_modes()) {
      report.switching = is_smallest(h_) ? Switching::kResolved : Switching::kDetected;
      return false;
    }
  }
  return true;
}

// What errors in powers of h^k are made of comes first.
void Extrapolation::pack(const System& system, const State& from, Vector& y) {
  system.difference(from.position, now_.position, increment_);
  int at = 0;
  const auto put = [&](const Vector& part) {
    y.segment(at, part.size()) = part;
    at += static_cast<int>(part.size());
  };
  put(increment_);
  put(now_.velocity);
  put(now_.control);
  put(now_.acceleration);
  put(now_.multiplier);
  put(now_.nonholonomic_multiplier);
  put(now_.control_rate);
  put(attempted_.impulse);
  put(attempted_.tangential_impulse);
  put(attempted_.friction_limit);
}

void Extrapolation::unpack(const System& system, const State& from, const Vector& y) {
  int at = 0;
  const auto take = [&](Vector& part) {
    part = y.segment(at, part.size());
    at += static_cast<int>(part.size());
  };
  State& end = attempted_.end;
  end.time = from.time + h_;
  take(attempted_.increment);
  take(end.velocity);
  take(end.control);
  take(end.acceleration);
  take(end.multiplier);
  take(end.nonholonomic_multiplier);
  take(end.control_rate);
  take(attempted_.impulse);
  take(attempted_.tangential_impulse);
  take(attempted_.friction_limit);
  system.retract(from.position, attempted_.increment, end.position);
}

// (42): the next row of the tableau, of which the last one is kept.
void Extrapolation::continue_to_zero(int row) {
  previous_ = best_;
  for (int j = 1; j <= row; ++j) {
    const double ratio = static_cast<double>(substeps(row)) / substeps(row - j);
    Vector& above = row_[static_cast<std::size_t>(j - 1)];
    best_ = continued_ - above;
    best_.head(exact_) /= std::pow(ratio, powers_) - 1.0;
    best_.tail(best_.size() - exact_) /= ratio - 1.0;
    above = continued_;
    continued_ += best_;
  }
  best_ = row_[static_cast<std::size_t>(row)] = continued_;
}

// ‖T_{i,i} − T_{i−1,i−1}‖ over its tolerance, the larger one of positions and velocities.
double Extrapolation::error_of(const State& from, StepReport& report) const {
  const double fallback = tolerance_ > 0.0 ? tolerance_ : kDefaultTolerance;
  const double atol = options_.atol > 0.0 || options_.rtol > 0.0 ? options_.atol : fallback;
  const double rtol = options_.atol > 0.0 || options_.rtol > 0.0 ? options_.rtol : fallback;
  const int n = sizes_.velocities;
  if (n == 0) return 0.0;
  double worst = 0.0;
  for (int part = 0; part < 2; ++part) {
    int index = 0;
    const double change =
        (best_.segment(part * n, n) - previous_.segment(part * n, n)).cwiseAbs().maxCoeff(&index);
    const double size =
        part == 0 ? from.position.cwiseAbs().maxCoeff() : best_.segment(n, n).cwiseAbs().maxCoeff();
    const double allowed = atol + rtol * size;
    const double error = change > 0.0 ? change / allowed : 0.0;
    if (!(error >= worst)) continue;
    worst = error;
    report.equation = part == 0 ? "position" : "velocity";
    report.worst_kind = Equation::kMomentum;
    report.worst_index = index;
  }
  return worst;
}

// Builds the tableau row by row; returns how many there are.
int Extrapolation::extrapolate(const System& system, const State& from, StepReport& report) {
  const bool is_fixed = options_.order > 0 || rows() == 1;
  for (int row = 0; row < rows(); ++row) {
    if (row > 0 && h_ / substeps(row) < h_min_ * (1.0 - kSizeRounding)) {
      // a single row has nothing to be compared with
      if (!is_fixed && row > 1) report.switching = Switching::kInaccurate;
      return row;
    }
    const bool is_complete = take_row(system, from, row, report);
    if (!report.ok()) return row;
    if (row == 0) {
      const std::span<const LawMode> modes = base_->law_modes();
      attempted_.modes.assign(modes.begin(), modes.end());
      attempted_.has_impact = base_->smooth_part() < 1.0;
      pack(system, from, continued_);
      row_[0] = best_ = first_ = continued_;
    }
    if (!is_complete) return row;
    if (row == 0) continue;
    pack(system, from, continued_);
    continue_to_zero(row);
    report.error = error_of(from, report);
    report.step_factor =
        report.error > 0.0 ? std::pow(report.error, -1.0 / (powers_ * row + 1)) : kLargestGrowth;
    if (!is_fixed && report.error <= 1.0) return row + 1;
  }
  if (!is_fixed) report.switching = Switching::kInaccurate;
  return rows();
}

StepReport Extrapolation::attempt(const System& system, const State& from, double h, State& to) {
  expects(h > 0.0 && std::isfinite(h), "a positive step size");
  h_ = h;
  shown_ = &attempted_;
  if (!knows_modes_) modes_.clear();
  if (options_.restitution == RestitutionRule::kFading)
    scheme_->raise_restitution(h_min_ > 0.0 ? std::max(1.0, h / h_min_) : 1.0);
  StepReport report;
  report.switching = Switching::kSmooth;
  const int rows = extrapolate(system, from, report);
  if (!report.ok()) return report;
  attempted_.is_smooth =
      report.switching == Switching::kSmooth || report.switching == Switching::kInaccurate;
  report.order = attempted_.is_smooth ? rows : 1;
  attempted_.begin = from;
  unpack(system, from, report.order > 1 ? best_ : first_);
  to = attempted_.end;
  return report;
}

void Extrapolation::accept() {
  modes_.assign(attempted_.modes.begin(), attempted_.modes.end());
  knows_modes_ = true;
  std::swap(attempted_, accepted_);
  shown_ = &accepted_;
}

}  // namespace

std::unique_ptr<Stepper> make_extrapolation(const ExtrapolationOptions& options) {
  const ContactOptions& contact = options.contact;
  // equations must hold better than extrapolation can tell: it magnifies what is left of them
  constexpr double kNewtonTolerance = 1e-14;
  return make_extrapolation(
      options, options.base == BaseMethod::kMoreauMidpoint
                   ? make_moreau_midpoint({.contact = contact})
                   : make_moreau_jean({.contact = contact, .newton_tolerance = kNewtonTolerance}));
}

std::unique_ptr<Stepper> make_extrapolation(const ExtrapolationOptions& options,
                                            std::unique_ptr<Stepper> base) {
  return std::make_unique<Extrapolation>(options, std::move(base));
}

}  // namespace picus
