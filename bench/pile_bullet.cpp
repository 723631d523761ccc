// SPDX-License-Identifier: BSD-3-Clause
#include "bench/pile_engine.h"

#if __has_include(<btBulletDynamicsCommon.h>)

#include <cmath>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

namespace picus::bench {
namespace {

btVector3 theirs(const Vector3& x) {
  return {static_cast<btScalar>(x(0)), static_cast<btScalar>(x(1)), static_cast<btScalar>(x(2))};
}
Vector3 ours(const btVector3& x) {
  return Vector3(x.x(), x.y(), x.z());
}

// Debian builds it with single precision. Sleeping and damping are off, so that rest means rest.
// Disks are spheres with the inertia of a disk that do not leave the plane.
class BulletPile final : public PileEngine {
 public:
  BulletPile(const problems::Pile& pile, double h, int iterations)
      : PileEngine(h),
        iterations_(iterations),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(theirs(-pile.gravity * pile.up()));
    world_.getSolverInfo().m_numIterations = iterations;
    const double friction = std::sqrt(pile.friction);  // it multiplies those of the two
    const auto add = [&](btCollisionShape* shape, double mass, const Vector3& at, double inertia) {
      btTransform place;
      place.setIdentity();
      place.setOrigin(theirs(at));
      motions_.push_back(std::make_unique<btDefaultMotionState>(place));
      btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass),
                                                    motions_.back().get(), shape,
                                                    theirs(Vector3::Constant(inertia)));
      info.m_friction = static_cast<btScalar>(friction);
      info.m_restitution = 0.0f;
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
      bodies_.back()->setUserIndex(static_cast<int>(bodies_.size()) - 1);
      world_.addRigidBody(bodies_.back().get());
    };
    for (const problems::Pile::Ball& ball : pile.start()) {
      shapes_.push_back(std::make_unique<btSphereShape>(static_cast<btScalar>(ball.radius)));
      add(shapes_.back().get(), ball.mass, ball.centre, ball.inertia);
      if (pile.in_space) continue;
      bodies_.back()->setLinearFactor({1, 1, 0});
      bodies_.back()->setAngularFactor({0, 0, 1});
    }
    balls_ = static_cast<int>(bodies_.size());
    for (const auto& [point, normal] : pile.walls()) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(
          theirs(normal), static_cast<btScalar>(normal.dot(point))));
      add(shapes_.back().get(), 0.0, Vector3::Zero(), 0.0);
    }
  }
  ~BulletPile() override {
    for (const auto& body : bodies_)
      world_.removeRigidBody(body.get());
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  std::string name() const override { return "Bullet"; }
  std::string setting() const override { return fmt::format("{} iterations", iterations_); }
  double attempt() override {
    world_.stepSimulation(static_cast<btScalar>(step_), 0);
    return step_;
  }
  Vector3 centre(int i) const override { return ours(body(i).getWorldTransform().getOrigin()); }
  Vector3 velocity(int i) const override { return ours(body(i).getLinearVelocity()); }
  Vector3 turn(int i) const override { return ours(body(i).getAngularVelocity()); }

  void contacts(std::vector<PileContact>& result) const override {
    for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
      // const in the interface is missing where it should be
      const btPersistentManifold* manifold =
          const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(m);
      const int a = manifold->getBody0()->getUserIndex(), b = manifold->getBody1()->getUserIndex();
      for (int k = 0; k < manifold->getNumContacts(); ++k) {
        const btManifoldPoint& point = manifold->getContactPoint(k);
        Vector3 impulse =
            ours(point.m_normalWorldOnB) * static_cast<double>(point.m_appliedImpulse) +
            ours(point.m_lateralFrictionDir1) *
                static_cast<double>(point.m_appliedImpulseLateral1) +
            ours(point.m_lateralFrictionDir2) * static_cast<double>(point.m_appliedImpulseLateral2);
        if (a < balls_) {
          result.push_back({a, b < balls_ ? b : -1 - (b - balls_), impulse});
        } else {
          result.push_back({b, -1 - (a - balls_), -impulse});
        }
      }
    }
  }

 private:
  const btRigidBody& body(int i) const { return *bodies_[static_cast<std::size_t>(i)]; }

  int iterations_, balls_ = 0;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btDefaultMotionState>> motions_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<PileEngine> make_bullet_pile(const problems::Pile& pile, double h, int iterations) {
  return std::make_unique<BulletPile>(pile, h, iterations);
}

}  // namespace picus::bench

#else

namespace picus::bench {

std::unique_ptr<PileEngine> make_bullet_pile(const problems::Pile&, double, int) {
  return nullptr;
}

}  // namespace picus::bench

#endif
