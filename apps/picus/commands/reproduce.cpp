// SPDX-License-Identifier: BSD-3-Clause
// picus reproduce: repeat experiments of the papers.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/commands/lists.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/report/run_page.h"
#include "studies/catalog.h"
#include "studies/page.h"

namespace picus::app {
namespace {

using studies::Report;
using studies::StudyEntry;

constexpr const char* kAll = "all";

struct ReproduceArguments {
  std::vector<std::string> studies;
  std::string out = "picus-results";
  bool list = false, quiet = false, report = false, force = false;
};

// A line that is replaced by the next one; only on terminals.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet)
      : active_(!quiet && is_terminal(stderr) && is_terminal(stdout)) {}
  void show(const std::string& text) {
    if (!active_) return;
    print_message("\r\033[K{}", text);
    std::fflush(stderr);
  }
  void clear() { show(""); }

 private:
  bool active_;
};

std::vector<const StudyEntry*> chosen_studies(const std::vector<std::string>& ids) {
  std::vector<const StudyEntry*> chosen;
  for (const std::string& id : ids) {
    if (id == kAll) {
      for (const StudyEntry& study : studies::study_catalog())
        chosen.push_back(&study);
    } else {
      chosen.push_back(&studies::find_study(id));
    }
  }
  return chosen;
}

// Pages of the studies that ran, and a gallery of all whose results are in the folder.
void write_pages(const std::vector<report::StudyPage>& pages, const std::filesystem::path& folder,
                 bool quiet) {
  for (const report::StudyPage& page : pages)
    report::write_page(report::study_page(page), folder / page.id / "index.html");
  std::vector<report::StudyPage> all;
  for (const StudyEntry& study : studies::study_catalog()) {
    const auto own = std::find_if(pages.begin(), pages.end(), [&](const report::StudyPage& page) {
      return page.id == study.id;
    });
    if (own != pages.end())
      all.push_back(*own);
    else if (std::filesystem::exists(folder / study.id / "index.html"))
      if (auto before = studies::page_in(folder / study.id)) all.push_back(std::move(*before));
  }
  report::write_page(report::gallery_page(all), folder / "index.html");
  if (!quiet) fmt::print("pages in {}\n", (folder / "index.html").string());
}

// Runs one study, writes its files and prints its claims; false when one does not hold.
bool reproduce_one(const StudyEntry& study, const std::filesystem::path& folder, bool quiet,
                   std::vector<report::StudyPage>& pages) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  Report report;
  study.run(report);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const studies::ReportHeader header{study.id, study.paper, study.title, seconds};
  studies::write_report(report, header, folder);
  pages.push_back(studies::page_of(report, header));
  if (quiet) return report.holds();

  const bool terminal = is_terminal(stdout);
  fmt::print("{}{}  [{}] {}\n", terminal ? "\r\033[K" : "",
             toned(std::string(study.id), Tone::kBold, stdout), study.paper, study.title);
  fmt::print("{}", studies::claims_table(report, terminal));
  const auto holding = std::count_if(report.claims().begin(), report.claims().end(),
                                     [](const auto& claim) { return claim.holds; });
  fmt::print("  {} of {} claims hold, {:.1f} s, files in {}\n\n", holding, report.claims().size(),
             seconds, folder.string());
  std::fflush(stdout);
  return report.holds();
}

int reproduce(const ReproduceArguments& arguments) {
  const auto chosen = chosen_studies(arguments.studies);
  for (const StudyEntry* study : chosen)
    guard_study_folder(std::filesystem::path(arguments.out) / study->id, std::string(study->id),
                       arguments.force);
  if (arguments.report)
    guard_output({std::filesystem::path(arguments.out) / "index.html", OutputKind::kPage}, {},
                 arguments.force);
  ProgressLine progress(arguments.quiet);
  std::vector<std::string_view> failed;
  std::vector<report::StudyPage> pages;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    progress.show(fmt::format("[{}/{}] {} …", i + 1, chosen.size(), chosen[i]->id));
    const auto folder = std::filesystem::path(arguments.out) / chosen[i]->id;
    if (!reproduce_one(*chosen[i], folder, arguments.quiet, pages)) failed.push_back(chosen[i]->id);
  }
  progress.clear();
  if (arguments.report) write_pages(pages, arguments.out, arguments.quiet);
  for (const std::string_view id : failed)
    print_message("picus: {}: a claim does not hold\n", id);
  return failed.empty() ? kSuccess : kFailed;
}

}  // namespace

void describe_reproduce(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<ReproduceArguments>();
  verb.add_option("ID", arguments->studies, "Studies to run, or 'all'");
  verb.add_option("-o,--out", arguments->out,
                  "Folder for curves (.csv), figures (.svg), summary.json")
      ->capture_default_str();
  verb.add_flag("--report", arguments->report,
                "Also write a page per study (ID/index.html) and a gallery (index.html)");
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("-l,--list", arguments->list, "List the studies and exit");
  verb.add_flag("-q,--quiet", arguments->quiet, "Print failed claims only");
  verb.footer(
      fmt::format("Examples:\n  picus reproduce --list\n  picus reproduce soi2-order\n"
                  "  picus reproduce pendulum-constraints pendulum-disturbed --out results\n"
                  "  picus reproduce all --report\n\n{}",
                  kExitCodes));
  verb.callback([arguments, &code] {
    if (arguments->list) {
      show_list("studies", "");
      return;
    }
    if (studies::study_catalog().empty())
      throw InputError("this program was built without the studies; './dev build' adds them");
    if (arguments->studies.empty())
      throw InputError("no study given; try 'picus reproduce --list' or 'picus reproduce all'");
    code = reproduce(*arguments);
  });
}

}  // namespace picus::app
