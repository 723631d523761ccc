// SPDX-License-Identifier: BSD-3-Clause
#include "picus/io/model_file.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "picus/io/mesh_file.h"
#include "picus/io/submodels.h"
#include "picus/mechanism/assemble.h"

namespace picus {
namespace {

// Files are found beside the model file that names them; those that an override names, beside the
// model.
struct NamedFile {
  std::string path, text;
};

NamedFile read_beside(LoadedModel& loaded, SourcePlace place, const std::string& name) {
  const Document& document = loaded.document;
  const auto file = static_cast<std::size_t>(std::max(place.file, 0));
  const std::filesystem::path from = document.files.empty() ? "" : document.files[file].name;
  FileText result = read_named_file(document.folder, from, name);
  if (!result.ok()) throw InputError("file: " + result.fault);
  const std::string path = ModelFolder::path_of(from, name).string();
  if (std::none_of(loaded.data.begin(), loaded.data.end(),
                   [&](const SourceFile& known) { return known.name == path; }))
    loaded.data.push_back({path, result.text});
  return {path, std::move(result.text)};
}

std::shared_ptr<const Table> read_table(LoadedModel& loaded, SourcePlace place,
                                        const TablePart& table) {
  const TableOptions options{table.interpolation, table.extrapolation};
  if (table.file.empty()) return std::make_shared<Table>(table.x, table.y, options);
  if (!table.x.empty() || !table.y.empty())
    throw InputError("found both a file and points, expected one of them");
  const NamedFile file = read_beside(loaded, place, table.file);
  return std::make_shared<Table>(
      Table::from_csv(file.text, file.path, {table.x_column, table.y_column}, options));
}

// Surfaces of bodies, from the files they name.
void read_meshes(LoadedModel& loaded) {
  for (Named<BodyPart>& body : loaded.model.bodies) {
    auto* mesh = body.value.shape ? std::get_if<MeshShape>(&*body.value.shape) : nullptr;
    if (mesh == nullptr) continue;
    try {
      const NamedFile file = read_beside(loaded, body.place, mesh->file);
      mesh->surface = read_mesh(file.text, file.path);
      if (!(mesh->scale > 0.0))
        throw InputError(fmt::format("scale: found {:g}, expected a positive number", mesh->scale));
      for (Vector3& point : mesh->surface.points)
        point *= mesh->scale;
    } catch (const InputError& error) {
      loaded.diagnostics.error(body.place,
                               fmt::format("mesh of body '{}': {}", body.name, error.what()));
    }
  }
}

// Curves of forces that are in files.
void read_curves(LoadedModel& loaded) {
  const auto read = [&](const std::string& force, std::optional<CurvePart>& part) {
    if (!part) return;
    try {
      part->curve = read_table(loaded, part->place, *part);
    } catch (const InputError& error) {
      loaded.diagnostics.error(part->place, fmt::format("force '{}': {}", force, error.what()));
    }
  };
  for (Named<Force>& part : loaded.model.forces) {
    std::visit(
        [&](auto& force) {
          if constexpr (requires { force.stiffness_table; }) {
            read(part.name, force.stiffness_table);
            read(part.name, force.damping_table);
          } else if constexpr (requires { force.stiffness_tables; }) {
            for (auto* curves :
                 {&force.stiffness_tables, &force.damping_tables, &force.torsional_stiffness_tables,
                  &force.torsional_damping_tables})
              if (*curves)
                for (auto* curve : {&(*curves)->x, &(*curves)->y, &(*curves)->z})
                  read(part.name, *curve);
          }
        },
        part.value);
  }
}

AssemblyContext context_of(const Document& document, Diagnostics& diagnostics) {
  AssemblyContext context;
  context.complain = [&](SourcePlace place, const std::string& message) {
    diagnostics.error(place, message);
  };
  context.warn = [&](SourcePlace place, const std::string& message) {
    diagnostics.warning(place, message);
  };
  context.place_of = [&](const std::string& path) { return document.place_of(path); };
  context.place_in = [&](const Formula& formula, int offset) {
    return document.place_in(formula, static_cast<std::size_t>(offset));
  };
  context.parameter = [&](int placement, std::string_view name) -> std::optional<double> {
    const Document& owner =
        placement == 0 ? document : document.parts[static_cast<std::size_t>(placement) - 1];
    const Parameter* parameter = owner.find_parameter(name);
    if (parameter == nullptr || !parameter->known) return std::nullopt;
    return parameter->value;
  };
  context.scale = [&](const Dimension& dimension, SourcePlace place) {
    return document.units_at(place).factor(dimension);
  };
  return context;
}

void assemble_into(LoadedModel& loaded) {
  read_meshes(loaded);
  AssemblyContext context = context_of(loaded.document, loaded.diagnostics);
  const bool is_well_formed = !loaded.diagnostics.has_errors();
  for (const Named<TablePart>& part : loaded.model.tables) {
    if (!is_well_formed && part.value.file.empty()) continue;  // its points may be missing
    try {
      context.tables[part.name] = read_table(loaded, part.place, part.value);
    } catch (const InputError& error) {
      loaded.diagnostics.error(part.place, fmt::format("table '{}': {}", part.name, error.what()));
    }
  }
  if (is_well_formed) read_curves(loaded);
  // a file with mistakes in its form would only give mistakes that follow from them
  if (!loaded.diagnostics.has_errors()) loaded.mechanism = assemble(loaded.model, context);
}

LoadedModel finish(Document document, Diagnostics diagnostics) {
  LoadedModel loaded{std::move(document), {}, nullptr, std::move(diagnostics), {}};
  loaded.model = read_with_submodels(loaded.document, loaded.diagnostics);
  if (loaded.model.name.empty() && !loaded.document.files.empty())
    loaded.model.name = std::filesystem::path(loaded.document.files.front().name).stem().string();
  try {
    assemble_into(loaded);
  } catch (const TooManyErrors&) {
    // they are reported
  }
  if (loaded.diagnostics.has_errors()) throw ModelError(loaded.diagnostics, loaded.document.files);
  return loaded;
}

}  // namespace

LoadedModel load_model(const std::string& path, std::span<const std::string> overrides,
                       const LoadOptions& options) {
  Diagnostics diagnostics;
  Document document = load_document(path, overrides, diagnostics, options);
  return finish(std::move(document), std::move(diagnostics));
}

LoadedModel load_model_text(const std::string& name, std::string text,
                            std::span<const std::string> overrides, const LoadOptions& options) {
  Diagnostics diagnostics;
  Document document = load_document_text(name, std::move(text), overrides, diagnostics, options);
  return finish(std::move(document), std::move(diagnostics));
}

std::string text_of(const Document& document) {
  if (document.files.size() == 1) return document.files.front().text;
  std::string text;
  std::set<std::string_view> written;  // submodels may share a file
  for (const SourceFile& file : document.files)
    if (written.insert(file.name).second)
      text += fmt::format("# --- {}\n{}\n", std::filesystem::path(file.name).filename().string(),
                          file.text);
  return text;
}

}  // namespace picus
