// SPDX-License-Identifier: BSD-3-Clause
// Groups of balls, beams, shapes and planes that may meet in any pair.
#include <algorithm>

#include <fmt/format.h>

#include "picus/base/error.h"
#include "picus/base/text.h"
#include "picus/mechanism/assembler.h"

namespace picus {
namespace {

// The radius of a round body, 0 for others.
double radius_of(const BodyPart& body) {
  if (!body.shape) return 0.0;
  if (const auto* sphere = std::get_if<Sphere>(&*body.shape)) return sphere->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&*body.shape)) return cylinder->radius;
  return 0.0;
}

// The radius of a round section, 0 for others.
double radius_of(const Section& section) {
  if (const auto* circle = std::get_if<CircleSection>(&section)) return circle->radius;
  if (const auto* tube = std::get_if<TubeSection>(&section)) return tube->radius;
  return 0.0;
}

}  // namespace

void Assembler::add_collisions() {
  for (const Named<Collisions>& part : model_.collisions)
    if (is_new_name(part.name, part.place) && is_sound(part)) add_collisions(part);
}

bool Assembler::is_sound(const Named<Collisions>& part) {
  const auto fault = [&](std::string_view field, double found, std::string_view expected) {
    complain(part.place, fmt::format("collisions '{}': {}: found {:g}, expected {}", part.name,
                                     field, found, expected));
    return false;
  };
  const auto is_fraction = [](double e) { return e >= 0.0 && e <= 1.0; };
  const Collisions& value = part.value;
  if (!is_fraction(value.restitution))
    return fault("restitution", value.restitution, "a number in [0, 1]");
  if (!is_fraction(value.tangential_restitution))
    return fault("tangential_restitution", value.tangential_restitution, "a number in [0, 1]");
  if (!(value.friction >= 0.0)) return fault("friction", value.friction, "at least 0");
  const std::size_t moving = value.balls.size() + value.beams.size() + value.shapes.size();
  if (moving == 0 || moving + value.planes.size() < 2) {
    complain(part.place,
             fmt::format("collisions '{}': found {}, {}, {} and {}, expected at least two parts "
                         "that can collide",
                         part.name, counted(static_cast<long>(value.balls.size()), "ball"),
                         counted(static_cast<long>(value.beams.size()), "beam"),
                         counted(static_cast<long>(value.shapes.size()), "shape"),
                         counted(static_cast<long>(value.planes.size()), "plane")));
    return false;
  }
  return true;
}

std::optional<CollisionBall> Assembler::ball_of(const CollidingBall& ball,
                                                const BodyParts& bodies) {
  const auto frame = find_frame(ball.at);
  if (!frame) return std::nullopt;
  double radius = ball.radius;
  if (radius == 0.0) {
    const auto body = bodies.find(builder_.bodies()[frame->body].name);
    if (body != bodies.end()) radius = radius_of(*body->second);
  }
  if (!(radius > 0.0)) {
    complain(ball.at.place, fmt::format("the ball at '{}' has no radius: give one, or make the "
                                        "body's shape a sphere or cylinder",
                                        ball.at.text));
    return std::nullopt;
  }
  return CollisionBall{frame->body, frame->frame.point, radius};
}

std::optional<CollisionPlane> Assembler::plane_of(const CollidingPlane& plane, bool is_planar) {
  const auto frame = find_frame(plane.body);
  if (!frame) return std::nullopt;
  const Pose<double> pose = builder_.bodies().pose(frame->body, builder_.state().position);
  const Vector3 normal = plane.normal
                             ? Vector3(pose.A.transpose() * here().direction(*plane.normal))
                             : Vector3(frame->frame.axes.col(is_planar ? 1 : 2));
  if (normal.norm() == 0.0 || (is_planar && normal.head<2>().norm() < normal.norm() * 0.999)) {
    complain(plane.body.place,
             fmt::format("normal of the plane on '{}': found an axis {}", plane.body.text,
                         normal.norm() == 0.0 ? "of length zero" : "that leaves the xy plane"));
    return std::nullopt;
  }
  return CollisionPlane{frame->body, frame->frame.point, normal.normalized(), {}};
}

// The line of a beam. Its nodes become balls of the group.
void Assembler::add_line(const CollidingBeam& part, CollisionGroup& group) {
  const std::string& name = part.beam.text;
  const auto is_it = [&](const Named<Beam>& beam) { return beam.name == name; };
  const auto beam = std::find_if(model_.beams.begin(), model_.beams.end(), is_it);
  if (beam == model_.beams.end()) {
    std::vector<std::string_view> known;
    known.reserve(model_.beams.size());
    for (const Named<Beam>& one : model_.beams)
      known.push_back(one.name);
    return complain(part.beam.place, unknown_name("beam", name, known));
  }
  const FlexiblePart* made = builder_.find_flexible(name);
  if (made == nullptr) return;  // which has been reported
  CollisionLine line{.name = name, .nodes = made->nodes(), .radius = part.radius};
  if (line.radius == 0.0) line.radius = radius_of(beam->value.section);
  if (!(line.radius > 0.0))
    return complain(part.beam.place,
                    fmt::format("the beam '{}' has no radius here: give a positive one; only "
                                "sections that are circles or tubes have one of their own",
                                name));
  line.lengths = lengths_between(line.nodes);
  for (const int node : line.nodes)
    group.balls.push_back(
        {node, Vector3::Zero(), line.radius, static_cast<int>(group.lines.size())});
  group.lines.push_back(std::move(line));
}

void Assembler::add_collisions(const Named<Collisions>& part) {
  const Within within(*this, part.placement);
  const Collisions& value = part.value;
  CollisionGroup group{.name = part.name,
                       .law = {.restitution = value.restitution,
                               .tangential_restitution = value.tangential_restitution,
                               .friction = value.friction}};
  BodyParts bodies;
  for (const Named<BodyPart>& body : model_.bodies)
    bodies.emplace(body.name, &body.value);
  bool is_planar = true;
  for (const CollidingBall& ball : value.balls) {
    const auto placed = ball_of(ball, bodies);
    if (!placed) continue;
    is_planar = is_planar && builder_.bodies().is_planar(placed->body);
    group.balls.push_back(*placed);
  }
  for (const CollidingBeam& beam : value.beams)
    add_line(beam, group);
  for (const CollidingShape& shape : value.shapes) {
    auto found = shape_of(shape, bodies);
    if (!found) continue;
    is_planar = is_planar && builder_.bodies().is_planar(found->body);
    group.shapes.push_back(std::move(*found));
  }
  is_planar = is_planar && (value.beams.empty() || model_.dimension == 2);
  for (const CollidingPlane& plane : value.planes) {
    auto placed = plane_of(plane, is_planar);
    if (!placed) continue;
    placed->law = group.law;
    group.planes.push_back(*placed);
  }
  if (!failed_) builder_.add_collisions(std::move(group));
}

}  // namespace picus
