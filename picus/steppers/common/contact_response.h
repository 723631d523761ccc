// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What impulses at contacts do to contacts: W = J A⁻¹ Jᵀ (Delassus), sparse throughout.
//
// A falls apart into islands: free bodies, mechanisms. An impulse moves the islands that its
// contact touches and no others, so W has blocks for contacts that share an island. Time and memory
// are linear in the number of contacts as long as those on one island are few.

#include <span>
#include <vector>

#include "picus/math/block_matrix.h"
#include "picus/math/block_matrix3.h"

namespace picus {

/// Computes W for a contact problem and applies what impulses do: begin(), add_rows() for each
/// matrix that holds rows of J, fill(); then add() as often as needed while the factors of A last.
class ContactResponse {
 public:
  /// Forgets the rows; J has three for each contact and its columns are the first unknowns of A.
  void begin(int contacts) {
    contacts_ = contacts;
    sources_.clear();
  }
  /// Adds rows of J: row r of `rows` is row place[r] of J, or is left out where that is -1. Both
  /// arguments are on loan until fill().
  void add_rows(const SparseMatrix& rows, std::span<const int> place) {
    sources_.push_back({&rows, place});
  }
  /// W, with A as `matrix` was factorised last.
  void fill(const BlockMatrix& matrix, BlockMatrix3& W);
  /// Rows of J whose velocity no impulse of their own can change, because other equations of A
  /// determine it. What rounding has left of their response is not in W: it is zero along normals,
  /// and a small part of that of free bodies along tangents, where friction has a limit.
  struct Driven {
    int row;
    double response;  ///< of its own in W
  };
  std::span<const Driven> driven() const { return driven_; }
  /// x += A⁻¹ Jᵀ p with the matrix of fill(), which has not changed since.
  void add(const Vector& p, Vector& x) const;

 private:
  struct RowSource {
    const SparseMatrix* rows;
    std::span<const int> place;
  };
  /// Entries of Jᵀ: the three directions of a contact at one unknown.
  struct Entry {
    int unknown, island;
    Vector3 value;
  };
  /// What J sees of an island.
  struct Island {
    int contacts = 0, first_contact = 0;  ///< in contacts_of_
    int touched = 0, first_touched = 0;   ///< unknowns with entries in J, in touched_
    int first_response = 0;               ///< in responses_: touched unknowns times contacts
  };

  template <class Visit>
  void for_each_entry(Visit&& visit) const;
  void gather();
  void survey();
  void respond(int contact, int place_of_contact, const Island& island, int number);
  /// `responses` has those of a touched unknown every island.contacts places.
  void respond_by_inverse(const Island& island, int number, Vector3* responses);
  void respond_by_factors(const Island& island, int number, Vector3* responses);
  void fill_row(int contact, BlockMatrix3& W);
  std::span<const Entry> entries(int contact) const;
  void find_driven(int contact, const BlockMatrix& matrix);

  int contacts_ = 0;
  const IslandSolver* solver_ = nullptr;
  std::vector<RowSource> sources_;
  std::vector<int> starts_, cursor_;  ///< of a contact in entries_
  std::vector<Entry> entries_;        ///< contact by contact, ascending unknowns
  std::vector<Island> islands_;       ///< all of the matrix
  std::vector<int> contacts_of_, touched_;
  std::vector<const Entry*> mine_;  ///< of the contact and island under way
  std::vector<int> rank_;           ///< of an unknown among the touched ones of its island, or -1
  std::vector<Vector3> responses_;  ///< A⁻¹ Jᵀ where J has entries
  std::vector<int> seen_;           ///< island or contact → the last visitor
  std::vector<int> columns_, place_;
  std::vector<Driven> driven_;
  mutable Vector moved_;
};

}  // namespace picus
