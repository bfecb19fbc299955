// The symbols of bodies, joints and wheels that have numbers in the model, or are parts of its state.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"
#include "gyrostat/dynamics/forces.h"

namespace gyrostat::derive {

namespace {

Constant constant_of(double value) { return {{value}, ""}; }
Constant constant_of(const Vector3& v, const std::string& frame) { return {{v.x(), v.y(), v.z()}, frame}; }
Constant constant_of(const Matrix3& m, const std::string& frame) {
  return {{m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)}, frame};
}

}  // namespace

void Builder::describe_tree() {
  document.title = system.name;
  document.tree = tree_of(system);
}

void Builder::define_bodies() {
  vanish(sym("omega", "world"));
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const std::string& name = body(k);
    const MassProperties& of = system.bodies[k].mass_properties;
    const Vector3 alpha = of.com - base_point(system.joints[k]);
    define(sym("m", name), Section::body, "mass of " + name, "kg", name, constant_of(of.mass));
    if (of.mass == 0) vanish(sym("m", name));
    define(sym("Phi", name), Section::body,
           "inertia dyadic of " + name + " about its mass centre" +
               (std::ranges::any_of(system.wheels, [&](const Wheel& w) { return w.body == k; })
                    ? ", with its wheels at rest in it"
                    : ""),
           "kg m^2", name, constant_of(of.inertia, name));
    known.fixed_dyadics[sym("Phi", name)][name] = of.inertia;
    if (of.inertia.isZero(0)) vanish(sym("Phi", name));
    define(sym("alpha", name), Section::body, "from the joint point of " + name + " to its mass centre", "m", name,
           constant_of(alpha, name));
    fix(sym("alpha", name), name, alpha);
    if (alpha.isZero(0)) vanish(sym("alpha", name));
  }
}

void Builder::define_joints() {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const Joint& j = system.joints[k];
    const std::string &name = joint(k), &P = body(hinge.parent), &C = body(hinge.child), &J = body(hinge.inboard);
    Vector3 beta = j.reversed ? j.child_point : j.parent_point;
    if (hinge.inboard != 0) beta -= base_point(system.joints[hinge.inboard]);
    define(sym("beta", name), Section::joint,
           hinge.inboard == 0 ? "from the origin of the world to joint " + name
                              : fmt::format("from the joint point of {} to joint {}", J, name),
           "m", body(k), constant_of(beta, J));
    fix(sym("beta", name), J, beta);
    if (beta.isZero(0)) vanish(sym("beta", name));

    const auto names = speed_names(j.type, j.translations, j.rotations);
    const auto speed_meaning = [&](const Axis& axis) {
      return fmt::format("{}.{}{}", name, names[axis.local].name, j.motion == Motion::prescribed ? ", prescribed" : "");
    };
    const auto define_prescribed = [&](const Axis& axis, const char* unit) {
      if (const Expression* follows = followed(k, axis, Prescribed::Kind::acceleration))
        define(shared_symbol("prescribed", k, axis), Section::joint,
               fmt::format("acceleration that is prescribed for {}.{}", name, names[axis.local].name), unit, body(k),
               follows);
    };
    for (std::size_t n = 0; n < hinge.rotations.size() && hinge.turns; ++n) {
      const Axis& axis = hinge.rotations[n];
      const Symbol q = axis_symbol("q", k, axis);
      const bool first = n == 0, last = n + 1 == hinge.rotations.size();
      std::optional<Constant> constant;
      if (hinge.ball) {
        const Vector3 e = hinge.sign * Vector3::Unit(static_cast<Eigen::Index>(n));
        fix(q, C, e);
        constant = constant_of(e, C);
      } else {
        const Vector3 in_C = hinge.sign * (j.R_0.transpose() * j.a[n]);
        if (last) {
          fix(q, C, in_C);
          constant = constant_of(in_C, C);
        }
        if (first) {
          fix(q, P, hinge.sign * j.a[n]);
          constant = constant_of(Vector3(hinge.sign * j.a[n]), P);
        }
        // Neighbours are fixed in the gimbal between them.
        const std::string gimbal = name + "#";
        if (!last) fix(q, gimbal + std::to_string(n), j.a[n]);
        if (!first) fix(q, gimbal + std::to_string(n - 1), j.a[n]);
      }
      define(q, Section::joint,
             hinge.ball ? fmt::format("free coordinate vector of {}: {}{} axis of {}", name,
                                      hinge.sign < 0 ? "minus the " : "the ", axis.index, C)
                        : fmt::format("free coordinate vector of {}: its {}axis of rotation, fixed in {}", name,
                                      hinge.rotations.size() == 1 ? "" : axis.index + ". ",
                                      first  ? (last ? fmt::format("{} and {}", P, C) : P)
                                      : last ? C
                                             : "the gimbal between the first and the third"),
             "1", body(k), constant);
      const Expression* position = followed(k, axis, Prescribed::Kind::position);
      if (!hinge.ball)
        define(axis_symbol("theta", k, axis), Section::joint,
               fmt::format("{}.{}{}", name, coordinate_names(j.type, j.translations, j.rotations)[axis.local].name,
                           position == nullptr ? "" : ", prescribed"),
               "rad", body(k), position);
      define(axis_symbol("u", k, axis), Section::joint, "rate " + speed_meaning(axis), "rad/s", body(k));
      define_prescribed(axis, "rad/s^2");
    }
    for (std::size_t n = 0; n < hinge.translations.size(); ++n) {
      const Axis& axis = hinge.translations[n];
      const Symbol d = axis_symbol("d", k, axis), x = axis_symbol("x", k, axis);
      const Vector3 along =
          hinge.sign * (j.type == JointType::free ? Vector3(Vector3::Unit(static_cast<int>(n))) : j.d[n]);
      fix(d, P, along);
      define(d, Section::joint,
             fmt::format("free coordinate vector of {}: {}, fixed in {}", name,
                         j.type == JointType::free ? "the " + axis.index + " axis" : "its axis of translation", P),
             "1", body(k), constant_of(along, P));
      const double value = system.initial.q[axis.q];
      const bool locked = j.motion == Motion::locked;
      const std::string coordinate = coordinate_names(j.type, j.translations, j.rotations)[axis.q - j.q].name;
      const Expression* position = followed(k, axis, Prescribed::Kind::position);
      if (locked) {
        define(x, Section::joint, fmt::format("displacement {}.{}, locked", name, coordinate), "m", body(k),
               constant_of(value));
        if (value == 0) vanish(x);
        continue;
      }
      define(x, Section::joint,
             fmt::format("displacement {}.{}{}", name, coordinate, position == nullptr ? "" : ", prescribed"), "m",
             body(k), position);
      define(axis_symbol("v", k, axis), Section::joint, "speed " + speed_meaning(axis), "m/s", body(k));
      define_prescribed(axis, "m/s^2");
    }
  }
}

void Builder::define_wheels() {
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    const Wheel& of = system.wheels[w];
    const std::string name = wheel(w), &carrier = body(of.body);
    define(sym("I", name), Section::wheel, "inertia of wheel " + name + " about its axis", "kg m^2", carrier,
           constant_of(of.inertia));
    define(sym("h", name), Section::wheel, fmt::format("axis of wheel {}, fixed in {}", name, carrier), "1", carrier,
           constant_of(of.axis, carrier));
    fix(sym("h", name), carrier, of.axis);
    define(sym("Omega", name), Section::wheel,
           fmt::format("rate of wheel {} relative to {}{}", name, carrier, of.speed_prescribed ? ", prescribed" : ""),
           "rad/s", carrier, of.speed_prescribed ? &wheel_description(w).speed : nullptr);
    define(sym("psi", name), Section::wheel, fmt::format("angle of wheel {} relative to {}", name, carrier), "rad",
           carrier);
  }
}

}  // namespace gyrostat::derive
