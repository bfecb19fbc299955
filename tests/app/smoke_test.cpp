#include <gtest/gtest.h>

#include "support/program.h"

TEST(Program, WithoutACommandIsAUsageError) { EXPECT_EQ(gyrostat::testing::run("").exit_code, 2); }
