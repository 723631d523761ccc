// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "picus/dynamics/state.h"
#include "picus/math/sparse_matrix.h"

namespace picus {

struct SystemSizes {
  int positions = 0;     ///< nq ≥ nv: a quaternion stores four numbers for three velocities
  int velocities = 0;    ///< nv
  int constraints = 0;   ///< scalar holonomic equations g
  int nonholonomic = 0;  ///< scalar nonholonomic equations k
  int controls = 0;      ///< first-order states and algebraic variables x
  int variables = 0;     ///< how many of the last controls are algebraic: d does not see their rate
  int contacts = 0;      ///< how many of the last equations g are gaps of contacts
  int slips = 0;         ///< how many of the last equations k are slips of contacts and friction
  int friction_elements = 0;  ///< dry friction without a gap; its slips are the last of all

  /// Equations that hold with the sign of equality.
  int joints() const { return constraints - contacts; }
  int rollings() const { return nonholonomic - slips; }
  /// Contacts and friction elements, as System::contact_law counts them.
  int laws() const { return contacts + friction_elements; }
};

/// The kinds of equations; messages name an equation by kind and index.
enum class Equation { kMomentum, kConstraint, kNonholonomic, kControl };

/// What a coordinate measures; error control judges lengths and angles by different scales.
enum class Unit { kLength, kAngle };

/// Where positions come from: q = base ⊕ increment. Derivatives "along positions" are taken with
/// respect to the increment. On a vector space this is the plain derivative and can be ignored.
struct Chart {
  const Vector& base;
  const Vector& increment;
};

/// The derivatives of the control equations d(ẋ, x, q, v, v̇, λ, t) and of the force along x.
struct ControlTangent {
  SparseMatrix rate, control, position, velocity, acceleration, multiplier;
  SparseMatrix force;  ///< ∂F/∂x
};

/// The law of a contact: restitution and Coulomb friction.
struct ContactLaw {
  double restitution = 0.0;             ///< e in ġ⁺ = −e ġ⁻, or of Poisson's law, in [0, 1]
  double tangential_restitution = 0.0;  ///< the same for the slip, in [0, 1]
  double friction = 0.0;                ///< μ
  int first_slip = -1;                  ///< nonholonomic equation of its first slip, if any
  int slips = 0;                        ///< tangential directions: none, one or two
  bool is_poisson = false;              ///< e is a ratio of impulses, not of velocities
};

/// How contacts were renumbered by find_contacts(): for each new one its old number, or -1.
struct ContactChange {
  std::vector<int> contacts;  ///< of sizes().contacts
  std::vector<int> slips;     ///< of sizes().slips
};

/// The equations of motion, as every integrator sees them. Positions lie on a manifold:
///
///     q̇ = T(q) v                                     kinematics
///     M(t,q) v̇ = F(t,q,v,λ,ψ,x)                      balance of momentum
///     g(t,q) = 0                                     joints and prescribed motions
///     k(t,q,v) = 0                                   rolling and the like
///     d(ẋ,x,q,v,v̇,λ,t) = 0                           controls and user variables
///     g(t,q) ≥ 0 and a contact law                   contacts, the last of g and k
///     ‖ψ‖ ≤ limit, against k(t,q,v)                  friction elements, the last of k
///
/// F is the whole right-hand side, reactions included. Mechanical systems have
/// F = f(t,q,v,x) + G(t,q)ᵀ λ + k_v(t,q,v)ᵀ ψ with G = ∂g/∂q; a general F may be nonlinear in the
/// multipliers.
///
/// To call: a System holds no state, so each function maps its arguments to its outputs and may be
/// called in any order. The first call sizes an output; later calls reuse it without allocating.
/// Several runs may share one, in several threads, too: where contacts come and go, each run has a
/// system of its own (for_run), the only kind that find_contacts() changes.
///
/// To implement: use `make_system` (equation_system.h), which derives every function from templated
/// residuals. By hand, sizes(), mass_matrix(), force() and momentum_tangent() are required; the
/// others have defaults for systems without that feature.
class System {
 public:
  virtual ~System() = default;

  virtual SystemSizes sizes() const = 0;

  virtual void mass_matrix(const State& s, SparseMatrix& M) const = 0;
  virtual void force(const State& s, Vector& F) const = 0;
  /// True when M, K, D, G, k_v and all other derivatives are constant. The matrix of a step then
  /// depends only on its size and on the active contacts. False is always right.
  virtual bool is_linear() const { return false; }
  /// True when M is constant, as those of bodies and beams are along their own velocities. False is
  /// always right.
  virtual bool has_constant_mass() const { return is_linear(); }

  /// K = ∂(M v̇ − F)/∂q at fixed v̇, v, λ, ψ, x, and D = −∂F/∂v.
  virtual void momentum_tangent(const State& s, const Chart& chart, SparseMatrix& K,
                                SparseMatrix& D) const = 0;

  // --- configuration -----------------------------------------------------------------------

  /// result = q ⊕ dq: leaves q along the tangent vector dq and stays on the manifold.
  virtual void retract(const Vector& q, const Vector& dq, Vector& result) const;
  /// The shortest dq with from ⊕ dq = to. Needed by methods that combine several positions.
  virtual void difference(const Vector& from, const Vector& to, Vector& dq) const;
  /// True when ⊕ is the sum, so that charts can be ignored.
  virtual bool is_flat() const { return true; }
  /// How fast the increment of a chart grows where the velocity is v: d/dt (base ⊕ increment) = v,
  /// as seen at base ⊕ increment. Equals v on a vector space.
  virtual void increment_rate(const Chart& chart, const Vector& v, Vector& rate) const;
  /// Its derivatives along the increment and along v.
  virtual void increment_rate_tangent(const Chart& chart, const Vector& v,
                                      SparseMatrix& along_increment,
                                      SparseMatrix& along_velocity) const;

  /// What velocity coordinate `index` and its increments measure.
  virtual Unit unit_of(int index) const;
  /// The size of the system [m], the scale of errors in lengths; 0 if the positions do not show it.
  /// The default is the largest position that is a length.
  virtual double extent(const State& s) const;

  // --- holonomic constraints ---------------------------------------------------------------

  virtual void constraint(const State& s, Vector& g) const;                          ///< g(t,q)
  virtual void constraint_velocity(const State& s, Vector& rate) const;              ///< G v + g_t
  virtual void constraint_acceleration(const State& s, Vector& acceleration) const;  ///< + G v̇ …
  /// G, along tangent directions at q.
  virtual void constraint_jacobian(const State& s, SparseMatrix& G) const;
  /// ∂g/∂increment; equals G on a vector space.
  virtual void constraint_tangent(const State& s, const Chart& chart, SparseMatrix& G) const;
  /// ∂(G v + g_t)/∂q.
  virtual void constraint_velocity_tangent(const State& s, const Chart& chart,
                                           SparseMatrix& along_position) const;
  /// Derivatives of the acceleration form along q and v; along v̇ it is G.
  virtual void constraint_acceleration_tangent(const State& s, const Chart& chart,
                                               SparseMatrix& along_position,
                                               SparseMatrix& along_velocity) const;
  /// ∂F/∂λ and ∂F/∂ψ: Gᵀ and k_vᵀ for mechanical systems.
  virtual void multiplier_tangent(const State& s, SparseMatrix& along_multiplier,
                                  SparseMatrix& along_nonholonomic) const;
  /// False when F is not of the mechanical form f + Gᵀλ + k_vᵀψ.
  virtual bool has_linear_reactions() const { return true; }
  /// ∂(M v̇ − Gᵀλ − k_vᵀψ)/∂q and ∂/∂v: what momentum_tangent is without the applied forces.
  /// Needed by the methods that correct positions and velocities along Gᵀ and k_vᵀ.
  virtual void correction_tangent(const State& s, const Chart& chart, SparseMatrix& along_position,
                                  SparseMatrix& along_velocity) const;

  // --- nonholonomic constraints ------------------------------------------------------------

  virtual void nonholonomic(const State& s, Vector& k) const;          ///< k(t,q,v)
  virtual void nonholonomic_rate(const State& s, Vector& rate) const;  ///< k_t + k_q v + k_v v̇
  /// k_v alone.
  virtual void nonholonomic_jacobian(const State& s, SparseMatrix& along_velocity) const;
  virtual void nonholonomic_tangent(const State& s, const Chart& chart,
                                    SparseMatrix& along_position,
                                    SparseMatrix& along_velocity) const;
  /// Derivatives of the rate along q and v; along v̇ it is k_v.
  virtual void nonholonomic_rate_tangent(const State& s, const Chart& chart,
                                         SparseMatrix& along_position,
                                         SparseMatrix& along_velocity) const;

  // --- controls ----------------------------------------------------------------------------

  virtual void control(const State& s, Vector& d) const;
  virtual void control_tangent(const State& s, const Chart& chart, ControlTangent& tangent) const;

  // --- discontinuities ---------------------------------------------------------------------

  /// Values whose sign changes mark jumps in the force or in the controls. They are smooth along
  /// the motion. simulate() ends a step at each change and restarts after it.
  virtual int switches() const { return 0; }
  virtual void switch_values(const State& s, Vector& values) const;
  /// The name of the switch in messages.
  virtual std::string name_of_switch(int index) const;

  // --- forcing -----------------------------------------------------------------------------

  /// Whether the equations depend on time explicitly.
  virtual bool has_forcing() const { return false; }
  /// The longest step that resolves this dependence [s]: a fraction of the shortest period, the
  /// time to the next pulse or a fraction of the pulse. Infinity if nothing changes any more.
  virtual double forcing_time(const State& s) const;
  /// Whether the motion may pass something narrow: formulas of positions, round bodies.
  virtual bool has_passages() const { return false; }
  /// The longest step that cannot begin before and end after such a place [s], at the velocities
  /// and accelerations of s; `part` of what is narrow may be covered at once. Infinity for none.
  virtual double passing_time(const State& s, double part) const;

  // --- contacts ----------------------------------------------------------------------------
  //
  // A contact is an equation g that may open: its gap is one of the last of g, its tangential
  // velocities are among the last of k. Everything else about it, derivatives and reactions λ, ψ,
  // is as for joints and rolling. A friction element has slips alone, and a limit instead of
  // μ λ: one that is known before the solution, or one that reactions of joints add to.

  /// The law of contact 0, 1, … sizes().contacts - 1, whose gap is equation joints() + contact;
  /// then where the slips of the friction elements are.
  virtual ContactLaw contact_law(int contact) const;
  /// The largest friction of each friction element [N, or N m], from t, q, v and x; a negative one
  /// means none.
  virtual void friction_limits(const State& s, Vector& limits) const;
  /// Whether limits also depend on the reactions λ of joints, limit(s) + r(q, λ) with a convex r
  /// that is homogeneous, r(q, cλ) = |c| r(q, λ).
  virtual bool limits_read_reactions() const { return false; }
  /// The numbers of the friction elements whose limits do.
  virtual std::vector<int> reaction_limits() const { return {}; }
  /// Their derivatives along λ, a row for each friction element; nothing by default.
  virtual void friction_limit_tangent(const State& s, SparseMatrix& along_multiplier) const;

  /// True for a system whose contacts come and go: find_contacts() lists those that matter.
  virtual bool finds_contacts() const { return false; }
  /// The same equations with a list of contacts of its own, which begins empty: what simulate()
  /// makes for each run. Refers to this system. Null unless contacts come and go.
  virtual std::unique_ptr<System> for_run() const { return nullptr; }
  /// Lists the contacts that may close within `duration` [s] at velocities like those of `s`; reads
  /// time, position and velocity alone. Returns false if the equations have not changed. Otherwise
  /// contacts and slips have new numbers, and `change` maps them to the old ones; call
  /// follow_contacts() on every State in use.
  virtual bool find_contacts(const State& s, double duration, ContactChange& change);

  // --- words -------------------------------------------------------------------------------

  /// The name of this equation in messages: "pin.x", "momentum of crank.angle".
  virtual std::string name_of(Equation kind, int index) const;
};

/// Sizes every vector of `state` for `system`; new entries are zero. Throws InputError when a
/// vector the user gave has the wrong size.
void size_state(const System& system, State& state);

/// Moves the multipliers of contacts to their new places after a change; those of new ones are
/// zero. `before` are the sizes of the system that `state` fits.
void follow_contacts(const SystemSizes& before, const System& system, const ContactChange& change,
                     State& state);

/// Sizes the multipliers of a state from another time for the present contacts, with zeros.
void forget_contacts(const System& system, State& state);

/// Resizes without touching a vector that already fits.
void resize(Vector& x, int size);

}  // namespace picus
