// The hinge torques and forces of springs, dampers, motors, friction and stops.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"
#include "gyrostat/expression/print.h"

namespace gyrostat::derive {

namespace {

/// Of a level below zero nothing is left.
std::string level(const Expression& of) {
  if (of.empty()) return "0";
  const bool number = of.nodes.size() == 1 && of.nodes[0].operation == expression::Operation::number;
  return number ? of.text : "max(0, " + expression::to_text(of) + ")";
}

/// While it slides; s is the sign of the speed.
std::string friction_formula(const FrictionDescription& of) {
  std::string coulomb = level(of.coulomb), most = of.static_most.empty() ? coulomb : level(of.static_most);
  if (of.by_reaction) {
    const auto with_reaction = [&](const std::string& preload, double coefficient) {
      const std::string part = fmt::format("{:.6g}*N", coefficient * of.by_reaction->radius);
      return preload == "0" ? part : fmt::format("({} + {})", preload, part);
    };
    coulomb = with_reaction(coulomb, of.by_reaction->coefficient);
    most = with_reaction(most, of.by_reaction->static_coefficient);
  }
  if (of.stribeck == 0) return "-s*" + coulomb;
  return fmt::format("-s*({0} + ({1} - {0})*exp(-(u/{2:.6g})^2))", coulomb, most, of.stribeck);
}

/// x is the way into the stop.
std::string stops_formula(const StopsDescription& of) {
  std::string text;
  if (std::isfinite(of.low))
    text = fmt::format("below x = {:.6g} - q > 0: max(0, {:.6g}*x - {:.6g}*u)", of.low, *of.stiffness, of.damping);
  if (std::isfinite(of.high))
    text += fmt::format("{}above x = q - {:.6g} > 0: -max(0, {:.6g}*x + {:.6g}*u)", text.empty() ? "" : "; ", of.high,
                        *of.stiffness, of.damping);
  return text;
}

}  // namespace

void Builder::add_friction(const FrictionDescription& of, const Symbol& friction, const Symbol& viscous,
                           Section section, const std::string& name, bool turn, const std::string& of_body,
                           const Expr& speed, std::vector<Expr>& parts) {
  define(friction, section,
         fmt::format("dry friction of {} while it slides, s the sign of its speed{}; at rest it is what holds it", name,
                     of.by_reaction ? ", N the length of the force that it transmits across its axis" : ""),
         turn ? "N m" : "N", of_body, {}, friction_formula(of));
  parts.push_back(symbol(friction));
  if (of.viscous == 0) return;
  define(viscous, section, "viscous friction of " + name, turn ? "N m s/rad" : "N s/m", of_body,
         Constant{{of.viscous}, ""});
  parts.push_back(negative(scaled(symbol(viscous), speed)));
}

void Builder::define_normal_force(std::uint32_t k, const Axis& axis) {
  const std::string& name = joint(k);
  const Symbol length = sym("normal", name);
  Symbol across = sym("Fc", name);  // of a joint that slides, all of it
  if (axis.rotation) {
    const Expr Fc = symbol(across), q = of_axis("q", k, axis);
    define(across, Section::joint, fmt::format("force that {} transmits to {}", name, body(k)), "N", body(k));
    across = sym("Fn", name);
    define(across, Section::joint, fmt::format("part of the force of {} across its axis", name), "N", body(k),
           sum({Fc, negative(scaled(dot(q, Fc), q))}, Type::vector));
  }
  define(length, Section::joint, fmt::format("length of the force that {} transmits across its axis", name), "N",
         body(k), {}, axis.rotation ? "|F^n|" : "|F^c|", axis.rotation ? "|F^{\\mathrm{n}}|" : "|F^{\\mathrm{c}}|");
  defined[length].needs = {across};
  defined[axis_symbol("friction", k, axis)].needs = {length};
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
    const JointDescription none;
    const JointDescription* const found = described(k);
    const JointDescription& of = found == nullptr ? none : *found;
    bool any = false;
    const auto one = [&](const Axis& axis) {
      const bool turn = axis.rotation;
      const std::string per = turn ? "N m/rad" : "N/m", unit = turn ? "N m" : "N";
      std::vector<Expr> parts;
      const Symbol tau = axis_symbol(turn ? "tau" : "f", k, axis);
      const auto along = [&](const std::string& letter) { return axis_symbol(letter, k, axis); };
      const auto shared = [&](const std::string& letter) { return shared_symbol(letter, k, axis); };
      if (is_there(of.stiffness, axis.local) || (of.thermal && !of.stiffness.empty())) {
        define(shared("K"), Section::joint, coefficient(of.stiffness[axis.local], "stiffness of " + name), per, body(k),
               number_of(of.stiffness[axis.local]));
        const Symbol rest = along(turn ? "rest" : "rest_x");
        const double at = of.rest.empty() ? 0 : of.rest[axis.local];
        define(rest, Section::joint,
               of.thermal ? "rest of the thermal spring of " + name : "rest of the spring of " + name,
               turn ? "rad" : "m", body(k), of.thermal ? std::nullopt : std::optional(Constant{{at}, ""}));
        if (at == 0 && !of.thermal) vanish(rest);
        parts.push_back(negative(scaled(
            symbol(shared("K")), sum({symbol(along(turn ? "theta" : "x")), negative(symbol(rest))}, Type::scalar))));
      }
      if (is_there(of.damping, axis.local)) {
        define(shared("D"), Section::joint, coefficient(of.damping[axis.local], "damping of " + name),
               turn ? "N m s/rad" : "N s/m", body(k), number_of(of.damping[axis.local]));
        parts.push_back(negative(scaled(symbol(shared("D")), symbol(along(turn ? "u" : "v")))));
      }
      if (of.friction) {
        add_friction(*of.friction, axis_symbol("friction", k, axis), axis_symbol("viscous", k, axis), Section::joint,
                     name, turn, body(k), symbol(along(turn ? "u" : "v")), parts);
        if (of.friction->by_reaction) define_normal_force(k, axis);
      }
      if (of.stops && of.stops->stiffness) {
        define(along("stop"), Section::joint,
               fmt::format("{} of the compliant stops of {}, zero between them", turn ? "torque" : "force", name), unit,
               body(k), {}, stops_formula(*of.stops));
        parts.push_back(symbol(along("stop")));
      }
      const bool driven = !of.torque.empty() && !of.torque[axis.local].empty();
      if (driven) {
        define(shared("motor"), Section::joint, std::string(turn ? "torque" : "force") + " given for " + name, unit,
               body(k), {}, expression::to_text(of.torque[axis.local]), expression::to_latex(of.torque[axis.local]));
        parts.push_back(symbol(shared("motor")));
      }
      if (turn && !of.axis_torque.empty()) {
        // N-BOD's torques along the axes, wherever these point.
        for (std::size_t n = 0; n < hinge.rotations.size(); ++n) {
          if (of.axis_torque[n].empty()) continue;
          const Symbol T = axis_symbol("motor_axis", k, hinge.rotations[n]);
          define(T, Section::joint, "torque given along an axis of " + name, unit, body(k), {},
                 expression::to_text(of.axis_torque[n]), expression::to_latex(of.axis_torque[n]));
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
    const WheelDescription* const of = &wheel_description(w);
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
      const bool limited = std::isfinite(of->torque_limit);
      define(sym("motor", name), Section::wheel,
             fmt::format("torque given for wheel {}{}", name,
                         limited ? fmt::format(", at most {:.6g} N m either way", of->torque_limit) : ""),
             "N m", carrier, {}, expression::to_text(of->torque),
             limited ? std::string() : expression::to_latex(of->torque));
      parts.push_back(ref("motor", name));
    }
    if (!of->drag.empty()) {
      define(sym("drag", name), Section::wheel,
             fmt::format("drag torque of wheel {}: minus the table {} of its rate", name, of->drag), "N m", carrier);
      parts.push_back(ref("drag", name));
    }
    if (of->friction)
      add_friction(*of->friction, sym("friction", name), sym("viscous", name), Section::wheel, "wheel " + name, true,
                   carrier, ref("Omega", name), parts);
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
