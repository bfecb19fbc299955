// Where several joints that stick or rest on stops are in one loop, equilibrium does not say what each of them carries.
// They hold as long as any forces within their limits do (docs/theory/mechanisms.md).
#include <algorithm>
#include <cmath>

#include "gyrostat/math/box_minimum.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

constexpr double rounding_of_balance = 1e-11;  // of an acceleration that is zero, over what it is summed from
constexpr double rounding_of_margin = 1e-10;   // by which limits may be exceeded, of the limits
constexpr double largest_scale = 1e9;          // of limits: beyond it, friction cannot hold at all

}  // namespace

bool PlantRun::Standing::can_hold(double scale) const {
  const auto scaled = [scale](double limit) { return std::isinf(limit) ? limit : scale * limit; };
  const auto held_by = minimum_in_box(W, without, low.unaryExpr(scaled), high.unaryExpr(scaled));
  if (!held_by) return false;
  const Eigen::VectorXd left = without + W * *held_by;
  const Eigen::VectorXd sum = without.cwiseAbs() + W.cwiseAbs() * held_by->cwiseAbs();
  return (left.cwiseAbs().array() <= rounding_of_balance * sum.array() + rounding).all();
}

double PlantRun::Standing::margin() const {
  double holds = 1, slips = 0;
  if (!can_hold(1 + rounding_of_margin)) {
    slips = 1;
    for (holds = 2; !can_hold(holds); holds *= 2) {
      slips = holds;
      if (holds > largest_scale) return -1;
    }
  }
  while (holds - slips > 1e-15 * std::max(1.0, holds)) {
    const double middle = slips + (holds - slips) / 2;
    if (middle <= slips || middle >= holds) break;
    (can_hold(middle) ? holds : slips) = middle;
  }
  return 1 - holds + rounding_of_margin;
}

/// At stage acceleration, with the reactions, which are kept.
double PlantRun::margin_of_all(const std::vector<std::uint32_t>& held) {
  const Layout& layout = plant_.layout();
  std::vector<double> y(layout.size);
  layout.gather(state(), y.data());
  for (std::size_t k = 0; k < layout.nx; ++k) y[layout.x + k] = data_.values[plant_.signals().states[k].slot];
  const double t = data_.t;
  const std::vector<Truth> free = discrete_.free;
  const ClosurePlan plan = discrete_.closures;
  std::vector<double> roundings;
  for (const std::uint32_t k : held) roundings.push_back(rounding_of_reaction(plant_.signals().forces.restraints[k]));
  Standing s = let_go(t, y.data(), held);
  for (std::size_t i = 0; i < held.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Range range = reactions_of(held[i], false);
    s.low[k] = range.low - roundings[i], s.high[k] = range.high + roundings[i];
    s.set_acceleration_without(k, data_.udot[s.speeds[i]]);
  }
  const double margin = s.margin();
  discrete_.free = free;
  discrete_.closures = plan;
  std::ranges::fill(data_.closures.multipliers, 0.0);
  take_over_discrete();
  evaluate(t, y.data(), Stage::acceleration);
  reactions();
  return margin;
}

}  // namespace gyrostat
