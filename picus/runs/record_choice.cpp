// SPDX-License-Identifier: BSD-3-Clause
// Which of the quantities of a mechanism a run keeps.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "picus/runs/record.h"

namespace picus {
namespace {

std::vector<std::string> names_of(const std::vector<Quantity>& quantities) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities)
    for (std::string& name : channel_names(quantity))
      names.push_back(std::move(name));
  return names;
}

// Marks the channels that one pattern stands for, if there are any. What a plot leaves out it does
// not need.
void mark_existing(const std::vector<std::string>& names, const std::string& pattern,
                   std::vector<bool>& is_kept) {
  if (pattern.starts_with("not ")) return;
  try {
    for (const std::size_t channel : chosen_channels(names, {pattern}))
      is_kept[channel] = true;
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): 'picus check' reports it
  }
}

// Items of a quantity of which a channel is kept; one without items is its own only item.
std::vector<std::size_t> kept_items(const Quantity& quantity, std::size_t first,
                                    const std::vector<bool>& is_kept) {
  const std::size_t per_item = std::max<std::size_t>(1, quantity.components.size());
  const std::size_t items = std::max<std::size_t>(1, quantity.items.size());
  std::vector<std::size_t> kept;
  for (std::size_t item = 0; item < items; ++item)
    for (std::size_t component = 0; component < per_item; ++component)
      if (is_kept[first + item * per_item + component]) {
        kept.push_back(item);
        break;
      }
  return kept;
}

RecordChoice choice_of(const Model& model) {
  RecordChoice choice{model.run.record, {}};
  for (const PlotPart& plot : model.plots) {
    choice.required.insert(choice.required.end(), plot.y.begin(), plot.y.end());
    if (!plot.x.empty()) choice.required.push_back(plot.x);
  }
  return choice;
}

}  // namespace

bool MechanismRecord::keeps_markers(const RecordChoice& choice) const {
  return !choice.wanted.empty() || mechanism_.markers().size() <= kMostMarkers;
}

void MechanismRecord::keep(const RecordChoice& choice) {
  kept_.resize(reads_.size());
  if (choice.wanted.empty() && keeps_markers(choice)) return;
  const std::vector<std::string> names = names_of(quantities_);
  std::vector<bool> is_kept(names.size(), false);
  const std::vector<std::string> all{"not markers.*"};
  for (const std::size_t channel :
       chosen_channels(names, choice.wanted.empty() ? all : choice.wanted))
    is_kept[channel] = true;
  for (const std::string& pattern : choice.required)
    mark_existing(names, pattern, is_kept);
  mark_existing(names, "outputs.*", is_kept);

  std::vector<Quantity> quantities;
  std::vector<Read> reads;
  kept_.clear();
  std::size_t first = 0;
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    Quantity& quantity = quantities_[q];
    const std::vector<std::size_t> items = kept_items(quantity, first, is_kept);
    first += static_cast<std::size_t>(quantity.width());
    if (items.empty()) continue;
    std::vector<std::size_t> numbers;
    if (items.size() < quantity.items.size()) {
      const std::size_t per_item = std::max<std::size_t>(1, quantity.components.size());
      std::vector<std::string> item_names;
      for (const std::size_t item : items) {
        item_names.push_back(quantity.items[item]);
        for (std::size_t component = 0; component < per_item; ++component)
          numbers.push_back(item * per_item + component);
      }
      quantity.items = std::move(item_names);
    }
    quantities.push_back(std::move(quantity));
    reads.push_back(std::move(reads_[q]));
    kept_.push_back(std::move(numbers));
  }
  quantities_ = std::move(quantities);
  reads_ = std::move(reads);
}

std::unique_ptr<MechanismRecord> record_of(const LoadedModel& loaded) {
  try {
    return std::make_unique<MechanismRecord>(*loaded.mechanism, choice_of(loaded.model));
  } catch (const InputError& error) {
    if (loaded.model.run.place.file < 0) throw InputError(fmt::format("record: {}", error.what()));
    Diagnostics diagnostics;
    diagnostics.error(loaded.document.place_of("run.record"),
                      fmt::format("record: {}", error.what()));
    throw ModelError(diagnostics, loaded.document.files);
  }
}

std::string note_on_record(const LoadedModel& loaded, const MechanismRecord& record) {
  if (loaded.model.run.record.empty()) return {};
  const auto count = [](const std::vector<Quantity>& quantities, const char* name) {
    std::size_t items = 0;
    for (const Quantity& quantity : quantities)
      if (quantity.group == "bodies" && quantity.name == name) items += quantity.items.size();
    return items;
  };
  const MechanismRecord all(*loaded.mechanism);
  const bool is_whole = std::ranges::all_of(
      std::initializer_list<const char*>{"position", "orientation"}, [&](const char* name) {
        return count(record.quantities(), name) == count(all.quantities(), name);
      });
  if (is_whole) return {};
  return "record leaves out positions or orientations of bodies, so pages and ParaView cannot show "
         "their motion; add 'bodies.*.position' and 'bodies.*.orientation' if you need it";
}

}  // namespace picus
