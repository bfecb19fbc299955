// Which terms of the general equations this system does not have, and why.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/builder.h"

namespace gyrostat::derive {

void Builder::say_what_is_left_out() {
  const auto say = [&](std::string what, std::string why, const std::string& of = {}) {
    document.left_out.push_back({std::move(what), std::move(why), of});
  };
  const auto say_together = [&](const std::vector<std::string>& names, const std::string& what, const std::string& one,
                                const std::string& several) {
    if (names.size() == 1) say(what, fmt::format(fmt::runtime(one), names.front()));
    if (names.size() > 1) say(what, fmt::format(fmt::runtime(several), listed(names)));
  };
  std::vector<std::string> no_wheel, no_load, rigid, at_joint, on_joint, no_hinge, fixed_axes;
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Hinge& hinge = hinges[k];
    const std::string &name = body(k), &j = joint(k);
    const Motion motion = system.joints[k].motion;
    const MassProperties& of = system.bodies[k].mass_properties;
    if (of.mass == 0) say("mass, inertia forces and torques of " + name, name + " is massless", name);
    if (of.mass != 0 && of.inertia.isZero(0))
      say("inertia dyadic, angular momentum and gyroscopic torque of " + name, name + " is a point mass", name);
    if (motion == Motion::locked) {
      say("rates and accelerations of " + j, j + " is locked; it has no equation, only a reaction", name);
    } else if (hinge.rotations.empty() && hinge.translations.empty()) {
      say("rates and accelerations of " + j, j + " is a weld; it has no equation, only a reaction", name);
    } else if (motion == Motion::prescribed) {
      say("equations of " + j, "the motion of " + j + " is prescribed: its accelerations are given", name);
    }
    if (const JointDescription* of_joint = described(k)) {
      std::vector<std::string> held;
      if (of_joint->latch) held.emplace_back("latch");
      if (of_joint->friction) held.emplace_back("sticking");
      if (of_joint->stops && !of_joint->stops->stiffness) held.emplace_back("rigid stops");
      if (!held.empty())
        say(listed(held) + " of " + j, "the equations are those of the motion while nothing holds it", name);
    }
    if (hinge.rotations.empty() && !hinge.translations.empty())
      say("angular velocity of " + name + " relative to " + body(hinge.inboard), j + " does not turn", name);
    if (!settings.gyroscopic[k] && !of.inertia.isZero(0))
      say("gyroscopic torque of " + name, "the model drops it (simulation.gyroscopic)", name);
    if (std::ranges::none_of(system.wheels, [&](const Wheel& w) { return w.body == k; })) no_wheel.push_back(name);
    if (vanishes(sym("F", name)) && vanishes(sym("T", name))) no_load.push_back(name);
    if (hinge.translations.empty() && hinge.turns) rigid.push_back(j);
    if (of.mass != 0 && vanishes(sym("alpha", name))) at_joint.push_back(name);
    if (vanishes(sym("beta", j))) on_joint.push_back(j);
    if (hinge.turns && vanishes(sym("epsilon", j))) fixed_axes.push_back(j);
    const auto quiet = [&](const Axis& a) {
      return !coupled.contains(a.u) && vanishes(axis_symbol(a.rotation ? "tau" : "f", k, a));
    };
    const bool all_quiet =
        std::ranges::all_of(hinge.rotations, quiet) && std::ranges::all_of(hinge.translations, quiet);
    if (hinge.free && (hinge.turns || hinge.slides) && all_quiet) no_hinge.push_back(j);
    if (hinge.free && hinge.turns && hinge.rotations.size() == 3)
      say("constraint torque of " + j, j + " turns about three axes and locks none", name);
    if (hinge.free && hinge.slides && hinge.translations.size() == 3)
      say("constraint force of " + j, j + " slides along three axes and locks none", name);
  }
  for (std::size_t w = 0; w < system.wheels.size(); ++w) {
    const std::string& carrier = body(system.wheels[w].body);
    if (system.wheels[w].speed_prescribed) say("equation of wheel " + wheel(w), "its rate is prescribed", carrier);
    const WheelDescription& of = wheel_description(w);
    std::vector<std::string> held;
    if (of.friction) held.emplace_back("sticking");
    if (std::isfinite(of.speed_limit)) held.emplace_back("limit of the speed");
    if (!held.empty())
      say(listed(held) + " of wheel " + wheel(w), "the equations are those of the motion while nothing holds it",
          carrier);
  }
  if (no_wheel.size() + 1 == hinges.size()) {
    say("momenta of wheels", "no body carries a wheel");
  } else {
    say_together(no_wheel, "momenta of wheels", "{} carries no wheel", "{} carry no wheel");
  }
  if (no_load.size() + 1 == hinges.size()) {
    say("external forces and torques", "no load acts on any body");
  } else {
    say_together(no_load, "external forces and torques", "no load acts on {}", "no load acts on {}");
  }
  say_together(rigid, "displacements and sliding accelerations", "{} does not slide", "{} do not slide");
  say_together(at_joint, "vectors from the joint point to the mass centre, and their centripetal forces",
               "the mass centre of {} is at its joint point", "the mass centres of {} are at their joint points");
  say_together(on_joint, "vectors from the inboard joint point to the joint, and their centripetal forces",
               "{} is at the joint point of the body inboard of it",
               "{} are at the joint points of the bodies inboard of them");
  say_together(fixed_axes, "accelerations by the turning of axes",
               "the axes of {} are fixed in a body that does not turn, or turn with what they turn",
               "the axes of {} are fixed in bodies that do not turn, or turn with what they turn");
  say_together(no_hinge, "hinge torques and forces", "{} has no spring, damper or motor",
               "{} have no spring, damper or motor");
  say("angular velocity and acceleration of the world", "the world is the inertial frame");
}

}  // namespace gyrostat::derive
