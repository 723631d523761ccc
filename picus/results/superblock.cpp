// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/superblock.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

namespace picus::hdf5 {
namespace {

// HDF5 File Format Specification Version 3.0, II.A: signature, version, sizes of offsets and
// lengths, flags, base address, extension, end of file, root, checksum.
constexpr std::size_t kVersion = 8, kOffsets = 9, kLengths = 10, kFlags = 11, kEndOfFile = 28,
                      kChecksum = 44, kSize = 48;
using Bytes = std::array<unsigned char, kSize>;

std::uint32_t word(const unsigned char* at) {
  return at[0] | std::uint32_t{at[1]} << 8U | std::uint32_t{at[2]} << 16U |
         std::uint32_t{at[3]} << 24U;
}

// Jenkins' lookup3 (hashlittle) of a length that is a multiple of 4 and not of 12, with which HDF5
// checks its structures.
std::uint32_t lookup3(const unsigned char* at, std::size_t length) {
  std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(length), b = a, c = a;
  const auto stir = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x -= z;
    x ^= std::rotl(z, turn);
    z += y;
  };
  for (; length > 12; at += 12, length -= 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    stir(a, b, c, 4);  // a -= c; a ^= rot(c, 4); c += b
    stir(b, c, a, 6);
    stir(c, a, b, 8);
    stir(a, b, c, 16);
    stir(b, c, a, 19);
    stir(c, a, b, 4);
  }
  a += word(at);
  if (length > 4) b += word(at + 4);
  if (length > 8) c += word(at + 8);
  const auto finish = [](std::uint32_t& x, std::uint32_t y, int turn) {
    x ^= y;
    x -= std::rotl(y, turn);
  };
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

std::optional<Bytes> read_bytes(int descriptor) {
  Bytes bytes{};
  if (::pread(descriptor, bytes.data(), kSize, 0) != static_cast<ssize_t>(kSize)) return {};
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  if (std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) != 0) return {};
  if (bytes[kVersion] != 3 || bytes[kOffsets] != 8 || bytes[kLengths] != 8) return {};
  if (lookup3(bytes.data(), kChecksum) != word(&bytes[kChecksum])) return {};
  return bytes;
}

}  // namespace

std::optional<Superblock> read_superblock(int descriptor) {
  const std::optional<Bytes> bytes = read_bytes(descriptor);
  if (!bytes) return {};
  return Superblock{(*bytes)[kFlags], word(&(*bytes)[kEndOfFile]) |
                                          std::uint64_t{word(&(*bytes)[kEndOfFile + 4])} << 32U};
}

bool mark_as_closed(int descriptor) {
  std::optional<Bytes> bytes = read_bytes(descriptor);
  struct stat status {};
  if (!bytes || ::fstat(descriptor, &status) != 0) return false;
  const auto put = [&](std::size_t at, std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8U)
      (*bytes)[at + static_cast<std::size_t>(i)] = static_cast<unsigned char>(value & 0xFFU);
  };
  put(kFlags, 0, 1);
  put(kEndOfFile, static_cast<std::uint64_t>(status.st_size), 8);
  put(kChecksum, lookup3(bytes->data(), kChecksum), 4);
  return ::pwrite(descriptor, bytes->data(), kSize, 0) == static_cast<ssize_t>(kSize);
}

}  // namespace picus::hdf5
