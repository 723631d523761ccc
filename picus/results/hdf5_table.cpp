// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "picus/results/checksums.h"
#include "picus/results/hdf5_calls.h"

namespace picus::hdf5 {
namespace {

// A block of a dataset, in the file and packed in memory.
struct Selection {
  Selection(hid_t dataset, const std::vector<std::uint64_t>& first,
            const std::vector<std::uint64_t>& block)
      : in_file(own(H5Dget_space(dataset), H5Sclose)),
        in_memory(own(H5Screate_simple(static_cast<int>(block.size()), sizes(block), nullptr),
                      H5Sclose)) {
    check(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, sizes(first), nullptr, sizes(block),
                              nullptr));
  }
  Handle in_file, in_memory;
};

constexpr std::uint32_t kPlain = 0b011;  // filters left out: neither shuffled nor compressed
constexpr std::size_t kChecksumBytes = 4;

Selection select_rows(hid_t dataset, std::vector<std::uint64_t> shape, std::uint64_t first,
                      std::uint64_t count) {
  std::vector<std::uint64_t> begin(shape.size(), 0);
  begin.front() = first;
  shape.front() = count;
  return {dataset, begin, shape};
}

}  // namespace

Table::Table(std::int64_t file, std::shared_ptr<Disk> disk, std::string path, Entry entry)
    : file_(file),
      disk_(std::move(disk)),
      path_(std::move(path)),
      type_(entry_type(entry)),
      read_type_(entry_type(entry == Entry::kMode ? Entry::kNumber : entry)) {
  const Quiet quiet;
  const Handle dataset = open();
  const Handle space = own(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = check(H5Sget_simple_extent_ndims(space.id()));
  if (rank == 0) throw Failure("a table has no rows");
  shape_.resize(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), reinterpret_cast<hsize_t*>(shape_.data()), nullptr));
  const Handle creation = own(H5Dget_create_plist(dataset.id()), H5Pclose);
  std::vector<hsize_t> chunk(shape_.size());
  if (H5Pget_chunk(creation.id(), rank, chunk.data()) == rank)
    chunk_rows_ = std::max<hsize_t>(1, chunk.front());
}

std::size_t Table::row_bytes(hid_t type) const {
  return std::accumulate(shape_.begin() + 1, shape_.end(), H5Tget_size(type), std::multiplies<>());
}

Handle Table::open() const {
  return own(H5Dopen2(file_, path_.c_str(), H5P_DEFAULT), H5Dclose);
}

void Table::resize(const Handle& dataset, std::uint64_t rows) {
  shape_.front() = rows;
  check(H5Dset_extent(dataset.id(), sizes(shape_)));
}

void Table::append_chunk(const void* entries, std::uint64_t rows) {
  const Quiet quiet;
  const Handle dataset = open();
  const std::uint64_t first = shape_.front();
  resize(dataset, first + rows);
  const Selection chunk = select_rows(dataset.id(), shape_, first, rows);
  check(H5Dwrite(dataset.id(), type_.id(), chunk.in_memory.id(), chunk.in_file.id(), H5P_DEFAULT,
                 entries));
  check_disk(*disk_);
}

void Table::put_open_chunk(const void* entries, std::size_t bytes, std::uint64_t first,
                           std::uint64_t rows) {
  const Quiet quiet;
  const Handle dataset = open();
  resize(dataset, rows);
  std::vector<std::uint64_t> place(shape_.size(), 0);
  place.front() = first;
  bytes_.resize(bytes + kChecksumBytes);
  std::memcpy(bytes_.data(), entries, bytes);
  const std::uint32_t sum = fletcher32(entries, bytes);
  for (std::size_t i = 0; i < kChecksumBytes; ++i)
    bytes_[bytes + i] = static_cast<char>(sum >> (8U * i) & 0xFFU);
  check(H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, kPlain, sizes(place), bytes_.size(),
                       bytes_.data()));
  check_disk(*disk_);
}

std::optional<std::vector<char>> Table::open_chunk(std::uint64_t first) const {
  const Quiet quiet;
  const Handle dataset = open();
  std::vector<std::uint64_t> place(shape_.size(), 0);
  place.front() = first;
  hsize_t stored = 0;
  check(H5Dget_chunk_storage_size(dataset.id(), sizes(place), &stored));
  const std::size_t bytes = row_bytes(type_.id()) * chunk_rows_;
  if (stored < bytes) return {};
  std::vector<char> entries(stored);
  std::uint32_t filters = 0;
  check(H5Dread_chunk(dataset.id(), H5P_DEFAULT, sizes(place), &filters, entries.data()));
  if ((filters & kPlain) != kPlain) return {};
  entries.resize(bytes);
  return entries;
}

bool Table::is_readable(std::uint64_t first, std::uint64_t count) const {
  std::vector<char> entries(row_bytes(read_type_.id()) * count);
  try {
    if (count > 0) read(first, count, entries.data());
    return true;
  } catch (const Failure&) {
    return false;
  }
}

void Table::flush() const {
  const Quiet quiet;
  check(H5Dflush(open().id()));
  check_disk(*disk_);
}

void Table::read(std::uint64_t first, std::uint64_t count, void* entries) const {
  const Quiet quiet;
  const Handle dataset = open();
  const Selection rows = select_rows(dataset.id(), shape_, first, count);
  check(H5Dread(dataset.id(), read_type_.id(), rows.in_memory.id(), rows.in_file.id(), H5P_DEFAULT,
                entries));
}

void Table::read_column(std::uint64_t place, std::uint64_t count, double* values) const {
  const Quiet quiet;
  std::vector<std::uint64_t> first(shape_.size(), 0), block(shape_.size(), 1);
  block.front() = count;
  for (std::size_t i = shape_.size() - 1; i > 0; --i) {
    first[i] = place % shape_[i];
    place /= shape_[i];
  }
  const Handle dataset = open();
  const Selection column(dataset.id(), first, block);
  check(H5Dread(dataset.id(), read_type_.id(), column.in_memory.id(), column.in_file.id(),
                H5P_DEFAULT, values));
}

bool Table::has(const char* attribute) const {
  const Quiet quiet;
  return check(H5Aexists(open().id(), attribute)) > 0;
}

std::string Table::text(const char* attribute) const {
  const Quiet quiet;
  return read_text(open().id(), attribute);
}

std::vector<std::string> Table::texts(const char* attribute) const {
  const Quiet quiet;
  return read_texts(open().id(), attribute);
}

}  // namespace picus::hdf5
