// Geometric stiffness by unit loads against second-order shapes.
#include "gyrostat/flexible/unit_loads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/flexible/modal_integrals.h"
#include "gyrostat/flexible/reference_frame.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace unit_loads_test {

using ::testing::HasSubstr;

FlexibleData lumped_beam() {
  BeamDescription beam = general_beam(3);
  Matrix3 inertia;
  inertia << 0.3, 0.02, -0.01, 0.02, 0.2, 0.03, -0.01, 0.03, 0.4;
  beam.lumps.push_back({"tip_mass", 2.5, 0.8, inertia});
  return make_beam(beam, "root", {}, first_modes(7));
}

FlexibleData without_second_order(FlexibleData data) {
  data.second_order = false;
  for (FlexibleNode& node : data.nodes) {
    node.shape.translation2.resize(3, 0);
    node.shape.rotation2.resize(3, 0);
  }
  return data;
}

std::vector<ForceStiffness> forces_of(const FlexibleData& data) {
  std::vector<ForceStiffness> list;
  for (const FlexibleNode& node : data.nodes) list.push_back(force_stiffness(node));
  return list;
}

/// The same body with the matrices of load cases in place of second-order shapes.
FlexibleData by_unit_loads(const FlexibleData& data) {
  return with_unit_loads(without_second_order(data), unit_loads_of(data), forces_of(data));
}

void expect_same_integrals(const FlexibleData& a, const FlexibleData& b, const Vector3& point) {
  const ModalIntegrals x = modal_integrals(a, point, FlexibleTerms::stiffened);
  const ModalIntegrals y = modal_integrals(b, point, FlexibleTerms::stiffened);
  EXPECT_GT(x.Gm.norm(), 0.1);
  EXPECT_LT((x.Gm - y.Gm).norm(), 1e-13 * x.Gm.norm());
  EXPECT_LT((x.Cr1 - y.Cr1).norm(), 1e-13 * x.Cr1.norm());
  for (std::size_t k = 0; k < x.J2.size(); ++k) {
    EXPECT_LT((x.J2[k] - y.J2[k]).norm(), 1e-12 * (1 + x.J2[k].norm())) << k;
  }
}

TEST(UnitLoads, OfABeamGiveTheIntegralsOfItsSecondOrderShapes) {
  const FlexibleData data = lumped_beam(), other = by_unit_loads(data);
  for (const Vector3& point : {Vector3(0, 0, 0), Vector3(0.4, -1.5, 2)}) expect_same_integrals(data, other, point);
  for (std::size_t i = 0; i < data.nodes.size(); ++i) {
    EXPECT_EQ(other.nodes[i].shape.translation2, data.nodes[i].shape.translation2);
    EXPECT_TRUE(other.nodes[i].shape.rotation2.isZero(0));
  }
}

/// The modal force at angular velocity w, of which a quarter of the fourth difference in wx, wy is the mixed
/// coefficient.
TEST(UnitLoads, OfProductsOfAngularVelocityAreWholeCoefficients) {
  const FlexibleData data = lumped_beam();
  const UnitLoads loads = unit_loads_of(data);
  const auto centrifugal = [&](const Vector3& w) {
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(7, 7);
    for (const FlexibleNode& node : data.nodes) {
      const auto G = squares_of(node.shape.translation2, 7), H = squares_of(node.shape.rotation2, 7);
      const Vector3 f = -node.mass * w.cross(w.cross(node.position)), t = -w.cross(node.inertia * w);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        force += f(i) * G[k] + t(i) * H[k];
      }
    }
    return force;
  };
  const Vector3 w(0.7, -1.1, 0.4);
  const Eigen::MatrixXd sum = w.x() * w.x() * loads.spin[0] + w.y() * w.y() * loads.spin[1] +
                              w.z() * w.z() * loads.spin[2] + w.x() * w.y() * loads.spin[3] +
                              w.x() * w.z() * loads.spin[4] + w.y() * w.z() * loads.spin[5];
  EXPECT_LT((centrifugal(w) + sum).norm(), 1e-13 * sum.norm());
}

TEST(UnitLoads, FollowACombinationOfModes) {
  const FlexibleData data = lumped_beam();
  const Eigen::MatrixXd combination = Eigen::MatrixXd::Random(7, 4);
  expect_same_integrals(combined_modes(data, combination), combined_modes(by_unit_loads(data), combination),
                        Vector3(0.1, 0.2, 0.3));
}

TEST(UnitLoads, AreLeftOutOfLinearTerms) {
  const FlexibleData data = lumped_beam();
  const ModalIntegrals x = modal_integrals(data, Vector3::Zero(), FlexibleTerms::linear);
  const ModalIntegrals y = modal_integrals(by_unit_loads(data), Vector3::Zero(), FlexibleTerms::linear);
  EXPECT_EQ(x.Cr1, y.Cr1);
  EXPECT_TRUE(y.Gm.isZero(0));
}

template <class Act>
std::string refusal(const Act& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(UnitLoads, AreRefusedBesideSecondOrderShapesAndInAnotherSize) {
  const FlexibleData data = lumped_beam();
  const UnitLoads loads = unit_loads_of(data);
  EXPECT_THAT(refusal([&] { with_unit_loads(data, loads, forces_of(data)); }),
              HasSubstr("have second-order shapes already; geometric stiffness by unit loads would count it twice"));
  const FlexibleData plain = without_second_order(data);
  EXPECT_THAT(refusal([&] { with_unit_loads(plain, loads, {}); }), HasSubstr("forces at 0 nodes, the body has 17"));
  UnitLoads wrong = loads;
  wrong.spin[4].resize(7, 6);
  EXPECT_THAT(refusal([&] { with_unit_loads(plain, wrong, forces_of(data)); }),
              HasSubstr("geometric stiffness for products of angular velocity is 7 x 6, the body has 7 modes"));
  EXPECT_THAT(refusal([&] { referenced_to(by_unit_loads(data), node_named(data, "tip")); }),
              HasSubstr("belongs to the frame in which it was computed; it is not known in one at node 'tip'"));
}

}  // namespace unit_loads_test
}  // namespace gyrostat
