#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::HasSubstr;

TEST(Reader, PointsAtTheValueThatIsWrong) {
  EXPECT_THAT(testing::problems_of("gyrostat: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n"),
              HasSubstr("m.yaml:3:13: error: bodies.a.mass: a mass cannot be negative"));
}

}  // namespace
}  // namespace gyrostat
