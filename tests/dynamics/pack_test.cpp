// Eight states at once are eight states one by one, and no state knows of the others.
#include "gyrostat/math/pack.h"

#include <array>

#include "support/eight.h"

namespace gyrostat::testing {
namespace {

constexpr std::size_t lanes = Pack::lanes;

template <class Check>
void for_random_systems(std::uint64_t seeds, Check check) {
  RandomModelOptions options;
  options.most_bodies = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const RandomCase c = RandomCase::make(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed + 77);
    check(c, random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Largest of the accelerations, and of the other numbers, apart: they are of different sizes.
double largest(const std::vector<double>& list, std::size_t from, std::size_t to) {
  double most = 1;
  for (std::size_t k = from; k < to; ++k) most = std::max(most, std::abs(list[k]));
  return most;
}

TEST(EightAtOnce, AreEachOneToRounding) {
  for_random_systems(400, [](const RandomCase& c, Random& random) {
    std::array<std::vector<double>, lanes> one_by_one;
    std::array<double, lanes> limit{};
    Given<Pack> eight(c.system());
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Given<double> one = random_given(c.system(), random);
      one_by_one[lane] = outcome(*c.mechanism, one);
      limit[lane] = std::max(1e-12, 1e-15 * pivot_ratio(*c.mechanism, one));
      put_in_lane(eight, lane, one);
    }
    const std::vector<Pack> together = outcome(*c.mechanism, eight);
    const std::size_t nu = c.mechanism->nu;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::vector<double>& one = one_by_one[lane];
      ASSERT_EQ(one.size(), together.size());
      for (std::size_t k = 0; k < one.size(); ++k) {
        const std::size_t part = k < nu ? 0 : k < 2 * nu ? nu : 2 * nu;
        const double scale = largest(one, part, part == 0 ? nu : part == nu ? 2 * nu : one.size());
        ASSERT_NEAR(together[k][lane], one[k], (part == 0 ? limit[lane] : 1e-12) * scale)
            << "lane " << lane << " number " << k << " of " << nu;
      }
    }
  });
}

/// What stands in the other lanes.
enum class Others { states, zeros, not_numbers, infinities, same };

TEST(EightAtOnce, ALaneDoesNotDependOnWhatTheOthersHold) {
  for_random_systems(100, [](const RandomCase& c, Random& random) {
    const Given<double> one = random_given(c.system(), random);
    const std::size_t lane = random.index(lanes);
    std::vector<Pack> first;
    for (const Others others :
         {Others::states, Others::states, Others::zeros, Others::same, Others::not_numbers, Others::infinities}) {
      Given<Pack> eight(c.system());
      for (std::size_t k = 0; k < lanes; ++k) {
        Given<double> other(c.system());
        if (others == Others::states) other = random_given(c.system(), random);
        if (others == Others::same) other = one;
        const double rubbish = others == Others::not_numbers ? std::nan("") : std::numeric_limits<double>::infinity();
        if (others == Others::not_numbers || others == Others::infinities) {
          for_pairs(other, other, [&](double& x, double&) { x = rubbish; });
        }
        put_in_lane(eight, k, k == lane ? one : other);
      }
      const std::vector<Pack> result = outcome(*c.mechanism, eight);
      if (first.empty()) first = result;
      for (std::size_t k = 0; k < result.size(); ++k) {
        ASSERT_TRUE(same_bits(result[k][lane], first[k][lane]))
            << "number " << k << ": " << result[k][lane] << " and " << first[k][lane] << " with others "
            << static_cast<int>(others);
      }
    }
  });
}

TEST(EightAtOnce, ALaneDoesNotDependOnItsNumber) {
  for_random_systems(100, [](const RandomCase& c, Random& random) {
    std::array<Given<double>, lanes> states = {random_given(c.system(), random), random_given(c.system(), random),
                                               random_given(c.system(), random), random_given(c.system(), random),
                                               random_given(c.system(), random), random_given(c.system(), random),
                                               random_given(c.system(), random), random_given(c.system(), random)};
    Given<Pack> forwards(c.system()), backwards(c.system());
    for (std::size_t k = 0; k < lanes; ++k) {
      put_in_lane(forwards, k, states[k]);
      put_in_lane(backwards, lanes - 1 - k, states[k]);
    }
    const std::vector<Pack> a = outcome(*c.mechanism, forwards), b = outcome(*c.mechanism, backwards);
    for (std::size_t n = 0; n < a.size(); ++n) {
      for (std::size_t k = 0; k < lanes; ++k) ASSERT_TRUE(same_bits(a[n][k], b[n][lanes - 1 - k]));
    }
  });
}

}  // namespace
}  // namespace gyrostat::testing
