// Numbers come back from blocks as they were, by a decoder of its own.
#include "gyrostat/report/blocks.h"

#include <bit>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "support/page.h"

namespace gyrostat::testing {
namespace {

using report::Block;
using report::Blocks;

template <class T>
void expect_back(const std::vector<T>& values, const std::string& type) {
  Blocks blocks;
  const Block block = blocks.add(std::span<const T>(values));
  EXPECT_EQ(block.count, values.size());
  EXPECT_EQ(block.type, type);
  const std::vector<T> back = decoded<T>(blocks.texts()[block.number], block.count);
  ASSERT_EQ(back.size(), values.size());
  EXPECT_TRUE(values.empty() || std::memcmp(back.data(), values.data(), sizeof(T) * values.size()) == 0);
}

TEST(Blocks, GiveBackEveryBit) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 1000U}) {
    std::vector<double> doubles;
    std::vector<float> floats;
    std::vector<std::uint32_t> whole;
    for (std::size_t i = 0; i < count; ++i) {
      doubles.push_back(std::bit_cast<double>(random()));
      floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
      whole.push_back(static_cast<std::uint32_t>(random()));
    }
    expect_back(doubles, "f64");
    expect_back(floats, "f32");
    expect_back(whole, "u32");
  }
}

TEST(Blocks, KeepWhatIsNoNumber) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  expect_back<double>({0.0, -0.0, inf, -inf, std::numeric_limits<double>::quiet_NaN()}, "f64");
}

TEST(Blocks, AreNumberedInTheirOrder) {
  Blocks blocks;
  const std::vector<double> one = {1}, two = {2, 3};
  EXPECT_EQ(blocks.add(std::span<const double>(one)).number, 0U);
  EXPECT_EQ(blocks.add(std::span<const double>(two)).number, 1U);
  EXPECT_EQ(decoded<double>(blocks.texts()[0], 1), one);
  EXPECT_EQ(decoded<double>(blocks.texts()[1], 2), two);
}

TEST(Blocks, OfSmoothNumbersAreSmall) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(0.06 * i);
  Blocks blocks;
  blocks.add(std::span<const double>(values));
  EXPECT_LT(blocks.texts()[0].size(), 4U * values.size());
}

}  // namespace
}  // namespace gyrostat::testing
