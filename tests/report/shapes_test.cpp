// Shapes made from masses: what they reproduce, and that nothing unshowable comes out.
#include "gyrostat/report/shapes.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "gyrostat/report/frames.h"

#include "support/load.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace {

using report::Blocks;
using report::SceneShape;
using ::testing::HasSubstr;

MassProperties cuboid(double mass, const Vector3& edges, const Matrix3& R = Matrix3::Identity()) {
  const Vector3 s = edges.cwiseProduct(edges);
  const Vector3 moments = mass / 12 * Vector3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  return {mass, {0.1, 0.2, 0.3}, R * moments.asDiagonal() * R.transpose()};
}

std::vector<std::vector<SceneShape>> shapes(const std::string& text, std::vector<std::string>* said = nullptr,
                                            const std::filesystem::path& folder = ".") {
  const Loaded loaded = load(text);
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  Blocks blocks;
  std::vector<std::string> warnings;
  const std::vector<Pose> poses = body_poses(loaded.model->system, loaded.model->system.initial.q);
  auto made = report::shapes_of(*loaded.model, poses, report::mass_centre(loaded.model->system, poses), folder, blocks,
                                warnings);
  if (said != nullptr) *said = warnings;
  for (const auto& body : made) {
    EXPECT_FALSE(body.empty());
    for (const SceneShape& s : body) {
      EXPECT_TRUE(s.size.allFinite() && s.at.allFinite());
      EXPECT_NEAR(norm(s.orientation), 1, 1e-12);
      EXPECT_GE(s.size.minCoeff(), 0);
      EXPECT_GT(s.size[0] + s.mesh_radius, 0);
    }
  }
  return made;
}

// --- boxes -----------------------------------------------------------------------------------------------------------

TEST(EquivalentBox, OfACuboidIsTheCuboid) {
  const auto box = report::equivalent_box(cuboid(7, {1, 2, 0.5}));
  ASSERT_TRUE(box);
  EXPECT_TRUE(box->size.isApprox(Vector3(1, 2, 0.5), 1e-12)) << box->size.transpose();
  EXPECT_TRUE(box->at.isApprox(Vector3(0.1, 0.2, 0.3)));
  EXPECT_TRUE(to_rotation(box->orientation).isApprox(Matrix3::Identity()));
}

TEST(EquivalentBox, TurnsWithTheCuboid) {
  for (int k = 0; k < 20; ++k) {
    const Matrix3 R = rotation_about(Vector3(1, 0.3 * k, -2).normalized(), 0.7 * k + 0.1);
    const Vector3 edges(1, 2, 0.5);
    const auto box = report::equivalent_box(cuboid(7, edges, R));
    ASSERT_TRUE(box);
    // The same points: the box's own edges, turned, are those of the cuboid in some order and sense.
    const Matrix3 seen = (R.transpose() * to_rotation(box->orientation)).cwiseAbs();
    EXPECT_TRUE((seen * box->size).isApprox(edges, 1e-9)) << k;
    EXPECT_LT(distance_from_rotation(to_rotation(box->orientation)), 1e-12);
  }
}

TEST(EquivalentBox, HasTheInertiaItWasMadeFrom) {
  const MassProperties body = cuboid(3, {0.4, 1.1, 2.2}, rotation_about(Vector3::UnitX(), 0.4));
  const auto box = report::equivalent_box(body);
  ASSERT_TRUE(box);
  EXPECT_TRUE(cuboid(3, box->size, to_rotation(box->orientation)).inertia.isApprox(body.inertia, 1e-9));
}

TEST(EquivalentBox, OfARodOrAnUnphysicalBodyIsThinButThere) {
  for (const Vector3& moments : {Vector3(1, 1, 0), Vector3(1, 1, 5), Vector3(0, 0, 3), Vector3(1e-30, 1e-30, 0)}) {
    const auto box = report::equivalent_box({2, Vector3::Zero(), moments.asDiagonal()});
    ASSERT_TRUE(box) << moments.transpose();
    EXPECT_GE(box->size.minCoeff(), 0.03 * box->size.maxCoeff());
    EXPECT_GT(box->size.minCoeff(), 0);
  }
}

TEST(EquivalentBox, NeedsMassAndMoments) {
  EXPECT_FALSE(report::equivalent_box({2, Vector3::Zero(), Matrix3::Zero()}));
  EXPECT_FALSE(report::equivalent_box({0, Vector3::Zero(), Matrix3::Identity()}));
}

// --- bodies ----------------------------------------------------------------------------------------------------------

const std::string chain = R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [10, 10, 10], points: {jet: [0, 0, 3]}}
  link: {mass: 0, inertia: [0, 0, 0]}
  tip: {mass: 5, point_mass: true}
joints:
  a: {type: revolute, parent: bus, child: link, parent_point: [2, 0, 0], axis: [0, 0, 1]}
  b: {type: revolute, parent: link, child: tip, parent_point: [1, 0, 0], child_point: [0, -2, 0], axis: [0, 0, 1],
    damping: 1}
loads: [{thruster: {body: bus, point: jet, direction: [1, 0, 0], thrust: 1}}]
)";

TEST(MadeShapes, HangTogether) {
  const auto made = shapes(chain);
  ASSERT_EQ(made.size(), 3U);
  ASSERT_EQ(made[0].size(), 3U);  // box, strut to joint a, strut to the jet; none to where it is free
  EXPECT_EQ(made[0][0].kind, Shape::Kind::box);
  EXPECT_EQ(made[0][1].kind, Shape::Kind::cylinder);
  EXPECT_TRUE(made[0][1].at.isApprox(Vector3(1, 0, 0)));
  EXPECT_NEAR(made[0][1].size[1], 2, 1e-12);
  EXPECT_TRUE((to_rotation(made[0][1].orientation) * Vector3::UnitZ()).isApprox(Vector3::UnitX()));
  EXPECT_TRUE(made[0][2].at.isApprox(Vector3(0, 0, 1.5)));
  EXPECT_EQ(made[1][0].kind, Shape::Kind::sphere);
  EXPECT_EQ(made[1].size(), 2U);  // its own joint point is inside the ball
  EXPECT_EQ(made[2][0].kind, Shape::Kind::sphere);
  EXPECT_GT(made[2][0].size[0], made[1][0].size[0]);
  EXPECT_TRUE(made[2][1].at.isApprox(Vector3(0, -1, 0)));
}

TEST(MadeShapes, AreThereForAnyBody) {
  shapes(
      "gyrostat: 1\nbodies: {a: {mass: 1, point_mass: true}}\njoints: {j: {type: translation, parent: world, child: "
      "a, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}\n");
  shapes("gyrostat: 1\nbodies: {a: {mass: 1e-20, inertia: [1e20, 1e20, 1e20]}}\n");
  shapes("gyrostat: 1\nbodies: {a: {mass: 1e20, inertia: [1e-20, 1e-20, 1e-20]}}\n");
}

TEST(GivenShapes, AreKept) {
  const auto made = shapes(R"(gyrostat: 1
bodies:
  a:
    mass: 1
    inertia: [1, 1, 1]
    shape:
      - {box: [1, 2, 3], at: [4, 5, 6], color: "#123456", orientation: {axis: [0, 0, 1], angle: 90 deg}}
      - {sphere: 2}
      - {cylinder: [0.5, 7]}
)");
  ASSERT_EQ(made[0].size(), 3U);
  EXPECT_EQ(made[0][0].color, "#123456");
  EXPECT_EQ(made[0][0].size, Vector3(1, 2, 3));
  EXPECT_EQ(made[0][0].at, Vector3(4, 5, 6));
  EXPECT_NEAR(made[0][0].orientation.z, std::sqrt(0.5), 1e-12);
  EXPECT_EQ(made[0][1].size[0], 2);
  EXPECT_EQ(made[0][2].size, Vector3(0.5, 7, 0));
}

TEST(GivenShapes, ThatCannotBeReadAreReplacedWithAWarning) {
  const Scratch scratch;
  scratch.write("good.obj", "v 0 0 0\nv 3 0 0\nv 0 4 0\nf 1 2 3\n");
  std::vector<std::string> said;
  const std::string text = R"(gyrostat: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1], shape: [{mesh: gone.stl}]}
  b: {mass: 1, inertia: [1, 1, 1], shape: [{mesh: good.obj}, {mesh: good.obj, at: [1, 0, 0]}]}
joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}
)";
  const auto made = shapes(text, &said, scratch.path());
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], HasSubstr("bodies.a.shape: "));
  EXPECT_THAT(said[0], HasSubstr("gone.stl: no such file"));
  EXPECT_EQ(made[0][0].kind, Shape::Kind::box);
  ASSERT_EQ(made[1].size(), 2U);
  EXPECT_EQ(made[1][0].kind, Shape::Kind::mesh);
  EXPECT_EQ(made[1][0].mesh->count, 9U);
  EXPECT_EQ(made[1][0].mesh->number, made[1][1].mesh->number);  // read once
  EXPECT_NEAR(made[1][0].mesh_radius, 4, 1e-6);
}

TEST(Reach, HoldsEveryCornerAndNoMore) {
  SceneShape box;
  box.size = {2, 4, 6};
  box.at = {1, 0, 0};
  EXPECT_NEAR(report::reach(box, Vector3::Zero()), std::sqrt(4 + 4 + 9), 1e-12);
  EXPECT_NEAR(report::reach_along(box, Vector3::UnitX()), 2, 1e-12);
  box.orientation = to_quaternion(rotation_about(Vector3::UnitZ(), 1.5707963267948966));
  EXPECT_NEAR(report::reach_along(box, Vector3::UnitX()), 3, 1e-12);
  EXPECT_NEAR(report::reach(box, Vector3::Zero()), std::sqrt(9 + 1 + 9), 1e-12);
}

}  // namespace
}  // namespace gyrostat::testing
