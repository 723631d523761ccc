// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/predictor.h"

namespace picus {

void Predictor::start(const Vector& guess, const Vector& is_shifted) {
  for (Vector& x : difference_)
    x = guess;
  polynomial_ = difference_;
  work_ = guess;
  is_shifted_ = is_shifted;
  count_ = degree_ = 0;  // the guess is no solution
  limit_ = kMaxDegree;
}

void Predictor::predict(double h, double shift, Vector& x) {
  h_ = h;
  new_shift_ = shift;
  polynomial_[0] = difference_[0];
  work_.setOnes();  // Π (t - t_i), for each unknown
  for (int k = 1; k < count_; ++k) {
    const std::size_t i = index(k);
    const double plain = h + age_[i - 1], shifted = shift - shift_[i - 1];
    work_.array() *= plain + shifted * is_shifted_.array();
    polynomial_[i] = polynomial_[i - 1] + work_.cwiseProduct(difference_[i]);
  }
  x = polynomial_[index(std::max(0, std::min({degree_, limit_, count_ - 1})))];
}

void Predictor::insert(const Vector& x) {
  for (std::size_t i = age_.size() - 1; i > 0; --i) {
    age_[i] = age_[i - 1] + h_;
    shift_[i] = shift_[i - 1];
  }
  age_[0] = 0.0;
  shift_[0] = new_shift_;
  count_ = std::min(count_ + 1, kMaxDegree + 1);

  // D_k = (D_{k-1} - old D_{k-1}) / (t_n - t_{n-k}); the old ones are overwritten one place later
  work_ = x;
  for (int k = 0; k < count_; ++k) {
    const std::size_t i = index(k);
    difference_[i].swap(work_);  // now the new D_k is in place and work_ holds the old one
    if (k + 1 == count_) break;
    const double plain = age_[i + 1], shifted = shift_[0] - shift_[i + 1];
    work_ = (difference_[i] - work_).array() / (plain + shifted * is_shifted_.array());
  }
}

}  // namespace picus
