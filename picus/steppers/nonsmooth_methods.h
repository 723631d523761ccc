// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Methods that step across impacts: options and makers. Each method lives in its own file.
//
//   method            constraints enforced at                    source
//   moreau_jean       velocity; joints in position, too          acary (16), (19)
//   moreau_adaptive   as moreau_jean, with an error estimate     acary (63)-(70)
//   moreau_midpoint   velocity; joints in position, too          studer-leine-glocker (15)-(21)
//   schatzman_paoli   position                                   acary (22)-(24)
//   nonsmooth_pva     position, velocity; acceleration (smooth)  bruls-acary-cardona (65)
//   nonsmooth_pvv     position, velocity; velocity (smooth)      bruls-acary-cardona [12]

#include <memory>

#include "picus/solvers/contact_solver.h"
#include "picus/steppers/alpha_methods.h"

namespace picus {

/// Which constraints the smooth motion obeys, bruls-acary-cardona §3.2.
enum class SmoothSet {
  kNone,              ///< strategy 1: a free motion
  kJoints,            ///< strategy 2: joints
  kJointsAndContacts  ///< strategy 3: joints and contacts that stay closed
};
template <>
struct EnumNames<SmoothSet> {
  static constexpr std::array<std::string_view, 3> names{"none", "joints", "joints_and_contacts"};
};

/// What an open contact means.
enum class OpenContacts {
  kComplementary,  ///< ν* = Λ* = 0: no impulse at all, so that 0 ≤ g ⊥ ν* ≥ 0 holds
  kPaper           ///< ν = Λ = 0 as printed in (65f), (65i): history may leave a force behind
};
template <>
struct EnumNames<OpenContacts> {
  static constexpr std::array<std::string_view, 2> names{"complementary", "paper"};
};

/// How the equations of a step are solved.
enum class StepSolution {
  kCoupled,   ///< Newton's method on all equations
  kDecoupled  ///< Algorithm 1: smooth motion, positions and velocities in turn
};
template <>
struct EnumNames<StepSolution> {
  static constexpr std::array<std::string_view, 2> names{"coupled", "decoupled"};
};

/// When the averages of past accelerations and reactions are forgotten.
enum class AlphaRestart {
  kNever,        ///< as in the paper, §4.4
  kAfterImpacts  ///< a = v̇ and η = λ after a step in which a contact has closed
};
template <>
struct EnumNames<AlphaRestart> {
  static constexpr std::array<std::string_view, 2> names{"never", "after_impacts"};
};

/// The solver of contact problems within a step.
enum class ContactMethod {
  kSemismoothNewton,      ///< all contacts at once
  kGaussSeidel,           ///< exact local solutions, contact after contact
  kProjectedGaussSeidel,  ///< studer-leine-glocker (23)
  kProjectedJacobi,       ///< studer-leine-glocker (22)
  kInteriorPoint,         ///< all contacts at once, also many and redundant ones
  kProximalPivoting,      ///< the same, piece by piece from the last impulses
  kLemke,                 ///< direct and dense, for few contacts
  kAutomatic              ///< by their number, and by what converges
};
template <>
struct EnumNames<ContactMethod> {
  static constexpr std::array<std::string_view, 8> names{"semismooth_newton",
                                                         "nonsmooth_gauss_seidel",
                                                         "projected_gauss_seidel",
                                                         "projected_jacobi",
                                                         "interior_point",
                                                         "proximal_pivoting",
                                                         "lemke",
                                                         "automatic"};
};

struct ContactOptions {
  ContactMethod contact_solver = ContactMethod::kAutomatic;
  double contact_tolerance = 1e-10;  ///< on contact_residual()

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("contact_solver", self.contact_solver,
          "a name from 'picus list contact_solvers': automatic, semismooth_newton, "
          "nonsmooth_gauss_seidel, projected_gauss_seidel, projected_jacobi, interior_point, "
          "proximal_pivoting or lemke");
    visit("contact_tolerance", self.contact_tolerance,
          "residual of the contact problem, relative to the largest velocity in it");
  }
};

/// Whether positions are moved onto the constraints in each step.
enum class PositionCorrection {
  kJoints,     ///< joints are closed after the step, with its matrix; contacts penetrate
  kNone,       ///< joints drift, contacts penetrate: acary (16)
  kProjected,  ///< after the step, by the smallest change in the metric of the kinetic energy
  kMultiplier  ///< acary (19): along Gᵀ of the step, together with the velocities
};
template <>
struct EnumNames<PositionCorrection> {
  static constexpr std::array<std::string_view, 4> names{"joints", "none", "projected",
                                                         "multiplier"};
};
inline constexpr const char* kPositionsMeaning =
    "joints: close them after each step; none: let them drift; projected: nearest position without "
    "violation, contacts included; multiplier: acary (19)";

/// Where the directions of contacts are taken.
enum class ContactDirections {
  kImplicit,  ///< at q_θ, which depends on the impulses: acary (16)
  kExplicit   ///< at q_k ⊕ hθ v_k: one contact problem per step when forces are linear
};
template <>
struct EnumNames<ContactDirections> {
  static constexpr std::array<std::string_view, 2> names{"implicit", "explicit"};
};

struct MoreauJeanOptions {
  double theta = 0.5;  ///< implicitness of the smooth forces, in [0, 1]
  double gamma = 0.5;  ///< forecast of gaps: g_k + h γ ġ_k decides which contacts may act
  ContactDirections directions = ContactDirections::kImplicit;
  PositionCorrection positions = PositionCorrection::kJoints;
  ContactOptions contact = {};
  double newton_tolerance = 1e-10;  ///< change of the velocities, relative to them
  int newton_max_iterations = 30;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("theta", self.theta, "implicitness of the smooth forces, in [0, 1]; 1/2 damps least");
    visit("gamma", self.gamma,
          "forecast of gaps, in [0, 1]: contacts with g + h γ ġ ≤ 0 are active");
    visit("directions", self.directions,
          "contact directions: implicit (where the step is evaluated) or explicit (at its start)");
    visit("positions", self.positions, kPositionsMeaning);
    ContactOptions::for_each_field(self.contact, visit);
    visit("newton_tolerance", self.newton_tolerance,
          "velocity change at which the iteration on nonlinear forces ends");
    visit("newton_max_iterations", self.newton_max_iterations, "iterations before a step fails");
  }
};

/// The local order by which an error tells the size of the next step.
enum class ConsistencyOrder {
  kZero,     ///< that of a step with an impact, always: acary §5.2
  kVariable  ///< zero where a gap closes, else one: acary §5.3
};
template <>
struct EnumNames<ConsistencyOrder> {
  static constexpr std::array<std::string_view, 2> names{"zero", "variable"};
};

/// Whether an impact that whole and halved steps both miss is an error.
enum class Penetration {
  kCounted,  ///< by the depth at which the step ends
  kIgnored   ///< as in acary (67): the error is then not that of the tolerance
};
template <>
struct EnumNames<Penetration> {
  static constexpr std::array<std::string_view, 2> names{"counted", "ignored"};
};

struct MoreauAdaptiveOptions {
  ConsistencyOrder order = ConsistencyOrder::kVariable;
  Penetration penetration = Penetration::kCounted;
  MoreauJeanOptions method = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("order", self.order,
          "local order of steps without impacts: variable (one, as acary (69)) or zero");
    visit("penetration", self.penetration,
          "penetration of a closing contact as an error: counted or ignored");
    MoreauJeanOptions::for_each_field(self.method, visit);
  }
};

struct MoreauMidpointOptions {
  PositionCorrection positions = PositionCorrection::kJoints;
  ContactOptions contact = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("positions", self.positions, kPositionsMeaning);
    ContactOptions::for_each_field(self.contact, visit);
  }
};

struct SchatzmanPaoliOptions {
  double theta = 0.5;  ///< where forces are taken: t_k + θ h, in [0, 1]
  ContactOptions contact = {};
  double newton_tolerance = 1e-10;  ///< change of the velocities, relative to them
  int newton_max_iterations = 30;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("theta", self.theta, "forces are evaluated at t_k + θ h, θ in [0, 1]");
    ContactOptions::for_each_field(self.contact, visit);
    visit("newton_tolerance", self.newton_tolerance,
          "velocity change at which the iteration on forces and gaps ends");
    visit("newton_max_iterations", self.newton_max_iterations, "iterations before a step fails");
  }
};

struct NonsmoothAlphaOptions {
  double rho = 0.8;  ///< spectral radius at infinity, in [0, 1]
  SmoothSet smooth_set = SmoothSet::kJointsAndContacts;
  OpenContacts open_contacts = OpenContacts::kComplementary;
  double r = 1.0;  ///< of (55)-(57), in units of the mass seen by the contact
  StepSolution solution = StepSolution::kCoupled;
  double residual_tolerance = 1e-9;  ///< of the decoupled solution, relative to the force scale
  double force_scale = 0.0;          ///< [N]; 0: the largest force of the step
  AlphaRestart restart = AlphaRestart::kNever;
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity, in [0, 1]; 1: no numerical damping");
    visit("smooth_set", self.smooth_set,
          "constraints of the smooth motion: none, joints or joints_and_contacts");
    visit("open_contacts", self.open_contacts,
          "open contacts: complementary (no impulse), or paper: (65f), (65i) as printed");
    visit("r", self.r, "r of the activation (55)-(57), in masses seen by the contact");
    visit("solution", self.solution,
          "coupled (all equations at once) or decoupled (bruls-acary-cardona, Algorithm 1)");
    visit("residual_tolerance", self.residual_tolerance,
          "residual relative to force_scale at which the decoupled solution ends");
    visit("force_scale", self.force_scale,
          "reference force of residuals [N]; 0: the largest force of the step");
    visit("restart", self.restart,
          "when the averaged past accelerations are reset: never or after_impacts");
    AlphaOptions::for_each_field(self.common, visit);
  }
};

// Makers throw InputError when an option is out of its range.
std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options = {});
/// With a contact solver that is not in the catalog; of options.contact its tolerance is wanted
/// when directions are implicit.
std::unique_ptr<Stepper> make_moreau_jean(const MoreauJeanOptions& options,
                                          std::unique_ptr<ContactSolver> solver);
std::unique_ptr<Stepper> make_moreau_adaptive(const MoreauAdaptiveOptions& options = {});
std::unique_ptr<Stepper> make_moreau_midpoint(const MoreauMidpointOptions& options = {});
std::unique_ptr<Stepper> make_schatzman_paoli(const SchatzmanPaoliOptions& options = {});
std::unique_ptr<Stepper> make_nonsmooth_pva(const NonsmoothAlphaOptions& options = {});
std::unique_ptr<Stepper> make_nonsmooth_pvv(const NonsmoothAlphaOptions& options = {});

}  // namespace picus
