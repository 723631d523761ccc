// SPDX-License-Identifier: BSD-3-Clause
#include "apps/picus/findings.h"

#include <algorithm>

#include <fmt/format.h>

#include "apps/picus/terminal.h"
#include "picus/base/text.h"

namespace picus::app {
namespace {

constexpr std::size_t kShownFindings = 50;

std::string word_of(Finding::Level level, std::FILE* stream) {
  switch (level) {
    case Finding::Level::kError:
      return toned("error", Tone::kError, stream);
    case Finding::Level::kWarning:
      return toned("warning", Tone::kWarning, stream);
    default:
      return "note";
  }
}

}  // namespace

std::string to_text(const std::vector<Finding>& findings, std::FILE* stream, std::size_t indent) {
  const std::string blanks(indent, ' ');
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownFindings, findings.size()); ++i)
    text += fmt::format("{}{}: {}\n", blanks, word_of(findings[i].level, stream),
                        printable(findings[i].text));
  if (findings.size() > kShownFindings)
    text += fmt::format("{}… and {} more\n", blanks, findings.size() - kShownFindings);
  return text;
}

}  // namespace picus::app
