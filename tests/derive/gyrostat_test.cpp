// The equations of a dual-spin gyrostat, on its JSON, against the textbook's, term by term.
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/print.h"

#include "support/load.h"

namespace gyrostat {
namespace gyrostat_test {

using Json = nlohmann::json;

Json dual_spin() {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/dual_spin/dual_spin.yaml");
  EXPECT_TRUE(loaded.model);
  return Json::parse(derive::print_json(derive::derive_equations(*loaded.model)));
}

Json symbol_json(const char* letter, const char* type, const std::vector<std::string>& indices) {
  return {{"op", "symbol"}, {"type", type}, {"letter", letter}, {"indices", indices}};
}
Json node(const char* op, const char* type, std::vector<Json> of) {
  return {{"op", op}, {"type", type}, {"of", std::move(of)}};
}
Json rate_json(const Json& of) {
  return {{"op", "derivative"}, {"type", of.at("type")}, {"frame", "world"}, {"of", {of}}};
}
std::vector<std::pair<std::string, Json>> terms(const Json& side) {
  std::vector<std::pair<std::string, Json>> list;
  for (const Json& term : side) list.emplace_back(term.at("group"), term.at("value"));
  return list;
}

/// Hughes, Spacecraft Attitude Dynamics: I w' + J s' a = -w x (I w + J s a), J (a.w' + s') = g.
TEST(Gyrostat, HasTheEquationsOfTheTextbook) {
  const Json json = dual_spin();
  const Json Phi = symbol_json("Phi", "dyadic", {"platform"}), w = symbol_json("omega", "vector", {"platform"}),
             I = symbol_json("I", "scalar", {"rotor"}), h = symbol_json("h", "vector", {"rotor"}),
             s = symbol_json("Omega", "scalar", {"rotor"}), L = symbol_json("L", "vector", {"platform"}),
             etaG = symbol_json("etaG", "vector", {"base"});
  const auto wheel_term = [&](const Json& of) {
    return node("scaled", "vector", {I, node("scaled", "vector", {of, h})});
  };
  const Json gyroscopic = node("minus", "vector", {node("cross", "vector", {w, L})});
  using Terms = std::vector<std::pair<std::string, Json>>;
  std::multiset<std::string> found;
  for (const Json& e : json.at("equations")) {
    if (e.at("kind") == "rotation") {
      EXPECT_EQ(terms(e.at("left")), (Terms{{"inertia", node("dot", "vector", {Phi, rate_json(w)})},
                                            {"inertia", wheel_term(rate_json(s))}}));
      EXPECT_EQ(terms(e.at("right")), (Terms{{"gyroscopic", gyroscopic}}));
      found.insert("rotation");
    }
    if (e.at("kind") != "reduced") continue;
    if (e.at("of") == "rotor") {
      const Json uz = symbol_json("u", "scalar", {"base", "z"});
      EXPECT_EQ(terms(e.at("left")), (Terms{{"inertia", node("scaled", "scalar", {I, rate_json(uz)})},
                                            {"inertia", node("scaled", "scalar", {I, rate_json(s)})}}));
      EXPECT_TRUE(e.at("right").empty()) << "the bearing has no friction and no motor";
      found.insert("rotor");
    }
    for (const std::string axis : {"x", "y", "z"}) {
      if (e.at("title") != "base.omega_" + axis) continue;
      // A w1' = q1 . (-w x L): of principal axes no products of inertia remain; the rotor spins about z
      const Json q = symbol_json("q", "vector", {"base", axis}), u = symbol_json("u", "scalar", {"base", axis});
      const Json A = node("dot", "scalar", {q, node("dot", "vector", {Phi, q})});
      Terms left = {{"inertia", node("scaled", "scalar", {A, rate_json(u)})}};
      if (axis == "z") left.emplace_back("inertia", node("scaled", "scalar", {I, rate_json(s)}));
      EXPECT_EQ(terms(e.at("left")), left) << axis;
      EXPECT_EQ(terms(e.at("right")), (Terms{{"gyroscopic", node("dot", "scalar", {q, etaG})}})) << axis;
      found.insert(axis);
    }
  }
  for (const Json& d : json.at("symbols")) {
    if (d.at("symbol").at("letter") == "L") {
      EXPECT_EQ(d.at("value"), node("sum", "vector", {node("dot", "vector", {Phi, w}), wheel_term(s)}));
      found.insert("L");
    }
    if (d.at("symbol").at("letter") == "etaG") {
      EXPECT_EQ(d.at("value"), gyroscopic);
      found.insert("etaG");
    }
  }
  EXPECT_EQ(found, (std::multiset<std::string>{"rotation", "rotor", "x", "y", "z", "L", "etaG"}));
}

// --- multiplied out --------------------------------------------------------------------------------------------------

/// Products of letters, in order of the alphabet, and how often they stand in a sum.
using Polynomial = std::map<std::vector<std::string>, double>;

Polynomial letter(const std::string& name) { return {{{name}, 1}}; }
Polynomial number(double value) { return value == 0 ? Polynomial{} : Polynomial{{{}, value}}; }
Polynomial operator+(Polynomial a, const Polynomial& b) {
  for (const auto& [product, count] : b) {
    if ((a[product] += count) == 0) a.erase(product);
  }
  return a;
}
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial all;
  for (const auto& [left, m] : a) {
    for (const auto& [right, n] : b) {
      std::vector<std::string> product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::ranges::sort(product);
      all = all + Polynomial{{product, m * n}};
    }
  }
  return all;
}

/// Of a scalar one, of a vector its components in the platform's axes, of a dyadic nine.
using Components = std::vector<Polynomial>;

Components scaled(const Polynomial& by, Components of) {
  for (Polynomial& one : of) one = by * one;
  return of;
}

/// Expressions of the JSON, multiplied out. The platform's moments of inertia become I1, I2 and I3, the rotor's J, its
/// speed S, the platform's angular velocity w1, w2, w3; a rate has a prime.
class Expansion {
 public:
  explicit Expansion(const Json& json) : symbols_(json.at("symbols")) {}

  Components operator()(const Json& e) const {
    const std::string op = e.at("op"), type = e.at("type");
    if (op == "number") return {number(e.at("value"))};
    if (op == "symbol") return of_symbol(e);
    std::vector<Components> of;
    if (op == "derivative") {
      EXPECT_EQ(type, "scalar");
      EXPECT_EQ(e.at("of")[0].at("op"), "symbol");
      return {letter((*this)(e.at("of")[0]).at(0).begin()->first.at(0) + "'")};
    }
    for (const Json& operand : e.at("of")) of.push_back((*this)(operand));
    if (op == "minus") return scaled(number(-1), of.at(0));
    if (op == "scaled") return scaled(of.at(0).at(0), of.at(1));
    if (op == "sum") {
      for (std::size_t k = 1; k < of.size(); ++k) {
        for (std::size_t c = 0; c < of[0].size(); ++c) of[0][c] = of[0][c] + of[k].at(c);
      }
      return of[0];
    }
    const Components &a = of.at(0), &b = of.at(1);
    if (op == "cross") {
      Components c(3);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        c[k] = a.at(i) * b.at(j) + number(-1) * (a.at(j) * b.at(i));
      }
      return c;
    }
    if (op == "dot" && a.size() == 3 && b.size() == 3) return {a[0] * b[0] + a[1] * b[1] + a[2] * b[2]};
    if (op == "dot" && a.size() == 9 && b.size() == 3) {
      Components c(3);
      for (std::size_t k = 0; k < 9; ++k) c[k / 3] = c[k / 3] + a[k] * b[k % 3];
      return c;
    }
    ADD_FAILURE() << "not expected: " << e.dump();
    return {};
  }

 private:
  Components of_symbol(const Json& e) const {
    for (const Json& d : symbols_) {
      if (d.at("symbol").at("letter") != e.at("letter") || d.at("symbol").at("indices") != e.at("indices")) continue;
      if (d.contains("value") && !d.at("value").is_null()) return (*this)(d.at("value"));
      const std::string name = e.at("letter");
      if (name == "I") return {letter("J")};
      if (name == "Omega") return {letter("S")};
      if (name == "u") return {letter(std::string("w") + "123"[e.at("indices")[1].get<std::string>()[0] - 'x'])};
      const Json& constant = d.at("constant");
      EXPECT_EQ(constant.at("frame"), "platform");
      const auto c = constant.at("components").get<std::vector<double>>();
      if (name == "Phi") {
        EXPECT_EQ(c, (std::vector<double>{450, 380, 300, 0, 0, 0})) << "principal axes";
        return {letter("I1"), {}, {}, {}, letter("I2"), {}, {}, {}, letter("I3")};
      }
      return {number(c.at(0)), number(c.at(1)), number(c.at(2))};
    }
    ADD_FAILURE() << "not defined: " << e.dump();
    return {};
  }

  const Json& symbols_;
};

/// Euler's equations of a gyrostat whose rotor spins about the third axis, with its momentum J S:
/// I1 w1' - (I2 - I3) w2 w3 + J S w2 = 0, I2 w2' - (I3 - I1) w3 w1 - J S w1 = 0,
/// I3 w3' + J S' - (I1 - I2) w1 w2 = 0, J (w3' + S') = 0.
TEST(Gyrostat, MultipliedOutHasEulersEquationsWithTheMomentumOfTheRotor) {
  const Json json = dual_spin();
  const Expansion expanded(json);
  using Sides = std::pair<Polynomial, Polynomial>;
  const std::map<std::string, Sides> textbook = {
      {"base.omega_x",
       {{{{"I1", "w1'"}, 1}}, {{{"I2", "w2", "w3"}, 1}, {{"I3", "w2", "w3"}, -1}, {{"J", "S", "w2"}, -1}}}},
      {"base.omega_y",
       {{{{"I2", "w2'"}, 1}}, {{{"I3", "w1", "w3"}, 1}, {{"I1", "w1", "w3"}, -1}, {{"J", "S", "w1"}, 1}}}},
      {"base.omega_z", {{{{"I3", "w3'"}, 1}, {{"J", "S'"}, 1}}, {{{"I1", "w1", "w2"}, 1}, {{"I2", "w1", "w2"}, -1}}}},
      {"platform.rotor.rate", {{{{"J", "w3'"}, 1}, {{"J", "S'"}, 1}}, {}}}};
  std::map<std::string, Sides> derived;
  for (const Json& e : json.at("equations")) {
    if (e.at("kind") != "reduced" || e.at("title").get<std::string>().starts_with("base.velocity")) continue;
    const auto side = [&](const char* name) {
      Polynomial sum;
      for (const Json& term : e.at(name)) sum = sum + expanded(term.at("value")).at(0);
      return sum;
    };
    derived[e.at("title")] = {side("left"), side("right")};
  }
  EXPECT_EQ(derived, textbook);
}

}  // namespace gyrostat_test
}  // namespace gyrostat
