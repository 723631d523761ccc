// SPDX-License-Identifier: BSD-3-Clause
#include "studies/runs.h"

#include <stdexcept>

namespace picus::studies {

State run(const System& system, State state, Stepper& stepper, Controller& controller,
          double end_time, const Observer& observe) {
  const Summary summary =
      simulate(system, state, stepper, controller, {.end_time = end_time}, observe);
  if (!summary.ok()) throw std::runtime_error(summary.message);
  return state;
}

std::vector<double> halved(double first, int count) {
  std::vector<double> result;
  for (int i = 0; i < count; ++i, first *= 0.5)
    result.push_back(first);
  return result;
}

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t index) {
  std::vector<double> result;
  result.reserve(rows.size());
  for (const std::vector<double>& row : rows)
    result.push_back(row[index]);
  return result;
}

}  // namespace picus::studies
