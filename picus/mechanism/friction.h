// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Dry friction whose limit does not come from a contact, rigid or smooth.

#include <optional>
#include <string>
#include <vector>

#include "picus/mechanism/bearing.h"
#include "picus/mechanism/contact.h"

namespace picus {

/// Along the sliding directions; the second is zero where there is one only.
using SlipVector = SmallVector<double, 2>;

/// A friction element as it was assembled.
struct AssembledFriction {
  std::string name = {};
  bool is_angular = false;                   ///< slips are rad/s and the limit a torque
  std::vector<FunctionEquation> slips = {};  ///< one or two; rows of k unless smooth
  Formulation limit = {};
  std::optional<BearingLoad> bearing = {};  ///< of a joint whose reaction adds to the limit
  int element = -1;         ///< number among the friction elements of the system, -1 when smooth
  double slip_speed = 0.0;  ///< of a smooth one

  bool is_smooth() const { return element < 0; }
  double limit_at(const Bodies& bodies, const State& s) const {
    return limit.evaluate(bodies, s) + (bearing ? bearing->evaluate(bodies, s) : 0.0);
  }
  /// F_d = −limit v_d / √(Σ v² + slip_speed²) from the sliding velocities.
  SlipVector smooth_force(double largest, const SlipVector& slip) const;
};

/// Tells the friction elements of a mechanism and their limits.
class FrictionElements final : public Batch {
 public:
  struct Element {
    ContactLaw law;
    Formulation limit;
    std::optional<BearingLoad> bearing;
  };
  FrictionElements(const Bodies& bodies, std::vector<Element> elements)
      : bodies_(bodies), elements_(std::move(elements)) {}

  bool is_linear() const override { return true; }  // it has no equations
  void renumber_controls(std::span<const int> place) override;
  void friction_laws(std::vector<ContactLaw>& laws) const override;
  int friction_limits(const State& s, int first, Vector& limits) const override;
  bool limits_read_reactions() const override;
  int reaction_limits(int first, std::vector<int>& elements) const override;
  int friction_limit_tangent(const State& s, int first,
                             SparseMatrix& along_multiplier) const override;
  int switches() const override;
  void switch_values(const State& s, int first, Vector& values) const override;
  std::string name_of_switch(int index) const override;

 private:
  const Bodies& bodies_;
  std::vector<Element> elements_;
};

/// The forces of smooth friction: along every term one, limit times a direction.
std::vector<ForceComponent> smooth_friction(const ContactGeometry& geometry,
                                            const Formulation& limit, double slip_speed);

/// The law times a positive constant; what is negative becomes zero.
Formulation limited(Formulation law, double factor);
/// The product of two laws, whose signals follow each other; switches are those of the first.
Formulation product(Formulation a, Formulation b);

}  // namespace picus
