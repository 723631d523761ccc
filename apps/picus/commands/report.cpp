// SPDX-License-Identifier: BSD-3-Clause
// picus report: a result as one HTML page, or pictures and films of it.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "apps/picus/commands/commands.h"
#include "apps/picus/overwrite.h"
#include "apps/picus/terminal.h"
#include "picus/base/error.h"
#include "picus/base/passing_folder.h"
#include "picus/report/browser.h"
#include "picus/report/run_page.h"

namespace picus::app {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string result, other, out, snapshot, film, size;
  double seconds = 6.0;
  bool dark = false, whole_page = false, quiet = false, force = false;
};

// "t=0.5", "0.5" or "0:0.5".
double number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw InputError(fmt::format("{}: found '{}', expected a number", option, text));
  return value;
}

void set_size(const std::string& text, int& width, int& height) {
  if (text.empty()) return;
  constexpr int kMost = 4096;
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos)
    throw InputError(fmt::format("--size: found '{}', expected WIDTHxHEIGHT", text));
  width = static_cast<int>(number("--size", text.substr(0, cross)));
  height = static_cast<int>(number("--size", text.substr(cross + 1)));
  if (width < 64 || height < 64 || width > kMost || height > kMost)
    throw InputError(fmt::format("--size: found '{}', expected 64 to {} pixels", text, kMost));
}

void expect_samples(const std::string& path, const ResultFile& result) {
  if (result.samples() == 0)
    throw InputError(fmt::format("'{}' has no samples: there is nothing to show", path));
}

// Where to write; it may be written there.
fs::path output(const ReportArguments& arguments, OutputKind kind, const char* extension) {
  const fs::path path = arguments.out.empty()
                            ? fs::path(arguments.result).filename().replace_extension(extension)
                            : fs::path(arguments.out);
  std::vector<std::string> inputs{arguments.result};
  if (!arguments.other.empty()) inputs.push_back(arguments.other);
  guard_output({path, kind}, inputs, arguments.force);
  return path;
}

// The page, with the other run beside it if there is one.
std::string page_of(const ReportArguments& arguments, const ResultFile& result) {
  if (arguments.other.empty()) return report::run_page(result);
  const ResultFile other(arguments.other);
  expect_samples(arguments.other, other);
  return report::comparing_page(result, other, fs::path(arguments.other).stem().string());
}

// A page that lives as long as its pictures are made.
class PassingPage {
 public:
  PassingPage(const ReportArguments& arguments, const ResultFile& result) {
    report::write_page(page_of(arguments, result), path());
  }
  fs::path path() const { return folder_.path() / "page.html"; }

 private:
  PassingFolder folder_;
};

// A time of the run.
double time_in(const char* option, double time, const ResultFile& result) {
  const double begin = result.times().front(), end = result.times().back();
  const double slack = 1e-9 * (end - begin);
  if (!(time >= begin - slack && time <= end + slack))
    throw InputError(fmt::format("{}: found {:g} s, but the run goes from {:g} to {:g} s", option,
                                 time, begin, end));
  return time;
}

void expect_extension(const fs::path& path, const char* what,
                      std::initializer_list<const char*> known) {
  for (const char* extension : known)
    if (path.extension() == extension) return;
  throw InputError(fmt::format("{} is {}, found '{}'", what, fmt::join(known, " or "),
                               path.filename().string()));
}

fs::path write_snapshot(const ReportArguments& arguments, const ResultFile& result) {
  const std::string& when = arguments.snapshot;
  report::PictureOptions options{
      .time = time_in("--snapshot",
                      number("--snapshot", when.starts_with("t=") ? when.substr(2) : when), result),
      .dark = arguments.dark,
      .whole_page = arguments.whole_page};
  if (arguments.whole_page) options.width = 1366, options.height = 768;
  set_size(arguments.size, options.width, options.height);
  const fs::path path = output(arguments, OutputKind::kPicture, ".png");
  expect_extension(path, "a snapshot", {".png"});
  report::write_picture(PassingPage(arguments, result).path(), options, path);
  return path;
}

fs::path write_film(const ReportArguments& arguments, const ResultFile& result) {
  report::FilmOptions options{.seconds = arguments.seconds, .dark = arguments.dark};
  const std::size_t colon = arguments.film.find(':');
  if (arguments.film != "all") {
    if (colon == std::string::npos)
      throw InputError(
          fmt::format("--film: found '{}', expected BEGIN:END in seconds, or all", arguments.film));
    options.begin = number("--film", arguments.film.substr(0, colon));
    options.end = number("--film", arguments.film.substr(colon + 1));
    if (!(options.begin < options.end))
      throw InputError("--film: expected an end after the beginning");
    time_in("--film", options.begin, result);
    time_in("--film", options.end, result);
  }
  set_size(arguments.size, options.width, options.height);
  const fs::path path = output(arguments, OutputKind::kFilm, ".webm");
  expect_extension(path, "a film", {".webm", ".gif"});
  report::write_film(PassingPage(arguments, result).path(), options, path);
  return path;
}

int report_result(const ReportArguments& arguments) {
  if (!arguments.snapshot.empty() && !arguments.film.empty())
    throw InputError("--snapshot and --film exclude each other: run the command twice");
  if (arguments.whole_page && arguments.snapshot.empty())
    throw InputError("--page needs --snapshot: it takes a picture of the whole page");
  const ResultFile result(arguments.result);
  expect_samples(arguments.result, result);
  fs::path path;
  if (!arguments.snapshot.empty()) {
    path = write_snapshot(arguments, result);
  } else if (!arguments.film.empty()) {
    path = write_film(arguments, result);
  } else {
    path = output(arguments, OutputKind::kPage, ".html");
    report::write_page(page_of(arguments, result), path);
  }
  if (!arguments.quiet && fs::is_regular_file(path))
    fmt::print("{} ({:.1f} MB)\n", path.string(), 1e-6 * static_cast<double>(fs::file_size(path)));
  return report_damage(arguments.result, result.damage());
}

}  // namespace

void describe_report(CLI::App& verb, int& code) {
  auto arguments = std::make_shared<ReportArguments>();
  verb.add_option("RESULT", arguments->result, "Result file (.h5)")->required();
  verb.add_option("OTHER", arguments->other,
                  "Another result to compare with: dashed curves, bodies of glass or side by side");
  verb.add_option("-o,--out", arguments->out,
                  "File to write; default: RESULT with .html, .png or .webm, in this folder");
  verb.add_option("--snapshot", arguments->snapshot,
                  "Write a picture at this time [s] instead: t=0.5 (needs Chromium)");
  verb.add_option("--film", arguments->film,
                  "Write a film instead: BEGIN:END [s], or all; .webm or .gif (needs Chromium)");
  verb.add_option("--seconds", arguments->seconds, "Playing time of the film [s]")
      ->capture_default_str();
  verb.add_option("--size", arguments->size, "Size of pictures and films, WIDTHxHEIGHT in pixels");
  verb.add_flag("--page", arguments->whole_page,
                "Take the snapshot of the whole page, with its plots");
  verb.add_flag("--dark", arguments->dark, "Use the dark theme");
  verb.add_flag("--force", arguments->force, kForceHelp);
  verb.add_flag("-q,--quiet", arguments->quiet, "Print errors only");
  verb.footer(
      "Examples:\n  picus report slider_crank.h5\n"
      "  picus report fine.h5 coarse.h5 -o both.html\n"
      "  picus report slider_crank.h5 --snapshot t=0.5 -o crank.png\n"
      "  picus report slider_crank.h5 --film 0:1 --size 480x300 -o crank.gif\n\n"
      "The page is one file: it opens from disk, needs no network and fits in an e-mail.\n");
  verb.callback([arguments, &code] { code = report_result(*arguments); });
}

}  // namespace picus::app
