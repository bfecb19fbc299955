// External forces and torques by load, and the hinge torques of springs, dampers and motors.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"
#include "gyrostat/expression/print.h"

namespace gyrostat::derive {

namespace {

std::string place_of(const PointReference& at) {
  if (!at.point.empty()) return at.point;
  if (at.position) return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", at.position->x(), at.position->y(), at.position->z());
  return "its mass centre";
}

std::string texts_of(const std::vector<Expression>& list) {
  std::string text;
  for (const Expression& one : list) text += (text.empty() ? "[" : ", ") + (one.empty() ? "0" : one.text);
  return text + "]";
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
    const std::string axes = load.axes == Axes::body ? load.at.body : "the world";
    if (!load.force.empty())
      force(load.at.body,
            fmt::format("force of {} on {} at {}, in axes of {}", name_, load.at.body, place_of(load.at), axes),
            texts_of(load.force), load.at.position || !load.at.point.empty());
    if (!load.torque.empty())
      torque(load.at.body, fmt::format("torque of {} on {}, in axes of {}", name_, load.at.body, axes),
             texts_of(load.torque));
  }
  void of(const ThrusterLoad& load) {
    force(load.at.body, fmt::format("force of {}, a thruster on {} at {}", name_, load.at.body, place_of(load.at)),
          load.thrust.text + (load.command.empty() ? "" : " * (" + load.command.text + ")"),
          load.at.position || !load.at.point.empty());
  }
  void of(const SpringLoad& load) {
    const std::string between = fmt::format("a spring from {} of {} to {} of {}", place_of(load.from), load.from.body,
                                            place_of(load.to), load.to.body);
    for (const std::string& body : {load.from.body, load.to.body})
      force(body, fmt::format("force of {}, {}, on {}", name_, between, body), "", true);
  }
  void of(const TorqueBetweenLoad& load) { between(load, "a torque between", load.torque.text); }
  void of(const TorsionSpringLoad& load) { between(load, "a torsion spring between", ""); }

  template <class Load>
  void between(const Load& load, std::string_view what, const std::string& formula) {
    for (const std::string& body : {load.from, load.to})
      torque(body, fmt::format("torque of {}, {} {} and {}, on {}", name_, what, load.from, load.to, body),
             body == load.to ? formula : "");
  }

  void force(const std::string& body, const std::string& meaning, const std::string& formula, bool off_centre) {
    if (body == "world") return;
    const std::uint32_t k = b_.system.body(body);
    const Symbol F = sym("F_load", body, name_);
    b_.define(F, Section::load, meaning, "N", body, {}, formula);
    exerted_.forces[k].push_back(symbol(F));
    if (off_centre) torque(body, "moment of that force about the mass centre of " + body, "");
  }
  void torque(const std::string& body, const std::string& meaning, const std::string& formula) {
    if (body == "world") return;
    const Symbol T = sym("T_load", body, name_);
    if (b_.defined.contains(T)) {
      b_.defined[T].meaning += "; with the " + meaning;
      return;
    }
    b_.define(T, Section::load, meaning, "N m", body, {}, formula);
    exerted_.torques[b_.system.body(body)].push_back(symbol(T));
  }

  Builder& b_;
  Exerted& exerted_;
  std::string name_;
};

}  // namespace

void Builder::define_loads() {
  Exerted exerted;
  LoadSymbols loads(*this, exerted);
  for (std::size_t n = 0; n < model.description.loads.size(); ++n) loads.add(model.description.loads[n], n + 1);
  const EnvironmentDescription& environment = model.description.environment;
  const bool gravity = !environment.gravity.isZero(0);
  const bool gradient = environment.gravity_gradient != GravityGradient::none;
  if (gravity) {
    const Vector3& g = environment.gravity;
    define(sym("g"), Section::load, "uniform gravity", "m/s^2", "", Constant{{g.x(), g.y(), g.z()}, "world"});
  }
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const std::string& name = body(k);
    const bool has_mass = system.bodies[k].mass_properties.mass != 0;
    const bool has_inertia = !system.bodies[k].mass_properties.inertia.isZero(0);
    std::vector<Expr>&forces = exerted.forces[k], &torques = exerted.torques[k];
    if (gravity && has_mass) forces.push_back(scaled(ref("m", name), symbol(sym("g"))));
    if (gradient && has_mass) {
      define(sym("F_load", name, "gravity"), Section::load, "force of the central body's gravity on " + name, "N",
             name);
      forces.push_back(ref("F_load", name, "gravity"));
    }
    if (gradient && has_inertia) {
      define(sym("T_load", name, "gravity"), Section::load, "gravity-gradient torque on " + name, "N m", name);
      torques.push_back(ref("T_load", name, "gravity"));
    }
    define(sym("F", name), Section::load, "external force on " + name, "N", name, sum(forces, Type::vector));
    define(sym("T", name), Section::load, "external torque on " + name + " about its mass centre", "N m", name,
           sum(torques, Type::vector));
    // A force of one load alone keeps its own name in the equations.
    for (const char* letter : {"F", "T"}) {
      const auto found = known.aliases.find(sym(letter, name));
      if (found != known.aliases.end() && !is_zero(found->second)) known.aliases.erase(found);
    }
  }
}

void Builder::define_hinges() {
  const auto coefficient = [](const Coefficient& c, const std::string& what) {
    return c.table.empty() ? what : what + ", table " + c.table + " of the deflection";
  };
  const auto number_of = [](const Coefficient& c) {
    return c.table.empty() ? std::optional(Constant{{c.value}, ""}) : std::nullopt;
  };
  const auto is_there = [](const std::vector<Coefficient>& list, std::uint32_t n) {
    return !list.empty() && (list[n].value != 0 || !list[n].table.empty());
  };
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string& name = joint(k);
    const auto found = std::ranges::find(model.description.joints, name, &JointDescription::name);
    const JointDescription none;
    const JointDescription& of = found == model.description.joints.end() ? none : *found;
    bool any = false;
    const auto one = [&](const Axis& axis) {
      const bool turn = axis.rotation;
      const std::string per = turn ? "N m/rad" : "N/m", unit = turn ? "N m" : "N";
      std::vector<Expr> parts;
      const Symbol tau = axis_symbol(turn ? "tau" : "f", k, axis);
      const auto along = [&](const std::string& letter) { return axis_symbol(letter, k, axis); };
      if (is_there(of.stiffness, axis.local) || (of.thermal && !of.stiffness.empty())) {
        define(along("K"), Section::joint, coefficient(of.stiffness[axis.local], "stiffness of " + name), per, body(k),
               number_of(of.stiffness[axis.local]));
        const Symbol rest = along(turn ? "rest" : "rest_x");
        const double at = of.rest.empty() ? 0 : of.rest[axis.local];
        define(rest, Section::joint,
               of.thermal ? "rest of the thermal spring of " + name : "rest of the spring of " + name,
               turn ? "rad" : "m", body(k), of.thermal ? std::nullopt : std::optional(Constant{{at}, ""}));
        if (at == 0 && !of.thermal) vanish(rest);
        parts.push_back(negative(scaled(
            symbol(along("K")), sum({symbol(along(turn ? "theta" : "x")), negative(symbol(rest))}, Type::scalar))));
      }
      if (is_there(of.damping, axis.local)) {
        define(along("D"), Section::joint, coefficient(of.damping[axis.local], "damping of " + name),
               turn ? "N m s/rad" : "N s/m", body(k), number_of(of.damping[axis.local]));
        parts.push_back(negative(scaled(symbol(along("D")), symbol(along(turn ? "u" : "v")))));
      }
      const bool driven = !of.torque.empty() && !of.torque[axis.local].empty();
      if (driven) {
        define(along("motor"), Section::joint, std::string(turn ? "torque" : "force") + " given for " + name, unit,
               body(k), {}, of.torque[axis.local].text, expression::to_latex(of.torque[axis.local]));
        parts.push_back(symbol(along("motor")));
      }
      if (turn && !of.axis_torque.empty()) {
        // N-BOD's torques along the axes, wherever these point.
        for (std::size_t n = 0; n < hinge.rotations.size(); ++n) {
          if (of.axis_torque[n].empty()) continue;
          const Symbol T = axis_symbol("motor_axis", k, hinge.rotations[n]);
          define(T, Section::joint, "torque given along an axis of " + name, unit, body(k), {}, of.axis_torque[n].text,
                 expression::to_latex(of.axis_torque[n]));
          const Expr product = scaled(dot(of_axis("q", k, axis), of_axis("q", k, hinge.rotations[n])), symbol(T));
          parts.push_back(product);
        }
      }
      any = any || !parts.empty() || coupled.contains(axis.u);
      define(tau, Section::joint,
             turn ? fmt::format("hinge torque of {} about {}", name,
                                hinge.rotations.size() == 1 ? "its axis" : "axis " + axis.index)
                  : fmt::format("hinge force of {} along {}", name,
                                hinge.translations.size() == 1 ? "its axis" : "axis " + axis.index),
             unit, body(k), sum(parts, Type::scalar));
      if (const auto same_as = known.aliases.find(tau); same_as != known.aliases.end() && !is_zero(same_as->second))
        known.aliases.erase(same_as);
    };
    const auto both = [&](const std::vector<Axis>& axes, const std::string& hinge_letter,
                          const std::string& constraint_letter, const std::string& what, const std::string& unit) {
      any = false;
      std::ranges::for_each(axes, one);
      define(sym(hinge_letter, name), Section::joint,
             fmt::format("{} of the springs, dampers and motors of {} on {}", what, name, body(k)), unit, body(k));
      if (!any) vanish(sym(hinge_letter, name));
      define(sym(constraint_letter, name), Section::joint,
             fmt::format("constraint {} of {} on {}, normal to the free coordinate vectors", what, name, body(k)), unit,
             body(k));
      if (axes.size() == 3) vanish(sym(constraint_letter, name));
    };
    if (hinge.turns && hinge.free) both(hinge.rotations, "TH", "Tc", "torque", "N m");
    if (hinge.slides && hinge.free) both(hinge.translations, "FH", "Fc", "force", "N");
  }
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    const Wheel& wheel_of = system.wheels[w];
    if (wheel_of.speed_prescribed) continue;
    const std::string name = wheel(w), &carrier = body(wheel_of.body);
    const auto in = std::ranges::find(model.description.bodies, carrier, &BodyDescription::name);
    const auto of = std::ranges::find(in->wheels, wheel_of.name, &WheelDescription::name);
    std::vector<Expr> parts;
    const auto number_symbol = [&](const std::string& letter, double value, const std::string& meaning,
                                   const std::string& unit, const Expr& factor) {
      if (value == 0) return;
      define(sym(letter, name), Section::wheel, fmt::format("{} of wheel {}", meaning, name), unit, carrier,
             Constant{{value}, ""});
      parts.push_back(negative(scaled(ref(letter, name), factor)));
    };
    number_symbol("K", of->stiffness, "stiffness", "N m/rad", ref("psi", name));
    number_symbol("D", of->damping, "damping", "N m s/rad", ref("Omega", name));
    if (!of->torque.empty()) {
      define(sym("motor", name), Section::wheel, "torque given for wheel " + name, "N m", carrier, {}, of->torque.text,
             expression::to_latex(of->torque));
      parts.push_back(ref("motor", name));
    }
    define(sym("tau_w", name), Section::wheel, "torque on wheel " + name + " about its axis", "N m", carrier,
           sum(parts, Type::scalar));
    if (const auto same_as = known.aliases.find(sym("tau_w", name));
        same_as != known.aliases.end() && !is_zero(same_as->second))
      known.aliases.erase(same_as);
    define(sym("Tcw", name), Section::wheel,
           fmt::format(
               "constraint torque on wheel {}, normal to its axis: of its bearings, less what its transverse inertia, "
               "counted to {}, takes",
               name, carrier),
           "N m", carrier);
  }
}

}  // namespace gyrostat::derive
