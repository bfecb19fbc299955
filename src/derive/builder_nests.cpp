// Inertia dyadics and moments of nests, and their vector equations: N-BOD's Eqs. 55 to 58.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"

namespace gyrostat::derive {

namespace {

const Index i_runs = running("i"), j_runs = running("j"), w_runs = running("w");

}  // namespace

void Builder::define_nests() {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const std::string& name = joint(k);
    define(sym("M", name), Section::nest, "mass of the nest of " + name, "kg", body(k),
           over(nest_range(k), ref("m", i_runs)));
    if (!hinges[k].turns) continue;
    for (const std::uint32_t j : hinges[k].nest) {
      const std::string& other = joint(j);
      const bool own = j == k;
      const Symbol mu = own ? sym("mu", name) : sym("mu", name, other);
      define(mu, Section::nest, fmt::format("moment of mass of the nest of {} about the pivot of {}", other, name),
             "kg m", body(k), over(nest_range(j), scaled(ref("m", i_runs), ref("gamma", named(name), i_runs))));
      if (!hinges[j].turns) continue;
      const Expr a = ref("gamma", named(name), i_runs), b = ref("gamma", named(other), i_runs);
      const Symbol X = own ? sym("X", name) : sym("X", name, other);
      define(X, Section::nest,
             own ? "inertia dyadic of the nest of " + name + " about its pivot"
                 : fmt::format("inertia dyadic between the nests of {} and {}", name, other),
             "kg m^2", body(k),
             sum({over(nest_range(j), ref("Phi", i_runs)),
                  over(nest_range(j),
                       scaled(ref("m", i_runs),
                              sum({scaled(dot(a, b), unit_dyadic()), negative(dyad(b, a))}, Type::dyadic)))},
                 Type::dyadic));
    }
  }
}

void Builder::add_kinematics() {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string &name = joint(k), &P = body(hinge.parent);
    Equation e;
    e.kind = EquationKind::kinematics;
    e.of = name;
    e.body = body(k);
    e.title = "Joint " + name;
    const auto add = [&](const Expr& left, const Expr& right, const std::string& meaning) {
      e.type = left->type;
      e.left = {{Group::kinematics, left, meaning}};
      e.right.clear();
      add_term(e.right, Group::kinematics, right, meaning);
      add_equation(e);
    };
    const auto add_prescribed = [&](const Expr& speed, const Axis& axis) {
      if (followed(k, axis, Prescribed::Kind::acceleration) != nullptr)
        add(rate(speed), symbol(shared_symbol("prescribed", k, axis)), "The acceleration is prescribed.");
    };
    std::vector<Expr> before, accelerations;
    for (const Axis& axis : hinge.rotations) {
      if (!hinge.turns) break;
      const Expr q = of_axis("q", k, axis), u = of_axis("u", k, axis);
      if (!hinge.ball) add(rate(of_axis("theta", k, axis)), u, "The rate is the derivative of the angle.");
      std::vector<Expr> w = {omega(hinge.ball ? hinge.child : hinge.parent)};
      for (const Expr& earlier : before) w.push_back(hinge.sign < 0 ? negative(earlier) : earlier);
      add_prescribed(u, axis);
      add(rate(q), cross(sum(w, Type::vector), q), "The vector turns with the frame that it is fixed in.");
      if (!hinge.ball) before.push_back(scaled(u, q));
      accelerations.push_back(scaled(rate(u), q));
    }
    if (hinge.turns) {
      accelerations.push_back(ref("epsilon", name));
      add(short_form(rate(ref("omega_rel", name))), sum(accelerations, Type::vector),
          fmt::format("Angular acceleration of {} relative to {}, seen from the world: that of the rates, and that of "
                      "the axes.",
                      body(k), body(hinge.inboard)));
    }
    if (hinge.slides) {
      for (const Axis& axis : hinge.translations) {
        add(rate(of_axis("x", k, axis)), of_axis("v", k, axis), "The speed is the derivative of the displacement.");
        add_prescribed(of_axis("v", k, axis), axis);
        if (vanishes(sym("omega", P))) continue;  // it never changes
        add(rate(of_axis("d", k, axis)), cross(omega(hinge.parent), of_axis("d", k, axis)),
            "The vector turns with the frame that it is fixed in.");
      }
      add(derivative(ref("zeta", name), P), ref("zeta1", name), "Derivative in the frame of " + P + ".");
      add(derivative(derivative(ref("zeta", name), P), P), ref("zeta2", name), "Derivative in the frame of " + P + ".");
    }
  }
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    Equation e;
    e.kind = EquationKind::kinematics;
    e.of = wheel(w);
    e.body = body(system.wheels[w].body);
    e.title = "Wheel " + e.of;
    const std::string meaning = "The vector turns with the frame that it is fixed in.";
    e.left = {{Group::kinematics, rate(ref("h", e.of)), meaning}};
    add_term(e.right, Group::kinematics, cross(omega(system.wheels[w].body), ref("h", e.of)), meaning);
    add_equation(std::move(e));
  }
}

void Builder::add_nests() {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string& name = joint(k);
    const auto accel = [&](const Index& j) { return rate(ref("omega_rel", j)); };
    const std::string nest = hinge.nest.size() == 1 ? body(k) : "the nest of " + name;
    if (hinge.turns && hinge.free) {
      Equation e;
      e.kind = EquationKind::rotation;
      e.type = Type::vector;
      e.of = name;
      e.body = body(k);
      e.title = fmt::format("Rotation of {} about the pivot of {}", nest, name);
      const Expr mu = ref("mu", name);
      add_term(e.left, Group::inertia,
               over(joints_range(k, true, true), dot(accel(j_runs), ref("X", j_runs, named(name)))),
               "Torque that " + nest + " needs to take part in the angular accelerations of the joints inboard of it.");
      add_term(e.left, Group::inertia, dot(ref("X", name), accel(named(name))),
               fmt::format("Torque that {} needs for the angular acceleration of {} itself.", nest, name));
      add_term(e.left, Group::inertia,
               over(joints_range(k, false, true), dot(ref("X", named(name), j_runs), accel(j_runs))),
               "Torque that the accelerations of the joints within the nest ask of " + name + ".");
      add_term(e.left, Group::inertia, over(joints_range(k, true, false), cross(mu, ref("zeta2", j_runs))),
               "Moment of the inertia of " + nest + " against the sliding accelerations inboard of it.");
      add_term(e.left, Group::inertia, cross(mu, ref("zeta2", name)),
               fmt::format("Moment of the inertia of {} against the sliding acceleration of {}.", nest, name));
      add_term(e.left, Group::inertia,
               over(joints_range(k, false, false), cross(ref("mu", named(name), j_runs), ref("zeta2", j_runs))),
               "Moment of the inertia of what slides within the nest.");
      add_term(e.left, Group::inertia,
               over(wheels_range(k), scaled(ref("I", w_runs), scaled(rate(ref("Omega", w_runs)), ref("h", w_runs)))),
               "Torque that accelerates the wheels in " + nest + ".");
      add_term(e.right, Group::centripetal,
               negative(over(nest_range(k), cross(ref("gamma", named(name), i_runs), ref("C", i_runs)))),
               "Moment of the centripetal and Coriolis forces of the bodies.");
      Range kept = nest_range(k);
      std::erase_if(kept.members, [&](const std::string& member) {
        const bool dropped = !settings.gyroscopic[system.body(member)];
        if (dropped) kept.without.push_back(member);
        return dropped;
      });
      add_term(e.right, Group::gyroscopic, negative(over(kept, cross(ref("omega", i_runs), ref("L", i_runs)))),
               "Gyroscopic torques: the angular momenta, wheels included, turn with the bodies.");
      add_term(e.right, Group::hinge, ref("TH", name), "Springs, dampers and motors of " + name + ".");
      add_term(e.right, Group::hinge, ref("Tc", name),
               "What " + name +
                   " transmits about the axes that it locks; it has no component along the free "
                   "coordinate vectors.");
      add_term(e.right, Group::external,
               over(nest_range(k), cross(ref("gamma", named(name), i_runs), ref("F", i_runs))),
               "Moment of the external forces about the pivot.");
      add_term(e.right, Group::external, over(nest_range(k), ref("T", i_runs)), "External torques.");
      add_term(e.right, Group::constraint,
               over(nest_range(k), cross(ref("gamma", named(name), i_runs), ref("Fl", i_runs))),
               "Moment of the constraint forces of the loops.");
      add_term(e.right, Group::constraint, over(nest_range(k), ref("Tl", i_runs)), "Constraint torques of the loops.");
      add_equation(std::move(e));
    }
    if ((hinge.slides || rubs_by_reaction(k)) && hinge.free) {
      Equation e;
      e.kind = EquationKind::translation;
      e.type = Type::vector;
      e.of = name;
      e.body = body(k);
      e.title = hinge.inboard == 0 && hinge.nest.size() + 1 == hinges.size() && hinge.nest.size() > 1
                    ? "Translation of the whole"
                    : "Translation of " + nest;
      add_term(e.left, Group::inertia,
               over(joints_range(k, true, true), cross(accel(j_runs), ref("mu", j_runs, named(name)))),
               "Force that " + nest + " needs to take part in the angular accelerations of the joints inboard of it.");
      if (hinge.turns)
        add_term(e.left, Group::inertia, cross(accel(named(name)), ref("mu", name)),
                 "Force that the angular acceleration of " + name + " asks for.");
      add_term(e.left, Group::inertia, over(joints_range(k, false, true), cross(accel(j_runs), ref("mu", j_runs))),
               "Force that the angular accelerations within the nest ask for.");
      add_term(
          e.left, Group::inertia,
          scaled(ref("M", name),
                 sum({over(joints_range(k, true, false), ref("zeta2", j_runs)), ref("zeta2", name)}, Type::vector)),
          "Mass of " + nest + " times its sliding accelerations.");
      add_term(e.left, Group::inertia,
               over(joints_range(k, false, false), scaled(ref("M", j_runs), ref("zeta2", j_runs))),
               "Masses that slide within the nest, times their accelerations.");
      add_term(e.right, Group::centripetal, negative(over(nest_range(k), ref("C", i_runs))),
               "Centripetal and Coriolis forces of the bodies.");
      add_term(e.right, Group::hinge, ref("FH", name), "Springs, dampers and motors of " + name + ".");
      add_term(e.right, Group::hinge, ref("Fc", name),
               hinge.slides ? "What " + name +
                                  " transmits along the directions that it locks; it has no component along the free "
                                  "coordinate vectors."
                            : "The force that " + name + " transmits.");
      add_term(e.right, Group::external, over(nest_range(k), ref("F", i_runs)), "External forces.");
      add_term(e.right, Group::constraint, over(nest_range(k), ref("Fl", i_runs)), "Constraint forces of the loops.");
      add_equation(std::move(e));
    }
  }
}

void Builder::add_wheels() {
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    const Wheel& of = system.wheels[w];
    if (of.speed_prescribed) continue;
    const std::string name = wheel(w);
    const Expr I = ref("I", name), h = ref("h", name), Omega = ref("Omega", name);
    Equation e;
    e.kind = EquationKind::wheel;
    e.type = Type::vector;
    e.of = name;
    e.body = body(of.body);
    e.title = "Momentum of wheel " + name;
    add_term(e.left, Group::inertia, scaled(I, scaled(rate(Omega), h)), "Torque that accelerates the wheel.");
    add_term(e.left, Group::inertia,
             scaled(I, dot(dyad(h, h), over(path_range(of.body), rate(ref("omega_rel", j_runs))))),
             "Torque that takes the wheel along with the angular acceleration of " + body(of.body) + ".");
    add_term(e.right, Group::gyroscopic,
             negative(cross(omega(of.body), scaled(scaled(I, sum({Omega, dot(h, omega(of.body))}, Type::scalar)), h))),
             "Gyroscopic torque: the momentum about the axis turns with the body.");
    add_term(e.right, Group::hinge, scaled(ref("tau_w", name), h), "Motor, damper and spring on the wheel's axis.");
    if (const auto found = coupled.find(of.u); found != coupled.end()) {
      for (const Expr& part : found->second)
        add_term(e.right, Group::constraint, scaled(part, h), "What the coupling with other coordinates exerts.");
    }
    add_term(e.right, Group::hinge, ref("Tcw", name), "What the bearings transmit; it is normal to the axis.");
    add_equation(std::move(e));
  }
}

void Builder::add_eliminations() {
  const auto add = [&](const std::string& of, const std::string& of_body, const Expr& vector, const Expr& torque,
                       const Expr& component, Group group) {
    const Expr value = short_form(torque);
    if (is_zero(value)) return;
    Equation e;
    e.kind = EquationKind::elimination;
    e.type = Type::scalar;
    e.of = of;
    e.body = of_body;
    e.title = group == Group::constraint ? "Constraint torques and forces are normal to the free coordinate vectors"
                                         : "Hinge torques and forces along the free coordinate vectors";
    const std::string meaning = group == Group::constraint ? "The product with the free coordinate vector removes it."
                                                           : "What remains of the hinge.";
    e.left = {{group, dot(vector, value), meaning}};
    add_term(e.right, group, component, meaning);
    add_equation(std::move(e));
  };
  const Expr none = zero(Type::scalar);
  const auto along = [&](const std::string& letter, std::uint32_t k, const Axis& axis) {
    std::vector<Expr> parts = {of_axis(letter, k, axis)};
    if (const auto found = coupled.find(axis.u); found != coupled.end())
      parts.insert(parts.end(), found->second.begin(), found->second.end());
    return sum(parts, Type::scalar);
  };
  for (const auto& [letter, group] : {std::pair{"c", Group::constraint}, {"H", Group::hinge}}) {
    const bool normal = group == Group::constraint;
    for (std::uint32_t k = 1; k < hinges.size(); ++k) {
      const Hinge& hinge = hinges[k];
      if (!hinge.free) continue;
      for (const Axis& axis : hinge.rotations)
        add(joint(k), body(k), of_axis("q", k, axis), ref(std::string("T") + letter, joint(k)),
            normal ? none : along("tau", k, axis), group);
      for (const Axis& axis : hinge.translations)
        add(joint(k), body(k), of_axis("d", k, axis), ref(std::string("F") + letter, joint(k)),
            normal ? none : along("f", k, axis), group);
    }
    for (std::size_t w = 0; w < system.wheels.size() && normal; ++w) {
      if (!system.wheels[w].speed_prescribed)
        add(wheel(w), body(system.wheels[w].body), ref("h", wheel(w)), ref("Tcw", wheel(w)), none, group);
    }
  }
}

}  // namespace gyrostat::derive
