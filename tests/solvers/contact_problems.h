// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <string>
#include <vector>

#include "picus/solvers/contact_problem.h"

namespace picus::testing {

/// Contacts between rigid bodies at one instant, enough mechanics to make honest problems.
class ContactScene {
 public:
  static constexpr int kGround = -1;

  explicit ContactScene(bool planar = false) : planar_(planar) {}
  /// A body with equal moments of inertia and a velocity; returns its index.
  int add_body(double mass, double inertia, const Vector3& position, const Vector3& velocity,
               const Vector3& spin = Vector3::Zero());
  /// `normal` points from `second` to `first`; positive normal velocity separates them.
  void add_contact(int first, int second, const Vector3& point, const Vector3& normal, double mu,
                   double restitution = 0.0);
  void add_friction(int first, int second, const Vector3& point, const Vector3& normal,
                    double limit);
  ContactProblem problem() const;

 private:
  using Rows = SmallMatrix<double, 3, 6>;
  struct Body {
    double mass, inertia;
    Vector3 position, velocity, spin;
  };
  struct Contact {
    int bodies[2];
    Rows J[2];
    ImpulseLaw law;
    double restitution;
  };
  void add(int first, int second, const Vector3& point, const Vector3& normal, Contact contact);

  bool planar_;
  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

/// From W as a dense matrix.
ContactProblem make_problem(const Matrix& W, const Vector& b, std::vector<ImpulseLaw> laws);

struct ContactCase {
  std::string name;
  ContactProblem problem;
  bool planar = false;  ///< polyhedral friction is exact
};

/// Stacks, chains, wedges, tables, heaps: what simulations ask for. All have a solution.
std::vector<ContactCase> mechanical_cases();

/// Disks or spheres on gaps, a triangle of `rows` rows: rows² contacts, far from determinate.
ContactCase pyramid(int rows, bool planar, double mu);

/// A random scene of bodies with random contacts, friction at one of them at least; masses 10^±6
/// from case to case and 10^±1 inside.
ContactCase random_scene(unsigned seed);
/// W = J M⁻¹ Jᵀ and b = J v with random sparse J, whose normals and tangents are coupled more than
/// those of bodies ever are.
ContactCase random_problem(unsigned seed);

}  // namespace picus::testing
