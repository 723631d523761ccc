// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/signal.h"

namespace picus {

/// A force or torque: a magnitude that works along a direction.
struct ForceComponent {
  Term direction;
  Formulation magnitude;
};

/// Components one after the other that work between the same two bodies are looked at together: the
/// poses of the bodies and what formulas see of them are found once, and their derivatives become
/// one block.
class ForceBatch final : public Batch {
 public:
  ForceBatch(const Bodies& bodies, std::vector<ForceComponent> components);

  bool is_linear() const override;
  void renumber_controls(std::span<const int> place) override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const override;
  int switches() const override;
  void switch_values(const State& s, int first, Vector& values) const override;
  std::string name_of_switch(int index) const override;

 private:
  /// Where a component finds what it needs among the terms of its group.
  struct Lookup {
    std::size_t direction = 0;
    std::vector<int> signals;  ///< number of the term, or -1 for a signal of other bodies
  };
  struct Group {
    int body_i = Bodies::kGround, body_j = Bodies::kGround;
    std::vector<Term> terms = {};                         ///< each once
    std::vector<char> values_read = {}, rates_read = {};  ///< of which terms
    std::size_t first = 0, end = 0;                       ///< components
    std::vector<Lookup> lookups = {};                     ///< of the components
    bool reads_rates = false;
    bool is_carried = false;  ///< one of the bodies is a carried frame
  };
  template <class View>
  struct Room;
  template <class View>
  class GroupView;

  Lookup lookup_of(const ForceComponent& component, Group& group) const;
  /// Calls work(type of view) with the pair turned to the group.
  template <class Work>
  static void with_view_type(const Group& group, PairView& pair, Work&& work);
  template <class View>
  void add_force(const Group& group, const PairView& pair, Vector& F) const;
  /// −∂F of one group; its places are filled even where the force is at rest.
  template <class View>
  void add_tangent(const Group& group, const PairView& pair, SparseMatrix& K,
                   SparseMatrix& D) const;
  template <class View>
  void add_elsewhere(const Signal& signal, double slope, const View& along, const PairView& pair,
                     SparseMatrix& K, SparseMatrix& D) const;

  const Bodies& bodies_;
  std::vector<ForceComponent> components_;
  std::vector<Group> groups_;
};

}  // namespace picus
