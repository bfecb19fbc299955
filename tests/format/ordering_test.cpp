// Orders of what depends on what, and algebraic loops among signals.
#include "gyrostat/format/ordering.h"

#include <algorithm>
#include <numeric>

#include "support/load.h"
#include "support/random_model.h"

namespace gyrostat {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Random;

using Needs = std::vector<std::vector<std::uint32_t>>;

/// The place of each node in the order; fails where one is missing or occurs twice.
std::vector<std::size_t> places(const Ordering& ordering, std::size_t count) {
  std::vector<std::size_t> place(count, count);
  EXPECT_EQ(ordering.order.size(), count);
  for (std::size_t i = 0; i < ordering.order.size(); ++i) {
    EXPECT_EQ(place.at(ordering.order[i]), count) << "occurs twice";
    place[ordering.order[i]] = i;
  }
  return place;
}

/// Kahn's algorithm: can everything be taken away, each when nothing it needs is left?
bool acyclic(const Needs& needs) {
  std::vector<std::size_t> open(needs.size());
  Needs users(needs.size());
  for (std::uint32_t i = 0; i < needs.size(); ++i) {
    open[i] = needs[i].size();
    for (const std::uint32_t n : needs[i]) users[n].push_back(i);
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < needs.size(); ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  std::size_t taken = 0;
  while (!ready.empty()) {
    const std::uint32_t i = ready.back();
    ready.pop_back();
    ++taken;
    for (const std::uint32_t user : users[i]) {
      if (--open[user] == 0) ready.push_back(user);
    }
  }
  return taken == needs.size();
}

TEST(Ordering, PutsWhatIsNeededFirst) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const std::size_t count = random.between(1, 60);
    std::vector<std::uint32_t> rank(count);  // i may need what has a lower rank
    std::iota(rank.begin(), rank.end(), 0U);
    random.shuffle(rank);
    Needs needs(count);
    const double density = random.uniform(0, 0.4);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::uint32_t k = 0; k < count; ++k) {
        if (rank[k] < rank[i] && random.chance(density)) needs[i].push_back(k);
      }
      random.shuffle(needs[i]);
    }
    const Ordering ordering = order_by_need(needs);
    EXPECT_TRUE(ordering.cycles.empty());
    const auto place = places(ordering, count);
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::uint32_t k : needs[i]) EXPECT_LT(place[k], place[i]) << "seed " << seed;
    }
  }
}

TEST(Ordering, ReportsRealCyclesAndOnlyWhereThereAreAny) {
  std::size_t cyclic = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const std::size_t count = random.between(1, 15), edges = random.index(2 * count + 1);
    Needs needs(count);
    for (std::size_t e = 0; e < edges; ++e)
      needs[random.index(count)].push_back(static_cast<std::uint32_t>(random.index(count)));
    const Ordering ordering = order_by_need(needs);
    places(ordering, count);
    EXPECT_EQ(ordering.cycles.empty(), acyclic(needs)) << "seed " << seed;
    cyclic += !ordering.cycles.empty();
    for (const auto& cycle : ordering.cycles) {
      ASSERT_FALSE(cycle.empty());
      std::vector<std::uint32_t> distinct = cycle;
      std::sort(distinct.begin(), distinct.end());
      EXPECT_EQ(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const auto& list = needs[cycle[i]];
        const std::uint32_t next = cycle[(i + 1) % cycle.size()];
        EXPECT_NE(std::find(list.begin(), list.end(), next), list.end()) << cycle[i] << " does not need " << next;
      }
    }
  }
  EXPECT_GT(cyclic, 500U);
}

TEST(Ordering, OfNothingIsEmpty) { EXPECT_TRUE(order_by_need({}).order.empty()); }

TEST(Ordering, ReportsWhatNeedsItself) {
  const Ordering ordering = order_by_need({{}, {1}});
  EXPECT_EQ(ordering.cycles, (Needs{{1}}));
}

TEST(Ordering, ReportsCyclesWithoutACommonMemberEach) {
  const Ordering ordering = order_by_need({{1}, {0}, {3}, {4}, {2}, {0, 2}});
  EXPECT_EQ(ordering.cycles.size(), 2U);
}

TEST(Ordering, OfAVeryLongChainDoesNotOverflowTheStack) {
  constexpr std::uint32_t count = 1'000'000;
  Needs needs(count);
  for (std::uint32_t i = 0; i + 1 < count; ++i) needs[i] = {i + 1};
  const Ordering ordering = order_by_need(needs);
  EXPECT_TRUE(ordering.cycles.empty());
  EXPECT_EQ(ordering.order.front(), count - 1);
  EXPECT_EQ(ordering.order.back(), 0U);
  needs[count - 1] = {0};
  const Ordering closed = order_by_need(needs);
  ASSERT_EQ(closed.cycles.size(), 1U);
  EXPECT_EQ(closed.cycles[0].size(), count);
}

// --- algebraic loops among signals
// ------------------------------------------------------------------------------------

std::string problems_with(const std::string& signals) {
  return testing::problems_of(
      "gyrostat: 1\nbodies:\n  bus: {mass: 1, inertia: [1, 1, 1]}\n  wing: {mass: 1, inertia: [1, 1, 1]}\n"
      "joints:\n  hinge: {type: revolute, parent: bus, child: wing, axis: [1, 0, 0]}\nsignals:\n" +
      signals);
}

TEST(AlgebraicLoop, IsPrintedAsTheLoop) {
  const std::string text = problems_with("  a: b + 1\n  b: 2*c\n  c: a\n  d: a\n");
  EXPECT_THAT(text, HasSubstr("m.yaml:8:6: error: signals.a: algebraic loop: a -> b -> c -> a"));
  EXPECT_THAT(text, Not(HasSubstr("signals.d")));
}

TEST(AlgebraicLoop, OfASignalWithItselfIsPrinted) {
  EXPECT_THAT(problems_with("  a: 0.5*a + t\n"), HasSubstr("signals.a: algebraic loop: a -> a;"));
}

TEST(AlgebraicLoop, DoesNotDependOnTheOrderInTheFile) {
  EXPECT_EQ(problems_with("  c: b\n  b: a\n  a: hinge.angle\n"), "");
  EXPECT_EQ(problems_with("  a: hinge.angle\n  b: a\n  c: b\n"), "");
}

TEST(AlgebraicLoop, IsBrokenByWhatRemembers) {
  for (const char* block : {"{integral: a}", "{sample: {input: a, period: 0.1}}", "{delay: {input: a, time: 0.1}}",
                            "{transfer_function: {input: a, numerator: [1], denominator: [1, 1]}}",
                            "{transfer_function: {input: a, numerator: [1, 0], denominator: [1, 2, 1]}}",
                            "{state_space: {inputs: [a], a: [[-1]], b: [[1]], c: [[1]]}}",
                            "{state_space: {inputs: [a], a: [[-1]], b: [[1]], c: [[1]], d: [[0]]}}"}) {
    EXPECT_EQ(problems_with(std::string("  a: b + 1\n  b: ") + block + "\n"), "") << block;
  }
}

TEST(AlgebraicLoop, IsNotBrokenByWhatFeedsThrough) {
  for (const char* block : {"{transfer_function: {input: a, numerator: [1, 0], denominator: [1, 1]}}",
                            "{state_space: {inputs: [a], a: [[-1]], b: [[1]], c: [[1]], d: [[1]]}}",
                            "{saturate: {input: a, low: -1, high: 1}}", "{pid: {input: a, kp: 1}}",
                            "{switching_amplifier: {input: a, deadband: 0.1}}"}) {
    EXPECT_THAT(problems_with(std::string("  a: b + 1\n  b: ") + block + "\n"),
                HasSubstr("algebraic loop: a -> b -> a"))
        << block;
  }
}

TEST(AlgebraicLoop, IsBrokenByAStrictlyProperTransferFunctionWithLeadingZeros) {
  EXPECT_EQ(problems_with("  a: b + 1\n  b: {transfer_function: {input: a, numerator: [0, 1], denominator: [1, 1]}}\n"),
            "");
}

TEST(AlgebraicLoop, IsBrokenByAPurelyIntegratingController) {
  EXPECT_EQ(problems_with("  a: b + 1\n  b: {pid: {input: a, ki: 2}}\n"), "");
}

TEST(AlgebraicLoop, IsNotSeenWhereASignalSharesTheNameOfTheJointItMeasures) {
  EXPECT_EQ(problems_with("  hinge: deg(1)*hinge.angle\n"), "") << "hinge.angle is the joint's";
  EXPECT_EQ(problems_with("  bus: bus.omega_x\n"), "") << "bus.omega_x is the body's";
}

TEST(AlgebraicLoop, IsSeenThroughAnOutputOfASignal) {
  EXPECT_THAT(problems_with("  a: b.y1\n  b: {state_space: {inputs: [a], a: [[-1]], b: [[1]], c: [[1], [2]], "
                            "d: [[1], [0]], outputs: [y1, y2]}}\n"),
              HasSubstr("algebraic loop"));
}

}  // namespace
}  // namespace gyrostat
