// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "studies/report.h"

namespace picus::studies {

/// One line of the catalog of studies.
struct StudyEntry {
  std::string_view id;
  std::string_view paper;  ///< key of the paper whose experiment it repeats
  std::string_view title;
  void (*run)(Report& report);
};

/// Every study, in the order of the papers.
std::span<const StudyEntry> study_catalog();

/// Throws InputError for unknown ids.
const StudyEntry& find_study(std::string_view id);

// One file each.
void pendulum_constraints(Report& report);
void pendulum_disturbed(Report& report);
void soi2_order(Report& report);
void soi2_pendulum(Report& report);
void slider_crank_drift(Report& report);
void variable_step_order(Report& report);
void spectral_radius(Report& report);
void hht_control(Report& report);
void hht_belt(Report& report);
void bouncing_pendulum(Report& report);
void friction_block(Report& report);
void spinning_disk_bounce(Report& report);
void flexible_pendulum(Report& report);
void beam_statics(Report& report);
void beam_dynamics(Report& report);
void beam_buckling(Report& report);
void beam_motion(Report& report);
void beam_rotation(Report& report);
void beam_impact(Report& report);
void bar_impact(Report& report);
void moreau_order(Report& report);
void moreau_adaptive(Report& report);
void moreau_variable_order(Report& report);
void schatzman_paoli_order(Report& report);
void bouncing_ball(Report& report);
void event_capturing_order(Report& report);
void falling_mass(Report& report);
void sliding_mass(Report& report);
void impact_oscillator_order(Report& report);
void woodpecker(Report& report);
void woodpecker_order(Report& report);
void stiff_events(Report& report);
void work_precision(Report& report);

}  // namespace picus::studies
