// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picus/dynamics/system.h"

namespace picus {

/// A batch adds what its parts contribute, by default nothing; vectors and matrices arrive sized
/// and started.
class Batch {
 public:
  enum class Level { kPosition, kVelocity, kAcceleration };
  enum class Forces { kAll, kReactionsOnly };

  virtual ~Batch() = default;
  virtual bool is_flat() const { return true; }
  virtual bool has_linear_reactions() const { return true; }
  virtual bool is_linear() const { return false; }
  /// See System::has_constant_mass; of the batches that add masses.
  virtual bool has_constant_mass() const { return true; }
  /// Control i becomes control place[i].
  virtual void renumber_controls(std::span<const int>) {}
  /// Equation i of g becomes constraints[i], equation i of k becomes nonholonomic[i].
  virtual void renumber_rows(std::span<const int> /*constraints*/,
                             std::span<const int> /*nonholonomic*/) {}
  /// Puts the laws of its contacts at their places; gaps are the equations after `joints`.
  virtual void contact_laws(int /*joints*/, std::vector<ContactLaw>&) const {}
  /// Appends where the slips of its friction elements are.
  virtual void friction_laws(std::vector<ContactLaw>&) const {}
  /// Their limits go to limits[first], limits[first + 1], …; returns the next place.
  virtual int friction_limits(const State&, int first, Vector&) const { return first; }
  /// See System::limits_read_reactions.
  virtual bool limits_read_reactions() const { return false; }
  /// Appends the numbers of those that do, counted from `first`; returns the next number.
  virtual int reaction_limits(int first, std::vector<int>& /*elements*/) const { return first; }
  /// Adds the derivatives of their limits along λ to the rows first, first + 1, …; returns the
  /// next.
  virtual int friction_limit_tangent(const State&, int first, SparseMatrix&) const { return first; }
  virtual void retract(const Vector&, const Vector&, Vector&) const {}
  /// System::increment_rate: the rates of its manifolds, in place of v.
  virtual void increment_rate(const Chart&, const Vector& /*v*/, Vector& /*rate*/) const {}
  /// Its derivatives; `along_velocity` has the identity already.
  virtual void increment_rate_tangent(const Chart&, const Vector& /*v*/,
                                      SparseMatrix& /*along_increment*/,
                                      SparseMatrix& /*along_velocity*/) const {}
  virtual void difference(const Vector& /*from*/, const Vector& /*to*/, Vector& /*dq*/) const {}
  virtual void mass(const State&, SparseMatrix&) const {}
  virtual void force(const State&, Vector&) const {}
  virtual void momentum_tangent(const State&, const Chart&, Forces, SparseMatrix&,
                                SparseMatrix&) const {}
  virtual void constraint(const State&, Level, Vector&) const {}
  virtual void constraint_tangent(const State&, const Chart&, SparseMatrix&) const {}
  virtual void constraint_velocity_tangent(const State&, const Chart&, SparseMatrix&) const {}
  virtual void constraint_acceleration_tangent(const State&, const Chart&, SparseMatrix&,
                                               SparseMatrix&) const {}
  virtual void multiplier_tangent(const State&, SparseMatrix&, SparseMatrix&) const {}
  virtual void nonholonomic(const State&, Level, Vector&) const {}
  virtual void nonholonomic_tangent(const State&, const Chart&, Level, SparseMatrix&,
                                    SparseMatrix&) const {}
  /// k_v alone; `chart` is that of s.position with no increment.
  virtual void nonholonomic_jacobian(const State& s, const Chart& chart, SparseMatrix& k_v) const {
    SparseMatrix unwanted = SparseMatrix::sink();
    nonholonomic_tangent(s, chart, Level::kVelocity, unwanted, k_v);
  }
  virtual void control(const State&, Vector&) const {}
  virtual void control_tangent(const State&, const Chart&, ControlTangent&) const {}
  /// Switches, see System::switches; their values go to values[first], values[first + 1], …
  virtual int switches() const { return 0; }
  virtual void switch_values(const State&, int, Vector&) const {}
  virtual std::string name_of_switch(int) const { return {}; }
  /// See System::forcing_time.
  virtual bool has_forcing() const { return false; }
  virtual double forcing_time(const State&) const {
    return std::numeric_limits<double>::infinity();
  }
  /// See System::passing_time.
  virtual bool has_passages() const { return false; }
  virtual double passing_time(const State&, double /*part*/) const {
    return std::numeric_limits<double>::infinity();
  }
};

/// A batch of contacts that come and go. All of them have the same number of slips. The list, its
/// numbers and what it remembers belong to one run; what may touch what is shared.
class ContactBatch : public Batch {
 public:
  /// Contacts of the same partners for another run, with an empty list.
  virtual std::unique_ptr<ContactBatch> for_run() const = 0;
  /// Lists the contacts that may close within `duration`, see System::find_contacts. False when the
  /// list of before still serves.
  virtual bool find(const State& s, double duration) = 0;
  virtual int contacts() const = 0;
  virtual int slips_each() const = 0;
  /// The number a contact had before the last find() that returned true, or -1.
  virtual int came_from(int contact) const = 0;
  /// Its equations are these and the following ones.
  virtual void number(int first_constraint, int first_nonholonomic) = 0;
  /// Its partners: "between disc1 and ground".
  virtual std::string name_of_contact(int contact) const = 0;
};

}  // namespace picus
