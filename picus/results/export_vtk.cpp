// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/export_vtk.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/base/output_file.h"
#include "picus/results/scene.h"

namespace picus {
namespace {

/// Where a body is and how it moves, in the frame of the world.
struct Pose {
  Point position{};
  SceneRotation orientation{1.0, 0.0, 0.0, 0.0};
  Point velocity{};
  Point angular_velocity{};

  Point place(const Point& local) const {
    const Point arm = rotate(orientation, local);
    return {position[0] + arm[0], position[1] + arm[1], position[2] + arm[2]};
  }
  // v + ω × r
  Point velocity_at(const Point& local) const {
    const Point arm = rotate(orientation, local);
    const Point& w = angular_velocity;
    return {velocity[0] + w[1] * arm[2] - w[2] * arm[1],
            velocity[1] + w[2] * arm[0] - w[0] * arm[2],
            velocity[2] + w[0] * arm[1] - w[1] * arm[0]};
  }
};

/// The conventional quantities of bodies, sample by sample.
class Motion {
 public:
  explicit Motion(const ResultFile& result) : result_(result) {
    position_ = find("position", 3);
    orientation_ = find("orientation", 4);
    velocity_ = find("velocity", 3);
    angular_velocity_ = find("angular_velocity", 3);
    if (!position_)
      throw InputError(
          "the result has no quantity 'bodies/position' with components x, y, z: nothing to show");
    names_ = result.header().quantities[*position_].items;
  }

  const std::vector<std::string>& names() const { return names_; }

  std::optional<std::size_t> body(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return {};
    return static_cast<std::size_t>(found - names_.begin());
  }

  const std::vector<Pose>& at(long sample) {
    poses_.assign(names_.size(), Pose{});
    load(position_, sample, [](Pose& pose) -> Point& { return pose.position; });
    load(orientation_, sample, [](Pose& pose) -> SceneRotation& { return pose.orientation; });
    load(velocity_, sample, [](Pose& pose) -> Point& { return pose.velocity; });
    load(angular_velocity_, sample, [](Pose& pose) -> Point& { return pose.angular_velocity; });
    return poses_;
  }

 private:
  std::optional<std::size_t> find(std::string_view name, std::size_t components) const {
    const std::vector<Quantity>& all = result_.header().quantities;
    for (std::size_t q = 0; q < all.size(); ++q) {
      if (all[q].group == "bodies" && all[q].name == name &&
          all[q].components.size() == components && !all[q].items.empty())
        return q;
    }
    return {};
  }

  // A quantity may cover fewer bodies than position does, or others: they meet by name.
  template <class Field>
  void load(const std::optional<std::size_t>& quantity, long sample, Field field) {
    if (!quantity) return;
    result_.read(*quantity, sample, 1, row_);
    const std::vector<std::string>& items = result_.header().quantities[*quantity].items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool same_place = i < names_.size() && names_[i] == items[i];
      const std::optional<std::size_t> index = same_place ? i : body(items[i]);
      if (!index) continue;
      auto& target = field(poses_[*index]);
      std::copy_n(row_.begin() + static_cast<std::ptrdiff_t>(i * target.size()), target.size(),
                  target.begin());
    }
  }

  const ResultFile& result_;
  std::optional<std::size_t> position_, orientation_, velocity_, angular_velocity_;
  std::vector<std::string> names_;
  std::vector<Pose> poses_;
  std::vector<double> row_;
};

/// Points with cells and data, as ParaView wants them.
struct PolyData {
  struct Field {
    std::string name;
    std::vector<Point> values;
  };
  std::vector<Point> points;
  std::vector<int> vertices;
  std::vector<std::vector<int>> lines;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> body;  ///< number of the body of every point; -1 for none
  std::vector<Field> fields;
  /// Of every cell, one number or more.
  struct CellField {
    std::string name;
    std::size_t components = 1;
    std::vector<double> values = {};
  };
  std::vector<CellField> cell_fields = {};
};

class VtpText {
 public:
  explicit VtpText(const PolyData& data, double time, const std::vector<std::string>& names) {
    line("<?xml version=\"1.0\"?>");
    line("<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">");
    line("<PolyData>");
    field_data(time, names);
    line(fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
        data.points.size(), data.vertices.size(), data.lines.size(), data.triangles.size()));
    line("<PointData>");
    integers("Int32", "body", data.body);
    for (const PolyData::Field& field : data.fields)
      vectors(field.name, field.values);
    line("</PointData>");
    if (!data.cell_fields.empty()) cell_data(data.cell_fields);
    line("<Points>");
    vectors("points", data.points);
    line("</Points>");
    cells("Verts", data.vertices);
    cells("Lines", data.lines);
    cells("Polys", data.triangles);
    line("</Piece>\n</PolyData>\n</VTKFile>");
  }

  const std::string& text() const { return text_; }

 private:
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }

  // Names as codes of bytes, each ended by a zero: how VTK stores strings in XML.
  void field_data(double time, const std::vector<std::string>& names) {
    line("<FieldData>");
    line("<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    line(fmt::format("{}\n</DataArray>", time));
    line(
        fmt::format("<Array type=\"String\" Name=\"body_names\" NumberOfTuples=\"{}\" "
                    "format=\"ascii\">",
                    names.size()));
    for (const std::string& name : names) {
      for (const char c : name)
        text_ += fmt::format("{} ", static_cast<unsigned char>(c));
      line("0");
    }
    line("</Array>\n</FieldData>");
  }

  void integers(std::string_view type, std::string_view name, const std::vector<int>& values) {
    line(fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"ascii\">\n{}\n</DataArray>", type,
                     name, fmt::join(values, " ")));
  }

  void vectors(std::string_view name, const std::vector<Point>& values) {
    line(
        fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"3\" "
                    "format=\"ascii\">",
                    name));
    for (const auto& [x, y, z] : values)
      fmt::format_to(std::back_inserter(text_), "{} {} {}\n", x, y, z);
    line("</DataArray>");
  }

  void cell_data(const std::vector<PolyData::CellField>& fields) {
    line("<CellData>");
    for (const PolyData::CellField& field : fields)
      line(
          fmt::format("<DataArray type=\"Float64\" Name=\"{}\" NumberOfComponents=\"{}\" "
                      "format=\"ascii\">\n{}\n</DataArray>",
                      field.name, field.components, fmt::join(field.values, " ")));
    line("</CellData>");
  }

  static void add_to(std::vector<int>& all, int point) { all.push_back(point); }
  template <class Cell>
  static void add_to(std::vector<int>& all, const Cell& cell) {
    all.insert(all.end(), cell.begin(), cell.end());
  }

  // The points of all cells, and behind which of them each cell ends.
  template <class Cell>
  void cells(std::string_view kind, const std::vector<Cell>& list) {
    std::vector<int> points, ends;
    for (const Cell& cell : list) {
      add_to(points, cell);
      ends.push_back(static_cast<int>(points.size()));
    }
    line(fmt::format("<{}>", kind));
    integers("Int32", "connectivity", points);
    integers("Int32", "offsets", ends);
    line(fmt::format("</{}>", kind));
  }

  std::string text_;
};

PolyData body_points(const std::vector<Pose>& poses) {
  PolyData data;
  data.fields = {
      {"velocity", {}}, {"angular_velocity", {}}, {"axis_x", {}}, {"axis_y", {}}, {"axis_z", {}}};
  for (const Pose& pose : poses) {
    const int index = static_cast<int>(data.points.size());
    data.points.push_back(pose.position);
    data.vertices.push_back(index);
    data.body.push_back(index);
    data.fields[0].values.push_back(pose.velocity);
    data.fields[1].values.push_back(pose.angular_velocity);
    data.fields[2].values.push_back(rotate(pose.orientation, {1.0, 0.0, 0.0}));
    data.fields[3].values.push_back(rotate(pose.orientation, {0.0, 1.0, 0.0}));
    data.fields[4].values.push_back(rotate(pose.orientation, {0.0, 0.0, 1.0}));
  }
  return data;
}

/// A scene whose names are resolved: the shapes of bodies that are not recorded stand still.
class Stage {
 public:
  Stage(Scene scene, const Motion& motion) : scene_(std::move(scene)) {
    for (const SceneBody& body : scene_.bodies)
      bodies_.push_back(motion.body(body.name));
    for (const SceneLine& line : scene_.lines) {
      ends_.emplace_back();
      for (const SceneLine::End& end : line.through) {
        ends_.back().push_back(motion.body(end.body));
        if (!end.body.empty() && !ends_.back().back()) check_name(line, end.body, motion);
      }
    }
  }

  bool is_empty() const { return scene_.bodies.empty() && scene_.lines.empty(); }

  PolyData at(const std::vector<Pose>& poses) const {
    PolyData data;
    data.fields = {{"velocity", {}}};
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      add_mesh(scene_.bodies[b].mesh, bodies_[b], poses, data);
    for (std::size_t l = 0; l < scene_.lines.size(); ++l) {
      std::vector<int> line;
      for (std::size_t e = 0; e < ends_[l].size(); ++e) {
        line.push_back(static_cast<int>(data.points.size()));
        add_point(scene_.lines[l].through[e].at, ends_[l][e], poses, data);
      }
      data.lines.push_back(std::move(line));
    }
    return data;
  }

 private:
  using Index = std::optional<std::size_t>;

  // A body that stands still may be known to the scene alone.
  void check_name(const SceneLine& line, const std::string& name, const Motion& motion) const {
    for (const SceneBody& body : scene_.bodies) {
      if (body.name == name) return;
    }
    const std::vector<std::string_view> names(motion.names().begin(), motion.names().end());
    throw InputError(
        fmt::format("scene: line '{}': {}", line.name, unknown_name("body", name, names)));
  }

  static void add_point(const Point& local, const Index& body, const std::vector<Pose>& poses,
                        PolyData& data) {
    const Pose pose = body ? poses[*body] : Pose{};
    data.points.push_back(pose.place(local));
    data.fields[0].values.push_back(pose.velocity_at(local));
    data.body.push_back(body ? static_cast<int>(*body) : -1);
  }

  static void add_mesh(const Mesh& mesh, const Index& body, const std::vector<Pose>& poses,
                       PolyData& data) {
    const int offset = static_cast<int>(data.points.size());
    for (const Point& point : mesh.points)
      add_point(point, body, poses, data);
    for (const auto& [a, b, c] : mesh.triangles)
      data.triangles.push_back({a + offset, b + offset, c + offset});
    for (std::vector<int> line : mesh.lines) {
      for (int& index : line)
        index += offset;
      data.lines.push_back(std::move(line));
    }
  }

  Scene scene_;
  std::vector<Index> bodies_;
  std::vector<std::vector<Index>> ends_;
};

/// Beams and bars: a line for every element, with what is recorded of it.
class Elements {
 public:
  Elements(const ResultFile& result, const Scene& scene, const Motion& motion) : result_(result) {
    for (const SceneLine& line : scene.lines)
      if (is_recorded(line.name + ".1")) add_line(line, motion);
    for (std::size_t q = 0; q < result.header().quantities.size(); ++q)
      if (names_of(q).size() > 0) add_quantity(q);
  }

  bool is_empty() const { return ends_.empty(); }

  PolyData at(long sample, const std::vector<Pose>& poses) {
    PolyData data;
    data.fields = {{"velocity", {}}};
    for (const std::size_t node : nodes_) {
      data.points.push_back(poses[node].position);
      data.fields[0].values.push_back(poses[node].velocity);
      data.body.push_back(static_cast<int>(node));
    }
    for (const auto& [first, second] : ends_)
      data.lines.push_back({first, second});
    for (const Recorded& recorded : recorded_) {
      const Quantity& quantity = result_.header().quantities[recorded.quantity];
      const std::size_t width = std::max<std::size_t>(1, quantity.components.size());
      PolyData::CellField field{quantity.name, width};
      field.values.assign(width * ends_.size(), std::nan(""));  // of parts that have none
      result_.read(recorded.quantity, sample, 1, row_);
      for (const auto& [item, element] : recorded.places)
        std::copy_n(row_.begin() + static_cast<std::ptrdiff_t>(item * width), width,
                    field.values.begin() + static_cast<std::ptrdiff_t>(element * width));
      data.cell_fields.push_back(std::move(field));
    }
    return data;
  }

 private:
  struct Recorded {
    std::size_t quantity = 0;
    std::vector<std::pair<std::size_t, std::size_t>> places = {};  ///< item, element
  };

  std::vector<std::string> names_of(std::size_t q) const {
    const Quantity& quantity = result_.header().quantities[q];
    return quantity.group == "elements" ? quantity.items : std::vector<std::string>{};
  }
  bool is_recorded(const std::string& element) const {
    for (std::size_t q = 0; q < result_.header().quantities.size(); ++q)
      for (const std::string& name : names_of(q))
        if (name == element) return true;
    return false;
  }
  void add_line(const SceneLine& line, const Motion& motion) {
    std::vector<std::size_t> nodes;
    for (const SceneLine::End& end : line.through)
      if (const auto body = motion.body(end.body)) nodes.push_back(*body);
    if (nodes.size() != line.through.size()) return;  // its nodes are not recorded
    for (std::size_t e = 0; e + 1 < nodes.size(); ++e) {
      const int first = static_cast<int>(nodes_.size() + e);
      number_[line.name + "." + std::to_string(e + 1)] = ends_.size();
      ends_.push_back({first, first + 1});
    }
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  }
  void add_quantity(std::size_t q) {
    Recorded recorded{.quantity = q};
    const std::vector<std::string> names = names_of(q);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto found = number_.find(names[i]); found != number_.end())
        recorded.places.emplace_back(i, found->second);
    if (!recorded.places.empty()) recorded_.push_back(std::move(recorded));
  }

  const ResultFile& result_;
  std::vector<std::size_t> nodes_;             ///< bodies
  std::vector<std::array<int, 2>> ends_;       ///< of the elements, among the nodes
  std::map<std::string, std::size_t> number_;  ///< of the elements
  std::vector<Recorded> recorded_;
  std::vector<double> row_;
};

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

void export_vtk(const ResultFile& result, const VtkOptions& options, const std::string& folder) {
  Motion motion(result);
  const Scene scene = read_scene(result.header().scene);
  const Stage stage(options.scene ? scene : Scene{}, motion);
  Elements elements(result, scene, motion);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem)
    throw WriteError(fmt::format("cannot create the folder '{}': {}", folder, problem.message()));

  std::string list =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  const std::filesystem::path place(folder);
  int number = 0;
  for (const long sample : chosen_samples(result, options.samples)) {
    const double time = result.times()[static_cast<std::size_t>(sample)];
    const std::vector<Pose>& poses = motion.at(sample);
    const auto add = [&](int part, const char* kind, const PolyData& data) {
      const std::string name = fmt::format("{}_{}_{:06}.vtp", options.name, kind, number);
      write_file(place / name, VtpText(data, time, motion.names()).text());
      list += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", time,
                          part, kind, xml_text(name));
    };
    add(0, "bodies", body_points(poses));
    if (!stage.is_empty()) add(1, "surfaces", stage.at(poses));
    if (!elements.is_empty()) add(2, "elements", elements.at(sample, poses));
    ++number;
  }
  write_file(place / (options.name + ".pvd"), list + "</Collection>\n</VTKFile>\n");
}

}  // namespace picus
