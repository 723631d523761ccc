// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The pile of studies/problems/pile.h in several engines, and one judge for all of them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "picus/solvers/contact_solver.h"
#include "studies/problems/pile.h"

namespace picus::bench {

/// What an engine says about a contact of its last step.
struct PileContact {
  int ball = 0;
  int other = 0;    ///< a ball, or −1 − k for wall k
  Vector3 impulse;  ///< on `ball`, axes of space [N s]
};

/// One engine with its pile in it.
class PileEngine {
 public:
  virtual ~PileEngine() = default;
  virtual std::string name() const = 0;
  virtual std::string setting() const = 0;
  /// The size of the next attempt [s]: a step, or a part of one.
  virtual double next_step() const { return step_; }
  /// The time gone [s]: 0 when a smaller attempt must follow, negative when the step has failed.
  virtual double attempt() = 0;
  /// How often a step was divided because its contact problem was not solved.
  virtual int divided() const { return 0; }
  virtual Vector3 centre(int ball) const = 0;
  virtual Vector3 velocity(int ball) const = 0;
  virtual Vector3 turn(int ball) const = 0;  ///< angular velocity, axes of space
  /// The same after a step as the contacts saw it. Where angular velocities have axes of the body,
  /// a step that changes them and turns the body leaves another one in space.
  virtual Vector3 turn_at_contacts(int ball) const { return turn(ball); }
  virtual void contacts(std::vector<PileContact>& result) const = 0;
  /// Where in a step, at the velocities before it, contacts were looked at: 0 at its beginning.
  virtual double looks_ahead() const { return 0.0; }

 protected:
  explicit PileEngine(double step) : step_(step) {}
  double step_;  ///< [s]
};

/// How well the last step obeys the laws of contact, from what the engine says.
class PileJudge {
 public:
  explicit PileJudge(const problems::Pile& pile);
  /// Before the attempt that is judged: where the balls are, and how they move.
  void look_before(const PileEngine& engine);

  struct Verdict {
    double residual = 0.0;     ///< contact_residual() of the impulses and velocities reported
    double penetration = 0.0;  ///< deepest, in mean radii
    double kinetic = 0.0;      ///< [J]
    int contacts = 0;          ///< that carry an impulse
  };
  Verdict judge(const PileEngine& engine);

 private:
  struct Met {
    Vector3 normal, arm_i, arm_j;
  };
  Met met(int ball, int other) const;
  double gap(int ball, int other, const std::vector<Vector3>& centres) const;
  Vector3 relative(const Met& met, int ball, int other, const std::vector<Vector3>& velocities,
                   const std::vector<Vector3>& turns) const;

  problems::Pile pile_;
  std::vector<problems::Pile::Ball> balls_;
  std::vector<std::pair<Vector3, Vector3>> walls_;
  std::vector<Vector3> centres_, free_, turns_before_;
};

/// Picus: moreau_jean with explicit directions and a solver of the catalog.
std::unique_ptr<PileEngine> make_picus_pile(const problems::Pile& pile, double h,
                                            const std::string& solver, double tolerance,
                                            bool projected = false);
// Engines that were not there at build time give null.

/// The nonsmooth Gauss–Seidel method of Siconos. What it calls converged is taken as converged.
std::unique_ptr<ContactSolver> make_siconos_nsgs(double tolerance);
/// Picus with that solver.
std::unique_ptr<PileEngine> make_siconos_pile(const problems::Pile& pile, double h,
                                              double tolerance);
std::unique_ptr<PileEngine> make_mujoco_pile(const problems::Pile& pile, double h,
                                             const std::string& solver);
std::unique_ptr<PileEngine> make_bullet_pile(const problems::Pile& pile, double h, int iterations);
std::unique_ptr<PileEngine> make_ode_pile(const problems::Pile& pile, double h, int iterations);

}  // namespace picus::bench
