// SPDX-License-Identifier: BSD-3-Clause
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "picus/io/document.h"
#include "picus/io/reference.h"
#include "picus/io/units.h"

namespace picus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kIdentifier = "^[A-Za-z_][A-Za-z0-9_]*$";
// link, link[i], ball[i][j+1]
constexpr const char* kKeyOfPart = "^[A-Za-z_][A-Za-z0-9_]*(\\[[^\\]]+\\])*$";

Json number_or_formula() {
  return {{"type", {"number", "string"}}};
}

Json strings(const auto& names) {
  Json result = Json::array();
  for (const auto& name : names) {
    result.push_back(std::string(name));
  }
  return result;
}

class SchemaWriter {
 public:
  explicit SchemaWriter(const Type& root) : all_(types_within(root)) {
    for (const PlacedType& placed : all_) {
      std::string id = placed.path.empty() ? "model" : placed.path;
      for (char& c : id) {
        if (c == ':' || c == ' ') c = '.';
      }
      ids_.emplace(placed.type, id);
    }
  }

  std::string write() {
    Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                   {"title", "Picus model"}};
    const Json top = object(all_.front());
    schema.update(top);
    add_file_keys(schema["properties"]);
    Json required = {"picus"};
    // what the model requires may stand in an included file
    schema["required"] = std::move(required);
    Json definitions = Json::object();
    for (std::size_t i = 1; i < all_.size(); ++i) {
      const bool is_variant = all_[i].type->kind == TypeKind::kVariant;
      definitions[ids_.at(all_[i].type)] = is_variant ? choice(all_[i]) : object(all_[i]);
    }
    schema["definitions"] = std::move(definitions);
    return schema.dump(2) + "\n";
  }

 private:
  static void add_file_keys(Json& properties) {
    properties["picus"] = {{"const", kFormatVersion},
                           {"description", "format version of this file"}};
    properties["include"] = {{"type", {"string", "array"}},
                             {"items", {{"type", "string"}}},
                             {"description", "other files to read, relative to this one"}};
    properties["parameters"] = {{"type", {"object", "null"}},
                                {"propertyNames", {{"pattern", kIdentifier}}},
                                {"additionalProperties", number_or_formula()},
                                {"description", "named numbers, formulas of each other"}};
    Json units = Json::object();
    for (const UnitName& unit : unit_names()) {
      units[std::string(unit.quantity)]["enum"].push_back(std::string(unit.name));
    }
    properties["units"] = {{"type", "object"},
                           {"properties", std::move(units)},
                           {"additionalProperties", false},
                           {"description", "units of the numbers in this file"}};
  }

  // Keys of the list or collection around, and the choice of an alternative.
  static Json outer_keys(const PlacedType& placed) {
    Json properties = Json::object();
    if (placed.has_type) properties["type"] = {{"const", placed.type->name}};
    if (placed.is_item) {
      properties["for"] = {
          {"type", "object"},
          {"propertyNames", {{"pattern", kIdentifier}}},
          {"additionalProperties", {{"type", {"string", "array"}}}},
          {"description", "repeats this part: {i: 1..4}, {i: 0..10..2}, {i: [1, 3]}"}};
      properties["when"] = {{"type", {"string", "number", "boolean"}},
                            {"description", "skips the repetitions for which this is 0"}};
    }
    return properties;
  }

  Json object(const PlacedType& placed) const {
    Json result = {{"type", "object"}};
    if (!placed.type->summary.empty()) result["description"] = placed.type->summary;
    Json properties = outer_keys(placed);
    Json required = Json::array();
    for (const FieldInfo& field : placed.type->fields) {
      Json property = value(field.type());
      std::string text = field.meaning;
      if (const std::string unit = si_name(field.traits.unit); !unit.empty()) {
        text += fmt::format(" [{}]", unit);
      }
      // beside a $ref draft-07 ignores other words
      if (property.contains("$ref")) {
        property = {{"allOf", Json::array({property})}};
      }
      property["description"] = text;
      properties[field.name] = std::move(property);
      if (field.traits.required) required.push_back(field.name);
    }
    result["properties"] = std::move(properties);
    result["additionalProperties"] = false;
    if (!required.empty()) result["required"] = std::move(required);
    for (const FieldInfo& field : placed.type->fields)
      if (field.name == placed.type->shorthand)
        return {{"anyOf", Json::array({value(field.type()), result})}};
    return result;
  }

  // `type` first, then the keys of that alternative: gives better messages than oneOf.
  Json choice(const PlacedType& placed) const {
    Json names = Json::array(), cases = Json::array();
    for (const TypeOf alternative : placed.type->alternatives) {
      const Type& type = alternative();
      names.push_back(type.name);
      cases.push_back({{"if", {{"properties", {{"type", {{"const", type.name}}}}}}},
                       {"then", reference(type)}});
    }
    return {{"type", "object"},
            {"properties", {{"type", {{"enum", std::move(names)}}}}},
            {"required", {"type"}},
            {"allOf", std::move(cases)}};
  }

  Json reference(const Type& type) const { return {{"$ref", "#/definitions/" + ids_.at(&type)}}; }

  Json value(const Type& type) const {
    switch (type.kind) {
      case TypeKind::kNumber:
      case TypeKind::kFormula:
        return number_or_formula();
      case TypeKind::kInteger:
        return {{"type", {"integer", "string"}}};
      case TypeKind::kBool:
        return {{"type", "boolean"}};
      case TypeKind::kText:
        return {{"type", {"string", "number", "boolean"}}};
      case TypeKind::kChoice:
        return {{"enum", strings(type.choices)}};
      case TypeKind::kVector:
        return {
            {"type", "array"}, {"items", number_or_formula()}, {"minItems", 2}, {"maxItems", 3}};
      case TypeKind::kName:
        return {{"type", "string"}};
      case TypeKind::kList:
        // one number may stand for a list of one
        if (type.item().kind == TypeKind::kText)
          return {{"type", {"array", "string", "null"}}, {"items", value(type.item())}};
        if (type.item().kind == TypeKind::kNumber || type.item().kind == TypeKind::kFormula)
          return {{"type", {"array", "number", "string", "null"}}, {"items", value(type.item())}};
        return {{"type", {"array", "null"}}, {"items", value(type.item())}};
      case TypeKind::kCollection:
        return {{"type", {"object", "null"}},
                {"propertyNames", {{"pattern", kKeyOfPart}}},
                {"additionalProperties", value(type.item())}};
      case TypeKind::kOptional:
        return value(type.item());
      default:
        return reference(type);
    }
  }

  std::vector<PlacedType> all_;
  std::map<const Type*, std::string> ids_;
};

}  // namespace

std::string json_schema(const Type& root) {
  return SchemaWriter(root).write();
}

}  // namespace picus
