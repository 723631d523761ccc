// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/anderson_mixing.h"

#include <Eigen/Cholesky>

#include "picus/base/contract.h"

namespace picus {
namespace {

// Of the mean diagonal: images that say the same must not spoil the others.
constexpr double kRegularization = 1e-10;
// Of the parts of images that are combined; more is extrapolation from rounding.
constexpr double kMostParts = 1e4;

}  // namespace

void AndersonMixing::start(int memory, const Vector& weights) {
  expects(memory >= 0 && memory <= kMost, "a memory of 0 to kMost images");
  memory_ = memory;
  weights_ = weights;
  df_.resize(static_cast<std::size_t>(memory));
  dy_.resize(static_cast<std::size_t>(memory));
  forget();
}

void AndersonMixing::mix(const Vector& y, Vector& x) {
  f_ = weights_.cwiseProduct(y - x);
  miss_ = f_.norm();
  if (known_++ > 0 && memory_ > 0) {
    const auto place = static_cast<std::size_t>(next_);
    df_[place] = f_ - last_f_;
    dy_[place] = y - last_y_;
    count_ = std::min(count_ + 1, memory_);
    for (int k = 0; k < count_; ++k)
      products_(next_, k) = products_(k, next_) = df_[place].dot(df_[static_cast<std::size_t>(k)]);
    next_ = (next_ + 1) % memory_;
  } else {
    next_ = 0;
  }
  last_f_ = f_;
  last_y_ = y;
  x = y;
  if (count_ == 0) return;
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMost, kMost>;
  using Few = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMost, 1>;
  Small A = products_.topLeftCorner(count_, count_);
  A.diagonal().array() += kRegularization * A.trace() / count_;
  Few b(count_);
  for (int k = 0; k < count_; ++k)
    b(k) = df_[static_cast<std::size_t>(k)].dot(f_);
  const Few part = A.ldlt().solve(b);
  if (!(part.lpNorm<1>() <= kMostParts)) return;
  for (int k = 0; k < count_; ++k)
    x -= part(k) * dy_[static_cast<std::size_t>(k)];
}

}  // namespace picus
