// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/result_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <span>
#include <sstream>
#include <unordered_map>

#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/results/checksums.h"
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
      if (!file_.texts_are_whole(layout::kTextChecksums))
        throw hdf5::Failure("its texts (model, names, units) do not match their checksums");
      read_header();
      read_summary();
      read_times();
    } catch (const hdf5::Failure& failure) {
      throw damaged(path, failure);
    }
  }

  std::vector<double> column(std::string_view channel) const {
    const auto found = column_of_.find(std::string(channel));
    if (found == column_of_.end()) throw unknown_channel(channels_, channel);
    std::vector<double> values(times_.size());
    const Column& column = found->second;
    try {
      const std::size_t stored = std::min(values.size(), tail_.first);
      if (stored > 0) tables_[column.quantity].read_column(column.number, stored, values.data());
      for (std::size_t row = stored; row < values.size(); ++row)
        values[row] = tail_.row(column.quantity, row)[column.number];
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
      const auto begin = static_cast<std::size_t>(first);
      const std::size_t end = begin + static_cast<std::size_t>(count);
      const std::size_t stored = std::clamp(tail_.first, begin, end);
      if (stored > begin) tables_[quantity].read(begin, stored - begin, values.data());
      for (std::size_t row = stored; row < end; ++row)
        std::ranges::copy(tail_.row(quantity, row), &values[(row - begin) * width]);
    } catch (const hdf5::Failure& failure) {
      throw damaged(path_, failure);
    }
  }

  std::vector<Event> events() const {
    std::vector<hdf5::EventRow> rows;
    try {
      const hdf5::Table table = file_.table(layout::kEvents, hdf5::Entry::kEvent);
      rows.resize(file_.is_cut() ? readable_rows(table) : table.rows());
      read_events(table, rows);
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
  const std::string& damage() const { return damage_; }

 private:
  struct Column {
    std::size_t quantity;
    std::uint64_t number;  // in a sample of the quantity
  };

  void check_format() {
    if (!file_.has(layout::kFormat) || !file_.has(layout::kVersion))
      throw InputError(
          fmt::format("'{}' is an HDF5 file, but not a Picus result: it has no attribute '{}'",
                      path_, file_.has(layout::kFormat) ? layout::kVersion : layout::kFormat));
    format_ = file_.integer(layout::kFormat);
    if (format_ > layout::kFormatVersion)
      throw InputError(fmt::format(
          "result file '{}' has format {}, written by Picus {}; this program reads up to format {}",
          path_, format_, file_.text(layout::kVersion), layout::kFormatVersion));
  }

  void read_header() {
    header_.version = file_.text(layout::kVersion);
    header_.created = file_.text(layout::kCreated);
    header_.model_name = file_.text(layout::kModelName);
    header_.model_text = file_.text(layout::kModelText);
    header_.options = file_.text(layout::kOptions);
    header_.integrator = file_.text(layout::kIntegrator);
    header_.scene = file_.text(layout::kScene);
    if (file_.has(layout::kFileNames)) read_files();
    for (const std::string& path : file_.texts(layout::kQuantities))
      read_quantity(path);
  }

  void read_files() {
    const std::vector<std::string> names = file_.texts(layout::kFileNames),
                                   texts = file_.texts(layout::kFileTexts);
    for (std::size_t i = 0; i < std::min(names.size(), texts.size()); ++i)
      header_.files.push_back({names[i], texts[i]});
  }

  // The rows of format 1 have items and components, also where there are no names.
  std::vector<std::uint64_t> row_shape(const Quantity& quantity) const {
    std::vector<std::uint64_t> row;
    for (const auto* names : {&quantity.items, &quantity.components})
      if (!names->empty() || format_ == 1) row.push_back(std::max<std::size_t>(1, names->size()));
    return row;
  }

  Quantity quantity_of(const std::string& path, const hdf5::Table& table) const {
    const std::size_t slash = path.find('/');
    const auto text = [&](const char* name) { return table.has(name) ? table.text(name) : ""; };
    Quantity quantity{path.substr(0, slash),
                      slash == std::string::npos ? "" : path.substr(slash + 1),
                      table.texts(layout::kItems),
                      table.texts(layout::kComponents),
                      text(format_ == 1 ? layout::kFormerUnit : layout::kUnits),
                      text(format_ == 1 ? layout::kFormerMeaning : layout::kLongName)};
    std::istringstream words(text(layout::kFlagMeanings));
    for (std::string word; words >> word;)
      quantity.states.push_back(word);
    return quantity;
  }

  void read_quantity(const std::string& path) {
    hdf5::Table table = file_.table(path, hdf5::Entry::kNumber);
    Quantity quantity = quantity_of(path, table);
    if (!quantity.states.empty()) table = file_.table(path, hdf5::Entry::kMode);
    const std::vector<std::uint64_t>& shape = table.shape();
    if (std::vector<std::uint64_t>(shape.begin() + 1, shape.end()) != row_shape(quantity))
      throw hdf5::Failure(fmt::format("the shape of '{}' is not that of its names", path));
    std::uint64_t number = 0;
    for (std::string& channel : channel_names(quantity)) {
      column_of_.emplace(channel, Column{tables_.size(), number++});
      channels_.push_back(std::move(channel));
    }
    tables_.push_back(std::move(table));
    header_.quantities.push_back(std::move(quantity));
  }

  // The last chunk of a file that was not finished, as it lies on disk: it may be met between two
  // states, with a checksum that is not its own. Its samples have checksums of their own.
  struct Tail {
    std::size_t first = std::numeric_limits<std::size_t>::max();  // sample; none
    std::vector<std::vector<double>> rows;                        // of each quantity
    std::vector<std::size_t> widths;

    std::span<const double> row(std::size_t quantity, std::size_t sample) const {
      return std::span(rows[quantity])
          .subspan((sample - first) * widths[quantity], widths[quantity]);
    }
  };

  // Times are written last; where a crash left one unwritten the samples end.
  void read_times() {
    const hdf5::Table table = file_.table(layout::kTime, hdf5::Entry::kNumber);
    std::uint64_t samples = table.rows();
    for (const hdf5::Table& quantity : tables_)
      samples = std::min(samples, quantity.rows());
    if (file_.is_cut()) samples = whole_samples(table, samples);
    times_.resize(samples);
    const bool has_tail = samples > 0 && summary_.empty() && !file_.is_cut();
    const std::uint64_t last =
        has_tail ? (samples - 1) / table.chunk_rows() * table.chunk_rows() : samples;
    if (last > 0) table.read(0, last, times_.data());
    if (has_tail && !read_tail(table, last)) table.read(last, samples - last, &times_[last]);
    times_.erase(std::find_if(times_.begin(), times_.end(), [](double t) { return std::isnan(t); }),
                 times_.end());
    if (tail_.first < times_.size()) check_tail();
  }

  // The entries of a chunk as they lie on disk.
  template <class T>
  static std::vector<double> numbers_of(const std::optional<std::vector<char>>& bytes) {
    std::vector<T> entries(bytes ? bytes->size() / sizeof(T) : 0);
    if (!entries.empty()) std::memcpy(entries.data(), bytes->data(), entries.size() * sizeof(T));
    return {entries.begin(), entries.end()};
  }

  // False when the last chunk was stored for good, or the file has no checksums of samples.
  bool read_tail(const hdf5::Table& times, std::uint64_t first) {
    if (!file_.has_table(layout::kChecksum)) return false;
    const std::vector<double> last_times = numbers_of<double>(times.open_chunk(first));
    if (last_times.empty()) return false;
    const hdf5::Table checksums = file_.table(layout::kChecksum, hdf5::Entry::kChecksum);
    const auto sums = checksums.open_chunk(first);
    if (!sums) return false;
    checksums_.resize(sums->size() / sizeof(std::uint32_t));
    std::memcpy(checksums_.data(), sums->data(), sums->size());
    tail_.first = first;
    for (std::size_t q = 0; q < tables_.size(); ++q) {
      const auto bytes = tables_[q].open_chunk(first);
      tail_.rows.push_back(header_.quantities[q].states.empty() ? numbers_of<double>(bytes)
                                                                : numbers_of<std::int16_t>(bytes));
      tail_.widths.push_back(tail_.rows.back().size() / times.chunk_rows());
      if (tail_.widths.back() == 0) throw hdf5::Failure("a chunk of numbers is missing");
    }
    std::copy_n(last_times.begin(), times_.size() - first, &times_[first]);
    return true;
  }

  void check_tail() {
    for (std::size_t row = tail_.first; row < times_.size(); ++row) {
      std::uint32_t sum = hdf5::checksum_of({&times_[row], 1}, 0);
      for (std::size_t q = 0; q < tables_.size(); ++q)
        sum = hdf5::checksum_of(tail_.row(q, row), sum);
      if (sum == checksums_[row - tail_.first]) continue;
      damage_ =
          fmt::format("sample {} does not match its checksum; the {} samples before it are intact",
                      row + 1, row);
      times_.resize(row);
      return;
    }
  }

  // Of a table in a file that was cut short.
  static std::uint64_t readable_rows(const hdf5::Table& table) {
    std::uint64_t rows = 0;
    while (rows < table.rows()) {
      const std::uint64_t some = std::min(table.chunk_rows(), table.rows() - rows);
      if (!table.is_readable(rows, some)) break;
      rows += some;
    }
    return rows;
  }

  std::uint64_t whole_samples(const hdf5::Table& times, std::uint64_t samples) {
    std::uint64_t whole = std::min(samples, readable_rows(times));
    for (const hdf5::Table& quantity : tables_)
      whole = std::min(whole, readable_rows(quantity));
    damage_ = fmt::format("the file is truncated: {} of {} samples are intact", whole, samples);
    return whole;
  }

  static void read_events(const hdf5::Table& table, std::vector<hdf5::EventRow>& rows) {
    if (rows.empty()) return;
    const std::uint64_t last = (rows.size() - 1) / table.chunk_rows() * table.chunk_rows();
    if (last > 0) table.read(0, last, rows.data());
    if (table.is_readable(last, rows.size() - last)) {
      table.read(last, rows.size() - last, &rows[last]);
      return;
    }
    const auto bytes = table.open_chunk(last);  // between two states; texts, not numbers
    if (!bytes) throw hdf5::Failure("the log of events is damaged");
    std::memcpy(&rows[last], bytes->data(), (rows.size() - last) * sizeof(hdf5::EventRow));
  }

  void read_summary() {
    if (format_ == 1) {
      read_former_summary();
      return;
    }
    const hdf5::Table table = file_.table(layout::kSummary, hdf5::Entry::kText);
    if (file_.is_cut() && !table.is_readable(0, table.rows())) return;
    std::vector<hdf5::TextRow> rows(table.rows());
    if (!rows.empty()) table.read(0, rows.size(), rows.data());
    for (const hdf5::TextRow& row : rows) {
      const std::string text = text_of(row.text, sizeof row.text);
      if (text.empty()) {  // not all of it is there
        summary_.clear();
        return;
      }
      summary_ += text;
    }
  }

  void read_former_summary() {
    const hdf5::Table table = file_.table(layout::kSummary, hdf5::Entry::kByte);
    if (file_.is_cut() && !table.is_readable(0, table.rows())) return;
    summary_.resize(table.rows());
    if (!summary_.empty()) table.read(0, summary_.size(), summary_.data());
    if (summary_.find('\0') != std::string::npos) summary_.clear();  // not all of it is there
  }

  std::string path_;
  hdf5::File file_;
  long format_ = 0;
  ResultHeader header_;
  std::vector<hdf5::Table> tables_;
  std::vector<double> times_;
  std::vector<std::string> channels_;
  std::unordered_map<std::string, Column> column_of_;
  Tail tail_;
  std::vector<std::uint32_t> checksums_;  // of the samples of the tail
  std::string summary_, damage_;
};

bool is_result_file(const std::string& path) {
  if (!is_hdf5(path)) return false;
  try {
    const hdf5::File file = hdf5::File::open(path);
    return file.has(layout::kFormat) && file.has(layout::kVersion);
  } catch (const hdf5::Failure&) {
    return false;
  }
}

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

const std::string& ResultFile::damage() const {
  return content_->damage();
}

std::vector<Event> ResultFile::events() const {
  return content_->events();
}

}  // namespace picus
