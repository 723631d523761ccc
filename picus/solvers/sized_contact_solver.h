// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "picus/solvers/contact_solver.h"

namespace picus {

/// Up to so many contacts, what problems of each size need is kept.
inline constexpr int kKeptContacts = 24;

/// A solver of its own for every number of contacts up to kKeptContacts, and one for all larger
/// ones: contacts that open and close allocate nothing once every number of them has been seen.
std::unique_ptr<ContactSolver> make_sized_contact_solver(
    std::function<std::unique_ptr<ContactSolver>()> make);

}  // namespace picus
