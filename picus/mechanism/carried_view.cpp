// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/carried_view.h"

#include <algorithm>

#include "picus/mechanism/line_view.h"
#include "picus/mechanism/term.h"

namespace picus {
namespace {

Eigen::Map<Vector> nothing() {
  return {nullptr, 0};
}

}  // namespace

template <class Geometry>
CarriedView<Geometry>::CarriedView(const Bodies& bodies, const Geometry& geometry, const State& s,
                                   const Chart* chart, Scratch& scratch)
    : bodies_(bodies),
      geometry_(geometry),
      state_(s),
      chart_(chart),
      frames_(geometry.frames()),
      map_(nullptr, 6, 0),
      room_(nullptr, 6, 0),
      velocity_(nothing()),
      row_(nothing()),
      numbers_(nothing()),
      value_tangent_(nothing()),
      rate_tangent_(nothing()),
      tangent_(nothing()),
      along_v_(nothing()),
      local_(nullptr, 0, 0),
      charted_(nullptr, 0, 0) {
  int widest = 0;
  for (int f = 0; f < kFrames; ++f) {
    poses_[at(f)] = bodies.pose(frames_[at(f)], s.position);
    first_[at(f)] = size_;
    const int n = carried(f) != nullptr ? carried(f)->size() : 6;
    size_ += n;
    widest = std::max(widest, n);
  }
  first_[kFrames] = size_;
  places_ = scratch.take<int>(size_);
  new (&map_) Eigen::Map<TwistMap>(scratch.take<double>(6 * size_), 6, size_);
  new (&room_) Eigen::Map<TwistMap>(scratch.take<double>(6 * widest), 6, widest);
  for (Numbers* x :
       {&velocity_, &row_, &numbers_, &value_tangent_, &rate_tangent_, &tangent_, &along_v_})
    new (x) Numbers(scratch.vector(size_));
  new (&local_) Eigen::Map<Matrix>(scratch.matrix(size_, size_));
  new (&charted_) Eigen::Map<Matrix>(scratch.matrix(size_, size_));

  twist_row_ = geometry_.row(poses_);
  for (int f = 0; f < kFrames; ++f) {
    auto B = map_.middleCols(first_[at(f)], columns(f));
    int* places = places_ + first_[at(f)];
    if (const CarriedFrame* frame = carried(f)) {
      std::copy(frame->places().begin(), frame->places().end(), places);
      frame->map(s.position, B);
    } else {
      const auto& own = bodies[frames_[at(f)]].velocity;
      std::copy(own.begin(), own.end(), places);
      B.setIdentity();
    }
    row_.segment(first_[at(f)], columns(f)) =
        B.transpose().lazyProduct(twist_row_.template segment<6>(6 * f));
  }
  gather(s.velocity, velocity_);
}

template <class Geometry>
void CarriedView<Geometry>::gather(const Vector& v, Numbers x) const {
  for (int k = 0; k < size_; ++k)
    x(k) = places_[k] >= 0 ? v(places_[k]) : 0.0;
}

template <class Geometry>
TwistMapRef CarriedView<Geometry>::room(int f) const {
  return Eigen::Map<TwistMap>(const_cast<double*>(room_.data()), 6, columns(f));
}

template <class Geometry>
void CarriedView<Geometry>::find_hessian() const {
  if (has_hessian_) return;
  geometry_.hessian(poses_, hessian_);
  for (int f = 0; f < kFrames; ++f) {
    for (int g = 0; g < kFrames; ++g) {
      TwistMapRef along = room(g);
      along = hessian_.template block<6, 6>(6 * f, 6 * g).lazyProduct(map_of(g));
      local_.block(first_[at(f)], first_[at(g)], columns(f), columns(g)) =
          map_of(f).transpose().lazyProduct(along);
    }
    if (carried(f) == nullptr || carried(f)->has_constant_map()) continue;
    auto curvature = charted_.block(0, 0, columns(f), columns(f));  // room for a moment
    carried(f)->curvature(state_.position, twist_row_.template segment<6>(6 * f), curvature);
    local_.block(first_[at(f)], first_[at(f)], columns(f), columns(f)) += curvature;
  }
  charted_ = local_;
  apply_chart(charted_);
  has_hessian_ = true;
}

template <class Geometry>
template <class Rows>
void CarriedView<Geometry>::apply_chart(Rows&& columns) const {
  if (chart_ == nullptr) return;
  for (int k = 0; k + 2 < size_; ++k) {
    if (places_[k] < 0 || !bodies_.begins_turn(places_[k])) continue;
    const Vector3 phi = chart_->increment.template segment<3>(places_[k]);
    if (phi.isZero(0.0)) continue;
    const Matrix3 T = increment_jacobian(phi);
    for (int r = 0; r < columns.rows(); ++r) {
      const Vector3 before = columns.row(r).template segment<3>(k).transpose();
      columns.row(r).template segment<3>(k) = (T.transpose() * before).transpose();
    }
  }
}

template <class Geometry>
double CarriedView<Geometry>::acceleration() const {
  find_hessian();
  gather(state_.acceleration, numbers_);
  double sum = row_.dot(numbers_);
  numbers_.noalias() = local_.lazyProduct(velocity_);
  return sum + velocity_.dot(numbers_);
}

template <class Geometry>
const typename CarriedView<Geometry>::Numbers& CarriedView<Geometry>::value_tangent() const {
  value_tangent_ = row_;
  apply_chart(Eigen::Map<Eigen::RowVectorXd>(value_tangent_.data(), size_));
  return value_tangent_;
}

template <class Geometry>
const Eigen::Map<Matrix>& CarriedView<Geometry>::row_tangent() const {
  find_hessian();
  return charted_;
}

template <class Geometry>
const typename CarriedView<Geometry>::Numbers& CarriedView<Geometry>::rate_tangent() const {
  find_hessian();
  rate_tangent_.noalias() = charted_.transpose().lazyProduct(velocity_);
  return rate_tangent_;
}

template <class Geometry>
const typename CarriedView<Geometry>::Numbers& CarriedView<Geometry>::acceleration_along_velocity()
    const {
  find_hessian();
  along_v_.noalias() = local_.lazyProduct(velocity_);
  along_v_.noalias() += local_.transpose().lazyProduct(velocity_);
  return along_v_;
}

template <class Geometry>
const typename CarriedView<Geometry>::Numbers& CarriedView<Geometry>::acceleration_tangent() const {
  find_hessian();
  Twists V, C = Twists::Zero();
  for (int f = 0; f < kFrames; ++f) {
    const auto u = velocity_.segment(first_[at(f)], columns(f));
    V.template segment<6>(6 * f) = map_of(f).lazyProduct(u);
    if (carried(f) == nullptr || carried(f)->has_constant_map()) continue;
    TwistMapRef along = room(f);
    carried(f)->map_tangent(state_.position, velocity_of(f), along);
    C.template segment<6>(6 * f) = along.lazyProduct(u);
  }
  const Twists HV = (hessian_ + hessian_.transpose()) * V;
  const Twists along_poses = geometry_.along_acceleration(poses_, V) + hessian_.transpose() * C;
  for (int f = 0; f < kFrames; ++f) {
    auto tangent = tangent_.segment(first_[at(f)], columns(f));
    tangent = map_of(f).transpose().lazyProduct(along_poses.template segment<6>(6 * f));
    if (carried(f) == nullptr || carried(f)->has_constant_map()) continue;
    TwistMapRef along = room(f);
    carried(f)->map_tangent(state_.position, velocity_of(f), along);
    tangent += along.transpose().lazyProduct(HV.template segment<6>(6 * f));
    carried(f)->convective_tangent(state_.position, velocity_of(f), along);
    tangent += along.transpose().lazyProduct(twist_row_.template segment<6>(6 * f));
  }
  gather(state_.acceleration, numbers_);
  tangent_.noalias() += local_.transpose().lazyProduct(numbers_);
  apply_chart(Eigen::Map<Eigen::RowVectorXd>(tangent_.data(), size_));
  return tangent_;
}

template class CarriedView<TermGeometry>;
template class CarriedView<LineGeometry>;

}  // namespace picus
