#include <gtest/gtest.h>

#include "gyrostat/expression/syntax.h"

TEST(Parse, KeepsTheTextAndPutsTheRootLast) {
  const auto parsed = gyrostat::expression::parse("1 + 2*x");
  ASSERT_FALSE(parsed.complaint);
  EXPECT_EQ(parsed.expression.nodes.back().operation, gyrostat::expression::Operation::add);
}
