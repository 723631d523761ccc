// SPDX-License-Identifier: BSD-3-Clause
#include "picus/results/scales.h"

#include <map>
#include <set>

#include "picus/results/layout.h"

namespace picus {
namespace {

using Names = std::vector<std::string>;

// Quantities of a group that have the same names share a scale.
class GroupScales {
 public:
  GroupScales(const hdf5::File& file, std::string group, std::set<std::string> taken)
      : file_(file), group_(std::move(group)), taken_(std::move(taken)) {}

  /// Its path; `name` is what it is called if that is free, else the quantity is put before it.
  const std::string& path_of(const Names& names, const std::string& name,
                             const std::string& quantity) {
    std::string& path = paths_[{name, names}];
    if (!path.empty()) return path;
    std::string own = name;
    if (taken_.contains(own)) own.insert(0, quantity + "_");
    while (!taken_.insert(own).second)
      own += "_";
    path = group_ + "/" + own;
    file_.add_names(path, names);
    return path;
  }

 private:
  const hdf5::File& file_;
  std::string group_;
  std::set<std::string> taken_;
  std::map<std::pair<std::string, Names>, std::string> paths_;
};

std::string name_of_components(const Names& components) {
  if (components == Names{"x", "y", "z"}) return "axis";
  if (components == Names{"w", "x", "y", "z"}) return "quaternion";
  return "component";
}

}  // namespace

void add_scales(const hdf5::File& file, const std::vector<Quantity>& quantities) {
  std::map<std::string, std::set<std::string>> taken;
  for (const Quantity& quantity : quantities)
    taken[quantity.group].insert({quantity.name, layout::kTime});
  std::map<std::string, GroupScales> groups;
  for (const auto& [group, names] : taken) {
    file.add_link(layout::kTime, group + "/" + layout::kTime);
    groups.try_emplace(group, file, group, names);
  }
  std::vector<hdf5::Dimensions> tables{{layout::kTime, {layout::kTime}},
                                       {layout::kChecksum, {layout::kTime}},
                                       {layout::kEvents, {layout::kEvents}},
                                       {layout::kSummary, {layout::kSummary}}};
  for (const Quantity& quantity : quantities) {
    GroupScales& group = groups.at(quantity.group);
    hdf5::Dimensions table{quantity.group + "/" + quantity.name, {layout::kTime}};
    if (!quantity.items.empty())
      table.scales.push_back(group.path_of(quantity.items, "item", quantity.name));
    if (!quantity.components.empty())
      table.scales.push_back(group.path_of(quantity.components,
                                           name_of_components(quantity.components), quantity.name));
    tables.push_back(std::move(table));
  }
  file.write_dimensions(tables);
}

}  // namespace picus
