// Types are checked when nodes are made; values and derivatives are those of components.
#include "gyrostat/derive/algebra.h"

#include <gmock/gmock.h>

#include "gyrostat/derive/evaluate.h"
#include "gyrostat/derive/letters.h"

#include "support/random_model.h"

namespace gyrostat {
namespace algebra_test {

using namespace derive;
using ::testing::HasSubstr;
using testing::Random;

Symbol named(const char* letter, const std::string& index) { return {letter, {{index, false}}}; }
const Expr s = symbol(named("m", "bus")), a = symbol(named("omega", "bus")), b = symbol(named("omega", "hub")),
           D = symbol(named("Phi", "bus"));

TEST(Algebra, KnowsTheTypesOfProducts) {
  EXPECT_EQ(scaled(s, s)->type, Type::scalar);
  EXPECT_EQ(scaled(s, a)->type, Type::vector);
  EXPECT_EQ(scaled(s, D)->type, Type::dyadic);
  EXPECT_EQ(dot(a, b)->type, Type::scalar);
  EXPECT_EQ(dot(D, a)->type, Type::vector);
  EXPECT_EQ(dot(a, D)->type, Type::vector);
  EXPECT_EQ(dot(D, D)->type, Type::dyadic);
  EXPECT_EQ(cross(a, b)->type, Type::vector);
  EXPECT_EQ(dyad(a, b)->type, Type::dyadic);
  EXPECT_EQ(derivative(D, "bus")->type, Type::dyadic);
}

TEST(Algebra, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(dot(s, a), AlgebraError);
  EXPECT_THROW(dot(a, s), AlgebraError);
  EXPECT_THROW(cross(a, D), AlgebraError);
  EXPECT_THROW(cross(s, a), AlgebraError);
  EXPECT_THROW(dyad(D, a), AlgebraError);
  EXPECT_THROW(scaled(a, a), AlgebraError);
  EXPECT_THROW(sum({a, s}, Type::vector), AlgebraError);
  EXPECT_THROW(derivative(a, ""), AlgebraError);
  EXPECT_THROW(symbol(named("nonsense", "bus")), AlgebraError);
  EXPECT_THROW(symbol({"gamma", {{"pan", false}}}), AlgebraError);
  EXPECT_THROW(over({"", named("S", "pan"), {"bus"}, {}}, a), AlgebraError);
  try {
    cross(a, D);
  } catch (const AlgebraError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cross product of a vector and a dyadic"));
  }
}

TEST(Algebra, LettersAreDistinctOnPaper) {
  for (const Letter& one : letters()) {
    for (const Letter& other : letters()) {
      if (one.id >= other.id || one.indices == 0 || other.indices == 0) continue;
      const bool alike = one.text == other.text && one.superscript == other.superscript && one.tilde == other.tilde;
      // The force and torque of a load have its name below them, a wheel's torque the wheel's.
      const std::set<std::string_view> told_by_index = {"F",     "T",  "F_load", "T_load", "tau",
                                                        "tau_w", "Tc", "Tcw",    "d",      "D"};
      if (alike && !(told_by_index.contains(one.id) && told_by_index.contains(other.id)))
        ADD_FAILURE() << one.id << " and " << other.id << " look alike";
    }
  }
}

/// A frame that turns, and values along its motion, for derivatives by differences.
struct Motion {
  Vector3 w, a0, a1, a2;
  Matrix3 M0, M1;
  explicit Motion(std::uint64_t seed) {
    Random random(seed);
    w = random.vector(), a0 = random.vector(), a1 = random.vector(), a2 = random.vector();
    M0 << random.vector(), random.vector(), random.vector();
    M1 << random.vector(), random.vector(), random.vector();
  }
};

TEST(Evaluate, DerivativesInATurningFrameAreThoseSeenFromIt) {
  const Motion m(3);
  Values values;
  values.given[named("omega", "hub")] = {Value(m.w), Value(Vector3(Vector3::Zero())), Value(Vector3(Vector3::Zero()))};
  values.given[named("alpha", "bus")] = {Value(m.a0), Value(m.a1), Value(m.a2)};
  values.given[named("Phi", "bus")] = {Value(m.M0), Value(m.M1)};
  Evaluator evaluate(values);
  // Components in a frame that turns with constant w: R^T v.
  const auto seen = [&](double t) {
    const Matrix3 R = Eigen::AngleAxisd(m.w.norm() * t, m.w.normalized()).toRotationMatrix();
    return Vector3(R.transpose() * (m.a0 + m.a1 * t + m.a2 * t * t / 2));
  };
  const double h = 1e-4;
  const Expr alpha = symbol(named("alpha", "bus"));
  const Expr once = derivative(alpha, "hub");
  EXPECT_LT((evaluate(once).vector - (seen(h) - seen(-h)) / (2 * h)).norm(), 1e-7);
  EXPECT_LT((evaluate(derivative(once, "hub")).vector - (seen(h) - 2 * seen(0) + seen(-h)) / (h * h)).norm(), 1e-6);
  const auto dyadic_seen = [&](double t) {
    const Matrix3 R = Eigen::AngleAxisd(m.w.norm() * t, m.w.normalized()).toRotationMatrix();
    return Matrix3(R.transpose() * (m.M0 + m.M1 * t) * R);
  };
  const Matrix3 difference = (dyadic_seen(h) - dyadic_seen(-h)) / (2 * h);
  EXPECT_LT((evaluate(derivative(symbol(named("Phi", "bus")), "hub")).dyadic - difference).norm(), 1e-7);
  EXPECT_LT((evaluate(derivative(alpha, "world")).vector - m.a1).norm(), 1e-15);
}

TEST(Evaluate, SumsRunOverTheirMembers) {
  Values values;
  values.set(named("m", "one"), 2.0);
  values.set(named("m", "two"), 5.0);
  values.definitions[named("m", "three")] = scaled(symbol(named("m", "one")), number(10));
  const Expr total = over({"i", named("S", "base"), {"one", "two", "three"}, {}}, symbol({"m", {{"i", true}}}));
  Evaluator evaluate(values);
  EXPECT_EQ(evaluate(total).scalar, 27);
}

TEST(Evaluate, SaysWhatIsMissing) {
  const auto message = [](const Values& values, const Expr& e) -> std::string {
    try {
      Evaluator evaluate(values);
      evaluate(e);
    } catch (const AlgebraError& error) {
      return error.what();
    }
    return "none";
  };
  Values values;
  EXPECT_THAT(message(values, a), HasSubstr("omega(bus) is not defined"));
  values.set(named("omega", "bus"), Vector3(1, 2, 3));
  EXPECT_EQ(message(values, a), "none");
  EXPECT_THAT(message(values, derivative(a, "world")), HasSubstr("its derivative is not known"));
  EXPECT_THAT(message(values, symbol({"m", {{"i", true}}})), HasSubstr("outside of its sum"));
  values.definitions[named("m", "bus")] = scaled(number(2), symbol(named("m", "bus")));
  EXPECT_THAT(message(values, s), HasSubstr("defined by itself"));
  const Expr third = derivative(derivative(derivative(number(1), "world"), "world"), "world");
  EXPECT_THAT(message(values, third), HasSubstr("beyond the second"));
}

}  // namespace algebra_test
}  // namespace gyrostat
