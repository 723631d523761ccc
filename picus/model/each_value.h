// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "picus/model/values.h"

namespace picus {

/// Calls visit(value, traits) for every number, vector, name, formula and text inside of a part, by
/// its field list.
template <class T, class Visit>
void each_value(T& value, const FieldTraits& traits, const Visit& visit) {
  if constexpr (requires { value.index(); }) {
    std::visit([&](auto& chosen) { each_value(chosen, traits, visit); }, value);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) each_value(*value, traits, visit);
  } else if constexpr (requires { value.emplace_back(); }) {
    for (auto& item : value) {
      if constexpr (requires { item.placement = 0, item.value; })
        each_value(item.value, traits, visit);
      else
        each_value(item, traits, visit);
    }
  } else if constexpr (requires { T::for_each_field(value, visit); }) {
    T::for_each_field(value, [&](const char*, auto& field, const char*,
                                 const FieldTraits& own = {}) { each_value(field, own, visit); });
  } else {
    visit(value, traits);
  }
}

}  // namespace picus
