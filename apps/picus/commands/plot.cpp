// SPDX-License-Identifier: BSD-3-Clause
// picus plot: channels of a result as a figure.
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/base/output_file.h"
#include "picus/report/browser.h"
#include "picus/report/result_plot.h"

namespace picus::app {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  std::string result, out;
  report::ResultPlotOptions options;
  bool quiet = false, force = false;
};

int plot_result(const PlotArguments& arguments) {
  const ResultFile result(arguments.result);
  const std::string svg = report::to_svg(report::plot_of(result, arguments.options));
  if (arguments.out == "-") {
    fmt::print("{}", svg);
    return report_damage(arguments.result, result.damage());
  }
  const fs::path path = arguments.out.empty()
                            ? fs::path(arguments.result).filename().replace_extension(".svg")
                            : fs::path(arguments.out);
  const bool is_png = path.extension() == ".png";
  guard_output({path, is_png ? OutputKind::kPicture : OutputKind::kDrawing}, {arguments.result},
               arguments.force);
  if (is_png)
    report::write_drawing(svg, path);
  else
    write_file(path, svg);
  if (!arguments.quiet) fmt::print("plot in {}\n", path.string());
  return report_damage(arguments.result, result.damage());
}

}  // namespace

void describe_plot(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<PlotArguments>();
  report::ResultPlotOptions& options = arguments->options;
  verb.add_option("RESULT", arguments->result, "Result file (.h5)")->required();
  verb.add_option("CHANNELS", options.channels,
                  "Channels to draw; * matches any characters, ? one, 'not PATTERN' leaves out; "
                  "default: 'plots:' of the model");
  verb.add_option("-o,--out", arguments->out,
                  "Output file: .svg, or .png (needs Chromium), or - for standard output; default: "
                  "RESULT.svg in the current folder");
  verb.add_option("-x,--x", options.x, "Channel of the x axis; default: time");
  verb.add_option("--from", options.from, "Start of the plot [s]");
  verb.add_option("--to", options.to, "End of the plot [s]");
  verb.add_flag("--log", options.logarithmic, "Logarithmic y axis");
  verb.add_option("--title", options.title, "Title; default: the name of the model");
  verb.add_option("--width", options.width, "Width of a panel [px]")
      ->capture_default_str()
      ->check(CLI::Range(100, 4000));
  verb.add_option("--height", options.height, "Height of a panel [px]")
      ->capture_default_str()
      ->check(CLI::Range(60, 4000));
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.footer(
      "Examples:\n  picus plot slider_crank.h5 'joints.*.angle' -o angles.svg\n"
      "  picus plot slider_crank.h5 bodies.rod.position.y --x bodies.rod.position.x\n"
      "  picus plot slider_crank.h5 energy --from 0.5 --to 1 -o energy.png\n\n"
      "Each unit gets a panel of its own. 'picus info RESULT' lists the channels.\n");
  verb.callback([arguments, &code] { code = plot_result(*arguments); });
}

}  // namespace picus::app
