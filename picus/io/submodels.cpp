// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/submodels.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "picus/io/reader.h"

namespace picus {
namespace {

constexpr std::string_view kSection = "submodels";
constexpr int kMostSubmodels = 10000;  // files that name each other many times multiply

std::string resolved(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path result = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : result.string();
}

class SubmodelReader {
 public:
  explicit SubmodelReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// `around` are the files that contain this document, outermost first; `dimension` is that of the
  /// model, 0 for the model itself.
  Model read(Document& document, std::vector<std::string> around, int dimension) {
    const auto parts = take_section(document);
    std::vector<std::vector<Override>> changes = route_overrides(document, parts);
    Model model = read_model<Model>(document, diagnostics_);
    if (dimension != 0 && !document.root.find("dimension")) model.dimension = dimension;
    if (document.files.empty() ||
        static_cast<std::size_t>(document.first_file) >= document.files.size())
      return model;
    around.push_back(resolved(document.files[static_cast<std::size_t>(document.first_file)].name));
    model.submodels = parts;
    for (std::size_t k = 0; k < parts.size(); ++k)
      add(document, model, parts[k], std::move(changes[k]), around);
    return model;
  }

 private:
  using Parts = std::vector<Named<SubmodelPart>>;

  // The section leaves the document: its overrides must be known before the rest is read.
  Parts take_section(Document& document) {
    Parts parts;
    auto& sections = document.root.children;
    const auto found = std::find_if(sections.begin(), sections.end(),
                                    [](const TreeNode& node) { return node.key == kSection; });
    const auto is_mine = [](const Override& change) { return change.path.front() == kSection; };
    const bool has_changes =
        std::any_of(document.overrides.begin(), document.overrides.end(), is_mine);
    if (found == sections.end() && !has_changes) return parts;
    document.submodels.key = kSection;
    if (found != sections.end()) {
      document.submodels = std::move(*found);
      sections.erase(found);
    }
    read_section(document, document.submodels, type_of<Parts>(), &parts, diagnostics_);
    std::erase_if(document.overrides, is_mine);
    std::erase_if(parts, [&](const Named<SubmodelPart>& part) { return !is_sound(part); });
    return parts;
  }

  bool is_sound(const Named<SubmodelPart>& part) {
    const auto fault = [&](const std::string& what) {
      diagnostics_.error(part.place, fmt::format("submodel '{}': {}", part.name, what));
      return false;
    };
    for (const FieldInfo& field : type_of<Model>().fields)
      if (field.name == part.name) return fault("this is a key of models, choose another name");
    if (std::find(kFileKeys.begin(), kFileKeys.end(), part.name) != kFileKeys.end())
      return fault("this is a key of models, choose another name");
    for (const Rotation& rotation : part.value.rotations)
      if (rotation.axis.norm() == 0.0)
        return fault("found a rotation about an axis of length zero");
    if (++count_ > kMostSubmodels) {
      if (count_ == kMostSubmodels + 1)
        fault(fmt::format("found more than {} submodels", kMostSubmodels));
      return false;
    }
    return true;
  }

  // left.mass and bodies.left.thigh.mass belong to the submodel `left`.
  static std::vector<std::vector<Override>> route_overrides(Document& document,
                                                            const Parts& parts) {
    std::vector<std::vector<Override>> result(parts.size());
    const auto index_of = [&](const std::string& name) {
      return static_cast<std::size_t>(
          std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == name; }) -
          parts.begin());
    };
    std::erase_if(document.overrides, [&](Override& change) {
      for (std::size_t k = 0; k + 1 < change.path.size() && k < 2; ++k) {
        const std::size_t part = index_of(change.path[k]);
        if (part == parts.size()) continue;
        change.path.erase(change.path.begin() + static_cast<std::ptrdiff_t>(k));
        result[part].push_back(std::move(change));
        return true;
      }
      return false;
    });
    return result;
  }

  void add(Document& outer, Model& model, const Named<SubmodelPart>& part,
           std::vector<Override> changes, const std::vector<std::string>& around) {
    const std::string full =
        outer.full_name.empty() ? part.name : outer.full_name + "." + part.name;
    SubmodelSource source{full, part.value.file, part.place, given(part.value), around};
    source.overrides.insert(source.overrides.end(), std::make_move_iterator(changes.begin()),
                            std::make_move_iterator(changes.end()));
    Document document = load_submodel(outer, source, diagnostics_);
    Model inner = read(document, around, model.dimension);
    outer.files = std::move(document.files);
    outer.units = std::move(document.units);
    check(document, model, inner, part);
    add_submodel(
        model, std::move(inner), part.name, part.value,
        [&](SourcePlace place, const std::string& message) { diagnostics_.error(place, message); });
    std::vector<Document> nested = std::move(document.parts);
    document.parts.clear();
    outer.parts.push_back(std::move(document));
    for (Document& deeper : nested)
      outer.parts.push_back(std::move(deeper));
  }

  // The parameters that the submodel is given.
  static std::vector<Override> given(const SubmodelPart& part) {
    std::vector<Override> result;
    for (const Named<double>& parameter : part.parameters) {
      Override change{{parameter.name}, parameter.place, {}};
      change.value.kind = TreeNode::Kind::kScalar;
      change.value.text = fmt::format("{}", parameter.value);
      change.value.place = change.value.key_place = parameter.place;
      change.value.key = parameter.name;
      result.push_back(std::move(change));
    }
    return result;
  }

  // What concerns the whole is the business of the model.
  void check(const Document& document, const Model& model, const Model& inner,
             const Named<SubmodelPart>& part) {
    if (inner.dimension != model.dimension && document.complete)
      diagnostics_.error(
          document.place_of("dimension"),
          fmt::format("submodel '{}' has dimension {}, expected {}, that of the model", part.name,
                      inner.dimension, model.dimension));
    if (inner.gravity != Vector3::Zero() && model.gravity == Vector3::Zero() &&
        count_warned_++ == 0)
      diagnostics_.warning(
          part.place, fmt::format("submodel '{}' has gravity, which is not used, and the model "
                                  "has none; state 'gravity' in the model",
                                  part.name));
  }

  Diagnostics& diagnostics_;
  int count_ = 0, count_warned_ = 0;
};

}  // namespace

Model read_with_submodels(Document& document, Diagnostics& diagnostics) {
  return SubmodelReader(diagnostics).read(document, {}, 0);
}

}  // namespace picus
