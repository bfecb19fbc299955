// Every rule of the simplifier, by evaluation: what it makes has the value of what it was given.
#include "gyrostat/derive/simplify.h"

#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "gyrostat/derive/evaluate.h"
#include "gyrostat/derive/letters.h"

#include "support/random_model.h"

namespace gyrostat {
namespace simplify_test {

using namespace derive;
using testing::Random;

const std::vector<std::string> members = {"one", "two", "three", "four"};

Symbol named(const char* letter, const std::string& index) { return {letter, {{index, false}}}; }
Expr scalar(const std::string& index) { return symbol(named("m", index)); }
Expr vector(const std::string& index) { return symbol(named("omega", index)); }
Expr dyadic(const std::string& index) { return symbol(named("Phi", index)); }
Expr running(const char* letter) { return symbol({letter, {{"i", true}}}); }

/// What the tests know: "zero" vanishes, "other" is "one", and some vectors are fixed in the frame "bus".
Knowledge knowledge() {
  Knowledge known;
  known.aliases[named("omega", "zero")] = zero(Type::vector);
  known.aliases[named("m", "zero")] = zero(Type::scalar);
  known.aliases[named("omega", "other")] = vector("one");
  known.fixed[named("alpha", "x")] = {{"bus", Vector3::UnitX()}};
  known.fixed[named("alpha", "y")] = {{"bus", Vector3::UnitY()}};
  known.fixed[named("alpha", "minus_x")] = {{"bus", -Vector3::UnitX()}};
  known.fixed[named("alpha", "long_x")] = {{"bus", 3 * Vector3::UnitX()}, {"hub", Vector3::UnitZ()}};
  known.fixed_dyadics[named("Phi", "bus")] = {{"bus", Vector3(1, 2, 3).asDiagonal()}};
  return known;
}

/// Random values of all symbols, with what is known of them true.
Values random_values(std::uint64_t seed) {
  Random random(seed);
  Values values;
  const auto jet = [&](auto make) { return Jet{Value(make()), Value(make()), Value(make())}; };
  for (const std::string& index : members) {
    values.given[named("m", index)] = jet([&] { return random.uniform(-2, 2); });
    values.given[named("omega", index)] = jet([&] { return random.vector(); });
    values.given[named("Phi", index)] = jet([&] {
      Matrix3 m;
      m << random.vector(), random.vector(), random.vector();
      return m;
    });
  }
  const Vector3 none = Vector3::Zero();
  values.given[named("omega", "zero")] = {Value(none), Value(none), Value(none)};
  values.given[named("m", "zero")] = {Value(0.0), Value(0.0), Value(0.0)};
  values.given[named("omega", "other")] = values.given[named("omega", "one")];
  const Matrix3 R = random.rotation();
  const Vector3 w = random.vector(), w_dot = random.vector();
  values.given[named("omega", "bus")] = {Value(w), Value(w_dot), Value(none)};
  const Matrix3 inertia = R * Vector3(1, 2, 3).asDiagonal() * R.transpose();
  values.set(named("Phi", "bus"), inertia);
  for (const auto& [symbol, frames] : knowledge().fixed) {
    const Vector3 v = R * frames.at("bus"), first = w.cross(v);
    values.given[symbol] = {Value(v), Value(first), Value(Vector3(w_dot.cross(v) + w.cross(first)))};
  }
  return values;
}

double difference(const Value& a, const Value& b) {
  return std::abs(a.scalar - b.scalar) + (a.vector - b.vector).norm() + (a.dyadic - b.dyadic).norm();
}

void expect_same_value(const Expr& a, const Expr& b, const std::string& what) {
  ASSERT_EQ(a->type, b->type) << what;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Values values = random_values(seed);
    Evaluator evaluate(values);
    const Value before = evaluate(a), after = evaluate(b);
    EXPECT_LT(difference(before, after), 1e-13 * (1 + before.norm())) << what << ", seed " << seed;
  }
}

Range range(std::vector<std::string> of) { return {"i", named("S", "base"), std::move(of), {}}; }

/// For each rule, expressions that it applies to.
std::map<std::string, std::vector<Expr>> cases() {
  const Expr a = vector("one"), b = vector("two"), c = vector("three"), s = scalar("one"), t = scalar("two");
  const Expr D = dyadic("one"), O = zero(Type::vector), x = symbol(named("alpha", "x")),
             y = symbol(named("alpha", "y"));
  const auto plus = [](std::vector<Expr> terms) {
    const Type type = terms.front()->type;
    return sum(std::move(terms), type);
  };
  return {
      {"alias", {vector("zero"), vector("other"), scalar("zero")}},
      {"number_zero", {number(0)}},
      {"negative_number", {number(-3)}},
      {"nested_sum", {plus({a, plus({b, c})}), plus({a, negative(plus({b, c}))}), plus({plus({s, t}), s})}},
      {"zero_term", {plus({a, O}), plus({O, O}), plus({D, zero(Type::dyadic), D}), plus({zero(Type::scalar), s})}},
      {"opposite_terms",
       {plus({a, b, negative(a)}), plus({negative(s), s}), plus({negative(D), a->type == b->type ? D : D})}},
      {"zero_factor",
       {scaled(zero(Type::scalar), a), scaled(s, O), dot(O, a), dot(D, O), cross(a, O), dyad(O, a), negative(O),
        derivative(O, "world"), over(range(members), O)}},
      {"double_negative", {negative(negative(a)), negative(negative(D))}},
      {"negative_sum", {negative(plus({a, b})), negative(plus({s, negative(t)}))}},
      {"sign_out",
       {cross(negative(a), b), cross(negative(a), negative(b)), dot(D, negative(a)), dyad(a, negative(b)),
        scaled(negative(s), a), derivative(negative(a), "bus"), over(range(members), negative(running("omega")))}},
      {"scalar_out", {cross(scaled(s, a), b), cross(a, scaled(s, b)), dot(D, scaled(s, a)), dyad(scaled(s, a), b)}},
      {"unit_factor", {scaled(number(1), a), scaled(s, number(1))}},
      {"number_factors",
       {scaled(number(2), number(3)), scaled(s, number(3)), scaled(number(2), scaled(number(3), a)),
        scaled(s, scaled(number(3), a))}},
      {"self_cross", {cross(a, a), cross(plus({a, b}), plus({a, b}))}},
      {"unit_dyadic_factor", {dot(unit_dyadic(), a), dot(a, unit_dyadic()), dot(unit_dyadic(), D)}},
      {"derivative_of_constant", {derivative(number(3), "world"), derivative(unit_dyadic(), "bus")}},
      {"derivative_of_fixed", {derivative(x, "bus")}},
      {"fixed_dot", {dot(x, y), dot(x, x), dot(x, symbol(named("alpha", "minus_x")))}},
      {"fixed_dyadic", {dot(x, dot(symbol(named("Phi", "bus")), y))}},
      {"fixed_cross", {cross(x, symbol(named("alpha", "minus_x"))), cross(symbol(named("alpha", "long_x")), x)}},
      {"without_zeros", {over(range({"one", "zero", "two", "three"}), running("omega"))}},
      {"short_range", {over(range({"one", "two"}), cross(running("omega"), a)), over(range({}), running("Phi"))}},
  };
}

TEST(Simplify, EveryRuleKeepsTheValueOfWhatItAppliesTo) {
  const Knowledge known = knowledge();
  const auto by_rule = cases();
  for (const Rule& rule : rules()) {
    const auto found = by_rule.find(std::string(rule.name));
    ASSERT_NE(found, by_rule.end()) << rule.name << " has no test";
    for (const Expr& e : found->second) {
      const Expr made = rule.apply(e, known);
      ASSERT_NE(made, nullptr) << rule.name << " does not apply to its example";
      EXPECT_FALSE(same(made, e)) << rule.name;
      expect_same_value(e, made, std::string(rule.name));
    }
  }
  EXPECT_EQ(by_rule.size(), rules().size()) << "an example of a rule that does not exist";
}

TEST(Simplify, LeavesAloneWhatNoRuleIsAbout) {
  const Knowledge known = knowledge();
  const Expr a = vector("one"), b = vector("two"), x = symbol(named("alpha", "x"));
  for (const Expr& e : {a, cross(a, b), dot(dyadic("one"), a), derivative(x, "hub"), dot(x, a),
                        dot(x, symbol(named("alpha", "long_x"))),
                        over(range({"one", "two", "three"}), running("omega")), sum({a, negative(b)}, Type::vector)}) {
    EXPECT_EQ(simplified(e, known), e);
  }
}

/// A random expression of a type, with symbols that vanish and numbers among its parts.
Expr random_expression(Random& random, Type type, int depth) {
  const auto part = [&](Type of) { return random_expression(random, of, depth - 1); };
  const std::vector<std::string> names = {"one", "two", "three", "four"};
  const std::string& name = names[random.index(names.size())];
  if (depth == 0 || random.chance(0.15)) {
    if (random.chance(0.12)) return zero(type);
    if (type == Type::scalar)
      return random.chance(0.3) ? number(static_cast<double>(random.index(4)) - 1) : scalar(name);
    if (type == Type::dyadic) return random.chance(0.3) ? unit_dyadic() : dyadic(name);
    const std::vector<Symbol> more = {named("omega", "zero"), named("omega", "other"),   named("alpha", "x"),
                                      named("alpha", "y"),    named("alpha", "minus_x"), named("omega", name)};
    return symbol(more[random.index(more.size())]);
  }
  switch (random.index(type == Type::vector ? 8 : 6)) {
    case 0: return sum({part(type), part(type), part(type)}, type);
    case 1: return negative(part(type));
    case 2: return scaled(part(Type::scalar), part(type));
    case 3:
      if (type == Type::scalar) return dot(part(Type::vector), part(Type::vector));
      if (type == Type::dyadic) return dyad(part(Type::vector), part(Type::vector));
      return dot(part(Type::dyadic), part(Type::vector));
    case 4:
      return over(range({"one", "zero", "two"}),
                  type == Type::vector ? cross(running("omega"), part(type)) : part(type));
    case 5: return random.chance(0.5) ? part(type) : sum({part(type), negative(part(type))}, type);
    case 6: return cross(part(Type::vector), part(Type::vector));
    default: return dot(part(Type::vector), part(Type::dyadic));
  }
}

TEST(Simplify, KeepsTheValueOfRandomExpressionsAndMakesThemNoLonger) {
  const Knowledge known = knowledge();
  std::size_t shorter = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed);
    const auto type = static_cast<Type>(random.index(3));
    const Expr e = random_expression(random, type, 4);
    const Expr made = simplified(e, known);
    ASSERT_EQ(made->type, type);
    const Values values = random_values(seed);
    Evaluator evaluate(values);
    const Value before = evaluate(e), after = evaluate(made);
    ASSERT_LT(difference(before, after), 1e-11 * (1 + before.norm() + after.norm())) << "seed " << seed;
    ASSERT_TRUE(same(simplified(made, known), made)) << "seed " << seed << ": not in its shortest form";
    shorter += size_of(made) < size_of(e) ? 1 : 0;
  }
  EXPECT_GT(shorter, 1000U);
}

}  // namespace simplify_test
}  // namespace gyrostat
