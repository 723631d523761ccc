// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "picus/dynamics/batch.h"
#include "picus/mechanism/collision_search.h"
#include "picus/mechanism/line_search.h"
#include "picus/mechanism/scatter.h"
#include "picus/mechanism/shape_search.h"
#include "picus/mechanism/term.h"

namespace picus {

/// The contacts of balls with each other and with planes, then those of shapes, then those of lines
/// with balls and other lines: gaps, and slips along one tangent in the plane, two in space. What a
/// time step asks for
/// (gaps, velocities, their directions) is written out; further derivatives are those of the
/// directions in elements/.
class CollisionBatch final : public ContactBatch {
 public:
  /// `gravity` bounds the acceleration of bodies that are free.
  CollisionBatch(const Bodies& bodies, std::shared_ptr<const CollisionGroup> group,
                 double gravity = 0.0)
      : bodies_(bodies),
        search_(bodies, std::move(group)),
        shapes_(bodies, *search_.group()),
        lines_(bodies, *search_.group()),
        gravity_(gravity) {}
  CollisionBatch(const CollisionBatch&) = delete;
  CollisionBatch& operator=(const CollisionBatch&) = delete;

  /// The contacts of group `number` of a mechanism in a run, of which `system` is Moment::system.
  static const CollisionBatch& of(const System& system, std::size_t number);

  std::unique_ptr<ContactBatch> for_run() const override {
    return std::make_unique<CollisionBatch>(bodies_, search_.group(), gravity_);
  }
  bool find(const State& s, double duration) override;
  int contacts() const override { return of_pairs() + static_cast<int>(lines_.list().size()); }
  int slips_each() const override { return search_.is_planar() ? 1 : 2; }
  int came_from(int contact) const override {
    return came_from_[static_cast<std::size_t>(contact)];
  }
  void number(int first_constraint, int first_nonholonomic) override {
    first_gap_ = first_constraint;
    first_slip_ = first_nonholonomic;
  }
  std::string name_of_contact(int contact) const override;

  const CollisionGroup& group() const { return *search_.group(); }
  const std::string& group_name() const { return group().name; }
  int first_gap() const { return first_gap_; }
  int first_slip() const { return first_slip_; }
  /// The first is that of a ball, unless two lines meet; of the bodies, or of the parts whose lines
  /// they are.
  std::pair<std::string, std::string> names_of(int contact) const;
  const ContactLaw& law_of(int contact) const;
  double friction_of(int contact) const;
  double radius_of(int contact) const;  ///< of the first partner, of shapes the smaller one
  /// A number for the two partners, the same from step to step.
  std::uint64_t partners_of(int contact) const;
  /// A contact at a state, in space: on the surface of the ball, with the direction that pushes the
  /// ball and those along which it slides.
  struct ContactFrame {
    Vector3 point, normal;
    std::array<Vector3, 2> tangents;
  };
  ContactFrame frame_of(const State& s, int contact) const;

  bool has_passages() const override { return group().balls.size() > 1; }
  double passing_time(const State& s, double part) const override;
  void contact_laws(int joints, std::vector<ContactLaw>& laws) const override;
  void force(const State& s, Vector& F) const override;
  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override;
  void constraint(const State& s, Level level, Vector& g) const override;
  void constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const override;
  void constraint_velocity_tangent(const State& s, const Chart& c,
                                   SparseMatrix& along_q) const override;
  void constraint_acceleration_tangent(const State& s, const Chart& c, SparseMatrix& along_q,
                                       SparseMatrix& along_v) const override;
  void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                          SparseMatrix& along_psi) const override;
  void nonholonomic(const State& s, Level level, Vector& k) const override;
  void nonholonomic_tangent(const State& s, const Chart& c, Level level, SparseMatrix& along_q,
                            SparseMatrix& along_v) const override;
  void nonholonomic_jacobian(const State& s, const Chart& c, SparseMatrix& k_v) const override;

 private:
  /// A contact of two bodies at a state.
  struct Touch {
    double gap;
    Vector3 normal;
    Vector3 arm_i, arm_j;  ///< from the centres of mass to the contact, in space
    Vector3 axis;          ///< of the tangents
    Vector3 tangent(int which) const { return rows::tangent(normal, axis, which); }
  };

  int of_balls() const { return static_cast<int>(search_.list().size()); }
  /// Of two bodies each: balls and shapes.
  int of_pairs() const { return of_balls() + static_cast<int>(shapes_.list().size()); }
  const CloseBall& pair(int contact) const {
    return search_.list()[static_cast<std::size_t>(contact)];
  }
  bool is_of_shapes(int contact) const { return contact >= of_balls() && contact < of_pairs(); }
  const CloseFeatures& features(int contact) const {
    return shapes_.list()[static_cast<std::size_t>(contact - of_balls())];
  }
  const CloseLine& line_pair(int contact) const {
    return lines_.list()[static_cast<std::size_t>(contact - of_pairs())];
  }
  const CollisionPlane& plane_of(const CloseLine& c) const {
    return group().planes[static_cast<std::size_t>(c.plane)];
  }
  int slip_of(int contact) const { return first_slip_ + contact * slips_each(); }
  // of a contact of two bodies
  int body_i(int contact) const;
  int body_j(int contact) const;
  /// One of its bodies is a carried frame: CarriedView finds its numbers.
  bool is_carried(int contact) const {
    return bodies_.is_carried(body_i(contact)) || bodies_.is_carried(body_j(contact));
  }
  const Pose<double>& pose(int body) const { return (*poses_)[body]; }
  Places places(int contact) const;

  void load(const State& s) const;
  Touch touch(int contact) const;
  Touch touch_of_balls(int contact) const;
  /// Velocity of I relative to J at the contact.
  Vector3 velocity(int contact, const Touch& touch, const State& s) const;
  Row<double> row(int contact, const Touch& touch, const Vector3& along) const;

  Term gap_term(int contact) const;
  Term slip_term(int contact, int which) const;
  template <class Visit>
  void view_gap(PairView& pair, int contact, Visit&& visit) const;
  template <class Visit>
  void view_slips(PairView& pair, int contact, Visit&& visit) const;
  template <class Visit, class... Where>
  void for_each_gap(Visit&& visit, const Where&... where) const;
  template <class Visit, class... Where>
  void for_each_slip(Visit&& visit, const Where&... where) const;
  /// A view for each, with its number among gaps or slips.
  template <class Visit, class... Where>
  void for_each_line_gap(Visit&& visit, const State& s, const Where&... where) const;
  template <class Visit, class... Where>
  void for_each_line_slip(Visit&& visit, const State& s, const Where&... where) const;
  /// The same with multipliers in place of numbers.
  template <class Visit, class... Where>
  void for_each_line_reaction(Visit&& visit, const State& s, const Where&... where) const;

  const Bodies& bodies_;
  CollisionSearch search_;
  ShapeSearch shapes_;
  LineSearch lines_;
  std::vector<int> came_from_;
  double gravity_;
  int first_gap_ = 0, first_slip_ = 0;
  mutable const PoseTable* poses_ = nullptr;  ///< at the state of the present call
};

}  // namespace picus
