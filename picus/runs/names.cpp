// SPDX-License-Identifier: BSD-3-Clause
#include "picus/runs/names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace picus {

std::string coordinate_name(const System& system, int index) {
  const std::string prefix = "momentum of ", name = system.name_of(Equation::kMomentum, index);
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

const char* acceleration_unit(const System& system, int index) {
  return system.unit_of(index) == Unit::kAngle ? "rad/s²" : "m/s²";
}

std::vector<std::string> leading_coordinates(const System& system, const Vector& direction,
                                             const Vector& weight, std::size_t count) {
  constexpr double kNoticeable = 0.1;
  const Vector share = direction.cwiseAbs().cwiseProduct(weight);
  const double most = max_abs(share);
  if (!(most > 0.0)) return {};
  std::vector<int> order(static_cast<std::size_t>(share.size()));
  std::iota(order.begin(), order.end(), 0);
  // rounding must not decide the order of equal shares
  const auto rank = [&](int i) { return std::round(1e9 * share(i) / most); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) > rank(b); });
  std::vector<std::string> names;
  for (const int index : order) {
    if (names.size() == count || !(share(index) > kNoticeable * most)) break;
    names.push_back(coordinate_name(system, index));
  }
  return names;
}

Vector kinetic_weights(const System& system, const State& s) {
  SparseMatrix M;
  system.mass_matrix(s, M);
  Vector weights = Vector::Zero(M.rows());
  M.for_each([&](int row, int col, double value) {
    if (row == col) weights(row) = std::sqrt(std::abs(value));
  });
  return weights;
}

}  // namespace picus
