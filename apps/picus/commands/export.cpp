// SPDX-License-Identifier: BSD-3-Clause
// picus export: a result as CSV or for ParaView.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/terminal.h"
#include "picus/base/output_file.h"
#include "picus/results/export_csv.h"
#include "picus/results/export_vtk.h"
#include "picus/results/impact.h"

namespace picus::app {
namespace {

struct ExportArguments {
  std::string result, csv, vtk, impacts;
  std::vector<std::string> channels;
  SampleChoice samples;
  bool quiet = false, force = false;
};

void write_csv(const ResultFile& result, const ExportArguments& arguments) {
  const CsvOptions options{arguments.channels, arguments.samples};
  if (arguments.csv == "-") {
    export_csv(result, options, std::cout);
    std::cout.flush();
    return;
  }
  // a bad pattern must not leave an empty file behind
  chosen_channels(result.channels(), arguments.channels);
  chosen_samples(result, arguments.samples);
  OutputFile file(arguments.csv);
  export_csv(result, options, file.stream());
  file.commit();
  if (!arguments.quiet) fmt::print("wrote {}\n", arguments.csv);
}

void write_impacts(const ResultFile& result, const ExportArguments& arguments) {
  if (arguments.impacts == "-") {
    export_impacts(result.events(), std::cout);
    std::cout.flush();
    return;
  }
  OutputFile file(arguments.impacts);
  export_impacts(result.events(), file.stream());
  file.commit();
  if (!arguments.quiet) fmt::print("wrote the impacts to {}\n", arguments.impacts);
}

// All of them before the first is written.
void guard_outputs(const ExportArguments& arguments) {
  for (const std::string& table : {arguments.csv, arguments.impacts})
    if (!table.empty() && table != "-")
      guard_output({table, OutputKind::kTable}, {arguments.result}, arguments.force);
  if (!arguments.csv.empty() && arguments.csv == arguments.impacts && arguments.csv != "-")
    throw InputError(fmt::format("--csv and --impacts name the same file, '{}'", arguments.csv));
  if (!arguments.vtk.empty())
    guard_paraview_folder(arguments.vtk, VtkOptions{}.name, arguments.force);
}

int export_result(const ExportArguments& arguments) {
  if (arguments.csv.empty() && arguments.vtk.empty() && arguments.impacts.empty())
    throw InputError(
        "nothing to do: give --csv FILE (- for the terminal), --impacts FILE or --vtk FOLDER");
  if (!arguments.channels.empty() && arguments.csv.empty())
    throw InputError("--channels chooses the columns of a table: it needs --csv");
  const ResultFile result(arguments.result);
  guard_outputs(arguments);
  if (!arguments.csv.empty()) write_csv(result, arguments);
  if (!arguments.impacts.empty()) write_impacts(result, arguments);
  const int code = tell_damage(arguments.result, result.damage());
  if (arguments.vtk.empty()) return code;
  VtkOptions options;
  options.samples = arguments.samples;
  export_vtk(result, options, arguments.vtk);
  if (!arguments.quiet) fmt::print("open {}/{}.pvd in ParaView\n", arguments.vtk, options.name);
  return code;
}

}  // namespace

void describe_export(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<ExportArguments>();
  verb.add_option("RESULT", arguments->result, "Result file (.h5)")->required();
  verb.add_option("--csv", arguments->csv, "Write a table to this file, - for standard output");
  verb.add_option("--impacts", arguments->impacts,
                  "Write the log of impacts (CSV) to this file, - for standard output");
  verb.add_option("--vtk", arguments->vtk, "Write files for ParaView into this folder");
  verb.add_option("-c,--channels", arguments->channels,
                  "Columns of the table, by name or pattern: * matches any characters, ? one")
      ->take_all();
  verb.add_option("--every", arguments->samples.every, "Take every N-th sample")
      ->capture_default_str();
  verb.add_option("--times", arguments->samples.times,
                  "Take the samples nearest to these times [s], ascending")
      ->take_all();
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.footer(
      "Examples:\n  picus export pendulum.h5 --csv -\n"
      "  picus export pendulum.h5 --csv rod.csv --channels 'bodies.rod.position.?' energy.total\n"
      "  picus export pendulum.h5 --vtk frames --every 5\n"
      "  picus export bouncing_ball.h5 --impacts impacts.csv\n\n"
      "'picus info RESULT --channels' lists the channels.\n");
  verb.callback([arguments, &code] { code = export_result(*arguments); });
}

}  // namespace picus::app
