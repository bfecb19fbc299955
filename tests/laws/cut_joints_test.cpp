// A joint that closes a loop is the same joint as in the tree: a body on it, or the same body on a free joint and held
// by it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace cut_joints_test {

struct Kind {
  const char* name;
  const char* fields;
  std::size_t rows;  // that it locks
};

const Kind kinds[] = {
    {"weld", "type: weld", 6},
    {"revolute", "type: revolute, axis: [1, 2, -0.5]", 5},
    {"prismatic", "type: prismatic, axis: [1, 2, -0.5]", 5},
    {"cylindrical", "type: cylindrical, axis: [1, 2, -0.5]", 4},
    {"universal", "type: universal, axes: [[1, 0.2, 0], [0, 1, 0.3]]", 4},
    {"gimbal", "type: gimbal, axes: [[1, 0, 0], [0, 1, 0], [0.1, 0, 1]]", 3},
    {"spherical", "type: spherical", 3},
    {"translation", "type: translation, axes: [[1, 0.5, 0], [0, 1, 1]]", 4},
    {"planar", "type: planar, normal: [1, 1, 3]", 3},
    {"locked", "type: revolute, axis: [1, 2, -0.5], initial: {angle: 0}, locked: true", 6},
};

/// Where the joint holds the arm: at [0.3, -0.2, 0.5] of the bus, at [-0.4, 0.1, 0.2] of the arm, which is turned by
/// 0.7 about [0.6, 0, 0.8] but on a spherical joint, whose orientation is its coordinate.
std::string model(const Kind& kind, bool cut, bool swapped, const std::string& formulation = "articulated_body") {
  const bool turned = std::string_view(kind.name) != "spherical";
  const Vector3 axis(0.6, 0, 0.8), on_bus(0.3, -0.2, 0.5), on_arm(-0.4, 0.1, 0.2);
  const Matrix3 R_BA = turned ? Eigen::AngleAxisd(0.7, axis).toRotationMatrix() : Matrix3(Matrix3::Identity());
  const Vector3 at = on_bus - R_BA * on_arm;
  const std::string turn = "{axis: [0.6, 0, 0.8], angle: 0.7}";
  std::string joint = fmt::format(
      "  hold: {{{}, parent: bus, child: arm, parent_point: [0.3, -0.2, 0.5], child_point: [-0.4, 0.1, 0.2]{}{}}}\n",
      kind.fields, turned ? ", orientation: " + turn : "", cut ? ", cut: true" : "");
  if (swapped) {
    joint = fmt::format(
        "  hold: {{{}, parent: arm, child: bus, parent_point: [-0.4, 0.1, 0.2], child_point: [0.3, -0.2, 0.5]{}{}}}\n",
        kind.fields, turned ? ", orientation: {axis: [0.6, 0, 0.8], angle: -0.7}" : "", cut ? ", cut: true" : "");
  }
  if (cut) {
    joint += fmt::format("  loose: {{type: free, parent: world, child: arm, initial: {{position: [{}, {}, {}]{}}}}}\n",
                         at.x(), at.y(), at.z(), turned ? ", orientation: " + turn : "");
  }
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  bus: {{mass: 7, com: [0.1, 0, 0.05], inertia: {{xx: 2, yy: 3, zz: 2.5, xy: 0.2, xz: -0.1, yz: 0.3}}}}
  arm: {{mass: 3, com: [0.2, 0.1, -0.1], inertia: {{xx: 0.6, yy: 0.5, zz: 0.7, xy: -0.05, xz: 0.04, yz: 0.02}}}}
joints:
  base: {{type: free, parent: world, child: bus}}
{}loads:
  - {{body: bus, torque: [3, "2*cos(t)", -1], force: ["4*sin(3*t)", 1, 2], point: [0.2, 0.1, 0]}}
  - {{body: arm, torque: [0.4, -0.3, "t"], force: [1, -2, 0.5], point: [0.5, 0, 0.3], axes: world}}
environment: {{gravity: {{uniform: [0.5, -1, 2]}}}}
simulation: {{duration: 0.5, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [bus.omega_x, bus.omega_y, bus.omega_z, arm.omega_x, arm.omega_y, arm.omega_z,
  arm.position_x, arm.position_y, arm.position_z, system.energy], reactions: [hold]}}
)yaml",
                     joint, formulation);
}

/// Errors of the integrations; reactions are of second order in the errors of positions, with factors of ten.
void expect_same(const Flight& tree, const Flight& loop, const Kind& kind) {
  EXPECT_EQ(loop.simulation.plant().constraints().rows(), kind.rows);
  ASSERT_EQ(tree.rows.size(), loop.rows.size());
  for (const OutputColumn& column : tree.simulation.columns()) {
    if (column.name.starts_with("motion/")) continue;  // coordinates, which differ
    double most = 0;
    for (std::size_t k = 0; k < tree.rows.size(); ++k) {
      const double expected = tree[column.name][k];
      EXPECT_NEAR(loop[column.name][k], expected, 1e-7 * (1 + std::abs(expected)))
          << column.name << " at " << tree.time[k];
      most = std::max(most, std::abs(expected));
    }
    if (column.name.starts_with("reactions/hold.force") && kind.rows > 5) {
      EXPECT_GT(most, 0.01) << "of " << column.name << ": it holds";
    }
  }
}

TEST(CutJoint, MovesAndReactsAsTheSameJointInTheTree) {
  for (const Kind& kind : kinds) {
    for (const bool swapped : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", kind.name, swapped ? ", the other way" : ""));
      expect_same(Flight(model(kind, false, swapped), {}, Flight::Expect::finish),
                  Flight(model(kind, true, swapped), {}, Flight::Expect::finish), kind);
    }
  }
}

TEST(CutJoint, MovesAndReactsAsTheSameJointInTheTreeWithEveryFormulationThatTakesLoops) {
  for (const Kind& kind : {kinds[1], kinds[4], kinds[8]}) {
    const Flight tree(model(kind, false, false), {}, Flight::Expect::finish);
    for (const char* formulation : {"composite_body", "kane", "absolute", "mixed"}) {
      SCOPED_TRACE(fmt::format("{}, {}", kind.name, formulation));
      expect_same(tree, Flight(model(kind, true, false, formulation), {}, Flight::Expect::finish), kind);
    }
  }
}

}  // namespace cut_joints_test
}  // namespace gyrostat::testing
