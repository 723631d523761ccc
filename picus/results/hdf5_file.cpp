// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/hdf5_file.h"

#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include <hdf5.h>

namespace picus::hdf5 {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);
static_assert(sizeof(hsize_t) == sizeof(std::uint64_t));

const hsize_t* sizes(const std::vector<std::uint64_t>& values) {
  return reinterpret_cast<const hsize_t*>(values.data());  // unsigned long and unsigned long long
}

// The library prints its errors unless told otherwise; its user's choice is put back afterwards.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// The innermost entry of the error stack is the cause; those around it only pass it on.
Failure failure() {
  std::string cause = "unknown failure of HDF5";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* result) -> herr_t {
        if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(result) = error->desc;
        return 0;
      },
      &cause);
  return Failure(cause);
}

template <class Result>
Result check(Result result) {
  if (result < 0) throw failure();
  return result;
}

Handle own(hid_t id, Handle::Close close) {
  return {check(id), close};
}

Handle text_type() {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), H5T_VARIABLE));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

Handle fixed_text_type(std::size_t size) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), size));
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

Handle entry_type(Entry entry) {
  if (entry == Entry::kNumber) return own(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
  if (entry == Entry::kByte) return own(H5Tcopy(H5T_NATIVE_UCHAR), H5Tclose);
  Handle type = own(H5Tcreate(H5T_COMPOUND, sizeof(EventRow)), H5Tclose);
  check(H5Tinsert(type.id(), "time", HOFFSET(EventRow, time), H5T_NATIVE_DOUBLE));
  check(
      H5Tinsert(type.id(), "kind", HOFFSET(EventRow, kind), fixed_text_type(EventRow::kKind).id()));
  check(
      H5Tinsert(type.id(), "text", HOFFSET(EventRow, text), fixed_text_type(EventRow::kText).id()));
  return type;
}

Handle open_object(hid_t file, const std::string& path) {
  return own(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
}

void write_attribute(hid_t object, const char* name, hid_t space, const void* values) {
  const Handle type = text_type();
  const Handle attribute =
      own(H5Acreate2(object, name, type.id(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (values != nullptr) check(H5Awrite(attribute.id(), type.id(), values));
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Quiet quiet;
  const Handle attribute = own(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle stored = own(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(stored.id()) != H5T_STRING || H5Tis_variable_str(stored.id()) <= 0)
    throw Failure(std::string("attribute '") + name + "' is not text");
  const Handle space = own(H5Aget_space(attribute.id()), H5Sclose);
  const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.id())));
  std::vector<char*> values(count, nullptr);
  const Handle type = text_type();
  if (count > 0) check(H5Aread(attribute.id(), type.id(), values.data()));
  std::vector<std::string> texts;
  texts.reserve(count);
  for (const char* value : values)
    texts.emplace_back(value != nullptr ? value : "");
  if (count > 0) check(H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, values.data()));
  return texts;
}

std::string read_text(hid_t object, const char* name) {
  const std::vector<std::string> texts = read_texts(object, name);
  if (texts.size() != 1) throw Failure(std::string("attribute '") + name + "' is not one text");
  return texts.front();
}

// The newest file format of the library: needed for appending beside readers.
Handle file_access() {
  Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
#if H5_VERSION_GE(1, 10, 7)
  check(H5Pset_file_locking(access.id(), true, true));  // some network folders know no locks
#endif
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
  if (entry == Entry::kByte) return;  // zero
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
  set_fill(creation.id(), form.entry);
  return creation;
}

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

Selection select_rows(hid_t dataset, std::vector<std::uint64_t> shape, std::uint64_t first,
                      std::uint64_t count) {
  std::vector<std::uint64_t> begin(shape.size(), 0);
  begin.front() = first;
  shape.front() = count;
  return {dataset, begin, shape};
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

Table::Table(std::int64_t file, std::string path, Entry entry)
    : file_(file), path_(std::move(path)), type_(entry_type(entry)) {
  const Quiet quiet;
  const Handle space = own(H5Dget_space(open().id()), H5Sclose);
  const int rank = check(H5Sget_simple_extent_ndims(space.id()));
  if (rank == 0) throw Failure("a table has no rows");
  shape_.resize(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), reinterpret_cast<hsize_t*>(shape_.data()), nullptr));
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
}

void Table::put_open_chunk(const void* entries, std::size_t bytes, std::uint64_t first,
                           std::uint64_t rows) {
  const Quiet quiet;
  const Handle dataset = open();
  resize(dataset, rows);
  std::vector<std::uint64_t> place(shape_.size(), 0);
  place.front() = first;
  constexpr std::uint32_t kNoFilter = 0b11;  // neither shuffled nor compressed
  check(H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, kNoFilter, sizes(place), bytes, entries));
}

void Table::flush() const {
  const Quiet quiet;
  check(H5Dflush(open().id()));
}

void Table::read(std::uint64_t first, std::uint64_t count, void* entries) const {
  const Quiet quiet;
  const Handle dataset = open();
  const Selection rows = select_rows(dataset.id(), shape_, first, count);
  check(H5Dread(dataset.id(), type_.id(), rows.in_memory.id(), rows.in_file.id(), H5P_DEFAULT,
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
  check(H5Dread(dataset.id(), type_.id(), column.in_memory.id(), column.in_file.id(), H5P_DEFAULT,
                values));
}

std::string Table::text(const char* attribute) const {
  const Quiet quiet;
  return read_text(open().id(), attribute);
}

std::vector<std::string> Table::texts(const char* attribute) const {
  const Quiet quiet;
  return read_texts(open().id(), attribute);
}

File File::create(const std::string& path) {
  const Quiet quiet;
  // A plain file is removed, not emptied: whoever reads or still writes the old one keeps it.
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() == std::filesystem::file_type::regular)
    std::filesystem::remove(path, ignored);
  File file;
  file.path_ = path;
  file.file_ = own(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, file_creation().id(), file_access().id()),
                   H5Fclose);
  return file;
}

File File::open(const std::string& path) {
  const Quiet quiet;
  File file;
  file.path_ = path;
  const Handle access = file_access();
  // Beside a writer a header may be met half written. The library then waits 1, 2, 4 … ns and tries
  // again; its own 100 attempts would take for ever on a file that is damaged.
  constexpr unsigned kAttempts = 24;
  check(H5Pset_metadata_read_attempts(access.id(), kAttempts));
  hid_t id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id());
  if (id < 0) {
    const Failure closed = failure();
    id = H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id());
    if (id < 0) throw closed;
  }
  file.file_ = Handle(id, H5Fclose);
  return file;
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

void File::start_appending() {
  const Quiet quiet;
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL));
  file_.reset();
  file_ =
      own(H5Fopen(path_.c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, file_access().id()), H5Fclose);
}

Table File::table(const std::string& path, Entry entry) const {
  return {file_.id(), path, entry};
}

void File::flush() const {
  const Quiet quiet;
  check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL));
}

}  // namespace picus::hdf5
