// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/file_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace picus::hdf5 {
namespace {

// A lock of the open file, not of the process: it ends when the file is closed, and is seen within
// a process too. Of one byte, the whole file being the matter of flock.
struct flock one_byte() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return lock;
}

}  // namespace

void claim(int descriptor) {
  ::flock(descriptor, LOCK_SH | LOCK_NB);  // HDF5 elsewhere may read, but not write
#ifdef F_OFD_SETLK
  struct flock lock = one_byte();
  ::fcntl(descriptor, F_OFD_SETLK, &lock);
#endif
}

bool is_claimed(const std::filesystem::path& path) {
#ifdef F_OFD_GETLK
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct flock lock = one_byte();
  const bool is_known = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0;
  ::close(descriptor);
  return is_known && lock.l_type != F_UNLCK;
#else
  return false;
#endif
}

}  // namespace picus::hdf5
