// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A small model language with every kind of field, for the tests of the reader.

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "picus/base/fields.h"
#include "picus/io/document.h"
#include "picus/io/reader.h"
#include "picus/model/values.h"

namespace picus {

enum class Colour { kRed, kGreen, kBlue };
template <>
struct EnumNames<Colour> {
  static constexpr std::array<std::string_view, 3> names{"red", "green", "blue"};
};

namespace toy {

struct Marker {
  Vector3 at = Vector3::Zero();
  std::vector<Named<Marker>> markers;  // a struct may hold itself

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("at", self.at, "place on the body", FieldTraits{.unit = unit::kLength});
    visit("markers", self.markers, "markers fixed to this one", FieldTraits{});
  }
};

struct Ball {
  static constexpr std::string_view kType = "ball";
  static constexpr std::string_view kSummary = "A sphere of even density.";
  double mass = 0.0;
  double radius = 0.1;
  Vector3 position = Vector3::Zero();
  std::optional<Vector3> velocity;
  Colour colour = Colour::kGreen;
  std::vector<Named<Marker>> markers;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("mass", self.mass, "mass", FieldTraits{.unit = unit::kMass, .required = true});
    visit("radius", self.radius, "radius", FieldTraits{.unit = unit::kLength});
    visit("position", self.position, "centre at the start", FieldTraits{.unit = unit::kLength});
    visit("velocity", self.velocity, "velocity at the start", FieldTraits{.unit = unit::kSpeed});
    visit("colour", self.colour, "colour in pictures", FieldTraits{});
    visit("markers", self.markers, "points by name", FieldTraits{});
  }
};

struct Beam {
  static constexpr std::string_view kType = "beam";
  static constexpr std::string_view kSummary = "A flexible rod.";
  SourcePlace place;
  double length = 1.0;
  double angle = 0.0;
  int elements = 8;
  bool clamped = false;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("length", self.length, "length", FieldTraits{.unit = unit::kLength, .required = true});
    visit("angle", self.angle, "slope against the horizontal", FieldTraits{.unit = unit::kAngle});
    visit("elements", self.elements, "number of finite elements", FieldTraits{});
    visit("clamped", self.clamped, "whether its root is fixed", FieldTraits{});
  }
};

struct Spring {
  static constexpr std::string_view kType = "spring";
  static constexpr std::string_view kSummary = "A linear spring between two bodies.";
  Name from, to;
  double stiffness = 0.0;
  double damping = 0.0;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("from", self.from, "first body", FieldTraits{.required = true});
    visit("to", self.to, "second body", FieldTraits{.required = true});
    visit("stiffness", self.stiffness, "force per stretch",
          FieldTraits{.unit = unit::kStiffness, .required = true});
    visit("damping", self.damping, "force per speed", FieldTraits{.unit = unit::kDamping});
  }
};

struct Push {
  static constexpr std::string_view kType = "push";
  static constexpr std::string_view kSummary = "A force given by a formula | of time.";
  Name body;
  Formula force{"0", {}};
  std::vector<double> weights;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("body", self.body, "where it acts", FieldTraits{.required = true});
    visit("force", self.force, "size", FieldTraits{.unit = unit::kForce});
    visit("weights", self.weights, "shares of the markers", FieldTraits{.unit = unit::kForce});
  }
};

struct Method {  // an option struct, whose fields have no traits
  double rho = 0.8;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity");
  }
};

struct Run {
  static constexpr std::string_view kSummary = "How long and how finely.";
  double end_time = 1.0;
  unsigned steps = 100;
  Method method;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("end_time", self.end_time, "when it ends",
          FieldTraits{.unit = unit::kTime, .required = true});
    visit("steps", self.steps, "number of steps", FieldTraits{});
    visit("method", self.method, "the method", FieldTraits{});
  }
};

struct Station {
  double at = 0.0;
  std::optional<Name> body;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("at", self.at, "where", FieldTraits{.unit = unit::kLength, .required = true});
    visit("body", self.body, "what is watched", FieldTraits{});
  }
};

using Body = std::variant<Ball, Beam>;
using Force = std::variant<Spring, Push>;

struct Model {
  std::string title;
  Run run;
  Vector3 gravity{0.0, 0.0, -9.81};
  std::vector<Named<Body>> bodies;
  std::vector<Named<Force>> forces;
  std::vector<Station> stations;
  std::vector<Name> watched;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("title", self.title, "what it is about", FieldTraits{});
    visit("run", self.run, "the simulation", FieldTraits{});
    visit("gravity", self.gravity, "acceleration of free fall",
          FieldTraits{.unit = unit::kAcceleration});
    visit("bodies", self.bodies, "what moves", FieldTraits{});
    visit("forces", self.forces, "what acts", FieldTraits{});
    visit("stations", self.stations, "where to look", FieldTraits{});
    visit("watched", self.watched, "names to record", FieldTraits{});
  }
};

}  // namespace toy
}  // namespace picus
