#include "gyrostat/math/rotation.h"

#include <gtest/gtest.h>

TEST(Rotation, AboutZTurnsXIntoY) {
  using namespace gyrostat;
  EXPECT_LT((rotation_about(Vector3::UnitZ(), M_PI / 2) * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-15);
}
