// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "picus/solvers/contact_search.h"
#include "picus/solvers/pivoting_path.h"

namespace picus {

/// Proximal problems one after the other, each with the solution of the last as p₀, and each solved
/// by pivots along its path. ε says how far one may lead: where a path arrives after few pivots ε
/// shrinks, where it is lost ε grows. For small ε leave the impulses of redundant contacts nearly
/// free, and paths fold again and again. In space, where a path is straightened, its end may be no
/// better than its start; the impulses are those of the way there then.
class ProximalPivots final : public ContactSearch {
 public:
  using ContactSearch::ContactSearch;

  /// About so many further pivots and paths.
  void run(const ContactProblem& problem, int iterations) override;
  /// Where ε cannot grow.
  bool stuck() const override;
  /// Where the last path has ended.
  const Vector& impulse() const override { return p_; }

 private:
  void begin(const ContactProblem& problem, const Vector& p) override;
  enum class Gain { kWhole, kPart, kNone };
  Gain take_from_path(const ContactProblem& problem);

  PivotingPath path_;
  Vector p_, trial_;
  double epsilon_ = 0.0;
};

}  // namespace picus
