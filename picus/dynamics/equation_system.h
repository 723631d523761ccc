// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From templated residuals (equations.h) to a System with exact derivatives.
//
//   const auto system = make_system(Pendulum{});          // one part, all coordinates
//
//   SystemBuilder builder;                                // many parts, sparse
//   for (int i = 0; i < n; ++i) builder.add(Link{…}, "link 3", {3*i, 3*i+1, 3*i+2});
//   const auto chain = builder.build();

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "picus/dynamics/equation_batch.h"

namespace picus {

/// A System assembled from batches of parts. Derive from it to override a function by hand. Batches
/// of contacts that come and go (ContactBatch) are not in the sizes given; they begin empty.
class EquationSystem : public System {
 public:
  struct Names {
    std::vector<std::string> momentum, constraint, nonholonomic, control;
  };

  struct Units {
    std::vector<bool> is_angle;                ///< of each velocity
    std::vector<std::pair<int, int>> lengths;  ///< position and its velocity, unless an angle
    double extent = 0.0;                       ///< of parts whose positions do not tell
  };

  EquationSystem(SystemSizes sizes, std::vector<std::unique_ptr<Batch>> batches, Names names,
                 Units units);
  EquationSystem(EquationSystem&&) = default;
  EquationSystem& operator=(EquationSystem&&) = default;
  EquationSystem& operator=(const EquationSystem&) = delete;

  SystemSizes sizes() const override { return sizes_; }
  bool is_flat() const override { return flat_; }
  bool has_linear_reactions() const override { return linear_reactions_; }
  bool is_linear() const override { return linear_; }
  bool has_constant_mass() const override { return constant_mass_; }
  std::string name_of(Equation kind, int index) const override;
  Unit unit_of(int index) const override;
  double extent(const State& s) const override;

  void retract(const Vector& q, const Vector& dq, Vector& result) const override;
  void increment_rate(const Chart& chart, const Vector& v, Vector& rate) const override;
  void increment_rate_tangent(const Chart& chart, const Vector& v, SparseMatrix& along_increment,
                              SparseMatrix& along_velocity) const override;
  void difference(const Vector& from, const Vector& to, Vector& dq) const override;
  void mass_matrix(const State& s, SparseMatrix& M) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void correction_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                          SparseMatrix& along_velocity) const override;
  void constraint(const State& s, Vector& g) const override;
  void constraint_velocity(const State& s, Vector& rate) const override;
  void constraint_acceleration(const State& s, Vector& acceleration) const override;
  void constraint_jacobian(const State& s, SparseMatrix& G) const override;
  void constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const override;
  void constraint_velocity_tangent(const State& s, const Chart& chart,
                                   SparseMatrix& along_position) const override;
  void constraint_acceleration_tangent(const State& s, const Chart& chart,
                                       SparseMatrix& along_position,
                                       SparseMatrix& along_velocity) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                          SparseMatrix& along_nonholonomic) const override;
  void nonholonomic(const State& s, Vector& k) const override;
  void nonholonomic_rate(const State& s, Vector& rate) const override;
  void nonholonomic_jacobian(const State& s, SparseMatrix& along_velocity) const override;
  void nonholonomic_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                            SparseMatrix& along_velocity) const override;
  void nonholonomic_rate_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                                 SparseMatrix& along_velocity) const override;
  void control(const State& s, Vector& d) const override;
  void control_tangent(const State& s, const Chart& chart, ControlTangent& tangent) const override;
  int switches() const override { return switches_; }
  void switch_values(const State& s, Vector& values) const override;
  std::string name_of_switch(int index) const override;
  bool has_forcing() const override { return forced_; }
  double forcing_time(const State& s) const override;
  bool has_passages() const override { return passes_; }
  double passing_time(const State& s, double part) const override;
  ContactLaw contact_law(int contact) const override {
    return laws_[static_cast<std::size_t>(contact)];
  }
  bool finds_contacts() const override { return !finders_.empty(); }
  /// Shares all batches but those of contacts that come and go.
  std::unique_ptr<System> for_run() const override;
  /// Those, in the order in which they were given.
  std::span<const ContactBatch* const> found_contacts() const {
    return {finders_.data(), finders_.size()};
  }
  bool find_contacts(const State& s, double duration, ContactChange& change) override;
  void friction_limits(const State& s, Vector& limits) const override;
  bool limits_read_reactions() const override;
  std::vector<int> reaction_limits() const override;
  void friction_limit_tangent(const State& s, SparseMatrix& along_multiplier) const override;

 private:
  EquationSystem(const EquationSystem&) = default;

  void add_constraints(const State& s, Batch::Level level, Vector& g) const;
  void add_momentum_tangent(const State& s, const Chart& chart, Batch::Forces forces,
                            SparseMatrix& K, SparseMatrix& D) const;

  void number_contacts();
  template <class RowsEach>
  std::string name_of_found(int row, RowsEach&& rows_each) const;

  SystemSizes sizes_;
  SystemSizes fixed_;  ///< without the contacts that are found
  std::vector<std::shared_ptr<Batch>> batches_;
  std::vector<ContactBatch*> finders_;  ///< of the batches; no other system has these
  Names names_;
  Units units_;
  bool flat_ = true;
  bool linear_reactions_ = true, linear_ = true, constant_mass_ = true;
  int switches_ = 0;
  bool forced_ = false, passes_ = false;
  Vector zero_increment_;
  std::vector<ContactLaw> laws_;
};

/// Collects parts and numbers their coordinates and equations in the order they arrive.
class SystemBuilder {
 public:
  /// Adds a part on the coordinates given (shared coordinates couple parts). Coordinates are
  /// created as they are mentioned. Parts on a manifold own theirs: see place().
  template <class E>
  void add(E equations, std::string name, const std::array<int, E::kCoordinates>& coordinates) {
    static_assert(EquationSizes<E>::kFlat,
                  "parts on a manifold state their positions and velocities: use place()");
    place(std::move(equations), std::move(name), coordinates, coordinates);
  }

  /// The system; the builder is empty afterwards. Controls are numbered states first, then
  /// variables, each in the order of their parts; equations g and k end with those of contacts,
  /// then of friction elements.
  std::unique_ptr<EquationSystem> build();

  /// Adds a part with its own positions and velocities.
  template <class E>
  void place(E equations, std::string name,
             const std::array<int, EquationSizes<E>::kPositions>& positions,
             const std::array<int, EquationSizes<E>::kVelocities>& velocities) {
    using Sizes = EquationSizes<E>;
    Placed<E> part{std::move(equations), positions, velocities, {}, {}, {}, {}};
    mention(positions, velocities);
    if constexpr (!Sizes::kFlat) {
      has_moved_.resize(static_cast<std::size_t>(sizes_.velocities), false);
      for (std::size_t i = 0; i < velocities.size(); ++i) {
        const auto v = static_cast<std::size_t>(velocities[i]);
        part.is_first_to_move[i] = !has_moved_[v];
        has_moved_[v] = true;
      }
    }
    number(part.constraints, sizes_.constraints);
    number(part.nonholonomic, sizes_.nonholonomic);
    number(part.controls, sizes_.controls);
    for (int i = 0; i < Sizes::kConstraints; ++i)
      is_gap_.push_back(i >= Sizes::kJoints);
    for (int i = 0; i < Sizes::kNonholonomic; ++i)
      slip_rank_.push_back((i >= Sizes::kRollings) +
                           (i >= Sizes::kNonholonomic - Sizes::kFrictionSlips));
    sizes_.contacts += Sizes::kContacts;
    sizes_.slips += Sizes::kSlips;
    sizes_.friction_elements += Sizes::kFrictionElements;
    for (int i = 0; i < Sizes::kControls; ++i)
      is_variable_.push_back(i >= Sizes::kControls - Sizes::kVariables);
    sizes_.variables += Sizes::kVariables;
    name_rows<E>(part, name);
    note_units<E>(part);
    auto& slot = by_type_[std::type_index(typeid(E))];
    if (slot == nullptr) {
      auto batch = std::make_unique<BatchOf<E>>();
      slot = batch.get();
      batches_.push_back(std::move(batch));
    }
    static_cast<BatchOf<E>*>(slot)->add(std::move(part));
  }

 private:
  template <std::size_t N>
  static void number(std::array<int, N>& rows, int& next) {
    for (int& row : rows)
      row = next++;
  }

  void number_variables_last();
  void number_contacts_last();
  void mention(std::span<const int> positions, std::span<const int> velocities);
  void name_row(std::vector<std::string>& names, int row, const std::string& name,
                std::string_view local);

  template <class E>
  void note_units(const Placed<E>& part) {
    units_.is_angle.resize(static_cast<std::size_t>(sizes_.velocities), false);
    constexpr bool kKnown = requires {
      E::kAngles;
    }
    || EquationSizes<E>::kFlat;
    if constexpr (requires { E::kAngles; }) {
      for (const int i : E::kAngles)
        units_.is_angle[static_cast<std::size_t>(part.velocities[static_cast<std::size_t>(i)])] =
            true;
    }
    for (std::size_t i = 0; kKnown && i < part.velocities.size(); ++i)
      units_.lengths.emplace_back(part.positions[i], part.velocities[i]);
  }

  template <class E>
  void name_rows(const Placed<E>& part, const std::string& name) {
    const auto local = [](const auto& words, std::size_t i) -> std::string {
      return i < words.size() ? std::string(words[i]) : std::to_string(i);
    };
    const auto words = [&]<class W>(const W& given, const auto& rows, auto& names) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        name_row(names, rows[i], name, local(given, i));
    };
    constexpr std::array<std::string_view, 0> kNone{};
    if constexpr (requires { E::kCoordinateNames; }) {
      words(E::kCoordinateNames, part.velocities, names_.momentum);
    } else if constexpr (requires(const E& e, const Arguments<E, double>& s) { e.mass(s); }) {
      words(kNone, part.velocities, names_.momentum);
    }
    if constexpr (requires { E::kConstraintNames; }) {
      words(E::kConstraintNames, part.constraints, names_.constraint);
    } else {
      words(kNone, part.constraints, names_.constraint);
    }
    words(kNone, part.nonholonomic, names_.nonholonomic);
    words(kNone, part.controls, names_.control);
  }

  SystemSizes sizes_;
  std::vector<std::unique_ptr<Batch>> batches_;
  std::map<std::type_index, Batch*> by_type_;
  EquationSystem::Names names_;
  EquationSystem::Units units_;
  // in the order of the parts
  std::vector<int> is_variable_;  ///< of each control
  std::vector<int> is_gap_;       ///< of each equation g
  std::vector<int> slip_rank_;    ///< of each equation k: rolling, of a contact, of friction
  std::vector<bool> has_moved_;   ///< velocities that a part on a manifold has
};

/// A system of one part that owns every coordinate.
template <class E>
std::unique_ptr<EquationSystem> make_system(E equations, std::string name = {}) {
  using Sizes = EquationSizes<E>;
  std::array<int, Sizes::kPositions> positions;
  std::array<int, Sizes::kVelocities> velocities;
  for (int i = 0; i < Sizes::kPositions; ++i)
    positions[static_cast<std::size_t>(i)] = i;
  for (int i = 0; i < Sizes::kVelocities; ++i)
    velocities[static_cast<std::size_t>(i)] = i;
  SystemBuilder builder;
  builder.place(std::move(equations), std::move(name), positions, velocities);
  return builder.build();
}

}  // namespace picus
