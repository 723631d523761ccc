// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/sized_contact_solver.h"

#include <algorithm>
#include <array>
#include <utility>

namespace picus {
namespace {

class SizedContactSolver final : public ContactSolver {
 public:
  explicit SizedContactSolver(std::function<std::unique_ptr<ContactSolver>()> make)
      : make_(std::move(make)), first_(make_()) {}  // which complains of its options now

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    const auto size = static_cast<std::size_t>(problem.contacts());
    std::unique_ptr<ContactSolver>& solver = solvers_[std::min(size, solvers_.size() - 1)];
    if (!solver) solver = first_ ? std::move(first_) : make_();
    solver->set_search_effort(search_effort_);
    return solver->solve(problem, p);
  }
  void set_search_effort(SearchEffort effort) override { search_effort_ = effort; }

 private:
  std::function<std::unique_ptr<ContactSolver>()> make_;
  SearchEffort search_effort_ = SearchEffort::kUnlimited;
  std::unique_ptr<ContactSolver> first_;                                   ///< for the first size
  std::array<std::unique_ptr<ContactSolver>, kKeptContacts + 2> solvers_;  ///< by contacts
};

}  // namespace

std::unique_ptr<ContactSolver> make_sized_contact_solver(
    std::function<std::unique_ptr<ContactSolver>()> make) {
  return std::make_unique<SizedContactSolver>(std::move(make));
}

}  // namespace picus
