// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/contact_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/solvers/contact_cone.h"

namespace picus {

double contact_inertia(const ContactProblem& problem, int contact) {
  const Matrix3& W = problem.W.diagonal(contact);
  double sum = 0.0;
  int count = 0;
  for (int k = problem.law(contact).kind == ContactKind::kFriction ? 1 : 0; k < 3; ++k) {
    if (!(W(k, k) > 0.0)) continue;  // the dead row of a planar contact
    sum += W(k, k);
    ++count;
  }
  return count > 0 ? count / sum : 1.0;
}

double contact_violation(const ContactProblem& problem, int contact, const Vector3& p,
                         const Vector3& u) {
  const ImpulseLaw& law = problem.law(contact);
  const double rho = contact_inertia(problem, contact);
  Vector3 miss = p;
  if (law.kind == ContactKind::kFriction) {
    miss.tail<2>() -= project_on_disc(p.tail<2>() - rho * u.tail<2>(), law.coefficient);
  } else {
    Vector3 x = p - rho * u;
    x(0) -= rho * law.coefficient * u.tail<2>().norm();
    miss -= project_on_cone(x, law.coefficient);
  }
  // impulses so large that the velocities drown in their rounding solve nothing
  const double rounding = std::numeric_limits<double>::epsilon() * p.norm();
  return std::max(miss.norm(), rounding) / rho;
}

double contact_residual(const ContactProblem& problem, const Vector& p) {
  double worst = 0.0;
  for (int i = 0; i < problem.contacts(); ++i) {
    const double miss = contact_violation(problem, i, p.segment<3>(3 * i), problem.velocity(i, p));
    if (!(miss <= worst)) worst = miss;  // keeps NaN
    if (std::isnan(worst)) return worst;
  }
  return worst / std::max(problem.residual_speed(), std::numeric_limits<double>::min());
}

ContactMode contact_mode(const ContactProblem& problem, int contact, const Vector& p) {
  const ImpulseLaw& law = problem.law(contact);
  const double rho = contact_inertia(problem, contact);
  const Vector3 x = p.segment<3>(3 * contact) - rho * problem.velocity(contact, p);
  double radius = law.coefficient;
  if (law.kind == ContactKind::kContact) {
    if (x(0) <= 0.0) return ContactMode::kOpen;
    if (law.coefficient == 0.0) return ContactMode::kClosed;
    radius *= x(0);
  }
  return x.tail<2>().norm() <= radius ? ContactMode::kStick : ContactMode::kSlip;
}

}  // namespace picus
