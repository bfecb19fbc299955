// The rules of the symbolic scalar, each by evaluation.
#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "gyrostat/derive/scalar_polynomial.h"
#include "gyrostat/derive/symbolic.h"

#include "support/random_model.h"

namespace gyrostat::testing {
namespace scalar_symbolic_test {

using scalar::Graph;
using scalar::Id;
using scalar::Operation;
using scalar::Recording;
using scalar::Symbolic;

/// Draws arithmetic; the graph and plain numbers go through the same operations.
struct Drawn {
  Graph graph;
  Recording recording{graph};
  std::vector<double> symbols;
  std::vector<Symbolic> nodes;
  std::vector<double> values;

  explicit Drawn(Random& random, int operations, bool smooth) {
    for (int k = 0; k < 4; ++k) {
      symbols.push_back(random.uniform(0.2, 1.5));
      nodes.push_back(Symbolic::of(graph.symbol()));
      values.push_back(symbols.back());
    }
    for (const double constant : {0.0, 1.0, -1.0, 2.0, 0.5}) {
      nodes.emplace_back(constant);
      values.push_back(constant);
    }
    for (int k = 0; k < operations; ++k) {
      const std::size_t i = random.index(nodes.size()), j = random.index(nodes.size());
      const Symbolic a = nodes[i], b = nodes[j];
      const double x = values[i], y = values[j];
      Symbolic node;
      double value = 0;
      switch (random.index(smooth ? 11 : 13)) {
        case 0: node = a + b, value = x + y; break;
        case 1: node = a - b, value = x - y; break;
        case 2:
        case 3: node = a * b, value = x * y; break;
        case 4: node = -a, value = -x; break;
        case 5: node = sin(a), value = std::sin(x); break;
        case 6: node = cos(a), value = std::cos(x); break;
        case 7: node = a / (b * b + 1.0), value = x / (y * y + 1); break;
        case 8: node = sqrt(a * a + 1.0), value = std::sqrt(x * x + 1); break;
        case 9: node = atan2(a, b * b + 1.0), value = std::atan2(x, y * y + 1); break;
        case 10: node = pow(a * a + 0.5, 1.5), value = std::pow(x * x + 0.5, 1.5); break;
        case 11: node = select(a < b, a, b + 1.0), value = x < y ? x : y + 1; break;
        default:
          node = select((!(a >= b)) | (a == 0.0), max(a, b), abs(a)),
          value = !(x >= y) || x == 0 ? std::max(x, y) : std::abs(x);
      }
      if (!(std::abs(value) < 1e3)) continue;
      nodes.push_back(node);
      values.push_back(value);
    }
  }
};

TEST(Symbolic, ComputesWhatNumbersDo) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Drawn d(random, 60, false);
    const std::vector<double> values = d.graph.evaluate(d.symbols, {});
    double most = 1;
    for (const double v : d.values) most = std::max(most, std::abs(v));
    for (std::size_t k = 0; k < d.nodes.size(); ++k) {
      ASSERT_NEAR(values[d.nodes[k].id], d.values[k], 1e-12 * most) << "seed " << seed << ", node " << k;
    }
  }
}

TEST(Symbolic, MultipliedOutAndWrittenAgainIsTheSame) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    Drawn d(random, 40, false);
    std::vector<Id> outputs;
    for (const Symbolic& node : d.nodes) outputs.push_back(node.id);
    for (const bool join : {false, true}) {
      scalar::Simplifier simplifier(d.graph, 200, join);
      const std::vector<Id> same = simplifier.simplified(outputs);
      const std::vector<double> values = d.graph.evaluate(d.symbols, {});
      double most = 1;
      for (const double v : d.values) most = std::max(most, std::abs(v));
      for (std::size_t k = 0; k < same.size(); ++k) {
        ASSERT_NEAR(values[same[k]], values[outputs[k]], 1e-10 * most) << "seed " << seed << ", node " << k;
      }
    }
  }
}

TEST(Symbolic, DifferentiatesExactly) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Drawn d(random, 30, true);
    std::vector<Id> variables;
    for (std::size_t k = 0; k < 4; ++k) variables.push_back(d.nodes[k].id);
    for (std::size_t k = 9; k < d.nodes.size(); ++k) {
      const Id output = d.nodes[k].id;
      const std::vector<Id> gradient = d.graph.gradient(output, variables);
      const std::vector<double> values = d.graph.evaluate(d.symbols, {});
      for (std::size_t v = 0; v < 4; ++v) {
        const double h = 1e-5;
        auto moved = d.symbols;
        moved[v] += h;
        const double above = d.graph.evaluate(moved, {})[output];
        moved[v] -= 2 * h;
        const double below = d.graph.evaluate(moved, {})[output];
        const double difference = (above - below) / (2 * h),
                     scale = 1 + std::abs(difference) + std::abs(values[output]);
        if (scale > 1e3) continue;  // where differences are no measure
        ASSERT_NEAR(values[gradient[v]], difference, 1e-4 * scale) << "seed " << seed << ", node " << k;
      }
    }
  }
}

TEST(Symbolic, SimplifiesSignsZerosAndOnes) {
  Graph g;
  const Recording recording(g);
  const Symbolic x = Symbolic::of(g.symbol()), y = Symbolic::of(g.symbol()), m = Symbolic::of(g.symbol(true));
  EXPECT_EQ((x + y).id, (y + x).id);
  EXPECT_EQ((x * y).id, (y * x).id);
  EXPECT_EQ((x * 0.0).id, 0U);
  EXPECT_EQ((x * 1.0 + 0.0).id, x.id);
  EXPECT_EQ((x - x).id, 0U);
  EXPECT_EQ((-(-x)).id, x.id);
  EXPECT_EQ((x - (-y)).id, (x + y).id);
  EXPECT_EQ((-x * -y).id, (x * y).id);
  EXPECT_EQ((-(x - y)).id, (y - x).id);
  EXPECT_EQ((x + (y - x)).id, y.id);
  EXPECT_EQ((x + x).id, (2.0 * x).id);
  EXPECT_EQ((0.5 * (2.0 * x)).id, x.id);
  EXPECT_EQ(sin(-x).id, (-sin(x)).id);
  EXPECT_EQ(cos(-x).id, cos(x).id);
  EXPECT_EQ((m > 0.0).id, 1U);
  EXPECT_EQ((m * m + m > 0.0).id, 1U);
  EXPECT_GT((x > 0.0).id, 1U);
  EXPECT_EQ(select(m > 0.0, x, y).id, x.id);
  EXPECT_EQ(select(x > 0.0, y, y).id, y.id);
}

/// Every rule of docs/theory/symbolic.md that a node is made by: it is one of those listed, has at most the operations
/// that the rule leaves, and is worth what the operation gives for numbers.
TEST(Symbolic, EveryRuleKeepsTheValueOfWhatItIsAppliedTo) {
  Graph g;
  const Recording recording(g);
  const Symbolic x = Symbolic::of(g.symbol()), y = Symbolic::of(g.symbol()), m = Symbolic::of(g.symbol(true));
  const auto truth = [](scalar::Condition c) { return Symbolic::of(c.id); };
  struct Example {
    int rule = 0;
    Symbolic made;
    std::size_t operations = 0;  // that are left
    double (*value)(double x, double y, double m) = nullptr;
  };
  const Symbolic two(2), three(3), half(0.5);
  const Example examples[] = {
      {1, two + three, 0, [](double, double, double) { return 5.0; }},
      {1, two - three, 0, [](double, double, double) { return -1.0; }},
      {1, two / three, 0, [](double, double, double) { return 2.0 / 3.0; }},
      {1, pow(two, three), 0, [](double, double, double) { return 8.0; }},
      {1, atan2(two, three), 0, [](double, double, double) { return std::atan2(2.0, 3.0); }},
      {1, tan(half), 0, [](double, double, double) { return std::tan(0.5); }},
      {1, asin(half), 0, [](double, double, double) { return std::asin(0.5); }},
      {1, acos(half), 0, [](double, double, double) { return std::acos(0.5); }},
      {1, atan(half), 0, [](double, double, double) { return std::atan(0.5); }},
      {1, exp(half), 0, [](double, double, double) { return std::exp(0.5); }},
      {1, log(half), 0, [](double, double, double) { return std::log(0.5); }},
      {1, sqrt(half), 0, [](double, double, double) { return std::sqrt(0.5); }},
      {1, truth(two < three), 0, [](double, double, double) { return 1.0; }},
      {1, truth(three <= two), 0, [](double, double, double) { return 0.0; }},
      {1, truth(two == three), 0, [](double, double, double) { return 0.0; }},
      {2, x + 0.0, 0, [](double a, double, double) { return a; }},
      {2, 0.0 + x, 0, [](double a, double, double) { return a; }},
      {2, x - 0.0, 0, [](double a, double, double) { return a; }},
      {2, 0.0 - x, 0, [](double a, double, double) { return -a; }},
      {2, x * 1.0, 0, [](double a, double, double) { return a; }},
      {2, x * 0.0, 0, [](double, double, double) { return 0.0; }},
      {2, x / 1.0, 0, [](double a, double, double) { return a; }},
      {2, 0.0 / x, 0, [](double, double, double) { return 0.0; }},
      {2, x - x, 0, [](double, double, double) { return 0.0; }},
      {2, pow(x, 1.0), 0, [](double a, double, double) { return a; }},
      {2, pow(x, 0.0), 0, [](double, double, double) { return 1.0; }},
      {3, x + x, 1, [](double a, double, double) { return a + a; }},
      {3, x + (y - x), 0, [](double, double b, double) { return b; }},
      {3, (y - x) + x, 0, [](double, double b, double) { return b; }},
      {3, (x + y) - x, 0, [](double, double b, double) { return b; }},
      {3, (y + x) - x, 0, [](double, double b, double) { return b; }},
      {3, x - (x - y), 0, [](double, double b, double) { return b; }},
      {4, (-x) * y, 1, [](double a, double b, double) { return -a * b; }},
      {4, x * (-y), 1, [](double a, double b, double) { return -a * b; }},
      {4, (-x) / y, 1, [](double a, double b, double) { return -a / b; }},
      {4, x / (-y), 1, [](double a, double b, double) { return -a / b; }},
      {4, x / -2.0, 1, [](double a, double, double) { return -a / 2; }},
      {4, x * -1.0, 0, [](double a, double, double) { return -a; }},
      {4, x * -2.0, 1, [](double a, double, double) { return -2 * a; }},
      {4, x + (-y), 1, [](double a, double b, double) { return a - b; }},
      {4, (-x) + y, 1, [](double a, double b, double) { return b - a; }},
      {4, x - (-y), 1, [](double a, double b, double) { return a + b; }},
      {4, (-x) - y, 1, [](double a, double b, double) { return -(a + b); }},
      {4, -(x - y), 1, [](double a, double b, double) { return b - a; }},
      {4, -(-x), 0, [](double a, double, double) { return a; }},
      {5, x * y - y * x, 0, [](double, double, double) { return 0.0; }},
      {5, (x + y) - (y + x), 0, [](double, double, double) { return 0.0; }},
      {6, 0.5 * (4.0 * x), 1, [](double a, double, double) { return 2 * a; }},
      {6, (2.0 * x) * y, 2, [](double a, double b, double) { return 2 * a * b; }},
      {6, x * (2.0 * y), 2, [](double a, double b, double) { return 2 * a * b; }},
      {7, sin(-x) + sin(x), 0, [](double, double, double) { return 0.0; }},
      {7, cos(-x) - cos(x), 0, [](double, double, double) { return 0.0; }},
      {7, tan(-x) + tan(x), 0, [](double, double, double) { return 0.0; }},
      {7, asin(-x) + asin(x), 0, [](double, double, double) { return 0.0; }},
      {7, atan(-x) + atan(x), 0, [](double, double, double) { return 0.0; }},
      {8, truth(Symbolic(0.0) < m * m + m), 0, [](double, double, double) { return 1.0; }},
      {8, truth(m / (m + m) < Symbolic(0.0)), 0, [](double, double, double) { return 0.0; }},
      {8, truth(m == Symbolic(0.0)), 0, [](double, double, double) { return 0.0; }},
      {8, truth(exp(x) <= Symbolic(0.0)), 0, [](double, double, double) { return 0.0; }},
      {8, truth(x < x), 0, [](double, double, double) { return 0.0; }},
      {8, truth(x <= x), 0, [](double, double, double) { return 1.0; }},
      {9, select(x < y, x, x), 0, [](double a, double, double) { return a; }},
      {9, select(two < three, x, y), 0, [](double a, double, double) { return a; }},
      {9, select(three < two, x, y), 0, [](double, double b, double) { return b; }},
      {9, select(!(x < y), x, y), 2, [](double a, double b, double) { return a < b ? b : a; }},
      {9, truth((x < y) & (two < three)), 1, [](double a, double b, double) { return a < b ? 1.0 : 0.0; }},
      {9, truth((x < y) & (three < two)), 0, [](double, double, double) { return 0.0; }},
      {9, truth((x < y) | (three < two)), 1, [](double a, double b, double) { return a < b ? 1.0 : 0.0; }},
      {9, truth((x < y) | (two < three)), 0, [](double, double, double) { return 1.0; }},
      {9, truth(!!(x < y)), 1, [](double a, double b, double) { return a < b ? 1.0 : 0.0; }},
  };
  std::set<int> rules;
  Random random(3);
  for (int k = 0; k < 20; ++k) {
    const std::vector<double> at = {random.uniform(-0.9, 0.9), random.uniform(-2, 2), random.uniform(0.1, 3)};
    const std::vector<double> values = g.evaluate(at, {});
    for (std::size_t e = 0; e < std::size(examples); ++e) {
      const Example& one = examples[e];
      const double expected = one.value(at[0], at[1], at[2]);
      ASSERT_NEAR(values[one.made.id], expected, 4e-16 * (1 + std::abs(expected))) << "example " << e;
      ASSERT_EQ(scalar::count_operations(g, {&one.made.id, 1}).all(), one.operations) << "example " << e;
      rules.insert(one.rule);
    }
  }
  EXPECT_EQ(rules.size(), 9U);
}

TEST(Symbolic, KnowsSquaresOfSineAndCosine) {
  Graph g;
  const Recording recording(g);
  const Symbolic a = Symbolic::of(g.symbol()), b = Symbolic::of(g.symbol()), k = Symbolic::of(g.symbol());
  const auto simplified = [&](const Symbolic& x, bool join) {
    scalar::Simplifier simplifier(g, 1000, join);
    const Id id = x.id;
    return simplifier.simplified({&id, 1})[0];
  };
  EXPECT_EQ(simplified(k * sin(a) * sin(a) + cos(a) * k * cos(a), false), k.id);
  EXPECT_EQ(simplified(sin(a) * sin(a) - sin(a) * sin(a), false), 0U);
  const Symbolic square = cos(a) * cos(a) + sin(a) * sin(a);
  EXPECT_EQ(simplified(square * square, false), 1U);
  EXPECT_EQ(simplified(cos(a) * cos(b) - sin(a) * sin(b), true), cos(a + b).id);
  EXPECT_EQ(simplified(cos(a) * cos(b) + sin(a) * sin(b), true), cos(a - b).id);
  EXPECT_EQ(simplified(k * (sin(a) * cos(b) + cos(a) * sin(b)), true), (k * sin(a + b)).id);
  const Id difference = simplified(sin(a) * cos(b) - cos(a) * sin(b), true);  // sin(a - b) or -sin(b - a)
  EXPECT_EQ(scalar::count_operations(g, {&difference, 1}).all(), 2U);
  // where coefficients differ, nothing is rewritten that would cancel
  const Id kept = simplified(sin(a) * sin(a) - cos(a) * cos(a), false);
  EXPECT_EQ(scalar::count_operations(g, {&kept, 1}).additions, 1U);
}

}  // namespace scalar_symbolic_test
}  // namespace gyrostat::testing
