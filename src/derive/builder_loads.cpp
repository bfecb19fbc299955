// External forces and torques by load: vector formulas of the numbers and expressions of the model.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"
#include "gyrostat/expression/print.h"

namespace gyrostat::derive {

namespace {

constexpr std::array<const char*, 3> axis_names = {"x", "y", "z"};

std::string place_of(const PointReference& at) {
  if (!at.point.empty()) return at.point;
  if (at.position) return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", at.position->x(), at.position->y(), at.position->z());
  return "its mass centre";
}

bool is_nothing(const Expression& e) {
  return e.empty() ||
         (e.nodes.size() == 1 && e.nodes[0].operation == expression::Operation::number && e.nodes[0].value == 0);
}

/// What the loads exert on bodies.
struct Exerted {
  std::map<std::uint32_t, std::vector<Expr>> forces, torques;  // by body
};

class LoadSymbols {
 public:
  LoadSymbols(Builder& builder, Exerted& exerted) : b_(builder), exerted_(exerted) {}

  void add(const LoadDescription& load, std::size_t number) {
    name_ = "load" + std::to_string(number);
    std::visit([this](const auto& one) { of(one); }, load);
  }

 private:
  void of(const BodyLoad& load) {
    const std::string axes = load.axes == Axes::body ? load.at.body : "world";
    if (const Expr F = components(load.force, "f_load", axes, "force", "N"); !is_zero(F))
      force(load.at, fmt::format("force of {} on {} at {}", name_, load.at.body, place_of(load.at)), F);
    if (const Expr T = components(load.torque, "t_load", axes, "torque", "N m"); !is_zero(T))
      torque(load.at.body, fmt::format("torque of {} on {}", name_, load.at.body), T);
  }
  void of(const ThrusterLoad& load) {
    const std::string& body = load.at.body;
    const Expr e = direction("e_load", load.direction, body, "direction of " + name_);
    const bool switched = !load.command.empty();
    number(sym("f_load", name_), "thrust of " + name_, "N", body, load.thrust, switched ? &load.command : nullptr);
    force(load.at, fmt::format("force of {}, a thruster on {} at {}", name_, body, place_of(load.at)),
          scaled(ref("f_load", name_), e));
  }
  void of(const SpringLoad& load) {
    const std::string what = fmt::format("{}, a spring from {} of {} to {} of {}", name_, place_of(load.from),
                                         load.from.body, place_of(load.to), load.to.body);
    const std::string& owner = load.to.body == "world" ? load.from.body : load.to.body;
    const Expr p = line_between(load.from, load.to, owner), n = ref("n_load", name_);
    b_.define(sym("n_load", name_), Section::load,
              "unit vector along the line of " + name_ + ", the direction of p; zero where that is", "1", owner);
    b_.defined[sym("n_load", name_)].needs = {sym("p_load", name_)};
    b_.define(sym("s_load", name_), Section::load, "length of " + name_, "m", owner, dot(n, p));
    std::vector<Expr> tension;
    const Expr stretch =
        deflection("s_load", "rest_s_load", load.length, "length of " + name_ + " without tension", "m", owner);
    coefficient("K_load", load.stiffness, "stiffness of " + name_, "N/m", owner, stretch, tension);
    coefficient("D_load", load.damping, "damping of " + name_, "N s/m", owner, dot(n, rate(p)), tension);
    if (!is_nothing(load.force)) {
      number(sym("f_load", name_), "tension added to " + name_, "N", owner, load.force);
      tension.push_back(ref("f_load", name_));
    }
    b_.define(sym("tension", name_), Section::load, "tension of " + what, "N", owner, sum(tension, Type::scalar));
    const Expr along = scaled(ref("tension", name_), n);
    force(load.from, fmt::format("force of {} on {}", name_, load.from.body), along);
    force(load.to, fmt::format("force of {} on {}", name_, load.to.body), negative(along));
  }
  void of(const TorqueBetweenLoad& load) {
    const std::string& owner = load.to == "world" ? load.from : load.to;
    const Expr a = direction("e_load", load.axis, load.from, "axis of " + name_);
    number(sym("t_load", name_), fmt::format("torque of {} on {}", name_, load.to), "N m", owner, load.torque);
    between(load.from, load.to, "a torque between", scaled(ref("t_load", name_), a));
  }
  void of(const TorsionSpringLoad& load) {
    const std::string& owner = load.to == "world" ? load.from : load.to;
    const Expr a = direction("e_load", load.axis, load.from, "axis of " + name_);
    const Vector3 across = (load.from_line - load.axis.dot(load.from_line) * load.axis).normalized();
    const Expr r =
        direction("r_load", across, load.from, fmt::format("line of {} in {}, across the axis", name_, load.from));
    const Expr l = direction("l_load", load.to_line, load.to, fmt::format("line of {} in {}", name_, load.to));
    b_.define(sym("sin_load", name_), Section::load,
              "sine of the angle of " + name_ + ", times the length of l across the axis", "1", owner,
              dot(cross(a, r), l));
    b_.define(sym("cos_load", name_), Section::load, "cosine of the same, times the same length", "1", owner,
              dot(r, l));
    for (const char* letter : {"sin_load", "cos_load"}) b_.known.aliases.erase(sym(letter, name_));
    b_.define(sym("theta_load", name_), Section::load,
              fmt::format("angle of {} about its axis, from r to l: the one with sine S and cosine C over their length",
                          name_),
              "rad", owner, {}, fmt::format("atan2(S, C) of {}", name_));
    b_.defined[sym("theta_load", name_)].needs = {sym("sin_load", name_), sym("cos_load", name_)};
    std::vector<Expr> parts;
    const Expr turn =
        deflection("theta_load", "rest_load", load.rest, "angle of " + name_ + " without torque", "rad", owner);
    const Expr w =
        dot(a, sum({b_.omega(b_.system.body(load.to)), negative(b_.omega(b_.system.body(load.from)))}, Type::vector));
    coefficient("K_load", load.stiffness, "stiffness of " + name_, "N m/rad", owner, negative(turn), parts);
    coefficient("D_load", load.damping, "damping of " + name_, "N m s/rad", owner, negative(w), parts);
    if (!is_nothing(load.torque)) {
      number(sym("f_load", name_), "torque added to " + name_, "N m", owner, load.torque);
      parts.push_back(ref("f_load", name_));
    }
    b_.define(sym("t_load", name_), Section::load, fmt::format("torque of {} on {} about its axis", name_, load.to),
              "N m", owner, sum(parts, Type::scalar));
    between(load.from, load.to, "a torsion spring between", scaled(ref("t_load", name_), a));
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  /// A number that the model gives, or computes.
  void number(const Symbol& symbol, const std::string& meaning, const std::string& unit, const std::string& body,
              const Expression& of, const Expression* factor = nullptr) {
    const bool constant =
        factor == nullptr && of.nodes.size() == 1 && of.nodes[0].operation == expression::Operation::number;
    if (constant) {
      b_.define(symbol, Section::load, meaning, unit, body, Constant{{of.nodes[0].value}, ""});
      return;
    }
    const std::string text = factor == nullptr
                                 ? expression::to_text(of)
                                 : fmt::format("({})*({})", expression::to_text(of), expression::to_text(*factor));
    const std::string latex = factor == nullptr ? expression::to_latex(of)
                                                : fmt::format("\\left({}\\right) \\left({}\\right)",
                                                              expression::to_latex(of), expression::to_latex(*factor));
    b_.define(symbol, Section::load, meaning, unit, body, {}, text, latex);
  }

  /// Of unit length, fixed in a body.
  Expr direction(const std::string& letter, const Vector3& v, const std::string& frame, const std::string& meaning) {
    const Symbol made = sym(letter, name_);
    b_.define(made, Section::load, fmt::format("{}, fixed in {}", meaning, frame), "1", frame == "world" ? "" : frame,
              Constant{{v.x(), v.y(), v.z()}, frame});
    b_.fix(made, frame, v);
    return symbol(made);
  }

  /// Of a vector given by its components along the axes of a body or the world.
  Expr components(const std::vector<Expression>& list, const char* letter, const std::string& axes, const char* what,
                  const char* unit) {
    std::vector<Expr> parts;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (is_nothing(list[k])) continue;
      const Symbol e = sym("e_axes", axes, axis_names[k]), f = sym(letter, name_, axis_names[k]);
      const Vector3 unit_vector = Vector3::Unit(static_cast<Eigen::Index>(k));
      b_.define(e, Section::load, fmt::format("{} axis of {}", axis_names[k], axes == "world" ? "the world" : axes),
                "1", axes == "world" ? "" : axes, Constant{{unit_vector.x(), unit_vector.y(), unit_vector.z()}, axes});
      b_.fix(e, axes, unit_vector);
      number(f, fmt::format("{} component of the {} of {}", axis_names[k], what, name_), unit,
             axes == "world" ? "" : axes, list[k]);
      parts.push_back(scaled(symbol(f), symbol(e)));
    }
    return sum(parts, Type::vector);
  }

  /// From the mass centre to where the load attaches.
  Expr arm(const PointReference& at) {
    const std::uint32_t k = b_.system.body(at.body), node = node_of(b_.system, at);
    const Vector3 centre = k == 0 ? Vector3(Vector3::Zero()) : b_.system.bodies[k].mass_properties.com;
    const Vector3 v = b_.system.nodes[node].p - centre;
    const Symbol rho = sym("rho", name_, at.body);
    b_.define(rho, Section::load,
              fmt::format("from {} to the point where {} acts",
                          k == 0 ? "the origin of the world" : "the mass centre of " + at.body, name_),
              "m", k == 0 ? "" : at.body, Constant{{v.x(), v.y(), v.z()}, at.body});
    b_.fix(rho, at.body, v);
    if (v.isZero(0)) b_.vanish(rho);
    return symbol(rho);
  }

  Expr line_between(const PointReference& from, const PointReference& to, const std::string& owner) {
    const Expr a = arm(from), b = arm(to);
    b_.define(sym("p_load", name_), Section::load,
              fmt::format("from the point of {} to that of {} which {} connects", from.body, to.body, name_), "m",
              owner,
              sum({b_.from_to(b_.system.body(from.body), b_.system.body(to.body)), b, negative(a)}, Type::vector));
    b_.known.aliases.erase(sym("p_load", name_));  // the line is what the spring is about: it keeps its name
    return ref("p_load", name_);
  }

  Expr deflection(const std::string& letter, const std::string& rest_letter, double rest, const std::string& meaning,
                  const std::string& unit, const std::string& body) {
    const Symbol symbol_of_rest = sym(rest_letter, name_);
    b_.define(symbol_of_rest, Section::load, meaning, unit, body, Constant{{rest}, ""});
    if (rest == 0) b_.vanish(symbol_of_rest);
    return sum({ref(letter, name_), negative(symbol(symbol_of_rest))}, Type::scalar);
  }

  /// Adds a stiffness or damping times what it resists.
  void coefficient(const std::string& letter, const Coefficient& c, const std::string& meaning, const std::string& unit,
                   const std::string& body, const Expr& of, std::vector<Expr>& parts) {
    const Symbol made = sym(letter, name_);
    if (!c.table.empty()) {
      b_.define(made, Section::load, meaning + ", table " + c.table + " of the deflection", unit, body);
    } else if (!c.expression.empty()) {
      number(made, meaning, unit, body, c.expression);
    } else if (c.value != 0) {
      b_.define(made, Section::load, meaning, unit, body, Constant{{c.value}, ""});
    } else {
      return;
    }
    parts.push_back(scaled(symbol(made), of));
  }

  // --- on bodies -----------------------------------------------------------------------------------------------------

  void between(const std::string& from, const std::string& to, std::string_view what, const Expr& on_second) {
    torque(to, fmt::format("torque of {}, {} {} and {}, on {}", name_, what, from, to, to), on_second);
    torque(from, fmt::format("torque of {}, {} {} and {}, on {}", name_, what, from, to, from), negative(on_second));
  }
  void force(const PointReference& at, const std::string& meaning, const Expr& value) {
    const std::string& body = at.body;
    if (body == "world") return;
    const Symbol F = sym("F_load", body, name_);
    b_.define(F, Section::load, meaning, "N", body, value);
    b_.keep_name(F);
    exerted_.forces[b_.system.body(body)].push_back(symbol(F));
    exerted_.torques[b_.system.body(body)].push_back(cross(arm(at), symbol(F)));
  }
  void torque(const std::string& body, const std::string& meaning, const Expr& value) {
    if (body == "world") return;
    const Symbol T = sym("T_load", body, name_);
    b_.define(T, Section::load, meaning, "N m", body, value);
    b_.keep_name(T);
    exerted_.torques[b_.system.body(body)].push_back(symbol(T));
  }

  Builder& b_;
  Exerted& exerted_;
  std::string name_;
};

}  // namespace

void Builder::keep_name(const Symbol& symbol) {
  const auto found = known.aliases.find(symbol);
  if (found != known.aliases.end() && !is_zero(found->second)) known.aliases.erase(found);
}

Expr Builder::from_to(std::uint32_t a, std::uint32_t b) const {
  const auto path_of = [&](std::uint32_t k) { return k == 0 ? std::vector<std::uint32_t>{} : hinges[k].path; };
  const std::vector<std::uint32_t> path_a = path_of(a), path_b = path_of(b);
  std::size_t common = 0;
  while (common < path_a.size() && common < path_b.size() && path_a[common] == path_b[common]) ++common;
  std::vector<Expr> parts;
  const auto add = [&](const std::vector<std::uint32_t>& path, std::uint32_t body_of, bool minus) {
    const auto one = [&](const Expr& part) { parts.push_back(minus ? negative(part) : part); };
    for (std::size_t k = common; k < path.size(); ++k)
      one(ref("beta", joint(path[k]))), one(ref("zeta", joint(path[k])));
    if (body_of != 0) one(ref("alpha", body(body_of)));
  };
  add(path_b, b, false);
  add(path_a, a, true);
  return sum(parts, Type::vector);
}

void Builder::define_gravity(std::uint32_t k, std::vector<Expr>& forces, std::vector<Expr>& torques) {
  const EnvironmentDescription& environment = model.description.environment;
  const std::string& name = body(k);
  const Expr m = ref("m", name), Phi = ref("Phi", name);
  if (!environment.gravity.isZero(0)) forces.push_back(scaled(m, symbol(sym("g"))));
  if (environment.gravity_gradient == GravityGradient::perturbation) {
    const Expr n = symbol(sym("n_orbit")), rate2 = symbol(sym("k_orbit"));
    define(sym("sigma", name), Section::load, "from the mass centre of the whole to that of " + name, "m", name,
           sum({ref("r", name), negative(symbol(sym("r_c")))}, Type::vector));
    forces.push_back(
        scaled(scaled(m, rate2),
               dot(sum({scaled(number(3), dyad(n, n)), negative(unit_dyadic())}, Type::dyadic), ref("sigma", name))));
    torques.push_back(scaled(scaled(number(3), rate2), cross(n, dot(Phi, n))));
  }
  if (environment.gravity_gradient == GravityGradient::full && system.bodies[k].mass_properties.mass != 0) {
    const Expr n = ref("n_orbit_of", name), mu = symbol(sym("mu_orbit")), c3 = ref("c3", name), c4 = ref("c4", name);
    define(sym("n_orbit_of", name), Section::load,
           "unit vector from the centre of attraction to the mass centre of " + name + ", the direction of r", "1",
           name);
    define(sym("c3", name), Section::load, "1 over the cube of the length of r of " + name, "1/m^3", name, {},
           "1/|r|^3");
    define(sym("c4", name), Section::load, "1 over the fourth power of the length of r of " + name, "1/m^4", name, {},
           "1/|r|^4");
    for (const char* letter : {"n_orbit_of", "c3", "c4"}) defined[sym(letter, name)].needs = {sym("r", name)};
    const double trace = system.bodies[k].mass_properties.inertia.trace();
    define(sym("trace", name), Section::body, "sum of the principal moments of inertia of " + name, "kg m^2", name,
           Constant{{trace}, ""});
    if (trace == 0) vanish(sym("trace", name));
    forces.push_back(negative(scaled(scaled(scaled(m, mu), c3), ref("r", name))));
    forces.push_back(scaled(
        scaled(scaled(number(1.5), mu), c4),
        sum({scaled(sum({scaled(number(5), dot(n, dot(Phi, n))), negative(ref("trace", name))}, Type::scalar), n),
             negative(scaled(number(2), dot(Phi, n)))},
            Type::vector)));
    torques.push_back(scaled(scaled(scaled(number(3), mu), c3), cross(n, dot(Phi, n))));
  }
}

void Builder::define_environment() {
  const EnvironmentDescription& environment = model.description.environment;
  if (!environment.gravity.isZero(0)) {
    const Vector3& g = environment.gravity;
    define(sym("g"), Section::load, "uniform gravity", "m/s^2", "", Constant{{g.x(), g.y(), g.z()}, "world"});
  }
  if (environment.gravity_gradient == GravityGradient::none) return;
  double mass = 0;
  for (std::uint32_t k = 1; k < hinges.size(); ++k) mass += system.bodies[k].mass_properties.mass;
  std::vector<Expr> centre;
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const std::uint32_t J = hinges[k].inboard;
    std::vector<Expr> parts;
    if (J != 0) parts = {ref("r", body(J)), negative(ref("alpha", body(J)))};
    for (const Expr& part : {ref("beta", joint(k)), ref("zeta", joint(k)), ref("alpha", body(k))})
      parts.push_back(part);
    define(sym("r", body(k)), Section::load, "from the origin of the world to the mass centre of " + body(k), "m",
           body(k), sum(parts, Type::vector));
    const double fraction = system.bodies[k].mass_properties.mass / mass;
    define(sym("nu", body(k)), Section::load, "mass of " + body(k) + " over that of the whole", "1", body(k),
           Constant{{fraction}, ""});
    if (fraction == 0) vanish(sym("nu", body(k)));
    centre.push_back(scaled(ref("nu", body(k)), ref("r", body(k))));
  }
  if (environment.gravity_gradient == GravityGradient::full) {
    define(sym("mu_orbit"), Section::load, "gravity of the central body", "m^3/s^2", "",
           Constant{{environment.orbit->mu}, ""});
    return;
  }
  define(sym("r_c"), Section::load, "from the origin of the world to the mass centre of the whole", "m", "",
         sum(centre, Type::vector));
  define(sym("n_orbit"), Section::load,
         "unit vector from the central body to the craft, along its orbit a function of time", "1", "");
  define(sym("k_orbit"), Section::load, "mu over the cube of the distance from the central body, a function of time",
         "1/s^2", "");
}

void Builder::define_loads() {
  Exerted exerted;
  LoadSymbols loads(*this, exerted);
  for (std::size_t n = 0; n < model.description.loads.size(); ++n) loads.add(model.description.loads[n], n + 1);
  define_environment();
  for (std::size_t w = 0; w < system.wheels.size(); ++w) add_imbalance(w, exerted.forces, exerted.torques);
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const std::string& name = body(k);
    define_gravity(k, exerted.forces[k], exerted.torques[k]);
    define(sym("F", name), Section::load, "external force on " + name, "N", name, sum(exerted.forces[k], Type::vector));
    define(sym("T", name), Section::load, "external torque on " + name + " about its mass centre", "N m", name,
           sum(exerted.torques[k], Type::vector));
    // A force of one load alone keeps its own name in the equations.
    keep_name(sym("F", name));
    keep_name(sym("T", name));
  }
}

void Builder::add_imbalance(std::size_t w, std::map<std::uint32_t, std::vector<Expr>>& forces,
                            std::map<std::uint32_t, std::vector<Expr>>& torques) {
  const std::string &carrier = body(system.wheels[w].body), name = wheel(w);
  const auto in = std::ranges::find(model.description.bodies, carrier, &BodyDescription::name);
  const auto of = std::ranges::find(in->wheels, system.wheels[w].name, &WheelDescription::name);
  const auto add = [&](const char* letter, const char* what, const char* unit, const std::string& formula,
                       std::map<std::uint32_t, std::vector<Expr>>& to) {
    const Symbol made = sym(letter, carrier, "imbalance of " + name);
    define(made, Section::load, fmt::format("{} of the imbalance of wheel {}, which turns with it", what, name), unit,
           carrier, {}, formula);
    to[system.wheels[w].body].push_back(symbol(made));
  };
  if (of->static_imbalance != 0)
    add("F_load", "force", "N", fmt::format("{:.6g}*rate^2, across the axis", of->static_imbalance), forces);
  std::string couple;
  if (of->dynamic_imbalance != 0) couple = fmt::format("{:.6g}*rate^2, across the axis", of->dynamic_imbalance);
  if (of->static_imbalance != 0)
    couple += couple.empty() ? "the moment of that force" : "; and the moment of that force";
  if (!couple.empty()) add("T_load", "torque about the mass centre", "N m", couple, torques);
}

}  // namespace gyrostat::derive
