// SPDX-License-Identifier: BSD-3-Clause
// Lobatto IIIA: collocation at the nodes of Lobatto's quadrature, of order 2s - 2 with s stages, of
// which the first is known. Symmetric, so that nothing is damped [HairerWanner1996, IV.5].
#include <cmath>

#include "picus/steppers/common/implicit_runge_kutta.h"

namespace picus {

std::unique_ptr<Stepper> make_lobatto_iiia(const LobattoOptions& options) {
  const Collocation methods[] = {
      {2, {0.0, 1.0}},
      {4, {0.0, 0.5, 1.0}},
      {6, {0.0, (5.0 - std::sqrt(5.0)) / 10.0, (5.0 + std::sqrt(5.0)) / 10.0, 1.0}},
  };
  return std::make_unique<ImplicitRungeKutta>(
      "lobatto_iiia", choose_collocation(methods, options.order), options.common, options.newton);
}

}  // namespace picus
