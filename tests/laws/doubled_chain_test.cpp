// Two equal chains from the same base to the same tip, moving together, are one chain of twice the mass, inertia and
// stiffness.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace doubled_chain_test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) / 9007199254740992.0;
  }
  std::string vector(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return fmt::format("[{}, {}, {}]", x, y, z);
  }

 private:
  std::mt19937_64 engine_;
};

struct Link {
  double mass, xx, yy, zz, stiffness, damping, angle, rate;
  std::string com, axis, point, type;
};

/// A base, a chain of links on joints with springs, and a tip on the last, without one: it would act on one of two
/// chains alone.
struct Chain {
  Chain(std::uint64_t seed, std::size_t length, bool fixed) : is_fixed(fixed) {
    Random random(seed);
    for (std::size_t i = 0; i <= length; ++i) {  // the last is the tip
      Link link;
      link.mass = random(0.5, 2);
      link.xx = random(0.1, 0.15), link.yy = random(0.1, 0.15), link.zz = random(0.1, 0.15);
      link.stiffness = random(1, 6), link.damping = random(0, 0.3);
      link.angle = random(-0.6, 0.6), link.rate = random(-0.5, 0.5);
      link.com = random.vector(0.3), link.point = random.vector(0.5);
      link.axis = fmt::format("[{}, {}, 1]", random(-1, 1), random(-1, 1));
      link.type = random(0, 1) < 0.75 || i == length ? "revolute" : "prismatic";
      links.push_back(link);
    }
    omega = random.vector(0.4);
  }

  std::vector<Link> links;
  std::string omega;
  bool is_fixed;

  /// `copies` chains, each of whose links is `times` the link.
  [[nodiscard]] std::string text(int copies, double times, const std::string& simulation) const {
    const std::size_t length = links.size() - 1;
    std::string bodies = "  base: {mass: 5, inertia: [0.8, 0.9, 1]}\n", joints, record;
    joints = is_fixed
                 ? "  mount: {type: revolute, parent: world, child: base, axis: [1, 0, 0.2], initial: {rate: 0.3}}\n"
                 : fmt::format("  mount: {{type: free, parent: world, child: base, initial: {{omega: {}}}}}\n", omega);
    for (int copy = 0; copy < copies; ++copy) {
      for (std::size_t i = 0; i < length; ++i) {
        const Link& b = links[i];
        bodies += fmt::format("  b{}_{}: {{mass: {}, com: {}, inertia: [{}, {}, {}]}}\n", i, copy, times * b.mass,
                              b.com, times * b.xx, times * b.yy, times * b.zz);
        const bool turns = b.type == "revolute";
        joints += fmt::format(
            "  j{}_{}: {{type: {}, parent: {}, child: b{}_{}, parent_point: {}, axis: {}, stiffness: {}, damping: {}, "
            "initial: {{{}: {}, {}: {}}}}}\n",
            i, copy, b.type, i == 0 ? "base" : fmt::format("b{}_{}", i - 1, copy), i, copy, b.point, b.axis,
            times * b.stiffness, times * b.damping, turns ? "angle" : "displacement", b.angle, turns ? "rate" : "speed",
            b.rate);
        record += fmt::format("j{}_{}.{}, ", i, copy, turns ? "angle" : "displacement");
      }
    }
    const Link& tip = links.back();
    bodies +=
        fmt::format("  tip: {{mass: {}, com: {}, inertia: [{}, {}, {}]}}\n", tip.mass, tip.com, tip.xx, tip.yy, tip.zz);
    for (int copy = 0; copy < copies; ++copy) {
      joints += fmt::format(
          "  end_{}: {{type: revolute, parent: b{}_{}, child: tip, parent_point: {}, axis: {}, initial: {{angle: {}, "
          "rate: {}}}{}}}\n",
          copy, length - 1, copy, tip.point, tip.axis, tip.angle, tip.rate, copy == 0 ? "" : ", cut: true");
    }
    return fmt::format(
        "gyrostat: 1\nbodies:\n{}joints:\n{}environment: {{gravity: {{uniform: [0.3, -2, 1]}}}}\n"
        "simulation: {{duration: 1, {}}}\noutput: {{interval: 0.25, record: [{}end_0.angle, end_0.rate, base.omega_x, "
        "base.omega_y, base.omega_z, base.velocity_x, base.velocity_y, base.velocity_z, tip.position_x, "
        "tip.position_y, "
        "tip.position_z, tip.omega_x, tip.omega_y, tip.omega_z, system.energy]}}\n",
        bodies, joints, simulation, record);
  }
};

void expect_same_motion(const Chain& chain, const std::string& simulation, double tolerance) {
  const Flight one(chain.text(1, 2, simulation), {}, Flight::Expect::finish),
      two(chain.text(2, 1, simulation), {}, Flight::Expect::finish);
  EXPECT_EQ(two.simulation.plant().constraints().rows(), 5U);
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (const OutputColumn& column : one.simulation.columns()) {
    const bool of_chain = column.name.find("_0.") != std::string::npos && column.name.starts_with("j");
    std::vector<std::string> names = {column.name};
    if (of_chain)
      names.push_back(fmt::format("{}1{}", column.name.substr(0, column.name.find('0', 3)),
                                  column.name.substr(column.name.find('0', 3) + 1)));
    for (const std::string& name : names) {
      for (std::size_t k = 0; k < one.rows.size(); ++k) {
        EXPECT_NEAR(two[name][k], one[column.name][k], tolerance * (1 + std::abs(one[column.name][k])))
            << name << " at " << one.time[k];
      }
    }
  }
}

/// Errors of the two integrations, 1e-11 a step, and of the projections that one of them has; where the rows of a loop
/// come near to dependence, accelerations have fewer digits: 8e-7 with five links and seed 2.
TEST(DoubledChain, MovesAsTwoEqualChainsThatHoldOneTip) {
  for (const std::size_t length : {1U, 2U, 3U, 5U, 8U}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(fmt::format("{} links, seed {}", length, seed));
      expect_same_motion(Chain(100 * length + seed, length, seed % 2 == 1),
                         "integrator: {method: dopri5, tolerance: 1e-11}", 2e-6);
    }
  }
}

TEST(DoubledChain, MovesAsTwoEqualChainsWithEveryFormulationThatTakesLoops) {
  for (const char* formulation : {"composite_body", "kane", "absolute", "mixed"}) {
    SCOPED_TRACE(formulation);
    expect_same_motion(Chain(77, 3, false),
                       fmt::format("formulation: {}, integrator: {{method: dopri5, tolerance: 1e-11}}", formulation),
                       1e-7);
  }
}

}  // namespace doubled_chain_test
}  // namespace gyrostat::testing
