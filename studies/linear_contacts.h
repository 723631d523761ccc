// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Event-driven treatment of three coordinates with constant mass, linear forces and contacts in
// fixed directions, such as the woodpecker: between events, where every contact is open, sticks or
// slips, the motion obeys a linear equation with constant coefficients. Readable as C++17.

#include <array>
#include <vector>

#include <Eigen/Dense>

namespace picus::studies {

/// M q̈ = force − K q + Σ (w_N λ_N + w_T λ_T), gaps g = gap + W_N q ≥ 0; one contact per row.
struct LinearContacts {
  Eigen::Matrix3d mass, stiffness;
  Eigen::Vector3d force;
  Eigen::Matrix3d normal, tangent;
  Eigen::Vector3d gap, restitution;
  double friction = 0.0;
  Eigen::Vector3d position, velocity;  ///< at the start
  std::array<bool, 3> touching = {};   ///< at the start
};

enum class LinearMode { kOpen, kStick, kForward, kBackward };

/// (q, q̇, 1)
using LinearState = Eigen::Matrix<double, 7, 1>;
using LinearRow = Eigen::Matrix<double, 1, 7>;

/// The motion until the next event.
struct LinearFlow {
  /// An event is where row · (q, q̇, 1) falls to zero.
  struct Event {
    enum class Kind { kCloses, kReleases, kSlipsForward, kSlipsBackward, kSticks };
    Kind kind;
    int contact;
    LinearRow row;
  };
  Eigen::Matrix<double, 3, 7> acceleration;
  std::vector<Event> events;
};

/// Finds what contacts do behind an event by trying all modes: Newton's law of impact with
/// Coulomb's for impulses, and Coulomb's for forces.
class LinearContactModes {
 public:
  /// Throws std::runtime_error when no modes agree with the laws, also later.
  explicit LinearContactModes(const LinearContacts& system);

  LinearState start() const;
  const LinearFlow& flow() const { return flow_; }
  const std::array<LinearMode, 3>& modes() const { return modes_; }

  /// Behind the event of that number of the flow, which ends there.
  void pass(std::size_t event, LinearState& x);

 private:
  using Modes = std::array<LinearMode, 3>;
  struct Targets {
    Eigen::Vector3d free, normal, tangent, slip;  ///< slip: of the velocities now
    bool is_impact;
  };

  using Touching = std::array<bool, 3>;
  /// The mode that a contact must have behind an event, if any.
  struct Forced {
    const Modes* modes = nullptr;
    std::size_t contact = 0;
  };

  void enter(LinearState& x, Touching touching, const Forced& forced);
  Targets targets_of(const LinearState& x, bool is_impact, const Touching& touching) const;
  Modes find(const Targets& targets, const Touching& touching, const Forced& forced,
             Eigen::Vector3d& result) const;
  bool solve(const Targets& targets, const Modes& modes, Eigen::Vector3d& result) const;
  /// Whether contact i obeys its laws; `force` begins with its normal force, then its friction.
  bool obeys(const Targets& targets, LinearMode mode, int i, const double* force,
             const Eigen::Vector3d& result) const;
  std::vector<Modes> candidates(const Touching& touching, const Targets& targets) const;
  void make_flow();

  LinearContacts system_;
  Eigen::Matrix3d inverse_;
  Modes modes_{};
  LinearFlow flow_;
};

}  // namespace picus::studies
