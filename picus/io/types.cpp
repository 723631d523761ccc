// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/types.h"

#include <algorithm>

#include <fmt/format.h>

namespace picus {
namespace {

class TypeCollector {
 public:
  void visit(const Type& type, const std::string& path, bool is_item, bool has_type) {
    if (type.item) {
      visit(type.item(), path, type.kind != TypeKind::kOptional, false);
      return;
    }
    if (type.kind != TypeKind::kStruct && type.kind != TypeKind::kVariant) return;
    const auto known = std::find_if(found_.begin(), found_.end(),
                                    [&](const PlacedType& p) { return p.type == &type; });
    if (known != found_.end()) {
      // an alternative that is also an item elsewhere takes the more generous form
      known->is_item = known->is_item || is_item;
      known->has_type = known->has_type || has_type;
      return;
    }
    found_.push_back({&type, path, is_item, has_type});
    for (const FieldInfo& field : type.fields) {
      visit(field.type(), path.empty() ? field.name : path + "." + field.name, false, false);
    }
    for (const TypeOf alternative : type.alternatives) {
      visit(alternative(), path + ": " + alternative().name, is_item, true);
    }
  }

  std::vector<PlacedType> take() { return std::move(found_); }

 private:
  std::vector<PlacedType> found_;
};

}  // namespace

std::vector<PlacedType> types_within(const Type& root) {
  TypeCollector collector;
  collector.visit(root, "", false, false);
  return collector.take();
}

std::string expected_value(const Type& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
      return "a number or a formula of parameters";
    case TypeKind::kInteger:
      return "a whole number";
    case TypeKind::kBool:
      return "true or false";
    case TypeKind::kText:
      return "text";
    case TypeKind::kChoice:
      return fmt::format("one of: {}", fmt::join(type.choices, ", "));
    case TypeKind::kVector:
      return "3 numbers [x, y, z], or 2 numbers [x, y]";
    case TypeKind::kName:
      return "a name";
    case TypeKind::kFormula:
      return "a formula or a number";
    case TypeKind::kStruct:
      return type.shorthand.empty() ? "a map" : "a text, a list of texts or a map";
    case TypeKind::kVariant:
      return "a map";
    case TypeKind::kList:
      return "a list";
    case TypeKind::kCollection:
      return "a map from names to parts";
    default:
      return expected_value(type.item());
  }
}

const Type& innermost(const Type& type) {
  return type.item ? innermost(type.item()) : type;
}

namespace types {

std::string text_of_number(const void* number) {
  return fmt::format("{}", *static_cast<const double*>(number));
}

std::string text_of_vector(const void* vector) {
  const Vector3& v = *static_cast<const Vector3*>(vector);
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

}  // namespace types
}  // namespace picus
