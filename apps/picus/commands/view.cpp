// SPDX-License-Identifier: BSD-3-Clause
// picus view: shows a result in the browser and follows it while its run goes on.
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/live_server.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/report/run_page.h"
#include "picus/results/result_file.h"

namespace picus::app {
namespace {

struct ViewArguments {
  std::string result, other;
  int port = 0;
  bool no_browser = false;
};

// A run that was started a moment ago writes its file when it has assembled the model.
void wait_for(const std::string& result) {
  constexpr int kTries = 50;
  for (int i = 0; i < kTries && !std::filesystem::exists(result); ++i) {
    if (i == 0) print_message("waiting for {} …\n", result);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

// The other run is shown as it is now.
std::string page_of(const ViewArguments& arguments) {
  if (arguments.other.empty()) return report::live_page();
  const ResultFile other(arguments.other);
  if (other.samples() == 0)
    throw InputError(fmt::format("'{}' has no samples: there is nothing to show", arguments.other));
  return report::live_page(other, std::filesystem::path(arguments.other).stem().string());
}

void view_result(const ViewArguments& arguments) {
  wait_for(arguments.result);
  // A wrong name is told before the browser opens. The file must not stay open: HDF5 would show its
  // present state to whoever opens it again.
  ResultFile(arguments.result).samples();
  LiveServer server([&] { return LiveSource{.result = arguments.result}; }, arguments.port,
                    page_of(arguments));
  serve(server, arguments.result, arguments.no_browser);
}

}  // namespace

void describe_view(CLI::App& verb, int&) {
  auto arguments = std::make_shared<ViewArguments>();
  verb.add_option("RESULT", arguments->result, "Result file (.h5), finished or still growing")
      ->required();
  verb.add_option("OTHER", arguments->other,
                  "Another result to compare with: dashed curves, bodies of glass or side by side");
  verb.add_option("--port", arguments->port, "Port on this machine; 0 for any free one")
      ->capture_default_str();
  verb.add_flag("--no-browser", arguments->no_browser, "Print the address only");
  verb.footer(
      "Examples:\n  picus run models/poly_v_belt.yaml &\n  picus view poly_v_belt.h5\n"
      "  picus view fine.h5 coarse.h5\n\n"
      "The server listens on the loopback interface only: nobody else on the network sees the "
      "page.\n");
  verb.callback([arguments] { view_result(*arguments); });
}

}  // namespace picus::app
