// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/bodies.h"

namespace picus {

/// A quantity of the elements of a part, to be recorded. Parts may share it: those of one name,
/// unit and components become one.
struct PartQuantity {
  std::string name = {}, unit = {}, meaning = {};
  std::vector<std::string> items = {};       ///< "rod.1", "rod.2", …
  std::vector<std::string> components = {};  ///< of each item; empty for a number
  std::function<void(const State&, std::vector<double>&)> values = {};
};

/// The line that a page draws of a part.
struct PartLine {
  std::string kind = {};              ///< of the part, for readers of results
  std::vector<int> nodes = {};        ///< bodies in a row
  double area = 0.0;                  ///< of its section [m²]
  double modulus = 0.0;               ///< Young's [Pa]
  std::vector<Vector3> outline = {};  ///< of its section, in the axes of a node; empty: round
};

/// Along what the nodes of a part cannot move, for messages about joints that hold by themselves
/// there, or cannot close.
struct PartRestraint {
  std::string where = {};  ///< "across the axis of a bar"
  std::string rule = {};   ///< "bars move along their axes only"
};

/// A part that deforms. Its nodes are frames without inertia of their own (bodies.h), to which
/// joints, forces and contacts attach; as a batch the part states mass, internal forces and weight
/// of its elements. Records, pages and checks speak to this interface.
class FlexiblePart : public Batch {
 public:
  FlexiblePart(std::string name, std::vector<int> nodes)
      : name_(std::move(name)), nodes_(std::move(nodes)) {}

  const std::string& name() const { return name_; }
  const std::vector<int>& nodes() const { return nodes_; }  ///< bodies in a row
  /// Its size before it deforms [m].
  virtual double extent() const = 0;
  virtual double kinetic_energy(const State& s) const = 0;
  virtual double elastic_energy(const State& s) const = 0;
  /// The mass whose weight acts at each node [kg]; all of them are the mass of the part.
  virtual double mass_of_node(std::size_t node) const = 0;
  virtual std::vector<PartQuantity> quantities() const = 0;
  /// Empty when nodes move freely.
  virtual PartRestraint restraint() const { return {}; }
  virtual PartLine line() const = 0;

  /// Stresses of the elements after a motion `along` all velocities, to first order; empty for
  /// parts that need no such iterates. Positions turn a large motion of a slender part into large
  /// stresses, and Newton's method into a crawl; stresses foreseen along its tangent do not.
  virtual void foresee_stress(const State&, const Vector& /*along*/, Vector& stress) const {
    stress.resize(0);
  }
  /// What the tangent K of momentum_tangent at rest changes by if stresses are these.
  virtual void add_stress_tangent(const State&, const Vector& /*stress*/, SparseMatrix&) const {}

 private:
  std::string name_;
  std::vector<int> nodes_;
};

}  // namespace picus
