// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the field lists of a model say, as data: one Type per C++ type. Reading, the reference page
// and the schema walk these tables, so that their code exists once and not once per struct.

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "picus/base/contract.h"
#include "picus/base/fields.h"
#include "picus/model/values.h"

namespace picus {

struct Type;
/// Types refer to each other by functions: a struct may hold a list of itself.
using TypeOf = const Type& (*)();

enum class TypeKind {
  kNumber,      ///< double
  kInteger,     ///< any integer type
  kBool,        ///< bool
  kText,        ///< std::string
  kChoice,      ///< enum with EnumNames
  kVector,      ///< Vector3
  kName,        ///< Name
  kFormula,     ///< Formula
  kStruct,      ///< struct with for_each_field
  kVariant,     ///< std::variant of structs with kType
  kOptional,    ///< std::optional
  kList,        ///< std::vector
  kCollection,  ///< std::vector<Named<…>>
};

/// One line of the field list of a struct, as data.
struct FieldInfo {
  std::string name;
  std::string meaning;
  FieldTraits traits;
  TypeOf type = nullptr;
  std::size_t offset = 0;     ///< of the member in its struct
  std::string default_value;  ///< as one would write it in SI units; empty when there is none
};

/// Pointers are to objects of the C++ type that the Type describes.
struct Type {
  TypeKind kind = TypeKind::kNumber;
  std::string name;     ///< kType of a struct, if it has one
  std::string summary;  ///< kSummary of a struct, if it has one
  std::vector<FieldInfo> fields;
  std::string shorthand;  ///< kShorthand of a struct: the field that stands for the whole map
  std::vector<TypeOf> alternatives;
  std::vector<std::string_view> choices;
  TypeOf item = nullptr;           ///< of an optional, a list or a collection
  double lowest = 0, highest = 0;  ///< of an integer

  void (*set_integer)(void*, long long) = nullptr;
  void (*set_choice)(void*, std::size_t) = nullptr;
  /// Null when the struct has no `SourcePlace place`.
  void (*set_place)(void*, SourcePlace) = nullptr;
  void* (*choose)(void*, std::size_t) = nullptr;                     ///< makes that alternative
  void* (*emplace)(void*) = nullptr;                                 ///< makes the optional's value
  void (*clear)(void*) = nullptr;                                    ///< of a list or collection
  void* (*append)(void*) = nullptr;                                  ///< a new last item of a list
  void* (*append_named)(void*, std::string, SourcePlace) = nullptr;  ///< the value of a new entry
  std::string (*to_text)(const void*) = nullptr;                     ///< of a default value
};

/// The table of a C++ type, made at the first call.
template <class T>
const Type& type_of();

/// A struct or variant that a model contains.
struct PlacedType {
  const Type* type = nullptr;
  std::string path;       ///< where it occurs first: "forces", an alternative "forces: spring"
  bool is_item = false;   ///< of a list or collection, where `for` and `when` repeat it
  bool has_type = false;  ///< an alternative, chosen by the key `type`
};

/// All of them, each once, those containing others first; `root` itself has the path "".
std::vector<PlacedType> types_within(const Type& root);

/// What may stand at the place of such a value, for messages: "a whole number".
std::string expected_value(const Type& type);

/// What an optional, list or collection (of such) holds in the end; other types themselves.
const Type& innermost(const Type& type);

namespace types {

std::string text_of_number(const void* number);
std::string text_of_vector(const void* vector);

template <class T>
struct Item {};
template <class T>
struct Item<std::optional<T>> {
  using type = T;
  static constexpr TypeKind kKind = TypeKind::kOptional;
};
template <class T>
struct Item<std::vector<T>> {
  using type = T;
  static constexpr TypeKind kKind = TypeKind::kList;
};
template <class T>
struct Item<std::vector<Named<T>>> {
  using type = T;
  static constexpr TypeKind kKind = TypeKind::kCollection;
};

template <class T>
inline constexpr bool kIsVariant = false;
template <class... A>
inline constexpr bool kIsVariant<std::variant<A...>> = true;

// Option structs (picus/base/fields.h) list their fields without traits; they are welcome too.
struct NullVisitor {
  void operator()(const char*, auto&&, const char*, const FieldTraits& = {}) const {}
};
template <class T>
concept HasFields = requires(T& t) {
  T::for_each_field(t, NullVisitor{});
};

template <class T>
inline constexpr bool kIsLeaf = !kIsVariant<T> && !HasFields<T> && !requires {
  typename Item<T>::type;
};

template <class T>
Type describe_leaf() {
  Type type;
  if constexpr (std::is_same_v<T, double>) {
    type.kind = TypeKind::kNumber;
    type.to_text = text_of_number;
  } else if constexpr (std::is_same_v<T, bool>) {
    type.kind = TypeKind::kBool;
    type.to_text = [](const void* p) {
      return std::string(*static_cast<const bool*>(p) ? "true" : "false");
    };
  } else if constexpr (std::is_integral_v<T>) {
    type.kind = TypeKind::kInteger;
    type.lowest = static_cast<double>(std::numeric_limits<T>::lowest());
    type.highest = static_cast<double>(std::numeric_limits<T>::max());
    type.set_integer = [](void* p, long long value) {
      *static_cast<T*>(p) = static_cast<T>(value);
    };
    type.to_text = [](const void* p) { return std::to_string(*static_cast<const T*>(p)); };
  } else if constexpr (std::is_enum_v<T>) {
    type.kind = TypeKind::kChoice;
    type.choices.assign(EnumNames<T>::names.begin(), EnumNames<T>::names.end());
    type.set_choice = [](void* p, std::size_t i) { *static_cast<T*>(p) = static_cast<T>(i); };
    type.to_text = [](const void* p) {
      return std::string(EnumNames<T>::names[static_cast<std::size_t>(*static_cast<const T*>(p))]);
    };
  } else if constexpr (std::is_same_v<T, std::string>) {
    type.kind = TypeKind::kText;
    type.to_text = [](const void* p) { return *static_cast<const std::string*>(p); };
  } else if constexpr (std::is_same_v<T, Vector3>) {
    type.kind = TypeKind::kVector;
    type.to_text = text_of_vector;
  } else {
    static_assert(std::is_same_v<T, Name> || std::is_same_v<T, Formula>,
                  "a model field of a type that picus/model/values.h does not list");
    type.kind = std::is_same_v<T, Name> ? TypeKind::kName : TypeKind::kFormula;
    type.to_text = [](const void* p) { return static_cast<const T*>(p)->text; };
  }
  return type;
}

template <class T>
Type describe_struct() {
  Type type;
  type.kind = TypeKind::kStruct;
  if constexpr (requires { T::kType; }) type.name = T::kType;
  if constexpr (requires { T::kSummary; }) type.summary = T::kSummary;
  if constexpr (requires { T::kShorthand; }) type.shorthand = T::kShorthand;
  if constexpr (requires(T & t, SourcePlace place) { t.place = place; }) {
    type.set_place = [](void* p, SourcePlace place) { static_cast<T*>(p)->place = place; };
  }
  T defaults{};
  const char* const begin = reinterpret_cast<const char*>(&defaults);
  T::for_each_field(defaults, [&](const char* name, auto& field, const char* meaning,
                                  const FieldTraits& traits = {}) {
    using F = std::remove_cvref_t<decltype(field)>;
    // the field list may reach into members of members, but not outside of the struct
    const std::ptrdiff_t offset = reinterpret_cast<const char*>(&field) - begin;
    expects(offset >= 0 && offset < static_cast<std::ptrdiff_t>(sizeof(T)),
            "a field list names members of its own struct");
    FieldInfo info{name, meaning, traits, &type_of<F>, static_cast<std::size_t>(offset), {}};
    if constexpr (kIsLeaf<F>) {
      if (!traits.required) info.default_value = type_of<F>().to_text(&field);
    }
    type.fields.push_back(std::move(info));
  });
  return type;
}

template <class T>
Type describe_holder() {
  using I = typename Item<T>::type;
  Type type;
  type.kind = Item<T>::kKind;
  type.item = &type_of<I>;
  if constexpr (Item<T>::kKind == TypeKind::kOptional) {
    type.emplace = [](void* p) -> void* { return &static_cast<T*>(p)->emplace(); };
  } else {
    type.clear = [](void* p) { static_cast<T*>(p)->clear(); };
  }
  if constexpr (Item<T>::kKind == TypeKind::kList) {
    type.append = [](void* p) -> void* { return &static_cast<T*>(p)->emplace_back(); };
  } else if constexpr (Item<T>::kKind == TypeKind::kCollection) {
    type.append_named = [](void* p, std::string name, SourcePlace place) -> void* {
      auto& list = *static_cast<T*>(p);
      list.push_back({std::move(name), place, {}});
      return &list.back().value;
    };
  }
  return type;
}

template <class... A>
Type describe_variant(const std::variant<A...>*) {
  using V = std::variant<A...>;
  Type type;
  type.kind = TypeKind::kVariant;
  (type.alternatives.push_back(&type_of<A>), ...);
  type.choose = [](void* p, std::size_t i) -> void* {
    void* result = nullptr;
    std::size_t k = 0;
    ((k++ == i ? void(result = &static_cast<V*>(p)->template emplace<A>()) : void()), ...);
    return result;
  };
  return type;
}

}  // namespace types

template <class T>
const Type& type_of() {
  static const Type type = [] {
    if constexpr (types::kIsVariant<T>) {
      return types::describe_variant(static_cast<const T*>(nullptr));
    } else if constexpr (requires { typename types::Item<T>::type; }) {
      return types::describe_holder<T>();
    } else if constexpr (types::HasFields<T>) {
      return types::describe_struct<T>();
    } else {
      return types::describe_leaf<T>();
    }
  }();
  return type;
}

}  // namespace picus
