// Gyrostat inside another simulation: the System is built once, then a loop of our own asks for accelerations
// with torques of our own. Nothing but the installed library is used.
#include <cmath>
#include <cstdio>
#include <string>

#include <gyrostat/gyrostat.h>

namespace {

/// A spacecraft described without a file: a bus with a reaction wheel and a panel on a hinge.
gyrostat::Description bus_with_panel() {
  gyrostat::Description model;
  model.name = "bus with a panel";

  gyrostat::BodyDescription bus;
  bus.name = "bus";
  bus.mass = 100;
  bus.inertia = gyrostat::Vector3(10, 12, 8).asDiagonal();
  gyrostat::WheelDescription wheel;
  wheel.name = "wheel";
  wheel.axis = gyrostat::Vector3::UnitZ();
  wheel.inertia = 0.05;
  bus.wheels.push_back(wheel);
  model.bodies.push_back(bus);

  gyrostat::BodyDescription panel;
  panel.name = "panel";
  panel.mass = 5;
  panel.com = {0, 1, 0};
  panel.inertia = gyrostat::Vector3(1.7, 0.1, 1.8).asDiagonal();
  model.bodies.push_back(panel);

  gyrostat::JointDescription hinge;
  hinge.name = "hinge";
  hinge.type = gyrostat::JointType::revolute;
  hinge.parent = "bus";
  hinge.child = "panel";
  hinge.parent_point = {0, 0.5, 0};
  hinge.rotations = {gyrostat::Vector3::UnitX()};
  hinge.position = {0.3};  // rad
  hinge.speed = {0};       // rad/s
  model.joints.push_back(hinge);
  return model;
}

/// Where the quantities we use stand in the state, found once by their names.
struct Places {
  std::uint32_t hinge_angle, hinge_rate, wheel_rate, bus_rate_z, base_quaternion;

  explicit Places(const gyrostat::System& system)
      : hinge_angle(system.coordinate("hinge.angle")),
        hinge_rate(system.speed("hinge.rate")),
        wheel_rate(system.speed("bus.wheel.rate")),
        bus_rate_z(system.speed("base.omega_z")),
        base_quaternion(system.coordinate("base.quaternion_w")) {}
};

/// Our control law: the wheel turns the bus about z, the hinge is held by a spring and a damper.
void torques(const Places& at, const gyrostat::State& state, gyrostat::Forces<double>& forces) {
  forces.tau[at.hinge_rate] = -20 * state.q[at.hinge_angle] - 2 * state.u[at.hinge_rate];  // N m, on the panel
  forces.tau[at.wheel_rate] = 10 * (state.u[at.bus_rate_z] - 0.01);  // N m, on the wheel; the bus gets the opposite
}

/// One classical Runge-Kutta step of our own integrator.
class Simulation {
 public:
  explicit Simulation(const gyrostat::System& system)
      : system_(system), at_(system), dynamics_(system, gyrostat::DynamicsSettings(system)), forces_(system) {}

  /// Rates of q and u at a state. This is all that is asked of the library.
  gyrostat::State rates(const gyrostat::State& state) {
    gyrostat::State rate = state;
    gyrostat::coordinate_rates(system_, state.q.data(), state.u.data(), rate.q.data());
    dynamics_.update(state);
    torques(at_, state, forces_);
    dynamics_.accelerations(state, forces_, rate.u);
    return rate;
  }

  void step(gyrostat::State& state, double h) {
    const auto along = [&](const gyrostat::State& rate, double t) {
      return gyrostat::State{state.q + t * rate.q, state.u + t * rate.u};
    };
    const gyrostat::State k1 = rates(state), k2 = rates(along(k1, h / 2)), k3 = rates(along(k2, h / 2)),
                          k4 = rates(along(k3, h));
    state.q += h / 6 * (k1.q + 2 * k2.q + 2 * k3.q + k4.q);
    state.u += h / 6 * (k1.u + 2 * k2.u + 2 * k3.u + k4.u);
    state.q.segment<4>(at_.base_quaternion).normalize();
  }

  /// Angular momentum about the mass centre: torques between bodies cannot change it [kg m^2/s].
  double angular_momentum(const gyrostat::State& state) {
    dynamics_.update(state);
    std::vector<gyrostat::BasePoint<double>> points;
    gyrostat::find_base_points(dynamics_.mechanism(), dynamics_.kinematics(), state.u.data(), points);
    const auto sum = gyrostat::conserved(dynamics_.mechanism(), dynamics_.kinematics(), state.u.data(), points);
    return gyrostat::to_eigen(sum.angular_com).norm();
  }

 private:
  const gyrostat::System& system_;
  const Places at_;
  gyrostat::Dynamics dynamics_;
  gyrostat::Forces<double> forces_;
};

int simulate(const gyrostat::System& system) {
  Simulation simulation(system);
  gyrostat::State state = system.initial;
  const Places at(system);
  std::printf("   t [s]   hinge [deg]   bus rate z [rad/s]   wheel [rad/s]   momentum [kg m^2/s]\n");
  for (int k = 0; k <= 2000; ++k) {
    if (k % 400 == 0) {
      std::printf("%8.1f %13.4f %20.6f %15.3f %21.1e\n", k * 0.01, state.q[at.hinge_angle] * 180 / 3.14159265358979,
                  state.u[at.bus_rate_z], state.u[at.wheel_rate], simulation.angular_momentum(state));
    }
    simulation.step(state, 0.01);
  }
  return simulation.angular_momentum(state) < 1e-9 ? 0 : 1;
}

/// A model from a file: its accelerations at the start without any forces.
int show(const gyrostat::System& system) {
  gyrostat::Dynamics dynamics(system, gyrostat::DynamicsSettings(system));
  const gyrostat::Forces<double> none(system);
  Eigen::VectorXd udot;
  dynamics.update(system.initial);
  dynamics.accelerations(system.initial, none, udot);
  std::printf("%s: %zu bodies, %td coordinates, %td speeds\n", system.name.c_str(), system.body_count(),
              system.initial.q.size(), system.initial.u.size());
  const auto entries = speed_entries(system);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    std::printf("  rate of %-24s %14.6g\n", entries[k].name.c_str(), udot[static_cast<Eigen::Index>(k)]);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::fputs("usage: embed [MODEL.yaml]\n", stderr);
    return 2;
  }
  const gyrostat::Loaded loaded =
      argc == 2 ? gyrostat::load_file(argv[1]) : gyrostat::load_description(bus_with_panel());
  for (const auto& problem : loaded.problems.all()) std::fputs(render(problem, loaded.source, false).c_str(), stderr);
  if (!loaded.model) return 1;
  return argc == 2 ? show(loaded.model->system) : simulate(loaded.model->system);
}
