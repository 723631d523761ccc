// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/contact_response.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace picus {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Parts of the response of free bodies: below the first there is none, and the second stands for
// none in a direction of friction.
constexpr double kNoResponse = 1e-11;
constexpr double kFrictionResponse = 1e-9;

}  // namespace

std::span<const ContactResponse::Entry> ContactResponse::entries(int contact) const {
  return std::span(entries_).subspan(at(starts_[at(contact)]),
                                     at(starts_[at(contact) + 1] - starts_[at(contact)]));
}

void ContactResponse::fill(const BlockMatrix& matrix, BlockMatrix3& W) {
  solver_ = &matrix.islands();
  driven_.clear();
  gather();
  survey();
  cursor_.assign(islands_.size(), 0);  // responses so far
  seen_.assign(islands_.size(), -1);
  for (int i = 0; i < contacts_; ++i) {
    for (const Entry& entry : entries(i)) {
      if (std::exchange(seen_[at(entry.island)], i) == i) continue;
      respond(i, cursor_[at(entry.island)]++, islands_[at(entry.island)], entry.island);
    }
    find_driven(i, matrix);
  }
  seen_.assign(at(contacts_), -1);
  place_.resize(at(contacts_));
  W.begin_rows(contacts_);
  for (int i = 0; i < contacts_; ++i)
    fill_row(i, W);
  W.end_rows();
}

// The response of free bodies is about J diag(A)⁻¹ Jᵀ. What is driven responds to nothing, and
// moves nothing. It shares its island with an equation of a joint or motion, which come after the
// velocities; a mass on a rail that a motion drives is an island of two.
void ContactResponse::find_driven(int contact, const BlockMatrix& matrix) {
  const int velocities = sources_.front().rows->cols();
  bool is_joined = false;
  for (const Entry& entry : entries(contact))
    is_joined = is_joined || solver_->members(entry.island).back() >= velocities;
  if (!is_joined) return;
  Vector3 free = Vector3::Zero(), own = Vector3::Zero();
  for (const Entry& entry : entries(contact)) {
    const Island& island = islands_[at(entry.island)];
    const int last = island.first_response + cursor_[at(entry.island)] - 1;
    own +=
        entry.value.cwiseProduct(responses_[at(last + rank_[at(entry.unknown)] * island.contacts)]);
    if (const double inertia = matrix.diagonal(entry.unknown); inertia > 0.0)
      free += entry.value.cwiseAbs2() / inertia;
  }
  for (int d = 0; d < 3; ++d) {
    if (free(d) == 0.0 || std::abs(own(d)) > kNoResponse * free(d)) continue;
    driven_.push_back({3 * contact + d, d == 0 ? 0.0 : kFrictionResponse * free(d)});
    for (const Entry& entry : entries(contact)) {
      const Island& island = islands_[at(entry.island)];
      const int last = island.first_response + cursor_[at(entry.island)] - 1;
      for (int rank = 0; rank < island.touched; ++rank)
        responses_[at(last + rank * island.contacts)](d) = 0.0;
    }
  }
}

// Calls visit(contact, direction, unknown, value), unknowns ascending.
template <class Visit>
void ContactResponse::for_each_entry(Visit&& visit) const {
  const int unknowns = sources_.empty() ? 0 : sources_.front().rows->cols();
  for (int u = 0; u < unknowns; ++u) {
    for (const auto& [rows, place] : sources_) {
      for (int k = rows->column_starts()[at(u)]; k < rows->column_starts()[at(u) + 1]; ++k) {
        const int row = place[at(rows->row_indices()[at(k)])];
        if (row >= 0) visit(row / 3, row % 3, u, rows->values()[at(k)]);
      }
    }
  }
}

// J, contact by contact.
void ContactResponse::gather() {
  starts_.assign(at(contacts_) + 1, 0);
  seen_.assign(at(contacts_), -1);
  for_each_entry([&](int contact, int, int unknown, double) {
    if (std::exchange(seen_[at(contact)], unknown) != unknown) ++starts_[at(contact) + 1];
  });
  for (std::size_t i = 1; i < starts_.size(); ++i)
    starts_[i] += starts_[i - 1];
  entries_.resize(at(starts_.back()));
  cursor_.assign(starts_.begin(), starts_.end());
  seen_.assign(at(contacts_), -1);
  for_each_entry([&](int contact, int direction, int unknown, double value) {
    if (std::exchange(seen_[at(contact)], unknown) != unknown)
      entries_[at(cursor_[at(contact)]++)] = {unknown, solver_->island_of(unknown),
                                              Vector3::Zero()};
    entries_[at(cursor_[at(contact)] - 1)].value(direction) = value;
  });
}

// Which contacts and which unknowns J sees of each island, and room for the responses.
void ContactResponse::survey() {
  islands_.assign(at(solver_->islands()), {});
  rank_.resize(at(solver_->size()), -1);
  std::fill(rank_.begin(), rank_.end(), -1);
  seen_.assign(islands_.size(), -1);
  for (int i = 0; i < contacts_; ++i) {
    for (const Entry& entry : entries(i)) {
      Island& island = islands_[at(entry.island)];
      if (std::exchange(seen_[at(entry.island)], i) != i) ++island.contacts;
      if (rank_[at(entry.unknown)] < 0) rank_[at(entry.unknown)] = island.touched++;
    }
  }
  int contacts = 0, touched = 0, responses = 0;
  for (Island& island : islands_) {
    island.first_contact = contacts;
    island.first_touched = touched;
    island.first_response = responses;
    contacts += island.contacts;
    touched += island.touched;
    responses += island.touched * island.contacts;
  }
  contacts_of_.resize(at(contacts));
  touched_.resize(at(touched));
  responses_.resize(at(responses));
  cursor_.assign(islands_.size(), 0);
  seen_.assign(islands_.size(), -1);
  for (int i = 0; i < contacts_; ++i) {
    for (const Entry& entry : entries(i)) {
      const Island& island = islands_[at(entry.island)];
      touched_[at(island.first_touched + rank_[at(entry.unknown)])] = entry.unknown;
      if (std::exchange(seen_[at(entry.island)], i) != i)
        contacts_of_[at(island.first_contact + cursor_[at(entry.island)]++)] = i;
    }
  }
}

// The response of an island to unit impulses at one of its contacts.
void ContactResponse::respond(int contact, int place_of_contact, const Island& island, int number) {
  mine_.clear();
  for (const Entry& entry : entries(contact))
    if (entry.island == number) mine_.push_back(&entry);
  Vector3* const responses = &responses_[at(island.first_response + place_of_contact)];
  const int size = solver_->island_size(number);
  if (size == 1)
    *responses = solver_->reciprocal(number) * mine_.front()->value;
  else if (size <= IslandSolver::kSmall)
    respond_by_inverse(island, number, responses);
  else
    respond_by_factors(island, number, responses);
}

void ContactResponse::respond_by_inverse(const Island& island, int number, Vector3* responses) {
  const Matrix& inverse = solver_->inverse(number);
  for (int rank = 0; rank < island.touched; ++rank) {
    const int row = solver_->place_in_island(touched_[at(island.first_touched + rank)]);
    Vector3 sum = Vector3::Zero();
    for (const Entry* entry : mine_)
      sum += inverse(row, solver_->place_in_island(entry->unknown)) * entry->value;
    responses[rank * island.contacts] = sum;
  }
}

void ContactResponse::respond_by_factors(const Island& island, int number, Vector3* responses) {
  Vector& x = solver_->scratch(number);
  for (int direction = 0; direction < 3; ++direction) {
    x.setZero();
    for (const Entry* entry : mine_)
      x(solver_->place_in_island(entry->unknown)) = entry->value(direction);
    if (!x.isZero(0.0)) solver_->solve_scratch(number);  // a direction may be missing
    for (int rank = 0; rank < island.touched; ++rank)
      responses[rank * island.contacts](direction) =
          x(solver_->place_in_island(touched_[at(island.first_touched + rank)]));
  }
}

void ContactResponse::fill_row(int contact, BlockMatrix3& W) {
  columns_.assign(1, contact);
  seen_[at(contact)] = contact;
  for (const Entry& entry : entries(contact)) {
    const Island& island = islands_[at(entry.island)];
    for (int c = 0; c < island.contacts; ++c) {
      const int other = contacts_of_[at(island.first_contact + c)];
      if (std::exchange(seen_[at(other)], contact) != contact) columns_.push_back(other);
    }
  }
  std::sort(columns_.begin(), columns_.end());
  for (std::size_t k = 0; k < columns_.size(); ++k)
    place_[at(columns_[k])] = static_cast<int>(k);
  const std::span<Matrix3> row = W.next_row(columns_);
  for (const Entry& entry : entries(contact)) {
    const Island& island = islands_[at(entry.island)];
    const int first = island.first_response + rank_[at(entry.unknown)] * island.contacts;
    for (int c = 0; c < island.contacts; ++c)
      row[at(place_[at(contacts_of_[at(island.first_contact + c)])])].noalias() +=
          entry.value * responses_[at(first + c)].transpose();
  }
  auto driven = std::lower_bound(driven_.begin(), driven_.end(), 3 * contact,
                                 [](const Driven& it, int first) { return it.row < first; });
  for (; driven != driven_.end() && driven->row / 3 == contact; ++driven) {
    const int d = driven->row % 3;
    for (Matrix3& block : row)
      block.row(d).setZero();
    row[at(place_[at(contact)])](d, d) = driven->response;
  }
}

void ContactResponse::add(const Vector& p, Vector& x) const {
  moved_.setZero(solver_->size());
  for (int i = 0; i < contacts_; ++i)
    for (const Entry& entry : entries(i))
      moved_(entry.unknown) += entry.value.dot(p.segment<3>(3 * i));
  for (int k = 0; k < solver_->islands(); ++k) {
    const std::span<const int> members = solver_->members(k);
    if (islands_[at(k)].touched == 0) continue;
    if (members.size() == 1) {
      x(members[0]) += solver_->reciprocal(k) * moved_(members[0]);
      continue;
    }
    Vector& local = solver_->scratch(k);
    for (std::size_t i = 0; i < members.size(); ++i)
      local(static_cast<int>(i)) = moved_(members[i]);
    solver_->solve_scratch(k);
    for (std::size_t i = 0; i < members.size(); ++i)
      x(members[i]) += local(static_cast<int>(i));
  }
}

}  // namespace picus
