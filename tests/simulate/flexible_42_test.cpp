// A body whose modes come from 42's files flies as the same body does with its mass at nodes.
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"
#include "support/program.h"
#include "support/random_model.h"

namespace gyrostat::testing {
namespace flexible_42_flight_test {

using ::testing::HasSubstr;

/// Point masses that move along straight lines with each of two modes of 0.5 and 0.9 Hz.
struct Cloud {
  std::vector<double> mass;
  std::vector<Vector3> position;
  std::vector<Eigen::Matrix<double, 3, 2>> shape;
  Eigen::Matrix2d modal_mass = Eigen::Matrix2d::Zero();
  Eigen::Vector2d stiffness;

  explicit Cloud(std::uint64_t seed) {
    Random random(seed);
    for (std::size_t i = 0; i < 6; ++i) {
      mass.push_back(random.uniform(0.5, 2));
      position.push_back(2 * random.vector() + 2 * Vector3::UnitX());
      Eigen::Matrix<double, 3, 2> modes;
      for (Eigen::Index mode = 0; mode < 2; ++mode) modes.col(mode) = 0.3 * random.vector();
      shape.push_back(modes);
      modal_mass += mass.back() * modes.transpose() * modes;
    }
    for (Eigen::Index mode = 0; mode < 2; ++mode) {
      stiffness[mode] =
          modal_mass(mode, mode) * std::pow(2 * 3.14159265358979 * (0.5 + 0.4 * static_cast<double>(mode)), 2);
    }
  }

  [[nodiscard]] std::string json() const {
    std::string nodes;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const auto& s = shape[i];
      const Vector3& p = position[i];
      nodes += fmt::format(
          R"({}{{"name": "p{}", "position": [{}, {}, {}], "mass": {}, "translation": [[{}, {}], [{}, {}], [{}, {}]]}})",
          i == 0 ? "" : ",\n", i, p.x(), p.y(), p.z(), mass[i], s(0, 0), s(0, 1), s(1, 0), s(1, 1), s(2, 0), s(2, 1));
    }
    return fmt::format(R"({{"format": "gyrostat flexible 1", "frame": null, "stiffness": [{}, {}], "nodes": [{}]}})",
                       stiffness[0], stiffness[1], nodes);
  }

  [[nodiscard]] std::string nodes_file() const {
    std::string text = fmt::format(
        "<<< Nodes >>>\nA cloud ! Description\n{} ! Number of Nodes\n*** Node Location, Comment ***\n", mass.size());
    for (std::size_t i = 0; i < mass.size(); ++i) {
      text += fmt::format("{} {} {} \"p{}\"\n", position[i].x(), position[i].y(), position[i].z(), i);
    }
    return text;
  }

  [[nodiscard]] std::string flex_file() const {
    Eigen::Matrix<double, 3, 2> P = Eigen::Matrix<double, 3, 2>::Zero(), H = P;
    std::array<Matrix3, 2> L = {Matrix3::Zero(), Matrix3::Zero()};
    std::array<Matrix3, 4> N = {Matrix3::Zero(), Matrix3::Zero(), Matrix3::Zero(), Matrix3::Zero()};
    std::string shapes;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      for (Eigen::Index a = 0; a < 2; ++a) {
        const Vector3 phi = shape[i].col(a);
        const auto mode = static_cast<std::size_t>(a);
        P.col(a) += mass[i] * phi;
        H.col(a) += mass[i] * position[i].cross(phi);
        L[mode] += mass[i] * position[i] * phi.transpose();
        for (Eigen::Index b = 0; b < 2; ++b) {
          N[2 * mode + static_cast<std::size_t>(b)] += mass[i] * phi * shape[i].col(b).transpose();
        }
        for (Eigen::Index axis = 0; axis < 3; ++axis) shapes += fmt::format("{} {} {} {}\n", a, i, axis, phi[axis]);
      }
    }
    std::string first, second;
    for (Eigen::Index row = 0; row < 3; ++row) {
      for (Eigen::Index column = 0; column < 3; ++column) {
        for (std::size_t a = 0; a < 2; ++a) {
          first += fmt::format("{} {} {} {}\n", row, column, a, L[a](row, column));
          for (std::size_t b = 0; b < 2; ++b)
            second += fmt::format("{} {} {} {} {}\n", row, column, a, b, N[2 * a + b](row, column));
        }
      }
    }
    std::string text = "<<< Flex >>>\nA cloud ! Description\n2 ! Number of Flex Modes\n";
    const auto put = [&](const std::string& heading, std::size_t elements, const std::string& lines) {
      text += fmt::format("*** {} ***\n{} ! Number of non-zero elements\n{}", heading, elements, lines);
    };
    const auto modal = [](const Eigen::Matrix2d& M) {
      return fmt::format("0 0 {}\n0 1 {}\n1 0 {}\n1 1 {}\n", M(0, 0), M(0, 1), M(1, 0), M(1, 1));
    };
    const auto by_mode = [&](const std::string& heading, const Eigen::Matrix<double, 3, 2>& M) {
      text += fmt::format("*** {} ***\n{} {} {}\n{} {} {}\n", heading, M(0, 0), M(1, 0), M(2, 0), M(0, 1), M(1, 1),
                          M(2, 1));
    };
    text += "*** Initial Modal States x, u ***\n0 0 ! x, u\n0 0 ! x, u\n*** Joint Node Mode Shapes ***\n";
    put("Non-zero Translation Mode Shape (PSI) Elements", 0, "");
    put("Non-zero Rotation Mode Shape (THETA) Elements", 0, "");
    text += "*** Analysis Node Mode Shapes ***\n";
    put("Non-zero Translation Mode Shape (PSI) Elements", 6 * mass.size(), shapes);
    put("Non-zero Rotation Mode Shape (THETA) Elements", 0, "");
    put("Non-zero Mass Matrix Elements", 4, modal(modal_mass));
    put("Non-zero Stiffness Matrix Elements", 4, modal(stiffness.asDiagonal()));
    put("Non-zero Damping Matrix Elements", 0, "");
    by_mode("Linear Momentum Modal Integral, Pf, 3 x Nf", P);
    by_mode("Angular Momentum Modal Integral, Hf, 3 x Nf", H);
    put("Linear Modal Integral, L, 3 x 3 x Nf", 18, first);
    put("Angular Modal Integral, N, 3 x 3 x Nf x Nf", 36, second);
    return text + "[EOF]\n";
  }

  /// What the body needs in the model beside 42's files.
  [[nodiscard]] std::string stated() const {
    MassProperties all;
    for (std::size_t i = 0; i < mass.size(); ++i) all = combined(all, {mass[i], position[i], Matrix3::Zero()});
    const Matrix3& I = all.inertia;
    return fmt::format("mass: {}, com: [{}, {}, {}], inertia: [[{}, {}, {}], [{}, {}, {}], [{}, {}, {}]]", all.mass,
                       all.com.x(), all.com.y(), all.com.z(), I(0, 0), I(0, 1), I(0, 2), I(1, 0), I(1, 1), I(1, 2),
                       I(2, 0), I(2, 1), I(2, 2));
  }
};

class Models : public ::testing::Test {
 protected:
  Models() {
    std::filesystem::create_directory(scratch.path() / "files42");
    scratch.write("cloud.json", cloud.json());
    scratch.write("files42/Flex_Cloud.txt", cloud.flex_file());
    scratch.write("files42/Nodes_Cloud.txt", cloud.nodes_file());
  }

  /// A hub that turns, with the body on a hinge, whose axis is no axis of symmetry, and a force on one of its points.
  [[nodiscard]] Loaded model(const std::string& panel, const std::string& carried = "panel") const {
    return load_file(scratch.write("m.yaml", fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 40, inertia: [8, 10, 12]}}
  panel: {{{}}}
joints:
  base: {{type: free, parent: world, child: hub, initial: {{omega: [0.4, 0.7, -0.5]}}}}
  hinge: {{type: revolute, parent: hub, child: {}, parent_point: [1, 0, 0], axis: [0.6, 0, 0.8], stiffness: 30, initial: {{rate: 0.3}}}}
simulation: {{duration: 4, integrator: {{method: cvode_adams, tolerance: 1e-11}}}}
output: {{interval: 1, record: [hub.omega_x, hub.omega_y, hub.omega_z, hinge.angle, panel.p2.position_x, panel.p2.position_z]}}
)yaml",
                                                         panel, carried)));
  }
  /// Records of both, at the same times.
  void expect_the_same_flight(const std::string& modes) const {
    const std::string options = "terms: linear" + modes;
    const Flight nodes(model("flexible: {file: cloud.json, " + options + "}"), {}, Flight::Expect::finish);
    const Flight integrals(model("flexible: {file: files42, " + options + "}, " + cloud.stated()), {},
                           Flight::Expect::finish);
    ASSERT_EQ(nodes.rows.size(), 5U);
    ASSERT_EQ(integrals.rows.size(), 5U);
    for (std::size_t i = 0; i < nodes.rows.size(); ++i) {
      for (std::size_t k = 0; k < nodes.rows[i].size(); ++k) EXPECT_NEAR(integrals.rows[i][k], nodes.rows[i][k], 1e-8);
    }
    EXPECT_LT(integrals.simulation.ledger().energy.relative(), 1e-8);
    EXPECT_LT(integrals.simulation.ledger().angular_momentum.relative(), 1e-8);
  }

  Cloud cloud{7};
  Scratch scratch;
};

TEST_F(Models, With42sFilesFlyAsThoseWithMassAtNodes) { expect_the_same_flight(""); }

TEST_F(Models, With42sFilesAndSelectedModesFlyAsThoseWithMassAtNodes) {
  for (const char* modes : {", modes: [1]", ", modes: [2]"}) {
    SCOPED_TRACE(modes);
    expect_the_same_flight(modes);
  }
}

TEST_F(Models, With42sFilesDependOnTheModes) {  // so that the agreement above says something
  const Flight both(model("flexible: {file: files42, terms: linear}, " + cloud.stated()), {}, Flight::Expect::finish);
  const Flight one(model("flexible: {file: files42, terms: linear, modes: [1]}, " + cloud.stated()), {},
                   Flight::Expect::finish);
  EXPECT_GT(std::abs(both.last("hub.omega_x") - one.last("hub.omega_x")), 1e-4);
}

TEST_F(Models, With42sFilesNeedTheirMassProperties) {
  EXPECT_THAT(problems_of(model("flexible: {file: files42, terms: linear}")),
              HasSubstr("bodies.panel: 42's files do not have the body's mass properties: state 'mass' here"));
  EXPECT_THAT(problems_of(model("flexible: {file: files42, terms: linear}, mass: 8")),
              HasSubstr("bodies.panel: 42's files do not have the body's mass properties: state 'inertia' here"));
}

TEST_F(Models, With42sFilesOfAHeavierBodyAreRefused) {
  EXPECT_THAT(problems_of(model("flexible: {file: files42, terms: linear}, mass: 0.01, inertia: [0.01, 0.01, 0.01]")),
              HasSubstr("the modes of 42's files have more momentum than this mass and inertia can have"));
}

TEST_F(Models, With42sFilesCannotBeCarriedAtANode) {
  EXPECT_THAT(problems_of(model("flexible: {file: files42, terms: linear}, " + cloud.stated(), "panel.p1")),
              HasSubstr("modal integrals without masses at nodes belong to the frame in which they were computed"));
}

}  // namespace flexible_42_flight_test
}  // namespace gyrostat::testing
