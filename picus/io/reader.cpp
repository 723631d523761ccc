// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "picus/io/pattern.h"
#include "picus/io/scope.h"

namespace picus {
namespace {

constexpr std::string_view kTypeKey = "type";

// An override that concerns the present place or something inside it.
struct Pending {
  const Override* change;
  std::size_t depth;  // how many parts of its path led here

  bool is_here() const { return depth == change->path.size(); }
  const std::string& next() const { return change->path[depth]; }
};

// What the reader knows about a value from its surroundings.
struct Context {
  std::string name;   // of the key, for messages
  SourcePlace owner;  // where a missing key is reported
  Dimension unit = {};
  bool is_item = false;  // `for` and `when` belong to the list around
  std::vector<Pending> pending = {};
  std::string_view vector_field = {};  // takes a vector where this one takes a number
};

// The field beside a number that is the same as a vector: angular_velocity beside spin.
std::string_view vector_beside(const FieldInfo& number, const Type& type) {
  if (number.type().kind != TypeKind::kNumber || number.traits.unit == Dimension{}) return {};
  for (const FieldInfo& field : type.fields)
    if (field.type().kind == TypeKind::kVector && field.traits.unit == number.traits.unit)
      return field.name;
  return {};
}

bool is_number_type(const Type& type) {
  return type.kind == TypeKind::kNumber || type.kind == TypeKind::kFormula;
}

// As an item of a list: one of it is a list of one.
bool may_stand_alone(const Type& type) {
  return is_number_type(type) || type.kind == TypeKind::kText;
}

class Reader {
 public:
  Reader(const Document& document, Diagnostics& diagnostics)
      : document_(document),
        diagnostics_(diagnostics),
        scope_(document, diagnostics),
        patterns_(document, scope_, diagnostics) {}

  void read(const Type& type, const TreeNode& node, void* target, Context here) {
    const TreeNode* source = &node;
    for (const Pending& pending : here.pending) {
      if (pending.is_here()) source = &pending.change->value;
    }
    std::erase_if(here.pending, [](const Pending& pending) { return pending.is_here(); });
    read_source(type, *source, target, here);
  }

 private:
  void read_source(const Type& type, const TreeNode& node, void* target, const Context& here) {
    switch (type.kind) {
      case TypeKind::kOptional:
        if (node.is_nothing() && here.pending.empty()) return;  // the same as leaving it out
        read_source(type.item(), node, type.emplace(target), here);
        return;
      case TypeKind::kStruct:
        read_struct(type, node, target, here);
        return;
      case TypeKind::kVariant:
        read_variant(type, node, target, here);
        return;
      case TypeKind::kCollection:
        read_collection(type, node, target, here);
        return;
      default:
        refuse_inner_overrides(here);
    }
    switch (type.kind) {
      case TypeKind::kList:
        read_list(type, node, target, here);
        return;
      case TypeKind::kVector:
        read_vector(type, node, *static_cast<Vector3*>(target), here);
        return;
      default:
        if (!node.is_scalar()) {
          wrong(node, type, here);
        } else {
          read_scalar(type, node, target, here);
        }
    }
  }

  void read_scalar(const Type& type, const TreeNode& node, void* target, const Context& here) {
    switch (type.kind) {
      case TypeKind::kNumber:
        read_number(node, *static_cast<double*>(target), here);
        break;
      case TypeKind::kInteger:
        read_integer(type, node, target, here);
        break;
      case TypeKind::kBool:
        read_bool(type, node, *static_cast<bool*>(target), here);
        break;
      case TypeKind::kText:
        *static_cast<std::string*>(target) = node.text;
        break;
      case TypeKind::kChoice:
        read_choice(type, node, target, here);
        break;
      case TypeKind::kName:
        read_name(type, node, *static_cast<Name*>(target), here);
        break;
      default:
        read_formula(type, node, *static_cast<Formula*>(target), here);
    }
  }

  void read_number(const TreeNode& node, double& target, const Context& here) {
    if (const auto value = scope_.number(node, label(here))) {
      target = *value * document_.units_at(node.place).factor(here.unit);
    }
  }

  void read_integer(const Type& type, const TreeNode& node, void* target, const Context& here) {
    const auto value = scope_.number(node, label(here));
    if (!value) return;
    if (*value != std::round(*value)) {
      diagnostics_.error(node.place,
                         fmt::format("{}: found {}, expected a whole number", label(here), *value));
    } else if (*value < type.lowest || *value > type.highest || std::abs(*value) > 1e15) {
      diagnostics_.error(node.place,
                         fmt::format("{}: found {}, expected a whole number from {} to {}",
                                     label(here), *value, type.lowest, type.highest));
    } else {
      type.set_integer(target, static_cast<long long>(*value));
    }
  }

  void read_bool(const Type& type, const TreeNode& node, bool& target, const Context& here) {
    if (node.text == "true" || node.text == "false") {
      target = node.text == "true";
    } else {
      wrong(node, type, here);
    }
  }

  void read_choice(const Type& type, const TreeNode& node, void* target, const Context& here) {
    const auto found = std::find(type.choices.begin(), type.choices.end(), node.text);
    if (found == type.choices.end()) {
      diagnostics_.error(node.place, fmt::format("{}: {}", label(here),
                                                 unknown_among("choice", node.text, type.choices)));
    } else {
      type.set_choice(target, static_cast<std::size_t>(found - type.choices.begin()));
    }
  }

  void read_name(const Type& type, const TreeNode& node, Name& target, const Context& here) {
    auto text = scope_.name(node.text, node.place);
    if (!text) return;
    if (is_path_of_names(*text)) {
      target = {*std::move(text), node.place};
    } else {
      wrong(node, type, here);
    }
  }

  void read_formula(const Type& type, const TreeNode& node, Formula& target, const Context& here) {
    if (node.text.find_first_not_of(" \t\n") == std::string::npos) {
      wrong(node, type, here);
    } else if (auto text = scope_.formula(node)) {
      target = {*std::move(text), node.place};
    }
  }

  void read_vector(const Type& type, const TreeNode& node, Vector3& target, const Context& here) {
    const std::size_t count = node.children.size();
    if (!node.is_list() || count < 2 || count > 3) {
      wrong(node, type, here);
      return;
    }
    Vector3 value = Vector3::Zero();
    for (std::size_t i = 0; i < count; ++i) {
      const TreeNode& child = node.children[i];
      if (child.is_scalar()) {
        read_number(child, value[static_cast<Eigen::Index>(i)], here);
      } else {
        wrong(child, type_of<double>(), here);
      }
    }
    target = value;
  }

  void read_list(const Type& type, const TreeNode& node, void* target, const Context& here) {
    type.clear(target);
    if (node.is_nothing()) return;
    if (node.is_scalar() && may_stand_alone(type.item())) {  // a list of one
      read(type.item(), node, type.append(target), here);
      return;
    }
    if (!node.is_list()) {
      wrong(node, type, here);
      return;
    }
    for (const TreeNode& child : node.children) {
      const auto append = [&] {
        const Context inner{here.name, child.place, here.unit, true};
        read(type.item(), child, type.append(target), inner);
      };
      if (child.is_map() && is_map_type(type.item())) {
        patterns_.expand(child, append);
      } else {
        append();
      }
    }
  }

  void read_struct(const Type& type, const TreeNode& node, void* target, const Context& here) {
    if (!type.shorthand.empty() && !node.is_map() && !node.is_nothing()) {
      read_shorthand(type, node, target, here);
      return;
    }
    if (!node.is_map() && !node.is_nothing()) {
      wrong(node, type, here);
      return;
    }
    if (type.set_place) type.set_place(target, here.owner);
    read_fields(type, node, target, here, false);
  }

  // One field, without the map around it.
  void read_shorthand(const Type& type, const TreeNode& node, void* target, const Context& here) {
    const auto field = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const FieldInfo& f) { return f.name == type.shorthand; });
    expects(field != type.fields.end(), "kShorthand names a field");
    if (type.set_place) type.set_place(target, here.owner);
    refuse_inner_overrides(here);
    read_source(field->type(), node, static_cast<char*>(target) + field->offset,
                {here.name, here.owner, field->traits.unit});
  }

  void read_variant(const Type& type, const TreeNode& node, void* target, const Context& here) {
    if (!node.is_map() && !node.is_nothing()) {
      wrong(node, type, here);
      return;
    }
    const TreeNode* choice = node.find(kTypeKey);
    for (const Pending& pending : here.pending) {
      if (pending.next() == kTypeKey) choice = &pending.change->value;
    }
    std::vector<std::string_view> names;
    for (const TypeOf alternative : type.alternatives) {
      names.push_back(alternative().name);
    }
    if (!choice || !choice->is_scalar()) {
      const std::string found =
          choice ? fmt::format("'type': found {}", describe(*choice)) : "missing key 'type'";
      diagnostics_.error(
          choice ? choice->place : here.owner,
          fmt::format("{}: {}, expected one of: {}", label(here), found, fmt::join(names, ", ")));
      return;
    }
    const auto found = std::find(names.begin(), names.end(), choice->text);
    if (found == names.end()) {
      diagnostics_.error(choice->place, unknown_among("type", choice->text, names));
      return;
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    const Type& chosen = type.alternatives[index]();
    void* const value = type.choose(target, index);
    if (chosen.set_place) chosen.set_place(value, here.owner);
    read_fields(chosen, node, value, here, true);
  }

  void read_fields(const Type& type, const TreeNode& node, void* target, const Context& here,
                   bool has_type) {
    std::vector<std::string_view> names;
    if (has_type) names.push_back(kTypeKey);
    for (const FieldInfo& field : type.fields) {
      names.push_back(field.name);
    }
    if (&node == &document_.root) names.insert(names.end(), kFileKeys.begin(), kFileKeys.end());
    const auto is_known = [&](std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end() ||
             std::any_of(type.fields.begin(), type.fields.end(), [&](const FieldInfo& field) {
               return !name.empty() && field.traits.former == name;
             });
    };
    std::vector<std::string_view> misspelt;  // not missed a second time
    for (const TreeNode& child : node.children) {
      const bool of_list = here.is_item && (child.key == kFor || child.key == kWhen);
      if (!of_list && !is_known(child.key)) {
        diagnostics_.error(child.key_place, unknown_among("key", child.key, names));
        misspelt.push_back(nearest_name(child.key, names));
      }
    }
    for (const Pending& pending : here.pending) {
      if (!is_known(pending.next())) {
        diagnostics_.error(pending.change->place, unknown_among("key", pending.next(), names));
      }
    }
    for (const FieldInfo& field : type.fields) {
      if (std::find(misspelt.begin(), misspelt.end(), field.name) == misspelt.end()) {
        read_field(field, node, static_cast<char*>(target) + field.offset, here,
                   vector_beside(field, type));
      }
    }
  }

  void read_field(const FieldInfo& field, const TreeNode& node, void* target, const Context& here,
                  std::string_view vector_field) {
    const TreeNode* child = find_field(field, node);
    Context inner{field.name, child ? child->key_place : here.owner, field.traits.unit};
    inner.pending = inside(here, field.name);
    if (!field.traits.former.empty()) take_former(field, here, inner.pending);
    inner.vector_field = vector_field;
    if (child) {
      read(field.type(), *child, target, inner);
    } else if (!inner.pending.empty()) {
      TreeNode nothing;
      nothing.place = inner.owner;
      read(field.type(), nothing, target, inner);
    } else if (field.traits.required) {
      diagnostics_.error(here.owner,
                         fmt::format("{}missing key '{}' ({}), expected {}",
                                     here.name.empty() ? "" : label(here) + ": ", field.name,
                                     field.meaning, expected_value(field.type())));
    }
  }

  // Overrides may use the old name of a key, too.
  void take_former(const FieldInfo& field, const Context& here, std::vector<Pending>& pending) {
    for (const Pending& old : inside(here, field.traits.former)) {
      diagnostics_.warning(old.change->place, fmt::format("the key '{}' is now called '{}'",
                                                          field.traits.former, field.name));
      pending.push_back(old);
    }
  }

  // By its name, or by the one it had in older files.
  const TreeNode* find_field(const FieldInfo& field, const TreeNode& node) {
    const TreeNode* child = node.find(field.name);
    const TreeNode* former = field.traits.former.empty() ? nullptr : node.find(field.traits.former);
    if (former == nullptr) return child;
    if (child != nullptr) {
      diagnostics_.error(former->key_place,
                         fmt::format("found '{}' and '{}', its old name: expected one of them",
                                     field.name, former->key));
      return child;
    }
    diagnostics_.warning(former->key_place,
                         fmt::format("the key '{}' is now called '{}'", former->key, field.name));
    return former;
  }

  void read_collection(const Type& type, const TreeNode& node, void* target, const Context& here) {
    type.clear(target);
    if (!node.is_map() && !node.is_nothing()) {
      wrong(node, type, here);
      return;
    }
    std::map<std::string, SourcePlace> places;
    for (const TreeNode& child : node.children) {
      const auto append = [&] { read_entry(type, child, target, here, places); };
      if (!child.is_map()) {
        append();
      } else if (child.find(kFor) && child.key.find('[') == std::string::npos) {
        diagnostics_.error(child.key_place,
                           fmt::format("found 'for' in '{}', whose name has no index; expected a "
                                       "name such as '{}[i]'",
                                       child.key, child.key));
      } else {
        patterns_.expand(child, append);
      }
    }
    std::vector<std::string_view> names;
    names.reserve(places.size());
    for (const auto& entry : places) {
      names.push_back(entry.first);
    }
    for (const Pending& pending : here.pending) {
      if (!places.contains(pending.next())) {
        diagnostics_.error(
            pending.change->place,
            fmt::format("'{}': {}", here.name, unknown_among("name", pending.next(), names)));
      }
    }
  }

  void read_entry(const Type& type, const TreeNode& child, void* target, const Context& here,
                  std::map<std::string, SourcePlace>& places) {
    const auto name = scope_.name(child.key, child.key_place);
    if (!name) return;
    if (!is_identifier(*name)) {
      diagnostics_.error(child.key_place,
                         fmt::format("found '{}' as a name, expected letters, digits and _, "
                                     "beginning with a letter",
                                     *name));
      return;
    }
    const auto [known, is_new] = places.emplace(*name, child.key_place);
    if (!is_new) {
      diagnostics_.error(child.key_place,
                         fmt::format("the name '{}' is given twice, first at {}", *name,
                                     to_text(known->second, document_.files)));
      return;
    }
    Context inner{*name, child.key_place, here.unit, true};
    inner.pending = inside(here, *name);
    read(type.item(), child, type.append_named(target, *name, child.key_place), inner);
  }

  static bool is_map_type(const Type& type) {
    return type.kind == TypeKind::kStruct || type.kind == TypeKind::kVariant;
  }

  static std::vector<Pending> inside(const Context& here, std::string_view name) {
    std::vector<Pending> result;
    for (const Pending& pending : here.pending) {
      if (pending.next() == name) result.push_back({pending.change, pending.depth + 1});
    }
    return result;
  }

  void refuse_inner_overrides(const Context& here) {
    for (const Pending& pending : here.pending) {
      diagnostics_.error(
          pending.change->place,
          fmt::format("'{}' has no key '{}'; override the whole of it", here.name, pending.next()));
    }
  }

  static std::string label(const Context& here) { return fmt::format("'{}'", here.name); }

  void wrong(const TreeNode& node, const Type& type, const Context& here) {
    std::string message =
        fmt::format("{}: found {}, expected {}", label(here), describe(node), expected_value(type));
    if (!here.vector_field.empty() && node.is_list())
      message += fmt::format("; '{}' takes a vector", here.vector_field);
    const bool is_torn =
        std::any_of(node.children.begin(), node.children.end(), [](const TreeNode& child) {
          const auto count = [&](char c) {
            return std::count(child.text.begin(), child.text.end(), c);
          };
          return !child.quoted && count('(') > count(')');
        });
    if (is_torn) message += "; in a list a formula with commas needs quotes";
    diagnostics_.error(node.place, message);
  }

  const Document& document_;
  Diagnostics& diagnostics_;
  Scope scope_;
  PatternExpander patterns_;
};

}  // namespace

void read_section(const Document& document, const TreeNode& section, const Type& type, void* target,
                  Diagnostics& diagnostics) {
  if (!document.complete) return;
  Context here{section.key, section.key_place};
  for (const Override& change : document.overrides)
    if (change.path.front() == section.key) here.pending.push_back({&change, 1});
  try {
    Reader(document, diagnostics).read(type, section, target, here);
  } catch (const TooManyErrors&) {
    // they are reported
  }
}

void read_object(const Document& document, const Type& type, void* object,
                 Diagnostics& diagnostics) {
  if (!document.complete) return;  // what is missing would be reported as missing keys
  Context here{"", {document.first_file, 1, 1}};
  for (const Override& change : document.overrides) {
    here.pending.push_back({&change, 0});
  }
  try {
    Reader(document, diagnostics).read(type, document.root, object, here);
  } catch (const TooManyErrors&) {
    // they are reported; what was not read keeps its default
  }
}

}  // namespace picus
