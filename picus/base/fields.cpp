// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/fields.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace picus::fields {
namespace {

template <class Number>
Number parse(std::string_view name, std::string_view text, std::string_view expected) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end) {
    throw InputError(fmt::format("option '{}': found '{}', expected {}", name, text, expected));
  }
  return value;
}

}  // namespace

double parse_number(std::string_view name, std::string_view text) {
  return parse<double>(name, text, "a number");
}

long parse_integer(std::string_view name, std::string_view text) {
  return parse<long>(name, text, "a whole number");
}

std::string to_text(double value) {
  return fmt::format("{}", value);
}

InputError bad_choice(std::string_view name, std::string_view text,
                      std::span<const std::string_view> choices) {
  return InputError(fmt::format("option '{}': found '{}', expected one of: {}", name, text,
                                fmt::join(choices, ", ")));
}

}  // namespace picus::fields
