// The recursions compiled for this processor against those that run everywhere, and the same bits every time.
#include "gyrostat/dynamics/kernels.h"

#include <array>
#include <string>
#include <thread>

#include <gmock/gmock.h>

#include "support/eight.h"

namespace gyrostat::testing {
namespace kernels_test {

/// Those that run everywhere.
const Kernels& baseline() { return *available_kernels().front(); }

/// Accelerations, then all of the mass matrix.
std::vector<double> composite_outcome(const Kernels& k, const Mechanism& mechanism, const Given<double>& x) {
  Kinematics<double> kinematics(mechanism);
  CompositeBodyData workspace(mechanism);
  std::vector<double> result(mechanism.nu);
  k.one.update(mechanism, x.q.data(), x.u.data(), kinematics);
  k.composite_body(mechanism, kinematics, x.u.data(), x.forces, workspace, result.data());
  const std::vector<double> first = workspace.mass_matrix.entries;
  workspace.mass_matrix = LowerTriangle(mechanism.nu);
  k.mass_matrix(mechanism, kinematics, workspace);
  EXPECT_EQ(workspace.mass_matrix.entries, first);
  result.insert(result.end(), first.begin(), first.end());
  return result;
}

double largest(const std::vector<double>& list, std::size_t from, std::size_t to) {
  double most = 1;
  for (std::size_t k = from; k < to; ++k) most = std::max(most, std::abs(list[k]));
  return most;
}

/// The first nu numbers are accelerations, which may be ill-conditioned; the others are not.
void expect_close(const std::vector<double>& a, const std::vector<double>& b, std::size_t nu, double limit) {
  ASSERT_EQ(a.size(), b.size());
  const double first = limit * largest(b, 0, nu), rest = 1e-12 * largest(b, nu, b.size());
  for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], k < nu ? first : rest) << "number " << k;
}

template <class Check>
void for_systems(std::uint64_t count, Check check) {
  for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFatalFailure(); ++seed) {
    RandomModelOptions options;
    options.most_bodies = seed % 10 == 0 ? 60 : 12;
    const RandomCase c = RandomCase::make(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " on " << kernels().processor);
    Random random(seed);
    check(*c.mechanism, random);
  }
}

TEST(Kernels, HaveTheNameOfAProcessor) {
  EXPECT_EQ(std::string(baseline().processor), "baseline");
  EXPECT_THAT((std::array<std::string, 3>{"baseline", "haswell", "avx512"}), ::testing::Contains(kernels().processor));
  EXPECT_EQ(&kernels(), available_kernels().back());
  std::vector<std::string> names;
  for (const Kernels* k : available_kernels()) names.emplace_back(k->processor);
  const std::vector<std::string> all = {"baseline", "haswell", "avx512"};  // each needs what the one before it needs
  EXPECT_EQ(names, std::vector<std::string>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(names.size())));
}

TEST(Kernels, TakeAsManySystemsAtOnceAsARegisterHolds) {
  const auto lanes = [](const Kernels& k) {
    return std::visit([](const auto& packed) { return packed.lanes; }, k.packed);
  };
  for (const Kernels* k : available_kernels()) {
    const std::string processor = k->processor;
    EXPECT_EQ(lanes(*k), processor == "avx512" ? 8U : processor == "haswell" ? 4U : 2U);
  }
}

TEST(Kernels, OfThisProcessorAgreeWithTheBaseline) {
  for_systems(300, [](const Mechanism& mechanism, Random& random) {
    const Given<double> x = random_given(*mechanism.system, random);
    const double limit = std::max(1e-12, 1e-15 * pivot_ratio(mechanism, x));
    const std::size_t nu = mechanism.nu;
    for (const Kernels* k : available_kernels()) {
      expect_close(outcome(k->one, mechanism, x), outcome(baseline().one, mechanism, x), nu, limit);
      expect_close(composite_outcome(*k, mechanism, x), composite_outcome(baseline(), mechanism, x), nu, 10 * limit);
    }
  });
}

TEST(Kernels, GiveTheSameBitsEveryTime) {
  for_systems(100, [](const Mechanism& mechanism, Random& random) {
    const Given<double> x = random_given(*mechanism.system, random);
    const auto all = [&] {
      std::vector<double> list = outcome(mechanism, x);
      const std::vector<double> composite = composite_outcome(kernels(), mechanism, x);
      list.insert(list.end(), composite.begin(), composite.end());
      return list;
    };
    const std::vector<double> first = all(), second = all();
    ASSERT_EQ(first.size(), second.size());
    for (std::size_t k = 0; k < first.size(); ++k) ASSERT_TRUE(same_bits(first[k], second[k]));
  });
}

/// A workspace used for other states in between leaves nothing behind.
TEST(Kernels, GiveTheSameBitsFromAUsedWorkspace) {
  for_systems(100, [](const Mechanism& mechanism, Random& random) {
    const Given<double> x = random_given(*mechanism.system, random), other = random_given(*mechanism.system, random);
    Kinematics<double> kinematics(mechanism);
    ArticulatedBodyData<double> articulated(mechanism);
    CompositeBodyData composite(mechanism);
    InverseDynamics<double> inverse(mechanism);
    const auto all = [&](const Given<double>& at) {
      std::vector<double> list(3 * mechanism.nu);
      update(mechanism, at.q.data(), at.u.data(), kinematics);
      accelerations(mechanism, kinematics, at.u.data(), at.forces, articulated, list.data());
      accelerations(mechanism, kinematics, at.u.data(), at.forces, composite, list.data() + mechanism.nu);
      inverse_dynamics(mechanism, at.q.data(), at.u.data(), at.udot.data(), at.forces, inverse,
                       list.data() + 2 * mechanism.nu);
      return list;
    };
    const std::vector<double> first = all(x);
    all(other);
    const std::vector<double> again = all(x);
    for (std::size_t k = 0; k < first.size(); ++k) ASSERT_TRUE(same_bits(first[k], again[k])) << "number " << k;
  });
}

TEST(Kernels, GiveTheSameBitsToThreadsThatShareAMechanism) {
  constexpr std::size_t threads = 4;
  for_systems(20, [](const Mechanism& mechanism, Random& random) {
    const Given<double> x = random_given(*mechanism.system, random);
    const std::vector<double> alone = outcome(mechanism, x);
    std::array<std::vector<double>, threads> results;
    std::vector<std::thread> running;
    for (std::size_t t = 0; t < threads; ++t) {
      running.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) results[t] = outcome(mechanism, x);
      });
    }
    for (std::thread& thread : running) thread.join();
    for (const std::vector<double>& result : results) {
      ASSERT_EQ(result.size(), alone.size());
      for (std::size_t k = 0; k < alone.size(); ++k) ASSERT_TRUE(same_bits(result[k], alone[k]));
    }
  });
}

}  // namespace kernels_test
}  // namespace gyrostat::testing
