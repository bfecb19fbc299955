// Input that is small for its kind of harm: what it costs must not grow faster than the file.
#include <chrono>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/ordering.h"

#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string with_bodies(const std::string& rest) {
  return "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n" + rest;
}

double seconds_to_load(const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  testing::load(text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Growth, OfListsOfNothingIsLinear) {
  const std::string nothing = with_bodies("output: {record: [" + std::string(300'000, ',') + "]}\n");
  EXPECT_LT(seconds_to_load(nothing), 10);  // quadratic: minutes
}

TEST(Growth, OfCyclesThatShareMembersIsLinear) {
  // A chain in which the last needs all: as many cycles as members, stored as one.
  constexpr std::uint32_t n = 200'000;
  std::vector<std::vector<std::uint32_t>> needs(n);
  for (std::uint32_t i = 0; i + 1 < n; ++i) needs[i] = {i + 1};
  for (std::uint32_t i = 0; i + 1 < n; ++i) needs[n - 1].push_back(i);
  const Ordering ordering = order_by_need(needs);
  ASSERT_EQ(ordering.cycles.size(), 1U);
  EXPECT_EQ(ordering.order.size(), n);
}

TEST(Growth, OfCyclesReportsThoseThatShareAMemberOnce) {
  const std::string problems = testing::problems_of(with_bodies("signals: {a1: b1, b1: c1, c1: b1 + a1}\n"));
  EXPECT_EQ(problems,
            "m.yaml:3:23: error: signals.b1: algebraic loop: b1 -> c1 -> b1; break it with a state (integral, "
            "transfer_function), a sample or a delay\n");
}

TEST(Growth, OfDimensionsEndsBeforeTheyOverflow) {
  std::string parameters = "parameters: {p0: 1 m";
  for (int i = 1; i < 60; ++i) parameters += fmt::format(", p{}: p{}*p{}", i, i - 1, i - 1);
  const std::string problems =
      testing::problems_of("gyrostat: 1\n" + parameters + "}\nbodies: {a: {mass: p59, inertia: [1, 1, 1]}}\n");
  EXPECT_EQ(problems, "");  // beyond all sense nothing is known of the dimension
}

TEST(Growth, OfNumbersIsLimited) {
  for (const std::string body : {"{mass: 1, com: [1e200, 0, 0], point_mass: true}", "{mass: 1e308, inertia: [1, 1, 1]}",
                                 "{mass: 1, inertia: [1e40, 1e40, 1e40]}", "{mass: 4.9e-324, inertia: [1, 1, 1]}"}) {
    const Loaded loaded = testing::load("gyrostat: 1\nbodies: {a: " + body + "}\n");
    EXPECT_FALSE(loaded.model) << body;
    EXPECT_THAT(testing::problems_of(loaded), HasSubstr("to compute with; the limit is 1e")) << body;
  }
  EXPECT_TRUE(testing::load("gyrostat: 1\nbodies: {a: {mass: 1e25, inertia: [1e30, 1e30, 1e30]}}\n").model);
}

TEST(Growth, OfPartsIsLimited) {
  std::string points;
  for (std::size_t i = 0; i <= limits::parts; ++i) points += fmt::format("p{}: [0, 0, 0], ", i);
  EXPECT_EQ(
      testing::problems_of("gyrostat: 1\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], points: {" + points + "}}\n"),
      "m.yaml:3:44: error: bodies.a.points: 1001 points; the limit is 1000\n");
}

TEST(Growth, ADescriptionOfAProgramIsHeldToTheSameLimits) {
  Description description;
  BodyDescription body;
  body.name = "a";
  body.mass = 1;
  body.inertia.setIdentity();
  description.bodies.push_back(body);
  EXPECT_TRUE(load_description(description).model);
  JointDescription base;
  base.name = "base";
  base.type = JointType::free;
  base.parent = "world";
  base.child = "a";
  base.parent_point.setConstant(std::nan(""));
  description.joints.push_back(base);
  EXPECT_THAT(testing::problems_of(load_description(description)), HasSubstr("can be computed with"));
}

TEST(Hints, SayHowUnitsAreWritten) {
  EXPECT_THAT(testing::problems_of("gyrostat: 1\nbodies: {a: {mass: 5kg, inertia: [1, 1, 1]}}\n"),
              HasSubstr("'5kg' is neither a number nor a name; a unit stands behind a space: '5 kg'"));
  EXPECT_THAT(testing::problems_of(with_bodies("signals: {s: \"(2*t) deg\"}\n")),
              HasSubstr("'deg' looks like a unit, which only a number may have; elsewhere multiply: x*(1 deg)"));
  EXPECT_THAT(testing::problems_of(with_bodies("signals: {s: \"2*t t\"}\n")), Not(HasSubstr("unit")));
}

}  // namespace
}  // namespace gyrostat
