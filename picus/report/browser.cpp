// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/browser.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "picus/base/output_file.h"
#include "picus/base/passing_folder.h"
#include "picus/report/encoding.h"

namespace picus::report {
namespace {

namespace fs = std::filesystem;

// Set to use another browser of the Chromium family.
constexpr const char* kVariable = "PICUS_BROWSER";

std::string find_browser() {
  if (const char* chosen = std::getenv(kVariable))  // NOLINT(concurrency-mt-unsafe)
    return chosen;
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  const std::string folders = path != nullptr ? path : "/usr/bin";
  for (const char* name : {"chromium", "chromium-browser", "google-chrome", "chrome"}) {
    for (std::size_t begin = 0; begin <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', begin), folders.size());
      const fs::path candidate = fs::path(folders.substr(begin, end - begin)) / name;
      if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
      begin = end + 1;
    }
  }
  throw InputError(
      fmt::format("pictures need Chromium, which was not found: install it (Debian: chromium), or "
                  "name a Chromium-based browser in {}",
                  kVariable));
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// What the browser says on standard output.
std::string browse(const fs::path& page, const std::string& wish,
                   const std::vector<std::string>& extra) {
  const PassingFolder profile;
  std::vector<std::string> arguments{find_browser(),
                                     "--headless",
                                     "--disable-gpu",
                                     "--use-angle=swiftshader",
                                     "--enable-unsafe-swiftshader",
                                     "--disable-quic",
                                     "--no-first-run",
                                     "--disable-background-networking",
                                     "--disable-component-update",
                                     "--disable-sync",
                                     "--hide-scrollbars",
                                     "--virtual-time-budget=20000",
                                     "--user-data-dir=" + profile.path().string()};
  if (geteuid() == 0) arguments.emplace_back("--no-sandbox");  // it refuses root otherwise
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  arguments.push_back("file://" + fs::absolute(page).string() + "#" + wish);
  std::string command;
  for (const std::string& argument : arguments)
    command += quoted(argument) + " ";
  command += "2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c): all of it is quoted
  if (pipe == nullptr) throw InputError("cannot start the browser");
  std::string output;
  std::array<char, 1 << 16> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    output.append(buffer.data(), n);
  if (const int code = pclose(pipe); code != 0)
    throw InputError(fmt::format("the browser failed (exit code {})", WEXITSTATUS(code)));
  return output;
}

// A picture of a page.
void shoot(const fs::path& page, const std::string& wish, std::vector<std::string> extra,
           const fs::path& picture) {
  const PassingFolder folder;  // the browser does not tell why it could not write
  const fs::path shot = folder.path() / "picture.png";
  extra.push_back("--screenshot=" + shot.string());
  browse(page, wish, extra);
  std::ifstream file(shot, std::ios::binary);
  if (!file) throw InputError("the browser made no picture");
  OutputFile out(picture);
  out.stream() << file.rdbuf();
  out.commit();
}

const char* theme(bool dark) {
  return dark ? "dark" : "light";
}

std::string unbase64(std::string_view text) {
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = base64_digits().find(c);
    if (digit == std::string_view::npos) continue;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((group >> bits) & 0xFFU);
  }
  return bytes;
}

}  // namespace

void write_picture(const fs::path& page, const PictureOptions& options, const fs::path& picture) {
  shoot(page,
        fmt::format("t={}&theme={}&snapshot={}", options.time, theme(options.dark),
                    options.whole_page ? "page" : "scene"),
        {fmt::format("--window-size={},{}", options.width, options.height)}, picture);
}

void write_drawing(const std::string& svg, const fs::path& picture) {
  const PassingFolder folder;
  const fs::path page = folder.path() / "drawing.html";
  write_file(page, "<!doctype html><style>body{margin:0}svg{display:block}</style>" +
                       svg.substr(svg.find("<svg")));
  const auto size = [&](const char* key) {
    const std::size_t at = svg.find(fmt::format(" {}=\"", key));
    return static_cast<int>(std::ceil(std::strtod(svg.c_str() + svg.find('"', at) + 1, nullptr)));
  };
  shoot(page, "",
        {fmt::format("--window-size={},{}", size("width"), size("height")),
         "--force-device-scale-factor=2"},
        picture);
}

void write_film(const fs::path& page, const FilmOptions& options, const fs::path& film) {
  const std::string kind = film.extension() == ".gif" ? "gif" : "webm";
  const std::string document =
      browse(page,
             fmt::format("film={}&theme={}&from={}&to={}&seconds={}&width={}&height={}", kind,
                         theme(options.dark), options.begin, options.end, options.seconds,
                         options.width, options.height),
             {"--dump-dom"});
  // the page leaves the film in its document
  const std::string mark = "<pre id=\"film\">";
  const std::size_t begin = document.find(mark);
  if (begin == std::string::npos)
    throw InputError("the browser produced no film; was the page written by 'picus report'?");
  const std::size_t end = document.find('<', begin + mark.size());
  const std::string content = document.substr(begin + mark.size(), end - begin - mark.size());
  if (content.starts_with("failed:"))
    throw InputError(fmt::format("the browser produced no film: {}", content.substr(7)));
  write_file(film, unbase64(content));
}

}  // namespace picus::report
