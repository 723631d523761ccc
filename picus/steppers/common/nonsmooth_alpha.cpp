// SPDX-License-Identifier: BSD-3-Clause
#include "picus/steppers/common/nonsmooth_alpha.h"

#include <cmath>

#include "picus/base/error.h"

namespace picus {
namespace {

// Times the velocity that accelerations give over a step: more is the work of an impact. Contacts
// at rest that act by impulses undo just as much.
constexpr double kJumpOverForces = 3.0;
// Slips below this part of the velocity that the normal impulse gives are none, or below what the
// tolerance leaves of them; and below this part of the velocities.
constexpr double kNoSlipOfPush = 1e-8, kLeftOfAlphaSlip = 10.0;
constexpr double kNoSlipOfMotion = 1e-10;
// Of limits that reactions add to, at best, and in tolerances of Newton's method.
constexpr double kAlphaLimitTolerance = 1e-10, kAlphaLimitError = 10.0;

}  // namespace

NonsmoothAlpha::NonsmoothAlpha(const NonsmoothAlphaOptions& options)
    : ThreeLevels(chung_hulbert_parameters(options.rho), options.common), alpha_options_(options) {
  if (!(options.r > 0.0)) throw InputError("option 'r': expected a positive number");
  if (!(options.residual_tolerance > 0.0 && options.residual_tolerance < 1.0))
    throw InputError("option 'residual_tolerance': expected a number between 0 and 1");
  if (!(options.force_scale >= 0.0))
    throw InputError("option 'force_scale': expected a force, or 0");
}

const Vector* NonsmoothAlpha::internal(std::string_view name) const {
  return name == "relative_impulse" ? &relative_impulse_ : ThreeLevels::internal(name);
}

StepImpulses NonsmoothAlpha::impulses() const {
  return {
      .normal = &impulse_, .tangential = &tangential_impulse_, .friction_limit = &limit_impulse_};
}

void NonsmoothAlpha::start_history(const State& state) {
  ThreeLevels::start_history(state);
  eta_.start(state.multiplier);
  chi_.start(state.nonholonomic_multiplier);
  impulse_ = relative_impulse_ = Vector::Zero(sizes_.constraints);
  gap_rate_before_ = star_position_ = star_velocity_ = impulse_;
  tangential_impulse_ = Vector::Zero(sizes_.nonholonomic);
  slip_before_ = star_slip_ = tangential_impulse_;
  zero_ = jump_ = diagonal_ = Vector::Zero(sizes_.velocities);
  has_impact_ = false;
  mass_ = Vector::Ones(sizes_.constraints);
  laws_.clear();
  for (int j = 0; j < sizes_.laws(); ++j) {
    laws_.push_back(system_->contact_law(j));
    if (j >= sizes_.contacts) laws_.back().friction = 1.0;
  }
  limit_ = limit_before_ = limit_impulse_ = Vector::Zero(sizes_.friction_elements);
  reads_reactions_ = system_->limits_read_reactions();
  reaction_limits_.emplace(std::max(kAlphaLimitTolerance, kAlphaLimitError * start_tolerance()));
  friction_.start(sizes_, laws_);
  linearized_.assign(laws_.size(), ContactState{});
  wanted_ = states_ = softened_ = linearized_;
  accepted_ = linearized_;
  guard_.start(laws_.size());
  if (alpha_options_.open_contacts == OpenContacts::kPaper) guard_.keep_smooth_motion();
  start_levels();
}

void NonsmoothAlpha::begin_step() {
  ThreeLevels::begin_step();
  if (!refining_start_) {
    eta_.begin(h_, alpha_, options_.adjustment);
    chi_.begin(h_, alpha_, options_.adjustment);
  }
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  const Vector &eta = eta_.at_begin(), &chi = chi_.at_begin();
  free_eta_ = (alpha_f * from_->multiplier - alpha_m * eta) / (1.0 - alpha_m);
  free_chi_ = (alpha_f * from_->nonholonomic_multiplier - alpha_m * chi) / (1.0 - alpha_m);
  // what the past contributes to ν*, Λ* and Ψ*, over dq and dv
  star_position_ = h_ * h_ * ((0.5 - beta) * eta + beta * free_eta_) / dq_;
  star_velocity_ = h_ * ((1.0 - gamma) * eta + gamma * free_eta_) / dv_;
  star_slip_ = h_ * ((1.0 - gamma) * chi + gamma * free_chi_) / dv_;
  guard_.begin_step();
  softness_ = kSoftness;
  if (laws_.empty() && alpha_options_.solution == StepSolution::kCoupled) return;
  system_->constraint_velocity(*from_, gap_rate_before_);
  if (sizes_.slips > 0) system_->nonholonomic(*from_, slip_before_);
  estimate_masses();
  see_limits();
}

void NonsmoothAlpha::see_limits() {
  if (sizes_.friction_elements == 0) return;
  system_->friction_limits(*from_, limit_before_);
  foreseen_ = *from_;
  if (reads_reactions_) {
    foreseen_.multiplier.setZero();
    system_->friction_limits(foreseen_, preload_);
    preload_ = 0.5 * preload_.cwiseMax(0.0);
    foreseen_.multiplier = from_->multiplier;
  }
  foreseen_.time += h_;
  foreseen_.velocity += h_ * from_->acceleration;
  foreseen_.control += h_ * from_->control_rate;
  zero_ = 0.5 * h_ * (from_->velocity + foreseen_.velocity);
  system_->retract(from_->position, zero_, foreseen_.position);
  zero_.setZero();
  system_->friction_limits(foreseen_, limit_);
  for (Vector* limits : {&limit_before_, &limit_})
    *limits = limits->cwiseMax(0.0);
  limit_impulse_ = 0.5 * h_ * (limit_before_ + limit_);
  if (!reads_reactions_) return;
  foreseen_.multiplier.setZero();
  system_->friction_limits(foreseen_, without_);
  without_ = without_.cwiseMax(0.0);
  preload_ += 0.5 * without_;
}

void NonsmoothAlpha::replace_residuals(const Vector& x, Vector& r) {
  decide(x, r);
  replace_slips(x, r);
  for (int row = 0; row < sizes_.constraints; ++row) {
    if (!is_active(kReaction, row)) part(r, kReaction)(row) = part(x, kReaction)(row);
    if (row < sizes_.joints()) continue;
    const int j = row - sizes_.joints();
    // (65f), (65i); in A both are equations of motion
    if (!is_active(kPositionLevel, row))
      part(r, kPositionLevel)(row) = part(x, kPositionLevel)(row) + past(kPositionLevel, x, row);
    if (is_active(kVelocityLevel, row)) {
      part(r, kVelocityLevel)(row) += law(j).restitution * gap_rate_before_(row) / dv_;  // (65h)
    } else {
      part(r, kVelocityLevel)(row) = part(x, kVelocityLevel)(row) + past(kVelocityLevel, x, row);
    }
  }
}

void NonsmoothAlpha::replace_slips(const Vector& x, Vector& r) {
  for (int j = 0; j < sizes_.laws(); ++j) {
    const SlipState& state = states_[static_cast<std::size_t>(j)].slip;
    const SlipEquations& equations = friction_.evaluate(j, state, slip_values(j, x, r));
    for (int i = 0; i < law(j).slips; ++i) {
      part(r, kRolling)(law(j).first_slip + i) = equations.smooth(i);
      part(r, kRollingLevel)(law(j).first_slip + i) = equations.velocity(i);
    }
  }
}

const SparseMatrix& NonsmoothAlpha::in_force(Part level, const SparseMatrix& rows) {
  if (is_plain()) return rows;
  SparseMatrix& kept = weighted_[{level, &rows}];
  if (level == kRolling || level == kRollingLevel) {
    friction_.weigh(
        level == kRolling ? FrictionRows::kRateOnSmoothMotion : FrictionRows::kSlipAtVelocityLevel,
        rows, kept);
    return kept;
  }
  kept.begin(rows.rows(), rows.cols());
  rows.for_each([&](int row, int col, double value) {
    kept.add(row, col, is_active(level, row) ? value : 0.0);
  });
  kept.end();
  return kept;
}

void NonsmoothAlpha::add_replaced_rows() {
  linearized_ = states_;
  guard_.remember(states_);
  if (is_plain()) return;
  for (const Part level : {kReaction, kPositionLevel, kVelocityLevel}) {
    fill_diagonal(level);
    matrix_.add(level, level, 1.0, diagonal_of_[level]);
  }
  if (alpha_options_.open_contacts == OpenContacts::kComplementary) {
    for (const Part level : {kPositionLevel, kVelocityLevel}) {
      fill_open(level);
      matrix_.add(level, kReaction, 1.0, open_[level]);
    }
  }
  if (sizes_.slips > 0) add_slip_rows();
  if (states_ == softened_) softness_ = std::max(0.1 * softness_, kLeastSoftness);
}

void NonsmoothAlpha::add_slip_rows() {
  const FrictionRows::Pieces& by = friction_.differentiate(softness());
  matrix_.add(kRolling, kRolling, 1.0, by.smooth_by_friction);
  matrix_.add(kRolling, kRollingLevel, 1.0, by.smooth_by_impulse);
  matrix_.add(kRolling, kReaction, 1.0, by.smooth_by_reaction);
  matrix_.add(kRollingLevel, kRolling, 1.0, by.velocity_by_friction);
  matrix_.add(kRollingLevel, kRollingLevel, 1.0, by.velocity_by_impulse);
  matrix_.add(kRollingLevel, kReaction, 1.0, by.velocity_by_reaction);
  matrix_.add(kRollingLevel, kVelocityLevel, 1.0, by.velocity_by_normal_impulse);
  friction_.weigh(FrictionRows::kSlipOnSmoothMotion, k_q_, turning_q_);
  friction_.weigh(FrictionRows::kSlipOnSmoothMotion, k_v_, turning_v_);
  add_through_motion(kRolling, 1.0 / dv_, &turning_q_, &turning_v_);
}

void NonsmoothAlpha::end_step(const Vector& x) {
  ThreeLevels::end_step(x);
  const auto [alpha_m, alpha_f, beta, gamma] = alpha_;
  const double gain = (1.0 - alpha_f) / (1.0 - alpha_m);
  eta_.at_end() = free_eta_ + gain * now_.multiplier;
  chi_.at_end() = free_chi_ + gain * now_.nonholonomic_multiplier;
  relative_impulse_ = dv_ * part(x, kVelocityLevel);
  jump_ = dv_ * part(x, kJump);
  has_impact_ = sees_jump();
  impulse_ = relative_impulse_ + h_ * (1.0 - gamma) * eta_.at_begin() +
             h_ * gamma * eta_.at_end();  // (65m)
  tangential_impulse_ = dv_ * part(x, kRollingLevel) + h_ * (1.0 - gamma) * chi_.at_begin() +
                        h_ * gamma * chi_.at_end();
}

bool NonsmoothAlpha::sees_jump() const {
  if (laws_.empty()) return false;
  double by_impulses = 0.0, by_forces = 0.0;
  for (int i = 0; i < sizes_.velocities; ++i) {
    const double fastest =
        std::max(std::abs(from_->acceleration(i)), std::abs(now_.acceleration(i)));
    by_impulses += diagonal_(i) * jump_(i) * jump_(i);
    by_forces += diagonal_(i) * fastest * fastest;
  }
  return by_impulses > kJumpOverForces * kJumpOverForces * h_ * h_ * by_forces;
}

// Friction that nothing determines may be at its limit where nothing slides: that is stick.
LawMode NonsmoothAlpha::mode_of(int j) const {
  const ContactState& state = states_[static_cast<std::size_t>(j)];
  const bool is_element = j >= sizes_.contacts;
  if (!is_element && state.level < kInB) return {};
  if (law(j).slips == 0 || law(j).friction == 0.0) return {ContactMode::kClosed, 0};
  const double slip = slip_after_.segment(law(j).first_slip, law(j).slips).norm();
  const int row = sizes_.joints() + j;
  const double push = is_element ? 0.0 : std::abs(impulse_(row)) / mass_(row);
  const double none = std::max(kNoSlipOfPush, kLeftOfAlphaSlip * start_tolerance());
  if (state.slip.velocity == Slip::kStick ||
      slip <= none * push + kNoSlipOfMotion * max_abs(now_.velocity))
    return {ContactMode::kStick, 0};
  const int side = state.slip.velocity == Slip::kForward    ? 1
                   : state.slip.velocity == Slip::kBackward ? -1
                                                            : 0;
  return {ContactMode::kSlip, side};
}

std::span<const LawMode> NonsmoothAlpha::law_modes() const {
  modes_.resize(laws_.size());
  if (sizes_.slips > 0) system_->nonholonomic(now_, slip_after_);
  for (int j = 0; j < sizes_.laws(); ++j)
    modes_[static_cast<std::size_t>(j)] = mode_of(j);
  return modes_;
}

void NonsmoothAlpha::accept_history() {
  ThreeLevels::accept_history();
  eta_.accept();
  chi_.accept();
  if (alpha_options_.restart == AlphaRestart::kAfterImpacts && has_impact()) {
    a_.start(now_.acceleration);
    eta_.start(now_.multiplier);
    chi_.start(now_.nonholonomic_multiplier);
  }
  for (int j = 0; j < sizes_.laws(); ++j)
    friction_.accept(j, states_[static_cast<std::size_t>(j)].slip);
  accepted_ = states_;
}

bool NonsmoothAlpha::has_impact() const {
  for (std::size_t j = 0; j < static_cast<std::size_t>(sizes_.contacts); ++j)
    if (states_[j].level >= kInB && accepted_[j].level < kInB) return true;
  return false;
}

void NonsmoothAlpha::find_limits(const Vector& x, Vector& follow) {
  const int n = sizes_.friction_elements, joints = sizes_.joints();
  follow.resize(2 * n);
  const auto limits_under = [&](const auto& reactions) {
    foreseen_.multiplier.head(joints) = reactions;
    system_->friction_limits(foreseen_, limits_);
    return limits_.cwiseMax(0.0);
  };
  follow.head(n) = limits_under(part(x, kReaction).head(joints));
  // Λ* = dv (Λ̂ + λ + what the past gives)
  follow.tail(n) =
      limits_under(dv_ / h_ *
                   (part(x, kVelocityLevel) + part(x, kReaction) + star_velocity_).head(joints)) -
      without_ + preload_;
}

NewtonReport NonsmoothAlpha::solve_equations(Vector& x) {
  NewtonReport report = solve_within_limits(x);
  if (!reads_reactions_) return report;
  const int n = sizes_.friction_elements;
  follow_.resize(2 * n);
  follow_ << limit_, limit_impulse_ / h_;
  for (reaction_limits_->start(follow_); report.ok(); report.follow_by(solve_within_limits(x))) {
    find_limits(x, follow_);
    if (reaction_limits_->take(follow_)) return report;
    if (reaction_limits_->is_spent()) {
      report.status = NewtonReport::Status::kTooManyIterations;
      return report;
    }
    limit_ = reaction_limits_->now().head(n);
    limit_impulse_ = h_ * reaction_limits_->now().tail(n);
    guard_.begin_step();
  }
  return report;
}

NewtonReport NonsmoothAlpha::solve_within_limits(Vector& x) {
  if (alpha_options_.solution == StepSolution::kDecoupled) return solve_decoupled(x);
  guess_ = x;
  NewtonReport report = ThreeLevels::solve_equations(x);
  while (!report.ok() && !laws_.empty() && guard_.escalate()) {
    forget_set();
    x = guess_;
    report.follow_by(ThreeLevels::solve_equations(x));
  }
  return report;
}

void NonsmoothAlpha::forget_set() {
  std::fill(linearized_.begin(), linearized_.end(), ContactState{});
}

bool NonsmoothAlpha::is_active(Part level, int row) const {
  if (row < sizes_.joints())
    return level != kReaction || alpha_options_.smooth_set != SmoothSet::kNone;
  const Activity activity = states_[static_cast<std::size_t>(row - sizes_.joints())].level;
  return activity >= (level == kPositionLevel ? kInA : level == kVelocityLevel ? kInB : kInS);
}

double NonsmoothAlpha::star(Part level, const Vector& x, int row) const {
  return (level == kPositionLevel ? star_position_ : star_velocity_)(row) + part(x, kReaction)(row);
}

double NonsmoothAlpha::past(Part level, const Vector& x, int row) const {
  return alpha_options_.open_contacts == OpenContacts::kPaper ? 0.0 : star(level, x, row);
}

SlipValues NonsmoothAlpha::normal_values(int j, const Vector& x, const Vector& r) const {
  if (const int element = j - sizes_.contacts; element >= 0) {
    const double whole = limit_impulse_(element) / dv_;
    return {.reaction = limit_(element),
            .past = whole - limit_(element),
            .impulse_test = whole,
            .reaction_test = limit_(element)};
  }
  const int row = sizes_.joints() + j;
  const double mass = alpha_options_.r * mass_(row);
  SlipValues values{.reaction = part(x, kReaction)(row),
                    .impulse = part(x, kVelocityLevel)(row),
                    .past = star_velocity_(row)};
  const double rate =
      part(r, kVelocityLevel)(row) + law(j).restitution * gap_rate_before_(row) / dv_;
  values.impulse_test = values.total() - mass * rate;
  values.reaction_test = values.reaction - mass * part(r, kReaction)(row);
  return values;
}

SlipValues NonsmoothAlpha::slip_values(int j, const Vector& x, const Vector& r) const {
  SlipValues values = normal_values(j, x, r);
  for (int i = 0; i < law(j).slips; ++i) {
    const int slip = law(j).first_slip + i;
    values.friction(i) = part(x, kRolling)(slip);
    values.friction_impulse(i) = part(x, kRollingLevel)(slip);
    values.friction_past(i) = star_slip_(slip);
    values.slip(i) =
        part(r, kRollingLevel)(slip) + law(j).tangential_restitution * slip_before_(slip) / dv_;
    values.slip_rate(i) = part(r, kRolling)(slip);
  }
  return values;
}

NonsmoothAlpha::ContactState NonsmoothAlpha::wanted(int j, const Vector& x, const Vector& r,
                                                    double blur) const {
  ContactState state{.level = level_of(j, x, r, blur), .slip = {}};
  if (state.level < kInB) return state;
  state.slip =
      friction_.wanted(j, slip_values(j, x, r), linearized_[static_cast<std::size_t>(j)].slip,
                       {.in_s = state.level == kInS,
                        .sticking = guard_.switching() == Switching::kSticking,
                        .blur = blur});
  return state;
}

NonsmoothAlpha::Activity NonsmoothAlpha::level_of(int j, const Vector& x, const Vector& r,
                                                  double blur) const {
  const bool may_be_smooth = alpha_options_.smooth_set == SmoothSet::kJointsAndContacts &&
                             guard_.switching() < Switching::kImpulsive;
  if (j >= sizes_.contacts) return may_be_smooth ? kInS : kInB;
  const int row = sizes_.joints() + j;
  const double mass = alpha_options_.r * mass_(row);
  const Activity now = linearized_[static_cast<std::size_t>(j)].level;
  const auto reaches = [&](Activity level, double test) {
    return test >= (now >= level ? -mass : mass) * blur;
  };
  if (!reaches(kInA, part(x, kPositionLevel)(row) + star(kPositionLevel, x, row) -
                         mass * part(r, kPositionLevel)(row)))
    return kOpen;
  const SlipValues values = normal_values(j, x, r);
  if (!reaches(kInB, values.impulse_test)) return kInA;
  return may_be_smooth && !leaves(j, blur) && reaches(kInS, values.reaction_test) ? kInS : kInB;
}

// Behind an impact with restitution a contact separates; accelerations that a restart begins with
// must not hold it.
bool NonsmoothAlpha::leaves(int j, double blur) const {
  return alpha_options_.restart == AlphaRestart::kAfterImpacts &&
         law(j).restitution * gap_rate_before_(sizes_.joints() + j) < -dv_ * blur;
}

void NonsmoothAlpha::decide(const Vector& x, const Vector& r) {
  wants_restart_ = false;
  if (laws_.empty() || set_is_frozen_) return;
  const double blur = rounding();
  for (int j = 0; j < sizes_.laws(); ++j)
    wanted_[static_cast<std::size_t>(j)] = wanted(j, x, r, blur);
  if (linearized_[0].level == kStale) {
    states_ = wanted_;
    return;
  }
  guard_.approach(linearized_, wanted_, states_);
  if (guard_.admits(linearized_, states_) || guard_.switching() == Switching::kHopeless) return;
  wants_restart_ = true;
  forget_set();
}

int NonsmoothAlpha::cycling_row() const {
  if (guard_.switching() != Switching::kHopeless) return -1;
  for (int j = 0; j < sizes_.laws(); ++j)
    if (states_[static_cast<std::size_t>(j)] != linearized_[static_cast<std::size_t>(j)])
      return j < sizes_.contacts ? matrix_.offset(kPositionLevel) + sizes_.joints() + j
                                 : matrix_.offset(kRollingLevel) + law(j).first_slip;
  return -1;
}

bool NonsmoothAlpha::soften() {
  if (laws_.empty() || softened_ == states_) return false;
  softened_ = states_;
  softness_ = kSoftness;
  return true;
}

// 1 / Σ G²/M: the mass that an equation sees, had M only its diagonal.
void NonsmoothAlpha::estimate_masses() {
  system_->constraint_jacobian(*from_, G_);
  if (!has_constant_mass_) system_->mass_matrix(*from_, M_);
  diagonal_.setZero(sizes_.velocities);
  M_.for_each([&](int row, int col, double value) {
    if (row == col) diagonal_(row) = value;
  });
  mass_.setZero();
  G_.for_each([&](int row, int col, double value) {
    if (diagonal_(col) > 0.0) mass_(row) += value * value / diagonal_(col);
  });
  for (double& mass : mass_)
    mass = mass > 0.0 ? 1.0 / mass : 1.0;
  if (sizes_.slips == 0) return;
  system_->nonholonomic_tangent(*from_, {from_->position, zero_}, k_q_, k_v_);
  friction_.see_masses(k_v_, diagonal_, alpha_options_.r);
}

// One for rows that state a force; closed contacts have a softness where their rows are dependent.
void NonsmoothAlpha::fill_diagonal(Part level) {
  SparseMatrix& diagonal = diagonal_of_[level];
  diagonal.begin(sizes_.constraints, sizes_.constraints);
  for (int row = 0; row < sizes_.constraints; ++row) {
    const double soft = row < sizes_.joints() ? 0.0 : softness() / mass_(row);
    diagonal.add(row, row, is_active(level, row) ? soft : 1.0);
  }
  diagonal.end();
}

void NonsmoothAlpha::fill_open(Part level) {
  SparseMatrix& open = open_[level];
  open.begin(sizes_.constraints, sizes_.constraints);
  for (int row = 0; row < sizes_.constraints; ++row)
    open.add(row, row, is_active(level, row) ? 0.0 : 1.0);
  open.end();
}

}  // namespace picus
