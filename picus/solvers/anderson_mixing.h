// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "picus/math/types.h"

namespace picus {

/// Accelerates the fixed-point iteration x ← y(x) by combining earlier images so that what is left
/// of y − x becomes smallest [Anderson1965], [WalkerNi2011].
class AndersonMixing {
 public:
  static constexpr int kMost = 8;

  /// `memory` ≤ kMost images are combined; `weights` scale the entries of y − x.
  void start(int memory, const Vector& weights);
  /// Forgets all images, as when the map has changed.
  void forget() { count_ = known_ = 0; }
  /// x becomes the point to go on from, given its image y.
  void mix(const Vector& y, Vector& x);
  /// Size of the last y − x, weighted.
  double miss() const { return miss_; }

 private:
  int memory_ = 0;
  int count_ = 0;  ///< differences stored
  int known_ = 0;  ///< images seen
  int next_ = 0;   ///< place of the next difference
  double miss_ = 0.0;
  Vector weights_, f_, last_f_, last_y_;
  std::vector<Vector> df_, dy_;                 ///< differences of y − x (weighted) and of y
  SmallMatrix<double, kMost, kMost> products_;  ///< of the df_
};

}  // namespace picus
