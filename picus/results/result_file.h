// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "picus/results/quantity.h"

namespace picus {

/// Is there a result of Picus, whole or cut short? False also for what cannot be read.
bool is_result_file(const std::string& path);

/// Reads a result file: of a run that ended, was interrupted or is still going on. It shows the
/// samples that were on disk when it was opened. Every number was checked by a checksum; damage
/// throws InputError when the numbers are read.
class ResultFile {
 public:
  /// Throws InputError with the reason: missing, not HDF5, not a result of Picus, of a newer
  /// format, truncated or damaged.
  explicit ResultFile(const std::string& path);
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;
  ~ResultFile();

  const ResultHeader& header() const;
  long samples() const;
  const std::vector<double>& times() const;

  /// All channels, "bodies.crank.position.x", in the order of the quantities.
  const std::vector<std::string>& channels() const;

  /// One channel over all samples. Throws InputError with the nearest name when there is none.
  std::vector<double> column(std::string_view channel) const;

  /// The numbers of one quantity in samples [first, first + count), sample by sample: the fast way
  /// to read many channels. `quantity` counts the quantities of the header.
  void read(std::size_t quantity, long first, long count, std::vector<double>& values) const;

  /// What of the file is lost, in words: "it is cut short, …". Empty when it is whole, also for a
  /// run that still goes on or was interrupted. Samples end before what is lost.
  const std::string& damage() const;

  /// Did the run end properly, with a summary?
  bool is_complete() const;

  /// The summary of the run, JSON; empty when it did not end properly.
  const std::string& summary() const;

  std::vector<Event> events() const;

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace picus
