// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "picus/base/fields.h"
#include "picus/solvers/contact_problem.h"

namespace picus {

struct [[nodiscard]] ContactReport {
  enum class Status {
    kConverged,       ///< contact_residual is below the tolerance
    kIterationLimit,  ///< it is not; p is the best impulse found
    kNotFinite,       ///< the problem holds NaN or infinity; p is zero
    kNoSolution       ///< no impulse can prevent penetration, and there is a proof
  };
  Status status = Status::kIterationLimit;
  int iterations = 0;
  double residual = 0.0;  ///< contact_residual of p

  bool ok() const { return status == Status::kConverged; }
};
template <>
struct EnumNames<ContactReport::Status> {
  static constexpr std::array<std::string_view, 4> names{"converged", "iteration_limit",
                                                         "not_finite", "no_solution"};
};

/// How much a solver may try where a problem is hard.
enum class SearchEffort {
  kBrief,     ///< give up early: the caller can pose easier problems
  kFair,      ///< some seconds for a thousand balls
  kUnlimited  ///< until everything is tried
};

/// Solves contact problems one after another. Allocates only when a problem is larger than those
/// before, or, where a solver says so, has another pattern.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  /// p holds a guess on entry, zero if there is none, and the best impulse found on exit.
  virtual ContactReport solve(const ContactProblem& problem, Vector& p) = 0;
  /// Kept until set again; solvers that know one way only ignore it.
  virtual void set_search_effort(SearchEffort /*effort*/) {}
};

/// For projected_jacobi and projected_gauss_seidel.
struct ProjectionOptions {
  double tolerance = 1e-8;
  int max_iterations = 10000;
  double relaxation = 1.0;  ///< first scale of r, adapted afterwards

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "sweeps over all contacts");
    visit("relaxation", self.relaxation, "first scale of the factors r, > 0");
  }
};

struct GaussSeidelOptions {
  double tolerance = 1e-8;
  int max_iterations = 10000;
  double relaxation = 1.0;  ///< in (0, 2); reduced when sweeps stall
  int memory = 5;           ///< earlier sweeps that are combined; 0 for plain ones

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "sweeps over all contacts");
    visit("relaxation", self.relaxation,
          "relaxation: fraction of each local correction that is applied, in (0, 2)");
    visit("memory", self.memory, "earlier sweeps that acceleration combines, 0 to 8");
  }
};

struct SemismoothOptions {
  double tolerance = 1e-8;
  int max_iterations = 10000;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "Newton steps and sweeps together");
  }
};

struct InteriorPointOptions {
  double tolerance = 1e-8;
  int max_iterations = 2000;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "steps, with one factorisation each");
  }
};

struct PivotingOptions {
  double tolerance = 1e-8;
  int max_iterations = 10000;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "pivots, and paths with one factorisation each");
  }
};

struct AutomaticOptions {
  double tolerance = 1e-8;
  int max_iterations = 10000;

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "iterations of the last solver tried");
  }
};

struct LemkeOptions {
  double tolerance = 1e-8;
  int max_iterations = 5000;  ///< pivots for one placement of the polygons
  int directions = 8;         ///< corners of the polygon of friction in space
  int turns = 200;            ///< of the polygons towards the friction found

  template <class Self, class Visit>
  static void for_each_field(Self& self, Visit&& visit) {
    visit("tolerance", self.tolerance, "on the contact residual, relative to the largest velocity");
    visit("max_iterations", self.max_iterations, "pivots for one placement of the polygons");
    visit("directions", self.directions,
          "corners of the friction polygon in space, even, at least 4");
    visit("turns", self.turns, "rotations of the polygons towards the friction found, at least 0");
  }
};

// Makers throw InputError when an option is out of its range.
std::unique_ptr<ContactSolver> make_projected_jacobi(const ProjectionOptions& options = {});
std::unique_ptr<ContactSolver> make_projected_gauss_seidel(const ProjectionOptions& options = {});
std::unique_ptr<ContactSolver> make_nonsmooth_gauss_seidel(const GaussSeidelOptions& options = {});
std::unique_ptr<ContactSolver> make_semismooth_newton(const SemismoothOptions& options = {});
std::unique_ptr<ContactSolver> make_interior_point(const InteriorPointOptions& options = {});
std::unique_ptr<ContactSolver> make_proximal_pivoting(const PivotingOptions& options = {});
std::unique_ptr<ContactSolver> make_automatic_contact_solver(const AutomaticOptions& options = {});
std::unique_ptr<ContactSolver> make_lemke(const LemkeOptions& options = {});

}  // namespace picus
