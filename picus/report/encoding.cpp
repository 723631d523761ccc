// SPDX-License-Identifier: BSD-3-Clause
#include "picus/report/encoding.h"

#include <bit>
#include <stdexcept>

#include <zlib.h>

namespace picus::report {
namespace {

// Number i of `count`, its bytes where others of their weight are.
void put(std::uint32_t number, std::size_t i, std::size_t count, std::string& bytes) {
  for (std::size_t plane = 0; plane < 4; ++plane)
    bytes[plane * count + i] = static_cast<char>((number >> (8 * plane)) & 0xFFU);
}

}  // namespace

std::string packed(std::span<const float> values, std::size_t run) {
  const std::size_t count = values.size();
  std::string bytes(4 * count, '\0');
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    put(i % run == 0 ? bits : bits - before, i, count, bytes);
    before = bits;
  }
  return bytes;
}

std::string packed(std::span<const std::int32_t> values, std::size_t run) {
  const std::size_t count = values.size();
  std::string bytes(4 * count, '\0');
  std::uint32_t before = 0, slope = 0;  // modulo 2³²
  for (std::size_t i = 0; i < count; ++i) {
    if (i % run == 0) before = slope = 0;
    const auto value = static_cast<std::uint32_t>(values[i]);
    const std::uint32_t rest = value - before - slope;
    put((rest << 1) ^ ((rest >> 31) == 0 ? 0U : ~0U), i, count, bytes);
    slope = i % run == 0 ? 0 : value - before;
    before = value;
  }
  return bytes;
}

std::string deflated(std::string_view bytes) {
  constexpr int kLevel = 6;
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string result(size, '\0');
  const int code =
      compress2(reinterpret_cast<Bytef*>(result.data()), &size,  // NOLINT: bytes are bytes
                reinterpret_cast<const Bytef*>(bytes.data()),    // NOLINT
                static_cast<uLong>(bytes.size()), kLevel);
  if (code != Z_OK) throw std::runtime_error("zlib cannot compress");
  result.resize(size);
  return result;
}

std::string_view base64_digits() {
  return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

std::string base64(std::string_view bytes) {
  const std::string_view digits = base64_digits();
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[(group >> (18 - 6 * k)) & 0x3FU];
  }
  return text;
}

}  // namespace picus::report
