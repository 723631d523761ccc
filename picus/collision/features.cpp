// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/collision/feature_pair.h"

namespace picus {
namespace {

using SmallTensor = SmallMatrix<double, 2, 2>;

// How much the normal of a feature turns along two tangents, by length: the inverse of the radii of
// curvature, which are those of the support. Infinite curvatures are a large number.
constexpr double kSharp = 1e150;

SmallTensor curvature(const Feature& feature, const PoseInSpace& pose, const Vector3& out,
                      const Vector3& point, const Matrix3& frame) {
  const features::Placed<double> at(feature, pose);
  SmallTensor K = SmallTensor::Zero();
  if (feature.kind == FeatureKind::kFace) return K;
  if (feature.is_line()) {
    double radius = feature.rounding;
    Vector3 along = at.axis;
    if (feature.kind == FeatureKind::kCone) {
      const double cosine = std::sqrt(1.0 - feature.slope * feature.slope);
      along = (at.axis - feature.slope * out) / cosine;
      // at the distance ℓ from the apex a cone is as round as a ball of ℓ tan α
      radius += (point - at.point).dot(-along) * feature.slope / cosine;
    }
    const Vector3 across = cross(out, along);
    const Vector2 t(frame.col(0).dot(across), frame.col(1).dot(across));
    return std::min(kSharp, 1.0 / radius) * t * t.transpose();
  }
  SmallTensor R = feature.rounding * SmallTensor::Identity();
  for (int k = 0; k < 2; ++k) {
    const Vector3 bend = feature.is_round() ? at.bend(out, frame.col(k)) : Vector3(Vector3::Zero());
    R(0, k) += frame.col(0).dot(bend);
    R(1, k) += frame.col(1).dot(bend);
  }
  // by its eigenvalues, some of which may be zero
  const double mean = 0.5 * (R(0, 0) + R(1, 1)), half = 0.5 * (R(0, 0) - R(1, 1));
  const double spread = std::hypot(half, R(0, 1)), low = std::max(0.0, mean - spread);
  const double angle = 0.5 * std::atan2(R(0, 1), half);
  const Vector2 most(std::cos(angle), std::sin(angle)), least(-most(1), most(0));
  return std::min(kSharp, 1.0 / (mean + spread)) * most * most.transpose() +
         std::min(kSharp, 1.0 / low) * least * least.transpose();
}

}  // namespace

std::array<double, 2> relative_curvatures(const FeaturePair& pair, const PoseInSpace& a,
                                          const PoseInSpace& b) {
  const FeatureTouch<double> touch = pair.touch(a, b);
  const Matrix3 frame = frame_along(touch.normal);
  const SmallTensor K = curvature(pair.a, a, -touch.normal, touch.point_a, frame) +
                        curvature(pair.b, b, touch.normal, touch.point_b, frame);
  const double mean = 0.5 * (K(0, 0) + K(1, 1));
  const double spread = std::hypot(0.5 * (K(0, 0) - K(1, 1)), K(0, 1));
  const auto bounded = [](double k) {
    return k > 1e-3 * kSharp ? std::numeric_limits<double>::infinity() : k;
  };
  // the smaller one from the determinant: sharp features leave nothing of it in a difference
  const double large = mean + spread;
  const double small = large > 0.0 ? (K(0, 0) / large * K(1, 1) - K(0, 1) / large * K(1, 0)) : 0.0;
  return {bounded(std::max(0.0, small)), bounded(large)};
}

}  // namespace picus
