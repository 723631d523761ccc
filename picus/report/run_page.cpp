// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/run_page.h"

#include <fmt/format.h>

#include "picus/base/output_file.h"
#include "picus/report/encoding.h"
#include "picus/report/page_template.h"

namespace picus::report {
namespace {

constexpr const char* kTitleMark = "<!--picus:title-->";
constexpr const char* kData = "<!--picus:data-->";

std::string page_with(std::string_view title, const std::string& data) {
  return filled(filled(run_template(), kTitleMark, escaped(title)), kData, data);
}

std::string data_of(const ResultFile& result, const PayloadOptions& options) {
  return "<script id=\"data\" type=\"text/plain\">" + base64(payload_of(result, options)) +
         "</script>";
}

std::string second_of(const ResultFile& other, const std::string& name,
                      const PayloadOptions& options) {
  return fmt::format("<script id=\"second\" type=\"text/plain\" data-name=\"{}\">{}</script>",
                     escaped(name), base64(payload_of(other, options)));
}

constexpr const char* kLive = "<script id=\"live\" type=\"text/plain\"></script>";

}  // namespace

std::string run_page(const ResultFile& result, const PayloadOptions& options) {
  run_template();  // without it the work would be in vain
  return page_with(result.header().model_name + " – Picus", data_of(result, options));
}

std::string comparing_page(const ResultFile& result, const ResultFile& other,
                           const std::string& name, const PayloadOptions& options) {
  run_template();
  return page_with(result.header().model_name + " – Picus",
                   data_of(result, options) + second_of(other, name, options));
}

void write_page(const std::string& page, const std::filesystem::path& path) {
  std::error_code trouble;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), trouble);
  write_file(path, page);
}

std::string live_page() {
  return page_with("Picus", kLive);
}

std::string live_page(const ResultFile& other, const std::string& name,
                      const PayloadOptions& options) {
  run_template();
  return page_with("Picus", kLive + second_of(other, name, options));
}

}  // namespace picus::report
