// SPDX-License-Identifier: BSD-3-Clause
// Radau IIA: collocation at the nodes of Radau's quadrature, of order 2s - 1 with s stages; stiff
// motions are damped as in one long step [HairerWanner1996, IV.5].
#include <cmath>

#include "picus/steppers/common/implicit_runge_kutta.h"

namespace picus {

std::unique_ptr<Stepper> make_radau_iia(const RadauOptions& options) {
  const Collocation methods[] = {
      {3, {1.0 / 3.0, 1.0}},
      {5, {(4.0 - std::sqrt(6.0)) / 10.0, (4.0 + std::sqrt(6.0)) / 10.0, 1.0}},
  };
  return std::make_unique<ImplicitRungeKutta>(
      "radau_iia", choose_collocation(methods, options.order), options.common, options.newton);
}

}  // namespace picus
