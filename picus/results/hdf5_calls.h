// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Calls of the HDF5 library, with exceptions for failures and owners for identifiers. Only the
// sources that call it include this.

#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <hdf5.h>

#include "picus/results/hdf5_file.h"

namespace picus::hdf5 {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);
static_assert(sizeof(hsize_t) == sizeof(std::uint64_t));

inline const hsize_t* sizes(const std::vector<std::uint64_t>& values) {
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

// The innermost entry of the error stack is the cause; those around it only pass it on. Its words
// are for those who wrote the library.
inline Failure failure() {
  std::string cause;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* result) -> herr_t {
        if (depth == 0 && error->desc != nullptr) *static_cast<std::string*>(result) = error->desc;
        return 0;
      },
      &cause);
  const bool is_checked = cause.find("checksum") != std::string::npos ||
                          cause.find("inflate") != std::string::npos ||
                          cause.find("Fletcher") != std::string::npos;
  return Failure(is_checked ? "a checksum does not match" : "a part of it is missing or invalid");
}

template <class Result>
Result check(Result result) {
  if (result < 0) throw failure();
  return result;
}

inline Handle own(hid_t id, Handle::Close close) {
  return {check(id), close};
}

inline Handle open_object(hid_t file, const std::string& path) {
  return own(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
}

inline Handle text_type() {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), H5T_VARIABLE));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

inline Handle fixed_text_type(std::size_t size) {
  Handle type = own(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.id(), size));
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD));
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8));
  return type;
}

inline Handle entry_type(Entry entry) {
  if (entry == Entry::kNumber) return own(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
  if (entry == Entry::kByte) return own(H5Tcopy(H5T_NATIVE_UCHAR), H5Tclose);
  if (entry == Entry::kChecksum) return own(H5Tcopy(H5T_NATIVE_UINT32), H5Tclose);
  if (entry == Entry::kMode) return own(H5Tcopy(H5T_NATIVE_INT16), H5Tclose);
  if (entry == Entry::kText) return fixed_text_type(TextRow::kText);
  Handle type = own(H5Tcreate(H5T_COMPOUND, sizeof(EventRow)), H5Tclose);
  check(H5Tinsert(type.id(), "time", HOFFSET(EventRow, time), H5T_NATIVE_DOUBLE));
  check(
      H5Tinsert(type.id(), "kind", HOFFSET(EventRow, kind), fixed_text_type(EventRow::kKind).id()));
  check(
      H5Tinsert(type.id(), "text", HOFFSET(EventRow, text), fixed_text_type(EventRow::kText).id()));
  return type;
}

inline std::vector<std::string> read_texts(hid_t object, const char* name) {
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

inline std::string read_text(hid_t object, const char* name) {
  const std::vector<std::string> texts = read_texts(object, name);
  if (texts.size() != 1) throw Failure(std::string("attribute '") + name + "' is not one text");
  return texts.front();
}

inline void check_disk(const Disk& disk) {
  if (disk.error != 0) throw Failure(std::generic_category().message(disk.error));
}

}  // namespace picus::hdf5
