// SPDX-License-Identifier: BSD-3-Clause
#include "picus/simulation/recorder.h"

#include <algorithm>

namespace picus {

bool Recorder::observe(const Moment& moment) {
  if (moment.is_first()) {
    states_.clear();
    begin_ = moment.state.time;
  }
  if (interval_ <= 0.0 || moment.is_first()) {
    states_.push_back(moment.state);
    return true;
  }
  // every multiple of the interval that lies in the step; counted, so that rounding does not grow
  for (;;) {
    const double next = begin_ + static_cast<double>(states_.size()) * interval_;
    const double fraction = 1.0 - (moment.state.time - next) / moment.h;
    if (fraction > 1.0 + 1e-9) return true;
    State state;
    moment.interpolate(std::min(fraction, 1.0), state);
    states_.push_back(std::move(state));
  }
}

}  // namespace picus
