// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mechanism/carried_pair.h"

#include "tests/mechanism/two_bodies.h"

namespace picus::testing {
namespace {

constexpr double kModalMass = 0.7, kModalStiffness = 5.0;

// Modes with diagonal mass and stiffness.
class Modes final : public FlexiblePart {
 public:
  Modes(std::string name, std::array<Coordinate, 2> modes)
      : FlexiblePart(std::move(name), {}), modes_(modes) {}

  double extent() const override { return 1.0; }
  double kinetic_energy(const State& s) const override {
    double energy = 0.0;
    for (const Coordinate& mode : modes_)
      energy += 0.5 * kModalMass * s.velocity(mode.velocity) * s.velocity(mode.velocity);
    return energy;
  }
  double elastic_energy(const State& s) const override {
    double energy = 0.0;
    for (const Coordinate& mode : modes_)
      energy += 0.5 * kModalStiffness * s.position(mode.position) * s.position(mode.position);
    return energy;
  }
  double mass_of_node(std::size_t) const override { return 0.0; }
  std::vector<PartQuantity> quantities() const override { return {}; }
  PartLine line() const override { return {}; }

  void mass(const State&, SparseMatrix& M) const override {
    for (const Coordinate& mode : modes_)
      M.add(mode.velocity, mode.velocity, kModalMass);
  }
  void force(const State& s, Vector& F) const override {
    for (const Coordinate& mode : modes_)
      F(mode.velocity) -= kModalStiffness * s.position(mode.position);
  }
  void momentum_tangent(const State&, const Chart&, Forces forces, SparseMatrix& K,
                        SparseMatrix&) const override {
    if (forces == Forces::kReactionsOnly) return;
    for (const Coordinate& mode : modes_)
      K.add(mode.velocity, mode.velocity, kModalStiffness);
  }

 private:
  std::array<Coordinate, 2> modes_;
};

}  // namespace

std::vector<FrameInCode> carried_pair(MechanismBuilder& builder, bool both) {
  const Model model = two_spatial_bodies();
  std::vector<FrameInCode> frames;
  for (const Named<BodyPart>& part : model.bodies) {
    if (part.name == "b" && !both) break;
    Pose<double> pose;
    pose.r = part.value.at;
    pose.A = rotation_matrix(quaternion_of(
        Vector3(part.value.rotations[0].angle * part.value.rotations[0].axis.normalized())));
    Vector6 twist;
    twist << part.value.velocity, part.value.angular_velocity;
    Body body{.name = part.name + "_base", .kind = BodyKind::kSpatial, .mass = 1.3};
    body.inertia << 0.4, 0.02, -0.03, 0.02, 0.5, 0.01, -0.03, 0.01, 0.6;
    const int base = builder.add_body(body, pose, twist);
    const std::array modes{builder.add_coordinate(part.name + ".mode1", 0.1, 0.2),
                           builder.add_coordinate(part.name + ".mode2", -0.2, 0.1)};
    const Interface interface {
      {0.2, -0.1, 0.15}, {Vector3(0.3, 0.1, -0.2), Vector3(-0.1, 0.4, 0.2)}, {
        Vector3(0.5, -0.7, 0.3), Vector3(0.2, 0.6, 0.8)
      }
    };
    builder.add_flexible(std::make_unique<Modes>(part.name + "_modes", modes));
    const int frame = builder.add_frame(part.name, std::make_shared<DualFrame<Interface>>(
                                                       builder.bodies(), base, modes, interface));
    frames.push_back({part.name, frame, {Vector3::Zero(), Matrix3::Identity()}, true});
    const Marker& tip = part.value.markers[0].value;
    frames.push_back({part.name + ".tip", frame, {tip.at, frame_along(*tip.axis)}, false});
  }
  return frames;
}

}  // namespace picus::testing
