// Forces that hold joints where the limits of friction follow reactions, which follow these forces
// (docs/theory/mechanisms.md).
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/math/following_limits.h"
#include "gyrostat/plant/run_data.h"

namespace gyrostat {

namespace {

Eigen::Vector3d vector_of(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

}  // namespace

/// Accelerations and reactions as functions of the forces that hold and of the friction by reaction of what slides,
/// about those forces: (17). At stage acceleration.
FollowingLimits PlantRun::limits_about(const Standing& s, const std::vector<std::uint32_t>& sliding) const {
  const ForceModel& model = plant_.signals().forces;
  const ReactionFriction<double>& friction = data_.friction;
  const auto n = static_cast<Eigen::Index>(s.open.size()), m = static_cast<Eigen::Index>(sliding.size());
  const std::size_t nu = data_.udot.size();
  FollowingLimits of;
  of.forces.resize(static_cast<std::size_t>(n + m));
  of.without.resize(n);
  of.by_force.resize(n, n + m);
  of.by_force.leftCols(n) = s.W;
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::uint32_t u = s.speeds[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < m; ++j) {
      of.by_force(i, n + j) = friction.udot[sliding[static_cast<std::size_t>(j)] * nu + u];
    }
    of.without[i] = friction.without[u] - s.W.row(i).dot(s.forces);
  }
  const auto follow = [&](FollowingLimits::Force& force, std::size_t k) {
    force.by_force.resize(3, n + m);
    force.by_force.leftCols(n) = s.reactions[k];
    for (Eigen::Index j = 0; j < m; ++j) {
      force.by_force.col(n + j) = vector_of(friction.by_level[k * friction.n + sliding[static_cast<std::size_t>(j)]]);
    }
    force.reaction = vector_of(friction.reactions[k]) - s.reactions[k] * s.forces;
  };
  for (std::size_t i = 0; i < s.open.size(); ++i) {
    FollowingLimits::Force& force = of.forces[i];
    const Level level = level_of(s.open[i], s.starts[i]);
    force.preload = level.preload;
    force.coefficient = level.coefficient;
    const std::int8_t side = discrete_.stopped[s.open[i]];
    force.only = side > 0 ? 1 : (side < 0 ? -1 : 0);
    if (force.coefficient == 0) continue;
    follow(force,
           static_cast<std::size_t>(std::ranges::find(model.by_reaction, s.open[i]) - model.by_reaction.begin()));
  }
  for (std::size_t j = 0; j < sliding.size(); ++j) {
    FollowingLimits::Force& force = of.forces[s.open.size() + j];
    force.slides = true;
    force.coefficient = friction.coefficients[sliding[j]];
    follow(force, sliding[j]);
  }
  return of;
}

/// (9), where limits and the friction of what slides follow reactions. Accelerations and reactions are evaluated again
/// at the forces found, until all of (9) is true there: at once, unless the formulation is linearised.
std::optional<std::string> PlantRun::find_forces_that_limits_follow(double t, const double* y, Standing& s) {
  constexpr int most_passes = 40;
  const ForceModel& model = plant_.signals().forces;
  std::vector<std::uint32_t> sliding;  // numbers in by_reaction
  for (std::uint32_t k = 0; k < model.by_reaction.size(); ++k) {
    if (discrete_.sliding[model.by_reaction[k]] != 0) sliding.push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(s.open.size());
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n + static_cast<Eigen::Index>(sliding.size()));
  x.head(n) = s.forces;
  FollowingLimits::Pattern pattern(static_cast<std::size_t>(x.size()), FollowingLimits::At::high);
  auto outcome = FollowingLimits::Outcome::unsettled;
  for (int pass = 0; pass < most_passes; ++pass) {
    evaluate(t, y, Stage::forces);
    for (std::size_t i = 0; i < s.open.size(); ++i) {
      data_.forces.tau[s.speeds[i]] += s.forces[static_cast<Eigen::Index>(i)];
    }
    advance(plant_, plant_.constants(), data_, Stage::acceleration);
    const FollowingLimits of = limits_about(s, sliding);
    const bool settled = pass > 0 && of.hold(pattern, x);
    if (!settled) outcome = of.find(pattern, x);
    if (outcome != FollowingLimits::Outcome::found) break;
    s.forces = x.head(n);
    s.without = of.without + of.by_force.rightCols(x.size() - n) * x.tail(x.size() - n);
    for (std::size_t i = 0; i < s.open.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      const double most = of.limit(i, x);
      s.low[k] = of.forces[i].only > 0 ? -never : -most;
      s.high[k] = of.forces[i].only < 0 ? never : most;
      if (pattern[i] == FollowingLimits::At::low) s.forces[k] = s.low[k];
      if (pattern[i] == FollowingLimits::At::high) s.forces[k] = s.high[k];
    }
    if (settled) return std::nullopt;
  }
  const std::string& name = model.restraints[s.open.front()].name;
  switch (outcome) {
    case FollowingLimits::Outcome::none:
      return fmt::format(
          "no forces hold {} or let it go: in none of the ways in which what stands still here can stick and slide do "
          "forces agree with the reactions that they make; friction.reaction.coefficient is too large for this "
          "configuration (Painleve's case)",
          name);
    case FollowingLimits::Outcome::several:
      return fmt::format(
          "whether {} sticks or slides is not determined: several ways agree with the reactions that they make; "
          "friction.reaction.coefficient is too large for this configuration (Painleve's case)",
          name);
    default:
      return fmt::format(
          "what holds {} was not found: the friction of this or another joint is proportional to its reaction, and the "
          "iteration for the forces that stick did not settle; too many joints that stand still at once, or a "
          "friction.reaction.coefficient that is too large",
          name);
  }
}

}  // namespace gyrostat
