// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/endings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace picus {
namespace {

constexpr double kNoSide = std::numeric_limits<double>::quiet_NaN();
// Conditions are looked at this often in a step at least: a formula of them may be of any shape.
constexpr double kSpacing = 0.125;
// Bisections of a step along its dense output: as accurate as that is.
constexpr int kBisections = 40;
// Parts of the step that passed a condition:
constexpr double kLate = 1e-12;    // by which the last one may end behind it
constexpr double kSoonest = 1e-9;  // the shortest last step
constexpr double kStride = 1e-8;   // the first, by which the dense output may be off
constexpr double kWiden = 10.0;    // strides

int functions_of(const std::vector<EndingCondition>& conditions) {
  int count = 0;
  for (const EndingCondition& condition : conditions)
    count += 1 + condition.marks;
  return count;
}

}  // namespace

Endings::Endings(const System& system, const std::vector<EndingCondition>& conditions)
    : system_(system), conditions_(conditions) {
  const int count = functions_of(conditions);
  values_ = begin_ = side_ = Vector::Zero(count);
  scan_.start(count);
}

void Endings::evaluate(const State& state, Vector& values) const {
  int next = 0;
  for (const EndingCondition& condition : conditions_) {
    values(next++) = condition.value(state);
    if (condition.marks > 0)
      condition.mark_values(state,
                            {values.data() + next, static_cast<std::size_t>(condition.marks)});
    next += condition.marks;
  }
}

void Endings::begin(const State& state) {
  if (!any()) return;
  evaluate(state, begin_);
  int next = 0;
  for (const EndingCondition& condition : conditions_) {
    side_(next) = begin_(next) > 0.0 ? 1.0 : -1.0;
    ++next;
    for (int i = 0; i < condition.marks; ++i, ++next)
      side_(next) = std::isnan(begin_(next)) ? 0.0 : begin_(next) >= 0.0 ? 1.0 : -1.0;
  }
}

int Endings::reached(const State& state) {
  if (!any()) return -1;
  evaluate(state, values_);
  int next = 0;
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (values_(next) > 0.0 && side_(next) < 0.0) return static_cast<int>(i);
    next += 1 + conditions_[i].marks;
  }
  return -1;
}

void Endings::orient(const State& state, Vector& values) const {
  evaluate(state, values);
  for (int i = 0; i < values.size(); ++i)
    values(i) = side_(i) == 0.0 ? kNoSide : side_(i) * values(i);
}

bool Endings::changed(const State& state) {
  orient(state, values_);
  // marks, which are smooth, come behind the value that jumps with them
  for (auto i = static_cast<int>(values_.size()) - 1; i >= 0; --i) {
    if (!(values_(i) < 0.0)) continue;
    found_ = i;
    return true;
  }
  return false;
}

double Endings::distance(const State& state) {
  orient(state, values_);
  return values_(found_);
}

std::vector<std::string> Endings::holding() const {
  std::vector<std::string> names;
  int next = 0;
  for (const EndingCondition& condition : conditions_) {
    if (side_(next) > 0.0) names.push_back(condition.name);
    next += 1 + condition.marks;
  }
  return names;
}

bool Endings::sample(ScanSample& sample) {
  scanned_->interpolate(system_, sample.time, point_);
  orient(point_, sample.value);
  return true;
}

double Endings::crossing(int function, const ScanSample& a, const ScanSample& b, bool) const {
  const double before = a.value(function), behind = b.value(function);
  if (!(before >= 0.0 && behind < 0.0)) return -1.0;
  return a.time + (b.time - a.time) * before / (before - behind);
}

double Endings::spacing(double) {
  return kSpacing;
}

double Endings::find(const StepView& step, double until, const State& end, bool inside) {
  if (!any()) return -1.0;
  scanned_ = &step;
  if (!inside) return changed(end) ? locate(0.0, 1.0) : -1.0;
  scan_.begin().time = 0.0;
  scan_.end().time = until;
  if (until < 1.0)
    sample(scan_.end());
  else
    orient(end, scan_.end().value);
  for (int i = 0; i < begin_.size(); ++i) {
    scan_.begin().value(i) = std::max(0.0, side_(i) * begin_(i));
    scan_.arm(i, true);
  }
  const ScanCrossing found = scan_.find(*this);
  return found.exists() ? locate(found.low, found.high) : -1.0;
}

double Endings::locate(double low, double high) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    scanned_->interpolate(system_, middle, point_);
    (changed(point_) ? high : low) = middle;
  }
  return high;
}

EndingSearch::EndingSearch(double part, double whole, double distance)
    : whole_(whole),
      next_(std::clamp(part, kSoonest, 1.0) * whole),
      stride_(kStride * whole),
      at_low_(distance) {}

bool EndingSearch::ends_at(bool is_behind, double distance) {
  const double shortest = kSoonest * whole_, late = kLate * whole_;
  (is_behind ? high_ : low_) = next_;
  (is_behind ? at_high_ : at_low_) = distance;
  (is_behind ? has_high_ : has_low_) = true;
  if (is_behind && next_ <= shortest) return true;
  if (!has_high_ && next_ >= whole_) return true;  // a ghost of the dense output
  ++attempts_;
  if (!has_low_ || !has_high_) {
    next_ = std::clamp(is_behind ? next_ - stride_ : next_ + stride_, shortest, whole_);
    stride_ *= kWiden;
    return false;
  }
  if (high_ - low_ <= late) {
    next_ = high_;
    return is_behind;
  }
  const double root = low_ + (high_ - low_) * at_low_ / (at_low_ - at_high_);
  if (is_behind && next_ - root <= late) return true;
  const double secant = root + 0.5 * late;
  const bool is_inside = secant > low_ && secant < high_ && attempts_ % 4 != 0;
  next_ = is_inside ? secant : 0.5 * (low_ + high_);
  return false;
}

}  // namespace picus
