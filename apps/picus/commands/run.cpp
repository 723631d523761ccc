// SPDX-License-Identifier: BSD-3-Clause
// picus run: integrate a model and write its result.
#include "picus/runs/run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/verify.h"
#include "apps/picus/findings.h"
#include "apps/picus/model_arguments.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/progress.h"
#include "apps/picus/stop_signals.h"
#include "apps/picus/terminal.h"
#include "picus/base/output_file.h"
#include "picus/base/text.h"
#include "picus/report/run_page.h"
#include "picus/runs/equilibrium.h"
#include "picus/runs/penetrations.h"
#include "picus/runs/suspicions.h"

namespace picus::app {
namespace {

struct RunArguments : ModelArguments {
  std::string out;
  std::vector<std::string> options, record;
  std::string integrator, audit;
  double end_time = 0.0, tolerance = 0.0, step = 0.0, interval = 0.0;
  bool quiet = false, verbose = false, json = false, no_output = false, report = false,
       force = false, verify = false;
};

void override_run(const RunArguments& arguments, const CLI::App& verb, RunPart& run) {
  if (!arguments.integrator.empty()) run.integrator = {arguments.integrator, {}};
  if (verb.count("--end") > 0) run.end_time = arguments.end_time;
  if (verb.count("--tolerance") > 0) run.tolerance = arguments.tolerance;
  if (verb.count("--step") > 0) run.step = arguments.step;
  // problems are told at their place: the command line, which has none
  if (verb.count("--tolerance") + verb.count("--step") + verb.count("--end") +
          verb.count("--record") >
      0)
    run.place = {};
  if (verb.count("--interval") > 0) run.output_interval = arguments.interval;
  if (!arguments.record.empty()) run.record = arguments.record;
  if (!arguments.audit.empty()) fields::assign(run.audit, "--audit", arguments.audit);
  for (const std::string& option : arguments.options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw InputError(fmt::format("--option: found '{}', expected name=value", option));
    run.options.push_back({option.substr(0, equals), {}, option.substr(equals + 1)});
  }
}

void report_start(const Start& start, const RunPlan& plan, bool verbose) {
  if (verbose)
    print_message("{}: {}\n", plan.name(), plan.reason);
  else if (!plan.brief.empty())
    print_message("{}\n", plan.brief);
  for (const auto* notes : {&plan.notes, &start.notes})
    for (const std::string& note : *notes)
      print_message("note: {}\n", note);
  if (start.moved.empty()) return;
  const MovedBody& first = start.moved.front();
  print_message("assembly moved {}, {} most: {:.3g} m and {:.3g} rad\n",
                counted(static_cast<long>(start.moved.size()), "body", "bodies"), first.name,
                first.distance, first.angle);
}

// Those of the files, and what looks like a slip of the pen; 'picus check' tells all.
void report_warnings(const LoadedModel& loaded) {
  if (!loaded.diagnostics.empty())
    print_message("{}\n", loaded.diagnostics.text(loaded.document.files));
  std::vector<Finding> findings = suspicions_of(loaded);
  std::erase_if(findings, [](const Finding& f) { return f.level != Finding::Level::kWarning; });
  print_message("{}", to_text(findings, stderr));
}

std::string result_path(const RunArguments& arguments) {
  if (!arguments.out.empty()) return arguments.out;
  return std::filesystem::path(arguments.model).filename().replace_extension(".h5").string();
}

// Integrates, records and shows progress.
RunOutcome integrate(const Mechanism& mechanism, const Start& start, const RunPlan& plan,
                     MechanismRecord& record, ResultWriter* writer, bool quiet) {
  const StopSignals signals;
  Progress progress(start.state.time, plan.end_time, quiet);
  long steps = 0, iterations = 0;
  RunOutcome outcome = run_mechanism(
      mechanism, start, plan,
      [&](const Sample& sample) {
        if (writer != nullptr) writer->append(sample.state.time, record.values(sample));
      },
      [&](const Moment& moment) {
        steps += moment.is_first() ? 0 : 1;
        iterations += moment.report.newton_iterations;
        progress.update(moment.state.time, moment.h, steps, iterations);
        return stop_signal() == 0;
      },
      [&](const Event& event) {
        if (writer != nullptr) writer->log_event(event.time, event.kind, event.text);
      });
  progress.clear();
  if (writer != nullptr) writer->finish(to_json(outcome, plan));
  return outcome;
}

void report_outcome(const RunArguments& arguments, const RunOutcome& outcome, const RunPlan& plan) {
  if (arguments.json) {
    fmt::print("{}\n", to_json(outcome, plan));
    return;
  }
  if (arguments.quiet) return;
  for (const std::string& note : outcome.summary.notes)
    print_message("note: {}\n", note);
  if (outcome.summary.ending != Summary::Ending::kAudit)
    for (const std::string& warning : outcome.audit.warnings)
      print_message("warning: audit: {}\n", warning);
  if (arguments.verbose)
    fmt::print("{}{}\n{}", to_text(outcome), outcome.audit.text, details_of(outcome));
  fmt::print("{}{}\n", headline_of(outcome),
             arguments.no_output ? "" : "; result in " + result_path(arguments));
}

std::filesystem::path page_path(const RunArguments& arguments) {
  return std::filesystem::path(result_path(arguments)).replace_extension(".html");
}

// Before the run: what cannot be kept need not be computed.
void guard_outputs(const RunArguments& arguments, const LoadedModel& loaded) {
  if (arguments.no_output) return;
  std::vector<std::string> inputs;
  for (const SourceFile& file : loaded.document.files)
    inputs.push_back(file.name);
  guard_output({result_path(arguments), OutputKind::kResult}, inputs, arguments.force);
  if (arguments.report)
    guard_output({page_path(arguments), OutputKind::kPage}, inputs, arguments.force);
}

void write_report(const RunArguments& arguments) {
  const std::filesystem::path path = page_path(arguments);
  report::write_page(report::run_page(ResultFile(result_path(arguments))), path);
  if (!arguments.quiet) print_message("wrote {}\n", path.string());
}

// What a run that could not write on has left.
std::string kept_samples(const std::string& path) {
  try {
    const ResultFile result(path);
    if (result.samples() > 0)
      return fmt::format("the file holds the samples up to t = {:.6g} s", result.times().back());
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): told below
  }
  return "the file holds no samples";
}

int run_model(const RunArguments& arguments, const CLI::App& verb) {
  if (arguments.report && arguments.no_output)
    throw InputError("--report needs the result file: remove --no-output");
  LoadedModel loaded = arguments.load();
  guard_outputs(arguments, loaded);
  override_run(arguments, verb, loaded.model.run);
  if (!arguments.quiet) report_warnings(loaded);
  const Mechanism& mechanism = *loaded.mechanism;
  const RunPlan plan = plan_of(loaded, !arguments.integrator.empty());
  const Start start = start_of(loaded);
  if (!start.consistency.ok()) {
    print_message("picus: {}: {}\n", arguments.model, start.consistency.message);
    return kFailed;
  }
  if (!arguments.quiet) {
    report_start(start, plan, arguments.verbose);
    for (const std::string& penetration : penetrations_of(mechanism, start.state))
      print_message("warning: {}\n", penetration);
  }

  const std::unique_ptr<MechanismRecord> record = record_of(loaded);
  if (const std::string note = note_on_record(loaded, *record); !note.empty() && !arguments.quiet)
    print_message("note: {}\n", note);
  std::optional<ResultWriter> writer;
  if (!arguments.no_output)
    writer.emplace(result_path(arguments), header_of(loaded, plan, *record));
  RunOutcome outcome;
  try {
    outcome =
        integrate(mechanism, start, plan, *record, writer ? &*writer : nullptr, arguments.quiet);
  } catch (const WriteError& error) {
    writer.reset();
    throw WriteError(
        fmt::format("{}. The run stopped; {}", error.what(), kept_samples(result_path(arguments))));
  }
  writer.reset();
  report_outcome(arguments, outcome, plan);
  if (arguments.report) write_report(arguments);
  if (!outcome.summary.ok()) {
    print_message("picus: {}\n", outcome.summary.message);
    const std::string advice = advice_of(outcome, plan);
    if (!advice.empty()) print_message("picus: what to try: {}\n", advice);
    return kFailed;
  }
  if (stop_signal() != 0) return kSignalled + stop_signal();
  if (!arguments.verify) return kSuccess;
  return verify_and_tell(loaded, start, plan,
                         {.channels = {}, .quiet = arguments.quiet, .json = arguments.json});
}

}  // namespace

void describe_run(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<RunArguments>();
  verb.add_option("MODEL", arguments->model, "Model file (.yaml)")->required();
  verb.add_option("-o,--out", arguments->out,
                  "Result file; default: MODEL with .h5, in this folder");
  describe_model_options(verb, *arguments);
  verb.add_option("-i,--integrator", arguments->integrator,
                  "auto, or a name from 'picus list integrators'");
  verb.add_option("--option", arguments->options, "Option of the integrator, name=value")
      ->take_all();
  verb.add_option("-e,--end", arguments->end_time, "End time [s]");
  verb.add_option("-t,--tolerance", arguments->tolerance,
                  "Tolerance: the local error each step may have");
  verb.add_option("--step", arguments->step, "Constant step size [s]; 0 for error control");
  verb.add_option("--interval", arguments->interval,
                  "Time between samples [s]; 0 for 500 samples, negative for every step");
  verb.add_option("--record", arguments->record,
                  "Channels that the result keeps, by patterns: 'joints.*', 'not solver.*'; "
                  "default: all")
      ->take_all();
  verb.add_option(
      "--audit", arguments->audit,
      "Audit: fail stops a run that violates its laws, warn reports it, off does not check");
  verb.add_flag("--no-output", arguments->no_output, "Do not write a result file");
  verb.add_flag("--report", arguments->report,
                "Also write a page that shows the run, next to the result (.html)");
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("--verify", arguments->verify,
                "Then run again, more accurately and with another method, and report the error of "
                "every channel ('picus verify')");
  verb.add_flag("--json", arguments->json, "Print the summary as JSON");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.add_flag(
      "-v,--verbose", arguments->verbose,
      "Also print why this integrator, what the tolerance means, counts and sizes of steps");
  verb.footer(fmt::format(
      "Examples:\n  picus run models/pendulum.yaml\n"
      "  picus run models/pendulum.yaml -o run.h5 --set L=2 --tolerance 1e-6\n"
      "  picus run model.yaml --integrator soi2 --step 1e-3 --option rho=0.8\n\n"
      "Ctrl-C and SIGTERM stop a run cleanly: the result file keeps every sample so far.\n\n"
      "{}",
      kExitCodes));
  verb.callback([arguments, &verb, &code] { code = run_model(*arguments, verb); });
}

}  // namespace picus::app
