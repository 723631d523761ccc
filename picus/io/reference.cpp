// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/reference.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "picus/io/units.h"

namespace picus {
namespace {

std::string heading(const PlacedType& placed) {
  return placed.path.empty() ? "Top level" : placed.path;
}

// Keys of the model, their alternatives, and what is inside of those.
std::string_view level(const PlacedType& placed) {
  if (placed.path.find('.') != std::string::npos) return "####";
  return placed.path.find(':') == std::string::npos ? "##" : "###";
}

// The anchor Markdown makes of a heading: lower case, blanks to hyphens, other signs dropped.
std::string anchor(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ' ') {
      result += '-';
    } else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

class PageWriter {
 public:
  explicit PageWriter(const Type& root) : all_(types_within(root)) {}

  std::string write() {
    for (const PlacedType& placed : all_) {
      write_section(placed);
    }
    return std::move(page_);
  }

 private:
  void write_section(const PlacedType& placed) {
    const Type& type = *placed.type;
    if (!page_.empty()) page_ += '\n';
    page_ += fmt::format("{} {}\n", level(placed), heading(placed));
    if (!type.summary.empty()) page_ += fmt::format("\n{}\n", type.summary);
    if (type.kind == TypeKind::kVariant) {
      write_alternatives(placed);
    } else {
      write_fields(placed);
    }
  }

  void write_alternatives(const PlacedType& placed) {
    page_ += "\n| type | meaning |\n|---|---|\n";
    for (const TypeOf alternative : placed.type->alternatives) {
      const Type& type = alternative();
      page_ += fmt::format("| {} | {} |\n", link(type, type.name), cell(type.summary));
    }
  }

  void write_fields(const PlacedType& placed) {
    if (placed.type->fields.empty()) {
      page_ += "\nNo keys.\n";
      return;
    }
    page_ += "\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (const FieldInfo& field : placed.type->fields) {
      page_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.name, value(field.type()),
                           si_name(field.traits.unit), default_of(field), cell(field.meaning));
    }
  }

  static std::string default_of(const FieldInfo& field) {
    if (field.traits.required) return "**required**";
    return field.default_value.empty() ? "" : fmt::format("`{}`", cell(field.default_value));
  }

  std::string value(const Type& type) const {
    switch (type.kind) {
      case TypeKind::kNumber:
        return "number";
      case TypeKind::kInteger:
        return "whole number";
      case TypeKind::kBool:
        return "`true` or `false`";
      case TypeKind::kText:
        return "text";
      case TypeKind::kChoice:
        return fmt::format("`{}`", fmt::join(type.choices, "`, `"));
      case TypeKind::kVector:
        return "vector";
      case TypeKind::kName:
        return "name";
      case TypeKind::kFormula:
        return "formula";
      case TypeKind::kList:
        return "list of " + value(type.item());
      case TypeKind::kCollection:
        return "named " + value(type.item());
      case TypeKind::kOptional:
        return value(type.item());
      default:
        return link(type, "");
    }
  }

  // a link to the section of a type; without a text that is its heading
  std::string link(const Type& type, const std::string& text) const {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const PlacedType& p) { return p.type == &type; });
    const std::string title = heading(*found);
    return fmt::format("[{}](#{})", text.empty() ? title : text, anchor(title));
  }

  std::vector<PlacedType> all_;
  std::string page_;
};

}  // namespace

std::string reference_page(const Type& root) {
  return PageWriter(root).write();
}

}  // namespace picus
