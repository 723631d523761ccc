// SPDX-License-Identifier: BSD-3-Clause
#include "bench/hybrid_problems.h"

#include <algorithm>
#include <cmath>

namespace picus::bench {
namespace {

class Bouncer : public HybridProblem {
 public:
  int states() const override { return 2; }
  int roots() const override { return 1; }
  void rate(const double* y, double* dy) const override {
    dy[0] = rests_ ? 0.0 : y[1];
    dy[1] = rests_ ? 0.0 : acceleration(y);
  }
  void root_functions(const double* y, double* g) const override { g[0] = rests_ ? 1.0 : gap(y); }
  void pass(int, double* y) override {
    y[1] *= -restitution_;
    const double pull = std::abs(acceleration(y));
    rests_ = pulls_back(y) && y[1] * y[1] < 2.0 * pull * tolerance_;
    if (rests_) y[1] = 0.0;
  }

 protected:
  Bouncer(double restitution, double tolerance)
      : restitution_(restitution), tolerance_(tolerance) {}
  virtual double acceleration(const double* y) const = 0;
  virtual double gap(const double* y) const = 0;
  virtual bool pulls_back(const double* y) const = 0;

 private:
  double restitution_, tolerance_;
  bool rests_ = false;
};

class HybridCoordinate final : public Bouncer {
 public:
  HybridCoordinate(const OneCoordinate& p, double tolerance)
      : Bouncer(p.restitution, tolerance), p_(p) {}
  void start(double* y) const override {
    y[0] = p_.position;
    y[1] = 0.0;
  }
  void note(double time, const double* y, studies::ImpactPath& path) const override {
    path.add(time, y, 1);
  }

 private:
  double acceleration(const double* y) const override {
    return (p_.force - p_.damping * y[1] - p_.stiffness * y[0]) / p_.mass;
  }
  double gap(const double* y) const override { return y[0]; }
  bool pulls_back(const double*) const override { return p_.force < 0.0; }

  OneCoordinate p_;
};

class HybridPendulum final : public Bouncer {
 public:
  HybridPendulum(const WallPendulum& p, double tolerance)
      : Bouncer(p.restitution, tolerance), p_(p) {}
  void start(double* y) const override {
    y[0] = p_.angle;
    y[1] = 0.0;
  }
  void note(double time, const double* y, studies::ImpactPath& path) const override {
    const double q[] = {p_.length * std::cos(y[0]), p_.length * std::sin(y[0]), y[0]};
    path.add(time, q, 3);
  }

 private:
  double acceleration(const double* y) const override {
    return p_.torque * std::cos(y[0]) / p_.inertia;
  }
  double gap(const double* y) const override { return p_.wall - y[0]; }
  bool pulls_back(const double* y) const override { return acceleration(y) > 0.0; }

  WallPendulum p_;
};

class HybridContacts final : public HybridProblem {
 public:
  explicit HybridContacts(const ThreeContacts& p) : modes_(p.system) {}
  int states() const override { return 6; }
  int roots() const override { return 9; }  // three for a contact that sticks
  void start(double* y) const override {
    Eigen::Map<Vector6> state(y);
    state = modes_.start().head<6>();
  }
  void rate(const double* y, double* dy) const override {
    const Eigen::Map<const Vector6> now(y);
    Eigen::Map<Vector6> rate(dy);
    rate.head<3>() = now.tail<3>();
    rate.tail<3>() =
        modes_.flow().acceleration.leftCols<6>() * now + modes_.flow().acceleration.col(6);
  }
  void root_functions(const double* y, double* g) const override {
    const auto& events = modes_.flow().events;
    std::fill(g, g + roots(), 1.0);
    for (std::size_t i = 0; i < events.size(); ++i)
      g[i] = events[i].row.head<6>().dot(Eigen::Map<const Vector6>(y)) + events[i].row(6);
  }
  void pass(int root, double* y) override {
    Eigen::Map<Vector6> state(y);
    studies::LinearState x;
    x << state, 1.0;
    modes_.pass(static_cast<std::size_t>(root), x);
    state = x.head<6>();
  }
  void note(double time, const double* y, studies::ImpactPath& path) const override {
    path.add(time, y, 3);
  }

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  studies::LinearContactModes modes_;
};

}  // namespace

std::unique_ptr<HybridProblem> make_hybrid(const OneCoordinate& problem, double tolerance) {
  return std::make_unique<HybridCoordinate>(problem, tolerance);
}
std::unique_ptr<HybridProblem> make_hybrid(const WallPendulum& problem, double tolerance) {
  return std::make_unique<HybridPendulum>(problem, tolerance);
}
std::unique_ptr<HybridProblem> make_hybrid(const ThreeContacts& problem, double) {
  return std::make_unique<HybridContacts>(problem);
}

}  // namespace picus::bench
