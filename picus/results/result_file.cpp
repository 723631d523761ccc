// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/result_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/results/hdf5_file.h"
#include "picus/results/layout.h"

namespace picus {
namespace {

// The signature of HDF5; where a file begins with something else it is another format.
bool is_hdf5(const std::string& path) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  std::string begin(kSignature.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file && begin == kSignature;
}

void check_readable(const std::string& path) {
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    throw InputError(fmt::format("result file '{}' does not exist", path));
  if (std::filesystem::is_directory(path, problem))
    throw InputError(fmt::format("'{}' is a folder, expected a result file", path));
  if (!std::ifstream(path))
    throw InputError(fmt::format("result file '{}' cannot be opened: {}", path,
                                 std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
  if (!is_hdf5(path))
    throw InputError(fmt::format("'{}' is not a result file: it is not in HDF5 format", path));
}

InputError damaged(const std::string& path, const hdf5::Failure& failure) {
  return InputError(
      fmt::format("result file '{}' is truncated or damaged: {}", path, failure.what()));
}

std::string text_of(const char* bytes, std::size_t size) {
  return {bytes, strnlen(bytes, size)};
}

}  // namespace

class ResultFile::Content {
 public:
  explicit Content(const std::string& path) : path_(path) {
    check_readable(path);
    try {
      file_ = hdf5::File::open(path);
      check_format();
      read_header();
      read_times();
      read_summary();
    } catch (const hdf5::Failure& failure) {
      throw damaged(path, failure);
    }
  }

  std::vector<double> column(std::string_view channel) const {
    const auto found = place_.find(std::string(channel));
    if (found == place_.end()) throw unknown_channel(channels_, channel);
    std::vector<double> values(times_.size());
    const Place& place = found->second;
    try {
      if (!values.empty())
        tables_[place.quantity].read_column(place.number, values.size(), values.data());
    } catch (const hdf5::Failure& failure) {
      throw damaged(path_, failure);
    }
    return values;
  }

  void read(std::size_t quantity, long first, long count, std::vector<double>& values) const {
    const auto width = static_cast<std::size_t>(header_.quantities[quantity].width());
    values.resize(static_cast<std::size_t>(count) * width);
    if (count == 0) return;
    try {
      tables_[quantity].read(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count),
                             values.data());
    } catch (const hdf5::Failure& failure) {
      throw damaged(path_, failure);
    }
  }

  std::vector<Event> events() const {
    std::vector<hdf5::EventRow> rows;
    try {
      const hdf5::Table table = file_.table(layout::kEvents, hdf5::Entry::kEvent);
      rows.resize(table.rows());
      if (!rows.empty()) table.read(0, rows.size(), rows.data());
    } catch (const hdf5::Failure& failure) {
      throw damaged(path_, failure);
    }
    std::vector<Event> events;
    for (const hdf5::EventRow& row : rows) {
      if (std::isnan(row.time)) break;  // cut short by the end of the process
      const std::string kind = text_of(row.kind, sizeof row.kind);
      const std::string text = text_of(row.text, sizeof row.text);
      if (kind.empty() && !events.empty())
        events.back().text += text;
      else
        events.push_back({row.time, kind, text});
    }
    return events;
  }

  const ResultHeader& header() const { return header_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<std::string>& channels() const { return channels_; }
  const std::string& summary() const { return summary_; }

 private:
  struct Place {
    std::size_t quantity;
    std::uint64_t number;  // in a sample of the quantity
  };

  void check_format() const {
    if (!file_.has(layout::kFormat) || !file_.has(layout::kVersion))
      throw InputError(
          fmt::format("'{}' is an HDF5 file, but not a result of Picus: it has no attribute '{}'",
                      path_, file_.has(layout::kFormat) ? layout::kVersion : layout::kFormat));
    const long format = file_.integer(layout::kFormat);
    if (format > layout::kFormatVersion)
      throw InputError(fmt::format(
          "result file '{}' has format {}, written by Picus {}; this program reads up to format {}",
          path_, format, file_.text(layout::kVersion), layout::kFormatVersion));
  }

  void read_header() {
    header_.version = file_.text(layout::kVersion);
    header_.created = file_.text(layout::kCreated);
    header_.model_name = file_.text(layout::kModelName);
    header_.model_text = file_.text(layout::kModelText);
    header_.options = file_.text(layout::kOptions);
    header_.integrator = file_.text(layout::kIntegrator);
    header_.scene = file_.text(layout::kScene);
    for (const std::string& path : file_.texts(layout::kQuantities))
      read_quantity(path);
  }

  void read_quantity(const std::string& path) {
    hdf5::Table table = file_.table(path, hdf5::Entry::kNumber);
    const std::size_t slash = path.find('/');
    Quantity quantity{
        path.substr(0, slash),       slash == std::string::npos ? "" : path.substr(slash + 1),
        table.texts(layout::kItems), table.texts(layout::kComponents),
        table.text(layout::kUnit),   table.text(layout::kMeaning)};
    const std::vector<std::uint64_t>& shape = table.shape();
    if (shape.size() != 3 || shape[1] != std::max<std::size_t>(1, quantity.items.size()) ||
        shape[2] != std::max<std::size_t>(1, quantity.components.size()))
      throw hdf5::Failure(fmt::format("the shape of '{}' is not that of its names", path));
    std::uint64_t number = 0;
    for (std::string& channel : channel_names(quantity)) {
      place_.emplace(channel, Place{tables_.size(), number++});
      channels_.push_back(std::move(channel));
    }
    tables_.push_back(std::move(table));
    header_.quantities.push_back(std::move(quantity));
  }

  // Times are written last; where a crash left one unwritten the samples end.
  void read_times() {
    const hdf5::Table table = file_.table(layout::kTime, hdf5::Entry::kNumber);
    std::uint64_t samples = table.rows();
    for (const hdf5::Table& quantity : tables_)
      samples = std::min(samples, quantity.rows());
    times_.resize(samples);
    if (samples > 0) table.read(0, samples, times_.data());
    times_.erase(std::find_if(times_.begin(), times_.end(), [](double t) { return std::isnan(t); }),
                 times_.end());
  }

  void read_summary() {
    const hdf5::Table table = file_.table(layout::kSummary, hdf5::Entry::kByte);
    summary_.resize(table.rows());
    if (!summary_.empty()) table.read(0, summary_.size(), summary_.data());
    if (summary_.find('\0') != std::string::npos) summary_.clear();  // not all of it is there
  }

  std::string path_;
  hdf5::File file_;
  ResultHeader header_;
  std::vector<hdf5::Table> tables_;
  std::vector<double> times_;
  std::vector<std::string> channels_;
  std::unordered_map<std::string, Place> place_;
  std::string summary_;
};

ResultFile::ResultFile(const std::string& path) : content_(std::make_unique<Content>(path)) {}
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;
ResultFile::~ResultFile() = default;

const ResultHeader& ResultFile::header() const {
  return content_->header();
}

long ResultFile::samples() const {
  return static_cast<long>(content_->times().size());
}

const std::vector<double>& ResultFile::times() const {
  return content_->times();
}

const std::vector<std::string>& ResultFile::channels() const {
  return content_->channels();
}

std::vector<double> ResultFile::column(std::string_view channel) const {
  return content_->column(channel);
}

void ResultFile::read(std::size_t quantity, long first, long count,
                      std::vector<double>& values) const {
  expects(quantity < header().quantities.size(), "the quantity is one of the header");
  expects(first >= 0 && count >= 0 && first + count <= samples(), "the samples exist");
  content_->read(quantity, first, count, values);
}

bool ResultFile::is_complete() const {
  return !summary().empty();
}

const std::string& ResultFile::summary() const {
  return content_->summary();
}

std::vector<Event> ResultFile::events() const {
  return content_->events();
}

}  // namespace picus
