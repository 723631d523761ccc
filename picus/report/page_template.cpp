// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/page_template.h"

#include "picus/base/contract.h"
#include "picus/base/error.h"

// Put there by the assembler, see pages.S.in.
extern "C" {
extern const char picus_run_page_begin, picus_run_page_end;
extern const char picus_study_page_begin, picus_study_page_end;
}

namespace picus::report {

std::string_view run_template() {
  const std::string_view page(
      &picus_run_page_begin, static_cast<std::size_t>(&picus_run_page_end - &picus_run_page_begin));
  if (page.empty())
    throw InputError(
        "this picus was built without report pages because Node.js or npm was missing. Install "
        "them "
        "(Debian: nodejs, npm), then configure and build again");
  return page;
}

std::string_view study_template() {
  return {&picus_study_page_begin,
          static_cast<std::size_t>(&picus_study_page_end - &picus_study_page_begin)};
}

std::string filled(std::string_view page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  expects(at != std::string_view::npos, "the template has the mark");
  std::string result;
  result.reserve(page.size() + text.size());
  result.append(page.substr(0, at)).append(text).append(page.substr(at + mark.size()));
  return result;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace picus::report
