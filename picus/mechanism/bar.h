// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/elements/bar_element.h"
#include "picus/mechanism/element_batch.h"

namespace picus {

/// What an assembled bar is made of: equal elements of linear displacement in a row.
struct BarData {
  BarElement element = {};
  int elements = 0;
  double length = 0.0, area = 0.0, modulus = 0.0;
  double gravity = 0.0;  ///< along the axis
};

/// A bar: its nodes have one coordinate each, the displacement along the axis. Mass, stiffness and
/// damping are constant and tridiagonal.
class AssembledBar final : public ElementBatch<BarElement> {
 public:
  AssembledBar(std::string name, std::vector<int> nodes, const Bodies& bodies,
               const std::vector<Coordinate>& coordinates, const BarData& data);

  /// Axial force of element e = 0, 1, …; positive when it pulls.
  double pull(std::size_t e, const State& s) const;

  double extent() const override { return length_; }
  std::vector<PartQuantity> quantities() const override;
  PartRestraint restraint() const override;
  PartLine line() const override;

 private:
  double length_, area_, modulus_;
};

}  // namespace picus
