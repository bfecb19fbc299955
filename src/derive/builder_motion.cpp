// Angular velocities, displacements, centripetal and Coriolis accelerations, and the position vectors of nests.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"

namespace gyrostat::derive {

namespace {

/// Position vectors between joints so far apart are built on others.
constexpr std::size_t longest_sum = 4;

}  // namespace

void Builder::define_motion() {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string &name = joint(k), &J = body(hinge.inboard);
    // The displacement and its rates in P.
    std::vector<Expr> displacement, velocity, acceleration, turning;
    for (const Axis& axis : hinge.translations) {
      const Expr d = of_axis("d", k, axis);
      displacement.push_back(scaled(of_axis("x", k, axis), d));
      if (!hinge.slides) continue;
      velocity.push_back(scaled(of_axis("v", k, axis), d));
      acceleration.push_back(scaled(rate(of_axis("v", k, axis)), d));
    }
    define(sym("zeta", name), Section::motion, "displacement of joint " + name, "m", body(k),
           sum(displacement, Type::vector));
    define(sym("zeta1", name), Section::motion, "velocity of sliding of " + name + ", in " + body(hinge.parent), "m/s",
           body(k), sum(velocity, Type::vector));
    define(sym("zeta2", name), Section::motion, "acceleration of sliding of " + name + ", in " + body(hinge.parent),
           "m/s^2", body(k), sum(acceleration, Type::vector));

    // The rotation.
    std::vector<Expr> turns, before;
    turning = {cross(omega(hinge.inboard), ref("omega_rel", name))};
    for (const Axis& axis : hinge.rotations) {
      if (!hinge.turns) break;
      const Expr q = of_axis("q", k, axis), uq = scaled(of_axis("u", k, axis), q);
      if (!before.empty() && !hinge.ball) {
        const Expr w = sum(before, Type::vector);
        const Expr product = scaled(of_axis("u", k, axis), cross(w, q));
        turning.push_back(hinge.sign < 0 ? negative(product) : product);
      }
      turns.push_back(uq);
      before.push_back(uq);
    }
    define(sym("omega_rel", name), Section::motion, "angular velocity of " + body(k) + " relative to " + J, "rad/s",
           body(k), sum(turns, Type::vector));
    define(sym("omega", body(k)), Section::motion, "angular velocity of " + body(k), "rad/s", body(k),
           sum({omega(hinge.inboard), ref("omega_rel", name)}, Type::vector));
    // Of the first body of a tree they are one and the same; its own is the better known.
    if (vanishes(sym("omega", J)) && hinge.turns) {
      known.aliases.erase(sym("omega", body(k)));
      defined[sym("omega", body(k))].value = defined[sym("omega_rel", name)].value;
      defined[sym("omega_rel", name)].value = omega(k);
      known.aliases[sym("omega_rel", name)] = omega(k);
    }
    define(sym("epsilon", name), Section::motion,
           "part of the acceleration of " + name + " that is due to the turning of its axes", "rad/s^2", body(k),
           hinge.turns ? sum(turning, Type::vector) : zero(Type::vector));

    // Centripetal and Coriolis acceleration, of the joint point and of the mass centre.
    const Expr wJ = omega(hinge.inboard), wP = omega(hinge.parent), zeta = ref("zeta", name);
    std::vector<Expr> parts;
    if (hinge.inboard != 0) parts.push_back(ref("kappa", J));
    parts.push_back(cross(wJ, cross(wJ, ref("beta", name))));
    parts.push_back(cross(wP, cross(wP, zeta)));
    parts.push_back(scaled(number(2), cross(wP, ref("zeta1", name))));
    define(sym("kappa", body(k)), Section::motion,
           "centripetal and Coriolis acceleration of the joint point of " + body(k), "m/s^2", body(k),
           sum(parts, Type::vector));
    const Expr alpha = ref("alpha", body(k)), w = omega(k);
    define(sym("C", body(k)), Section::motion,
           "centripetal and Coriolis acceleration of the mass centre of " + body(k) + ", times its mass", "N", body(k),
           scaled(ref("m", body(k)), sum({ref("kappa", body(k)), cross(w, cross(w, alpha))}, Type::vector)));
    define(sym("L", body(k)), Section::motion, "angular momentum of " + body(k) + " about its mass centre", "N m s",
           body(k),
           sum({dot(ref("Phi", body(k)), w),
                over(body_wheels_range(k),
                     scaled(ref("I", running("w")), scaled(ref("Omega", running("w")), ref("h", running("w")))))},
               Type::vector));
  }
}

void Builder::define_gammas() {
  // From the innermost nest outward, so that longer ones are built on shorter ones.
  for (auto k = static_cast<std::uint32_t>(hinges.size()); k-- > 1;) {
    for (const std::uint32_t i : hinges[k].nest) {
      std::vector<Expr> parts;
      if (hinges[k].parent == k) parts.push_back(ref("zeta", joint(k)));  // it turns with body k
      const auto& path = hinges[i].path;
      auto next = std::ranges::find(path, k) + 1;
      const bool is_long = static_cast<std::size_t>(path.end() - next) > longest_sum;
      for (; next != path.end(); ++next) {
        parts.push_back(ref("beta", joint(*next)));
        if (is_long && hinges[*next].parent == *next) {
          parts.push_back(ref("gamma", joint(*next), body(i)));  // that contains the displacement
          break;
        }
        parts.push_back(ref("zeta", joint(*next)));
        if (!is_long) continue;
        parts.push_back(ref("gamma", joint(*next), body(i)));
        break;
      }
      if (!is_long) parts.push_back(ref("alpha", body(i)));
      define(sym("gamma", joint(k), body(i)), Section::nest,
             "from the pivot of " + joint(k) + " to the mass centre of " + body(i), "m", body(k),
             sum(parts, Type::vector));
    }
  }
}

}  // namespace gyrostat::derive
