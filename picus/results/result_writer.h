// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "picus/results/quantity.h"

namespace picus {

/// Writes a result file while the run advances.
///
/// The file can be read at any time, by this process or another. When the process ends early, even
/// by SIGKILL, the file holds everything flushed so far; a loss of power is not covered. Failures
/// (a full disk) throw WriteError with the path and the reason; what was flushed stays readable.
class ResultWriter {
 public:
  /// Creates the file, in place of one that is there. Throws WriteError when it cannot, InputError
  /// when another writer has it or quantities have bad or repeated names.
  ResultWriter(const std::string& path, const ResultHeader& header);
  ResultWriter(ResultWriter&&) noexcept;
  ResultWriter& operator=(ResultWriter&&) noexcept;
  /// Flushes; the file stays marked as not finished unless finish() was called.
  ~ResultWriter();

  /// Numbers expected by append().
  std::size_t width() const;

  /// Adds a sample: the numbers of all quantities one after the other, in each item by item, in
  /// each component by component. Buffered. Flushes when the buffer is full, and when a second has
  /// passed since the last flush; allocates only then.
  void append(double time, std::span<const double> values);

  /// Adds an event; on disk with the next flush. `kind` has 1 to 32 bytes.
  void log_event(double time, std::string_view kind, std::string_view text);

  /// Puts on disk what was appended.
  void flush();

  /// Flushes, stores the summary (JSON; "{}" when empty) and closes the file. Nothing follows.
  void finish(const std::string& summary_json);

 private:
  class Recording;
  std::unique_ptr<Recording> recording_;
};

}  // namespace picus
