// SPDX-License-Identifier: BSD-3-Clause
#include "picus/dynamics/equation_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "picus/base/contract.h"

namespace picus {
namespace {

void start(Vector& x, int size) {
  resize(x, size);
  x.setZero();
}

std::string row_name(const std::vector<std::string>& names, int index, const char* fallback) {
  const auto i = static_cast<std::size_t>(index);
  if (i < names.size() && !names[i].empty()) return names[i];
  return fmt::format("{} {}", fallback, index);
}

}  // namespace

EquationSystem::EquationSystem(SystemSizes sizes, std::vector<std::unique_ptr<Batch>> batches,
                               Names names, Units units)
    : sizes_(sizes),
      fixed_(sizes),
      batches_(std::make_move_iterator(batches.begin()), std::make_move_iterator(batches.end())),
      names_(std::move(names)),
      units_(std::move(units)),
      zero_increment_(Vector::Zero(sizes.velocities)) {
  for (const auto& batch : batches_) {
    flat_ = flat_ && batch->is_flat();
    linear_reactions_ = linear_reactions_ && batch->has_linear_reactions();
    linear_ = linear_ && batch->is_linear();
    constant_mass_ = constant_mass_ && batch->has_constant_mass();
    switches_ += batch->switches();
    forced_ = forced_ || batch->has_forcing();
    passes_ = passes_ || batch->has_passages();
    if (auto* finder = dynamic_cast<ContactBatch*>(batch.get())) finders_.push_back(finder);
  }
  number_contacts();
}

std::unique_ptr<System> EquationSystem::for_run() const {
  if (finders_.empty()) return nullptr;
  std::unique_ptr<EquationSystem> own(new EquationSystem(*this));
  own->finders_.clear();
  for (std::shared_ptr<Batch>& batch : own->batches_) {
    const auto* finder = dynamic_cast<const ContactBatch*>(batch.get());
    if (finder == nullptr) continue;
    std::unique_ptr<ContactBatch> fresh = finder->for_run();
    own->finders_.push_back(fresh.get());
    batch = std::move(fresh);
  }
  own->number_contacts();
  return own;
}

// Contacts that are found come after all others, batch after batch.
void EquationSystem::number_contacts() {
  sizes_ = fixed_;
  for (ContactBatch* finder : finders_) {
    finder->number(sizes_.constraints, sizes_.nonholonomic);
    const int contacts = finder->contacts(), slips = contacts * finder->slips_each();
    sizes_.constraints += contacts;
    sizes_.contacts += contacts;
    sizes_.nonholonomic += slips;
    sizes_.slips += slips;
  }
  laws_.resize(static_cast<std::size_t>(sizes_.contacts));
  for (const auto& batch : batches_)
    batch->contact_laws(sizes_.joints(), laws_);
  for (const auto& batch : batches_)
    batch->friction_laws(laws_);
}

bool EquationSystem::find_contacts(const State& s, double duration, ContactChange& change) {
  const auto keep = [](std::vector<int>& came_from, int first, int count) {
    for (int i = 0; i < count; ++i)
      came_from.push_back(first + i);
  };
  change.contacts.clear();
  change.slips.clear();
  keep(change.contacts, 0, fixed_.contacts);
  keep(change.slips, 0, fixed_.slips);
  bool changed = false;
  int contacts = fixed_.contacts, slips = fixed_.slips;  // of before
  for (ContactBatch* finder : finders_) {
    const int before = finder->contacts(), each = finder->slips_each();
    const bool found = finder->find(s, duration);
    changed |= found;
    for (int i = 0; i < finder->contacts(); ++i) {
      const int from = found ? finder->came_from(i) : i;
      change.contacts.push_back(from < 0 ? -1 : contacts + from);
      for (int k = 0; k < each; ++k)
        change.slips.push_back(from < 0 ? -1 : slips + each * from + k);
    }
    contacts += before;
    slips += before * each;
  }
  if (changed) number_contacts();
  return changed;
}

// Of the contact that has this row, when each contact has `rows_each(its batch)` of them.
template <class RowsEach>
std::string EquationSystem::name_of_found(int row, RowsEach&& rows_each) const {
  for (const ContactBatch* finder : finders_) {
    const int each = rows_each(*finder), rows = finder->contacts() * each;
    if (row < rows) return finder->name_of_contact(row / each);
    row -= rows;
  }
  return {};
}

std::string EquationSystem::name_of(Equation kind, int index) const {
  if (kind == Equation::kConstraint && index >= fixed_.constraints)
    return "gap " + name_of_found(index - fixed_.constraints, [](const auto&) { return 1; });
  if (kind == Equation::kNonholonomic && index >= fixed_.nonholonomic)
    return "slip " + name_of_found(index - fixed_.nonholonomic,
                                   [](const ContactBatch& finder) { return finder.slips_each(); });
  switch (kind) {
    case Equation::kMomentum:
      return "momentum of " + row_name(names_.momentum, index, "coordinate");
    case Equation::kConstraint:
      return row_name(names_.constraint, index, "constraint");
    case Equation::kNonholonomic:
      return row_name(names_.nonholonomic, index, "nonholonomic constraint");
    case Equation::kControl:
      return row_name(names_.control, index, "control equation");
  }
  return {};
}

Unit EquationSystem::unit_of(int index) const {
  const auto i = static_cast<std::size_t>(index);
  return i < units_.is_angle.size() && units_.is_angle[i] ? Unit::kAngle : Unit::kLength;
}

double EquationSystem::extent(const State& s) const {
  double largest = units_.extent;
  for (const auto& [position, velocity] : units_.lengths)
    if (unit_of(velocity) == Unit::kLength)
      largest = std::max(largest, std::abs(s.position(position)));
  return largest;
}

void EquationSystem::retract(const Vector& q, const Vector& dq, Vector& result) const {
  if (flat_) {
    result = q + dq;
    return;
  }
  resize(result, sizes_.positions);
  for (const auto& batch : batches_)
    batch->retract(q, dq, result);
}

void EquationSystem::increment_rate(const Chart& chart, const Vector& v, Vector& rate) const {
  rate = v;
  if (flat_) return;
  for (const auto& batch : batches_)
    batch->increment_rate(chart, v, rate);
}

void EquationSystem::increment_rate_tangent(const Chart& chart, const Vector& v,
                                            SparseMatrix& along_increment,
                                            SparseMatrix& along_velocity) const {
  along_increment.begin(sizes_.velocities, sizes_.velocities);
  along_velocity.begin(sizes_.velocities, sizes_.velocities);
  for (int i = 0; i < sizes_.velocities; ++i)
    along_velocity.add(i, i, 1.0);
  for (const auto& batch : batches_)
    batch->increment_rate_tangent(chart, v, along_increment, along_velocity);
  along_increment.end();
  along_velocity.end();
}

void EquationSystem::difference(const Vector& from, const Vector& to, Vector& dq) const {
  if (flat_) {
    dq = to - from;
    return;
  }
  resize(dq, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->difference(from, to, dq);
}

void EquationSystem::mass_matrix(const State& s, SparseMatrix& M) const {
  M.begin(sizes_.velocities, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->mass(s, M);
  M.end();
}

void EquationSystem::force(const State& s, Vector& F) const {
  start(F, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->force(s, F);
}

void EquationSystem::add_momentum_tangent(const State& s, const Chart& chart, Batch::Forces forces,
                                          SparseMatrix& K, SparseMatrix& D) const {
  K.begin(sizes_.velocities, sizes_.velocities);
  D.begin(sizes_.velocities, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->momentum_tangent(s, chart, forces, K, D);
  K.end();
  D.end();
}

void EquationSystem::momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                      SparseMatrix& D) const {
  add_momentum_tangent(s, chart, Batch::Forces::kAll, K, D);
}

void EquationSystem::correction_tangent(const State& s, const Chart& chart,
                                        SparseMatrix& along_position,
                                        SparseMatrix& along_velocity) const {
  add_momentum_tangent(s, chart, Batch::Forces::kReactionsOnly, along_position, along_velocity);
}

void EquationSystem::add_constraints(const State& s, Batch::Level level, Vector& g) const {
  start(g, sizes_.constraints);
  for (const auto& batch : batches_)
    batch->constraint(s, level, g);
}

void EquationSystem::constraint(const State& s, Vector& g) const {
  add_constraints(s, Batch::Level::kPosition, g);
}

void EquationSystem::constraint_velocity(const State& s, Vector& rate) const {
  add_constraints(s, Batch::Level::kVelocity, rate);
}

void EquationSystem::constraint_acceleration(const State& s, Vector& acceleration) const {
  add_constraints(s, Batch::Level::kAcceleration, acceleration);
}

void EquationSystem::constraint_jacobian(const State& s, SparseMatrix& G) const {
  constraint_tangent(s, {s.position, zero_increment_}, G);
}

void EquationSystem::constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const {
  G.begin(sizes_.constraints, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->constraint_tangent(s, chart, G);
  G.end();
}

void EquationSystem::constraint_velocity_tangent(const State& s, const Chart& chart,
                                                 SparseMatrix& along_position) const {
  along_position.begin(sizes_.constraints, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->constraint_velocity_tangent(s, chart, along_position);
  along_position.end();
}

void EquationSystem::constraint_acceleration_tangent(const State& s, const Chart& chart,
                                                     SparseMatrix& along_position,
                                                     SparseMatrix& along_velocity) const {
  along_position.begin(sizes_.constraints, sizes_.velocities);
  along_velocity.begin(sizes_.constraints, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->constraint_acceleration_tangent(s, chart, along_position, along_velocity);
  along_position.end();
  along_velocity.end();
}

void EquationSystem::multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                        SparseMatrix& along_nonholonomic) const {
  along_multiplier.begin(sizes_.velocities, sizes_.constraints);
  along_nonholonomic.begin(sizes_.velocities, sizes_.nonholonomic);
  for (const auto& batch : batches_)
    batch->multiplier_tangent(s, along_multiplier, along_nonholonomic);
  along_multiplier.end();
  along_nonholonomic.end();
}

void EquationSystem::nonholonomic(const State& s, Vector& k) const {
  start(k, sizes_.nonholonomic);
  for (const auto& batch : batches_)
    batch->nonholonomic(s, Batch::Level::kVelocity, k);
}

void EquationSystem::nonholonomic_rate(const State& s, Vector& rate) const {
  start(rate, sizes_.nonholonomic);
  for (const auto& batch : batches_)
    batch->nonholonomic(s, Batch::Level::kAcceleration, rate);
}

void EquationSystem::nonholonomic_jacobian(const State& s, SparseMatrix& along_velocity) const {
  const Chart here{s.position, zero_increment_};
  along_velocity.begin(sizes_.nonholonomic, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->nonholonomic_jacobian(s, here, along_velocity);
  along_velocity.end();
}

void EquationSystem::nonholonomic_tangent(const State& s, const Chart& chart,
                                          SparseMatrix& along_position,
                                          SparseMatrix& along_velocity) const {
  along_position.begin(sizes_.nonholonomic, sizes_.velocities);
  along_velocity.begin(sizes_.nonholonomic, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->nonholonomic_tangent(s, chart, Batch::Level::kVelocity, along_position, along_velocity);
  along_position.end();
  along_velocity.end();
}

void EquationSystem::nonholonomic_rate_tangent(const State& s, const Chart& chart,
                                               SparseMatrix& along_position,
                                               SparseMatrix& along_velocity) const {
  along_position.begin(sizes_.nonholonomic, sizes_.velocities);
  along_velocity.begin(sizes_.nonholonomic, sizes_.velocities);
  for (const auto& batch : batches_)
    batch->nonholonomic_tangent(s, chart, Batch::Level::kAcceleration, along_position,
                                along_velocity);
  along_position.end();
  along_velocity.end();
}

void EquationSystem::control(const State& s, Vector& d) const {
  start(d, sizes_.controls);
  for (const auto& batch : batches_)
    batch->control(s, d);
}

void EquationSystem::control_tangent(const State& s, const Chart& chart,
                                     ControlTangent& tangent) const {
  for (SparseMatrix* A : {&tangent.position, &tangent.velocity, &tangent.acceleration})
    A->begin(sizes_.controls, sizes_.velocities);
  for (SparseMatrix* A : {&tangent.rate, &tangent.control})
    A->begin(sizes_.controls, sizes_.controls);
  tangent.multiplier.begin(sizes_.controls, sizes_.constraints);
  tangent.force.begin(sizes_.velocities, sizes_.controls);
  for (const auto& batch : batches_)
    batch->control_tangent(s, chart, tangent);
  for (SparseMatrix* A : {&tangent.position, &tangent.velocity, &tangent.acceleration,
                          &tangent.rate, &tangent.control, &tangent.multiplier, &tangent.force})
    A->end();
}

double EquationSystem::forcing_time(const State& s) const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& batch : batches_)
    shortest = std::min(shortest, batch->forcing_time(s));
  return shortest;
}

double EquationSystem::passing_time(const State& s, double part) const {
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& batch : batches_)
    shortest = std::min(shortest, batch->passing_time(s, part));
  return shortest;
}

void EquationSystem::switch_values(const State& s, Vector& values) const {
  resize(values, switches_);
  int first = 0;
  for (const auto& batch : batches_) {
    batch->switch_values(s, first, values);
    first += batch->switches();
  }
}

std::string EquationSystem::name_of_switch(int index) const {
  for (const auto& batch : batches_) {
    if (index < batch->switches()) return batch->name_of_switch(index);
    index -= batch->switches();
  }
  return System::name_of_switch(index);
}

void EquationSystem::friction_limits(const State& s, Vector& limits) const {
  resize(limits, sizes_.friction_elements);
  int next = 0;
  for (const auto& batch : batches_)
    next = batch->friction_limits(s, next, limits);
}

bool EquationSystem::limits_read_reactions() const {
  return std::any_of(batches_.begin(), batches_.end(),
                     [](const auto& batch) { return batch->limits_read_reactions(); });
}

std::vector<int> EquationSystem::reaction_limits() const {
  std::vector<int> elements;
  int next = 0;
  for (const auto& batch : batches_)
    next = batch->reaction_limits(next, elements);
  return elements;
}

void EquationSystem::friction_limit_tangent(const State& s, SparseMatrix& along_multiplier) const {
  along_multiplier.begin(sizes_.friction_elements, sizes_.constraints);
  int next = 0;
  for (const auto& batch : batches_)
    next = batch->friction_limit_tangent(s, next, along_multiplier);
  along_multiplier.end();
}

namespace {

// Where each goes when those of rank 1 and 2 come last; their names go with them.
std::vector<int> order_last(const std::vector<int>& rank, std::vector<std::string>& names) {
  std::vector<int> place(rank.size());
  std::vector<std::string> moved(rank.size());
  int next = 0;
  for (const int wanted : {0, 1, 2}) {
    for (std::size_t i = 0; i < rank.size(); ++i) {
      if (rank[i] != wanted) continue;
      if (i < names.size()) moved[static_cast<std::size_t>(next)] = names[i];
      place[i] = next++;
    }
  }
  names = std::move(moved);
  return place;
}

}  // namespace

void SystemBuilder::number_variables_last() {
  const std::vector<int> place = order_last(is_variable_, names_.control);
  for (const auto& batch : batches_)
    batch->renumber_controls(place);
}

void SystemBuilder::number_contacts_last() {
  const std::vector<int> constraints = order_last(is_gap_, names_.constraint),
                         nonholonomic = order_last(slip_rank_, names_.nonholonomic);
  for (const auto& batch : batches_)
    batch->renumber_rows(constraints, nonholonomic);
}

std::unique_ptr<EquationSystem> SystemBuilder::build() {
  number_variables_last();
  number_contacts_last();
  auto system = std::make_unique<EquationSystem>(sizes_, std::move(batches_), std::move(names_),
                                                 std::move(units_));
  *this = SystemBuilder();
  return system;
}

void SystemBuilder::mention(std::span<const int> positions, std::span<const int> velocities) {
  for (const int i : positions)
    sizes_.positions = std::max(sizes_.positions, i + 1);
  for (const int i : velocities)
    sizes_.velocities = std::max(sizes_.velocities, i + 1);
}

void SystemBuilder::name_row(std::vector<std::string>& names, int row, const std::string& name,
                             std::string_view local) {
  const auto i = static_cast<std::size_t>(row);
  if (names.size() <= i) names.resize(i + 1);
  if (!names[i].empty()) return;
  const bool is_number = local.find_first_not_of("0123456789") == std::string_view::npos;
  if (!name.empty())
    names[i] = fmt::format("{}.{}", name, local);
  else if (!is_number)
    names[i] = local;
}

}  // namespace picus
