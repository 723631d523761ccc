// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/decimation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus::report {

std::vector<long> kept_samples(const std::vector<double>& times, std::vector<double> moments,
                               long most) {
  const long count = static_cast<long>(times.size());
  std::vector<long> kept;
  if (count <= most) {
    for (long i = 0; i < count; ++i)
      kept.push_back(i);
    return kept;
  }
  // half of the room at most goes to moments, four samples to each; when there are more, to every
  // n-th of them
  constexpr long kAround = 4;
  std::sort(moments.begin(), moments.end());
  const auto places = static_cast<std::size_t>(std::max(1L, most / 2 / kAround));
  const std::size_t every = moments.size() / places + 1;
  for (std::size_t m = 0; m < moments.size(); m += every) {
    const long after = std::lower_bound(times.begin(), times.end(), moments[m]) - times.begin();
    for (long i = after - kAround / 2; i < after + kAround / 2; ++i)
      if (i >= 0 && i < count) kept.push_back(i);
  }
  const long even = std::max(2L, most - static_cast<long>(kept.size()));
  for (long i = 0; i < even; ++i)
    kept.push_back(std::lround(static_cast<double>(i) * static_cast<double>(count - 1) /
                               static_cast<double>(even - 1)));
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

Envelope::Envelope(const std::vector<long>& kept) : kept_(&kept) {
  values_.reserve(kept.size());
  if (!kept.empty()) extremes_.reserve(2 * (kept.size() - 1));
}

void Envelope::close_gap() {
  float first = relative(low_), last = relative(high_);
  if (!high_is_last_) std::swap(first, last);
  if (is_gap_empty_) {
    first = values_[values_.size() - 2];
    last = values_.back();
  }
  extremes_.insert(extremes_.end(), {first, last});
  is_gap_empty_ = true;
}

void Envelope::add(double value) {
  if (sample_ == 0 && std::isfinite(value)) offset_ = value;
  if (next_ < kept_->size() && sample_ == (*kept_)[next_]) {
    values_.push_back(relative(value));
    if (next_++ > 0) close_gap();
  } else if (is_gap_empty_) {
    low_ = high_ = value;
    is_gap_empty_ = false;
  } else if (value > high_) {
    high_ = value;
    high_is_last_ = true;
  } else if (value < low_) {
    low_ = value;
    high_is_last_ = false;
  }
  ++sample_;
}

}  // namespace picus::report
