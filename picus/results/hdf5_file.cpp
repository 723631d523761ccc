// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/hdf5_file.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "picus/base/output_file.h"
#include "picus/results/checksums.h"
#include "picus/results/file_claim.h"
#include "picus/results/hdf5_calls.h"
#include "picus/results/superblock.h"

namespace picus::hdf5 {
namespace {

void write_attribute(hid_t object, const char* name, hid_t space, const void* values) {
  const Handle type = text_type();
  const Handle attribute =
      own(H5Acreate2(object, name, type.id(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (values != nullptr) check(H5Awrite(attribute.id(), type.id(), values));
}

// The newest file format of the library: needed for appending beside readers.
Handle file_access(const std::shared_ptr<Disk>& disk) {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  use_driver(access.id(), disk);
  return access;
}

// A process that is killed may leave a write cut at the border of a memory page. So no header of
// an object may cross one: the library packs them into pages of its own, of the same size.
Handle file_creation() {
  constexpr hsize_t kMemoryPage = 4096;
  Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_file_space_strategy(creation.id(), H5F_FSPACE_STRATEGY_PAGE, false, 1));
  check(H5Pset_file_space_page_size(creation.id(), kMemoryPage));
  return creation;
}

// Rows never written read as not-a-number, so that a table cut short by a crash shows it.
void set_fill(hid_t creation, Entry entry) {
  if (entry != Entry::kNumber && entry != Entry::kEvent) return;  // zero
  if (entry == Entry::kNumber) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    check(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &none));
    return;
  }
  EventRow none{};
  none.time = std::numeric_limits<double>::quiet_NaN();
  check(H5Pset_fill_value(creation, entry_type(entry).id(), &none));
}

Handle table_creation(const TableForm& form, const std::vector<std::uint64_t>& chunk) {
  Handle creation = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), sizes(chunk)));
  check(H5Pset_attr_phase_change(creation.id(), 0, 0));  // a short header: see file_creation
  check(H5Pset_shuffle(creation.id()));
  check(H5Pset_deflate(creation.id(), 1));
  check(H5Pset_fletcher32(creation.id()));
  set_fill(creation.id(), form.entry);
  return creation;
}

}  // namespace

Handle::Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = std::exchange(other.close_, nullptr);
  }
  return *this;
}

void Handle::reset() {
  if (close_ == nullptr) return;
  const Quiet quiet;
  close_(std::exchange(id_, -1));
  close_ = nullptr;
}

File::Claim::Claim(Claim&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

File::Claim& File::Claim::operator=(Claim&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

File::Claim::~Claim() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A file that never got its name is of no use. One that failed to be written, or is dropped, is
// closed as it is on disk.
File::~File() {
  if (claim_.descriptor() < 0) return;  // it was only read, or moved from
  file_.reset();
  if (now_ != to_)
    ::unlink(now_.c_str());
  else if (disk_->error != 0)
    mark_as_closed(claim_.descriptor());
}

File File::create(const std::string& path) {
  const Quiet quiet;
  if (is_claimed(path)) throw Busy("another program is writing it");
  const FreshFile fresh = fresh_file_beside(path);
  File file;
  file.claim_ = Claim(fresh.descriptor);
  claim(fresh.descriptor);
  file.path_ = path;
  file.now_ = fresh.path;
  file.to_ = fresh.target;
  file.disk_ = std::make_shared<Disk>();
  file.disk_->lists_blocks = true;
  file.file_ = own(H5Fcreate(fresh.path.c_str(), H5F_ACC_TRUNC, file_creation().id(),
                             file_access(file.disk_).id()),
                   H5Fclose);
  return file;
}

File File::open(const std::string& path) {
  const Quiet quiet;
  File file;
  file.path_ = path;
  file.disk_ = std::make_shared<Disk>();
  const Handle access = file_access(file.disk_);
  // Beside a writer a header may be met half written. The library then waits 1, 2, 4 … ns and tries
  // again; its own 100 attempts would take for ever on a file that is damaged.
  constexpr unsigned kAttempts = 24;
  check(H5Pset_metadata_read_attempts(access.id(), kAttempts));
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
  if (id < 0) {
    const Failure growing = failure();
    id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
    if (id < 0) throw growing;
  }
  file.file_ = Handle(id, H5Fclose);
  return file;
}

void File::check_disk() const {
  hdf5::check_disk(*disk_);
}

void File::write_text(const std::string& object, const char* attribute,
                      const std::string& text) const {
  const Quiet quiet;
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const char* value = text.c_str();
  write_attribute(open_object(file_.id(), object).id(), attribute, space.id(), &value);
}

void File::write_texts(const std::string& object, const char* attribute,
                       const std::vector<std::string>& texts) const {
  const Quiet quiet;
  const hsize_t count = texts.size();
  const Handle space = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  std::vector<const char*> values;
  values.reserve(texts.size());
  for (const std::string& text : texts)
    values.push_back(text.c_str());
  const void* list = values.empty() ? nullptr : values.data();
  write_attribute(open_object(file_.id(), object).id(), attribute, space.id(), list);
}

void File::write_integer(const char* name, long value) const {
  const Quiet quiet;
  const Handle space = own(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute = own(
      H5Acreate2(file_.id(), name, H5T_STD_I64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(H5Awrite(attribute.id(), H5T_NATIVE_LONG, &value));
}

void File::write_modes(const std::string& object, const char* name,
                       const std::vector<std::int16_t>& values) const {
  const Quiet quiet;
  const hsize_t count = values.size();
  const Handle space = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute = own(H5Acreate2(open_object(file_.id(), object).id(), name, H5T_STD_I16LE,
                                          space.id(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
  check(H5Awrite(attribute.id(), H5T_NATIVE_INT16, values.data()));
}

bool File::has(const char* attribute) const {
  const Quiet quiet;
  return check(H5Aexists(file_.id(), attribute)) > 0;
}

std::string File::text(const char* attribute) const {
  return read_text(file_.id(), attribute);
}

std::vector<std::string> File::texts(const char* attribute) const {
  return read_texts(file_.id(), attribute);
}

long File::integer(const char* name) const {
  const Quiet quiet;
  const Handle attribute = own(H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose);
  long value = 0;
  check(H5Aread(attribute.id(), H5T_NATIVE_LONG, &value));
  return value;
}

void File::add_table(const std::string& path, const TableForm& form) const {
  const Quiet quiet;
  std::vector<std::uint64_t> now{0}, limit{H5S_UNLIMITED}, chunk{form.chunk_rows};
  for (std::vector<std::uint64_t>* shape : {&now, &limit, &chunk})
    shape->insert(shape->end(), form.row.begin(), form.row.end());
  const int rank = static_cast<int>(now.size());
  const Handle space = own(H5Screate_simple(rank, sizes(now), sizes(limit)), H5Sclose);
  const Handle creation = table_creation(form, chunk);
  const Handle links = own(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  check(H5Pset_create_intermediate_group(links.id(), 1));
  check(H5Pset_char_encoding(links.id(), H5T_CSET_UTF8));
  own(H5Dcreate2(file_.id(), path.c_str(), entry_type(form.entry).id(), space.id(), links.id(),
                 creation.id(), H5P_DEFAULT),
      H5Dclose);
}

void File::write_checksums_of_texts(const char* name) const {
  const Quiet quiet;
  flush();
  std::map<std::uint64_t, std::uint64_t> heaps;  // no rows were written yet
  for (const Block& block : disk_->raw_blocks)
    heaps[block.address] = std::max(heaps[block.address], block.size);
  std::vector<std::uint64_t> list;
  for (const auto& [address, size] : heaps)
    list.insert(list.end(),
                {address, size, checksum_of_file(claim_.descriptor(), {address, size})});
  const hsize_t count = list.size();
  const Handle space = own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle attribute = own(
      H5Acreate2(file_.id(), name, H5T_STD_U64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (count > 0) check(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, list.data()));
}

bool File::texts_are_whole(const char* name) const {
  if (!has(name)) return true;
  const Quiet quiet;
  const Handle attribute = own(H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose);
  const Handle space = own(H5Aget_space(attribute.id()), H5Sclose);
  std::vector<std::uint64_t> list(
      static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.id()))));
  if (list.empty()) return true;
  check(H5Aread(attribute.id(), H5T_NATIVE_UINT64, list.data()));
  const Claim file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  for (std::size_t i = 0; i + 2 < list.size(); i += 3)
    if (checksum_of_file(file.descriptor(), {list[i], list[i + 1]}) != list[i + 2]) return false;
  return true;
}

void File::start_appending() {
  const Quiet quiet;
  flush();
  file_.reset();
  check_disk();
  disk_->lists_blocks = false;
  if (is_claimed(to_)) throw Busy("another program is writing it");
  if (::rename(now_.c_str(), to_.c_str()) != 0)
    throw Failure(std::generic_category().message(errno));
  now_ = to_;
  file_ = own(H5Fopen(to_.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, file_access(disk_).id()),
              H5Fclose);
  mark_as_closed(claim_.descriptor());
}

bool File::has_table(const char* path) const {
  const Quiet quiet;
  return H5Lexists(file_.id(), path, H5P_DEFAULT) > 0;
}

Table File::table(const std::string& path, Entry entry) const {
  return {file_.id(), disk_, path, entry};
}

// First the end of the file, then what lies before it: whoever reads finds nothing beyond.
void File::flush() const {
  const Quiet quiet;
  if (now_ == to_) mark_as_closed(claim_.descriptor());
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL));
  if (now_ == to_) mark_as_closed(claim_.descriptor());
  check_disk();
}

void File::close() {
  file_.reset();
  check_disk();
}

}  // namespace picus::hdf5
