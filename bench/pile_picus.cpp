// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "bench/pile_engine.h"
#include "picus/dynamics/consistent_state.h"
#include "picus/simulation/controller.h"
#include "picus/solvers/contact_catalog.h"
#include "picus/steppers/nonsmooth_methods.h"

namespace picus::bench {
namespace {

class PicusPile final : public PileEngine {
 public:
  PicusPile(const problems::Pile& pile, double h, std::unique_ptr<Stepper> stepper,
            std::string name, std::string setting)
      : PileEngine(h),
        h_(h),
        control_(h),
        per_body_(pile.in_space ? 6 : 3),
        name_(std::move(name)),
        setting_(std::move(setting)),
        walls_(pile.walls()),
        mechanism_(pile.mechanism()),
        run_(mechanism_->system().for_run()),
        stepper_(std::move(stepper)),
        state_(mechanism_->initial_state()) {
    run_->find_contacts(state_, h_, change_);
    size_state(system(), state_);
    next_ = state_;
    stepper_->start(system(), state_);
  }

  std::string name() const override { return name_; }
  std::string setting() const override { return setting_; }

  double next_step() const override { return h_; }

  // As runs do it: a step whose contact problem is not solved is taken in parts.
  double attempt() override {
    const SystemSizes before = system().sizes();
    if (run_->find_contacts(state_, h_, change_)) {
      follow_contacts(before, system(), change_, state_);
      stepper_->follow_contacts(system(), state_, change_);
    }
    seen_ = state_;
    system().retract(state_.position, looks_ahead() * h_ * state_.velocity, seen_.position);
    stepper_->set_search_effort(control_.search_effort());
    const double h = h_;
    const Verdict verdict = control_.judge(stepper_->attempt(system(), state_, h, next_), h);
    if (verdict.action == Verdict::Action::kGiveUp) return -1.0;
    h_ = verdict.next_step;
    if (verdict.action != Verdict::Action::kAccept) {
      ++divided_;
      return 0.0;
    }
    stepper_->accept();
    std::swap(state_, next_);
    return h;
  }

  int divided() const override { return divided_; }

  double looks_ahead() const override { return 0.5; }
  Vector3 centre(int ball) const override { return pose(ball).r; }
  Vector3 velocity(int ball) const override { return twist(ball).head<3>(); }
  Vector3 turn(int ball) const override { return pose(ball).A * twist(ball).tail<3>(); }

  // Directions were those of `seen_`, and angular velocities have the axes of the bodies there.
  Vector3 turn_at_contacts(int ball) const override {
    return mechanism_->bodies().pose(ball + 1, seen_.position).A * twist(ball).tail<3>();
  }

  void contacts(std::vector<PileContact>& result) const override {
    const SystemSizes n = system().sizes();
    SparseMatrix G, k_v;
    system().constraint_jacobian(seen_, G);
    system().nonholonomic_jacobian(seen_, k_v);
    std::vector<std::vector<std::pair<int, double>>> gaps(static_cast<std::size_t>(n.contacts)),
        slips(static_cast<std::size_t>(n.slips));
    G.for_each([&](int row, int col, double x) {
      gaps[static_cast<std::size_t>(row)].emplace_back(col, x);
    });
    k_v.for_each([&](int row, int col, double x) {
      slips[static_cast<std::size_t>(row)].emplace_back(col, x);
    });
    const Vector &p = *stepper_->impulses().normal, &p_t = *stepper_->impulses().tangential;
    for (int i = 0; i < n.contacts; ++i) {
      if (p(i) == 0.0) continue;
      const ContactLaw law = system().contact_law(i);
      // the first body of a row is pushed along it: translations are `per_body_` apart
      const int body = first_body(gaps[static_cast<std::size_t>(i)]);
      PileContact c{body, -1, p(i) * along(gaps[static_cast<std::size_t>(i)], body)};
      for (int k = 0; k < law.slips; ++k)
        c.impulse += p_t(law.first_slip + k) *
                     along(slips[static_cast<std::size_t>(law.first_slip + k)], body);
      c.other = other_of(gaps[static_cast<std::size_t>(i)], body);
      result.push_back(c);
    }
  }

 private:
  using Entries = std::vector<std::pair<int, double>>;
  int first_body(const Entries& row) const { return row.front().first / per_body_; }
  Vector3 along(const Entries& row, int body) const {
    Vector3 n = Vector3::Zero();
    for (const auto& [col, x] : row)
      if (col / per_body_ == body && col % per_body_ < (per_body_ + 1) / 2) n(col % per_body_) = x;
    return n;
  }
  int other_of(const Entries& row, int body) const {
    for (const auto& entry : row)
      if (entry.first / per_body_ != body) return entry.first / per_body_;
    const Vector3 n = along(row, body);
    int best = 0;
    for (std::size_t k = 0; k < walls_.size(); ++k)
      if (walls_[k].second.dot(n) > 0.9) best = static_cast<int>(k);
    return -1 - best;
  }
  const System& system() const { return *run_; }
  Pose<double> pose(int ball) const { return mechanism_->bodies().pose(ball + 1, state_.position); }
  SmallVector<double, 6> twist(int ball) const {
    return mechanism_->bodies().twist(ball + 1, state_.velocity);
  }

  double h_;  ///< of the next attempt
  FixedStep control_;
  int divided_ = 0;
  int per_body_;  ///< velocities
  std::string name_, setting_;
  std::vector<std::pair<Vector3, Vector3>> walls_;
  std::unique_ptr<Mechanism> mechanism_;
  std::unique_ptr<System> run_;
  std::unique_ptr<Stepper> stepper_;
  ContactChange change_;
  State state_, next_;
  State seen_;  ///< where the contacts of the last step were looked at
};

MoreauJeanOptions stepper_options(bool projected) {
  MoreauJeanOptions options;
  options.directions = ContactDirections::kExplicit;
  if (projected) options.positions = PositionCorrection::kProjected;
  return options;
}

}  // namespace

std::unique_ptr<PileEngine> make_picus_pile(const problems::Pile& pile, double h,
                                            const std::string& solver, double tolerance,
                                            bool projected) {
  return std::make_unique<PicusPile>(
      pile, h,
      make_moreau_jean(
          stepper_options(projected),
          make_contact_solver(solver, {{"tolerance", fmt::format("{:g}", tolerance)}})),
      projected ? "Picus, projected" : "Picus", fmt::format("{}, {:g}", solver, tolerance));
}

std::unique_ptr<PileEngine> make_siconos_pile(const problems::Pile& pile, double h,
                                              double tolerance) {
  auto solver = make_siconos_nsgs(tolerance);
  if (solver == nullptr) return nullptr;
  return std::make_unique<PicusPile>(pile, h,
                                     make_moreau_jean(stepper_options(false), std::move(solver)),
                                     "Siconos NSGS in Picus", fmt::format("{:g}", tolerance));
}

}  // namespace picus::bench
