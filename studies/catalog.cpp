// SPDX-License-Identifier: BSD-3-Clause
#include "studies/catalog.h"

#include <vector>

#include "picus/base/error.h"

namespace picus::studies {
namespace {

constexpr StudyEntry kStudies[] = {
    {"pendulum-constraints", "bruls-acary-cardona",
     "Fig. 2: which constraints each formulation keeps, and its order", pendulum_constraints},
    {"pendulum-disturbed", "bruls-acary-cardona",
     "Fig. 3: the same pendulum with wrong initial accelerations", pendulum_disturbed},
    {"soi2-order", "jay-negrut",
     "Fig. 1 and 2: order of SOI2 on alternating steps, nonlinear problem (15)", soi2_order},
    {"soi2-pendulum", "jay-negrut", "Fig. 4: order of SOI2 on alternating steps, pendulum (16)",
     soi2_pendulum},
    {"slider-crank-drift", "jay-negrut",
     "Fig. 6 and 7: velocity constraints of HHT-I3 and HHT-SOI2", slider_crank_drift},
    {"variable-step-order", "jay-negrut",
     "Sect. 7 revisited: positions and velocities need the adjusting formula too",
     variable_step_order},
    {"spectral-radius", "jay-negrut", "Sect. 1: numerical dissipation of the unconstrained methods",
     spectral_radius},
    {"hht-control", "negrut-hht-i3",
     "Error control of HHT-I3 and SOI2: errors follow the tolerance, the estimate is the error",
     hht_control},
    {"hht-belt", "negrut-hht-i3",
     "Fig. 2 to 5: the poly-V belt, HHT-I3 against a tight BDF solution", hht_belt},
    {"bouncing-pendulum", "bruls-acary-cardona",
     "Fig. 5 to 8: a pendulum bounces off a wall until it rests; PVA and PVV", bouncing_pendulum},
    {"friction-block", "bruls-acary-cardona",
     "Sect. 7, friction: a block slides, sticks and slides again; a particle turns downhill",
     friction_block},
    {"spinning-disk-bounce", "bruls-acary-cardona",
     "Sect. 7, friction: a disk with spin bounces, slipping at first and rolling at last",
     spinning_disk_bounce},
    {"flexible-pendulum", "bruls-acary-cardona",
     "Fig. 10 to 12: a flexible pendulum falls against a wall; PVA, PVV, events, finer meshes",
     flexible_pendulum},
    {"bar-impact", "bruls-acary-cardona",
     "Fig. 14 to 16: an elastic bar flies against a wall; PVA, PVV and Moreau–Jean", bar_impact},
    {"moreau-order", "acary", "Fig. 2: order of Moreau's scheme through impacts, in four measures",
     moreau_order},
    {"moreau-adaptive", "acary",
     "Fig. 4: work and precision of Moreau's scheme with steps chosen by halved steps",
     moreau_adaptive},
    {"moreau-variable-order", "acary",
     "Fig. 5: work and precision of Moreau's scheme with a guess of the local order",
     moreau_variable_order},
    {"schatzman-paoli-order", "acary",
     "Fig. 3: order of Schatzman and Paoli's scheme through impacts, in four measures",
     schatzman_paoli_order},
    {"bouncing-ball", "acary",
     "Example 1: an accumulation of impacts with every method that steps across them",
     bouncing_ball},
    {"event-capturing-order", "acary",
     "Fig. 6, 7: event capturing keeps the order of Runge–Kutta methods through impacts",
     event_capturing_order},
    {"falling-mass", "studer-leine-glocker",
     "Fig. 5, 9 and 10: extrapolation over all and over odd substeps, and an accumulation of "
     "impacts",
     falling_mass},
    {"sliding-mass", "studer-leine-glocker",
     "Fig. 11: a mass slides on a table, turns in a smooth way, and sticks", sliding_mass},
    {"impact-oscillator-order", "studer-leine-glocker",
     "Fig. 12: orders 1 to 6 across impacts by small steps at switching points",
     impact_oscillator_order},
    {"woodpecker", "studer-leine-glocker",
     "Fig. 13 and Table VII: the woodpecker toy, its modes and twelve incidents a period",
     woodpecker},
    {"woodpecker-order", "studer-leine-glocker",
     "Fig. 14: the woodpecker toy with orders 1 to 4 against an event-driven solution",
     woodpecker_order},
    {"stiff-events", "bruls-acary-cardona",
     "Sect. 6.3 with error control: SOI2, HHT-I3 and Radau IIA from event to event on a stiff bar",
     stiff_events},
    {"beam-statics", "sonneville-cardona-bruls",
     "Beams at rest: roll-up, elastica, bends, catenary", beam_statics},
    {"beam-buckling", "sonneville-cardona-bruls",
     "Beams that give way: lateral buckling, Euler's column, arches that snap through",
     beam_buckling},
    {"beam-dynamics", "sonneville-cardona-bruls",
     "Beams in motion: frequencies, and the spin-up of Simo and Vu-Quoc", beam_dynamics},
    {"beam-motion", "sonneville-cardona-bruls",
     "Beams that fly, vibrate and swing: momentum, dissipation, energy; a rod that bends in its "
     "slider-crank",
     beam_motion},
    {"beam-rotation", "sonneville-cardona-bruls",
     "Beams in steady rotation: frequencies of Wright et al., a shaft and its critical speed",
     beam_rotation},
    {"beam-impact", "sonneville-cardona-bruls",
     "A beam dropped on its end and on its side, against its modes in closed form", beam_impact},
    {"work-precision", "acary",
     "Fig. 4, all methods: error against evaluations and time on four problems with impacts",
     work_precision},
};

}  // namespace

std::span<const StudyEntry> study_catalog() {
  return kStudies;
}

const StudyEntry& find_study(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const StudyEntry& study : kStudies) {
    if (study.id == id) return study;
    ids.push_back(study.id);
  }
  throw InputError(unknown_name("study", id, ids));
}

}  // namespace picus::studies
