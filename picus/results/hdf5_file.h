// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What result files need of HDF5, and the only place that calls it. Internal to the room.
//
// Files are written for a single writer and many readers (SWMR): the library orders its writes so
// that the file on disk can be read at any moment, also after the writer was killed. The price is
// that everything but the rows of tables must exist before the first row is appended. A kill may
// cut a write in two at the border of a memory page, so what is rewritten lies within pages; rows
// of a chunk that is not full are written again and again and may be met with an old checksum.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "picus/results/hdf5_driver.h"

namespace picus::hdf5 {

/// What the disk or the HDF5 library refused, in words for users.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Another program writes the file.
class Busy : public Failure {
 public:
  using Failure::Failure;
};

/// Owns an identifier of the HDF5 library.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle() = default;
  Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }

  std::int64_t id() const { return id_; }
  bool is_open() const { return close_ != nullptr; }
  void reset();

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

/// An event as it lies in the file. Longer texts go on in the next row, whose kind is empty.
struct EventRow {
  static constexpr std::size_t kKind = 32, kText = 256;
  double time;
  char kind[kKind];
  char text[kText];
};

/// A piece of a long text; what does not fit goes on in the next row.
struct TextRow {
  static constexpr std::size_t kText = 1 << 16;
  char text[kText];
};

/// What an entry of a table is. Modes are whole numbers; they are read as numbers.
enum class Entry { kNumber, kByte, kEvent, kChecksum, kMode, kText };

/// A table and the scales of its dimensions, by their paths; a scale is its own.
struct Dimensions {
  std::string path;
  std::vector<std::string> scales;
};

/// The form of a table: entries per row, and the rows that are stored and compressed together.
struct TableForm {
  Entry entry = Entry::kNumber;
  std::vector<std::uint64_t> row;  ///< shape of a row; empty for one entry
  std::uint64_t chunk_rows = 1;
};

/// A dataset that grows by rows. The file must outlive it.
///
/// It is reopened for every access: HDF5 1.10 remembers the last chunk of an open dataset, and
/// after put_open_chunk it remembers wrongly how that is stored.
class Table {
 public:
  Table() = default;
  Table(std::int64_t file, std::shared_ptr<Disk> disk, std::string path, Entry entry);

  std::uint64_t rows() const { return shape_.front(); }
  std::uint64_t chunk_rows() const { return chunk_rows_; }
  /// Rows, then the shape of a row.
  const std::vector<std::uint64_t>& shape() const { return shape_; }

  /// Puts at most a chunk of rows after those that are there, compressed. Nothing follows those
  /// that are fewer.
  void append_chunk(const void* entries, std::uint64_t rows);
  /// Puts a chunk that is not full in its place, as it is, with its checksum; `rows` of the table
  /// exist then. Written again with more rows it stays where it is, so that nothing on disk moves
  /// or is lost.
  void put_open_chunk(const void* entries, std::size_t bytes, std::uint64_t first,
                      std::uint64_t rows);
  /// The bytes of the chunk that begins with row `first` if it was put by put_open_chunk, whether
  /// its checksum fits or not.
  std::optional<std::vector<char>> open_chunk(std::uint64_t first) const;
  /// Tells the operating system.
  void flush() const;
  /// Reads rows [first, first + count) into memory that holds them.
  void read(std::uint64_t first, std::uint64_t count, void* entries) const;
  /// Can all of these rows be read?
  bool is_readable(std::uint64_t first, std::uint64_t count) const;
  /// The numbers at one place of all rows up to `count`; `place` counts through the row.
  void read_column(std::uint64_t place, std::uint64_t count, double* values) const;

  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;
  std::vector<std::string> texts(const char* attribute) const;

 private:
  Handle open() const;
  void resize(const Handle& dataset, std::uint64_t rows);
  std::size_t row_bytes(std::int64_t type) const;

  std::int64_t file_ = -1;
  std::shared_ptr<Disk> disk_;
  std::string path_;
  Handle type_, read_type_;
  std::vector<std::uint64_t> shape_;
  std::uint64_t chunk_rows_ = 1;
  mutable std::vector<char> bytes_;  // of a chunk with its checksum
};

/// A file: texts and lists of texts as attributes, tables by path.
class File {
 public:
  /// Makes a file that replaces what is there with start_appending(); before that it has another
  /// name beside it. Throws Busy when another program writes there.
  static File create(const std::string& path);
  /// Reads a file that was closed, or one that is or was being written by appending.
  static File open(const std::string& path);
  File() = default;
  File(File&&) noexcept = default;
  File& operator=(File&&) noexcept = default;
  ~File();

  /// Is it shorter than it says itself? What is missing fails when it is read.
  bool is_cut() const { return disk_->is_cut; }

  void write_text(const std::string& object, const char* attribute, const std::string& text) const;
  void write_texts(const std::string& object, const char* attribute,
                   const std::vector<std::string>& texts) const;
  void write_integer(const char* attribute, long value) const;
  void write_modes(const std::string& object, const char* attribute,
                   const std::vector<std::int16_t>& values) const;
  /// Checksums of all texts written so far: HDF5 has none for them, and crashes on some.
  void write_checksums_of_texts(const char* attribute) const;
  /// Do they fit? True for files that have none.
  bool texts_are_whole(const char* attribute) const;

  bool has(const char* attribute) const;
  std::string text(const char* attribute) const;
  std::vector<std::string> texts(const char* attribute) const;
  long integer(const char* attribute) const;

  /// Makes an empty table, and the groups above it.
  void add_table(const std::string& path, const TableForm& form) const;
  /// A list of names, and the groups above it.
  void add_names(const std::string& path, const std::vector<std::string>& names) const;
  /// Another name for an object.
  void add_link(const std::string& object, const std::string& path) const;
  /// What the dimensions of all tables are, once.
  void write_dimensions(const std::vector<Dimensions>& tables) const;
  /// From now on rows of tables are appended and nothing else is added.
  void start_appending();
  Table table(const std::string& path, Entry entry) const;
  bool has_table(const char* path) const;
  /// Puts on disk what all tables have appended.
  void flush() const;
  /// Throws Failure when not everything is on disk.
  void close();

 private:
  void check_disk() const;

  // Open for as long as the file is written: holds its locks.
  class Claim {
   public:
    Claim() = default;
    explicit Claim(int descriptor) : descriptor_(descriptor) {}
    Claim(Claim&& other) noexcept;
    Claim& operator=(Claim&& other) noexcept;
    ~Claim();
    int descriptor() const { return descriptor_; }

   private:
    int descriptor_ = -1;
  };

  std::string path_;                // as it was given
  std::filesystem::path now_, to_;  // of a file that is written: its name, and that to come
  std::shared_ptr<Disk> disk_;
  Claim claim_;
  Handle file_;
};

}  // namespace picus::hdf5
