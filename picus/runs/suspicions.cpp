// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/suspicions.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "picus/math/decompositions.h"
#include "picus/runs/record.h"
#include "picus/runs/walk.h"

namespace picus {
namespace {

using Level = Finding::Level;

// --- units ---------------------------------------------------------------------------------------

constexpr double kEarth = 9.81;                               // [m/s²]
constexpr double kStrongGravity = 100.0, kWeakGravity = 0.1;  // Jupiter has 25, Ceres 0.28
constexpr double kManyTurns = 20.0;    // [rad]; 20 degrees are common, 20 rad not
constexpr double kThinDensity = 25.0;  // [kg/m³]; the densest element has 22.6 g/cm³
constexpr double kWideSpan = 1e6;

struct Extremes {
  std::string smallest, largest;
  double low = std::numeric_limits<double>::infinity(), high = 0.0;

  void add(const std::string& name, double value) {
    const double size = std::abs(value);
    if (size == 0.0) return;
    if (size < low) {
      low = size;
      smallest = name;
    }
    if (size > high) {
      high = size;
      largest = name;
    }
  }
};

void suspect_gravity(const Vector3& gravity, std::vector<Finding>& findings) {
  const double g = gravity.norm();
  if (g == 0.0 || (g >= kWeakGravity && g <= kStrongGravity)) return;
  std::string guess;
  if (std::abs(g / (1000.0 * kEarth) - 1.0) < 0.05)
    guess = ": is it in mm/s²? Then write 'units: {length: mm}'";
  if (std::abs(g / (0.001 * kEarth) - 1.0) < 0.05) guess = ": is it in mm/ms²?";
  findings.push_back(
      {Level::kWarning, fmt::format("gravity is {:.4g} m/s², {:.3g} times that of the Earth{}", g,
                                    g / kEarth, guess)});
}

// --- names ---------------------------------------------------------------------------------------

/// The parts of a model by name, those of submodels ("left.thigh") among them.
class PartNames {
 public:
  explicit PartNames(const Model& model) {
    const auto add = [&](const auto& parts) {
      for (const auto& part : parts)
        names_.insert(part.name);
    };
    add(model.bodies);
    add(model.flexible);
    add(model.beams);
    add(model.markers);
    add(model.joints);
    add(model.controls);
  }

  /// The part that "left.thigh.tip" is about; the ground for its markers and that of submodels.
  std::string part_of(const std::string& name) const {
    std::string part = name;
    for (std::size_t dot = part.rfind('.'); !names_.contains(part); dot = part.rfind('.')) {
      const std::string last = part.substr(dot == std::string::npos ? 0 : dot + 1);
      if (last == "ground") return last;
      if (dot == std::string::npos) break;
      part.resize(dot);
    }
    return part;
  }

 private:
  std::set<std::string> names_;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// All words of a text: "2*rod.tip + L" has rod.tip, rod and L.
void add_words(std::string_view text, std::set<std::string>& words) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    // a dot belongs to a name when a word follows; in 1..N it does not
    const auto continues = [&](std::size_t at) {
      return at < text.size() && (is_word(text[at]) || (text[at] == '.' && at + 1 < text.size() &&
                                                        is_word(text[at + 1])));
    };
    std::size_t end = i;
    while (continues(end)) {
      ++end;
      if (end < text.size() && text[end] == '.') words.insert(std::string(text.substr(i, end - i)));
    }
    const bool is_indexed = end < text.size() && text[end] == '[';
    words.insert(std::string(text.substr(i, end - i)) + (is_indexed ? "[" : ""));
    i = end;
  }
}

/// By its name, or as free[k] in a pattern.
bool is_used(const std::string& name, const std::set<std::string>& words) {
  const std::string stem = name.substr(0, name.find_last_not_of("0123456789_") + 1);
  return words.contains(name) || words.contains(stem + "[");
}

/// Every name that a part of the model refers to, also inside of formulas.
template <class Part>
std::set<std::string> references_of(const Part& part, const Model& model) {
  std::set<std::string> names;
  walk(part, "", {}, [&](const std::string&, const auto& value, const Dimension&) {
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::is_same_v<T, Name>) {
      names.insert(value.text);
    } else if constexpr (std::is_same_v<T, Formula>) {
      std::set<std::string> words;
      add_words(value.text, words);
      for (const std::string& word : words)
        names.insert(placement_of(model, value.placement).full_name(word));
    }
  });
  return names;
}

/// Only those that are written as names: what a joint or force acts on.
template <class Part>
std::set<std::string> partners_of(const Part& part, const PartNames& parts) {
  std::set<std::string> names;
  walk(part, "", {}, [&](const std::string&, const auto& value, const Dimension&) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Name>)
      names.insert(parts.part_of(value.text));
  });
  return names;
}

/// What a contact or a constraint acts on: when formulas say it, the parts whose motion they read.
template <class Part>
std::set<std::string> partners_of(const Part& part, const PartNames& parts, const Model& model) {
  std::set<std::string> names = partners_of(part, parts);
  if (!names.empty()) return names;
  const std::set<std::string> words = references_of(part, model);
  bool is_place = true;  // of one body, in space
  const auto look_for = [&](const auto& candidates, bool relative) {
    for (const auto& one : candidates) {
      const bool is_read = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return parts.part_of(word) == one.name;
      });
      if (!is_read) continue;
      is_place = is_place && !relative && names.empty();
      names.insert(one.name);
    }
  };
  look_for(model.bodies, false);
  look_for(model.flexible, false);
  look_for(model.beams, false);
  look_for(model.markers, false);
  look_for(model.joints, true);
  if (is_place) names.insert("ground");
  return names;
}

/// Groups of parts that hang together.
class Groups {
 public:
  std::string find(const std::string& name) {
    std::string at = name;
    for (auto up = parent_.find(at); up != parent_.end() && up->second != at;
         up = parent_.find(at)) {
      const auto above = parent_.find(up->second);
      if (above != parent_.end()) up->second = above->second;  // halves the way of the next
      at = up->second;
    }
    return at;
  }
  void join(const std::string& a, const std::string& b) { parent_[find(a)] = find(b); }

 private:
  std::map<std::string, std::string> parent_;
};

/// Every word of the values of a tree, and of those of its keys that have an index: link[N].
void add_words(const TreeNode& node, std::set<std::string>& words) {
  add_words(node.text, words);
  for (const TreeNode& child : node.children) {
    if (child.key.find('[') != std::string::npos) add_words(child.key, words);
    add_words(child, words);
  }
}

/// The first names of many.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  if (names.size() <= kShown) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kShown, ", "),
                     names.size() - kShown);
}

}  // namespace

std::vector<Finding> suspicions_of(const LoadedModel& loaded) {
  std::vector<Finding> findings;
  if (loaded.model.bodies.empty() && loaded.model.flexible.empty() && loaded.model.beams.empty())
    findings.push_back({Level::kWarning, "the model has no bodies"});
  suspect_masses(*loaded.mechanism, findings);
  suspect_units(loaded, findings);
  suspect_loose_bodies(loaded.model, findings);
  suspect_unused(loaded, findings);
  suspect_motions(loaded, findings);
  suspect_plots(loaded, findings);
  return findings;
}

void suspect_plots(const LoadedModel& loaded, std::vector<Finding>& findings) {
  if (loaded.model.plots.empty()) return;
  const MechanismRecord record(*loaded.mechanism);
  std::vector<std::string> channels;
  for (const Quantity& quantity : record.quantities())
    for (std::string& name : channel_names(quantity))
      channels.push_back(std::move(name));
  for (const PlotPart& plot : loaded.model.plots) {
    std::vector<std::string> wanted = plot.y;
    if (!plot.x.empty()) wanted.push_back(plot.x);
    for (const std::string& pattern : wanted) {
      try {
        chosen_channels(channels, {pattern});
      } catch (const InputError& error) {
        findings.push_back({Level::kWarning,
                            fmt::format("{}: plots: {}", to_text(plot.place, loaded.document.files),
                                        error.what())});
      }
    }
  }
}

void suspect_motions(const LoadedModel& loaded, std::vector<Finding>& findings) {
  for (const PrescribedFormula& formula : loaded.mechanism->prescribed()) {
    if (!formula.label.starts_with("motion")) continue;  // walls may be pushed
    const auto jump = find_rate_jump(formula, loaded.model.run.end_time);
    if (jump && !find_value_jump(formula, loaded.model.run.end_time))
      findings.push_back(
          {Level::kWarning,
           fmt::format("{}: the rate of {} jumps by {:.4g} at t = {:.6g} s, which takes an "
                       "infinite force; step5(time, t0, value0, t1, value1) is smooth",
                       to_text(formula.place, loaded.document.files), formula.label, jump->size,
                       jump->time)});
  }
}

void suspect_units(const LoadedModel& loaded, std::vector<Finding>& findings) {
  suspect_gravity(loaded.model.gravity, findings);
  Extremes lengths;
  walk(
      loaded.model, "", {}, [&](const std::string& path, const auto& value, const Dimension& unit) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Vector3>) {
          if (unit == unit::kLength) lengths.add(path, value.norm());
        } else if constexpr (std::is_same_v<T, double>) {
          if (unit == unit::kLength) lengths.add(path, value);
          if (unit == unit::kAngle && std::abs(value) > kManyTurns)
            findings.push_back(
                {Level::kWarning,
                 fmt::format("{} is {:.4g} rad, {:.3g} turns: is it in degrees? Then write "
                             "{:.4g}*deg",
                             path, value, value / (2.0 * std::acos(-1.0)), value)});
          if (unit == unit::kDensity && value > 0.0 && value < kThinDensity)
            findings.push_back({Level::kWarning,
                                fmt::format("{} is {:.4g} kg/m³: is it in g/cm³? Then it is {:.5g}",
                                            path, value, 1000.0 * value)});
        }
      });
  if (lengths.high > kWideSpan * lengths.low)
    findings.push_back(
        {Level::kWarning,
         fmt::format("lengths differ by a factor of {:.1e}: {} is {:.3g} m, {} is {:.3g} m",
                     lengths.high / lengths.low, lengths.smallest, lengths.low, lengths.largest,
                     lengths.high)});
}

void suspect_masses(const Mechanism& mechanism, std::vector<Finding>& findings) {
  constexpr double kLight = 1e-8, kThin = 1e-12;
  Extremes masses, inertias;
  const Bodies& bodies = mechanism.bodies();
  for (int b = 1; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    if (body.is_node) continue;  // its part has the mass
    if (body.mass == 0.0)
      findings.push_back({Level::kWarning, fmt::format("body '{}' has no mass", body.name)});
    masses.add(body.name, body.mass);
    if (is_point(body.kind)) continue;
    const bool planar = body.kind == BodyKind::kPlanar;
    const Vector principal = symmetric_eigenvalues(body.inertia);
    const double least = planar ? body.inertia(2, 2) : principal(0);
    if (least <= kThin * std::max(principal(2), least))
      findings.push_back(
          {Level::kWarning, fmt::format("body '{}' has no inertia about {}", body.name,
                                        planar ? "z" : "one of its axes")});
    inertias.add(body.name, least);
  }
  const auto compare = [&](const Extremes& extremes, const char* what, const char* unit,
                           double ratio) {
    if (extremes.low < ratio * extremes.high)
      findings.push_back(
          {Level::kWarning,
           fmt::format("the {} of '{}' is tiny: {:.3g} {} compared with {:.3g} of '{}'", what,
                       extremes.smallest, extremes.low, unit, extremes.high, extremes.largest)});
  };
  compare(masses, "mass", "kg", kLight);
  compare(inertias, "inertia", "kg·m²", kThin);
}

void suspect_loose_bodies(const Model& model, std::vector<Finding>& findings) {
  Groups groups;
  const PartNames parts(model);
  std::set<std::string> partners;
  for (const Named<Marker>& marker : model.markers)
    groups.join(marker.name, "ground");
  const auto connect = [&](const std::string& part, const std::set<std::string>& names) {
    for (const std::string& name : names) {
      groups.join(part, name);
      partners.insert(name);
    }
  };
  for (const Named<Joint>& joint : model.joints)
    connect(joint.name, partners_of(joint.value, parts));
  for (const Named<Force>& force : model.forces)
    connect(force.name, partners_of(force.value, parts));
  for (const Named<Contact>& contact : model.contacts)
    connect(contact.name, partners_of(contact.value, parts, model));
  for (const Named<FormulaConstraint>& constraint : model.constraints)
    connect(constraint.name, partners_of(constraint.value, parts, model));
  for (const Named<Collisions>& group : model.collisions)
    connect(group.name, partners_of(group.value, parts));
  for (const Named<PrescribedMotion>& motion : model.motions) {
    groups.join(motion.name, "ground");
    connect(motion.name, partners_of(motion.value, parts));
  }
  // a force on one body leans on the ground
  for (const Named<Force>& force : model.forces)
    if (partners_of(force.value, parts).size() == 1 && !std::holds_alternative<Motor>(force.value))
      groups.join(force.name, "ground");
  std::vector<std::string> alone, loose;
  const auto look_at = [&](const auto& bodies) {
    for (const auto& part : bodies) {
      if (!partners.contains(part.name)) {
        alone.push_back(part.name);
      } else if (groups.find(part.name) != groups.find("ground")) {
        loose.push_back(part.name);
      }
    }
  };
  look_at(model.bodies);
  look_at(model.flexible);
  look_at(model.beams);
  if (alone.size() == 1)
    findings.push_back(
        {Level::kWarning, fmt::format("body '{}' has no joint, force or contact", alone.front())});
  if (alone.size() > 1)
    findings.push_back(
        {Level::kWarning, fmt::format("{} bodies have no joint, force or contact: {}", alone.size(),
                                      listed(alone))});
  if (!loose.empty())
    findings.push_back(
        {Level::kNote, fmt::format("not connected to the ground: {}", listed(loose))});
}

void suspect_unused(const LoadedModel& loaded, std::vector<Finding>& findings) {
  std::vector<std::string> unused;
  std::set<std::string> words;
  add_words(loaded.document.root, words);
  add_words(loaded.document.submodels, words);
  for (const Override& change : loaded.document.overrides)
    add_words(change.value, words);
  for (const Parameter& parameter : loaded.document.parameters)
    add_words(parameter.text, words);
  for (const Parameter& parameter : loaded.document.parameters)
    if (!is_used(parameter.name, words)) unused.push_back(parameter.name);
  if (!unused.empty())
    findings.push_back({Level::kWarning, fmt::format("unused parameters: {}", listed(unused))});

  const std::set<std::string> used = references_of(loaded.model, loaded.model);
  unused.clear();
  for (const Named<Marker>& marker : loaded.model.markers)
    if (marker.placement == 0 && !used.contains(marker.name)) unused.push_back(marker.name);
  // those of bodies are recorded
  if (!unused.empty())
    findings.push_back({Level::kNote, fmt::format("unused markers: {}", listed(unused))});
}

}  // namespace picus
