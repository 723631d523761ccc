// SPDX-License-Identifier: BSD-3-Clause
#include "picus/solvers/pivoting_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "picus/solvers/contact_cone.h"

namespace picus {
namespace {

constexpr std::size_t kUpdates = 50;  // before new factors
constexpr double kTurnedAway = 1.2;   // t from which a path counts as lost
constexpr double kNoPivot = 1e-12;    // relative to 1
constexpr int kCorrections = 10;      // at the end of a path
constexpr double kClose = 1e-3;       // of F that may be left there
const Vector3 kNormal = Vector3::UnitX();
constexpr LawMode kForward{ContactMode::kSlip, 1};

double mean_diagonal(const ContactProblem& problem, int contact) {
  return problem.W.diagonal(contact).trace() / 3.0;
}

// The least s ≥ 0 at which ‖x + s dx‖ grows beyond f + s df, for x inside or, by rounding, just
// outside; infinite when it never does.
double way_out_of_disc(const Vector2& x, const Vector2& dx, double f, double df) {
  // a s² + 2 b s + c = 0
  const double a = dx.squaredNorm() - df * df;
  const double b = x.dot(dx) - f * df;
  const double c = std::min(0.0, x.squaredNorm() - f * f);
  // a disc that shrinks to a point is left at that point at the latest, whatever rounding says
  const double root = df < 0.0 ? std::max(0.0, b * b - a * c) : b * b - a * c;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  if (root < 0.0) return kNever;
  if (b > 0.0) return -c / (b + std::sqrt(root));
  return a > 0.0 ? (std::sqrt(root) - b) / a : kNever;
}

}  // namespace

void PivotingPath::prepare(const ContactProblem& problem) {
  const auto count = static_cast<std::size_t>(problem.contacts());
  matrix_.trust();
  matrix_.prepare(problem.W);
  contacts_.resize(count);
  A_.resize(count);
  B_.resize(count);
  updates_.resize(kUpdates);
  for (int i = 0; i < problem.contacts(); ++i) {
    const ImpulseLaw& law = problem.law(i);
    Contact& contact = contacts_[static_cast<std::size_t>(i)];
    contact.inertia = contact_inertia(problem, i);
    contact.has_normal = law.kind == ContactKind::kContact;
    contact.has_friction = law.coefficient > 0.0;
    contact.slope = contact.has_normal ? law.coefficient : 0.0;
    contact.limit = contact.has_normal ? 0.0 : law.coefficient;
  }
}

void PivotingPath::begin(const ContactProblem& problem, const Vector& p, double epsilon) {
  epsilon_ = epsilon;
  anchor_ = p;
  x_.resize(p.size());
  for (int i = 0; i < problem.contacts(); ++i)
    x_.segment<3>(3 * i) = p.segment<3>(3 * i) -
                           contacts_[static_cast<std::size_t>(i)].inertia * problem.velocity(i, p);
  choose_pieces(problem);
  impulses_here(p_);
  evaluate(problem, p_);
  start_ = F_;
  miss_ = F_.norm();
  t_ = 1.0;
  direction_ = -1.0;
  stops_ = 0;
}

void PivotingPath::choose_pieces(const ContactProblem& problem) {
  for (int i = 0; i < problem.contacts(); ++i) {
    Contact& contact = contacts_[static_cast<std::size_t>(i)];
    const double x_n = x_(3 * i);
    const Vector2 x_t = x_.segment<2>(3 * i + 1);
    const double length = x_t.norm();
    contact.along = length > 0.0 ? Vector2(x_t / length) : Vector2::UnitX();
    if (contact.has_normal && x_n <= 0.0) {
      contact.mode = {ContactMode::kOpen};
      contact.across = 0.0;
    } else if (!contact.has_friction || length > contact.friction(x_n)) {
      contact.mode = kForward;
      contact.across = length > 0.0 ? contact.friction(x_n) / length : 0.0;
    } else {
      contact.mode = {ContactMode::kStick};
      contact.across = 1.0;
    }
  }
}

// The true P.
Vector3 PivotingPath::project(const Contact& contact, const Vector3& x) const {
  if (contact.has_normal && x(0) <= 0.0) return Vector3::Zero();
  Vector3 p(contact.has_normal ? x(0) : 0.0, 0.0, 0.0);
  p.tail<2>() = project_on_disc(x.tail<2>(), contact.friction(x(0)));
  return p;
}

// P of the piece.
Vector3 PivotingPath::linear(const Contact& contact, const Vector3& x) const {
  const Vector3 d = contact.d(), e = contact.e();
  Vector3 p = contact.across * e.dot(x) * e;
  if (contact.mode.mode == ContactMode::kOpen) return p;
  if (contact.has_normal) p(0) = x(0);
  if (contact.mode.mode == ContactMode::kStick) return p + d.dot(x) * d;
  return p + contact.mode.side * contact.friction(x(0)) * d;
}

Matrix3 PivotingPath::derivative(const Contact& contact) const {
  const Vector3 d = contact.d(), e = contact.e();
  Matrix3 D = contact.across * e * e.transpose();
  if (contact.mode.mode == ContactMode::kOpen) return D;
  if (contact.has_normal) D(0, 0) = 1.0;
  if (contact.mode.mode == ContactMode::kStick) return D + d * d.transpose();
  D.col(0) += contact.mode.side * contact.slope * d;
  return D;
}

// F at x, where P(x) = p.
void PivotingPath::evaluate(const ContactProblem& problem, const Vector& p) {
  F_.resize(p.size());
  problem.W.multiply(p, F_);
  F_ += problem.b;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Vector3 p_i = p.segment<3>(3 * i);
    F_.segment<3>(3 * i) +=
        epsilon_ * mean_diagonal(problem, i) * (p_i - anchor_.segment<3>(3 * i)) -
        (p_i - x_.segment<3>(3 * i)) / contacts_[static_cast<std::size_t>(i)].inertia;
  }
}

// dF/dx = (W + ε D) P' + (1 − P')/ρ; its transpose is what NewtonMatrix factorises.
bool PivotingPath::factorize(const ContactProblem& problem) {
  used_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    B_[i] = derivative(contacts_[i]).transpose();
    A_[i] = (Matrix3::Identity() - B_[i]) / contacts_[i].inertia;
  }
  return matrix_.factorize(problem.W, A_, B_, epsilon_);
}

void PivotingPath::solve(Vector& x) const {
  matrix_.solve_transposed(x);
  for (std::size_t k = 0; k < used_; ++k) {
    const Update& update = updates_[k];
    const double part = update.v.dot(x.segment<3>(3 * update.contact)) / update.pivot;
    if (part != 0.0) x -= part * update.w;
  }
}

// New factors, and what has added up in x by rounding is taken out.
bool PivotingPath::start_anew(const ContactProblem& problem) {
  if (!factorize(problem)) return false;
  for (int i = 0; i < problem.contacts(); ++i)
    p_.segment<3>(3 * i) = linear(contacts_[static_cast<std::size_t>(i)], x_.segment<3>(3 * i));
  evaluate(problem, p_);
  correction_ = F_ - t_ * start_;
  solve(correction_);
  x_ -= correction_;
  rate_ = start_;
  solve(rate_);
  return true;
}

void PivotingPath::follow(const ContactProblem& problem, int most) {
  pivots_ = 0;
  if (!factorize(problem)) return;
  rate_ = start_;
  solve(rate_);
  while (pivots_ < most) {
    const Face face = next_face(direction_);
    if (direction_ < 0.0 && face.way >= t_) {
      go(t_, direction_);
      return;
    }
    if (face.contact < 0) return;
    go(face.way, direction_);
    if (!(t_ < kTurnedAway) || !cross(problem, face)) return;
    ++pivots_;
    if (used_ == kUpdates && !start_anew(problem)) return;
  }
}

// Along the path inside the present pieces; notes the stops that are passed.
void PivotingPath::go(double way, double direction) {
  const double end = direction < 0.0 && way >= t_ ? 0.0 : t_ + direction * way;
  while (stops_ < kStops.size() && end <= kStops[stops_]) {
    at_stops_[stops_] = x_ + (kStops[stops_] - t_) * rate_;
    ++stops_;
  }
  x_ += (end - t_) * rate_;
  t_ = end;
}

// Newton's method with old factors from the end of the path, where the true P is not that of the
// pieces: the law bends where the direction of sliding turns.
void PivotingPath::straighten(const ContactProblem& problem) {
  Vector& end = at_stops_.back();
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kCorrections; ++k) {
    const double miss = impulses_at(problem, kStops.size() - 1, p_);
    if (miss <= kClose * miss_ || !(miss < before)) {
      if (k > 0 && !(miss < before)) end = best_;
      return;
    }
    before = miss;
    best_ = end;
    correction_ = F_;
    solve(correction_);
    end -= correction_;
  }
}

PivotingPath::Face PivotingPath::next_face(double direction) const {
  Face nearest{std::numeric_limits<double>::infinity(), -1, {}};
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const auto at = static_cast<Eigen::Index>(3 * i);
    const double x_n = x_(at), dx_n = direction * rate_(at);
    const double x_d = contact.along.dot(x_.segment<2>(at + 1));
    const double dx_d = direction * contact.along.dot(rate_.segment<2>(at + 1));
    // `room` inside the piece, positive, and its rate
    const auto test = [&](double room, double rate, LawMode to) {
      if (!(rate < 0.0)) return;
      const double way = std::max(0.0, room) / -rate;
      if (way < nearest.way) nearest = {way, static_cast<int>(i), to};
    };
    const double f = contact.friction(x_n), df = contact.slope * dx_n;
    switch (contact.mode.mode) {
      case ContactMode::kOpen:
        test(-x_n, -dx_n, kForward);
        break;
      case ContactMode::kStick: {
        const Vector2 x_t = x_.segment<2>(at + 1), dx_t = direction * rate_.segment<2>(at + 1);
        const double way = way_out_of_disc(x_t, dx_t, f, df);
        if (way < nearest.way) nearest = {way, static_cast<int>(i), kForward};
        break;
      }
      case ContactMode::kSlip:
        if (contact.has_normal) test(x_n, dx_n, {ContactMode::kOpen});
        if (!contact.has_friction) break;
        test(contact.mode.side * x_d - f, contact.mode.side * dx_d - df, {ContactMode::kStick});
        break;
      case ContactMode::kClosed:  // does not occur: contacts without friction slip
        break;
    }
  }
  return nearest;
}

// P' changes by `column` times vᵀ. False when the matrix becomes singular.
bool PivotingPath::cross(const ContactProblem& problem, const Face& face) {
  Contact& contact = contacts_[static_cast<std::size_t>(face.contact)];
  const int at = 3 * face.contact;
  const LawMode from = contact.mode;
  contact.mode = face.to;
  const Vector2 x_t = x_.segment<2>(at + 1);
  if (from.mode == ContactMode::kOpen) {  // the side is known only here
    contact.mode.side = contact.along.dot(x_t) > 0.0 ? 1 : -1;
  } else if (from.mode == ContactMode::kStick) {  // and so is the direction
    const double length = x_t.norm();
    if (length > 0.0) contact.along = x_t / length;
  }
  Update& update = updates_[used_];
  Vector3 column = contact.d();
  if (from.mode == ContactMode::kOpen) {
    update.v = kNormal;
    column = kNormal + contact.mode.side * contact.slope * contact.d();
  } else if (contact.mode.mode == ContactMode::kOpen) {
    update.v = kNormal;
    column = -(kNormal + from.side * contact.slope * contact.d());
  } else if (from.mode == ContactMode::kStick) {
    update.v = contact.mode.side * contact.slope * kNormal - contact.d();
  } else {
    update.v = contact.d() - from.side * contact.slope * kNormal;
  }
  update.contact = face.contact;
  update.w.setZero(x_.size());
  const BlockMatrix3::Row row = problem.W.row(face.contact);
  for (std::size_t k = 0; k < row.columns.size(); ++k)
    update.w.segment<3>(3 * row.columns[k]) = row.values[k].transpose() * column;
  update.w.segment<3>(at) +=
      (epsilon_ * mean_diagonal(problem, face.contact) - 1.0 / contact.inertia) * column;
  solve(update.w);
  update.pivot = 1.0 + update.v.dot(update.w.segment<3>(at));
  if (!(std::abs(update.pivot) > kNoPivot)) return false;
  if (update.pivot < 0.0) direction_ = -direction_;
  rate_ -= update.v.dot(rate_.segment<3>(at)) / update.pivot * update.w;
  ++used_;
  return true;
}

void PivotingPath::impulses_here(Vector& p) const {
  p.resize(x_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    p.segment<3>(at) = project(contacts_[i], x_.segment<3>(at));
  }
}

double PivotingPath::impulses_at(const ContactProblem& problem, std::size_t stop, Vector& p) {
  x_ = at_stops_[stop];
  impulses_here(p);
  evaluate(problem, p);
  return F_.norm();
}

}  // namespace picus
