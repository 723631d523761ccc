// SPDX-License-Identifier: BSD-3-Clause
// picus export: a result as CSV or for ParaView.
#include <iostream>
#include <map>
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
#include "picus/results/export_events.h"
#include "picus/results/export_vtk.h"
#include "picus/results/impact.h"

namespace picus::app {
namespace {

struct ExportArguments {
  std::string result, csv, vtk, impacts, events;
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

// Writes a table of events to a file, or to the terminal.
void write_log(const ResultFile& result, const std::string& path, const char* what, bool quiet,
               void (*write)(const std::vector<Event>&, std::ostream&)) {
  if (path == "-") {
    write(result.events(), std::cout);
    std::cout.flush();
    return;
  }
  OutputFile file(path);
  write(result.events(), file.stream());
  file.commit();
  if (!quiet) fmt::print("wrote the {} to {}\n", what, path);
}

// All of them before the first is written.
void guard_outputs(const ExportArguments& arguments) {
  std::map<std::string, const char*> written;
  for (const auto& [option, table] :
       {std::pair("--csv", arguments.csv), std::pair("--impacts", arguments.impacts),
        std::pair("--events", arguments.events)}) {
    if (table.empty() || table == "-") continue;
    guard_output({table, OutputKind::kTable}, {arguments.result}, arguments.force);
    if (const auto [other, is_new] = written.emplace(table, option); !is_new)
      throw InputError(
          fmt::format("{} and {} name the same file, '{}'", other->second, option, table));
  }
  if (!arguments.vtk.empty())
    guard_paraview_folder(arguments.vtk, VtkOptions{}.name, arguments.force);
}

int export_result(const ExportArguments& arguments) {
  if (arguments.csv.empty() && arguments.vtk.empty() && arguments.impacts.empty() &&
      arguments.events.empty())
    throw InputError(
        "nothing to do: give --csv FILE (- for the terminal), --events FILE, --impacts FILE or "
        "--vtk FOLDER");
  if (!arguments.channels.empty() && arguments.csv.empty())
    throw InputError("--channels chooses the columns of a table: it needs --csv");
  const ResultFile result(arguments.result);
  guard_outputs(arguments);
  if (!arguments.csv.empty()) write_csv(result, arguments);
  if (!arguments.impacts.empty())
    write_log(result, arguments.impacts, "impacts", arguments.quiet, export_impacts);
  if (!arguments.events.empty())
    write_log(result, arguments.events, "events", arguments.quiet, export_events);
  const int code = report_damage(arguments.result, result.damage());
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
  verb.add_option("--events", arguments->events,
                  "Write all events (CSV) to this file: impact, stick, slip, opens, closes, "
                  "restart; - for standard output");
  verb.add_option("--vtk", arguments->vtk, "Write files for ParaView into this folder");
  verb.add_option("-c,--channels", arguments->channels,
                  "Columns of the table, by name or pattern: * matches any characters, ? one; "
                  "'not PATTERN' leaves out")
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
      "  picus export bouncing_ball.h5 --impacts impacts.csv --events events.csv\n\n"
      "'picus info RESULT --channels' lists the channels.\n");
  verb.callback([arguments, &code] { code = export_result(*arguments); });
}

}  // namespace picus::app
