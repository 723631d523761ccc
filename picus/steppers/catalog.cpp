// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/catalog.h"

#include <algorithm>

#include "picus/steppers/alpha_methods.h"
#include "picus/steppers/event_methods.h"
#include "picus/steppers/extrapolation.h"
#include "picus/steppers/nonsmooth_methods.h"
#include "picus/steppers/runge_kutta_methods.h"

namespace picus {
namespace {

// A maker that reads its own options: make<Options, make_method>.
template <class Options, std::unique_ptr<Stepper> (*Maker)(const Options&)>
std::unique_ptr<Stepper> make(const OptionValues& values) {
  return Maker(read_options<Options>(values));
}

template <class Options, std::unique_ptr<Stepper> (*Maker)(const Options&)>
constexpr StepperEntry entry(std::string_view name, std::string_view summary) {
  return {name, summary, &make<Options, Maker>, &describe_fields<Options>};
}

// Options that belong neither to a method nor to the smooth one under it, which `mine` may name.
void refuse_unknown(const OptionValues& mine, std::vector<FieldDescription> known,
                    const OptionValues& others) {
  std::string smooth;
  for (const FieldDescription& field : known)
    if (field.name == "smooth") smooth = field.default_value;
  for (const auto& [name, value] : mine)
    if (name == "smooth") smooth = value;
  for (const StepperEntry& entry : stepper_catalog()) {
    if (entry.name != smooth) continue;
    const std::vector<FieldDescription> under = entry.options();
    known.insert(known.end(), under.begin(), under.end());
  }
  std::vector<std::string_view> names(known.size());
  std::transform(known.begin(), known.end(), names.begin(),
                 [](const FieldDescription& field) { return std::string_view(field.name); });
  for (const auto& [name, value] : others)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(unknown_name("option", name, names));
}

// A maker that hands on the options that are not its own.
template <class Options,
          std::unique_ptr<Stepper> (*Maker)(const Options&, const OptionValues& others)>
std::unique_ptr<Stepper> make_over(const OptionValues& values) {
  OptionValues mine, others;
  const Options defaults{};
  for (const auto& value : values) {
    bool is_mine = false;
    Options::for_each_field(defaults, [&](const char* field, const auto&, const char*) {
      is_mine = is_mine || value.first == field;
    });
    (is_mine ? mine : others).push_back(value);
  }
  refuse_unknown(mine, describe_fields<Options>(), others);
  return Maker(read_options<Options>(mine), others);
}

template <class Options,
          std::unique_ptr<Stepper> (*Maker)(const Options&, const OptionValues& others)>
constexpr StepperEntry entry_over(std::string_view name, std::string_view summary) {
  return {name, summary, &make_over<Options, Maker>, &describe_fields<Options>};
}

constexpr StepperEntry kSteppers[] = {
    // without constraints
    entry<NewmarkOptions, make_newmark>("newmark", "Newmark β-γ; trapezoidal rule by default"),
    entry<HhtOptions, make_hht>("hht", "Hilber-Hughes-Taylor α"),
    entry<GeneralizedAlphaOptions, make_generalized_alpha>("generalized_alpha",
                                                           "Chung-Hulbert generalized-α"),
    // constraints at one level
    entry<IndexOptions, make_index3>(
        "index3", "generalized-α, position constraints (P) [bruls-acary-cardona]"),
    entry<IndexOptions, make_index2>(
        "index2", "generalized-α, velocity constraints (V) [bruls-acary-cardona]"),
    entry<IndexOptions, make_index1>(
        "index1", "generalized-α, acceleration constraints [bruls-acary-cardona]"),
    entry<BaumgarteOptions, make_baumgarte>(
        "baumgarte", "generalized-α, Baumgarte stabilization [bruls-acary-cardona]"),
    entry<HhtI3Options, make_hht_i3>("hht_i3", "HHT, position constraints [negrut-hht-i3]"),
    // constraints at several levels
    entry<GglOptions, make_ggl>(
        "ggl", "generalized-α, position and velocity constraints (PV) [bruls-acary-cardona]"),
    entry<IndexOptions, make_stabilized_index1>(
        "stabilized_index1",
        "generalized-α, constraints at all levels (PVA) [bruls-acary-cardona]"),
    entry<GeneralizedAlphaOptions, make_soi2>(
        "soi2", "generalized-α, position and velocity constraints, any forces [jay-negrut]"),
    entry<HhtOptions, make_hht_soi2>("hht_soi2",
                                     "HHT, position and velocity constraints [jay-negrut]"),
    // constraints at acceleration level, high orders
    entry<HalfExplicitOptions, make_half_explicit>(
        "half_explicit", "explicit Runge-Kutta, order 2 to 6, joints at acceleration level"),
    entry<RadauOptions, make_radau_iia>(
        "radau_iia", "implicit Runge-Kutta, order 3 or 5, for stiff systems [acary]"),
    entry<LobattoOptions, make_lobatto_iiia>(
        "lobatto_iiia", "implicit Runge-Kutta, order 2, 4 or 6, symmetric [acary]"),
    // across impacts
    entry<MoreauJeanOptions, make_moreau_jean>(
        "moreau_jean",
        "θ-method, contacts, impacts and friction at velocity level, joints closed; second order "
        "where smooth [acary]"),
    entry<MoreauAdaptiveOptions, make_moreau_adaptive>(
        "moreau_adaptive",
        "moreau_jean with error control by step halving; with impacts the global error falls with "
        "the square root of the tolerance [acary]"),
    entry<MoreauMidpointOptions, make_moreau_midpoint>(
        "moreau_midpoint",
        "midpoint rule, contacts, impacts and friction, explicit forces [studer-leine-glocker]"),
    entry<ExtrapolationOptions, make_extrapolation>(
        "extrapolation",
        "extrapolated Moreau method: high order between switching points [studer-leine-glocker]"),
    entry<SchatzmanPaoliOptions, make_schatzman_paoli>(
        "schatzman_paoli", "second differences, contacts and impacts at position level [acary]"),
    entry<NonsmoothAlphaOptions, make_nonsmooth_pva>(
        "nonsmooth_pva",
        "nonsmooth generalized-α, contacts and impacts, all levels (PVA) [bruls-acary-cardona]"),
    entry<NonsmoothAlphaOptions, make_nonsmooth_pvv>(
        "nonsmooth_pvv",
        "nonsmooth generalized-α, contacts and impacts, smooth velocities (PVV) "
        "[bruls-acary-cardona]"),
    // from event to event
    entry_over<EventCapturingOptions, make_event_capturing>(
        "event_capturing",
        "smooth method of order 2 to 6; events are bracketed and crossed with a Moreau step "
        "[acary]"),
    entry_over<EventDrivenOptions, make_event_driven>(
        "event_driven", "smooth method of order 2 to 6; events are located to rounding"),
};

}  // namespace

std::span<const StepperEntry> stepper_catalog() {
  return kSteppers;
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, const OptionValues& options) {
  for (const StepperEntry& candidate : kSteppers)
    if (candidate.name == name) return candidate.make(options);
  std::vector<std::string_view> names;
  for (const StepperEntry& candidate : kSteppers)
    names.push_back(candidate.name);
  throw InputError(unknown_name("integrator", name, names));
}

}  // namespace picus
