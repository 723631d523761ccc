// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options are plain structs that list their fields once:
//
//   template <class Self, class Visit>
//   static void for_each_field(Self& self, Visit&& visit) {
//     visit("rho", self.rho, "spectral radius at infinity, in [0, 1]");
//   }
//
// From that list come reading by name (with "did you mean"), help texts and manual pages.

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "picus/base/error.h"

namespace picus {

/// Options as a user writes them: name and value, in order.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// One documented option.
struct FieldDescription {
  std::string name;
  std::string default_value;
  std::string meaning;
};

/// The names of an enum option, in the order of its values. Specialise for each option enum.
template <class E>
struct EnumNames;

namespace fields {

double parse_number(std::string_view name, std::string_view text);
long parse_integer(std::string_view name, std::string_view text);
std::string to_text(double value);
InputError bad_choice(std::string_view name, std::string_view text,
                      std::span<const std::string_view> choices);

template <class F>
void assign(F& field, std::string_view name, std::string_view text) {
  if constexpr (std::is_enum_v<F>) {
    const auto& choices = EnumNames<F>::names;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == text) {
        field = static_cast<F>(i);
        return;
      }
    }
    throw bad_choice(name, text, choices);
  } else if constexpr (std::is_integral_v<F>) {
    field = static_cast<F>(parse_integer(name, text));
  } else {
    field = parse_number(name, text);
  }
}

template <class F>
std::string text_of(const F& field) {
  if constexpr (std::is_enum_v<F>) {
    return std::string(EnumNames<F>::names[static_cast<std::size_t>(field)]);
  } else if constexpr (std::is_integral_v<F>) {
    return std::to_string(field);
  } else {
    return to_text(field);
  }
}

}  // namespace fields

/// The fields of an option struct with their defaults.
template <class Options>
std::vector<FieldDescription> describe_fields() {
  std::vector<FieldDescription> result;
  const Options defaults{};
  Options::for_each_field(defaults, [&](const char* name, const auto& field, const char* meaning) {
    result.push_back({name, fields::text_of(field), meaning});
  });
  return result;
}

/// Reads options by name over their defaults. Throws InputError on unknown names and bad values.
template <class Options>
Options read_options(const OptionValues& values) {
  Options options{};
  for (const auto& value : values) {
    const std::string &name = value.first, &text = value.second;  // clang 14: no captured bindings
    bool found = false;
    std::vector<std::string_view> names;
    Options::for_each_field(options, [&](const char* field_name, auto& field, const char*) {
      names.emplace_back(field_name);
      if (name != field_name) return;
      fields::assign(field, name, text);
      found = true;
    });
    if (!found) throw InputError(unknown_name("option", name, names));
  }
  return options;
}

}  // namespace picus
