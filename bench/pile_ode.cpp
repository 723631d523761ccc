// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pile_engine.h"

#if __has_include(<ode/ode.h>)

#include <deque>

#include <fmt/format.h>
#include <ode/ode.h>

namespace picus::bench {
namespace {

Vector3 ours(const dReal* x) {
  return Vector3(x[0], x[1], x[2]);
}

// The quick step, which iterates. Friction is a pyramid whose height follows the normal force.
// Disks are spheres with the inertia of a disk, held in the plane by joints of their own.
class OdePile final : public PileEngine {
 public:
  OdePile(const problems::Pile& pile, double h, int iterations)
      : PileEngine(h), iterations_(iterations), friction_(pile.friction) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    const Vector3 g = -pile.gravity * pile.up();
    dWorldSetGravity(world_, static_cast<dReal>(g(0)), static_cast<dReal>(g(1)),
                     static_cast<dReal>(g(2)));
    dWorldSetQuickStepNumIterations(world_, iterations);
    for (const problems::Pile::Ball& ball : pile.start()) {
      dBodyID body = dBodyCreate(world_);
      dMass mass;
      const auto inertia = static_cast<dReal>(ball.inertia);
      dMassSetParameters(&mass, static_cast<dReal>(ball.mass), 0, 0, 0, inertia, inertia, inertia,
                         0, 0, 0);
      dBodySetMass(body, &mass);
      dBodySetPosition(body, static_cast<dReal>(ball.centre(0)), static_cast<dReal>(ball.centre(1)),
                       static_cast<dReal>(ball.centre(2)));
      dGeomID shape = dCreateSphere(space_, static_cast<dReal>(ball.radius));
      dGeomSetBody(shape, body);
      if (!pile.in_space) dJointAttach(dJointCreatePlane2D(world_, nullptr), body, nullptr);
      dGeomSetData(shape, reinterpret_cast<void*>(static_cast<std::intptr_t>(bodies_.size())));
      bodies_.push_back(body);
    }
    for (const auto& [point, normal] : pile.walls()) {
      dGeomID wall =
          dCreatePlane(space_, static_cast<dReal>(normal(0)), static_cast<dReal>(normal(1)),
                       static_cast<dReal>(normal(2)), static_cast<dReal>(normal.dot(point)));
      dGeomSetData(wall, reinterpret_cast<void*>(static_cast<std::intptr_t>(-1 - walls_++)));
    }
  }
  ~OdePile() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdePile(const OdePile&) = delete;
  OdePile& operator=(const OdePile&) = delete;

  std::string name() const override { return "ODE"; }
  std::string setting() const override { return fmt::format("{} iterations", iterations_); }
  double attempt() override {
    dJointGroupEmpty(joints_);
    met_.clear();
    dSpaceCollide(space_, this, &OdePile::meet);
    dWorldQuickStep(world_, static_cast<dReal>(step_));
    return step_;
  }
  Vector3 centre(int i) const override { return ours(dBodyGetPosition(body(i))); }
  Vector3 velocity(int i) const override { return ours(dBodyGetLinearVel(body(i))); }
  Vector3 turn(int i) const override { return ours(dBodyGetAngularVel(body(i))); }
  void contacts(std::vector<PileContact>& result) const override {
    for (const Met& met : met_)
      result.push_back({met.ball, met.other, step_ * ours(met.forces.f1)});
  }

 private:
  struct Met {
    int ball, other;
    dJointFeedback forces;
  };

  static void meet(void* data, dGeomID a, dGeomID b) { static_cast<OdePile*>(data)->add(a, b); }
  void add(dGeomID a, dGeomID b) {
    const auto number = [](dGeomID shape) {
      return static_cast<int>(reinterpret_cast<std::intptr_t>(dGeomGetData(shape)));
    };
    if (number(a) < 0) std::swap(a, b);  // forces are those on the first
    if (number(a) < 0) return;
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof(dContact)) == 0) return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = static_cast<dReal>(friction_);
    dJointID joint = dJointCreateContact(world_, joints_, &contact);
    met_.push_back({number(a), number(b), {}});
    dJointSetFeedback(joint, &met_.back().forces);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }
  dBodyID body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }

  int iterations_;
  double friction_;
  int walls_ = 0;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::deque<Met> met_;  ///< its elements stay where they are
};

}  // namespace

std::unique_ptr<PileEngine> make_ode_pile(const problems::Pile& pile, double h, int iterations) {
  return std::make_unique<OdePile>(pile, h, iterations);
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::unique_ptr<PileEngine> make_ode_pile(const problems::Pile&, double, int) {
  return nullptr;
}

}  // namespace picus::bench

#endif
