// Gyrostat inside somebody else's program: load a model, or describe one in code, and use the System.
#include <cstdio>
#include <string>

#include <gyrostat/gyrostat.h>

namespace {

/// A spacecraft described without a file: a bus with a panel on a hinge.
gyrostat::Description bus_with_panel() {
  gyrostat::Description model;
  model.name = "bus with a panel";

  gyrostat::BodyDescription bus;
  bus.name = "bus";
  bus.mass = 100;
  bus.inertia = gyrostat::Vector3(10, 12, 8).asDiagonal();
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
  hinge.rotations = {gyrostat::Vector3::UnitY()};
  hinge.position = {0.3};  // rad
  hinge.speed = {0};       // rad/s
  model.joints.push_back(hinge);
  return model;
}

int show(const gyrostat::Loaded& loaded) {
  for (const auto& problem : loaded.problems.all()) std::fputs(render(problem, loaded.source, false).c_str(), stderr);
  if (!loaded.model) return 1;
  const gyrostat::System& system = loaded.model->system;
  const gyrostat::MassProperties total = total_mass_properties(system, system.initial.q);
  std::printf("%s: %zu bodies, %td coordinates, %td speeds, %g kg\n", system.name.c_str(), system.body_count(),
              system.initial.q.size(), system.initial.u.size(), total.mass);
  for (const auto& entry : coordinate_entries(system)) std::printf("  %s\n", entry.name.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::fputs("usage: embed [MODEL.yaml]\n", stderr);
    return 2;
  }
  return show(argc == 2 ? gyrostat::load_file(argv[1]) : gyrostat::load_description(bus_with_panel()));
}
