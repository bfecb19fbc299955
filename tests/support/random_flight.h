// Random models with every kind of load, drive and smooth signal, to be flown. The same seed gives the same model.
#pragma once

#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/model/load.h"

#include "support/random_model.h"

namespace gyrostat::testing {

inline Expression parsed(const std::string& text) {
  const expression::Parsed p = expression::parse(text);
  if (p.complaint) throw std::runtime_error(p.complaint->message + " in " + text);
  return p.expression;
}

struct RandomFlightOptions {
  std::size_t most_bodies = 5;
  double held = 0.5;    // chance that joints to the world are of any type; else all that flies is free
  double massless = 0;  // and point masses: they can get into singular configurations in flight
  double flexible = 0;  // part of the bodies with mass
  bool loads = true, drives = true, signals = true;
  GravityGradient gradient = GravityGradient::none;
};

class RandomFlight {
 public:
  RandomFlight(std::uint64_t seed, const RandomFlightOptions& options) : random_(seed ^ 0xf1197), options_(options) {
    RandomModelOptions bodies;
    bodies.most_bodies = options.most_bodies;
    bodies.massless = bodies.point_masses = options.massless;
    bodies.flexible = options.flexible;
    bodies.springs = 0;
    bodies.implicit_base = random_.chance(options.held) ? 0 : 1;
    if (!options.drives) bodies.prescribed = 0;
    d_ = random_description(seed, bodies);
  }

  Description make() {
    d_.tables.push_back({"line", {-9, -1, 0.5, 9}, {5, 1, 4, 2}, Interpolation::linear, Outside::hold});
    d_.tables.push_back({"curve", {-9, -3, 0.5, 3, 9}, {5, 3, 4, 2, 2}, Interpolation::cubic, Outside::extend});
    if (options_.signals) add_signals();
    for (JointDescription& joint : d_.joints) finish(joint);
    for (BodyDescription& body : d_.bodies) finish(body);
    if (options_.loads) {
      for (std::size_t k = random_.between(1, 4); k > 0; --k) add_load();
      if (random_.chance(0.4)) d_.environment.gravity = random_.vector(5);
    }
    if (options_.gradient != GravityGradient::none) add_orbit();
    d_.simulation.duration = 2;
    d_.output.interval = 0.1;
    return std::move(d_);
  }

 private:
  double number(double low, double high) { return random_.uniform(low, high); }
  const std::string& body() { return d_.bodies[random_.index(d_.bodies.size())].name; }

  /// Something smooth of time, motion and signals.
  Expression something(double size = 2) {
    const std::string b = body();
    switch (random_.index(options_.signals ? 6 : 4)) {
      case 0: {
        const double frequency = number(0.5, 3), amplitude = number(-size, size);
        return parsed(fmt::format("{:.3f}*sin({:.3f}*t)", amplitude, frequency));
      }
      case 1: return parsed(fmt::format("-{:.3f}*{}.omega_y", number(0, size), b));
      case 2: {
        const double factor = number(-1, 1), constant = number(-size, size);
        return parsed(fmt::format("{:.3f} + {:.3f}*{}.C12", constant, factor, b));
      }
      case 3: return parsed(fmt::format("{:.3f}*{}.velocity_z/(1 + {}.position_x^2)", number(-size, size), b, b));
      default: {
        const std::string& signal = d_.signals[random_.index(5)].name;
        return parsed(fmt::format("{:.3f}*{}", number(-size, size), signal));
      }
    }
  }

  void add_signals() {
    const std::string b = body();
    d_.signals.push_back({"sum", IntegralBlock{parsed(b + ".omega_x"), 0.1}});
    d_.signals.push_back({"lag", TransferFunctionBlock{parsed(b + ".velocity_y + cos(t)"), {1, 2}, {1, 3, 4}, 0.2}});
    PidBlock pid;
    pid.input = parsed(b + ".C23 - 0.1*lag");
    pid.kp = 1, pid.ki = 0.5, pid.kd = 0.3, pid.filter = 0.2;
    d_.signals.push_back({"pid", pid});
    d_.signals.push_back({"bounded", SaturateBlock{parsed("pid"), -1e3, 1e3}});
    StateSpaceBlock block;
    block.inputs = {parsed("sum"), parsed("t")};
    block.a = {{-1, 2}, {-2, -1}}, block.b = {{1, 0}, {0, 0.5}}, block.c = {{1, 1}}, block.d = {{0, 0.1}};
    block.initial = {0.3, -0.2};
    d_.signals.push_back({"plant", block});
  }

  Coefficient coefficient(double low, double high) {
    if (random_.chance(0.25)) return {0, random_.chance(0.5) ? "line" : "curve"};
    return {number(low, high), ""};
  }

  void finish(JointDescription& joint) {
    const std::size_t speeds = joint.speed.size();
    for (std::size_t k = 0; k < joint.prescribed.motion.size(); ++k) {
      const bool position = joint.prescribed.kind == Prescribed::Kind::position;
      const double frequency = number(0.5, 3), amplitude = number(-0.3, 0.3);
      joint.prescribed.motion[k] = parsed(
          fmt::format("{:.17g} + {:.3f}*sin({:.3f}*t)", position ? joint.position[k] : 0.0, amplitude, frequency));
    }
    if (!options_.loads || speeds == 0) return;
    const bool rotates = !joint.rotations.empty() && !has_quaternion(joint.type);
    const bool springs = !has_quaternion(joint.type) && random_.chance(0.6);
    const bool thermal = springs && random_.chance(0.4), dampers = random_.chance(0.6), torque = random_.chance(0.5);
    if (thermal) joint.thermal = ThermalSpring{number(0.5, 3), {}, random_.chance(0.5) ? something(1) : Expression{}};
    for (std::size_t k = 0; k < speeds; ++k) {
      if (springs) joint.stiffness.push_back(coefficient(0, 10));
      if (springs && !thermal) joint.rest.push_back(number(-1, 1));
      if (thermal) joint.thermal->steady.push_back(number(-1, 1));
      if (dampers)
        joint.damping.push_back(has_quaternion(joint.type) ? Coefficient{number(0, 1), ""} : coefficient(0, 1));
      if (torque) joint.torque.push_back(something());
    }
    if (rotates && random_.chance(0.3)) {
      for (std::size_t k = 0; k < joint.rotations.size(); ++k) joint.axis_torque.push_back(something());
    }
  }

  void finish(BodyDescription& body) {
    for (WheelDescription& wheel : body.wheels) {
      wheel.rate /= 10;
      if (!wheel.speed.empty()) {
        if (options_.drives) wheel.speed = parsed(fmt::format("{:.17g} + sin(2*t)", wheel.rate));
      } else if (options_.loads) {
        wheel.torque = something(0.5);
        wheel.stiffness = random_.chance(0.3) ? number(0, 2) : 0;
        wheel.damping = number(0, 0.1);
      }
    }
  }

  PointReference point() {
    PointReference p;
    p.body = body();
    if (random_.chance(0.6)) p.position = random_.vector();
    return p;
  }

  void add_load() {
    switch (random_.index(5)) {
      case 0: {
        BodyLoad load;
        load.at = point();
        load.axes = random_.chance(0.5) ? Axes::body : Axes::world;
        for (int k = 0; k < 3; ++k) load.force.push_back(something()), load.torque.push_back(something());
        d_.loads.emplace_back(load);
        break;
      }
      case 1: {
        SpringLoad load;
        load.from = point();
        load.to = point();
        if (load.to.body == load.from.body) load.to = {"world", "", Vector3(random_.vector(3))};
        load.stiffness = coefficient(0, 10);
        load.damping = coefficient(0, 2);
        load.length = number(0, 1);
        load.force = something();
        d_.loads.emplace_back(load);
        break;
      }
      case 2: {
        ThrusterLoad load;
        load.at = point();
        load.direction = random_.direction();
        load.thrust = something();
        if (random_.chance(0.5)) load.command = something(1);
        d_.loads.emplace_back(load);
        break;
      }
      case 3: {
        if (d_.bodies.size() < 2) return;
        TorsionSpringLoad load;
        load.from = d_.bodies[0].name, load.to = d_.bodies[1].name;
        load.axis = random_.direction(), load.to_line = random_.direction();
        load.from_line = load.axis.unitOrthogonal();
        // a table has other energies at pi and at -pi, which the ledger would show
        load.stiffness = {random_.uniform(0, 10), "", {}}, load.damping = coefficient(0, 1);
        if (random_.chance(0.3)) load.stiffness = {0, "", something()};
        load.torque = something();
        d_.loads.emplace_back(load);
        break;
      }
      default: {
        if (d_.bodies.size() < 2) return;
        TorqueBetweenLoad load;
        load.from = d_.bodies[0].name, load.to = d_.bodies[1].name;
        load.axis = random_.direction();
        load.torque = something();
        d_.loads.emplace_back(load);
      }
    }
  }

  /// A gradient that turns things about within the flight.
  void add_orbit() {
    OrbitDescription orbit;
    orbit.semi_major_axis = 1e3, orbit.mu = 5e8, orbit.radius = 1;
    orbit.eccentricity = number(0, 0.3);
    orbit.inclination = number(0, 3), orbit.raan = number(-3, 3), orbit.argument_of_periapsis = number(-3, 3);
    d_.environment.orbit = orbit;
    d_.environment.gravity_gradient = options_.gradient;
  }

  Random random_;
  RandomFlightOptions options_;
  Description d_;
};

inline Loaded random_flight(std::uint64_t seed, const RandomFlightOptions& options = {}) {
  return load_description(RandomFlight(seed, options).make());
}

}  // namespace gyrostat::testing
