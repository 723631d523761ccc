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
      : make_(std::move(make)), spare_(make_()) {}  // which complains of its options now

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    const auto place = static_cast<std::size_t>(problem.contacts());
    std::unique_ptr<ContactSolver>& solver = solvers_[std::min(place, solvers_.size() - 1)];
    if (!solver) solver = spare_ ? std::move(spare_) : make_();
    solver->set_patience(patience_);
    return solver->solve(problem, p);
  }
  void set_patience(Patience patience) override { patience_ = patience; }

 private:
  std::function<std::unique_ptr<ContactSolver>()> make_;
  Patience patience_ = Patience::kAll;
  std::unique_ptr<ContactSolver> spare_;                                   ///< for the first size
  std::array<std::unique_ptr<ContactSolver>, kKeptContacts + 2> solvers_;  ///< by contacts
};

}  // namespace

std::unique_ptr<ContactSolver> make_sized_contact_solver(
    std::function<std::unique_ptr<ContactSolver>()> make) {
  return std::make_unique<SizedContactSolver>(std::move(make));
}

}  // namespace picus
