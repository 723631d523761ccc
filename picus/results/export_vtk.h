// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "picus/results/export_csv.h"
#include "picus/results/result_file.h"

namespace picus {

struct VtkOptions {
  SampleChoice samples;
  std::string name = "run";  ///< of the files: run.pvd, run_bodies_000000.vtp, …
  bool scene = true;         ///< also surfaces and lines, when the result has a scene
};

/// Writes files for ParaView into a folder, made when it is missing: one .pvd that lists a .vtp of
/// points (one per body) and, with a scene, a .vtp of surfaces for every chosen sample. Throws
/// InputError when the result has no "bodies/position", the scene cannot be read, or a file cannot
/// be written.
void export_vtk(const ResultFile& result, const VtkOptions& options, const std::string& folder);

}  // namespace picus
