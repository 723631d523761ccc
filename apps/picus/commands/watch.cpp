// SPDX-License-Identifier: BSD-3-Clause
// picus watch: runs a model again whenever its files change.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/live_server.h"
#include "apps/picus/model_watch.h"
#include "picus/base/error.h"
#include "picus/report/run_page.h"

namespace picus::app {
namespace {

struct WatchArguments : ModelArguments {
  std::string integrator;
  double end_time = 0.0;
  int port = 0;
  bool no_browser = false;
};

void watch_model(const WatchArguments& arguments, const CLI::App& verb) {
  if (!std::filesystem::is_regular_file(arguments.model))
    throw InputError(fmt::format("'{}' does not exist or is not a file", arguments.model));
  std::vector<std::string> options;
  if (!arguments.integrator.empty()) options = {"--integrator", arguments.integrator};
  if (verb.count("--end") > 0)
    options.insert(options.end(), {"--end", fmt::format("{}", arguments.end_time)});
  const ModelArguments& model = arguments;
  const ModelWatch watch(model, options);
  LiveServer server([&] { return watch.source(); }, arguments.port, report::live_page());
  serve(server, arguments.model, arguments.no_browser);
}

}  // namespace

void describe_watch(CLI::App& verb, int&) {
  auto arguments = std::make_shared<WatchArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  describe_model_options(verb, *arguments);
  verb.add_option("-i,--integrator", arguments->integrator,
                  "auto, or a name from 'picus list integrators'");
  verb.add_option("-e,--end", arguments->end_time, "End time [s]");
  verb.add_option("--port", arguments->port, "Port on this machine; 0 for any free port")
      ->capture_default_str();
  verb.add_flag("--no-browser", arguments->no_browser, "Only print the address");
  verb.footer(
      "Examples:\n  picus watch pendulum.yaml\n  picus watch pendulum.yaml --set L=2\n\n"
      "Picus checks and runs the model when you save it or a file that it reads. The page keeps "
      "its "
      "camera, time and plots. Errors appear on the page and here; the page then shows the last "
      "run. Results are deleted at the end; 'picus run' keeps them.\n");
  verb.callback([arguments, &verb] { watch_model(*arguments, verb); });
}

}  // namespace picus::app
