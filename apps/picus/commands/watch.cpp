// SPDX-License-Identifier: BSD-3-Clause
// picus watch: edit a model and see it move.
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
    throw InputError(fmt::format("'{}' is not there, or is no file", arguments.model));
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
                  "auto, or a name of 'picus list integrators'");
  verb.add_option("-e,--end", arguments->end_time, "End time [s]");
  verb.add_option("--port", arguments->port, "Port on this machine; 0 for any free one")
      ->capture_default_str();
  verb.add_flag("--no-browser", arguments->no_browser, "Only print the address");
  verb.footer(
      "Examples:\n  picus watch pendulum.yaml\n  picus watch pendulum.yaml --set L=2\n\n"
      "The model is checked and run when it, a file it includes or a table it reads is saved. The "
      "page keeps its camera, time and plots. Mistakes are shown on the page and here; the last "
      "run "
      "remains. Results are removed at the end: 'picus run' keeps one.\n");
  verb.callback([arguments, &verb] { watch_model(*arguments, verb); });
}

}  // namespace picus::app
