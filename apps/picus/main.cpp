// SPDX-License-Identifier: BSD-3-Clause
// The command line: reads arguments, calls the library, turns outcomes into exit codes.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/picus/commands/commands.h"
#include "picus/picus.h"
#include "studies/catalog.h"

namespace {

using picus::studies::Report;
using picus::studies::StudyEntry;

// The words of the command line.
constexpr const char* kList = "list";
constexpr const char* kSteppers = "steppers";
constexpr const char* kStudies = "studies";
constexpr const char* kReproduce = "reproduce";
constexpr const char* kAll = "all";
constexpr const char* kResults = "picus-results";

enum ExitCode { kSuccess = 0, kClaimFailed = 1, kBadUsage = 2, kInternalError = 3 };

constexpr const char* kExitCodes =
    "Exit codes:\n"
    "  0  everything went well; every claim holds\n"
    "  1  a claim of a study does not hold\n"
    "  2  bad usage: unknown command, option, stepper or study; a folder that cannot be written\n"
    "  3  internal error: please report it\n";

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) != 0;
}

// A line that is replaced by the next one; only on terminals.
class ProgressLine {
 public:
  void show(const std::string& text) {
    if (!active_) return;
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  void clear() { show(""); }

 private:
  bool active_ = is_terminal(stderr) && is_terminal(stdout);
};

template <class Entries, class Name>
std::size_t longest(const Entries& entries, Name name) {
  std::size_t width = 0;
  for (const auto& entry : entries)
    width = std::max(width, name(entry).size());
  return width;
}

void list_steppers() {
  const auto catalog = picus::stepper_catalog();
  const std::size_t width = longest(catalog, [](const auto& entry) { return entry.name; });
  for (const picus::StepperEntry& entry : catalog)
    fmt::print("{:<{}}  {}\n", entry.name, width, entry.summary);
}

void list_options(const std::string& name) {
  picus::make_stepper(name);  // refuses unknown names, with a suggestion
  for (const picus::StepperEntry& entry : picus::stepper_catalog()) {
    if (entry.name != name) continue;
    const auto options = entry.options();
    const std::size_t width = longest(options, [](const auto& option) { return option.name; });
    const std::size_t defaults = std::max<std::size_t>(
        7, longest(options, [](const auto& option) { return option.default_value; }));
    fmt::print("{}: {}\n\n  {:<{}}  {:<{}}  meaning\n", entry.name, entry.summary, "option", width,
               "default", defaults);
    for (const picus::FieldDescription& option : options)
      fmt::print("  {:<{}}  {:<{}}  {}\n", option.name, width, option.default_value, defaults,
                 option.meaning);
  }
}

void list_studies() {
  const auto catalog = picus::studies::study_catalog();
  const std::size_t width = longest(catalog, [](const auto& study) { return study.id; });
  const std::size_t papers = longest(catalog, [](const auto& study) { return study.paper; });
  for (const StudyEntry& study : catalog)
    fmt::print("{:<{}}  {:<{}}  {}\n", study.id, width, study.paper, papers, study.title);
}

std::vector<const StudyEntry*> chosen_studies(const std::vector<std::string>& ids) {
  std::vector<const StudyEntry*> chosen;
  for (const std::string& id : ids) {
    if (id == kAll) {
      for (const StudyEntry& study : picus::studies::study_catalog())
        chosen.push_back(&study);
    } else {
      chosen.push_back(&picus::studies::find_study(id));
    }
  }
  return chosen;
}

// Runs one study, writes its files and prints its claims; false when one does not hold.
bool reproduce_one(const StudyEntry& study, const std::filesystem::path& folder) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Report report;
  study.run(report);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  picus::studies::write_report(report, {study.id, study.paper, study.title, seconds}, folder);

  const bool terminal = is_terminal(stdout);
  fmt::print("{}{}{}  [{}] {}\n", terminal ? "\r\033[K\033[1m" : "", study.id,
             terminal ? "\033[0m" : "", study.paper, study.title);
  fmt::print("{}", picus::studies::claims_table(report, terminal));
  const auto holding = std::count_if(report.claims().begin(), report.claims().end(),
                                     [](const auto& claim) { return claim.holds; });
  fmt::print("  {} of {} claims hold, {:.1f} s, files in {}\n\n", holding, report.claims().size(),
             seconds, folder.string());
  std::fflush(stdout);
  return report.holds();
}

int reproduce(const std::vector<std::string>& ids, const std::string& out) {
  const auto chosen = chosen_studies(ids);
  ProgressLine progress;
  std::vector<std::string_view> failed;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    progress.show(fmt::format("[{}/{}] {} …", i + 1, chosen.size(), chosen[i]->id));
    if (!reproduce_one(*chosen[i], std::filesystem::path(out) / chosen[i]->id))
      failed.push_back(chosen[i]->id);
  }
  progress.clear();
  if (failed.empty()) return kSuccess;
  for (const std::string_view id : failed)
    fmt::print(stderr, "picus: {}: a claim does not hold\n", id);
  return kClaimFailed;
}

struct Arguments {
  std::string stepper;
  std::vector<std::string> studies;
  std::string out = kResults;
  bool list = false;
};

void describe_list(CLI::App& app, Arguments& arguments) {
  CLI::App* list = app.add_subcommand(kList, "Show what there is: steppers or studies");
  list->require_subcommand(1);
  list->footer(
      "Examples:\n  picus list steppers\n  picus list steppers hht_i3\n  picus list studies\n");
  CLI::App* steppers = list->add_subcommand(kSteppers, "The integration methods");
  steppers->add_option("NAME", arguments.stepper, "Show the options of this stepper");
  steppers->footer("Examples:\n  picus list steppers\n  picus list steppers soi2\n");
  steppers->callback([&arguments] {
    if (arguments.stepper.empty())
      list_steppers();
    else
      list_options(arguments.stepper);
  });
  CLI::App* studies = list->add_subcommand(kStudies, "The experiments of the papers");
  studies->footer("Example:\n  picus list studies\n");
  studies->callback(list_studies);
}

void describe_reproduce(CLI::App& app, Arguments& arguments, int& code) {
  CLI::App* reproduce_verb =
      app.add_subcommand(kReproduce, "Repeat experiments of the papers and check their claims");
  reproduce_verb->add_option("ID", arguments.studies, "Studies to run, or 'all'");
  reproduce_verb
      ->add_option("-o,--out", arguments.out,
                   "Folder for curves (.csv), figures (.svg), summary.json")
      ->capture_default_str();
  reproduce_verb->add_flag("-l,--list", arguments.list, "Show the studies and stop");
  reproduce_verb->footer(
      fmt::format("Examples:\n  picus reproduce --list\n  picus reproduce soi2-order\n"
                  "  picus reproduce pendulum-constraints pendulum-disturbed --out results\n"
                  "  picus reproduce all\n\n{}",
                  kExitCodes));
  reproduce_verb->callback([&arguments, &code] {
    if (arguments.list) return list_studies();
    if (arguments.studies.empty())
      throw picus::InputError(
          "no study given; try 'picus reproduce --list' or 'picus reproduce all'");
    code = reproduce(arguments.studies, arguments.out);
  });
}

// The parser would only say that a command is missing.
void refuse_unknown_words(const std::vector<std::string_view>& words) {
  constexpr std::array<std::string_view, 3> kVerbs{"run", kList, kReproduce};
  constexpr std::array<std::string_view, 2> kLists{kSteppers, kStudies};
  const auto check = [&](std::size_t index, const char* kind, const auto& known) {
    if (index >= words.size() || words[index].starts_with('-')) return;
    if (std::find(known.begin(), known.end(), words[index]) == known.end())
      throw picus::InputError(picus::unknown_name(kind, words[index], known));
  };
  check(0, "command", kVerbs);
  if (!words.empty() && words[0] == kList) check(1, "list", kLists);
}

int run(int argc, char** argv) {
  refuse_unknown_words({argv + 1, argv + argc});
  CLI::App app{"Picus simulates flexible multibody systems", "picus"};
  app.set_version_flag("--version", fmt::format("picus {}", picus::version()));
  app.require_subcommand(1);
  app.footer(
      fmt::format("Examples:\n  picus list steppers\n  picus reproduce all --out results\n"
                  "  picus reproduce --help\n\n{}",
                  kExitCodes));
  Arguments arguments;
  int code = kSuccess;
  picus::app::add_run(app, code);
  describe_list(app, arguments);
  describe_reproduce(app, arguments, code);
  if (argc == 1) {
    fmt::print("{}", app.help());
    return kSuccess;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kSuccess : kBadUsage;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const picus::InputError& error) {
    fmt::print(stderr, "picus: {}\n", error.what());
    return kBadUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "picus: internal error: {}\n", error.what());
    return kInternalError;
  }
}
