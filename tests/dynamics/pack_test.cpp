// Several systems at once are the systems one by one, and no system knows of the others.
#include "gyrostat/math/pack.h"

#include <array>

#include "support/eight.h"

namespace gyrostat::testing {
namespace pack_test {

/// Calls `check` with packs of every width that this processor has kernels for.
template <class Check>
void for_random_systems(std::uint64_t seeds, Check check) {
  RandomModelOptions options;
  options.most_bodies = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    options.flexible = seed % 3 == 0 ? 0.4 : 0;
    const RandomCase c = RandomCase::make(seed, options);
    for (const Kernels* k : available_kernels()) {
      SCOPED_TRACE(::testing::Message() << "seed " << seed << " on " << k->processor);
      Random random(seed + 77);
      std::visit([&](const auto& packed) { check(packed, c, random); }, k->packed);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// Largest of the accelerations, and of the other numbers, apart: they are of different sizes.
double largest(const std::vector<double>& list, std::size_t from, std::size_t to) {
  double most = 1;
  for (std::size_t k = from; k < to; ++k) most = std::max(most, std::abs(list[k]));
  return most;
}

template <std::size_t N>
void expect_lane(const std::vector<Pack<N>>& together, std::size_t lane, const std::vector<double>& one, std::size_t nu,
                 double limit) {
  ASSERT_EQ(one.size(), together.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    const std::size_t part = k < nu ? 0 : k < 2 * nu ? nu : 2 * nu;
    const double scale = largest(one, part, part == 0 ? nu : part == nu ? 2 * nu : one.size());
    ASSERT_NEAR(together[k][lane], one[k], (part == 0 ? limit : 1e-12) * scale)
        << "lane " << lane << " number " << k << " of " << nu;
  }
}

/// How much less accurate accelerations of flexible bodies are: the modes' part is taken from the inertia.
double loss(const RandomCase& c) { return c.system().flexible.empty() ? 1 : 100; }

TEST(SeveralAtOnce, AreEachOneToRounding) {
  for_random_systems(250, []<std::size_t N>(const PackKernels<N>& k, const RandomCase& c, Random& random) {
    std::array<std::vector<double>, N> one_by_one;
    std::array<double, N> limit{};
    Given<Pack<N>> all(c.system());
    for (std::size_t lane = 0; lane < N; ++lane) {
      const Given<double> one = random_given(c.system(), random);
      one_by_one[lane] = outcome(*c.mechanism, one);
      limit[lane] = loss(c) * std::max(1e-12, 1e-15 * pivot_ratio(*c.mechanism, one));
      put_in_lane(all, lane, one);
    }
    const std::vector<Pack<N>> together = outcome(k.of_one, *c.mechanism, all);
    for (std::size_t lane = 0; lane < N; ++lane) {
      expect_lane(together, lane, one_by_one[lane], c.mechanism->nu, limit[lane]);
    }
  });
}

/// The same bodies and joints with other masses, inertias, places and directions.
System varied(System system, Random& random) {
  for (Body& body : system.bodies) {
    MassProperties& p = body.mass_properties;
    const double factor = random.uniform(0.5, 2);
    p.mass *= factor;
    p.inertia *= factor;
    const Matrix3 R = random.rotation();
    p.inertia = R * p.inertia * R.transpose();
    p.com += p.mass > 0 ? random.vector(0.1) : Vector3(Vector3::Zero());
  }
  for (Joint& joint : system.joints) {
    joint.parent_point += random.vector(0.1);
    joint.child_point += random.vector(0.1);
    const Matrix3 turn = random.rotation();
    for (Vector3& axis : joint.a) axis = turn * axis;
    for (Vector3& axis : joint.d) axis = turn * axis;
  }
  for (Wheel& wheel : system.wheels) wheel.inertia *= random.uniform(0.5, 1);
  return system;
}

TEST(SeveralAtOnce, MayDifferInMassAndGeometry) {
  for_random_systems(250, []<std::size_t N>(const PackKernels<N>& k, const RandomCase& c, Random& random) {
    std::vector<System> systems;
    for (std::size_t lane = 0; lane < N; ++lane) systems.push_back(varied(c.system(), random));
    std::vector<Mechanism> mechanisms;
    for (const System& system : systems) mechanisms.emplace_back(system);
    std::vector<const Mechanism*> lanes;
    for (const Mechanism& mechanism : mechanisms) lanes.push_back(&mechanism);
    const MechanismOf<Pack<N>> gathered_mechanism = gathered<N>(lanes);
    std::array<std::vector<double>, N> one_by_one;
    std::array<double, N> limit{};
    Given<Pack<N>> all(c.system());
    for (std::size_t lane = 0; lane < N; ++lane) {
      const Given<double> one = random_given(systems[lane], random);
      one_by_one[lane] = outcome(mechanisms[lane], one);
      limit[lane] = loss(c) * std::max(1e-11, 1e-14 * pivot_ratio(mechanisms[lane], one));
      put_in_lane(all, lane, one);
    }
    const std::vector<Pack<N>> together = outcome(k.of_each, gathered_mechanism, all);
    for (std::size_t lane = 0; lane < N; ++lane) {
      if (limit[lane] < 1e-6) expect_lane(together, lane, one_by_one[lane], c.mechanism->nu, limit[lane]);
    }
  });
}

TEST(SeveralAtOnce, MayDifferInWhichJointsAreFree) {
  for_random_systems(250, []<std::size_t N>(const PackKernels<N>& k, const RandomCase& c, Random& random) {
    std::array<std::vector<double>, N> one_by_one;
    std::array<double, N> limit{};
    Given<Pack<N>> all(c.system());
    for (std::size_t lane = 0; lane < N; ++lane) {
      Given<double> one = random_given(c.system(), random);
      for (const Link& link : c.mechanism->links) {
        const bool of_modes = link.motion == JointMotion::modal;
        if (random.chance(0.3) && !of_modes) one.forces.set_free(link.u, link.nu, random.chance(0.5));
      }
      for (const WheelLink& wheel : c.mechanism->wheels) one.forces.set_free(wheel.u, 1, random.chance(0.5));
      limit[lane] = loss(c) * std::max(1e-12, 1e-14 * pivot_ratio(*c.mechanism, one));
      one_by_one[lane] = outcome(*c.mechanism, one);
      put_in_lane(all, lane, one);
    }
    const std::vector<Pack<N>> together = outcome(k.of_one, *c.mechanism, all);
    for (std::size_t lane = 0; lane < N; ++lane) {
      if (limit[lane] < 1e-6) expect_lane(together, lane, one_by_one[lane], c.mechanism->nu, limit[lane]);
    }
  });
}

/// What stands in the other lanes.
enum class Others { states, zeros, not_numbers, infinities, same };

TEST(SeveralAtOnce, ALaneDoesNotDependOnWhatTheOthersHold) {
  for_random_systems(60, []<std::size_t N>(const PackKernels<N>& kernels, const RandomCase& c, Random& random) {
    const Given<double> one = random_given(c.system(), random);
    const std::size_t lane = random.index(N);
    std::vector<Pack<N>> first;
    for (const Others others :
         {Others::states, Others::states, Others::zeros, Others::same, Others::not_numbers, Others::infinities}) {
      Given<Pack<N>> all(c.system());
      for (std::size_t k = 0; k < N; ++k) {
        Given<double> other(c.system());
        if (others == Others::states) other = random_given(c.system(), random);
        if (others == Others::same) other = one;
        const double rubbish = others == Others::not_numbers ? std::nan("") : std::numeric_limits<double>::infinity();
        if (others == Others::not_numbers || others == Others::infinities) {
          for_pairs(other, other, [&](double& x, double&) { x = rubbish; });
        }
        put_in_lane(all, k, k == lane ? one : other);
      }
      const std::vector<Pack<N>> result = outcome(kernels.of_one, *c.mechanism, all);
      if (first.empty()) first = result;
      for (std::size_t k = 0; k < result.size(); ++k) {
        ASSERT_TRUE(same_bits(result[k][lane], first[k][lane]))
            << "number " << k << ": " << result[k][lane] << " and " << first[k][lane] << " with others "
            << static_cast<int>(others);
      }
    }
  });
}

TEST(SeveralAtOnce, ALaneDoesNotDependOnItsNumber) {
  for_random_systems(60, []<std::size_t N>(const PackKernels<N>& kernels, const RandomCase& c, Random& random) {
    Given<Pack<N>> forwards(c.system()), backwards(c.system());
    for (std::size_t k = 0; k < N; ++k) {
      const Given<double> one = random_given(c.system(), random);
      put_in_lane(forwards, k, one);
      put_in_lane(backwards, N - 1 - k, one);
    }
    const std::vector<Pack<N>> a = outcome(kernels.of_one, *c.mechanism, forwards),
                               b = outcome(kernels.of_one, *c.mechanism, backwards);
    for (std::size_t n = 0; n < a.size(); ++n) {
      for (std::size_t k = 0; k < N; ++k) ASSERT_TRUE(same_bits(a[n][k], b[n][N - 1 - k]));
    }
  });
}

}  // namespace pack_test
}  // namespace gyrostat::testing
