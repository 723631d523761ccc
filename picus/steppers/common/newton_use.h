// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What steppers that solve their equations by Newton's method share.

#include "picus/math/block_matrix.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// Throws InputError when an option is out of its range.
void check_newton(const NewtonOptions& options);

/// Counts and status of a step. On failure `row` becomes the row of the matrix to blame; it is -1
/// otherwise.
StepReport report_of(const NewtonReport& newton, const BlockMatrix& matrix, int& row);

}  // namespace picus
