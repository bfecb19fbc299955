// Numbers come back from blocks as they were, by a decoder of its own.
#include "gyrostat/report/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "support/page.h"

namespace gyrostat::testing {
namespace {

using report::Block;
using report::Blocks;

template <class T>
void expect_back(const std::vector<T>& values, const std::string& type, std::size_t parts = 1) {
  Blocks blocks;
  const Block block = blocks.add(std::span<const T>(values), parts);
  EXPECT_EQ(block.count, values.size());
  EXPECT_EQ(block.type, type);
  const std::vector<T> back = decoded<T>(blocks.texts()[block.number], block.count, block.order, block.parts);
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

TEST(Blocks, GiveBackDifferencesOfEveryOrder) {
  std::vector<bool> orders(6);
  for (const std::size_t parts : {1U, 3U, 7U}) {
    std::vector<double> tidy = {0.0, -0.0, 1e308, -1e308};
    std::vector<float> floats = {-1e30F, 1e30F};
    std::vector<std::uint32_t> whole = {~0U, 0U};
    for (int i = 0; i < 4000; ++i) {
      tidy.push_back(1e-3 * std::sin(1e-3 * i) - 1e-4);  // passes zero
      floats.push_back(static_cast<float>(std::cos(0.01 * i)));
      whole.push_back(static_cast<std::uint32_t>(3 * i));
    }
    expect_back(tidy, "f64", parts);
    expect_back(floats, "f32", parts);
    expect_back(whole, "u32", parts);
  }
  for (int degree = 0; degree <= 4; ++degree) {  // integers in a binade: a polynomial of them
    std::vector<double> values;
    for (int i = 0; i < 2000; ++i) values.push_back(1 + std::pow(i, degree) * 0x1p-50);
    Blocks blocks;
    orders.at(blocks.add(std::span<const double>(values)).order) = true;
    expect_back(values, "f64");
  }
  EXPECT_GE(std::count(orders.begin(), orders.end(), true), 4);
}

TEST(Blocks, StandOnceWhateverIsAddedTwice) {
  Blocks blocks;
  const std::vector<double> values = {1, 2, 3}, other = {1, 2, 4};
  const std::vector<std::uint32_t> none, name = {0, 1};
  const std::vector<float> no_floats;
  EXPECT_EQ(blocks.add(std::span<const double>(values)).number, 0U);
  EXPECT_EQ(blocks.add(std::span<const double>(other)).number, 1U);
  EXPECT_EQ(blocks.add(std::span<const double>(values)).number, 0U);
  EXPECT_EQ(blocks.add(std::span<const double>(values), 3).number, 2U);  // to be read in another order
  EXPECT_EQ(blocks.add(std::span<const std::uint32_t>(none)).number, 3U);
  EXPECT_EQ(blocks.add(std::span<const float>(no_floats)).number, 4U);  // another type
  EXPECT_EQ(blocks.texts().size(), 5U);
}

TEST(Blocks, AreNumberedInTheirOrder) {
  Blocks blocks;
  const std::vector<double> one = {1}, two = {2, 3};
  EXPECT_EQ(blocks.add(std::span<const double>(one)).number, 0U);
  EXPECT_EQ(blocks.add(std::span<const double>(two)).number, 1U);
  EXPECT_EQ(blocks.texts().size(), 2U);
}

TEST(Blocks, OfSmoothNumbersAreSmall) {
  std::vector<double> values;
  for (int i = 0; i < 10'000; ++i) values.push_back(0.06 * i);
  Blocks blocks;
  blocks.add(std::span<const double>(values));
  EXPECT_LT(blocks.texts()[0].size(), values.size());
  values.clear();
  for (int i = 0; i < 10'000; ++i) values.push_back(0.3 + std::sin(2e-3 * i));  // at most 13 digits can be foretold
  blocks.add(std::span<const double>(values));
  EXPECT_LT(blocks.texts()[1].size(), 4U * values.size());
}

TEST(Blocks, OfPartsThatAlternateAreSmall) {
  std::vector<float> values;
  for (int i = 0; i < 10'000; ++i) {
    for (const double x : {std::sin(1e-3 * i), -0.7, 100 + std::cos(1e-3 * i)}) values.push_back(static_cast<float>(x));
  }
  Blocks apart, mixed;
  apart.add(std::span<const float>(values), 3);
  mixed.add(std::span<const float>(values));
  EXPECT_LT(2 * apart.texts()[0].size(), mixed.texts()[0].size());
}

}  // namespace
}  // namespace gyrostat::testing
