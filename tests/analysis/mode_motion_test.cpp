// Displacements of bodies in a mode against differences of their poses, along the same change of the coordinates.
#include "gyrostat/analysis/mode_motion.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/modes.h"
#include "gyrostat/analysis/tangent.h"

#include "support/load.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace mode_motion_test {

using Index = Eigen::Index;

/// X_NB of all bodies when every speed's coordinate is moved by `along`.
std::vector<Pose> moved_poses(const Plant& plant, const OperatingPoint& point, const Eigen::VectorXd& along) {
  const Tangent tangent(plant, point.y, plant.initial_discrete_state().free);
  Eigen::VectorXd coordinates(static_cast<Index>(tangent.speeds().size()));
  for (std::size_t k = 0; k < tangent.speeds().size(); ++k) {
    coordinates[static_cast<Index>(k)] = along[tangent.speeds()[k]];
  }
  const Eigen::VectorXd y = tangent.moved(coordinates, Eigen::VectorXd::Zero(coordinates.size()));
  State state{Eigen::VectorXd(plant.layout().nq), Eigen::VectorXd(plant.layout().nu)};
  plant.layout().scatter(y.data(), state.q.data(), state.u.data());
  return body_poses(plant.system(), state.q);
}

Vector3 rotation_vector(const Matrix3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

/// Modes whose motion was compared.
int check_against_differences(const Model& model, const OperatingPoint& point, const LinearModel& linear,
                              const std::string& of) {
  const Plant plant(model, "articulated_body");
  const ModeMotions motions(model.system, linear);
  const Modes modes = find_modes(state_space(linear));
  constexpr double h = 1e-5;
  int checked = 0;
  for (const Mode& mode : modes.modes) {
    Eigen::VectorXcd shape = mode.shape.head(static_cast<Index>(linear.coordinates));
    if (shape.size() == 0 || shape.norm() < 1e-9) continue;
    shape /= shape.cwiseAbs().maxCoeff();
    const ModeMotion motion = motions.of(shape);
    for (const bool imaginary : {false, true}) {
      const Eigen::VectorXd along =
          imaginary ? Eigen::VectorXd(motion.coordinates.imag()) : Eigen::VectorXd(motion.coordinates.real());
      const auto forward = moved_poses(plant, point, h * along), back = moved_poses(plant, point, -h * along);
      for (std::size_t i = 1; i < forward.size(); ++i) {
        const Vector3 translation = (forward[i].p - back[i].p) / (2 * h);
        const Vector3 rotation = rotation_vector(forward[i].R * back[i].R.transpose()) / (2 * h);
        const Vector3 t = imaginary ? Vector3(motion.translation[i].imag()) : Vector3(motion.translation[i].real());
        const Vector3 r = imaginary ? Vector3(motion.rotation[i].imag()) : Vector3(motion.rotation[i].real());
        const double scale = 1 + along.cwiseAbs().maxCoeff() + translation.norm();
        EXPECT_LT((t - translation).norm(), 1e-7 * scale) << of << ": " << model.system.bodies[i].name;
        EXPECT_LT((r - rotation).norm(), 1e-7 * scale) << of << ": " << model.system.bodies[i].name;
      }
    }
    ++checked;
  }
  return checked;
}

int check_file(const std::string& example, const LinearizeSettings& settings = {},
               const std::vector<Override>& set = {}, double t = 0) {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/" + example, set);
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  if (!loaded.model) return 0;
  const OperatingPoint point = point_at(*loaded.model, t);
  return check_against_differences(*loaded.model, point, linearize(*loaded.model, point, settings), example);
}

TEST(ModeMotion, AgreesWithDifferencesOfPosesOverRandomSpacecraft) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Loaded loaded = load_description(RandomFlight(seed, {}).make());
    if (!loaded.model) continue;
    try {
      const OperatingPoint point = initial_point(*loaded.model);
      const LinearModel linear = linearize(*loaded.model, point, {});
      checked += check_against_differences(*loaded.model, point, linear, "seed " + std::to_string(seed));
    } catch (const AnalysisError&) {
      continue;
    }
  }
  EXPECT_GT(checked, 200);
}

TEST(ModeMotion, AgreesWithDifferencesWhereBodiesBend) {
  LinearizeSettings settings;
  settings.gains = {{"jet_x", 50}, {"jet_y", 50}, {"jet_z", 50}};
  EXPECT_GT(check_file("solar_arrays/solar_arrays.yaml", settings, {{"drift_x", "1 deg/s"}}, 2), 15);
}

TEST(ModeMotion, AgreesWithDifferencesWhereLoopsAreClosed) { EXPECT_GE(check_file("four_bar/four_bar.yaml"), 1); }

TEST(ModeMotion, AgreesWithDifferencesOfTheFiveBodySpacecraft) {
  LinearizeSettings settings;
  settings.gains = {{"jet1", 100}, {"jet2", 100}, {"jet3", 100}};
  EXPECT_GT(check_file("five_body/five_body.yaml", settings), 7);
}

TEST(ModeMotion, OfALinearModelOfSomethingElseIsRefused) {
  const Loaded one = load("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n");
  const Loaded two = load(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}}\n");
  ASSERT_TRUE(one.model && two.model);
  const LinearModel linear = linearize(*two.model, initial_point(*two.model), {});
  try {
    const ModeMotions motions(one.model->system, linear);
    FAIL();
  } catch (const AnalysisError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("1 coordinates and 1 speeds, and the model 7 and 6"));
  }
}

}  // namespace mode_motion_test
}  // namespace gyrostat::testing
