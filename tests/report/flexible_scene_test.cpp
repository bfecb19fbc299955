// What a page has of bodies that bend, against what the run itself recorded by other code.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "gyrostat/report/node_lines.h"
#include "gyrostat/report/scene.h"

#include "support/shown_scene.h"

namespace gyrostat::testing {
namespace {

using report::NodeLines;
using report::Scene;
using report::SceneFlexible;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// --- lines between nodes ---------------------------------------------------------------------------------------------

FlexibleData nodes_at(const std::vector<Vector3>& places) {
  FlexibleData data;
  for (const Vector3& place : places) {
    FlexibleNode node;
    node.position = place;
    data.nodes.push_back(node);
  }
  return data;
}

TEST(NodeLines, GoFromNeighbourToNeighbourAlongABeam) {
  const FlexibleData beam = nodes_at({{0, 0, 0}, {4, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2.2, 0, 0}});
  EXPECT_TRUE(report::has_node_lines(beam));
  const NodeLines drawn = report::node_lines(beam, {});
  EXPECT_THAT(drawn.nodes, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(drawn.lines, ElementsAre(Pair(0, 2), Pair(1, 3), Pair(2, 4), Pair(3, 4)));
}

TEST(NodeLines, AreTheEdgesOfARectangularMesh) {
  std::vector<Vector3> places;
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 3; ++k) places.emplace_back(0.5 * i, 0.4 * k, 0);
  }
  const NodeLines drawn = report::node_lines(nodes_at(places), {});
  EXPECT_EQ(drawn.nodes.size(), 12U);
  EXPECT_EQ(drawn.lines.size(), 3U * 3 + 4 * 2);  // no diagonals
}

TEST(NodeLines, OfNodesAtOnePlaceDrawTheWantedOne) {
  const NodeLines drawn = report::node_lines(nodes_at({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1e-9, 0}}), {2});
  EXPECT_THAT(drawn.nodes, ElementsAre(0, 2));
  EXPECT_THAT(drawn.lines, ElementsAre(Pair(0, 1)));
}

TEST(NodeLines, NeedTwoPlaces) {
  EXPECT_FALSE(report::has_node_lines(nodes_at({})));
  EXPECT_FALSE(report::has_node_lines(nodes_at({{1, 2, 3}, {1, 2, 3}})));
  EXPECT_TRUE(report::has_node_lines(nodes_at({{1, 2, 3}, {1, 2, 4}})));
}

TEST(NodeLines, OfVeryManyNodesDrawThoseFarFromEachOther) {
  std::vector<Vector3> places;
  for (int k = 0; k < 5000; ++k) places.emplace_back(std::cos(0.1 * k), std::sin(0.1 * k), 0.002 * k);
  const NodeLines drawn = report::node_lines(nodes_at(places), {17, 4321});
  EXPECT_EQ(drawn.nodes.size(), report::most_drawn_nodes);
  EXPECT_TRUE(std::ranges::binary_search(drawn.nodes, 17U));
  EXPECT_TRUE(std::ranges::binary_search(drawn.nodes, 4321U));
  EXPECT_GE(drawn.lines.size(), drawn.nodes.size() - 1);
}

// --- the scene -------------------------------------------------------------------------------------------------------

int body_called(const Shown& s, const std::string& name) {
  const auto found = std::ranges::find(s.scene->bodies, name, &report::SceneBody::name);
  return static_cast<int>(found - s.scene->bodies.begin());
}

/// Displacement of a node in the body's axes, as the page computes it.
Vector3 displacement(const Shown& s, const SceneFlexible& of, std::size_t node, std::size_t frame) {
  const std::vector<float> shapes = s.numbers<float>(of.translation), modal = s.numbers<float>(of.modal);
  const float* eta = modal.data() + frame * of.modes;
  std::vector<double> terms(eta, eta + of.modes);
  for (std::size_t a = 0; of.terms > of.modes && a < of.modes; ++a) {
    for (std::size_t b = 0; b <= a; ++b) terms.push_back((a == b ? 0.5 : 1) * double{eta[a]} * eta[b]);
  }
  EXPECT_EQ(terms.size(), of.terms);
  Vector3 u = Vector3::Zero();
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const float* shape = shapes.data() + 3 * (node * of.terms + k);
    u += terms[k] * Vector3(shape[0], shape[1], shape[2]);
  }
  return u;
}

// A craft that tumbles, with a boom that carries a probe and a panel that has a shape.
const std::string bending = R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [20, 25, 30]}
  boom: {flexible: {beam: {from: [0, 0.5, 0], to: [0, 4.5, 0], elements: 6, mass_per_length: 1, EI: [300, 900], GJ: 200,
    rotary_inertia: 0.02, nodes: {middle: 2}}, modes: {count: 4}, TERMS}}
  panel: {shape: [{box: [1, 3, 0.05], at: [0, -1.5, 0]}],
    flexible: {beam: {to: [0, -3, 0], elements: 4, mass_per_length: 1, EI: 500}, modes: {count: 3}}}
  probe: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  base: {initial: {position: [1, 2, 3], velocity: [0.1, 0, 0], omega: [0.3, 0.1, 0.2]}}
  left: {type: weld, parent: bus, child: boom.root}
  right: {type: weld, parent: bus, child: panel.root}
  hinge: {type: revolute, parent: boom.tip, child: probe, axis: [1, 0, 0], stiffness: 5}
loads: [{body: bus, torque: ["sin(3*t)*4", 1, 0]}]
simulation: {duration: 4}
output: {interval: 0.05, record: [system.com_x, system.com_y, system.com_z, boom.tip.position_x, boom.tip.position_y,
  boom.tip.position_z, boom.middle.position_x, boom.middle.position_y, boom.middle.position_z]}
)";

std::string with_terms(const std::string& terms) {
  std::string text = bending;
  return text.replace(text.find("TERMS"), 5, "terms: " + terms);
}

/// Nodes that are bodies too are where the run recorded them.
void expect_recorded_nodes(const Shown& s, const SceneFlexible& boom) {
  const std::vector<double> centre = s.numbers<double>(s.scene->centre);
  const std::vector<float> nodes = s.numbers<float>(boom.nodes), pose = s.numbers<float>(s.scene->bodies[1].pose);
  double largest = 0;
  for (const auto& [body, node] : boom.attached) {
    const std::string& name = s.scene->bodies[static_cast<std::size_t>(body)].name;
    std::array<std::vector<double>, 3> recorded;
    for (std::size_t c = 0; c < 3; ++c) recorded.at(c) = s.results.column(name + ".position_" + "xyz"[c]);
    for (std::size_t k = 0; k < s.results.records(); ++k) {
      const float *at = nodes.data() + 3 * node, *x = pose.data() + 7 * k;
      const Vector3 u = displacement(s, boom, static_cast<std::size_t>(node), k);
      const Vector3 p = Vector3(x[0], x[1], x[2]) + Vector3(centre[3 * k], centre[3 * k + 1], centre[3 * k + 2]) +
                        to_rotation(normalised({x[3], x[4], x[5], x[6]})) * (Vector3(at[0], at[1], at[2]) + u);
      const Vector3 wanted(recorded[0][k], recorded[1][k], recorded[2][k]);
      ASSERT_LT((p - wanted).norm(), 3e-6) << name << " at record " << k;
      largest = std::max(largest, u.norm());
    }
  }
  EXPECT_GT(largest, 0.01) << "it bends";
  EXPECT_NEAR(boom.largest_displacement, largest, 1e-6) << "the tip goes farthest";
  EXPECT_GT(boom.largest_strain, 0);
}

TEST(FlexibleScene, HasNodesWhereTheRunRecordedThem) {
  for (const char* terms : {"stiffened", "linear"}) {
    SCOPED_TRACE(terms);
    const Scratch scratch;
    const Shown s = fly(scratch, with_terms(terms));
    ASSERT_TRUE(s.scene);
    EXPECT_THAT(s.warnings, IsEmpty());
    ASSERT_EQ(s.scene->flexible.size(), 2U);
    const SceneFlexible& boom = s.scene->flexible[0];
    ASSERT_EQ(boom.body, body_called(s, "boom"));
    ASSERT_EQ(boom.body, 1);
    const bool stiffened = std::string(terms) == "stiffened";
    EXPECT_EQ(boom.terms, stiffened ? boom.modes + pair_count(boom.modes) : boom.modes);
    ASSERT_EQ(boom.attached.size(), 2U);
    EXPECT_EQ(boom.lines.count / 2, boom.nodes.count / 3 - 1) << "a chain";
    expect_recorded_nodes(s, boom);
  }
}

TEST(FlexibleScene, HasTheMassCentreOfDeformedBodies) {
  const Scratch scratch;
  const Shown s = fly(scratch, with_terms("stiffened"));
  ASSERT_TRUE(s.scene);
  const std::vector<double> centre = s.numbers<double>(s.scene->centre);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto com = s.results.column(std::string("system.com_") + "xyz"[c]);
    for (std::size_t k = 0; k < com.size(); ++k) ASSERT_NEAR(centre[3 * k + c], com[k], 1e-9) << k;
  }
}

TEST(FlexibleScene, DrawsTubesWhereThereAreNoShapesAndNothingAtNodes) {
  const Scratch scratch;
  const Shown s = fly(scratch, with_terms("stiffened"));
  ASSERT_TRUE(s.scene);
  const auto shapes = [&](const std::string& name) {
    return s.scene->bodies[static_cast<std::size_t>(body_called(s, name))].shapes.size();
  };
  EXPECT_EQ(shapes("boom"), 0U);
  EXPECT_EQ(shapes("boom.tip"), 0U);
  EXPECT_EQ(shapes("boom.middle"), 0U);
  EXPECT_EQ(shapes("panel"), 1U);
  EXPECT_GT(shapes("probe"), 0U);
  EXPECT_GT(s.scene->flexible[0].tube, 0.005 * 4);
  EXPECT_LT(s.scene->flexible[0].tube, 0.02 * 4);
  EXPECT_EQ(s.scene->flexible[1].tube, 0);
  EXPECT_GT(s.scene->radius, 4);
  EXPECT_LT(s.scene->radius, 6);
}

TEST(FlexibleScene, LeavesSecondOrderOutWhereItWouldBeLarge) {
  const Scratch scratch;
  const Shown s = fly(scratch, R"(gyrostat: 1
bodies: {boom: {flexible: {beam: {to: [5, 0, 0], elements: 60, mass_per_length: 1, EI: 500}, modes: {count: 30}}}}
joints: {hub: {type: revolute, parent: world, child: boom.root, axis: [0, 0, 1], initial: {rate: 0.1}}}
simulation: {duration: 0.01}
output: {interval: 0.01}
)");
  ASSERT_TRUE(s.scene);
  ASSERT_EQ(s.scene->flexible.size(), 1U);
  EXPECT_EQ(s.scene->flexible[0].modes, 30U);
  EXPECT_EQ(s.scene->flexible[0].terms, 30U);
}

TEST(FlexibleScene, HasWheelsOnNodesThatCanBeSeen) {
  const Scratch scratch;
  const Shown s = fly(scratch, R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [20, 20, 20]}
  boom: {wheels: {rw: {node: tip, axis: [0, 0, 1], inertia: 0.1, rate: 3}},
    flexible: {beam: {to: [0, 4, 0], elements: 4, mass_per_length: 1, EI: 900}, modes: {count: 2}}}
joints: {left: {type: weld, parent: bus, child: boom.root}}
simulation: {duration: 0.1}
)");
  ASSERT_TRUE(s.scene);
  ASSERT_EQ(s.scene->wheels.size(), 1U);
  EXPECT_EQ(s.scene->wheels[0].body, body_called(s, "boom.tip"));
  EXPECT_GT(s.scene->wheels[0].radius, 0.05);
}

TEST(FlexibleScene, IsEmptyForRigidModels) {
  const Scratch scratch;
  const Shown s = fly(scratch, "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsimulation: {duration: 1}\n");
  ASSERT_TRUE(s.scene);
  EXPECT_THAT(s.scene->flexible, IsEmpty());
}

}  // namespace
}  // namespace gyrostat::testing
