// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Everything a program that uses Picus needs.

#include "picus/base/error.h"                   // IWYU pragma: export
#include "picus/base/version.h"                 // IWYU pragma: export
#include "picus/dynamics/consistent_state.h"    // IWYU pragma: export
#include "picus/dynamics/equation_system.h"     // IWYU pragma: export
#include "picus/results/export_csv.h"           // IWYU pragma: export
#include "picus/results/export_vtk.h"           // IWYU pragma: export
#include "picus/results/result_file.h"          // IWYU pragma: export
#include "picus/results/result_writer.h"        // IWYU pragma: export
#include "picus/simulation/adaptive_step.h"     // IWYU pragma: export
#include "picus/simulation/choose.h"            // IWYU pragma: export
#include "picus/simulation/recorder.h"          // IWYU pragma: export
#include "picus/simulation/simulate.h"          // IWYU pragma: export
#include "picus/simulation/switching_search.h"  // IWYU pragma: export
#include "picus/solvers/contact_catalog.h"      // IWYU pragma: export
#include "picus/steppers/alpha_methods.h"       // IWYU pragma: export
#include "picus/steppers/catalog.h"             // IWYU pragma: export
#include "picus/steppers/extrapolation.h"       // IWYU pragma: export
