// SPDX-License-Identifier: BSD-3-Clause
#include "picus/math/graph_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "picus/base/contract.h"

namespace picus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct GraphPoint {
  double t = 0.0, x = 0.0;
};

// Where one graph is farthest beyond the window of the other, and by how much.
struct Excess {
  double amount = 0.0;
  GraphPoint at;
};

// Distance of the origin from the line between p and q in the maximum metric: a convex function
// along the line, smallest at an end or where |t| = |x| or one of them vanishes.
double distance_to_line(GraphPoint p, GraphPoint q) {
  const double dt = q.t - p.t, dx = q.x - p.x;
  double best = kInfinity;
  const auto try_at = [&](double s) {
    best = std::min(best, std::max(std::abs(p.t + s * dt), std::abs(p.x + s * dx)));
  };
  const auto try_root = [&](double value, double slope) {
    if (slope != 0.0) try_at(std::clamp(-value / slope, 0.0, 1.0));
  };
  try_at(0.0);
  try_at(1.0);
  try_root(p.t, dt);
  try_root(p.x, dx);
  try_root(p.t - p.x, dt - dx);
  try_root(p.t + p.x, dt + dx);
  return best;
}

double distance_to_graph(GraphPoint p, const FilledGraph& graph) {
  const auto edge = [&](std::size_t i) {
    return distance_to_line({graph.time[i] - p.t, graph.value[i] - p.x},
                            {graph.time[i + 1] - p.t, graph.value[i + 1] - p.x});
  };
  const std::size_t last = graph.time.size() - 1;
  const auto found = std::lower_bound(graph.time.begin(), graph.time.end(), p.t);
  const auto start = std::min(static_cast<std::size_t>(found - graph.time.begin()), last);
  double best = std::max(std::abs(graph.time[start] - p.t), std::abs(graph.value[start] - p.x));
  for (std::size_t i = start; i < last && graph.time[i] - p.t < best; ++i)
    best = std::min(best, edge(i));
  for (std::size_t i = start; i > 0 && p.t - graph.time[i] < best; --i)
    best = std::min(best, edge(i - 1));
  return best;
}

// How far graph a is above graph b (side = 1) or below it (side = -1).
class Sweep {
 public:
  Sweep(const FilledGraph& a, const FilledGraph& b, double side)
      : a_(a), b_(b), side_(side), highest_(b.time.size()) {}

  // The supremum of a(t) - max b over [t - r, t + r], if it is larger than r; else r. The window
  // of b changes when a sample enters or leaves it. In between, its maximum is that of the samples
  // inside and of the lines cut by its two ends.
  Excess beyond(double r) {
    r_ = r;
    worst_ = {r, {}};
    begin();
    for (;;) {
      const double enters = in_ < b_.time.size() ? b_.time[in_] - r_ : kInfinity;
      const double leaves = out_ + 1 < b_.time.size() ? b_.time[out_] + r_ : kInfinity;
      const double next = std::min({enters, leaves, a_.time[edge_ + 1]});
      examine(next);
      now_ = std::max(now_, next);
      // in this order, since windows are closed
      if (enters <= now_) {
        enter();
      } else if (a_.time[edge_ + 1] <= now_) {
        if (++edge_ + 1 == a_.time.size()) return worst_;
      } else {
        leave();
      }
    }
  }

 private:
  double a(std::size_t i) const { return side_ * a_.value[i]; }
  double b(std::size_t i) const { return side_ * b_.value[i]; }

  void begin() {
    edge_ = in_ = out_ = first_ = last_ = 0;
    now_ = a_.time.front();
    while (in_ == 0 || (in_ < b_.time.size() && b_.time[in_] - r_ <= now_))
      enter();
    while (out_ < in_ && out_ + 1 < b_.time.size() && b_.time[out_] + r_ < now_)
      leave();
  }

  // Keeps the samples of the window that no later one exceeds, highest first.
  void enter() {
    while (last_ > first_ && b(highest_[last_ - 1]) <= b(in_))
      --last_;
    highest_[last_++] = in_++;
  }

  void leave() {
    if (highest_[first_] == out_) ++first_;
    ++out_;
  }

  double b_at(std::size_t i, double t) const {
    const double s = (t - b_.time[i]) / (b_.time[i + 1] - b_.time[i]);
    return b(i) + std::clamp(s, 0.0, 1.0) * (b(i + 1) - b(i));
  }

  // Largest a - b of the window between now_ and `end`, where all functions are linear.
  void examine(double end) {
    const double duration = a_.time[edge_ + 1] - a_.time[edge_];
    const auto a_at = [&](double t, double at_jump) {
      const double s = duration > 0.0 ? (t - a_.time[edge_]) / duration : at_jump;
      return a(edge_) + std::clamp(s, 0.0, 1.0) * (a(edge_ + 1) - a(edge_));
    };
    const double a0 = a_at(now_, 0.0), a1 = a_at(end, 1.0);
    std::size_t count = 0;
    if (first_ < last_) {  // else the window lies between two samples
      const double inside = b(highest_[first_]);
      if (std::max(a0, a1) - inside <= worst_.amount) return;
      begins_[0] = a0 - inside;
      ends_[0] = a1 - inside;
      count = 1;
    }
    const auto cut = [&](std::size_t i, double shift) {
      if (!(b_.time[i + 1] > b_.time[i])) return;
      begins_[count] = a0 - b_at(i, now_ + shift);
      ends_[count++] = a1 - b_at(i, end + shift);
    };
    if (out_ > 0) cut(out_ - 1, -r_);
    if (in_ < b_.time.size()) cut(in_ - 1, r_);
    raise(count, end);
  }

  // The least of the differences is concave: its maximum is at an end or where two of them cross.
  void raise(std::size_t count, double end) {
    const auto try_at = [&](double s) {
      double least = kInfinity;
      for (std::size_t k = 0; k < count; ++k)
        least = std::min(least, begins_[k] + s * (ends_[k] - begins_[k]));
      if (least <= worst_.amount) return;
      worst_ = {least, {now_ + s * (end - now_), 0.0}};
      const double t0 = a_.time[edge_], t1 = a_.time[edge_ + 1];
      const double part = t1 > t0 ? (worst_.at.t - t0) / (t1 - t0) : s;
      worst_.at.x = a_.value[edge_] + part * (a_.value[edge_ + 1] - a_.value[edge_]);
    };
    try_at(0.0);
    try_at(1.0);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        const double slope = ends_[k] - begins_[k] - ends_[l] + begins_[l];
        const double s = (begins_[l] - begins_[k]) / slope;
        if (s > 0.0 && s < 1.0) try_at(s);
      }
    }
  }

  const FilledGraph &a_, &b_;
  double side_;
  double r_ = 0.0, now_ = 0.0;
  Excess worst_;
  std::size_t edge_ = 0;          ///< line of a that is looked at
  std::size_t in_ = 0, out_ = 0;  ///< samples of b that have entered, and left, the window
  std::vector<std::size_t> highest_;
  std::size_t first_ = 0, last_ = 0;  ///< the part of highest_ in use
  std::array<double, 3> begins_{}, ends_{};
};

// The smallest r ≥ known for which no point of a is more than r beyond the window of b. Every sweep
// gives a bound from above, the excess, and one from below, the distance of the worst point.
double one_sided(const FilledGraph& a, const FilledGraph& b, double side, double known,
                 double tolerance) {
  Sweep sweep(a, b, side);
  double low = known, high = kInfinity;
  const auto is_enough = [&](double r) {
    const Excess worst = sweep.beyond(r);
    if (!(worst.amount > r)) return true;
    high = std::min(high, worst.amount);
    low = std::max(r, distance_to_graph(worst.at, b));
    return false;
  };
  for (;;) {
    if (is_enough(low + tolerance) || high - low <= tolerance) return low;
    if (const double middle = 0.5 * (low + high); is_enough(middle)) high = middle;
  }
}

double extent(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

}  // namespace

FilledGraph filled_graph(std::span<const double> jumps, double end, double spacing,
                         const std::function<double(std::size_t, double)>& at) {
  FilledGraph graph;
  double begin = 0.0;
  for (std::size_t piece = 0; begin < end; ++piece) {
    const double until = piece < jumps.size() ? std::min(jumps[piece], end) : end;
    const auto count = static_cast<std::size_t>(std::ceil((until - begin) / spacing));
    for (std::size_t i = 0; i <= count; ++i) {
      const double part = count > 0 ? static_cast<double>(i) / static_cast<double>(count) : 0.0;
      const double t = begin + part * (until - begin);
      graph.add(t, at(piece, t));
    }
    begin = until;
  }
  return graph;
}

double hausdorff_distance(const FilledGraph& a, const FilledGraph& b) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  for (const FilledGraph* graph : {&a, &b}) {
    expects(graph->time.size() >= 2 && graph->time.size() == graph->value.size(),
            "a graph of at least two samples");
    expects(std::is_sorted(graph->time.begin(), graph->time.end()), "times that do not decrease");
    if (!std::all_of(graph->value.begin(), graph->value.end(), is_finite))
      return std::numeric_limits<double>::quiet_NaN();
  }
  const double tolerance =
      1e-12 * std::max({extent(a.time), extent(b.time), extent(a.value), extent(b.value)});
  double distance =
      std::max(std::abs(a.time.front() - b.time.front()), std::abs(a.time.back() - b.time.back()));
  for (const double side : {1.0, -1.0}) {
    distance = one_sided(a, b, side, distance, tolerance);
    distance = one_sided(b, a, side, distance, tolerance);
  }
  return distance;
}

}  // namespace picus
