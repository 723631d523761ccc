// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "picus/model/bodies/shapes.h"
#include "picus/model/values.h"

namespace picus {

/// A disc or ball that may meet others of its group.
struct CollidingBall {
  Name at;
  double radius = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("at", self.at, "body or marker at its centre", FieldTraits{.required = true});
    visit("radius", self.radius, "its radius; default: that of the body's sphere or cylinder",
          FieldTraits{.unit = unit::kLength});
  }
};

/// A wall: a plane, or a line in 2D.
struct CollidingPlane {
  Name body;
  std::optional<Vector3> normal;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("body", self.body, "body or marker it goes through",
          FieldTraits{.required = true, .former = "on"});
    visit("normal", self.normal,
          "normal of the plane, towards the balls, in space at the start; default: z of the frame, "
          "y in 2D",
          FieldTraits{});
  }
};

/// A beam that may meet others of its group, as a round line.
struct CollidingBeam {
  Name beam;
  double radius = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("beam", self.beam, "a beam", FieldTraits{.required = true});
    visit("radius", self.radius, "its radius; default: that of its circle or tube",
          FieldTraits{.unit = unit::kLength});
  }
};

/// A body whose shape may meet others of its group.
struct CollidingShape {
  Name body;
  std::optional<Shape> shape;
  double rounding = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("body", self.body, "a body or marker", FieldTraits{.required = true});
    visit("shape", self.shape, "what collides; default: the shape of the body", FieldTraits{});
    visit("rounding", self.rounding,
          "the shape is grown by this on all sides, which rounds its edges",
          FieldTraits{.unit = unit::kLength});
  }
};

/// Balls, beams and shapes that may meet in any pair: piles, granular matter.
struct Collisions {
  static constexpr std::string_view kSummary =
      "discs, balls, beams and shapes any pair of which may collide, and walls; contacts are found "
      "as they move";

  std::vector<CollidingBall> balls;
  std::vector<CollidingBeam> beams;
  std::vector<CollidingShape> shapes;
  std::vector<CollidingPlane> planes;
  double restitution = 0.0, friction = 0.0, tangential_restitution = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("balls", self.balls, "the discs or balls", FieldTraits{});
    visit("beams", self.beams, "beams that they, walls and other beams may hit, as round lines",
          FieldTraits{});
    visit("shapes", self.shapes,
          "bodies that collide as boxes, cylinders, capsules, balls or the convex hull of a mesh",
          FieldTraits{});
    visit("planes", self.planes, "walls that balls, beams and shapes may hit", FieldTraits{});
    visit("restitution", self.restitution,
          "e in [0, 1]: ratio of the velocities after and before an impact", FieldTraits{});
    visit("friction", self.friction, "Coulomb's coefficient of friction", FieldTraits{});
    visit("tangential_restitution", self.tangential_restitution,
          "restitution of the sliding velocity of sticking contacts, in [0, 1]", FieldTraits{});
  }
};

}  // namespace picus
