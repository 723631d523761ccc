// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Visits every value of a model, by its field lists.

#include <string>

#include "picus/io/types.h"
#include "picus/model/model.h"

namespace picus {

/// Calls visit(path, value, unit) for every number, vector, name, formula and text inside of
/// `value`; the path is as one would write it in an override: "bodies.rod.mass".
template <class T, class Visit>
void walk(const T& value, const std::string& path, const Dimension& unit, const Visit& visit) {
  const auto inside = [&](const std::string& name) {
    return path.empty() ? name : path + "." + name;
  };
  if constexpr (types::kIsVariant<T>) {
    std::visit([&](const auto& chosen) { walk(chosen, path, unit, visit); }, value);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) walk(*value, path, unit, visit);
  } else if constexpr (requires { typename types::Item<T>::type; }) {
    for (const auto& item : value) {
      if constexpr (requires {
                      item.name;
                      item.value;
                    })
        walk(item.value, inside(item.name), unit, visit);
      else
        walk(item, path, unit, visit);
    }
  } else if constexpr (types::HasFields<const T>) {
    T::for_each_field(value, [&](const char* name, const auto& field, const char*,
                                 const FieldTraits& traits = {}) {
      walk(field, inside(name), traits.unit, visit);
    });
  } else {
    visit(path, value, unit);
  }
}

}  // namespace picus
