// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A contact as it was assembled, rigid or compliant.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "picus/mechanism/force_batch.h"
#include "picus/mechanism/function_batch.h"
#include "picus/mechanism/joint_batch.h"
#include "picus/model/contacts/surface.h"
#include "picus/model/joint_equations.h"

namespace picus {

/// A gap and the slips that belong to it: all of them functions of the same terms, linear ones when
/// they have no function.
struct ContactGeometry {
  struct Equation {
    std::vector<double> weights = {};  ///< of the terms, when there is no function
    MeasureFunction function = {};
  };
  std::vector<Term> terms = {};
  Equation gap = {};
  double constant = 0.0;  ///< subtracted from a linear gap
  Motion motion = {};     ///< the same; may be empty
  std::vector<Equation> slips = {};

  /// Adds a term, or finds it among those there are.
  std::size_t place_of(const Term& term);
  /// The weighted terms as an equation.
  ConstraintEquation linear(const std::vector<double>& weights) const;
  /// As functions, linear or not.
  MeasureFunction gap_function() const;
  MeasureFunction slip_function(std::size_t slip) const;
};

/// A contact as it was assembled: for records, pages and checks, which need its geometry and where
/// its gap, slips and law are in the system.
struct AssembledContact {
  std::string name = {}, type = {};
  int body_i = 0, body_j = 0;
  /// They touch at this distance from a point of I, against the normal that pushes I.
  Vector3 point_i = Vector3::Zero();
  double radius = 0.0;
  /// Of J: the plane of a ball before it moves, z its normal; that of a curve, drawn along x and y.
  std::optional<BodyFrame> plane_j = {};
  bool is_angle = false;  ///< the gap, as that of a stop
  /// Stated direction in space that pushes I; otherwise it is the gradient of the gap.
  std::optional<Vector3> normal = {};
  double friction = 0.0;
  FunctionEquation gap = {};  ///< its row is that of the gap, -1 for compliant contacts
  int contact = -1;           ///< number in System::contact_law, -1 for compliant contacts
  int first_slip = -1;        ///< nonholonomic equation, -1 for none
  int slips = 0;
  std::vector<FunctionEquation> slip_rates = {};  ///< the slips as functions, without their rows
  std::optional<HuntCrossley> law = {};           ///< of compliant contacts
  double slip_speed = 0.0;                        ///< the same
};

/// States the laws of rigid contacts, in the order of their gaps.
class ContactLaws final : public Batch {
 public:
  explicit ContactLaws(std::vector<ContactLaw> laws) : laws_(std::move(laws)) {}
  bool is_linear() const override { return true; }  // it has no equations
  void contact_laws(int /*joints*/, std::vector<ContactLaw>& laws) const override { laws = laws_; }

 private:
  std::vector<ContactLaw> laws_;
};

/// The forces of a compliant contact: along every term one, with normal force and friction.
std::vector<ForceComponent> compliant_forces(const ContactGeometry& geometry,
                                             const Compliance& compliance, double friction);

/// Smooth friction of a limit of one, −v/√(Σ v² + slip_speed²), along every term.
std::vector<ForceComponent> unit_friction(const ContactGeometry& geometry, double slip_speed);

}  // namespace picus
