// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fewer samples for display, without losing what happened. Internal to the room.

#include <span>
#include <vector>

namespace picus::report {

/// The samples to keep, ascending, with the first and the last: all when there are at most `most`;
/// otherwise evenly spread ones, and those next to the given moments while there is room for them.
std::vector<long> kept_samples(const std::vector<double>& times, std::vector<double> moments,
                               long most);

/// Follows one number through all samples: what it is at kept ones, and between two of them its
/// extremes, in the order in which they occur.
class Envelope {
 public:
  /// `kept` must outlive it.
  explicit Envelope(const std::vector<long>& kept);

  /// The next sample.
  void add(double value);

  double offset() const { return offset_; }  ///< already subtracted from the following
  const std::vector<float>& values() const { return values_; }
  /// Two for every gap between kept samples. A gap without samples repeats its ends.
  const std::vector<float>& extremes() const { return extremes_; }

 private:
  void close_gap();
  float relative(double value) const { return static_cast<float>(value - offset_); }

  const std::vector<long>* kept_;
  long sample_ = 0;
  std::size_t next_ = 0;  ///< of the kept ones
  double offset_ = 0.0, low_ = 0.0, high_ = 0.0;
  bool is_gap_empty_ = true, high_is_last_ = true;
  std::vector<float> values_, extremes_;
};

}  // namespace picus::report
