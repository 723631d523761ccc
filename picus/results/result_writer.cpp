// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/result_writer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "picus/base/contract.h"
#include "picus/base/output_file.h"
#include "picus/base/version.h"
#include "picus/results/checksums.h"
#include "picus/results/hdf5_file.h"
#include "picus/results/layout.h"
#include "picus/results/scales.h"

namespace picus {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kFlushInterval = std::chrono::seconds(1);

// Samples are buffered, compressed and stored by the chunk. Small chunks cost bookkeeping, large
// ones memory; kept within these bounds a chunk of all quantities together has about a megabyte.
constexpr std::size_t kChunkBytes = 1 << 20, kFewestRows = 16, kMostRows = 1024;
constexpr std::size_t kEventRows = 64;

std::size_t total_width(const std::vector<Quantity>& quantities) {
  std::size_t width = 0;
  for (const Quantity& quantity : quantities)
    width += static_cast<std::size_t>(quantity.width());
  return width;
}

std::size_t rows_per_chunk(std::size_t width) {
  return std::clamp(kChunkBytes / (sizeof(double) * (width + 1)), kFewestRows, kMostRows);
}

// Groups and names become parts of paths in the file and of names of channels. Names of parts of
// submodels have dots.
void check_name(const Quantity& quantity, const std::string& name, const char* refused) {
  if (name.empty() || name.find_first_of(refused) != std::string::npos || name == ".")
    throw InputError(fmt::format(
        "quantity '{}' of group '{}': group and name must not be empty nor contain '/', "
        "and a group must not contain '.'",
        quantity.name, quantity.group));
}

void check_quantities(const std::vector<Quantity>& quantities) {
  std::set<std::string> seen;
  for (const Quantity& quantity : quantities) {
    check_name(quantity, quantity.group, "./");
    check_name(quantity, quantity.name, "/");
    if (quantity.name == layout::kTime)
      throw InputError(
          fmt::format("quantity '{}' of group '{}': the name is reserved by the format",
                      quantity.name, quantity.group));
    for (const char* reserved :
         {layout::kTime, layout::kChecksum, layout::kEvents, layout::kSummary}) {
      if (quantity.group == reserved)
        throw InputError(fmt::format("quantity '{}': the group name '{}' is reserved by the format",
                                     quantity.name, reserved));
    }
    for (std::string& channel : channel_names(quantity)) {
      if (!seen.insert(channel).second)
        throw InputError(fmt::format("two channels have the name '{}'", channel));
    }
  }
}

std::string path_of(const Quantity& quantity) {
  return quantity.group + "/" + quantity.name;
}

std::string now() {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

void write_attributes(const hdf5::File& file, const ResultHeader& header) {
  const auto put = [&](const char* name, const std::string& text) {
    file.write_text("/", name, text);
  };
  put(layout::kVersion, header.version.empty() ? std::string(version()) : header.version);
  put(layout::kCreated, header.created.empty() ? now() : header.created);
  put(layout::kModelName, header.model_name);
  put(layout::kModelText, header.model_text);
  put(layout::kOptions, header.options);
  put(layout::kIntegrator, header.integrator);
  put(layout::kScene, header.scene);
  std::vector<std::string> paths;
  for (const Quantity& quantity : header.quantities)
    paths.push_back(path_of(quantity));
  file.write_texts("/", layout::kQuantities, paths);
  file.write_integer(layout::kFormat, layout::kFormatVersion);
  std::vector<std::string> names, texts;
  for (const ModelFile& part : header.files) {
    if (part.text.find('\0') != std::string::npos) continue;  // a mesh in binary form is no text
    names.push_back(part.name);
    texts.push_back(part.text);
  }
  file.write_texts("/", layout::kFileNames, names);
  file.write_texts("/", layout::kFileTexts, texts);
}

hdf5::Entry entry_of(const Quantity& quantity) {
  return quantity.states.empty() ? hdf5::Entry::kNumber : hdf5::Entry::kMode;
}

void add_quantity(const hdf5::File& file, const Quantity& quantity, std::size_t chunk_rows) {
  const std::string path = path_of(quantity);
  std::vector<std::uint64_t> row;
  for (const auto* names : {&quantity.items, &quantity.components})
    if (!names->empty()) row.push_back(names->size());
  file.add_table(path, {entry_of(quantity), row, chunk_rows});
  file.write_texts(path, layout::kItems, quantity.items);
  file.write_texts(path, layout::kComponents, quantity.components);
  if (!quantity.unit.empty()) file.write_text(path, layout::kUnits, quantity.unit);
  file.write_text(path, layout::kLongName, quantity.meaning);
  if (quantity.states.empty()) return;
  std::vector<std::int16_t> numbers(quantity.states.size());
  std::iota(numbers.begin(), numbers.end(), std::int16_t{0});
  file.write_modes(path, layout::kFlagValues, numbers);
  file.write_text(path, layout::kFlagMeanings, fmt::format("{}", fmt::join(quantity.states, " ")));
}

// The longest beginning of a text that fits and does not split a character of UTF-8.
std::string_view beginning(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t end = limit;
  while (end > limit - 4 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

// Collects rows of a table and stores them by the chunk. A chunk that had to be stored before it
// was full stays uncompressed, where it is; the last one of all is compressed unless it was.
template <class T>
class Rows {
 public:
  Rows() = default;
  Rows(hdf5::Table table, std::size_t width, std::size_t chunk_rows, const T& blank)
      : table_(std::move(table)),
        width_(width),
        chunk_rows_(chunk_rows),
        blank_(blank),
        chunk_(width * chunk_rows, blank) {}

  bool is_full() const { return filled_ == chunk_rows_; }
  bool has_news() const { return stored_ < filled_; }

  void add(std::span<const T> row) {
    std::copy(row.begin(), row.end(),
              chunk_.begin() + static_cast<std::ptrdiff_t>(filled_ * width_));
    ++filled_;
  }

  void store(bool is_last = false) {
    if (!has_news()) return;
    if ((is_full() || is_last) && stored_ == 0)
      table_.append_chunk(chunk_.data(), filled_);
    else
      table_.put_open_chunk(chunk_.data(), chunk_.size() * sizeof(T), first_, first_ + filled_);
    stored_ = filled_;
    if (!is_full()) return;
    first_ += chunk_rows_;
    filled_ = stored_ = 0;
    std::fill(chunk_.begin(), chunk_.end(), blank_);
  }

  void flush() const { table_.flush(); }

 private:
  hdf5::Table table_;
  std::size_t width_ = 1, chunk_rows_ = 1;
  T blank_{};
  std::vector<T> chunk_;
  std::size_t first_ = 0;   // row of the table where the chunk begins
  std::size_t filled_ = 0;  // rows in the chunk
  std::size_t stored_ = 0;  // of these, in the file
};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

}  // namespace

class ResultWriter::Recording {
 public:
  Recording(const std::string& path, const ResultHeader& header)
      : path_(path), width_(total_width(header.quantities)), rows_(rows_per_chunk(width_)) {
    check_quantities(header.quantities);
    guarded("create", [&] { create(header); });
  }

  std::size_t width() const { return width_; }

  void append(double time, std::span<const double> values) {
    const std::uint32_t checksum = hdf5::checksum_of(values, hdf5::checksum_of({&time, 1}, 0));
    for (Column& column : columns_) {
      column.add(values.first(column.width));
      values = values.subspan(column.width);
    }
    times_.add({&time, 1});
    checksums_.add({&checksum, 1});
    if (times_.is_full() || Clock::now() - last_flush_ >= kFlushInterval) flush();
  }

  void log_event(double time, std::string_view kind, std::string_view text) {
    do {
      const std::string_view part = beginning(text, hdf5::EventRow::kText);
      hdf5::EventRow row{};
      row.time = time;
      kind.copy(row.kind, sizeof row.kind);
      part.copy(row.text, sizeof row.text);
      events_.add({&row, 1});
      if (events_.is_full()) guarded("write", [this] { events_.store(); });
      text.remove_prefix(part.size());
      kind = {};  // the rows that continue a text have none
    } while (!text.empty());
  }

  void flush() {
    guarded("write", [this] { write(false); });
    last_flush_ = Clock::now();
  }

  void finish(const std::string& summary) {
    guarded("finish", [&] {
      write(true);
      write_summary(summary);
      file_.flush();
      file_.close();
    });
  }

  bool is_broken() const { return is_broken_; }

 private:
  // Numbers, or the modes that they are.
  struct Column {
    std::size_t width;
    Rows<double> rows;
    Rows<std::int16_t> modes;
    std::vector<std::int16_t> row = {};  // of modes

    void add(std::span<const double> values) {
      if (row.empty()) {
        rows.add(values);
        return;
      }
      std::transform(values.begin(), values.end(), row.begin(),
                     [](double value) { return static_cast<std::int16_t>(value); });
      modes.add(row);
    }
    void store(bool is_last) {
      if (row.empty())
        rows.store(is_last);
      else
        modes.store(is_last);
    }
  };

  // After a failure (a full disk) the file takes no more.
  template <class Action>
  void guarded(const char* verb, const Action& action) {
    try {
      action();
    } catch (const hdf5::Busy&) {
      throw InputError(
          fmt::format("result file '{}' is being written by another run: wait until it ends, or "
                      "choose another name",
                      path_));
    } catch (const hdf5::Failure& failure) {
      is_broken_ = true;
      throw WriteError(
          fmt::format("cannot {} the result file '{}': {}", verb, path_, failure.what()));
    }
  }

  void write_summary(std::string_view text) {
    hdf5::Table table = file_.table(layout::kSummary, hdf5::Entry::kText);
    while (!text.empty()) {
      const std::string_view part = beginning(text, hdf5::TextRow::kText);
      const auto row = std::make_unique<hdf5::TextRow>();
      part.copy(row->text, sizeof row->text);
      table.append_chunk(row.get(), 1);
      text.remove_prefix(part.size());
    }
  }

  void create(const ResultHeader& header) {
    file_ = hdf5::File::create(path_);
    write_attributes(file_, header);
    file_.add_table(layout::kTime, {hdf5::Entry::kNumber, {}, rows_});
    file_.add_table(layout::kChecksum, {hdf5::Entry::kChecksum, {}, rows_});
    file_.add_table(layout::kEvents, {hdf5::Entry::kEvent, {}, kEventRows});
    file_.add_table(layout::kSummary, {hdf5::Entry::kText, {}, 1});
    file_.write_text(layout::kTime, layout::kUnits, "s");
    file_.write_text(layout::kTime, layout::kLongName, "time of the samples");
    for (const Quantity& quantity : header.quantities)
      add_quantity(file_, quantity, rows_);
    add_scales(file_, header.quantities);
    file_.write_checksums_of_texts(layout::kTextChecksums);
    file_.start_appending();
    hdf5::EventRow no_event{};
    no_event.time = kNone;
    times_ = {file_.table(layout::kTime, hdf5::Entry::kNumber), 1, rows_, kNone};
    checksums_ = {file_.table(layout::kChecksum, hdf5::Entry::kChecksum), 1, rows_, 0};
    events_ = {file_.table(layout::kEvents, hdf5::Entry::kEvent), 1, kEventRows, no_event};
    for (const Quantity& quantity : header.quantities) {
      const auto width = static_cast<std::size_t>(quantity.width());
      hdf5::Table table = file_.table(path_of(quantity), entry_of(quantity));
      if (quantity.states.empty())
        columns_.push_back({width, {std::move(table), width, rows_, kNone}, {}});
      else
        columns_.push_back({width,
                            {},
                            {std::move(table), width, rows_, std::int16_t{0}},
                            std::vector<std::int16_t>(width)});
    }
  }

  // Times follow when everything else is on disk: a sample counts when its time is there.
  void write(bool is_last) {
    if (!times_.has_news() && !events_.has_news()) return;
    events_.store(is_last);
    for (Column& column : columns_)
      column.store(is_last);
    checksums_.store(is_last);
    file_.flush();
    times_.store(is_last);
    times_.flush();
  }

  std::string path_;
  std::size_t width_, rows_;
  bool is_broken_ = false;
  hdf5::File file_;  // before the tables: they close first
  Rows<double> times_;
  Rows<std::uint32_t> checksums_;  // of the samples: a chunk may be met with an old one
  Rows<hdf5::EventRow> events_;
  std::vector<Column> columns_;
  Clock::time_point last_flush_ = Clock::now();
};

ResultWriter::ResultWriter(const std::string& path, const ResultHeader& header)
    : recording_(std::make_unique<Recording>(path, header)) {}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;
ResultWriter& ResultWriter::operator=(ResultWriter&&) noexcept = default;

ResultWriter::~ResultWriter() {
  if (!recording_ || recording_->is_broken()) return;
  try {
    recording_->flush();
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): nobody is left to hear it
  }
}

std::size_t ResultWriter::width() const {
  return recording_ ? recording_->width() : 0;
}

void ResultWriter::append(double time, std::span<const double> values) {
  expects(recording_ != nullptr && !recording_->is_broken(),
          "no sample follows the end of a result file or a failure to write it");
  expects(values.size() == recording_->width(), "a sample has one number for every channel");
  expects(std::isfinite(time), "a sample has a finite time");
  recording_->append(time, values);
}

void ResultWriter::log_event(double time, std::string_view kind, std::string_view text) {
  expects(recording_ != nullptr && !recording_->is_broken(),
          "no event follows the end of a result file or a failure to write it");
  expects(!kind.empty() && kind.size() <= hdf5::EventRow::kKind, "a kind has 1 to 32 bytes");
  expects(std::isfinite(time), "an event has a finite time");
  recording_->log_event(time, kind, text);
}

void ResultWriter::flush() {
  expects(recording_ != nullptr && !recording_->is_broken(),
          "nothing follows the end of a result file or a failure to write it");
  recording_->flush();
}

void ResultWriter::finish(const std::string& summary_json) {
  expects(recording_ != nullptr && !recording_->is_broken(),
          "a result file ends once, and not after a failure to write it");
  recording_->finish(summary_json.empty() ? "{}" : summary_json);
  recording_.reset();
}

}  // namespace picus
