// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/checksums.h"

#include <algorithm>
#include <array>

#include <unistd.h>
#include <zlib.h>

namespace picus::hdf5 {

// Sums modulo 65535 in which only zeros give 0, as those of the library.
std::uint32_t fletcher32(const void* data, std::size_t bytes) {
  constexpr std::uint64_t kModulus = 0xFFFF;
  constexpr std::size_t kWords = 1 << 20;  // until the second sum could overflow: 2^16 * 2^40 / 2
  const auto* at = static_cast<const unsigned char*>(data);
  const auto reduced = [](std::uint64_t sum) { return sum == 0 ? 0 : (sum - 1) % kModulus + 1; };
  std::uint64_t first = 0, second = 0;
  for (std::size_t words = bytes / 2; words > 0;) {
    const std::size_t some = std::min(words, kWords);
    words -= some;
    for (std::size_t i = 0; i < some; ++i, at += 2) {
      first += static_cast<std::uint64_t>(at[0]) << 8U | at[1];
      second += first;
    }
    first = reduced(first);
    second = reduced(second);
  }
  return static_cast<std::uint32_t>(second << 16U | first);
}

std::uint32_t checksum_of(std::span<const double> values, std::uint32_t before) {
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t checksum_of_file(int descriptor, const Block& block) {
  std::array<unsigned char, 1 << 14> buffer{};
  uLong sum = 0;
  std::uint64_t at = block.address, left = block.size;
  while (left > 0) {
    const ssize_t count =
        ::pread(descriptor, buffer.data(), std::min<std::uint64_t>(left, buffer.size()),
                static_cast<off_t>(at));
    if (count <= 0) break;
    sum = ::crc32_z(sum, buffer.data(), static_cast<std::size_t>(count));
    at += static_cast<std::uint64_t>(count);
    left -= static_cast<std::uint64_t>(count);
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace picus::hdf5
