// Vectors cost nothing at run time: a law of vectors compiles to as many instructions as the same law that is written
// in numbers, and its right-hand side is the same.
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/plant/plant.h"
#include "gyrostat/plant/run.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace vectors_cost_test {

struct Law {
  std::string name, vectors, numbers;
};
void PrintTo(const Law& law, std::ostream* out) { *out << law.name; }

std::string model(const std::string& law) {
  return R"yaml(gyrostat: 1
parameters: {kp: 0.4, kd: 8, most: 0.05}
bodies: {bus: {mass: 120, inertia: [20, 24, 15]}, panel: {mass: 5, inertia: [1, 2, 3]}}
joints:
  base: {initial: {position: [3, 4, 5], velocity: [0.1, 0.2, 0.3], orientation: {euler: {sequence: zyx, angles: [0.7, -0.3, 2.8]}}, omega: [0.02, -0.01, 0.03]}}
  hinge: {type: revolute, parent: bus, child: panel, axis: [0, 1, 0], initial: {angle: 0.4, rate: 0.1}}
environment: {orbit: {semi_major_axis: 6900 km, inclination: 97 deg}, gravity_gradient: perturbation}
simulation: {duration: 1}
)yaml" + law;
}

/// On the left what a user means, on the right what was written before there were vectors.
const Law laws[] = {
    {"Damping", R"yaml(loads: [{body: bus, torque: "-kd*bus.omega"}])yaml",
     R"yaml(loads: [{body: bus, torque: ["-kd*bus.omega_x", "-kd*bus.omega_y", "-kd*bus.omega_z"]}])yaml"},
    {"ProportionalToTheErrorAndTheRate", R"yaml(signals: {e: "error_vector(bus.attitude, quaternion(1, 0, 0, 0))"}
loads: [{body: bus, torque: "-kp*e - kd*bus.omega"}])yaml",
     R"yaml(signals:
  s: "bus.quaternion_w < 0 ? -1 : 1"
  x: "2*(s*bus.quaternion_x)"
  y: "2*(s*bus.quaternion_y)"
  z: "2*(s*bus.quaternion_z)"
loads: [{body: bus, torque: ["-kp*x - kd*bus.omega_x", "-kp*y - kd*bus.omega_y", "-kp*z - kd*bus.omega_z"]}])yaml"},
    {"TowardsNadir", R"yaml(loads: [{body: bus, torque: "kp*cross([0, 0, 1], in(bus, orbit.nadir))"}])yaml",
     R"yaml(signals:
  x: "bus.C11*orbit.nadir_x + bus.C12*orbit.nadir_y + bus.C13*orbit.nadir_z"
  y: "bus.C21*orbit.nadir_x + bus.C22*orbit.nadir_y + bus.C23*orbit.nadir_z"
loads: [{body: bus, torque: ["kp*(-y)", "kp*x", 0]}])yaml"},
    {"LimitedAcrossAField", R"yaml(signals:
  b: "in(bus, orbit.nadir)"
  m: "clamp(kp/dot(b, b)*cross(bus.omega, b), -most, most)"
loads: [{body: bus, torque: "cross(m, b)"}])yaml",
     R"yaml(signals:
  bx: "bus.C11*orbit.nadir_x + bus.C12*orbit.nadir_y + bus.C13*orbit.nadir_z"
  by: "bus.C21*orbit.nadir_x + bus.C22*orbit.nadir_y + bus.C23*orbit.nadir_z"
  bz: "bus.C31*orbit.nadir_x + bus.C32*orbit.nadir_y + bus.C33*orbit.nadir_z"
  k: "kp/(bx*bx + by*by + bz*bz)"
  mx: "clamp(k*(bus.omega_y*bz - bus.omega_z*by), -most, most)"
  my: "clamp(k*(bus.omega_z*bx - bus.omega_x*bz), -most, most)"
  mz: "clamp(k*(bus.omega_x*by - bus.omega_y*bx), -most, most)"
loads: [{body: bus, torque: ["my*bz - mz*by", "mz*bx - mx*bz", "mx*by - my*bx"]}])yaml"},
    {"BetweenTheAxesOfTwoBodies",
     R"yaml(loads: [{body: panel, torque: "-kd*(panel.omega - in(panel, bus.omega))"}])yaml",
     R"yaml(signals:
  wx: "bus.C11*bus.omega_x + bus.C21*bus.omega_y + bus.C31*bus.omega_z"
  wy: "bus.C12*bus.omega_x + bus.C22*bus.omega_y + bus.C32*bus.omega_z"
  wz: "bus.C13*bus.omega_x + bus.C23*bus.omega_y + bus.C33*bus.omega_z"
loads:
  - body: panel
    torque: ["-kd*(panel.omega_x - (panel.C11*wx + panel.C12*wy + panel.C13*wz))",
             "-kd*(panel.omega_y - (panel.C21*wx + panel.C22*wy + panel.C23*wz))",
             "-kd*(panel.omega_z - (panel.C31*wx + panel.C32*wy + panel.C33*wz))"])yaml"},
};

struct Compiled {
  Loaded loaded;
  Plant plant;
  PlantRun run;
  Eigen::VectorXd y, ydot;

  explicit Compiled(const std::string& law)
      : loaded(checked(load(model(law)))), plant(*loaded.model, "articulated_body"), run(plant) {
    run.start(y);
    ydot.resize(y.size());
    run.derivative(0, y.data(), ydot.data());
  }
  static Loaded checked(Loaded l) {
    if (!l.model) throw std::runtime_error(problems_of(l));
    return l;
  }
  [[nodiscard]] const expression::Program& program() const { return plant.signals().program; }
};

class VectorsCost : public ::testing::TestWithParam<Law> {};

TEST_P(VectorsCost, AsMuchAsTheSameLawInNumbers) {
  Compiled vectors(GetParam().vectors), numbers(GetParam().numbers);
  EXPECT_GE(vectors.program().instructions.size(), 3U);
  EXPECT_EQ(vectors.program().instructions.size(), numbers.program().instructions.size());
  EXPECT_EQ(vectors.program().inputs, numbers.program().inputs) << "quantities of the motion that are observed";
  EXPECT_EQ(vectors.program().switches.size(), numbers.program().switches.size());
  EXPECT_LT((vectors.ydot - numbers.ydot).cwiseAbs().maxCoeff(), 1e-15);
  Eigen::MatrixXd of_vectors(vectors.y.size(), vectors.y.size()), of_numbers = of_vectors;
  vectors.run.jacobian(0, vectors.y.data(), of_vectors.data());
  numbers.run.jacobian(0, numbers.y.data(), of_numbers.data());
  EXPECT_LT((of_vectors - of_numbers).cwiseAbs().maxCoeff(), 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Laws, VectorsCost, ::testing::ValuesIn(laws), [](const auto& law) { return law.param.name; });

}  // namespace vectors_cost_test
}  // namespace gyrostat::testing
