// SPDX-License-Identifier: BSD-3-Clause
#include "studies/belt.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "studies/files.h"

namespace picus::studies {
namespace {

constexpr std::string_view kTie = "tie";

// One line of numbers separated by commas.
std::vector<double> numbers(std::string_view line) {
  std::vector<double> result;
  while (!line.empty()) {
    const std::size_t comma = std::min(line.find(','), line.size());
    double value = 0.0;
    std::from_chars(line.data(), line.data() + comma, value);
    result.push_back(value);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  return result;
}

}  // namespace

Belt::Belt() : loaded_(load_model_text("poly_v_belt.yaml", std::string(poly_v_belt_model()))) {
  for (const AssembledForce& force : mechanism().forces())
    segments_ += force.name.starts_with(kTie) ? 1 : 0;
  const State& s = mechanism().initial_state();
  const auto place = [&](const std::string& name) {
    return mechanism().bodies().pose(mechanism().find_body(name), s.position).r;
  };
  for (int i = 1; i <= segments_; ++i)
    length_ +=
        (place(fmt::format("segment{}", i)) - place(fmt::format("segment{}", i % segments_ + 1)))
            .norm();
  // the last segment lies on the crank, where the belt leaves it
  crank_radius_ = (place(fmt::format("segment{}", segments_)) - place("pulley1")).norm();
}

const AssembledJoint& Belt::joint(std::string_view name) const {
  for (const AssembledJoint& joint : mechanism().joints())
    if (joint.name == name) return joint;
  throw std::runtime_error(fmt::format("the belt model has no joint '{}'", name));
}

double Belt::alternator_speed(const State& s) const {
  return rate_of(mechanism().bodies(), joint("alternator").coordinates.front().term, s);
}

double Belt::alternator_reaction(const State& s) const {
  return mechanism().reaction(joint("alternator"), s).force(0);
}

double Belt::crank_angle(const State& s) const {
  return measure(mechanism().bodies(), joint("crank").coordinates.front().term, s.position);
}

double Belt::tension(int segment, const State& s) const {
  const std::string name = fmt::format("{}{}", kTie, segment);
  for (const AssembledForce& force : mechanism().forces())
    if (force.name == name)
      return -force.components.front().magnitude.evaluate(mechanism().bodies(), s);
  throw std::runtime_error(fmt::format("the belt model has no force '{}'", name));
}

double Belt::revolutions(const State& s) const {
  return std::abs(crank_angle(s)) * crank_radius_ / length_;
}

BeltCurves belt_reference() {
  BeltCurves result;
  std::string_view text = poly_v_belt_reference();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == 't') continue;
    const std::vector<double> row = numbers(line);
    if (row.size() != 3) throw std::runtime_error("the reference of the belt has three columns");
    result.time.push_back(row[0]);
    result.speed.push_back(row[1]);
    result.reaction.push_back(row[2]);
  }
  return result;
}

double peak_difference(const std::vector<double>& found, const std::vector<double>& reference) {
  double largest = 0.0, scale = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    largest = std::max(largest, std::abs(found.at(i) - reference[i]));
    scale = std::max(scale, std::abs(reference[i]));
  }
  return largest / scale;
}

double mean_difference(const std::vector<double>& found, const std::vector<double>& reference) {
  double sum = 0.0;
  for (std::size_t i = 0; i < reference.size(); ++i)
    sum += std::pow(found.at(i) - reference[i], 2);
  const auto [least, largest] = std::minmax_element(reference.begin(), reference.end());
  return std::sqrt(sum / static_cast<double>(reference.size())) / (*largest - *least);
}

}  // namespace picus::studies
