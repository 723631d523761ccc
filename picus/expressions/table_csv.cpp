// SPDX-License-Identifier: BSD-3-Clause
// Tables from CSV text. Every complaint says where: file, line and column.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/error.h"
#include "picus/expressions/table.h"

namespace picus {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::optional<double> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view source, const CsvColumns& columns)
      : text_(text), source_(source), columns_(columns) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  void read() {
    while (next_line()) {
      if (width_ == 0) {
        begin();
      } else {
        add_point();
      }
    }
    if (x.size() < 2)
      throw InputError(fmt::format("{}: found {} points, expected at least 2", source_, x.size()));
  }

  std::vector<double> x, y;

 private:
  InputError error(const std::string& what) const {
    return InputError(fmt::format("{}:{}: {}", source_, line_, what));
  }

  /// The cells of the next line with content.
  bool next_line() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = trimmed(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (line.empty() || line.front() == '#') continue;
      split(line);
      return true;
    }
    return false;
  }

  /// The first line decides on the separator: semicolon, tab or comma, in this order.
  void split(std::string_view line) {
    if (separator_ == 0) {
      const bool semicolon = line.find(';') != std::string_view::npos;
      const bool tab = line.find('\t') != std::string_view::npos;
      separator_ = semicolon ? ';' : tab ? '\t' : ',';
    }
    cells_.clear();
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t to = std::min(line.find(separator_, from), line.size());
      std::string_view cell = trimmed(line.substr(from, to - from));
      if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
        cell = cell.substr(1, cell.size() - 2);
      cells_.push_back(cell);
      from = to + 1;
    }
  }

  /// Where a named column stands in the line of names.
  std::size_t find_column(const std::string& name) const {
    const auto found = std::find(cells_.begin(), cells_.end(), name);
    if (found == cells_.end()) throw error(unknown_name("column", name, cells_));
    if (std::find(found + 1, cells_.end(), name) != cells_.end())
      throw error(fmt::format("two columns are named '{}'", name));
    return static_cast<std::size_t>(found - cells_.begin());
  }

  /// The first line with content: names, or the first point.
  void begin() {
    width_ = cells_.size();
    const bool named = !columns_.x.empty() || !columns_.y.empty();
    const bool names =
        std::none_of(cells_.begin(), cells_.end(), [](auto cell) { return number_in(cell); });
    if (named) {
      if (!names)
        throw error(fmt::format("found '{}', expected the names of the columns (with '{}')",
                                fmt::join(cells_, ", "), columns_.y));
      x_column_ = columns_.x.empty() ? 0 : find_column(columns_.x);
      y_column_ = columns_.y.empty() ? 1 : find_column(columns_.y);
      if (y_column_ >= width_) throw error("found 1 column, expected 2");
      if (x_column_ == y_column_)
        throw error(fmt::format("column '{}' cannot be x and y at once", cells_[x_column_]));
      return;
    }
    if (width_ != 2)
      throw error(fmt::format(
          "found {} column{}, expected 2; name the two columns to read from a wider file", width_,
          width_ == 1 ? "" : "s"));
    if (!names) add_point();
  }

  double number(std::size_t column) const {
    if (const auto value = number_in(cells_[column])) return *value;
    throw error(
        fmt::format("found '{}' in column {}, expected a number", cells_[column], column + 1));
  }

  void add_point() {
    if (cells_.size() != width_)
      throw error(
          fmt::format("found {} columns, expected {} as in the first line", cells_.size(), width_));
    const double at = number(x_column_);
    if (!x.empty() && !(x.back() < at))
      throw error(
          fmt::format("x must increase from line to line; found {} after {}", at, x.back()));
    x.push_back(at);
    y.push_back(number(y_column_));
  }

  std::string_view text_, source_;
  const CsvColumns& columns_;
  int line_ = 0;
  char separator_ = 0;
  std::vector<std::string_view> cells_;
  std::size_t width_ = 0, x_column_ = 0, y_column_ = 1;
};

}  // namespace

Table Table::from_csv(std::string_view text, std::string_view source, const CsvColumns& columns,
                      const TableOptions& options) {
  CsvReader reader(text, source, columns);
  reader.read();
  return Table(std::move(reader.x), std::move(reader.y), options);
}

}  // namespace picus
