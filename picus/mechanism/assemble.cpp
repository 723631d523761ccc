// SPDX-License-Identifier: BSD-3-Clause
#include "picus/mechanism/assemble.h"

#include <fmt/format.h>

#include "picus/base/text.h"
#include "picus/mechanism/assembler.h"

namespace picus {

AssemblyContext AssemblyContext::throwing() {
  AssemblyContext context;
  context.complain = [](SourcePlace, const std::string& message) { throw InputError(message); };
  context.warn = [](SourcePlace, const std::string&) {};
  context.place_of = [](const std::string&) { return SourcePlace{}; };
  context.place_in = [](const Formula& formula, int) { return formula.place; };
  context.parameter = [](int, std::string_view) { return std::optional<double>(); };
  context.scale = [](const Dimension&, SourcePlace) { return 1.0; };
  return context;
}

std::unique_ptr<Mechanism> assemble(const Model& model, const AssemblyContext& context) {
  return Assembler(model, context).run();
}

std::unique_ptr<Mechanism> Assembler::run() {
  if (model_.dimension != 2 && model_.dimension != 3) {
    // everything else would be judged by it
    complain(context_.place_of("dimension"),
             fmt::format("dimension: found {}, expected 2 or 3", model_.dimension));
    return nullptr;
  }
  builder_.set_gravity(model_.gravity);
  add_submodels();
  add_bodies();
  add_flexible();
  add_beams();
  add_parts_in_code();
  add_joints();
  add_motions();
  add_constraints();
  add_contacts();
  add_collisions();
  add_force_names();
  add_controls();
  add_frictions();
  add_forces();
  add_loads();
  add_endings();
  add_outputs();
  return failed_ ? nullptr : builder_.build();
}

void Assembler::add_parts_in_code() {
  if (!context_.parts_in_code) return;
  for (const FrameInCode& frame : context_.parts_in_code(builder_)) {
    if (frame.is_body && is_new_name(frame.name, {})) body_names_.insert(frame.name);
    markers_[frame.name] = {frame.body, frame.frame};
  }
}

void Assembler::complain(SourcePlace place, const std::string& message) {
  failed_ = true;
  context_.complain(place, message);
}

void Assembler::warn(SourcePlace place, const std::string& message) {
  context_.warn(place, message);
}

bool Assembler::is_new_name(const std::string& name, SourcePlace place) {
  const std::string last = name.substr(name.rfind('.') + 1);
  if (last == "ground" || last == "time") {
    complain(place, fmt::format("'{}' is reserved; choose another name", name));
    return false;
  }
  if (!names_.emplace(name, place).second) {
    complain(place, fmt::format("'{}' is already the name of another part (line {})", name,
                                names_[name].line));
    return false;
  }
  return true;
}

double Assembler::to_user(const Dimension& unit, SourcePlace place) const {
  return 1.0 / context_.scale(unit, place);
}

// --- submodels -----------------------------------------------------------------------------------

void Assembler::add_submodels() {
  markers_["ground"] = {};
  for (const Named<SubmodelPart>& part : model_.submodels)
    is_new_name(part.name, part.place);
  for (std::size_t k = 0; k < model_.placements.size(); ++k) {
    // its own ground: the origin and the axes of its file
    const Placement& placement = model_.placements[k];
    const std::string ground = placement.full_name("ground");
    body_names_.insert(ground);
    markers_[ground] = {Bodies::kGround,
                        {placement.at, placement.axes * placement.flip.asDiagonal()}};
  }
  for (const auto& [name, table] : context_.tables) {
    tables_[0].emplace(name, table);
    for (std::size_t k = 0; k < model_.placements.size(); ++k)
      if (const std::string prefix = model_.placements[k].full_name(""); name.starts_with(prefix))
        tables_[static_cast<int>(k) + 1].emplace(name.substr(prefix.size()), table);
  }
}

Matrix3 Assembler::seen_from_here(const std::string& name, const Matrix3& axes) const {
  if (here_ == 0) return axes;
  const Vector3 flip = is_body_name(name) ? here().flip : here().marker_flip(model_.dimension);
  return axes * flip.asDiagonal();
}

// --- frames --------------------------------------------------------------------------------------

bool Assembler::is_body_name(const std::string& name) const {
  return name == "ground" || body_names_.contains(name);
}

std::optional<PlacedFrame> Assembler::find_frame(const Name& name) {
  const auto found = markers_.find(name.text);
  if (found != markers_.end()) {
    PlacedFrame frame = found->second;
    frame.frame.axes = seen_from_here(name.text, frame.frame.axes);
    return frame;
  }
  if (markers_.contains(name.text + ".node0")) {
    complain(name.place,
             fmt::format("'{0}' is a flexible part; name one of its nodes: {0}.start, {0}.end "
                         "or {0}.node0, {0}.node1, …",
                         name.text));
    return std::nullopt;
  }
  std::vector<std::string_view> candidates;
  for (const auto& marker : markers_)
    candidates.push_back(marker.first);
  complain(name.place, unknown_name("body or marker", name.text, candidates));
  return std::nullopt;
}

PlacedFrame Assembler::carried_by(int body, const Vector3& point, const Matrix3& axes) const {
  const Pose<double> pose = builder_.bodies().pose(body, builder_.state().position);
  return {body, {pose.A.transpose() * (point - pose.r), pose.A.transpose() * axes}};
}

bool Assembler::are_two(const std::vector<Name>& names, SourcePlace place) {
  if (names.size() == 2) return true;
  complain(place, fmt::format("found {} name{} in 'between', expected two", names.size(),
                              names.size() == 1 ? "" : "s"));
  return false;
}

double Assembler::initial_turn(int body_i, int body_j) const {
  const Vector& q = builder_.state().position;
  return builder_.bodies().pose(body_i, q).angle - builder_.bodies().pose(body_j, q).angle;
}

std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_of(
    const Connection& c, const Vector3& default_axis) {
  if (!are_two(c.between, c.place)) return std::nullopt;
  const auto first = find_frame(c.between[0]), second = find_frame(c.between[1]);
  if (!first || !second) return std::nullopt;
  if (first->body == second->body) {
    complain(c.between[1].place, fmt::format("'{}' and '{}' are on the same body",
                                             c.between[0].text, c.between[1].text));
    return std::nullopt;
  }
  for (const auto& axis : {c.axis, c.x_axis}) {
    if (axis && axis->norm() == 0.0) {
      complain(c.place, "found an axis of length zero");
      return std::nullopt;
    }
  }
  const bool marker_j = !is_body_name(c.between[0].text),
             marker_i = !is_body_name(c.between[1].text);
  const bool two_markers = marker_i && marker_j;
  if (two_markers && !c.at && !c.axis && !c.x_axis) return std::pair(*second, *first);

  // the marker, if there is just one, says what is not stated
  const PlacedFrame& model = marker_i ? *second : *first;
  const Pose<double> carrier = builder_.bodies().pose(model.body, builder_.state().position);
  Vector3 point = carrier.point(model.frame.point);
  if (c.at) {
    point = here().point(*c.at);
  } else if (!marker_i && !marker_j) {
    const Pose<double> pose = builder_.bodies().pose(second->body, builder_.state().position);
    point = pose.point(second->frame.point);  // the origin of the second body
  }
  Matrix3 axes = carrier.A * model.frame.axes;
  if (c.axis || c.x_axis || (!marker_i && !marker_j))
    axes = here().axes *
           frame_along(c.axis.value_or(default_axis), c.x_axis.value_or(Vector3::Zero()));
  const auto side = [&](const PlacedFrame& frame, bool is_marker) {
    PlacedFrame result = carried_by(frame.body, point, axes);
    if (!is_marker) return result;
    if (!c.at) result.frame.point = frame.frame.point;
    if (!c.axis && !c.x_axis) result.frame.axes = frame.frame.axes;
    return result;
  };
  return std::pair(side(*second, marker_i), side(*first, marker_j));
}

std::optional<std::pair<PlacedFrame, PlacedFrame>> Assembler::frames_at(
    const std::vector<Name>& between, const std::vector<Vector3>& points, SourcePlace place) {
  if (!are_two(between, place)) return std::nullopt;
  if (!points.empty() && points.size() != 2) {
    complain(place, fmt::format("found {}, expected 2",
                                counted(static_cast<long>(points.size()), "point")));
    return std::nullopt;
  }
  auto first = find_frame(between[0]), second = find_frame(between[1]);
  if (!first || !second) return std::nullopt;
  if (first->body == second->body) {
    complain(between[1].place,
             fmt::format("'{}' and '{}' are on the same body", between[0].text, between[1].text));
    return std::nullopt;
  }
  if (!points.empty()) {
    first->frame.point =
        carried_by(first->body, here().point(points[0]), Matrix3::Identity()).frame.point;
    second->frame.point =
        carried_by(second->body, here().point(points[1]), Matrix3::Identity()).frame.point;
  }
  return std::pair(*second, *first);
}

Term Assembler::term_between(const Direction& direction, int body_i, int body_j) {
  Term term{.body_i = body_i, .body_j = body_j, .direction = direction};
  builder_.remember(term);
  return term;
}

}  // namespace picus
