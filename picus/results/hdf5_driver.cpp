// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/hdf5_driver.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "picus/results/library.h"
#include "picus/results/superblock.h"

namespace picus::hdf5 {
namespace {

constexpr haddr_t kLargest = (haddr_t{1} << 62U);

// What the access properties carry.
struct DriverInfo {
  const std::shared_ptr<Disk>* disk;
};

// An open file. HDF5 sees its base.
struct OpenFile : H5FD_t {
  int descriptor = -1;
  bool is_changed = false;
  haddr_t end_of_space = 0;  // of what HDF5 has allotted
  haddr_t end_of_file = 0;
  haddr_t stored_end = 0;  // by the header, when that is beyond the end
  dev_t device = 0;
  ino_t inode = 0;
  std::shared_ptr<Disk> disk;
};

OpenFile& opened(H5FD_t* file) {
  return *static_cast<OpenFile*>(file);
}
const OpenFile& opened(const H5FD_t* file) {
  return *static_cast<const OpenFile*>(file);
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (info == nullptr) return nullptr;
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  const int descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    (*info->disk)->error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto file = std::make_unique<OpenFile>();
  file->descriptor = descriptor;
  file->end_of_file = static_cast<haddr_t>(status.st_size);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  file->disk = *info->disk;
  if (const auto header = read_superblock(descriptor); header && (flags & H5F_ACC_RDWR) == 0) {
    file->stored_end = header->end_of_file;
    file->disk->is_cut = file->end_of_file < file->stored_end;
  }
  return file.release();
}

herr_t close_file(H5FD_t* base) {
  const std::unique_ptr<OpenFile> file(static_cast<OpenFile*>(base));
  // some network folders tell of a full disk only here
  if (::close(file->descriptor) != 0 && file->is_changed && file->disk->error == 0)
    file->disk->error = errno;
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const OpenFile& file) { return std::make_tuple(file.device, file.inode); };
  const auto first = key(opened(a)), second = key(opened(b));
  return first < second ? -1 : (second < first ? 1 : 0);
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO |
           H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_space(const H5FD_t* file, H5FD_mem_t) {
  return opened(file).end_of_space;
}
herr_t set_end_of_space(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  opened(file).end_of_space = address;
  return 0;
}
// A file that was cut short is opened all the same; what is missing fails when it is read.
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  return std::max(opened(file).end_of_file, opened(file).stored_end);
}

herr_t read_block(H5FD_t* base, H5FD_mem_t type, hid_t, haddr_t address, size_t size,
                  void* buffer) {
  const OpenFile& file = opened(base);
  auto* at = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t count = ::pread(file.descriptor, at, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    at += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  if (size == 0) return 0;
  // Zeros would pass for numbers. The library reads ahead in its own structures and checks them.
  if (type == H5FD_MEM_DRAW && file.disk->is_cut) return -1;
  std::memset(at, 0, size);
  return 0;
}

herr_t write_block(H5FD_t* base, H5FD_mem_t type, hid_t, haddr_t address, size_t size,
                   const void* buffer) {
  OpenFile& file = opened(base);
  file.is_changed = true;
  if (file.disk->lists_blocks && (type == H5FD_MEM_DRAW || type == H5FD_MEM_GHEAP))
    file.disk->raw_blocks.push_back({address, size});
  const auto* at = static_cast<const char*>(buffer);
  while (size > 0 && file.disk->error == 0) {
    const ssize_t count = ::pwrite(file.descriptor, at, size, static_cast<off_t>(address));
    if (count < 0) {
      if (errno != EINTR) file.disk->error = errno;
      continue;
    }
    at += count;
    address += static_cast<haddr_t>(count);
    size -= static_cast<size_t>(count);
  }
  file.end_of_file = std::max(file.end_of_file, address + size);
  return 0;
}

// At the end the file is as long as what HDF5 has allotted.
herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  OpenFile& file = opened(base);
  if (file.end_of_file == file.end_of_space || file.disk->error != 0) return 0;
  if (::ftruncate(file.descriptor, static_cast<off_t>(file.end_of_space)) != 0)
    file.disk->error = errno;
  file.end_of_file = file.end_of_space;
  return 0;
}

const H5FD_class_t& driver_class() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t c{};
#if H5_VERSION_GE(1, 13, 2)
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(H5FD_RESERVED_FOR_TESTING);
#endif
    c.name = "picus";
    c.maxaddr = kLargest;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.fapl_size = sizeof(DriverInfo);
    c.open = open_file;
    c.close = close_file;
    c.cmp = compare_files;
    c.query = query;
    c.get_eoa = end_of_space;
    c.set_eoa = set_end_of_space;
    c.get_eof = end_of_file;
    c.read = read_block;
    c.write = write_block;
    c.truncate = truncate_file;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), std::begin(c.fl_map));
    return c;
  }();
  return driver;
}

}  // namespace

void use_driver(std::int64_t access, const std::shared_ptr<Disk>& disk) {
  static hid_t driver = -1;
  if (driver < 0 || H5Iis_valid(driver) <= 0) driver = H5FDregister(&driver_class());
  const DriverInfo info{&disk};
  H5Pset_driver(access, driver, &info);
}

}  // namespace picus::hdf5

void picus::skip_tidying_of_hdf5() {
  H5dont_atexit();
}
