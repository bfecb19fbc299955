// The products of the vector equations with the free coordinate vectors: N-BOD's Eqs. 134 to 144.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"

namespace gyrostat::derive {

void Builder::define_resultants() {
  const Index i = running("i"), j = running("j");
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string& name = joint(k);
    if (!hinge.free) continue;
    const Index of = named(name);
    if (hinge.turns) {
      define(sym("etaC", name), Section::resultant, "centripetal and Coriolis torque on the nest of " + name, "N m",
             body(k),
             sum({negative(over(joints_range(k, true, true), dot(ref("epsilon", j), ref("X", j, of)))),
                  negative(dot(ref("X", name), ref("epsilon", name))),
                  negative(over(joints_range(k, false, true), dot(ref("X", of, j), ref("epsilon", j)))),
                  negative(over(nest_range(k), cross(ref("gamma", of, i), ref("C", i))))},
                 Type::vector));
      Range kept = nest_range(k);
      std::erase_if(kept.members, [&](const std::string& member) {
        const bool dropped = !settings.gyroscopic[system.body(member)];
        if (dropped) kept.without.push_back(member);
        return dropped;
      });
      define(sym("etaG", name), Section::resultant, "gyroscopic torque on the nest of " + name, "N m", body(k),
             negative(over(kept, cross(ref("omega", i), ref("L", i)))));
      define(sym("etaE", name), Section::resultant, "external torque on the nest of " + name, "N m", body(k),
             sum({over(nest_range(k), cross(ref("gamma", of, i), ref("F", i))), over(nest_range(k), ref("T", i))},
                 Type::vector));
      define(sym("etaL", name), Section::resultant, "constraint torque of the loops on the nest of " + name, "N m",
             body(k),
             sum({over(nest_range(k), cross(ref("gamma", of, i), ref("Fl", i))), over(nest_range(k), ref("Tl", i))},
                 Type::vector));
    }
    if (hinge.slides) {
      std::vector<Expr> parts = {
          negative(over(joints_range(k, true, true), cross(ref("epsilon", j), ref("mu", j, of))))};
      if (hinge.turns) parts.push_back(negative(cross(ref("epsilon", name), ref("mu", name))));
      parts.push_back(negative(over(joints_range(k, false, true), cross(ref("epsilon", j), ref("mu", j)))));
      parts.push_back(negative(over(nest_range(k), ref("C", i))));
      define(sym("phiC", name), Section::resultant, "centripetal and Coriolis force on the nest of " + name, "N",
             body(k), sum(parts, Type::vector));
      define(sym("phiE", name), Section::resultant, "external force on the nest of " + name, "N", body(k),
             over(nest_range(k), ref("F", i)));
      define(sym("phiL", name), Section::resultant, "constraint force of the loops on the nest of " + name, "N",
             body(k), over(nest_range(k), ref("Fl", i)));
    }
  }
}

Expr Builder::element(std::uint32_t k, const Axis& a, std::uint32_t j, const Axis& b) const {
  const std::string &K = joint(k), &J = joint(j);
  const Expr va = of_axis(a.rotation ? "q" : "d", k, a), vb = of_axis(b.rotation ? "q" : "d", j, b);
  const bool outer = inboard_of(j, k);  // joint j is inboard of k
  if (j != k && !outer && !inboard_of(k, j)) return zero(Type::scalar);
  if (a.rotation && b.rotation) {
    if (j == k) return dot(va, dot(ref("X", K), vb));
    return outer ? dot(vb, dot(ref("X", J, K), va)) : dot(va, dot(ref("X", K, J), vb));
  }
  if (a.rotation) return dot(va, cross(j == k || outer ? ref("mu", K) : ref("mu", K, J), vb));
  if (b.rotation) return dot(vb, cross(outer ? ref("mu", J, K) : ref("mu", J), va));
  return scaled(ref("M", j == k || outer ? K : J), dot(va, vb));
}

void Builder::add_reduced() {
  const auto each_axis = [&](auto act) {
    for (std::uint32_t j = 1; j < hinges.size(); ++j) {
      const Hinge& hinge = hinges[j];
      if (!hinge.turns && !hinge.slides) continue;
      for (const auto* axes : {&hinge.rotations, &hinge.translations}) {
        for (const Axis& axis : *axes) act(j, axis);
      }
    }
  };
  const std::vector<StateEntry> names = speed_entries(system);
  const auto speed = [&](std::uint32_t j, const Axis& axis) { return of_axis(axis.rotation ? "u" : "v", j, axis); };
  const auto add_acceleration = [&](Equation& e, const Expr& factor, const Expr& of, bool free, bool own,
                                    const std::string& name) {
    const Expr product = scaled(factor, rate(of));
    if (free) {
      add_term(e.left, Group::inertia, product,
               own ? "Inertia against the equation's own acceleration."
                   : "Inertia by which the acceleration of " + name + " is felt here.");
    } else {
      add_term(e.right, Group::prescribed, negative(product), "The acceleration of " + name + " is prescribed.");
    }
  };
  each_axis([&](std::uint32_t k, const Axis& a) {
    document.unknowns.push_back({axis_symbol(a.rotation ? "u" : "v", k, a), a.u, names[a.u].name, !hinges[k].free});
  });
  for (std::size_t w = 0; w < system.wheels.size(); ++w)
    document.unknowns.push_back({sym("Omega", wheel(w)), system.wheels[w].u, names[system.wheels[w].u].name,
                                 system.wheels[w].speed_prescribed});

  each_axis([&](std::uint32_t k, const Axis& a) {
    if (!hinges[k].free) return;
    const std::string& name = joint(k);
    Equation e;
    e.kind = EquationKind::reduced;
    e.type = Type::scalar;
    e.of = name;
    e.body = body(k);
    e.title = names[a.u].name;
    each_axis([&](std::uint32_t j, const Axis& b) {
      add_acceleration(e, element(k, a, j, b), speed(j, b), hinges[j].free, j == k && a.u == b.u, names[b.u].name);
    });
    const Expr vector = of_axis(a.rotation ? "q" : "d", k, a);
    for (std::size_t w = 0; w < system.wheels.size() && a.rotation; ++w) {
      const Wheel& of = system.wheels[w];
      if (std::ranges::find(hinges[k].nest, of.body) == hinges[k].nest.end()) continue;
      add_acceleration(e, scaled(ref("I", wheel(w)), dot(vector, ref("h", wheel(w)))), ref("Omega", wheel(w)),
                       !of.speed_prescribed, false, names[of.u].name);
    }
    const auto along = [&](const std::string& letter) { return dot(vector, ref(letter, name)); };
    add_term(e.right, Group::centripetal, along(a.rotation ? "etaC" : "phiC"),
             "Centripetal and Coriolis effects along the free coordinate vector.");
    if (a.rotation)
      add_term(e.right, Group::gyroscopic, along("etaG"), "Gyroscopic torque about the free coordinate vector.");
    add_term(e.right, Group::hinge, of_axis(a.rotation ? "tau" : "f", k, a), "Spring, damper and motor of the joint.");
    add_term(e.right, Group::external, along(a.rotation ? "etaE" : "phiE"),
             "External forces and torques along the free coordinate vector.");
    add_loop_terms(e, k, a);
    add_equation(std::move(e));
  });
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    const Wheel& of = system.wheels[w];
    if (of.speed_prescribed) continue;
    const std::string name = wheel(w);
    const Expr I = ref("I", name), h = ref("h", name);
    Equation e;
    e.kind = EquationKind::reduced;
    e.type = Type::scalar;
    e.of = name;
    e.body = body(of.body);
    e.title = names[of.u].name;
    for (const std::uint32_t j : hinges[of.body].path) {
      if (!hinges[j].turns) continue;
      for (const Axis& b : hinges[j].rotations)
        add_acceleration(e, scaled(I, dot(h, of_axis("q", j, b))), speed(j, b), hinges[j].free, false, names[b.u].name);
    }
    add_acceleration(e, I, ref("Omega", name), true, true, names[of.u].name);
    add_term(e.right, Group::centripetal,
             negative(scaled(I, dot(h, over(path_range(of.body), ref("epsilon", running("j")))))),
             "The wheel is taken along by the turning of the axes of the joints.");
    add_term(e.right, Group::hinge, ref("tau_w", name), "Motor, damper and spring of the wheel.");
    add_coupled(e, of.u);
    add_equation(std::move(e));
  }
}

}  // namespace gyrostat::derive
