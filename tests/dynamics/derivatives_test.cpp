// Exact derivatives of the accelerations by everything they depend on, against differences.
#include "gyrostat/dynamics/articulated_body_sweeps.h"

#include "support/eight.h"

namespace gyrostat::testing {
namespace {

constexpr std::size_t width = 4;  // variables at once
using D = Dual<width>;

/// Numbers that accelerations depend on, in one list: coordinates, speeds, forces, given accelerations, wrenches.
template <class T>
std::vector<T*> variables(Given<T>& x) {
  std::vector<T*> list;
  for (auto* part : {&x.q, &x.u, &x.forces.tau, &x.forces.udot}) {
    for (T& number : *part) list.push_back(&number);
  }
  for (Wrench<T>& wrench : x.forces.wrench) {
    for (Vec3<T>* v : {&wrench.torque, &wrench.force}) list.insert(list.end(), {&v->x, &v->y, &v->z});
  }
  return list;
}

template <class T>
std::vector<T> accelerations_of(const Mechanism& mechanism, const Given<T>& x) {
  Kinematics<T> kinematics(mechanism);
  ArticulatedBodyData<T> workspace(mechanism);
  std::vector<T> udot(mechanism.nu);
  outward<T, false>(mechanism, x.q.data(), x.u.data(), nullptr, kinematics);
  articulated_body_accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data());
  return udot;
}

/// Row k: derivatives of all accelerations by variable k.
std::vector<std::vector<double>> exact_derivatives(const Mechanism& mechanism, const Given<double>& at) {
  Given<D> x(*mechanism.system);
  for_pairs(x, at, [](D& dual, double number) { dual = number; });
  const std::vector<D*> list = variables(x);
  std::vector<std::vector<double>> rows(list.size(), std::vector<double>(mechanism.nu));
  for (std::size_t first = 0; first < list.size(); first += width) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      list[k]->d = {};
      if (k >= first && k < first + width) list[k]->d[k - first] = 1;
    }
    const std::vector<D> udot = accelerations_of(mechanism, x);
    for (std::size_t k = first; k < std::min(first + width, list.size()); ++k) {
      for (std::size_t l = 0; l < udot.size(); ++l) rows[k][l] = udot[l].d[k - first];
    }
  }
  return rows;
}

double largest(const std::vector<double>& list) {
  double most = 0;
  for (const double x : list) most = std::max(most, std::abs(x));
  return most;
}

RandomModelOptions every_kind() {
  RandomModelOptions options;
  options.most_bodies = 6;
  options.wheels = 0.5;
  return options;
}

/// Differences of the fourth order; quaternions are moved freely, away from unit length too.
TEST(AccelerationDerivatives, ByEveryVariableAreTheLimitsOfDifferences) {
  std::vector<bool> types(static_cast<std::size_t>(JointType::free) + 1);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RandomCase c = RandomCase::make(seed, every_kind());
    Random random(seed);
    Given<double> x = random_given(c.system(), random);
    const double ratio = pivot_ratio(*c.mechanism, x);
    if (c.mechanism->nu == 0 || ratio > 1e5) continue;
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      types[static_cast<std::size_t>(c.system().joints[i].type)] = true;
    }
    const std::vector<std::vector<double>> exact = exact_derivatives(*c.mechanism, x);
    const std::vector<double*> list = variables(x);
    ASSERT_EQ(exact.size(), list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const double now = *list[k], h = 1e-3;
      std::vector<std::vector<double>> udot;
      for (const double step : {-2 * h, -h, h, 2 * h}) {
        *list[k] = now + step;
        udot.push_back(accelerations_of(*c.mechanism, x));
      }
      *list[k] = now;
      const double scale = 1 + largest(exact[k]) + largest(udot[0]);
      for (std::size_t l = 0; l < c.mechanism->nu; ++l) {
        const double difference = (8 * (udot[2][l] - udot[1][l]) - (udot[3][l] - udot[0][l])) / (12 * h);
        ASSERT_NEAR(exact[k][l], difference, 1e-6 * scale)
            << "seed " << seed << ": speed " << l << " by variable " << k << " of " << x.q.size() << " coordinates, "
            << x.u.size() << " speeds; pivots " << ratio;
      }
    }
  }
  for (std::size_t k = 0; k < types.size(); ++k) EXPECT_TRUE(types[k]) << type_name(static_cast<JointType>(k));
}

TEST(AccelerationDerivatives, HaveTheValuesOfTheAccelerations) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomCase c = RandomCase::make(seed, every_kind());
    Random random(seed);
    const Given<double> x = random_given(c.system(), random);
    Given<D> dual(c.system());
    for_pairs(dual, x, [&](D& number, double value) { number = D::variable(value, random.index(width)); });
    const std::vector<double> udot = accelerations_of(*c.mechanism, x), fast = outcome(*c.mechanism, x);
    const std::vector<D> with = accelerations_of(*c.mechanism, dual);
    const double limit = std::max(1e-12, 1e-15 * pivot_ratio(*c.mechanism, x)) * (1 + largest(udot));
    for (std::size_t l = 0; l < udot.size(); ++l) {
      ASSERT_NEAR(with[l].value, udot[l], limit) << "seed " << seed;
      ASSERT_NEAR(fast[l], udot[l], limit) << "seed " << seed;
    }
  }
}

/// Forces enter linearly: udot = M^-1 tau + ..., so the derivatives by tau are symmetric.
TEST(AccelerationDerivatives, ByForcesAreSymmetricWhereNothingIsGiven) {
  RandomModelOptions options = every_kind();
  options.locked = options.prescribed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomCase c = RandomCase::make(seed, options);
    Random random(seed);
    const Given<double> x = random_given(c.system(), random);
    const std::vector<std::vector<double>> exact = exact_derivatives(*c.mechanism, x);
    const std::size_t nq = x.q.size(), nu = x.u.size();
    const double limit = std::max(1e-12, 1e-15 * pivot_ratio(*c.mechanism, x));
    for (const WheelLink& wheel : c.mechanism->wheels) {
      if (x.forces.free[wheel.u]) continue;  // what its force is makes no difference
      for (std::size_t l = 0; l < nu; ++l) ASSERT_EQ(exact[nq + nu + wheel.u][l], 0) << "seed " << seed;
    }
    for (std::size_t k = 0; k < nu; ++k) {
      const double scale = 1 + largest(exact[nq + nu + k]);
      for (std::size_t l = 0; l < k; ++l) {
        ASSERT_NEAR(exact[nq + nu + k][l], exact[nq + nu + l][k], limit * scale) << "seed " << seed;
      }
    }
  }
}

TEST(AccelerationDerivatives, ByTheAnglesOfWheelsAreNone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomCase c = RandomCase::make(seed, every_kind());
    Random random(seed);
    const std::vector<std::vector<double>> exact = exact_derivatives(*c.mechanism, random_given(c.system(), random));
    for (const Wheel& wheel : c.system().wheels) ASSERT_EQ(largest(exact[wheel.q]), 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gyrostat::testing
