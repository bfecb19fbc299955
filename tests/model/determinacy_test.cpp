// Motions that leave all mass at rest, against the null space of a mass matrix made by finite differences.
#include "gyrostat/model/determinacy.h"

#include <set>

#include "support/assemble.h"
#include "support/brute_force.h"
#include "support/closed_loops.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/reference.h"

namespace gyrostat {
namespace {

using testing::assemble;
using testing::Assembled;
using testing::Random;
using testing::random_description;
using testing::RandomModel;
using testing::RandomModelOptions;

using testing::BruteForce;
using testing::initial_coordinates;
using testing::Poses;
using testing::reference_joint_pose;
using testing::reference_poses;

std::set<std::string> joint_names(const System& system, const MasslessMotion& motion) {
  std::set<std::string> names;
  for (const std::uint32_t j : motion.joints) names.insert(system.joints[j].name);
  return names;
}

struct Tally {
  std::size_t compared = 0, indeterminate = 0, single = 0;
};

void compare(Description description, Tally& tally) {
  const Assembled a = assemble(std::move(description));
  ASSERT_EQ(a.problems.errors(), 0U) << testing::text_of(a.problems);
  if (a.system.initial.u.size() == 0) return;
  const BruteForce brute(a);
  if (!brute.clear()) return;
  const MasslessMotions found = find_massless_motions(a.system);
  ++tally.compared;
  tally.indeterminate += brute.nullity() > 0;
  ASSERT_EQ(found.count, brute.nullity());
  EXPECT_EQ(found.motions.size(), std::min<std::size_t>(found.count, 10));
  if (brute.nullity() == 1) {
    ++tally.single;
    EXPECT_EQ(joint_names(a.system, found.motions[0]), brute.support());
  } else if (a.system.constraints.empty()) {
    for (const MasslessMotion& motion : found.motions) {
      EXPECT_TRUE(brute.is_support(joint_names(a.system, motion)))
          << ::testing::PrintToString(joint_names(a.system, motion));
    }
  }
}

template <class Make>
void compare_many(std::uint64_t seeds, Make make) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    compare(make(seed), tally);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tally.compared, 9 * seeds / 10);
  EXPECT_GT(tally.indeterminate, seeds / 10);
  EXPECT_GT(tally.single, seeds / 50);
}

TEST(Determinacy, IsTheRankOfTheMassMatrixForMasslessBodiesAndPointMassesAnywhere) {
  compare_many(3000, [](std::uint64_t seed) {
    return random_description(seed, {.most_bodies = 7, .point_masses = 0.3, .massless = 0.3, .determinate = false});
  });
}

TEST(Determinacy, IsTheRankOfTheMassMatrixWhereAxesAreParallelAndPointsCoincide) {
  compare_many(4000, [](std::uint64_t seed) {
    return random_description(seed, {.most_bodies = 6,
                                     .point_masses = 0.2,
                                     .massless = 0.25,
                                     .wheels = 0.5,
                                     .determinate = false,
                                     .special = true});
  });
}

TEST(Determinacy, IsTheRankOfTheMassMatrixWhereMostBodiesAreMassless) {
  compare_many(2000, [](std::uint64_t seed) {
    return random_description(seed, {.least_bodies = 4,
                                     .most_bodies = 8,
                                     .point_masses = 0.3,
                                     .massless = 0.6,
                                     .locked = 0.3,
                                     .determinate = false,
                                     .special = seed % 2 == 0});
  });
}

TEST(Determinacy, WithLoopsCountsOnlyMotionsThatTheLoopsAllow) {
  compare_many(3000, [](std::uint64_t seed) {
    const RandomModelOptions options = {
        .most_bodies = 6, .point_masses = 0.25, .massless = 0.3, .determinate = false, .special = seed % 2 == 0};
    return testing::with_loops(seed, random_description(seed, options));
  });
}

}  // namespace
}  // namespace gyrostat
