// SPDX-License-Identifier: BSD-3-Clause
#include "picus/base/synonyms.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace picus {
namespace {

struct Synonym {
  std::string_view word, ours;
};

// Of several words of ours the first that may stand at the place is meant.
constexpr Synonym kSynonyms[] = {
    // bodies and frames
    {"world", "ground"},
    {"base", "ground"},
    {"inertial", "ground"},
    {"origin", "ground"},
    {"origin", "at"},
    {"fixed", "ground"},
    {"particle", "point"},
    {"point_mass", "point"},
    {"rigid", "spatial"},
    {"rigid_body", "spatial"},
    {"frame", "markers"},
    {"frames", "markers"},
    // joints
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"pivot", "revolute"},
    {"rotational", "revolute"},
    {"slider", "prismatic"},
    {"slide", "prismatic"},
    {"translational", "prismatic"},
    {"ball", "spherical"},
    {"ball", "sphere"},
    {"ball_joint", "spherical"},
    {"ball_and_socket", "spherical"},
    {"rigid", "fixed"},
    {"lock", "fixed"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"rope", "distance"},
    {"rod", "distance"},
    {"link", "distance"},
    {"massless_link", "distance"},
    {"rack", "rack_and_pinion"},
    {"rolling", "rolling_disc"},
    {"wheel", "rolling_disc"},
    // forces
    {"spring", "spring_damper"},
    {"damper", "spring_damper"},
    {"dashpot", "spring_damper"},
    {"tsda", "spring_damper"},
    {"rotational_spring", "torsion_spring"},
    {"torsional_spring", "torsion_spring"},
    {"rsda", "torsion_spring"},
    {"moment", "torque"},
    {"load", "force"},
    // contacts
    {"limit", "stop"},
    {"limits", "stop"},
    {"end_stop", "stop"},
    {"bump_stop", "stop"},
    {"dry_friction", "friction"},
    {"coulomb", "friction"},
    {"floor", "ball_on_plane"},
    {"plane", "ball_on_plane"},
    // controls
    {"pi", "pid"},
    {"pd", "pid"},
    {"controller", "pid"},
    {"integrator", "state"},
    {"filter", "transfer_function"},
    {"lowpass", "transfer_function"},
    {"algebraic", "variable"},
    // shapes
    {"cuboid", "box"},
    {"block", "box"},
    {"brick", "box"},
    {"disc", "cylinder"},
    {"disk", "cylinder"},
    {"tube", "cylinder"},
    {"stl", "mesh"},
    {"obj", "mesh"},
    // sections of a model
    {"links", "bodies"},
    {"constraints", "joints"},
    {"springs", "forces"},
    {"loads", "forces"},
    {"drives", "motions"},
    {"motors", "motions"},
    {"variables", "controls"},
    {"constants", "parameters"},
    {"params", "parameters"},
    {"simulation", "run"},
    {"settings", "run"},
    {"solver", "run"},
    {"title", "name"},
    {"dim", "dimension"},
    {"g", "gravity"},
    // keys
    {"m", "mass"},
    {"weight", "mass"},
    {"i", "inertia"},
    {"j", "inertia"},
    {"moment_of_inertia", "inertia"},
    {"rho", "density"},
    {"com", "center"},
    {"cog", "center"},
    {"cm", "center"},
    {"centre", "center"},
    {"center_of_mass", "center"},
    {"geometry", "shape"},
    {"position", "at"},
    {"pos", "at"},
    {"location", "at"},
    {"anchor", "at"},
    {"orientation", "rotations"},
    {"rotation", "rotations"},
    {"rotation", "angle"},
    {"v", "velocity"},
    {"vel", "velocity"},
    {"omega", "spin"},
    {"omega", "angular_velocity"},
    {"bodies", "between"},
    {"connects", "between"},
    {"body", "on"},
    {"body", "between"},
    {"direction", "axis"},
    {"k", "stiffness"},
    {"c", "damping"},
    {"d", "damping"},
    {"l0", "length"},
    {"free_length", "length"},
    {"rest_length", "length"},
    {"natural_length", "length"},
    {"l", "length"},
    {"r", "radius"},
    {"f0", "preload"},
    {"mu", "friction"},
    {"friction_coefficient", "friction"},
    {"e", "restitution"},
    {"cor", "restitution"},
    {"e", "modulus"},
    {"youngs_modulus", "modulus"},
    {"n", "elements"},
    {"min", "lower"},
    {"max", "upper"},
    {"expression", "value"},
    {"formula", "value"},
    {"function", "value"},
    {"error", "input"},
    {"kp", "p"},
    {"ki", "i"},
    {"kd", "d"},
    {"num", "numerator"},
    {"den", "denominator"},
    {"x0", "initial"},
    {"derivative", "rate"},
    // runs
    {"t_end", "end_time"},
    {"tend", "end_time"},
    {"end", "end_time"},
    {"stop_time", "end_time"},
    {"final_time", "end_time"},
    {"duration", "end_time"},
    {"tol", "tolerance"},
    {"rtol", "tolerance"},
    {"dt", "step"},
    {"h", "step"},
    {"step_size", "step"},
    {"time_step", "step"},
    {"dt_out", "output_interval"},
    {"method", "integrator"},
    {"solver", "integrator"},
    // options of the program
    {"--endtime", "--end"},
    {"--end-time", "--end"},
    {"--tend", "--end"},
    {"--tol", "--tolerance"},
    {"--dt", "--step"},
    {"--method", "--integrator"},
    {"--solver", "--integrator"},
    {"--output", "--out"},
    {"--param", "--set"},
    {"--silent", "--quiet"},
    // integrators
    {"rk45", "half_explicit"},
    {"rk4", "half_explicit"},
    {"dopri5", "half_explicit"},
    {"ode45", "half_explicit"},
    {"euler", "half_explicit"},
    {"radau", "radau_iia"},
    {"radau5", "radau_iia"},
    {"bdf", "radau_iia"},
    {"ida", "radau_iia"},
    {"dassl", "radau_iia"},
    {"hht-i3", "hht_i3"},
    {"moreau", "moreau_jean"},
    {"timestepping", "moreau_jean"},
    // sections
    {"body", "bodies"},
    {"link", "bodies"},
    {"links", "bodies"},
    {"springs", "forces"},
    {"loads", "forces"},
    {"drives", "motions"},
    {"actuators", "motions"},
    {"controllers", "controls"},
    {"simulation", "run"},
    {"solver", "run"},
    // names in formulas
    {"t", "time"},
};

struct Remark {
  std::string_view word, beside, sentence;
};

constexpr std::string_view kBeams =
    "bending beams have a section of their own: beams: {NAME: {from: …, to: …, section: …, "
    "material: …}}";
// Types of other sections.
constexpr std::string_view kForces = "it is a force; move it to the section 'forces:'";
constexpr std::string_view kJoints = "it is a joint; move it to the section 'joints:'";
constexpr std::string_view kContacts = "it is a contact; move it to the section 'contacts:'";

// For words of which there is nothing; `beside` may stand at the place.
constexpr Remark kRemarks[] = {
    {"beam", "bar", kBeams},
    {"beam", "revolute", kBeams},
    {"beam", "spring_damper", kBeams},
    {"beam", "spatial", kBeams},
    {"spring_damper", "revolute", kForces},
    {"torsion_spring", "revolute", kForces},
    {"bushing", "revolute", kForces},
    {"spring", "revolute", kForces},
    {"revolute", "spring_damper", kJoints},
    {"prismatic", "spring_damper", kJoints},
    {"spherical", "spring_damper", kJoints},
    {"fixed", "spring_damper", kJoints},
    {"distance", "spring_damper", kJoints},
    {"ball_on_plane", "revolute", kContacts},
    {"ball_on_ball", "revolute", kContacts},
    {"journal", "revolute", kContacts},
    {"stop", "revolute", kContacts},
    {"friction", "revolute", kContacts},
    {"ball_on_plane", "spring_damper", kContacts},
    {"ball_on_ball", "spring_damper", kContacts},
    {"journal", "spring_damper", kContacts},
    {"stop", "spring_damper", kContacts},
    {"friction", "spring_damper", kContacts},
    {"contact_force", "ball_on_plane", kForces},
    {"cable", "bar",
     "a cable is a slender beam: beams: {NAME: {from: …, to: …, section: …, material: …}}"},
    {"shell", "bar", "Picus has no shells yet; 'bar' stretches along its axis only"},
    {"cone", "cylinder", "Picus has no such shape; 'mesh' shows any surface"},
    {"ellipsoid", "sphere", "Picus has no such shape; 'mesh' shows any surface"},
    {"limits", "between",
     "joint limits are a contact: contacts: {NAME: {type: stop, joint: JOINT, lower: …, "
     "upper: …}}"},
    {"limit", "between",
     "joint limits are a contact: contacts: {NAME: {type: stop, joint: JOINT, lower: …, "
     "upper: …}}"},
    {"range", "between",
     "joint limits are a contact: contacts: {NAME: {type: stop, joint: JOINT, lower: …, "
     "upper: …}}"},
    {"friction", "x_axis",
     "joint friction is a contact: contacts: {NAME: {type: friction, joint: JOINT, limit: "
     "…}}"},
    {"motor", "between",
     "a joint is driven by motions: {NAME: {joint: JOINT, value: …}}, or by a force of type "
     "torque"},
    {"drive", "between",
     "a joint is driven by motions: {NAME: {joint: JOINT, value: …}}, or by a force of type "
     "torque"},
    {"actuator", "between",
     "a joint is driven by motions: {NAME: {joint: JOINT, value: …}}, or by a force of type "
     "torque"},
    {"parent", "between", "the two bodies are one key: between: [parent, child]"},
    {"child", "between", "the two bodies are one key: between: [parent, child]"},
    {"body1", "between", "the two bodies are one key: between: [body1, body2]"},
    {"body2", "between", "the two bodies are one key: between: [body1, body2]"},
};

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool has(std::span<const std::string_view> candidates, std::string_view word) {
  return std::find(candidates.begin(), candidates.end(), word) != candidates.end();
}

}  // namespace

std::string_view our_word_for(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string small = lowered(word);
  for (const std::string_view candidate : candidates)
    if (candidate.size() == small.size() && lowered(candidate) == small) return candidate;
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.word != small) continue;
    const auto found = std::find(candidates.begin(), candidates.end(), synonym.ours);
    if (found != candidates.end()) return *found;
  }
  return {};
}

std::string_view remark_on(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string small = lowered(word);
  for (const Remark& remark : kRemarks)
    if (remark.word == small && has(candidates, remark.beside)) return remark.sentence;
  return {};
}

}  // namespace picus
