#include "gyrostat/expression/constant.h"

#include <cmath>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "expression/compiled.h"

namespace gyrostat::expression {
namespace {

using namespace testing;

std::variant<Constant, Complaint> evaluated(const std::string& text) {
  static const std::map<std::string, Constant, std::less<>> parameters = {
      {"pi", {std::numbers::pi, dimension::none}},
      {"L", {2, dimension::length}},
      {"H", {3, dimension::length}},
      {"M", {5, dimension::mass}},
      {"T", {4, dimension::time}},
      {"A", {0.5, dimension::angle}},
      {"K", {8, dimension::angular_stiffness}},
      {"J", {2, dimension::inertia}},
      {"N", {7, std::nullopt}},
      {"one", {1, dimension::length}},
      {"unread", {std::nan(""), dimension::mass}},
  };
  return evaluate_constant(parsed(text), [](std::string_view name) -> std::variant<Constant, std::string> {
    const auto found = parameters.find(name);
    if (found == parameters.end()) return "no parameter '" + std::string(name) + "'";
    return found->second;
  });
}

Constant constant_of(const std::string& text) {
  const auto result = evaluated(text);
  if (const auto* complaint = std::get_if<Complaint>(&result)) {
    ADD_FAILURE() << text << ": " << complaint->message;
    return {};
  }
  return std::get<Constant>(result);
}

/// "offset: message", or nothing.
std::string complaint_about(const std::string& text) {
  const auto result = evaluated(text);
  const auto* complaint = std::get_if<Complaint>(&result);
  return complaint == nullptr ? "" : std::to_string(complaint->offset) + ": " + complaint->message;
}

TEST(Constant, PlainNumbersHaveNoKnownDimension) {
  EXPECT_EQ(constant_of("1 + 2*3").value, 7);
  EXPECT_EQ(constant_of("1 + 2*3").dimension, std::nullopt);
  EXPECT_EQ(constant_of("sqrt(16)").dimension, std::nullopt);
  EXPECT_EQ(constant_of("2^10").value, 1024);
}

TEST(Constant, AParameterKeepsValueAndDimension) {
  EXPECT_EQ(constant_of("L").value, 2);
  EXPECT_EQ(constant_of("L").dimension, dimension::length);
  EXPECT_EQ(constant_of("-L").value, -2);
  EXPECT_EQ(constant_of("-L").dimension, dimension::length);
  EXPECT_EQ(constant_of("abs(-L)").dimension, dimension::length);
  EXPECT_EQ(constant_of("N").dimension, std::nullopt);
}

TEST(Constant, ProductsAndQuotientsMultiplyDimensions) {
  EXPECT_EQ(constant_of("2*K").value, 16);
  EXPECT_EQ(constant_of("2*K").dimension, dimension::angular_stiffness);
  EXPECT_EQ(constant_of("K/2").dimension, dimension::angular_stiffness);
  EXPECT_EQ(constant_of("L/T").dimension, dimension::velocity);
  EXPECT_EQ(constant_of("L/T").value, 0.5);
  EXPECT_EQ(constant_of("1/T").dimension, dimension::none / dimension::time);
  EXPECT_EQ(constant_of("M*L*L").dimension, dimension::inertia);
  EXPECT_EQ(constant_of("L/H").dimension, dimension::none);
  EXPECT_EQ(constant_of("2*pi/T").dimension, dimension::none / dimension::time);
  EXPECT_EQ(constant_of("N*L").dimension, std::nullopt) << "N may be anything";
}

TEST(Constant, WholePowersAndSquareRootsHaveTheirDimensions) {
  EXPECT_EQ(constant_of("M*L^2").dimension, dimension::inertia);
  EXPECT_EQ(constant_of("L/T^2").dimension, dimension::acceleration);
  EXPECT_EQ(constant_of("T^-1").dimension, dimension::none / dimension::time);
  EXPECT_EQ(constant_of("T^-1").value, 0.25);
  EXPECT_EQ(constant_of("sqrt(L*H)").dimension, dimension::length);
  EXPECT_EQ(constant_of("sqrt(L*H)").value, std::sqrt(6.0));
  EXPECT_EQ(constant_of("sqrt(K/J)").dimension, dimension::none / dimension::time) << "of N*m/rad and kg*m^2, a rate";
  EXPECT_EQ(constant_of("sqrt(L)").dimension, std::nullopt);
  EXPECT_EQ(constant_of("L^0.5").dimension, std::nullopt);
}

TEST(Constant, SumsKeepTheDimensionThatIsKnown) {
  EXPECT_EQ(constant_of("L + H").value, 5);
  EXPECT_EQ(constant_of("L + H").dimension, dimension::length);
  EXPECT_EQ(constant_of("L + 1").dimension, dimension::length);
  EXPECT_EQ(constant_of("1 - L").dimension, dimension::length);
  EXPECT_EQ(constant_of("N + L").dimension, dimension::length);
  EXPECT_EQ(constant_of("min(L, H, 1)").dimension, dimension::length);
  EXPECT_EQ(constant_of("clamp(L, 0, 1)").dimension, dimension::length);
  EXPECT_EQ(constant_of("1 ? L : H").dimension, dimension::length);
}

TEST(Constant, SumsAndComparisonsOfUnlikeDimensionsAreRefusedWhereTheyStand) {
  EXPECT_EQ(complaint_about("1 + (L + M)"), "7: one side is in m, the other in kg");
  EXPECT_EQ(complaint_about("L - T"), "2: one side is in m, the other in s");
  EXPECT_EQ(complaint_about("2*min(L, K)"), "2: one side is in m, the other in N*m/rad");
  EXPECT_EQ(complaint_about("max(L, M)"), "0: one side is in m, the other in kg");
  EXPECT_EQ(complaint_about("atan2(L, T)"), "0: one side is in m, the other in s");
  EXPECT_EQ(complaint_about("L + M*L"), "2: one side is in m, the other in kg*m");
  EXPECT_EQ(complaint_about("L/H + T"), "4: one side is in a plain number, the other in s");
  for (const std::string sign : {"<", "<=", ">", ">=", "==", "!="}) {
    EXPECT_EQ(complaint_about("L " + sign + " M"), "2: one side is in m, the other in kg");
    EXPECT_EQ(complaint_about("L " + sign + " H"), "");
    EXPECT_EQ(complaint_about("L " + sign + " 3"), "");
  }
}

TEST(Constant, ClampAndConditionalDoNotMixDimensionsEither) {
  EXPECT_NE(complaint_about("clamp(L, M, 7)"), "");
  EXPECT_NE(complaint_about("clamp(L, 0, T)"), "");
  EXPECT_NE(complaint_about("1 ? L : M"), "");
}

TEST(Constant, AnglesAreNotComparedInFormulas) {
  EXPECT_EQ(complaint_about("A + L/H"), "");
  EXPECT_EQ(complaint_about("deg(30) + atan2(L, H)"), "");
  EXPECT_EQ(complaint_about("K*A + M*L^2/T^2"), "");
}

TEST(Constant, DegreesAreAnglesAndRevolutionsPerMinuteRates) {
  EXPECT_NEAR(constant_of("deg(180)").value, std::numbers::pi, 1e-15);
  EXPECT_EQ(constant_of("deg(180)").dimension, dimension::angle);
  EXPECT_NEAR(constant_of("rpm(60)").value, 2 * std::numbers::pi, 1e-15);
  EXPECT_EQ(constant_of("rpm(60)").dimension, dimension::angular_rate);
  EXPECT_EQ(constant_of("deg(1)/T").dimension, dimension::angular_rate);
  EXPECT_EQ(complaint_about("deg(1) + rpm(1)"), "7: one side is in rad, the other in rad/s");
}

TEST(Constant, AComparisonIsOneOrZeroWithoutADimension) {
  EXPECT_EQ(constant_of("L < H").value, 1);
  EXPECT_EQ(constant_of("L > H").value, 0);
  EXPECT_EQ(constant_of("3*(L < H)").dimension, std::nullopt);
  EXPECT_EQ(constant_of("L < H ? L : H").value, 2);
  EXPECT_EQ(constant_of("sin(A)").dimension, std::nullopt);
}

TEST(Constant, FunctionsOfTimeAndTablesAreRefused) {
  EXPECT_EQ(complaint_about("1 + step(2)"), "4: step depends on time, but a constant is needed here");
  EXPECT_EQ(complaint_about("ramp(2)"), "0: ramp depends on time, but a constant is needed here");
  EXPECT_EQ(complaint_about("pulse(2, 3)"), "0: pulse depends on time, but a constant is needed here");
  EXPECT_EQ(complaint_about("2*table(thrust, 1)"), "2: a table cannot be used in a constant");
}

TEST(Constant, ResultsThatAreNotFiniteAreRefusedWhereTheyArise) {
  EXPECT_EQ(complaint_about("1 + 1/0"), "5: the result is not a finite number");
  EXPECT_EQ(complaint_about("L/(H - 3)"), "1: the result is not a finite number");
  EXPECT_EQ(complaint_about("sqrt(-1)"), "0: the result is not a finite number");
  EXPECT_EQ(complaint_about("log(0)"), "0: the result is not a finite number");
  EXPECT_EQ(complaint_about("2*asin(2)"), "2: the result is not a finite number");
  EXPECT_EQ(complaint_about("exp(1000)"), "0: the result is not a finite number");
  EXPECT_EQ(complaint_about("(-1)^0.5"), "4: the result is not a finite number");
  EXPECT_EQ(complaint_about("1e308*10"), "5: the result is not a finite number");
}

TEST(Constant, ANameWithoutAValueIsRefusedWithTheReason) {
  EXPECT_EQ(complaint_about("1 + unknown"), "4: no parameter 'unknown'");
  EXPECT_EQ(complaint_about("t"), "0: no parameter 't'");
}

TEST(Constant, AParameterThatCouldNotBeReadMakesNoSecondComplaint) {
  EXPECT_TRUE(std::isnan(constant_of("2*unread + L").value));
}

TEST(Constant, PowersOfPowersDoNotOverflowTheDimension) {
  std::string text = "one";
  for (int i = 0; i < 12; ++i) text = "(" + text + "^9)";
  const auto result = evaluated(text);
  if (const auto* constant = std::get_if<Constant>(&result)) {
    EXPECT_EQ(constant->value, 1);
    EXPECT_EQ(constant->dimension, std::nullopt) << "m^(9^12) fits no int";
  }
}

}  // namespace
}  // namespace gyrostat::expression
