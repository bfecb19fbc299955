#include "gyrostat/expression/units.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace units_test {

using std::numbers::pi;

struct Known {
  const char* text;
  double factor;
  Dimension dimension;  // kg, m, s, rad
};

void expect_units(std::initializer_list<Known> cases) {
  for (const auto& [text, factor, dimension] : cases) {
    const UnitParsed result = parse_unit(text);
    ASSERT_FALSE(result.complaint) << text << ": " << result.complaint->message;
    EXPECT_NEAR(result.unit.factor, factor, 1e-14 * factor) << text;
    EXPECT_EQ(result.unit.dimension, dimension) << text << " is " << unit_text(result.unit.dimension);
  }
}

TEST(Units, OfLength) {
  const Dimension m{0, 1};
  expect_units({{"m", 1, m},
                {"mm", 1e-3, m},
                {"cm", 0.01, m},
                {"um", 1e-6, m},
                {"km", 1000, m},
                {"in", 0.0254, m},
                {"ft", 0.3048, m},
                {"au", 1.495978707e11, m}});
}

TEST(Units, OfMass) {
  const Dimension kg{1};
  expect_units({{"kg", 1, kg},
                {"g", 1e-3, kg},
                {"mg", 1e-6, kg},
                {"tonne", 1000, kg},
                {"lb", 0.45359237, kg},
                {"slug", 14.593902937206364, kg}});
}

TEST(Units, OfTime) {
  const Dimension s{0, 0, 1};
  expect_units({{"s", 1, s},
                {"ms", 1e-3, s},
                {"us", 1e-6, s},
                {"ns", 1e-9, s},
                {"min", 60, s},
                {"h", 3600, s},
                {"day", 86400, s}});
}

TEST(Units, OfAngleAndRate) {
  const Dimension rad{0, 0, 0, 1}, rate{0, 0, -1, 1};
  expect_units({{"rad", 1, rad},
                {"mrad", 1e-3, rad},
                {"urad", 1e-6, rad},
                {"deg", pi / 180, rad},
                {"arcmin", pi / 10'800, rad},
                {"arcsec", pi / 648'000, rad},
                {"rev", 2 * pi, rad},
                {"rpm", 2 * pi / 60, rate},
                {"deg/s", pi / 180, rate},
                {"rev/min", 2 * pi / 60, rate},
                {"Hz", 1, {0, 0, -1}}});
}

TEST(Units, OfForceEnergyAndPower) {
  const Dimension newton{1, 1, -2}, joule{1, 2, -2};
  expect_units({{"N", 1, newton},
                {"mN", 1e-3, newton},
                {"uN", 1e-6, newton},
                {"kN", 1e3, newton},
                {"lbf", 4.4482216152605, newton},
                {"J", 1, joule},
                {"W", 1, {1, 2, -3}},
                {"slug*ft/s^2", 4.4482216152605, newton}});
}

TEST(Units, MakeProductsQuotientsAndPowers) {
  expect_units({{"N*m", 1, {1, 2, -2}},
                {"N*m/rad", 1, {1, 2, -2, -1}},
                {"N*m*s/rad", 1, {1, 2, -1, -1}},
                {"kg*m^2", 1, {1, 2}},
                {"g*cm^2", 1e-7, {1, 2}},
                {"m^3/s^2", 1, {0, 3, -2}},
                {"km^3/s^2", 1e9, {0, 3, -2}},
                {"m/s/s", 1, {0, 1, -2}},
                {"kg/m/s", 1, {1, -1, -1}},
                {"s^-1", 1, {0, 0, -1}},
                {"m/s^-2", 1, {0, 1, 2}},
                {"m^0", 1, {}},
                {"km^9", 1e27, {0, 9}},
                {"N * m / rad", 1, {1, 2, -2, -1}},
                {" m ", 1, {0, 1}},
                {"m\t/ s", 1, {0, 1, -1}}});
}

TEST(Units, MayBeginWithOneOver) {
  expect_units({{"1/s", 1, {0, 0, -1}},
                {"1/ms", 1000, {0, 0, -1}},
                {"1/s^2", 1, {0, 0, -2}},
                {"1/m/s", 1, {0, -1, -1}},
                {"1/s*kg", 1, {1, 0, -1}}});
}

struct Wrong {
  const char* text;
  std::size_t offset;
  const char* message;
};

void expect_complaints(std::initializer_list<Wrong> cases) {
  for (const auto& [text, offset, message] : cases) {
    const UnitParsed result = parse_unit(text);
    ASSERT_TRUE(result.complaint) << "'" << text << "' was accepted";
    EXPECT_EQ(result.complaint->message, message) << "'" << text << "'";
    EXPECT_EQ(result.complaint->offset, offset) << "'" << text << "'";
  }
}

TEST(Units, RunTogetherAreRefusedWithTheProductSpeltOut) {
  expect_complaints({{"Nm", 0, "unknown unit 'Nm'; write N*m"},
                     {"Nms/rad", 0, "unknown unit 'Nms'; write N*m*s"},
                     {"mNm", 0, "unknown unit 'mNm'; write mN*m"},
                     {"kgm2", 0, "unknown unit 'kgm2'; write kg*m^2"},
                     {"s*degs", 2, "unknown unit 'degs'; write deg/s"}});
}

TEST(Units, ThatDoNotExistAreRefusedWithTheNearestThatDoes) {
  expect_complaints({{"degree", 0, "unknown unit 'degree'"},
                     {"degs^2", 0, "unknown unit 'degs'; write deg/s"},
                     {"N*raad", 2, "unknown unit 'raad'; did you mean 'rad'?"},
                     {"KM", 0, "unknown unit 'KM'; did you mean 'km'?"},
                     {"m/furlong", 2, "unknown unit 'furlong'"},
                     {"N*€", 2, "unknown unit '€'"}});
}

TEST(Units, ThatAreMissingAreNoticedWhereTheyAreMissing) {
  expect_complaints({{"", 0, "expected a unit"},
                     {"N*", 2, "expected a unit"},
                     {"N//s", 2, "expected a unit"},
                     {"*m", 0, "expected a unit"},
                     {"1/", 2, "expected a unit"},
                     {"(N*m)", 0, "expected a unit"},
                     {"kg m", 3, "expected '*', '/' or the end of the unit, got 'm'"},
                     {"m^2.5", 3, "expected '*', '/' or the end of the unit, got '.5'"}});
}

TEST(Units, HaveWholePowersFromMinusNineToNine) {
  expect_complaints({{"m^", 2, "expected a whole power from -9 to 9"},
                     {"m^x", 2, "expected a whole power from -9 to 9"},
                     {"m^10", 2, "expected a whole power from -9 to 9"},
                     {"m^-10", 2, "expected a whole power from -9 to 9"},
                     {"m^99999999999", 2, "expected a whole power from -9 to 9"},
                     {"m^-2147483647", 2, "expected a whole power from -9 to 9"},
                     {"m^-2147483648", 2, "expected a whole power from -9 to 9"}});
  EXPECT_FALSE(parse_unit("m^9/s^-9").complaint);
}

TEST(Units, HaveAtMostTwentyFactors) {
  std::string twenty = "m";
  for (int i = 1; i < 20; ++i) twenty += "*m";
  EXPECT_FALSE(parse_unit(twenty).complaint);
  ASSERT_TRUE(parse_unit(twenty + "*m").complaint);
  EXPECT_EQ(parse_unit(twenty + "*m").complaint->message, "a unit has at most 20 factors");
}

TEST(Units, TheTextOfADimensionReadsBackAsThatDimension) {
  std::mt19937_64 random(1);
  const auto exponent = [&] { return static_cast<int>(random() % 7) - 3; };
  for (int i = 0; i < 500; ++i) {
    const Dimension d{exponent(), exponent(), exponent(), exponent()};
    if (d == dimension::none) continue;
    const UnitParsed result = parse_unit(unit_text(d));
    ASSERT_FALSE(result.complaint) << unit_text(d) << ": " << result.complaint->message;
    EXPECT_EQ(result.unit.dimension, d) << unit_text(d);
    EXPECT_EQ(result.unit.factor, 1) << unit_text(d);
  }
}

TEST(Units, TheTextOfADimensionIsWhatPeopleWrite) {
  EXPECT_EQ(unit_text(dimension::none), "a plain number");
  EXPECT_EQ(unit_text(dimension::mass), "kg");
  EXPECT_EQ(unit_text(dimension::angular_rate), "rad/s");
  EXPECT_EQ(unit_text(dimension::acceleration), "m/s^2");
  EXPECT_EQ(unit_text(dimension::force), "N");
  EXPECT_EQ(unit_text(dimension::torque), "N*m");
  EXPECT_EQ(unit_text(dimension::inertia), "kg*m^2");
  EXPECT_EQ(unit_text(dimension::stiffness), "N/m");
  EXPECT_EQ(unit_text(dimension::damping), "N*s/m");
  EXPECT_EQ(unit_text(dimension::angular_stiffness), "N*m/rad");
  EXPECT_EQ(unit_text(dimension::angular_damping), "N*m*s/rad");
  EXPECT_EQ(unit_text(dimension::gravity_parameter), "m^3/s^2");
  EXPECT_EQ(unit_text({1, 2, -1}), "N*m*s");
  EXPECT_EQ(unit_text({0, 0, -1}), "1/s");
}

TEST(Units, AnglesAreComparedOnlyWhereNoMassIsInvolved) {
  using namespace dimension;
  EXPECT_TRUE(compatible(torque, angular_stiffness));
  EXPECT_TRUE(compatible(angular_stiffness, torque));
  EXPECT_TRUE(compatible(torque * time, angular_damping));
  EXPECT_TRUE(compatible(angle, angle));
  EXPECT_FALSE(compatible(none, angle));
  EXPECT_FALSE(compatible(angle, none));
  EXPECT_FALSE(compatible(none / time, angular_rate));
  EXPECT_FALSE(compatible(angular_rate, none / time));
  EXPECT_TRUE(compatible_but_for_angle(none / time, angular_rate));
  EXPECT_TRUE(compatible_but_for_angle(none, angle));
}

TEST(Units, OfDifferentMassLengthOrTimeAreNeverCompatible) {
  const Dimension all[] = {{1, 2, -2}, {0, 2, -2}, {1, 1, -2}, {1, 2, -1}, {2, 2, -2}, {}, {0, 1}, {0, 0, 1}, {1}};
  for (const auto& a : all) {
    for (const auto& b : all) {
      EXPECT_EQ(compatible(a, b), a == b) << unit_text(a) << ", " << unit_text(b);
      EXPECT_EQ(compatible_but_for_angle(a, b), a == b);
      EXPECT_EQ(compatible_but_for_angle(a * dimension::angle, b), a == b);
    }
  }
}

TEST(Quantities, AreANumberSpaceAndAUnit) {
  struct Good {
    const char* text;
    double number;
    const char* unit;
    std::size_t offset;
  };
  for (const auto& [text, number, unit, offset] : std::initializer_list<Good>{{"5 mrad", 5, "mrad", 2},
                                                                              {"-3 deg", -3, "deg", 3},
                                                                              {"+3 deg", 3, "deg", 3},
                                                                              {"  .5e-3   km ", 0.5e-3, "km", 10},
                                                                              {"3500 N*m/rad", 3500, "N*m/rad", 5},
                                                                              {"2 1/s", 2, "1/s", 2},
                                                                              {"1. m", 1, "m", 3},
                                                                              {"5 nonsense!", 5, "nonsense!", 2},
                                                                              {"3 N-m", 3, "N-m", 2},
                                                                              {"7 kg m", 7, "kg m", 2}}) {
    const auto q = split_quantity(text);
    ASSERT_TRUE(q) << text;
    EXPECT_EQ(q->number, number) << text;
    EXPECT_EQ(q->unit, unit) << text;
    EXPECT_EQ(q->unit_offset, offset) << text;
  }
}

TEST(Quantities, WhatMayBeAnExpressionIsNone) {
  for (const char* text :
       {"5mrad",     "2 *K",    "2*K",        "nan s",   "inf m", "-inf m", "5 ",          "5",
        "",          " ",       "m",          "- 3 deg", "5 - 3", "5 /s",   "5 1",         "5 (m)",
        "x 5",       "0x10 m",  "1e999 m",    "2 <3",    "++3 m", "2 _a",   "218 deg - x", "30 deg*sign(x)",
        "2 m + k*x", "3 s < t", "1 m ? 2 : 3"}) {
    EXPECT_FALSE(split_quantity(text)) << "'" << text << "'";
  }
}

}  // namespace units_test
}  // namespace gyrostat
