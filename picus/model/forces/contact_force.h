// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "picus/math/dual.h"
#include "picus/model/contacts/surface.h"
#include "picus/model/force_equations.h"

namespace picus {

/// A ball on a plane or two balls, with a compliant contact: Hunt and Crossley's force
/// N = max(0, k δⁿ (1 + c δ̇)) of the penetration δ, and friction that grows smoothly from rest.
struct ContactForce {
  static constexpr std::string_view kType = "contact_force";
  static constexpr std::string_view kSummary =
      "compliant contact of a ball with a plane or a ball: Hunt-Crossley force and smooth friction";

  std::vector<Name> between;
  double radius = 0.0;
  std::optional<double> other_radius;
  HuntCrossley normal;
  double friction = 0.0, slip_speed = 1e-3;
  SourcePlace place;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit(
        "between", self.between,
        "the marker whose x-y plane is touched (or the centre of the other ball), then the centre "
        "of the ball",
        FieldTraits{.required = true});
    visit("radius", self.radius, "radius of the ball, 0 for a point",
          FieldTraits{.unit = unit::kLength});
    visit("other_radius", self.other_radius, "radius of the other ball; without it: a plane",
          FieldTraits{.unit = unit::kLength});
    HuntCrossley::for_each_field(self.normal, visit);
    visit("friction", self.friction, "Coulomb coefficient; on a plane only", FieldTraits{});
    visit("slip_speed", self.slip_speed, "sliding speed at which friction is close to its limit",
          FieldTraits{.unit = unit::kSpeed});
  }

  void state(ForceEquations& e) const {
    const Vector3 up = e.frame_j().axes.col(2);
    const double reach = radius + other_radius.value_or(0.0);
    const bool on_plane = !other_radius;
    const Direction height = on_plane ? e.geometry().offset(JointEquations::kZ)
                                      : Direction(Distance{e.frame_i().point, e.frame_j().point});
    const ContactForce law = *this;
    e.add({"normal", height,
           CodedLaw{
               {{height, false}, {height, true}},
               [law, reach](std::span<const double> s, std::span<double> gradient) {
                 using D = Dual<2>;
                 const D force =
                     law.normal.force(D::variable(s[0], 0) - reach, D::variable(s[1], 1));
                 gradient[0] = force.d(0);
                 gradient[1] = force.d(1);
                 return force.value;
               },
               [law, reach](std::span<const double> s) { return law.normal.energy(s[0] - reach); },
               [reach](std::span<const double> s) { return s[0] - reach; }}});
    if (!on_plane || friction == 0.0) return;
    const auto slip = [&](int axis) {
      return BallSlip{e.frame_i().point, radius, up, e.frame_j().axes.col(axis)};
    };
    for (int axis = 0; axis < 2; ++axis) {
      if (e.is_planar() && std::abs(e.frame_j().axes(2, axis)) > 0.5) continue;
      // −μ N v / √(v² + w² + v₀²) along this tangent, w the speed along the other
      const auto other = slip(1 - axis);
      e.add({axis == 0 ? "friction x" : "friction y", slip(axis),
             CodedLaw{{{height, false}, {height, true}, {slip(axis), true}, {other, true}},
                      [law, reach](std::span<const double> s, std::span<double> gradient) {
                        using D = Dual<4>;
                        const D v = D::variable(s[2], 2), w = D::variable(s[3], 3);
                        const D speed = sqrt(v * v + w * w + law.slip_speed * law.slip_speed);
                        const D force =
                            -law.friction *
                            law.normal.force(D::variable(s[0], 0) - reach, D::variable(s[1], 1)) *
                            v / speed;
                        for (int k = 0; k < 4; ++k)
                          gradient[static_cast<std::size_t>(k)] = force.d(k);
                        return force.value;
                      }}});
    }
  }
};

}  // namespace picus
