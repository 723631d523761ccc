// SPDX-License-Identifier: BSD-3-Clause
// Contact as a linear complementarity problem [StewartTrinkle1996]: the disc of friction becomes a
// polygon with corners along directions d_k, p_t = Σ β_k d_k, and
//
//     0 ≤ u_n            ⊥  p_n ≥ 0
//     0 ≤ d_k·u_t + λ    ⊥  β_k ≥ 0
//     0 ≤ μ p_n − Σ β_k  ⊥  λ ≥ 0        (limit in place of μ p_n for kFriction).
//
// In the plane two directions are exact. In space the polygons are turned until a corner
// points against the sliding velocity, or along the friction of what sticks; where this settles,
// the disc itself is satisfied.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "picus/solvers/contact_cone.h"
#include "picus/solvers/contact_iteration.h"
#include "picus/solvers/contact_solver.h"
#include "picus/solvers/lcp.h"

namespace picus {
namespace {

constexpr int kPaths = 8;

class Lemke final : public ContactSolver {
 public:
  explicit Lemke(const LemkeOptions& options) : options_(options) {}

  ContactReport solve(const ContactProblem& problem, Vector& p) override {
    ContactReport report = begin_contact_solve(problem, p, options_.tolerance);
    if (report.status != ContactReport::Status::kIterationLimit) return report;
    number_unknowns(problem);
    progress_.start(p, report.residual);
    p_.setZero(p.size());
    double last = 0.0;
    for (int turn = 0; turn <= options_.turns; ++turn) {
      place_directions(problem);
      fill(problem);
      if (!follow_paths(problem, report)) break;
      const double residual = contact_residual(problem, p_);
      progress_.offer(p_, residual);
      if (residual <= options_.tolerance || residual == last || !has_polygons_) break;
      last = residual;
    }
    p = progress_.impulse();
    report.residual = progress_.best();
    if (report.residual <= options_.tolerance) report.status = ContactReport::Status::kConverged;
    return report;
  }

 private:
  // With W positive semidefinite and b a velocity of the bodies no ray exists [StewartTrinkle1996];
  // one that proves nothing comes from rounding, and another path avoids it.
  bool follow_paths(const ContactProblem& problem, ContactReport& report) {
    cover_.setOnes(q_.size());
    for (int path = 0; path < kPaths; ++path) {
      const auto ending = method_.solve(M_, q_, cover_, options_.max_iterations);
      report.iterations += method_.pivots();
      if (ending == LemkeMethod::Ending::kPivotLimit) return false;
      read_impulses();
      if (ending == LemkeMethod::Ending::kSolution) return true;
      if (proves_no_solution(problem, p_)) {
        report.status = ContactReport::Status::kNoSolution;
        return false;
      }
      for (int i = 0; i < cover_.size(); ++i)  // weights in [1, 2) that repeat at no distance
        cover_(i) = 1.0 + std::fmod((i + 1) * (path + 1) * std::numbers::phi, 1.0);
    }
    return false;
  }

  /// The unknowns of a contact: p_n, β of `count` directions and λ lie one after another.
  struct Unknowns {
    int first = 0;
    int normals = 0;     ///< 1 for kContact
    int directions = 0;  ///< 0 without friction
    int corner(int k) const { return first + normals + k; }
    int speed() const { return first + normals + directions; }
    int end() const { return speed() + (directions > 0 ? 1 : 0); }
  };

  /// One unknown that is an impulse: which contact, along what.
  struct Column {
    int contact, unknown;
    Vector3 direction;
  };

  static bool moves(const ContactProblem& problem, int contact, int tangent) {
    return problem.W.diagonal(contact)(tangent, tangent) > 0.0 ||
           problem.b(3 * contact + tangent) != 0.0;
  }

  void number_unknowns(const ContactProblem& problem) {
    unknowns_.resize(static_cast<std::size_t>(problem.contacts()));
    scale_.resize(static_cast<std::size_t>(problem.contacts()));
    int next = 0;
    has_polygons_ = false;
    for (int i = 0; i < problem.contacts(); ++i) {
      const ImpulseLaw& law = problem.law(i);
      Unknowns& mine = unknowns_[static_cast<std::size_t>(i)];
      mine = {next, law.kind == ContactKind::kContact ? 1 : 0, 0};
      if (law.coefficient > 0.0) {
        const int tangents = (moves(problem, i, 1) ? 1 : 0) + (moves(problem, i, 2) ? 1 : 0);
        mine.directions = tangents == 2 ? options_.directions : 2 * tangents;
        has_polygons_ = has_polygons_ || tangents == 2;
      }
      next = mine.end();
      // impulses and velocities of all contacts get the size one
      scale_[static_cast<std::size_t>(i)] = std::sqrt(contact_inertia(problem, i));
    }
    M_.resize(next, next);
    q_.resize(next);
    unit_ = max_abs(problem.b);
  }

  // The direction of p_t − u_t/W_tt: that of friction if it sticks. If it slides, at a solution
  // that against sliding; on the way there the mean of both, because turning against the last
  // velocity at once overshoots where friction changes it much.
  double first_angle(const ContactProblem& problem, int i) const {
    if (!moves(problem, i, 1)) return 0.5 * std::numbers::pi;
    if (!moves(problem, i, 2)) return 0.0;
    const Matrix3& W = problem.W.diagonal(i);
    const Vector3 x = std::max(W(1, 1), W(2, 2)) * p_.segment<3>(3 * i) - problem.velocity(i, p_);
    return std::atan2(x(2), x(1));
  }

  // The directions of all impulses; polygons follow the last solution.
  void place_directions(const ContactProblem& problem) {
    columns_.clear();
    for (int i = 0; i < problem.contacts(); ++i) {
      const Unknowns& mine = unknowns_[static_cast<std::size_t>(i)];
      if (mine.normals == 1) columns_.push_back({i, mine.first, Vector3::UnitX()});
      const double start = mine.directions > 0 ? first_angle(problem, i) : 0.0;
      for (int k = 0; k < mine.directions; ++k) {
        const double angle = start + 2.0 * std::numbers::pi * k / mine.directions;
        columns_.push_back({i, mine.corner(k), Vector3(0.0, std::cos(angle), std::sin(angle))});
      }
    }
  }

  void fill(const ContactProblem& problem) {
    M_.setZero();
    q_.setZero();
    for (const Column& row : columns_) {
      const double size = scale_[static_cast<std::size_t>(row.contact)];
      q_(row.unknown) = size * row.direction.dot(problem.b.segment<3>(3 * row.contact)) / unit_;
      const BlockMatrix3::Row blocks = problem.W.row(row.contact);
      for (const Column& col : columns_) {
        const auto found =
            std::lower_bound(blocks.columns.begin(), blocks.columns.end(), col.contact);
        if (found == blocks.columns.end() || *found != col.contact) continue;
        const Matrix3& W = blocks.values[static_cast<std::size_t>(found - blocks.columns.begin())];
        M_(row.unknown, col.unknown) = size * scale_[static_cast<std::size_t>(col.contact)] *
                                       row.direction.dot(W * col.direction);
      }
    }
    for (int i = 0; i < problem.contacts(); ++i) {
      const Unknowns& mine = unknowns_[static_cast<std::size_t>(i)];
      if (mine.directions == 0) continue;
      for (int k = 0; k < mine.directions; ++k) {
        M_(mine.corner(k), mine.speed()) = 1.0;
        M_(mine.speed(), mine.corner(k)) = -1.0;
      }
      if (mine.normals == 1) {
        M_(mine.speed(), mine.first) = problem.law(i).coefficient;
      } else {
        q_(mine.speed()) =
            problem.law(i).coefficient / (scale_[static_cast<std::size_t>(i)] * unit_);
      }
    }
  }

  void read_impulses() {
    p_.setZero();
    for (const Column& column : columns_)
      p_.segment<3>(3 * column.contact) +=
          (method_.z()(column.unknown) * unit_ * scale_[static_cast<std::size_t>(column.contact)]) *
          column.direction;
  }

  LemkeOptions options_;
  LemkeMethod method_;
  ContactProgress progress_;
  std::vector<Unknowns> unknowns_;
  std::vector<double> scale_;
  std::vector<Column> columns_;
  bool has_polygons_ = false;
  double unit_ = 1.0;  ///< of velocities
  Matrix M_;
  Vector q_, p_, cover_;
};

}  // namespace

std::unique_ptr<ContactSolver> make_lemke(const LemkeOptions& options) {
  check_contact_options(options.tolerance, options.max_iterations);
  if (options.directions < 4 || options.directions % 2 != 0)
    throw InputError("directions: expected an even number of at least 4");
  if (options.turns < 0) throw InputError("turns: expected at least 0");
  return std::make_unique<Lemke>(options);
}

}  // namespace picus
