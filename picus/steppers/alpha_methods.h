// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The generalized-α family: options and makers. Each method lives in its own file.
//
//   method               constraints enforced             source
//   newmark              none                             [Newmark1959]
//   hht                  none                             [HilberHughesTaylor1977]
//   generalized_alpha    none                             [ChungHulbert1993], jay-negrut (2), §3
//   index3               position            (P)          bruls-acary-cardona (71)
//   index2               velocity            (V)          bruls-acary-cardona (71)
//   ggl                  position, velocity  (PV)         bruls-acary-cardona (73), (74)
//   stabilized_index1    all three           (PVA)        bruls-acary-cardona (70)
//   index1               acceleration                     bruls-acary-cardona (71)
//   baumgarte            their weighted sum               bruls-acary-cardona (71)
//   soi2                 position, velocity               jay-negrut (13)
//   hht_soi2             position, velocity               jay-negrut (17)
//   hht_i3               position                         negrut-hht-i3 (11)

#include <memory>

#include "picus/solvers/newton.h"
#include "picus/steppers/stepper.h"

namespace picus {

/// What happens to the shifted acceleration when the step size changes.
enum class StepAdjustment {
  kAdjusted,  ///< extrapolated to the new shift, jay-negrut (14); needed for second order
  kNone       ///< left alone: first order on variable steps
};
template <>
struct EnumNames<StepAdjustment> {
  static constexpr std::array<std::string_view, 2> names{"adjusted", "none"};
};

/// The value of the shifted acceleration a(t0 + αh) before the first step.
enum class InitialShift {
  kAcceleration,  ///< a0, off by O(h)
  kShifted        ///< jay-negrut (8), off by O(h²); solved together with the first step
};
template <>
struct EnumNames<InitialShift> {
  static constexpr std::array<std::string_view, 2> names{"a0", "shifted"};
};

/// The mass matrix M_α that multiplies the old shifted acceleration, jay-negrut §3.
enum class PreviousMass {
  kPreviousStep,  ///< M_{1+α} of the previous step
  kEvaluated      ///< M(t0 + αh, y0 + αh z0)
};
template <>
struct EnumNames<PreviousMass> {
  static constexpr std::array<std::string_view, 2> names{"previous_step", "evaluated"};
};

/// Where hht_i3 evaluates the mass matrix.
enum class MassPoint {
  kShifted,  ///< M(t_{1+α}, y0 + (1+α)h z0), as in jay-negrut: second order for any M(t,q)
  kEnd       ///< M(t1, q1), as printed in negrut-hht-i3 (11a): first order unless M is constant
};
template <>
struct EnumNames<MassPoint> {
  static constexpr std::array<std::string_view, 2> names{"shifted", "end"};
};

/// Which local error is estimated.
enum class ErrorConstant {
  kCorrected,  ///< of a running integration, along the directions that constraints leave free
  kPaper  ///< negrut-hht-i3 (26) as printed: as if every step began with the exact acceleration
};
template <>
struct EnumNames<ErrorConstant> {
  static constexpr std::array<std::string_view, 2> names{"corrected", "paper"};
};

/// The scales by which local errors are judged.
enum class WeightKind {
  kMotion,  ///< one radian, and the size of the system or of its motion
  kPaper    ///< negrut-hht-i3 (35): the largest position so far, at least 1 in model units
};
template <>
struct EnumNames<WeightKind> {
  static constexpr std::array<std::string_view, 2> names{"motion", "paper"};
};

/// How ggl corrects positions.
enum class GglVariant {
  kClassical,    ///< U_n = G(q_n)ᵀ ν_n, (73)
  kMassWeighted  ///< M U_{n+1} = G(q_{n+1})ᵀ ν_{n+1}, (74)
};
template <>
struct EnumNames<GglVariant> {
  static constexpr std::array<std::string_view, 2> names{"classical", "mass_weighted"};
};

/// How methods with averaged forces estimate their local error when a controller asks for it.
struct ErrorOptions {
  ErrorConstant error_constant = ErrorConstant::kCorrected;
  WeightKind error_weights = WeightKind::kMotion;
  double newton_share = 1e-3;  ///< c of (40): what Newton's method may add, of the tolerance

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("error_constant", self.error_constant,
          "constant of the error estimate, negrut-hht-i3 (26): corrected or paper");
    visit("error_weights", self.error_weights,
          "scales of errors, negrut-hht-i3 (35): motion or paper");
    visit("newton_share", self.newton_share,
          "fraction of the error tolerance granted to Newton's method, negrut-hht-i3 (40)");
  }
};

/// Settings common to all methods of the family.
struct AlphaOptions {
  StepAdjustment adjustment = StepAdjustment::kAdjusted;
  InitialShift initial_shift = InitialShift::kAcceleration;
  double control_weight = 0.5;  ///< ρ of negrut-hht-i3 (9a): 1/2 is second order, 1 damps most
  NewtonOptions newton = {};
  ErrorOptions error = {};  ///< read by methods with traits().estimates_error

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("adjustment", self.adjustment,
          "shifted acceleration when h changes, jay-negrut (14): adjusted or none");
    visit("initial_shift", self.initial_shift,
          "first shifted acceleration, jay-negrut (8): a0 or shifted");
    visit("control_weight", self.control_weight,
          "weight of the new rate of first-order states, in [1/2, 1]");
    NewtonOptions::for_each_field(self.newton, visit);
  }
};

struct NewmarkOptions {
  double beta = 0.25;
  double gamma = 0.5;
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("beta", self.beta, "weight of the new acceleration in the positions, > 0");
    visit("gamma", self.gamma, "weight in the velocities; only 1/2 is second order");
    AlphaOptions::for_each_field(self.common, visit);
    ErrorOptions::for_each_field(self.common.error, visit);
  }
};

struct HhtOptions {
  double alpha = -0.1;  ///< in [-1/3, 0]; 0 is the trapezoidal rule
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("alpha", self.alpha, "numerical damping, in [-1/3, 0]; 0: none");
    AlphaOptions::for_each_field(self.common, visit);
    ErrorOptions::for_each_field(self.common.error, visit);
  }
};

/// For index3, index2, index1 and stabilized_index1.
struct IndexOptions {
  double rho = 0.8;  ///< spectral radius at infinity, in [0, 1]; 1 has no damping
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity, in [0, 1]; 1: no numerical damping");
    AlphaOptions::for_each_field(self.common, visit);
  }
};

struct BaumgarteOptions {
  double rho = 0.8;
  double baumgarte_alpha = 10.0;  ///< [1/s]
  double baumgarte_beta = 10.0;   ///< [1/s]
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity, in [0, 1]; 1: no numerical damping");
    visit("baumgarte_alpha", self.baumgarte_alpha,
          "α: the velocity constraint enters with weight 2α [1/s]");
    visit("baumgarte_beta", self.baumgarte_beta,
          "β: the position constraint enters with weight β² [1/s]");
    AlphaOptions::for_each_field(self.common, visit);
  }
};

struct GglOptions {
  double rho = 0.8;
  GglVariant variant = GglVariant::kMassWeighted;
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity, in [0, 1]; 1: no numerical damping");
    visit("variant", self.variant, "position correction: classical (73) or mass_weighted (74)");
    AlphaOptions::for_each_field(self.common, visit);
  }
};

/// For generalized_alpha and soi2.
struct GeneralizedAlphaOptions {
  double rho = 0.8;
  PreviousMass previous_mass = PreviousMass::kPreviousStep;
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("rho", self.rho, "spectral radius at infinity, in [0, 1]; 1: no numerical damping");
    visit("previous_mass", self.previous_mass, "M_α, jay-negrut §3: previous_step or evaluated");
    AlphaOptions::for_each_field(self.common, visit);
    ErrorOptions::for_each_field(self.common.error, visit);
  }
};

struct HhtI3Options {
  double alpha = -0.3;  ///< in [-1/3, 0]
  MassPoint mass_point = MassPoint::kShifted;
  AlphaOptions common = {};

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("alpha", self.alpha, "numerical damping, in [-1/3, 0]; 0: none");
    visit("mass_point", self.mass_point, "shifted (second order) or end (as printed in the paper)");
    AlphaOptions::for_each_field(self.common, visit);
    ErrorOptions::for_each_field(self.common.error, visit);
  }
};

// Makers throw InputError when an option is out of its range.
std::unique_ptr<Stepper> make_newmark(const NewmarkOptions& options = {});
std::unique_ptr<Stepper> make_hht(const HhtOptions& options = {});
std::unique_ptr<Stepper> make_generalized_alpha(const GeneralizedAlphaOptions& options = {});
std::unique_ptr<Stepper> make_index3(const IndexOptions& options = {});
std::unique_ptr<Stepper> make_index2(const IndexOptions& options = {});
std::unique_ptr<Stepper> make_index1(const IndexOptions& options = {});
std::unique_ptr<Stepper> make_baumgarte(const BaumgarteOptions& options = {});
std::unique_ptr<Stepper> make_ggl(const GglOptions& options = {});
std::unique_ptr<Stepper> make_stabilized_index1(const IndexOptions& options = {});
std::unique_ptr<Stepper> make_soi2(const GeneralizedAlphaOptions& options = {});
std::unique_ptr<Stepper> make_hht_soi2(const HhtOptions& options = {});
std::unique_ptr<Stepper> make_hht_i3(const HhtI3Options& options = {});

}  // namespace picus
