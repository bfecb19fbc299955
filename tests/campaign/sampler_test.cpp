#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "gyrostat/campaign/permutation.h"
#include "gyrostat/campaign/sobol.h"

#include "campaign/campaigns.h"

namespace gyrostat::campaign::sampler_test {
namespace {

TEST(Permutation, IsABijection) {
  for (const std::uint64_t n : {1ULL, 2ULL, 3ULL, 4ULL, 5ULL, 7ULL, 16ULL, 17ULL, 100ULL, 1000ULL, 4097ULL}) {
    for (const std::uint64_t seed : {0ULL, 12345ULL}) {
      std::vector<bool> seen(n, false);
      for (std::uint64_t k = 0; k < n; ++k) {
        const std::uint64_t to = permuted(k, n, 2, seed);
        ASSERT_LT(to, n);
        EXPECT_FALSE(seen[to]) << n << " " << k;
        seen[to] = true;
      }
    }
  }
}

TEST(Permutation, OfABillionNumbersIsOne) {
  // 50,000 of 1e9 numbers: no two go to the same place, and the places are spread evenly.
  constexpr std::uint64_t n = 1'000'000'000;
  std::set<std::uint64_t> places;
  double sum = 0;
  for (std::uint64_t k = 0; k < 50'000; ++k) {
    const std::uint64_t to = permuted(k * 19'997, n, 0, 77);
    ASSERT_LT(to, n);
    places.insert(to);
    sum += static_cast<double>(to) / n / 50'000;
  }
  EXPECT_EQ(places.size(), 50'000U);
  EXPECT_NEAR(sum, 0.5, 4 * std::sqrt(1.0 / 12 / 50'000));
}

TEST(Permutation, IsAnyOfThemAlike) {
  // The six permutations of three numbers, over seeds: chi square of 5 degrees is below 20.5 but once in a thousand.
  std::map<std::array<std::uint64_t, 3>, int> seen;
  constexpr int seeds = 12'000;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    ++seen[{permuted(0, 3, 0, seed), permuted(1, 3, 0, seed), permuted(2, 3, 0, seed)}];
  ASSERT_EQ(seen.size(), 6U);
  double chi = 0;
  for (const auto& [permutation, count] : seen) chi += std::pow(count - seeds / 6.0, 2) / (seeds / 6.0);
  EXPECT_LT(chi, 20.5);
}

TEST(LatinHypercube, HasOneNumberInEachStratum) {
  for (const std::uint64_t n : {1ULL, 10ULL, 1000ULL, 4099ULL}) {
    const auto rows = table(uniform_numbers(4, Method::latin_hypercube, n, 3));
    for (std::size_t j = 0; j < 4; ++j) {
      std::vector<int> counts(n, 0);
      for (const auto& row : rows) ++counts[static_cast<std::size_t>(row[j] * static_cast<double>(n))];
      EXPECT_EQ(std::count(counts.begin(), counts.end(), 1), static_cast<std::ptrdiff_t>(n)) << n;
    }
  }
}

TEST(LatinHypercube, KeepsItsStrataUpToABillion) {
  const Sampler sampler(uniform_numbers(1, Method::latin_hypercube, 1'000'000'000, 3));
  double u = 0;
  for (std::uint64_t k = 0; k < 1'000'000'000; k += 3'333'331) {
    sampler.sample(k, {&u, 1});
    EXPECT_EQ(static_cast<std::uint64_t>(u * 1e9), permuted(k, 1'000'000'000, 0, 3));
  }
}

TEST(LatinHypercube, HasColumnsThatAreIndependent) {
  const auto rows = table(uniform_numbers(2, Method::latin_hypercube, 4000, 8));
  double correlation = 0;
  for (const auto& row : rows) correlation += 12 * (row[0] - 0.5) * (row[1] - 0.5) / 4000;
  EXPECT_NEAR(correlation, 0, 4 / std::sqrt(4000.0));
}

CampaignDescription mixed(Method method) {
  CampaignDescription c = uniform_numbers(3, method, 500, 42);
  c.vary.push_back({"misalign", 3, Normal{0, 0.1}, {}});
  c.vary.push_back({"mode", 1, Choice{{1, 5}, {}}, {}});
  c.factors.push_back({"gain", {1, 2, 4, 8}, {}});
  c.factors.push_back({"limit", {0.1, 0.2}, {}});
  c.correlate = {{0, 1, 0.6}, {1, 4, -0.3}};
  return c;
}

TEST(Sampler, HasColumnsAndParametersInTheirOrder) {
  const Sampler sampler(mixed(Method::sobol));
  EXPECT_EQ(sampler.columns(), (std::vector<std::string>{"a0", "a1", "a2", "misalign.x", "misalign.y", "misalign.z",
                                                         "mode", "gain", "limit"}));
  EXPECT_EQ(sampler.sampled(), 7U);
  EXPECT_EQ(sampler.combinations(), 8U);
  EXPECT_EQ(sampler.samples(), 500U);
  EXPECT_EQ(sampler.count(), 4000U);
  ASSERT_EQ(sampler.parameters().size(), 7U);
  EXPECT_EQ(sampler.parameters()[3].name, "misalign");
  EXPECT_EQ(sampler.parameters()[3].first, 3U);
  EXPECT_EQ(sampler.parameters()[3].size, 3U);
  EXPECT_EQ(sampler.parameters()[5].name, "gain");
  EXPECT_EQ(sampler.parameters()[5].first, 7U);
}

TEST(Sampler, CrossesFactorsWithEverySample) {
  const auto rows = table(mixed(Method::monte_carlo));
  for (std::size_t s = 0; s < 500; ++s) {
    std::set<std::pair<double, double>> combinations;
    for (std::size_t c = 0; c < 8; ++c) {
      const auto& row = rows[8 * s + c];
      EXPECT_TRUE(std::equal(row.begin(), row.begin() + 7, rows[8 * s].begin()));
      combinations.insert({row[7], row[8]});
    }
    EXPECT_EQ(combinations.size(), 8U);
  }
  EXPECT_EQ(rows[0][7], 1);
  EXPECT_EQ(rows[1][7], 1);
  EXPECT_EQ(rows[1][8], 0.2);  // the last factor changes fastest
  EXPECT_EQ(rows[2][7], 2);
}

TEST(Sampler, FactorialHasEachCombinationOnce) {
  CampaignDescription c;
  c.method = Method::factorial;
  c.factors = {{"a", {1, 2, 3}, {}}, {"b", {10, 20}, {}}};
  const auto rows = table(c);
  EXPECT_EQ(rows, (std::vector<std::vector<double>>{{1, 10}, {1, 20}, {2, 10}, {2, 20}, {3, 10}, {3, 20}}));
}

TEST(Sampler, GivesFlightKWhateverWasAskedBefore) {
  for (const Method method : {Method::monte_carlo, Method::latin_hypercube, Method::sobol}) {
    const auto rows = table(mixed(method));
    const Sampler other(mixed(method));
    std::vector<double> row(9);
    for (std::uint64_t k = 4000; k-- > 0;) {
      const std::uint64_t at = (k * 1237) % 4000;
      other.sample(at, row);
      EXPECT_EQ(row, rows[at]);
    }
  }
}

TEST(Sampler, GivesTheSameToManyThreads) {
  for (const Method method : {Method::monte_carlo, Method::latin_hypercube, Method::sobol}) {
    const auto rows = table(mixed(method));
    const Sampler sampler(mixed(method));
    std::vector<std::vector<double>> found(rows.size(), std::vector<double>(9));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t k = t; k < rows.size(); k += 4) sampler.sample(k, found[k]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, rows);
  }
}

TEST(Sampler, OfMonteCarloAndSobolDoesNotDependOnTheCount) {
  // More samples later are the same ones and more.
  for (const Method method : {Method::monte_carlo, Method::sobol}) {
    const auto few = table(uniform_numbers(3, method, 10, 1)), many = table(uniform_numbers(3, method, 1000, 1));
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  }
}

TEST(Sampler, ChangesWithItsSeed) {
  for (const Method method : {Method::monte_carlo, Method::latin_hypercube, Method::sobol}) {
    const auto a = table(uniform_numbers(2, method, 100, 1)), b = table(uniform_numbers(2, method, 100, 2));
    int same = 0;
    for (std::size_t k = 0; k < 100; ++k) same += a[k] == b[k] ? 1 : 0;
    EXPECT_EQ(same, 0);
  }
}

TEST(Sampler, DrawsTheSameNumbersForEver) {
  // Results of campaigns are flown again years later: these numbers must not change.
  const auto first = [](Method method) { return table(uniform_numbers(2, method, 100, 7))[3]; };
  EXPECT_EQ(first(Method::monte_carlo), (std::vector<double>{0.69482246426371075, 0.96209579127309064}));
  EXPECT_EQ(first(Method::latin_hypercube), (std::vector<double>{0.020953350984952691, 0.83946988987036009}));
  EXPECT_EQ(first(Method::sobol), (std::vector<double>{0.39113452265618365, 0.34809804409385847}));
}

TEST(Sampler, HasTheDesignOfSaltelli) {
  CampaignDescription c = uniform_numbers(3, Method::sobol, 64, 5);
  c.sensitivity = true;
  const Sampler sampler(c);
  EXPECT_EQ(sampler.design().inputs, 3U);
  EXPECT_EQ(sampler.count(), 64U * 5);
  const auto rows = table(c);
  const SobolSequence sobol(6);
  for (std::size_t j = 0; j < 64; ++j) {
    const auto& a = rows[5 * j];
    const auto& b = rows[5 * j + 1];
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(a[i], sobol.scrambled(j, i, 5));
      EXPECT_EQ(b[i], sobol.scrambled(j, 3 + i, 5));
      for (std::size_t column = 0; column < 3; ++column)
        EXPECT_EQ(rows[5 * j + 2 + i][column], column == i ? b[column] : a[column]);
    }
  }
}

TEST(Sampler, TakesRowsOfTables) {
  CampaignDescription c = uniform_numbers(1, Method::sobol, 3, 5);
  Table rows{"f.csv", "", {"x", "y", "z"}, "", {{1, 2, 3}, {10, 20, 30}, {5, 6, 7}}};
  c.vary.push_back({"v", 3, rows, {}});
  c.factors.push_back({"gain", {1, 2}, {}});
  const auto found = table(c);
  EXPECT_EQ((std::vector<double>(found[3].begin() + 1, found[3].end())), (std::vector<double>{2, 20, 6, 2}));
}

TEST(Sampler, RefusesWhatCannotBe) {
  const auto refused = [](const CampaignDescription& c) -> std::string {
    try {
      const Sampler sampler(c);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused(uniform_numbers(513, Method::sobol, 8, 0)),
            "samples.method: 513 varied numbers need 513 dimensions; the sequences of Sobol here have 512; use "
            "latin_hypercube");
  CampaignDescription c = uniform_numbers(257, Method::sobol, 8, 0);
  c.sensitivity = true;
  EXPECT_EQ(refused(c),
            "samples.method: 257 varied numbers with sensitivity need 514 dimensions; the sequences of Sobol here have "
            "512; use latin_hypercube");
  c = uniform_numbers(2, Method::monte_carlo, 1'000'000'000, 0);
  EXPECT_EQ(refused(c), "");
  c.factors.push_back({"gain", {1, 2}, {}});
  EXPECT_EQ(refused(c), "samples: 2000000000 flights in all; the limit is 1000000000");
  c = uniform_numbers(3, Method::monte_carlo, 10, 0);
  c.correlate = {{0, 1, 0.9}, {1, 2, 0.9}, {0, 2, -0.9}};
  EXPECT_EQ(refused(c),
            "correlate: no distribution has these correlations at once (their matrix is not positive definite): "
            "[a0, a1, 0.9], [a1, a2, 0.9], [a0, a2, -0.9]");
}

}  // namespace
}  // namespace gyrostat::campaign::sampler_test
