// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All parts of one kind, seen by the system through one virtual call per batch (batch.h).

#include <span>
#include <vector>

#include "picus/dynamics/moving_parts.h"

namespace picus {

template <class E>
class BatchOf final : public MovingParts<E> {
  using MovingParts<E>::parts_;
  using Forces = Batch::Forces;
  using Level = Batch::Level;
  using Kernel = EquationKernel<E>;
  using Sizes = EquationSizes<E>;
  using Point = typename Kernel::Point;
  static constexpr int kV = Kernel::kV, kC = Kernel::kC, kN = Kernel::kN, kX = Kernel::kX;

 public:
  bool has_linear_reactions() const override { return !Sizes::kReactionsInForce; }
  bool is_linear() const override { return Sizes::kLinear; }
  bool has_constant_mass() const override {
    return Sizes::kLinear || !requires(const E& e, const Arguments<E, double>& a) {
      e.mass(a);
    };
  }

  void renumber_controls(std::span<const int> place) override {
    for (Placed<E>& part : parts_)
      for (int& control : part.controls)
        control = place[static_cast<std::size_t>(control)];
  }

  void renumber_rows(std::span<const int> constraints, std::span<const int> rows) override {
    for (Placed<E>& part : parts_) {
      for (int& row : part.constraints)
        row = constraints[static_cast<std::size_t>(row)];
      for (int& row : part.nonholonomic)
        row = rows[static_cast<std::size_t>(row)];
    }
  }

  void contact_laws(int joints, std::vector<ContactLaw>& laws) const override {
    if constexpr (Sizes::kContacts > 0) {
      constexpr int kOfContacts = Sizes::kSlips - Sizes::kFrictionSlips;
      constexpr int kEach = kOfContacts / Sizes::kContacts;
      static_assert(kEach * Sizes::kContacts == kOfContacts && kEach <= 2);
      for (const Placed<E>& part : parts_) {
        for (int i = 0; i < Sizes::kContacts; ++i) {
          ContactLaw law;
          if constexpr (requires { part.equations.law(i); }) law = part.equations.law(i);
          law.slips = kEach;
          if constexpr (kEach > 0)
            law.first_slip =
                part.nonholonomic[static_cast<std::size_t>(Sizes::kRollings + kEach * i)];
          const int row = part.constraints[static_cast<std::size_t>(Sizes::kJoints + i)];
          laws[static_cast<std::size_t>(row - joints)] = law;
        }
      }
    }
  }

  void friction_laws(std::vector<ContactLaw>& laws) const override {
    if constexpr (Sizes::kFrictionElements > 0) {
      constexpr int kEach = Sizes::kFrictionSlips / Sizes::kFrictionElements;
      constexpr int kFirst = Sizes::kNonholonomic - Sizes::kFrictionSlips;
      static_assert(kEach * Sizes::kFrictionElements == Sizes::kFrictionSlips && kEach <= 2);
      for (const Placed<E>& part : parts_)
        for (int i = 0; i < Sizes::kFrictionElements; ++i)
          laws.push_back(
              {.first_slip = part.nonholonomic[static_cast<std::size_t>(kFirst + kEach * i)],
               .slips = kEach});
    }
  }

  int friction_limits(const State& s, int first, Vector& limits) const override {
    if constexpr (Sizes::kFrictionElements > 0) {
      for (const Placed<E>& part : parts_)
        for (int i = 0; i < Sizes::kFrictionElements; ++i)
          limits(first++) = part.equations.friction_limit(i, arguments(part, s));
    }
    return first;
  }

  int friction_limit_tangent(const State&, int first, SparseMatrix&) const override {
    return first + Sizes::kFrictionElements * static_cast<int>(parts_.size());
  }

  int reaction_limits(int first, std::vector<int>&) const override {
    return first + Sizes::kFrictionElements * static_cast<int>(parts_.size());
  }

  void mass(const State& s, SparseMatrix& M) const override {
    if constexpr (requires(const E& e, const Arguments<E, double>& a) { e.mass(a); }) {
      for (const Placed<E>& part : parts_)
        M.add_block(part.velocities, part.velocities,
                    SmallMatrix<double, kV, kV>(part.equations.mass(arguments(part, s))));
    }
  }

  void force(const State& s, Vector& F) const override {
    for (const Placed<E>& part : parts_) {
      Arguments<E, double> args = arguments(part, s);
      args.a.setZero();
      const auto r = Kernel::momentum_residual(part.equations, args, Kernel::Forces::kAll);
      for (std::size_t i = 0; i < kV; ++i)
        F(part.velocities[i]) -= r(static_cast<int>(i));
    }
  }

  void momentum_tangent(const State& s, const Chart& c, Forces forces, SparseMatrix& K,
                        SparseMatrix& D) const override {
    const auto which =
        forces == Forces::kAll ? Kernel::Forces::kAll : Kernel::Forces::kReactionsOnly;
    typename Kernel::Square local_K, local_D;
    for (const Placed<E>& part : parts_) {
      Kernel::momentum_tangent(part.equations, point(part, s, c), which, local_K, local_D);
      K.add_block(part.velocities, part.velocities, local_K);
      D.add_block(part.velocities, part.velocities, local_D);
    }
  }

  void constraint(const State& s, Level level, Vector& g) const override {
    if constexpr (kC > 0) {
      for (const Placed<E>& part : parts_) {
        const Arguments<E, double> args = arguments(part, s);
        if (level == Level::kPosition) {
          scatter(Kernel::constraint(part.equations, args), part.constraints, g);
        } else if (level == Level::kVelocity) {
          scatter(Kernel::constraint_rate(part.equations, args), part.constraints, g);
        } else {
          scatter(Kernel::constraint_acceleration(part.equations, args), part.constraints, g);
        }
      }
    }
  }

  void constraint_tangent(const State& s, const Chart& c, SparseMatrix& G) const override {
    if constexpr (kC > 0) {
      using T = Dual<kV>;
      for (const Placed<E>& part : parts_) {
        const auto args = Kernel::template at_increment<T>(point(part, s, c));
        const SmallVector<T, kC> g = Kernel::constraint(part.equations, args);
        G.add_block(part.constraints, part.velocities, Kernel::template columns<kV>(g, 0));
      }
    }
  }

  void constraint_velocity_tangent(const State& s, const Chart& c,
                                   SparseMatrix& along_q) const override {
    if constexpr (kC > 0) {
      using T = Dual<kV>;
      for (const Placed<E>& part : parts_) {
        const auto args = Kernel::template at_increment<T>(point(part, s, c));
        const auto rate = Kernel::constraint_rate(part.equations, args);
        along_q.add_block(part.constraints, part.velocities, Kernel::template columns<kV>(rate, 0));
      }
    }
  }

  void constraint_acceleration_tangent(const State& s, const Chart& c, SparseMatrix& along_q,
                                       SparseMatrix& along_v) const override {
    if constexpr (kC > 0) {
      using T = Dual<2 * kV>;
      for (const Placed<E>& part : parts_) {
        const auto args = Kernel::template at_increment_and_velocity<T>(point(part, s, c));
        const auto acc = Kernel::constraint_acceleration(part.equations, args);
        along_q.add_block(part.constraints, part.velocities, Kernel::template columns<kV>(acc, 0));
        along_v.add_block(part.constraints, part.velocities, Kernel::template columns<kV>(acc, kV));
      }
    }
  }

  void multiplier_tangent(const State& s, SparseMatrix& along_lambda,
                          SparseMatrix& along_psi) const override {
    if constexpr (Sizes::kReactionsInForce) {
      for (const Placed<E>& part : parts_) {
        const auto J =
            Kernel::multiplier_tangent(part.equations, Point{arguments(part, s), {}, {}});
        along_lambda.add_block(part.velocities, part.constraints, J.template leftCols<kC>());
        along_psi.add_block(part.velocities, part.nonholonomic, J.template rightCols<kN>());
      }
    } else {
      add_transposed_reactions(s, along_lambda, along_psi);
    }
  }

  void nonholonomic(const State& s, Level level, Vector& k) const override {
    if constexpr (kN > 0) {
      for (const Placed<E>& part : parts_) {
        const Arguments<E, double> args = arguments(part, s);
        const SmallVector<double, kN> local = level == Level::kVelocity
                                                  ? Kernel::nonholonomic(part.equations, args)
                                                  : Kernel::nonholonomic_rate(part.equations, args);
        scatter(local, part.nonholonomic, k);
      }
    }
  }

  void nonholonomic_tangent(const State& s, const Chart& c, Level level, SparseMatrix& along_q,
                            SparseMatrix& along_v) const override {
    if constexpr (kN > 0) {
      using T = Dual<2 * kV>;
      for (const Placed<E>& part : parts_) {
        const auto args = Kernel::template at_increment_and_velocity<T>(point(part, s, c));
        const SmallVector<T, kN> k = level == Level::kVelocity
                                         ? Kernel::nonholonomic(part.equations, args)
                                         : Kernel::nonholonomic_rate(part.equations, args);
        along_q.add_block(part.nonholonomic, part.velocities, Kernel::template columns<kV>(k, 0));
        along_v.add_block(part.nonholonomic, part.velocities, Kernel::template columns<kV>(k, kV));
      }
    }
  }

  void nonholonomic_jacobian(const State& s, const Chart&, SparseMatrix& k_v) const override {
    if constexpr (kN > 0) {
      using T = Dual<kV>;
      for (const Placed<E>& part : parts_) {
        Arguments<E, T> moved = arguments(part, s).template lifted<T>();
        moved.v = moved.v + Kernel::template seeds<T, kV>(0);
        const SmallVector<T, kN> k = Kernel::nonholonomic(part.equations, moved);
        k_v.add_block(part.nonholonomic, part.velocities, Kernel::template columns<kV>(k, 0));
      }
    }
  }

  void control(const State& s, Vector& d) const override {
    if constexpr (kX > 0) {
      for (const Placed<E>& part : parts_)
        scatter(SmallVector<double, kX>(part.equations.control(arguments(part, s))), part.controls,
                d);
    }
  }

  void control_tangent(const State& s, const Chart& c, ControlTangent& tangent) const override {
    if constexpr (kX > 0) {
      for (const Placed<E>& part : parts_)
        add_control_tangent(part, point(part, s, c), tangent);
    }
  }

 private:
  void add_transposed_reactions(const State& s, SparseMatrix& along_lambda,
                                SparseMatrix& along_psi) const {
    using T = Dual<kV>;
    for (const Placed<E>& part : parts_) {
      const Arguments<E, T> args = arguments(part, s).template lifted<T>();
      if constexpr (kC > 0) {
        Arguments<E, T> moved = args;
        moved.q = retract_part<E, T>(args.q, Kernel::template seeds<T, kV>(0));
        const SmallVector<T, kC> g = Kernel::constraint(part.equations, moved);
        along_lambda.add_block(part.velocities, part.constraints,
                               Kernel::template columns<kV>(g, 0).transpose().eval());
      }
      if constexpr (kN > 0) {
        Arguments<E, T> moved = args;
        moved.v = args.v + Kernel::template seeds<T, kV>(0);
        const SmallVector<T, kN> k = Kernel::nonholonomic(part.equations, moved);
        along_psi.add_block(part.velocities, part.nonholonomic,
                            Kernel::template columns<kV>(k, 0).transpose().eval());
      }
    }
  }

  void add_control_tangent(const Placed<E>& part, const Point& p, ControlTangent& tangent) const {
    // one sweep over δq, η, acceleration, ẋ, x and λ
    constexpr int kAll = 3 * kV + 2 * kX + kC;
    using T = Dual<kAll>;
    Arguments<E, T> args = Kernel::template at_increment_and_velocity<T>(p);
    args.a = args.a + Kernel::template seeds<T, kV>(2 * kV);
    args.xdot = args.xdot + Kernel::template seeds<T, kX>(3 * kV);
    args.x = args.x + Kernel::template seeds<T, kX>(3 * kV + kX);
    if constexpr (kC > 0)
      args.lambda = args.lambda + Kernel::template seeds<T, kC>(3 * kV + 2 * kX);
    const SmallVector<T, kX> d = part.equations.control(args);
    const auto add = [&]<int Cols>(SparseMatrix& A, const auto& cols, int first) {
      A.add_block(part.controls, cols, Kernel::template columns<Cols>(d, first));
    };
    add.template operator()<kV>(tangent.position, part.velocities, 0);
    add.template operator()<kV>(tangent.velocity, part.velocities, kV);
    add.template operator()<kV>(tangent.acceleration, part.velocities, 2 * kV);
    add.template operator()<kX>(tangent.rate, part.controls, 3 * kV);
    add.template operator()<kX>(tangent.control, part.controls, 3 * kV + kX);
    add.template operator()<kC>(tangent.multiplier, part.constraints, 3 * kV + 2 * kX);
    if constexpr (requires { part.equations.force(args); }) {
      const SmallVector<T, kV> F = part.equations.force(args);
      tangent.force.add_block(part.velocities, part.controls,
                              Kernel::template columns<kX>(F, 3 * kV + kX));
    }
  }
};

}  // namespace picus
