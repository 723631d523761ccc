// SPDX-License-Identifier: BSD-3-Clause
// picus verify: how far the numbers of a run may be trusted.
#include "picus/runs/verify.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/verify.h"
#include "apps/picus/progress.h"
#include "apps/picus/stop_signals.h"
#include "apps/picus/terminal.h"
#include "picus/results/result_file.h"
#include "picus/runs/equilibrium.h"
#include "picus/runs/recorded_run.h"

namespace picus::app {
namespace {

struct VerifyArguments {
  std::string file;
  std::vector<std::string> set, channels;
  bool quiet = false, json = false, one_method = false;
};

bool is_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(8, '\0');
  file.read(head.data(), 8);
  return file && head == "\x89HDF\r\n\x1a\n";
}

// How far the numbers of the file are from those of the same run made now: those of the end.
std::string comparison_with_file(const ResultFile& result, const Verification& verification,
                                 const Trace& now) {
  if (verification.channels.empty() || result.samples() == 0 || now.times.empty()) return {};
  const double time = result.times().back();
  if (std::abs(time - now.times.back()) > 1e-9 * std::abs(time))
    return fmt::format("the file ends at t = {:.6g} s, before the end of its run\n", time);
  double worst = 0.0;
  std::string where;
  for (std::size_t c = 0; c < now.channels.size(); ++c) {
    const auto trust =
        std::find_if(verification.channels.begin(), verification.channels.end(),
                     [&](const ChannelTrust& t) { return t.channel == now.channels[c].name; });
    if (trust == verification.channels.end()) continue;
    const double difference =
        std::abs(result.column(trust->channel).back() - now.columns[c].back()) / trust->largest;
    if (difference <= worst) continue;
    worst = difference;
    where = trust->channel;
  }
  if (worst <= 1e-12) return "the file agrees with the same run repeated now\n";
  return fmt::format(
      "the file differs from the same run repeated now: {} by {:.0e} of its size at the end\n",
      where, worst);
}

int verify_file(const VerifyArguments& arguments) {
  std::optional<ResultFile> result;
  if (is_result(arguments.file)) {
    if (!arguments.set.empty())
      throw InputError("--set does not apply to a result; verify its model to use other values");
    result.emplace(arguments.file);
  }
  const LoadedModel loaded =
      result ? recorded_model(result->header()) : load_model(arguments.file, arguments.set);
  const RunPlan plan = result ? recorded_plan(result->header()) : plan_of(loaded);
  const Start start = start_of(loaded);
  if (!start.consistency.ok()) {
    print_message("picus: {}: {}\n", arguments.file, start.consistency.message);
    return kFailed;
  }
  VerifyPrinting printing{arguments.channels, !arguments.one_method, arguments.quiet,
                          arguments.json};
  if (result) {
    printing.after = [&](const Verification& verification) {
      const Trace now = trace_run(loaded, start, plan, {.channels = arguments.channels});
      return comparison_with_file(*result, verification, now);
    };
  }
  return verify_and_tell(loaded, start, plan, printing);
}

}  // namespace

int verify_and_tell(const LoadedModel& loaded, const Start& start, const RunPlan& plan,
                    const VerifyPrinting& printing) {
  const StopSignals signals;
  std::unique_ptr<Progress> progress;
  long steps = 0, iterations = 0;
  VerifyOptions options{.channels = printing.channels,
                        .by_another_method = printing.by_another_method};
  options.begin = [&](const RunPlan& next) {
    if (progress) progress->clear();
    progress = std::make_unique<Progress>(start.state.time, next.end_time, printing.quiet);
    steps = iterations = 0;
  };
  options.watch = [&](const Moment& moment) {
    steps += moment.is_first() ? 0 : 1;
    iterations += moment.report.newton_iterations;
    progress->update(moment.state.time, moment.h, steps, iterations);
    return stop_signal() == 0;
  };
  const Verification verification = verify(loaded, start, plan, options);
  if (progress) progress->clear();
  if (printing.json) {
    fmt::print("{}\n", to_json(verification));
  } else if (!printing.quiet) {
    fmt::print("{}", to_text(verification, !printing.channels.empty()));
    if (printing.after && !verification.was_interrupted)
      fmt::print("{}", printing.after(verification));
  }
  if (verification.was_interrupted) return kSignalled + stop_signal();
  if (verification.ok()) return kSuccess;
  print_message("picus: not verified: {}\n", verification.problem());
  return kFailed;
}

void describe_verify(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<VerifyArguments>();
  verb.add_option("FILE", arguments->file, "Model (.yaml) or result (.h5)")->required();
  verb.add_option("-c,--channels", arguments->channels,
                  "Channels, by name or pattern such as 'joints.*.force.?'; default: positions, "
                  "velocities, joint reactions, energies")
      ->take_all();
  verb.add_option("-s,--set", arguments->set, "Override a value of a model: L=2")->take_all();
  verb.add_flag("--one-method", arguments->one_method, "Skip the check with another method");
  verb.add_flag("--json", arguments->json, "Print as JSON");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.footer(fmt::format(
      "Runs the model again with a tenth of the tolerance, or half the step, and with a method "
      "of\nanother family. Reports the observed global error of every channel and how many digits "
      "to\nquote. Fails if a channel has no correct digit or if the methods disagree.\n\n"
      "Examples:\n  picus verify models/pendulum.yaml\n"
      "  picus verify run.h5 --channels 'joints.*' 'energy.total'\n\n{}",
      kExitCodes));
  verb.callback([arguments, &code] { code = verify_file(*arguments); });
}

}  // namespace picus::app
