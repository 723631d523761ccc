// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A folder of broken model files, each of which says in its head what must be said about it:
//
//   # expect: 3:7: unknown key 'mas'; did you mean 'mass'?
//
// One line for each message, in order; "other.yaml:3:7: …" for a place in another file of the
// folder. The messages must be these and no others.

#include <functional>
#include <string>

namespace picus::testing {

/// Calls `messages` with the path of every .yaml file directly in `folder`, and compares the lines
/// it returns (Diagnostics::text) with those expected. Fails when there are fewer than `at_least`
/// files.
void expect_messages_of_folder(const std::string& folder, int at_least,
                               const std::function<std::string(const std::string& path)>& messages);

}  // namespace picus::testing
