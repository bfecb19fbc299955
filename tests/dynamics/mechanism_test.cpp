// Constants of other types: gathered systems, and derivatives by what a system is made of.
#include "gyrostat/dynamics/mechanism.h"

#include <stdexcept>

#include <gmock/gmock.h>

#include "gyrostat/dynamics/articulated_body_sweeps.h"

#include "support/eight.h"

namespace gyrostat::testing {
namespace mechanism_test {

using ::testing::HasSubstr;

std::string said_of(const System& a, const System& b, const DynamicsSettings& settings_b) {
  const Mechanism x(a), y(b, settings_b);
  try {
    gathered<4>(std::vector<const Mechanism*>{&x, &y});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

System sample(std::uint64_t seed = 5) { return RandomCase::make(seed, {.least_bodies = 6, .most_bodies = 6}).system(); }

TEST(Gathered, NamesWhatDiffersInStructure) {
  const System system = sample();
  EXPECT_EQ(said_of(system, system, DynamicsSettings(system)), "");
  System other = system;
  other.joints[3].reversed = !other.joints[3].reversed;
  EXPECT_THAT(said_of(system, other, DynamicsSettings(other)),
              HasSubstr("joint '" + system.joints[3].name + "' is of another type or direction"));
  DynamicsSettings settings(system);
  settings.gyroscopic[2] = false;
  EXPECT_THAT(said_of(system, system, settings),
              HasSubstr("the gyroscopic torque of body '" + system.bodies[2].name + "'"));
  other = system;
  other.wheels.push_back({"extra", 1, Vector3::UnitZ(), 1, false, 0, 0});
  EXPECT_THAT(said_of(system, other, DynamicsSettings(other)), HasSubstr("systems 1 and 2"));
  EXPECT_THAT(
      said_of(system, RandomCase::make(6, {.least_bodies = 8, .most_bodies = 8}).system(), DynamicsSettings(system)),
      HasSubstr("bodies"));
  EXPECT_THROW(gathered<2>({}), std::invalid_argument);
}

TEST(Gathered, DoesNotAskWhichJointsAreFree) {
  const System system = sample();
  System other = system;
  for (Joint& joint : other.joints) joint.motion = Motion::locked;
  EXPECT_EQ(said_of(system, other, DynamicsSettings(other)), "");
}

TEST(Gathered, FillsTheLanesThatAreLeftWithTheLast) {
  const System system = sample();
  System heavier = system;
  heavier.bodies[1].mass_properties.mass += 3;
  const Mechanism a(system), b(heavier);
  const MechanismOf<Pack<4>> all = gathered<4>(std::vector<const Mechanism*>{&a, &b});
  EXPECT_EQ(all.links[1].mass[0], a.links[1].mass);
  for (std::size_t lane = 1; lane < 4; ++lane) EXPECT_EQ(all.links[1].mass[lane], b.links[1].mass);
  std::size_t numbers = 0;
  for_numbers(
      [&](const Pack<4>& x, double first, double last) {
        ++numbers;
        EXPECT_EQ(x[0], first);
        for (std::size_t lane = 1; lane < 4; ++lane) EXPECT_EQ(x[lane], last);
      },
      all, a, b);
  EXPECT_GT(numbers, 6 * 80U);
}

template <class T, class C>
std::vector<T> accelerations_of(const MechanismOf<C>& mechanism, const Given<double>& at) {
  Given<T> x(*mechanism.system);
  for_pairs(x, at, [](T& number, double value) { number = T(value); });
  x.forces.free.assign(at.forces.free.begin(), at.forces.free.end());
  Kinematics<T> kinematics(mechanism);
  ArticulatedBodyData<T> workspace(mechanism);
  std::vector<T> udot(mechanism.nu);
  outward<T, false>(mechanism, x.q.data(), x.u.data(), nullptr, kinematics);
  articulated_body_accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data());
  return udot;
}

/// Accelerations by masses, mass centres, inertias, joint points and wheels, against differences of the fourth order.
/// (An axis is moved off unit length by a difference, so that derivatives by axes are compared along turns below.)
TEST(ParameterDerivatives, OfAccelerationsAreTheLimitsOfDifferences) {
  using D = Dual<8>;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RandomCase c = RandomCase::make(seed, {.most_bodies = 5, .wheels = 0.5});
    Random random(seed);
    const Given<double> x = random_given(c.system(), random);
    if (c.mechanism->nu == 0 || pivot_ratio(*c.mechanism, x) > 1e4) continue;
    DynamicsSettings settings(c.system());
    settings.gyroscopic.back() = seed % 2 == 0;
    SystemNumbers<double> numbers = numbers_of(c.system());
    SystemNumbers<D> dual;
    dual.bodies.resize(numbers.bodies.size());
    dual.joints.resize(numbers.joints.size());
    dual.wheels.resize(numbers.wheels.size());
    for_system_numbers([](D& number, double value) { number = value; }, dual, numbers);
    const std::uint32_t body = 1 + static_cast<std::uint32_t>(random.index(numbers.bodies.size() - 1));
    MassNumbers<double>& m = numbers.bodies[body];
    JointNumbers<double>& j = numbers.joints[body];
    const std::array<double*, 8> moved = {&m.mass,       &m.com.y,          &m.inertia.xy,    &m.inertia.zz,
                                          &m.inertia.xz, &j.parent_point.x, &j.child_point.z, &j.child_point.y};
    MassNumbers<D>& dm = dual.bodies[body];
    JointNumbers<D>& dj = dual.joints[body];
    const std::array<D*, 8> along = {&dm.mass,       &dm.com.y,          &dm.inertia.xy,    &dm.inertia.zz,
                                     &dm.inertia.xz, &dj.parent_point.x, &dj.child_point.z, &dj.child_point.y};
    for (std::size_t k = 0; k < 8; ++k) along[k]->d[k] = 1;
    const std::vector<D> exact = accelerations_of<D>(MechanismOf<D>(c.system(), dual, settings), x);
    for (std::size_t k = 0; k < 8; ++k) {
      const double now = *moved[k], h = 1e-4;
      std::vector<std::vector<double>> udot;
      for (const double step : {-2 * h, -h, h, 2 * h}) {
        *moved[k] = now + step;
        udot.push_back(accelerations_of<double>(Mechanism(c.system(), numbers, settings), x));
      }
      *moved[k] = now;
      double scale = 1;
      for (const D& a : exact) scale = std::max({scale, std::abs(a.value), std::abs(a.d[k])});
      for (std::size_t l = 0; l < exact.size(); ++l) {
        const double difference = (8 * (udot[2][l] - udot[1][l]) - (udot[3][l] - udot[0][l])) / (12 * h);
        ASSERT_NEAR(exact[l].d[k], difference, 1e-6 * scale) << "seed " << seed << " parameter " << k << " speed " << l;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

/// A symmetric body has no preferred turn about its axis; its derivatives exist all the same.
TEST(ParameterDerivatives, ExistWhereAnInertiaIsSymmetric) {
  using D = Dual<8>;
  RandomCase c = RandomCase::make(3, {.least_bodies = 3, .most_bodies = 3, .massless = 0});
  Random random(3);
  const Given<double> x = random_given(c.system(), random);
  SystemNumbers<double> numbers = numbers_of(c.system());
  numbers.bodies[2].inertia = {2, 2, 2, 0, 0, 0};
  numbers.bodies[2].com = numbers.joints[2].child_point = numbers.joints[2].parent_point = {};
  SystemNumbers<D> dual;
  dual.bodies.resize(numbers.bodies.size());
  dual.joints.resize(numbers.joints.size());
  dual.wheels.resize(numbers.wheels.size());
  for_system_numbers([](D& number, double value) { number = value; }, dual, numbers);
  dual.bodies[2].inertia.xy.d[0] = 1;
  const DynamicsSettings settings(c.system());
  const std::vector<D> exact = accelerations_of<D>(MechanismOf<D>(c.system(), dual, settings), x);
  const auto at = [&](double xy) {
    numbers.bodies[2].inertia.xy = xy;
    return accelerations_of<double>(Mechanism(c.system(), numbers, settings), x);
  };
  const double h = 1e-5;
  const std::vector<double> up = at(h), down = at(-h);
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_NEAR(exact[k].d[0], (up[k] - down[k]) / (2 * h), 1e-6 * (1 + std::abs(exact[k].d[0])));
  }
}

/// Where an axis turns: about z, which frames treat apart, and about another.
TEST(ParameterDerivatives, ByTheDirectionOfAnAxisAreTheLimitsOfDifferences) {
  using D = Dual<8>;
  for (const Vector3& axis : {Vector3(0, 0, 1), Vector3(0.6, 0, 0.8), Vector3(1, 0, 0)}) {
    RandomCase c = RandomCase::make(11, {.least_bodies = 4, .most_bodies = 4, .massless = 0});
    Random random(3);
    const Given<double> x = random_given(c.system(), random);
    std::uint32_t i = 1;
    while (i < c.system().joints.size() && c.system().joints[i].rotations == 0) ++i;
    ASSERT_LT(i, c.system().joints.size());
    SystemNumbers<double> numbers = numbers_of(c.system());
    const Vector3 turn = axis.unitOrthogonal();
    const auto at = [&](double angle) {
      numbers.joints[i].a[0] = cast<double>(Vector3(rotation_about(turn, angle) * axis));
      return accelerations_of<double>(Mechanism(c.system(), numbers, DynamicsSettings(c.system())), x);
    };
    at(0);
    SystemNumbers<D> dual;
    dual.bodies.resize(numbers.bodies.size());
    dual.joints.resize(numbers.joints.size());
    dual.wheels.resize(numbers.wheels.size());
    for_system_numbers([](D& number, double value) { number = value; }, dual, numbers);
    const Vector3 rate = turn.cross(axis);
    dual.joints[i].a[0].x.d[0] = rate.x();
    dual.joints[i].a[0].y.d[0] = rate.y();
    dual.joints[i].a[0].z.d[0] = rate.z();
    const std::vector<D> exact = accelerations_of<D>(MechanismOf<D>(c.system(), dual, DynamicsSettings(c.system())), x);
    const double h = 1e-5;
    const std::vector<double> up = at(h), down = at(-h);
    for (std::size_t k = 0; k < exact.size(); ++k) {
      EXPECT_NEAR(exact[k].d[0], (up[k] - down[k]) / (2 * h), 1e-6 * (1 + std::abs(exact[k].d[0])) + 1e-6) << k;
    }
  }
}

}  // namespace mechanism_test
}  // namespace gyrostat::testing
