// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "picus/base/fields.h"
#include "picus/solvers/contact_solver.h"

namespace picus {

/// One line of the catalog of contact solvers.
struct ContactSolverEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<ContactSolver> (*make)(const OptionValues& options);
  std::vector<FieldDescription> (*options)();
};

/// Every contact solver, from the simplest to the most elaborate.
std::span<const ContactSolverEntry> contact_solver_catalog();

/// Makes a solver by name. Throws InputError for unknown names and options.
std::unique_ptr<ContactSolver> make_contact_solver(std::string_view name,
                                                   const OptionValues& options = {});

}  // namespace picus
