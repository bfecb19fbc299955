#include "gyrostat/expression/vectors.h"

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "gyrostat/expression/constant.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat::expression {
namespace {

using std::numbers::pi;

/// Names with values: vectors in axes, attitudes of bodies, numbers.
class World {
 public:
  void number(const std::string& name, double value) {
    symbols_[name] = {{}, {name}};
    numbers_[name] = value;
  }
  void vector(const std::string& name, const Vector3& v, const std::string& axes = {}) {
    symbols_[name] = {{Type::vector, axes}, {name + "_x", name + "_y", name + "_z"}};
    for (int k = 0; k < 3; ++k) numbers_[symbols_[name].components[static_cast<std::size_t>(k)]] = v[k];
  }
  void attitude(const std::string& body, const Matrix3& R, bool with_matrix) {
    Symbol s{{Type::rotation, "world", body}, {}};
    const Quaternion q = to_quaternion(R);
    for (const auto& [letter, value] : {std::pair{'w', q.w}, {'x', q.x}, {'y', q.y}, {'z', q.z}}) {
      s.components.push_back(body + ".q" + letter);
      numbers_[s.components.back()] = value;
    }
    for (int k = 0; with_matrix && k < 9; ++k) {
      s.matrix.push_back(body + ".R" + std::to_string(k));
      numbers_[s.matrix.back()] = R(k / 3, k % 3);
    }
    symbols_[body + ".attitude"] = s;
  }
  void definition(const std::string& name, const ValueKind& kind, const std::string& text) {
    symbols_[name] = {kind, {}, {}, text};
  }

  [[nodiscard]] std::variant<Lowered, Complaint> lower(const std::string& text) const {
    const Parsed parsed = parse(text);
    if (parsed.complaint) return *parsed.complaint;
    return lower_vectors(parsed.expression, [this](std::string_view name) -> std::optional<Symbol> {
      const auto found = symbols_.find(std::string(name));
      return found == symbols_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  [[nodiscard]] std::vector<double> values(const std::string& text) const {
    const auto lowered = lower(text);
    if (const auto* complaint = std::get_if<Complaint>(&lowered)) {
      ADD_FAILURE() << text << ": " << complaint->message;
      return {};
    }
    std::vector<double> list;
    for (const Expression& e : std::get<Lowered>(lowered).components) {
      const auto value = evaluate_constant(e, [this](std::string_view name) -> std::variant<Constant, std::string> {
        return Constant{numbers_.at(std::string(name)), std::nullopt};
      });
      if (const auto* complaint = std::get_if<Complaint>(&value)) {
        ADD_FAILURE() << text << ": " << complaint->message;
        return {};
      }
      list.push_back(std::get<Constant>(value).value);
    }
    return list;
  }
  [[nodiscard]] double number_of(const std::string& text) const {
    const auto list = values(text);
    EXPECT_EQ(list.size(), 1U) << text;
    return list.empty() ? NAN : list[0];
  }
  [[nodiscard]] Vector3 vector_of(const std::string& text) const {
    const auto list = values(text);
    EXPECT_EQ(list.size(), 3U) << text;
    return list.size() == 3 ? Vector3(list[0], list[1], list[2]) : Vector3::Constant(NAN);
  }
  [[nodiscard]] Matrix3 rotation_of(const std::string& text) const {
    const auto list = values(text);
    EXPECT_EQ(list.size(), 4U) << text;
    return list.size() == 4 ? to_rotation({list[0], list[1], list[2], list[3]}) : Matrix3::Constant(NAN);
  }
  [[nodiscard]] ValueKind kind_of(const std::string& text) const { return std::get<Lowered>(lower(text)).kind; }
  [[nodiscard]] std::string complaint(const std::string& text) const {
    const auto lowered = lower(text);
    const auto* found = std::get_if<Complaint>(&lowered);
    return found == nullptr ? "(nothing)" : found->message;
  }

 private:
  std::map<std::string, Symbol> symbols_;
  std::map<std::string, double> numbers_;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double low = -2, double high = 2) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vector3 vector() { return {number(), number(), number()}; }
  Matrix3 rotation() { return rotation_about(vector().normalized(), number(-pi, pi)); }

 private:
  std::mt19937 engine_;
};

void expect_near(const Vector3& a, const Vector3& b) { EXPECT_LT((a - b).norm(), 1e-13) << a << "\n\n" << b; }
void expect_near(const Matrix3& a, const Matrix3& b) { EXPECT_LT((a - b).norm(), 1e-13) << a << "\n\n" << b; }

TEST(Vectors, AlgebraIsThatOfVectors) {
  Random random(1);
  for (int n = 0; n < 50; ++n) {
    World w;
    const Vector3 a = random.vector(), b = random.vector();
    const double k = random.number();
    w.vector("a", a, "bus");
    w.vector("b", b, "bus");
    w.number("k", k);
    expect_near(w.vector_of("a + 2*b - b/k"), a + 2 * b - b / k);
    expect_near(w.vector_of("-a*k"), -a * k);
    EXPECT_NEAR(w.number_of("dot(a, b)"), a.dot(b), 1e-14);
    expect_near(w.vector_of("cross(a, b)"), a.cross(b));
    EXPECT_NEAR(w.number_of("norm(a - b)"), (a - b).norm(), 1e-14);
    expect_near(w.vector_of("unit(a)"), a.normalized());
    EXPECT_NEAR(w.number_of("angle(a, b)"), std::atan2(a.cross(b).norm(), a.dot(b)), 1e-14);
    EXPECT_NEAR(w.number_of("sum(a)"), a.sum(), 1e-14);
    EXPECT_NEAR(w.number_of("sum(k, 2, k)"), 2 * k + 2, 1e-14);
    expect_near(w.vector_of("sum(a, b, a)"), 2 * a + b);
    EXPECT_NEAR(w.number_of("cross(a, b).y + (a).z - [k, 2, 3].x"), a.cross(b).y() + a.z() - k, 1e-14);
    expect_near(w.vector_of("k > 0 ? a : b"), k > 0 ? a : b);
    expect_near(w.vector_of("if(k > 0, [k, 0, 1], a)"), k > 0 ? Vector3(k, 0, 1) : a);
    expect_near(w.vector_of("clamp(a, -1, 1)"), a.cwiseMax(-1).cwiseMin(1));
    expect_near(w.vector_of("clamp(a, -[1, 2, 0.5], [1, 2, 0.5])"),
                a.cwiseMax(-Vector3(1, 2, 0.5)).cwiseMin(Vector3(1, 2, 0.5)));
  }
}

TEST(Vectors, AreExpressedInOtherAxes) {
  Random random(2);
  for (int n = 0; n < 50; ++n) {
    World w;
    const Matrix3 R_bus = random.rotation(), R_panel = random.rotation();
    const Vector3 v = random.vector();
    w.attitude("bus", R_bus, true);
    w.attitude("panel", R_panel, false);
    w.vector("inertial", v, "world");
    w.vector("local", v, "panel");
    expect_near(w.vector_of("in(bus, inertial)"), R_bus.transpose() * v);
    expect_near(w.vector_of("in(panel, inertial)"), R_panel.transpose() * v);
    expect_near(w.vector_of("in(world, local)"), R_panel * v);
    expect_near(w.vector_of("in(bus, local)"), R_bus.transpose() * R_panel * v);
    expect_near(w.vector_of("in(panel, local)"), v);
    EXPECT_EQ(w.kind_of("in(bus, local) + in(bus, inertial)").axes, "bus");
    EXPECT_EQ(w.kind_of("in(world, local)").axes, "world");
    EXPECT_EQ(w.kind_of("[1, 2, 3] + local").axes, "panel");
    EXPECT_EQ(w.kind_of("[1, 2, 3]").axes, "");
  }
}

TEST(Vectors, RotationsAreThoseOfMatrices) {
  Random random(3);
  for (int n = 0; n < 100; ++n) {
    World w;
    const Matrix3 A = random.rotation(), B = random.rotation();
    const Vector3 v = random.vector(), axis = random.vector();
    const double turn = random.number(-3, 3), s = random.number(0, 1);
    w.attitude("a", A, n % 2 == 0);
    w.attitude("b", B, n % 3 == 0);
    w.vector("v", v, "b");
    w.vector("axis", axis);
    w.number("turn", turn);
    w.number("s", s);
    expect_near(w.vector_of("rotate(b.attitude, v)"), B * v);
    expect_near(w.vector_of("rotate(attitude(a, b), v)"), A.transpose() * B * v);
    EXPECT_EQ(w.kind_of("rotate(attitude(a, b), v)").axes, "a");
    expect_near(w.rotation_of("attitude(a, b)"), A.transpose() * B);
    expect_near(w.rotation_of("attitude(world, b)"), B);
    expect_near(w.rotation_of("attitude(b, world)"), B.transpose());
    expect_near(w.rotation_of("inverse(inverse(a.attitude)*b.attitude)"), B.transpose() * A);
    expect_near(w.rotation_of("rotation(axis, turn)"), rotation_about(axis.normalized(), turn));
    expect_near(w.rotation_of("quaternion(2, 0, 2, 0)"), rotation_about(Vector3::UnitY(), pi / 2));
    // error_vector: sines of half the angles, of the shorter way
    const Eigen::AngleAxisd error(B.transpose() * A);
    expect_near(w.vector_of("error_vector(a.attitude, b.attitude)"), 2 * std::sin(error.angle() / 2) * error.axis());
    EXPECT_EQ(w.kind_of("error_vector(a.attitude, b.attitude)").axes, "a");
    expect_near(w.vector_of("error_vector(a.attitude, a.attitude)"), Vector3::Zero());
    // slerp turns about a fixed axis in proportion
    const Eigen::AngleAxisd between(A.transpose() * B);
    expect_near(w.rotation_of("slerp(a.attitude, b.attitude, s)"),
                A * rotation_about(between.axis(), s * between.angle()));
    expect_near(w.rotation_of("slerp(a.attitude, a.attitude, s)"), A);
    expect_near(w.rotation_of("turn > 0 ? a.attitude : b.attitude"), turn > 0 ? A : B);
  }
}

TEST(Vectors, EulerAnglesOfAllSequencesGiveTheRotationBack) {
  Random random(4);
  for (const std::string sequence :
       {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"}) {
    const bool proper = sequence[0] == sequence[2];
    for (int n = 0; n < 30; ++n) {
      const Vector3 angles(random.number(-3, 3), proper ? random.number(0.1, 3) : random.number(-1.5, 1.5),
                           random.number(-3, 3));
      Matrix3 R = Matrix3::Identity();
      for (int k = 0; k < 3; ++k)
        R = R * rotation_about(Vector3::Unit(sequence[static_cast<std::size_t>(k)] - 'x'), angles[k]);
      World w;
      w.attitude("bus", R, n % 2 == 0);
      const Vector3 found = w.vector_of("euler_angles(bus.attitude, " + sequence + ")");
      EXPECT_LT((found - angles).norm(), 1e-12) << sequence << "\n" << found << "\n\n" << angles;
    }
  }
}

TEST(Vectors, DefinitionsStandForWhatTheySay) {
  World w;
  w.vector("v", {1, 2, 3}, "world");
  w.definition("twice", {Type::vector, "world"}, "2*v");
  expect_near(w.vector_of("twice + v"), Vector3(3, 6, 9));
  w.definition("endless", {Type::vector, "world"}, "endless + v");
  EXPECT_NE(w.complaint("endless").find("in terms of itself"), std::string::npos);
}

TEST(Vectors, WhatMakesNoSenseIsSaid) {
  World w;
  w.attitude("bus", Matrix3::Identity(), true);
  w.attitude("panel", Matrix3::Identity(), true);
  w.vector("omega", {1, 2, 3}, "bus");
  w.vector("nadir", {1, 2, 3}, "world");
  w.vector("other", {1, 2, 3}, "panel");
  w.number("k", 2);
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"omega + nadir",
            "one vector is in axes of bus, the other in world axes; in(bus, v) expresses a vector in axes of bus"},
           {"nadir - other", "in(panel, v) expresses a vector in axes of panel"},
           {"dot(omega, other)", "one vector is in axes of bus, the other in axes of panel"},
           {"cross(nadir, omega)", "in(bus, v)"},
           {"omega + k", "one side is a vector in axes of bus, the other a number"},
           {"omega*omega", "dot(a, b) or cross(a, b)"},
           {"k/omega", "norm(v)"},
           {"omega^2", "dot(v, v)"},
           {"sin(omega)", "sin takes numbers, not a vector in axes of bus"},
           {"omega > 1", "takes numbers"},
           {"abs(omega)", "norm(v)"},
           {"min(omega, 1)", "min takes numbers"},
           {"mod(omega, 2)", "mod takes numbers, not a vector in axes of bus; use norm(v)"},
           {"round (omega)", "round takes numbers, not a vector"},
           {"hypot(1, omega)", "hypot takes numbers, not a vector"},
           {"ceil(bus.attitude)", "ceil takes numbers, not a rotation"},
           {"attitude(bus, panel)*omega", "rotate(R, v)"},
           {"if(omega, 1, 2)", "a condition needs a number"},
           {"norm(k)", "norm needs a vector, not a number"},
           {"cross(k, omega)", "cross needs a vector, not a number"},
           {"in(bus, k)", "in needs a vector"},
           {"in(bus, [1, 2, 3])", "fits any axes already"},
           {"[omega, 1, 2]", "a component of a vector needs a number"},
           {"(k).x", "needs a vector, not a number"},
           {"-bus.attitude", "inverse(R)"},
           {"bus.attitude + bus.attitude", "R1*R2"},
           {"bus.attitude*omega", "rotate(R, v)"},
           {"bus.attitude*panel.attitude",
            "takes components from axes of bus, but the second gives them in world axes"},
           {"rotate(bus.attitude, nadir)", "takes vectors in axes of bus, not in world axes"},
           {"rotate(omega, bus.attitude)", "the first argument of rotate is a rotation"},
           {"rotation(k, 1)", "the axis of rotation is a vector"},
           {"rotation(omega, omega)", "the angle of rotation is a number"},
           {"error_vector(bus.attitude, omega)", "error_vector needs a rotation"},
           {"error_vector(bus.attitude, attitude(panel, bus))", "give both relative to the same axes"},
           {"slerp(bus.attitude, bus.attitude, omega)", "the third argument of slerp is a number"},
           {"euler_angles(bus.attitude, zyy)", "'zyy' is not a sequence of axes"},
           {"euler_angles(omega, zyx)", "euler_angles needs a rotation"},
           {"k ? omega : nadir", "one vector is in axes of bus"},
           {"k ? omega : 1", "the other a number"},
           {"omega ? 1 : 2", "a condition needs a number"},
           {"unit(bus.attitude)", "unit needs a vector, not a rotation"}}) {
    EXPECT_NE(w.complaint(text).find(message), std::string::npos) << text << "\n  " << w.complaint(text);
  }
}

TEST(Vectors, AnUnknownNameIsAllThatIsLeft) {
  World w;
  w.vector("v", {1, 2, 3}, "world");
  const auto lowered = std::get<Lowered>(w.lower("cross(v, nothing) + in(nobody, v)"));
  EXPECT_TRUE(lowered.unknown_names);
  ASSERT_EQ(lowered.components.size(), 1U);
  EXPECT_EQ(lowered.components[0].names, (std::vector<std::string>{"nothing", "nobody.attitude"}));
}

TEST(Vectors, NothingIsComputedWithZeros) {
  World w;
  w.vector("v", {1, 2, 3}, "world");
  const auto lowered = std::get<Lowered>(w.lower("cross([0, 0, 1], v)"));
  EXPECT_EQ(lowered.components[0].nodes.size(), 2U) << "-v_y";
  EXPECT_EQ(lowered.components[1].nodes.size(), 1U) << "v_x";
  EXPECT_EQ(lowered.components[2].nodes.size(), 1U) << "0";
  EXPECT_EQ(lowered.components[0].part, 'x');
  EXPECT_EQ(lowered.components[2].part, 'z');
}

TEST(Vectors, DeepNestsAreRefusedAndNotEndless) {
  World w;
  w.vector("v", {1, 2, 3}, "world");
  std::string text = "v";
  for (int k = 0; k < 90; ++k) text = "cross(v, " + text + ")";
  EXPECT_TRUE(std::holds_alternative<Lowered>(w.lower(text))) << "shared parts are kept once";
}

TEST(Logic, BindsLikeTheWords) {
  World w;
  for (const double a : {0.0, 1.0}) {
    for (const double b : {0.0, 1.0}) {
      for (const double c : {0.0, 2.0}) {
        w.number("a", a);
        w.number("b", b);
        w.number("c", c);
        EXPECT_EQ(w.number_of("a or b and c"), (a != 0) || ((b != 0) && (c != 0)));
        EXPECT_EQ(w.number_of("not a and b"), (a == 0) && (b != 0));
        EXPECT_EQ(w.number_of("not (a and b)"), !((a != 0) && (b != 0)));
        EXPECT_EQ(w.number_of("a < b and b < c or not c > 1"), (a < b && b < c) || !(c > 1));
        EXPECT_EQ(w.number_of("a and b ? 5 : 7"), a != 0 && b != 0 ? 5 : 7);
        EXPECT_EQ(w.number_of("if(a or b, 1, -1)"), a != 0 || b != 0 ? 1 : -1);
      }
    }
  }
}

TEST(Functions, OfNumbers) {
  Random random(5);
  World w;
  for (int n = 0; n < 50; ++n) {
    const double x = random.number(-7, 7), y = random.number(0.1, 4);
    w.number("x", x);
    w.number("y", y);
    EXPECT_EQ(w.number_of("floor(x)"), std::floor(x));
    EXPECT_EQ(w.number_of("ceil(x)"), std::ceil(x));
    EXPECT_EQ(w.number_of("round(x)"), std::floor(x + 0.5));
    EXPECT_NEAR(w.number_of("mod(x, y)"), x - y * std::floor(x / y), 1e-14);
    EXPECT_NEAR(w.number_of("hypot(x, y)"), std::hypot(x, y), 1e-14);
    EXPECT_NEAR(w.number_of("sinh(x) + cosh(y)"), std::sinh(x) + std::cosh(y), 1e-12);
    EXPECT_NEAR(w.number_of("tanh(x) - asinh(y)"), std::tanh(x) - std::asinh(y), 1e-14);
  }
}

TEST(Units, StandInFormulas) {
  World w;
  w.number("re", 6.378e6);
  w.number("s", 3);
  EXPECT_DOUBLE_EQ(w.number_of("re + 500 km"), 6.878e6);
  EXPECT_DOUBLE_EQ(w.number_of("2*30 deg"), pi / 3);
  EXPECT_DOUBLE_EQ(w.number_of("sin(30 deg) + 1"), 1.5);
  EXPECT_DOUBLE_EQ(w.number_of("(3 N*m/rad)*0.5"), 1.5);
  EXPECT_DOUBLE_EQ(w.number_of("2 km/s"), 2000);
  EXPECT_DOUBLE_EQ(w.number_of("2 km*re"), 2000 * 6.378e6) << "re is no unit";
  EXPECT_DOUBLE_EQ(w.number_of("2 km * s"), 6000) << "a unit ends at a space";
  EXPECT_DOUBLE_EQ(w.number_of("60 rpm"), 2 * pi);
  expect_near(w.vector_of("[1 km, 0, -2 km]"), Vector3(1000, 0, -2000));
}

}  // namespace
}  // namespace gyrostat::expression
