// Loops: the rows of constraints by name, the forces of their multipliers, and what they demand of the accelerations.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/derive/builder.h"
#include "gyrostat/model/constraint_text.h"
#include "gyrostat/model/prescribed.h"

namespace gyrostat::derive {

namespace {

/// What constraints exert, by body.
struct ConstraintForces {
  std::map<std::uint32_t, std::vector<Expr>> forces, torques;
};

class LoopSymbols {
 public:
  LoopSymbols(Builder& builder, ConstraintForces& exerted)
      : b_(builder),
        exerted_(exerted),
        names_(b_.model.description),
        mechanism_(b_.system),
        constraints_(make_constraints(mechanism_)) {}

  void add_all() {
    std::size_t cut = 0, distance = 0, point = 0;
    for (const Constraint& one : b_.system.constraints) {
      name_ = one.name;
      if (std::holds_alternative<CutJoint>(one.kind)) {
        const auto& made = std::get<std::vector<CutJointConstraint<double>>>(constraints_.kinds)[cut++];
        const Joint& joint = std::get<CutJoint>(one.kind).joint;
        begin(one, joint.parent_node, joint.child_node, made.rows());
        for (std::size_t k = 0; k < made.translation_count; ++k) direction(made.translations[k].n, false);
        for (std::size_t k = 0; k < made.rotation_count; ++k) rotation(made.rotations[k].x, made.rotations[k].y);
      } else if (const auto* pair = std::get_if<Distance>(&one.kind)) {
        const auto& made = std::get<std::vector<DistanceConstraint<double>>>(constraints_.kinds)[distance++];
        begin(one, pair->parent_node, pair->child_node, made.rows());
        line();
      } else if (const auto* on_frame = std::get_if<PointOnFrame>(&one.kind)) {
        const auto& made = std::get<std::vector<PointOnFrameConstraint<double>>>(constraints_.kinds)[point++];
        begin(one, on_frame->frame_node, on_frame->point_node, made.rows());
        for (std::size_t k = 0; k < made.count; ++k) direction(made.directions[k], true);
      } else {
        coupling(one, std::get<Coupling>(one.kind));
      }
    }
  }

 private:
  /// The symbols of the two points, and the vector p between them.
  void begin(const Constraint& one, std::uint32_t node_a, std::uint32_t node_b, std::uint32_t rows) {
    rows_ = rows;
    row_ = 0;
    a_ = b_.system.nodes[node_a].body;
    b_body_ = b_.system.nodes[node_b].body;
    what_ = describe(b_.system, one);
    find_equals(one);
    for (const std::uint32_t node : {node_a, node_b}) point(b_.system.nodes[node]);
    const Expr p =
        sum({b_.from_to(a_, b_body_), ref("rho", name_, b_.body(b_body_)), negative(ref("rho", name_, b_.body(a_)))},
            Type::vector);
    b_.define(sym("p", name_), Section::loop,
              fmt::format("from the point of {} to that of {} which {} connects", b_.body(a_), b_.body(b_body_), name_),
              "m", b_.body(a_ == 0 ? b_body_ : a_), p);
    // The vector itself is what the rows are about: it keeps its name.
    b_.known.aliases.erase(sym("p", name_));
  }
  void point(const gyrostat::Node& node) {
    const Vector3 at =
        node.p - (node.body == 0 ? Vector3(Vector3::Zero()) : b_.system.bodies[node.body].mass_properties.com);
    const std::string& body = b_.body(node.body);
    const Symbol rho = sym("rho", name_, body);
    b_.define(rho, Section::loop,
              fmt::format("from {} to the point where {} attaches",
                          node.body == 0 ? "the origin of the world" : "the mass centre of " + body, name_),
              "m", body, Constant{{at.x(), at.y(), at.z()}, body});
    b_.fix(rho, body, at);
    if (at.isZero(0)) b_.vanish(rho);
  }

  Symbol next_row(const std::string& letter) {
    const std::string number = std::to_string(row_);
    return letter == "lambda" && rows_ == 1 ? sym(letter, name_) : sym(letter, name_, number);
  }

  Expr multiplier(const std::string& what, const std::string& unit) {
    ++row_;
    const Symbol lambda = next_row("lambda");
    b_.define(lambda, Section::loop, fmt::format("multiplier of {}: {}", name_, what), unit, b_.body(b_body_));
    return symbol(lambda);
  }

  Vector3 in_body(std::uint32_t body, const Vec3<double>& in_mechanism) const {
    return to_eigen(mechanism_.bodies[body].R_BM * in_mechanism);
  }

  Symbol fixed_vector(const std::string& letter, std::uint32_t body, const Vec3<double>& components,
                      const std::string& meaning) {
    Symbol made = next_row(letter);
    const Vector3 v = in_body(body, components);
    b_.define(made, Section::loop, meaning, "1", b_.body(body), Constant{{v.x(), v.y(), v.z()}, b_.body(body)});
    b_.fix(made, b_.body(body), v);
    return made;
  }

  void exert(const Expr& lambda, const Expr& n, bool at_b) {
    const Expr rho_b = ref("rho", name_, b_.body(b_body_)), rho_a = ref("rho", name_, b_.body(a_));
    const Expr arm_a = at_b ? sum({rho_a, ref("p", name_)}, Type::vector) : rho_a;
    exerted_.forces[b_body_].push_back(scaled(lambda, n));
    exerted_.torques[b_body_].push_back(scaled(lambda, cross(rho_b, n)));
    exerted_.forces[a_].push_back(negative(scaled(lambda, n)));
    exerted_.torques[a_].push_back(negative(scaled(lambda, cross(arm_a, n))));
  }

  void demand(const Expr& left, const std::string& meaning, const Expr& given_square) {
    Equation e;
    e.kind = EquationKind::loop;
    e.type = Type::scalar;
    e.of = name_;
    e.body = b_.body(b_body_ == 0 ? a_ : b_body_);
    e.title = fmt::format("{}{}: {}", name_, rows_ == 1 ? "" : fmt::format(", row {}", row_), what_);
    b_.add_term(e.left, Group::constraint, left, meaning);
    if (given_square)
      b_.add_term(e.right, Group::constraint, given_square, "The value is given as a function of time.");
    pending.push_back(std::move(e));
  }
  /// What the model file says that the functions of a constraint equal; of joints that close loops, nothing.
  void find_equals(const Constraint& one) {
    equals_ = {};
    if (!one.path.starts_with("constraints.")) return;
    equals_ = std::ranges::find(b_.model.description.constraints, one.name, &ConstraintDescription::name)->equals;
  }
  /// The second derivative of what the row is given, or of its square; null where that never changes.
  Expr given(bool squared, const std::string& unit = "m") {
    if (equals_.empty()) return nullptr;
    const Expression& follows = equals_[equals_.size() == 1 ? 0 : row_ - 1];
    if (!changes_with_time(follows, names_)) return nullptr;
    const Symbol value = rows_ == 1 ? sym("given", name_) : sym("given", name_, std::to_string(row_));
    b_.define(value, Section::loop,
              "value that is given to " + name_ + (rows_ == 1 ? "" : fmt::format(", row {}", row_)), unit,
              b_.body(b_body_), &follows);
    const Expr v = symbol(value);
    return rate(rate(squared ? scaled(v, v) : v));
  }

  void direction(const Vec3<double>& n, bool on_frame) {
    const std::string A = b_.body(a_);
    const Expr lambda =
        multiplier(on_frame ? "force along a direction fixed in " + A : "force along a direction that it locks", "N");
    const Expr along = symbol(fixed_vector("n", a_, n, "direction of " + name_ + " fixed in " + A));
    exert(lambda, along, true);
    demand(dot(along, derivative(derivative(ref("p", name_), A), A)),
           "Along this direction the points do not move apart, seen from " + A + ".", given(false));
  }
  void rotation(const Vec3<double>& x, const Vec3<double>& y) {
    const std::string A = b_.body(a_), B = b_.body(b_body_);
    const Expr lambda = multiplier("torque about an axis that it locks", "N m");
    const Expr a = symbol(fixed_vector("a", a_, x, "vector of " + name_ + " fixed in " + A));
    const Expr b = symbol(fixed_vector("b", b_body_, y, "vector of " + name_ + " fixed in " + B));
    exerted_.torques[b_body_].push_back(scaled(lambda, cross(b, a)));
    exerted_.torques[a_].push_back(negative(scaled(lambda, cross(b, a))));
    demand(rate(rate(dot(a, b))), "The vectors keep their angle.", nullptr);
  }
  void line() {
    const Expr lambda = multiplier("force along the line between the points", "N");
    const Symbol n = next_row("n");
    b_.define(n, Section::loop, "unit vector along the line of " + name_ + ", the direction of p", "1",
              b_.body(b_body_));
    b_.defined[n].needs = {sym("p", name_)};
    exert(lambda, symbol(n), false);
    const Expr p = ref("p", name_);
    demand(rate(rate(dot(p, p))), "The points keep their distance.", given(true));
  }
  void coupling(const Constraint& one, const Coupling& of) {
    rows_ = 1;
    row_ = 0;
    what_ = describe(b_.system, one);
    a_ = 0;
    b_body_ = body_of_speed(b_.system, of.terms.front().u);
    find_equals(one);
    const Expr lambda = multiplier("torque [N m] or force [N] on the coupled coordinates", "1");
    const std::vector<StateEntry> names = speed_entries(b_.system);
    std::vector<Expr> parts;
    for (const Coupling::Term& term : of.terms) {
      const Symbol k = sym("coefficient", name_, names[term.u].name);
      b_.define(k, Section::loop, "coefficient of " + names[term.u].name + " in " + name_, "1", b_.body(b_body_),
                Constant{{term.coefficient}, ""});
      parts.push_back(scaled(symbol(k), rate(speed_of(term.u))));
      b_.coupled[term.u].push_back(scaled(symbol(k), lambda));
    }
    const auto rotational =
        std::ranges::count_if(of.terms, [&](const Coupling::Term& term) { return names[term.u].unit == "rad/s"; });
    const std::string unit = rotational == 0 ? "m" : std::cmp_equal(rotational, of.terms.size()) ? "rad" : "1";
    demand(sum(parts, Type::scalar), "The coupled coordinates move together.", given(false, unit));
  }
  [[nodiscard]] Expr speed_of(std::uint32_t u) const {
    for (std::size_t w = 0; w < b_.system.wheels.size(); ++w) {
      if (b_.system.wheels[w].u == u) return ref("Omega", b_.wheel(w));
    }
    for (std::uint32_t k = 1; k < b_.hinges.size(); ++k) {
      for (const auto* axes : {&b_.hinges[k].rotations, &b_.hinges[k].translations}) {
        for (const Axis& axis : *axes) {
          const bool moves = axis.rotation ? b_.hinges[k].turns : b_.hinges[k].slides;
          if (axis.u == u) return moves ? b_.of_axis(axis.rotation ? "u" : "v", k, axis) : zero(Type::scalar);
        }
      }
    }
    return zero(Type::scalar);
  }

 public:
  std::vector<Equation> pending;

 private:
  Builder& b_;
  ConstraintForces& exerted_;
  Names names_;
  Mechanism mechanism_;
  Constraints constraints_;
  std::string name_, what_;
  std::vector<Expression> equals_;
  std::uint32_t a_ = 0, b_body_ = 0, rows_ = 0, row_ = 0;
};

}  // namespace

void Builder::define_loops() {
  ConstraintForces exerted;
  if (!system.constraints.empty()) {
    LoopSymbols loops(*this, exerted);
    loops.add_all();
    loop_equations = std::move(loops.pending);
  }
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    define(sym("Fl", body(k)), Section::loop, "force of the constraints on " + body(k), "N", body(k),
           sum(exerted.forces[k], Type::vector));
    define(sym("Tl", body(k)), Section::loop, "torque of the constraints on " + body(k) + " about its mass centre",
           "N m", body(k), sum(exerted.torques[k], Type::vector));
  }
}

void Builder::add_loops() {
  for (Equation& equation : loop_equations) add_equation(std::move(equation));
}

void Builder::add_loop_terms(Equation& e, std::uint32_t k, const Axis& axis) const {
  const Expr vector = of_axis(axis.rotation ? "q" : "d", k, axis);
  if (!system.constraints.empty())
    add_term(e.right, Group::constraint, dot(vector, ref(axis.rotation ? "etaL" : "phiL", joint(k))),
             "Constraint forces and torques of the loops along the free coordinate vector.");
  add_coupled(e, axis.u);
}

void Builder::add_coupled(Equation& e, std::uint32_t u) const {
  const auto found = coupled.find(u);
  if (found == coupled.end()) return;
  for (const Expr& part : found->second)
    add_term(e.right, Group::constraint, part, "What the coupling with other coordinates exerts here.");
}

}  // namespace gyrostat::derive
