// An evaluation of the equations of motion takes nothing from the heap: workspaces are made once.
//
// The whole program counts what it takes by standing before glibc's malloc, where Eigen and operator new come too. A
// sanitizer stands there itself, so builds with one leave this program out.
#include <atomic>
#include <cstddef>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/kane.h"
#include "gyrostat/dynamics/reactions.h"
#include "gyrostat/simulate/outputs.h"

#include "support/eight.h"
#include "support/load.h"
#include "support/random_flight.h"

namespace {
std::atomic<long> taken = 0;
}

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void* __libc_memalign(std::size_t, std::size_t) noexcept;

void* malloc(std::size_t size) noexcept {
  ++taken;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++taken;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  ++taken;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++taken;
  return __libc_memalign(alignment, size);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace gyrostat::testing {
namespace {

/// What a second evaluation takes.
template <class Evaluate>
long taken_by(Evaluate evaluate) {
  evaluate();
  const long before = taken;
  evaluate();
  return taken - before;
}

template <class Check>
void for_systems(Check check) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    RandomModelOptions options;
    options.wheels = 0.5;
    options.least_bodies = options.most_bodies = seed % 10 == 0 ? 80 : 12;
    const RandomCase c = RandomCase::make(seed, options);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    check(*c.mechanism, random_given(c.system(), random));
  }
}

TEST(Allocations, AreCounted) {
  const long before = taken;
  const std::vector<double> list(1000);
  EXPECT_GT(taken, before);
  const long then = taken;
  const std::vector<Pack<8>> packs(3);
  EXPECT_GT(taken, then);
  const long last = taken;
  const Eigen::VectorXd vector = Eigen::VectorXd::Zero(1000);
  EXPECT_GT(taken, last);
}

TEST(Allocations, AreNoneInTheArticulatedBodyRecursion) {
  for_systems([](const Mechanism& mechanism, const Given<double>& x) {
    Kinematics<double> kinematics(mechanism);
    ArticulatedBodyData<double> workspace(mechanism);
    std::vector<double> udot(mechanism.nu);
    EXPECT_EQ(taken_by([&] { update(mechanism, x.q.data(), x.u.data(), kinematics); }), 0);
    EXPECT_EQ(taken_by([&] { accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data()); }), 0);
  });
}

template <std::size_t N>
void expect_none(const PackKernels<N>& packed, const Mechanism& mechanism, const Given<double>& one) {
  const KernelsOf<Pack<N>>& k = packed.of_one;
  Given<Pack<N>> x(*mechanism.system);
  for (std::size_t lane = 0; lane < N; ++lane) put_in_lane(x, lane, one);
  Kinematics<Pack<N>> kinematics(mechanism);
  ArticulatedBodyData<Pack<N>> workspace(mechanism);
  InverseDynamics<Pack<N>> inverse(mechanism);
  std::vector<Pack<N>> out(mechanism.nu);
  EXPECT_EQ(taken_by([&] {
              k.update(mechanism, x.q.data(), x.u.data(), kinematics);
              k.accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, out.data());
              k.inverse_dynamics(mechanism, x.q.data(), x.u.data(), x.udot.data(), x.forces, inverse, out.data());
            }),
            0);
}

TEST(Allocations, AreNoneForSeveralAtOnce) {
  for_systems([](const Mechanism& mechanism, const Given<double>& one) {
    std::visit([&](const auto& packed) { expect_none(packed, mechanism, one); }, kernels().packed);
  });
}

TEST(Allocations, AreNoneInTheCompositeBodyMethod) {
  for_systems([](const Mechanism& mechanism, const Given<double>& x) {
    Kinematics<double> kinematics(mechanism);
    CompositeBodyData workspace(mechanism);
    std::vector<double> udot(mechanism.nu);
    update(mechanism, x.q.data(), x.u.data(), kinematics);
    EXPECT_EQ(taken_by([&] { mass_matrix(mechanism, kinematics, workspace); }), 0);
    EXPECT_EQ(taken_by([&] { accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data()); }), 0);
  });
}

TEST(Allocations, AreNoneInKanesEquations) {
  for_systems([](const Mechanism& mechanism, const Given<double>& x) {
    Kinematics<double> kinematics(mechanism);
    KaneData workspace(mechanism);
    std::vector<double> udot(mechanism.nu);
    update(mechanism, x.q.data(), x.u.data(), kinematics);
    EXPECT_EQ(taken_by([&] { accelerations(mechanism, kinematics, x.u.data(), x.forces, workspace, udot.data()); }), 0);
  });
}

TEST(Allocations, AreNoneInInverseDynamicsAndReactions) {
  for_systems([](const Mechanism& mechanism, const Given<double>& x) {
    InverseDynamics<double> inverse(mechanism);
    Reactions reactions(mechanism);
    std::vector<double> tau(mechanism.nu);
    EXPECT_EQ(taken_by([&] {
                inverse_dynamics(mechanism, x.q.data(), x.u.data(), x.udot.data(), x.forces, inverse, tau.data());
              }),
              0);
    EXPECT_EQ(taken_by([&] { find_reactions(mechanism, x.q.data(), x.u.data(), x.udot.data(), x.forces, reactions); }),
              0);
  });
}

TEST(Allocations, AreNoneInAnyFormulation) {
  int asked = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    RandomModelOptions options;
    options.most_bodies = seed % 3 == 0 ? 3 : 12;
    options.wheels = seed % 2 == 0 ? 0 : 0.3;
    const RandomCase c = RandomCase::make(seed, options);
    const DynamicsSettings settings(c.system());
    for (const std::string_view name : formulation_names) {
      if (!outside_domain(name, c.system(), settings).empty()) continue;
      Dynamics dynamics(c.system(), settings, name);
      Eigen::VectorXd udot(c.state.u.size());
      EXPECT_EQ(taken_by([&] {
                  dynamics.update(c.state);
                  dynamics.accelerations(c.state, c.forces, udot);
                }),
                0)
          << name << " seed " << seed;
      ++asked;
    }
  }
  const System five = load_file(GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml").model->system;
  const DynamicsSettings settings(five);
  for (const std::string_view name : formulation_names) {
    ASSERT_EQ(outside_domain(name, five, settings), "") << name;
    Dynamics dynamics(five, settings, name);
    const Forces<double> forces(five);
    Eigen::VectorXd udot(five.initial.u.size());
    dynamics.update(five.initial);
    EXPECT_EQ(taken_by([&] { dynamics.accelerations(five.initial, forces, udot); }), 0) << name;
  }
  EXPECT_GT(asked, 1600);
}

TEST(Allocations, AreNoneInDerivatives) {
  for_systems([](const Mechanism& mechanism, const Given<double>& x) {
    Derivatives derivatives(mechanism);
    EXPECT_EQ(taken_by([&] { differentiate(mechanism, x.q.data(), x.u.data(), x.forces, derivatives); }), 0);
  });
}

TEST(Allocations, AreNoneInARightHandSideWithLoadsAndControl) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Loaded loaded = random_flight(seed);
    ASSERT_TRUE(loaded.model);
    const Plant plant(*loaded.model, "articulated_body");
    PlantRun run(plant);
    Eigen::VectorXd y, ydot;
    run.start(y);
    ydot.resize(y.size());
    EXPECT_EQ(taken_by([&] { run.derivative(0.1, y.data(), ydot.data()); }), 0);
  }
}

/// Friction by reaction that slides and that sticks, a latch that is closed, a stop that is rested on, a wheel beyond
/// its limit and one below.
TEST(Allocations, AreNoneInARightHandSideWithMechanisms) {
  const Loaded loaded = load(R"yaml(gyrostat: 1
bodies:
  cart: {mass: 2, inertia: [1, 1, 1], wheels: {rw: {axis: [1, 0, 0], inertia: 0.01, rate: 5, torque: 0.1, torque_limit: 0.05, speed_limit: 10, friction: {coulomb: 0.01}}}}
  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}
  box: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  tip: {mass: 0.5, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}
  ball: {mass: 0.5, point_mass: true}
joints:
  rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {speed: 2}, friction: {reaction: {coefficient: 0.3}}}
  hinge: {type: revolute, parent: cart, child: arm, axis: [0, 1, 0], initial: {rate: 1}, friction: {coulomb: 0.1, static: 0.2, stribeck: 0.1, reaction: {coefficient: 0.2, radius: 0.05}}}
  slide: {type: prismatic, parent: arm, child: box, axis: [1, 0, 0], friction: {coulomb: 100, reaction: {coefficient: 0.5}}}
  elbow: {type: revolute, parent: arm, child: tip, parent_point: [0.5, 0, 0], axis: [0, 1, 0], latch: {when: 1}}
  height: {type: prismatic, parent: world, child: ball, axis: [0, 0, 1], stops: {low: 0, restitution: 0.5}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 1}
)yaml");
  ASSERT_TRUE(loaded.model);
  for (const char* formulation : {"articulated_body", "composite_body", "kane", "nested_body", "absolute"}) {
    SCOPED_TRACE(formulation);
    const Plant plant(*loaded.model, formulation);
    PlantRun run(plant);
    Eigen::VectorXd y, ydot;
    run.start(y);
    run.evaluate(0, y.data(), Stage::acceleration);
    ASSERT_FALSE(run.find_failure());
    ASSERT_EQ(run.states_at_start().size(), 3U);  // slide, elbow and height
    ydot.resize(y.size());
    EXPECT_EQ(taken_by([&] { run.derivative(0.1, y.data(), ydot.data()); }), 0);
  }
}

TEST(Allocations, AreNoneInARecord) {
  std::size_t loads = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Loaded loaded = random_flight(seed);
    ASSERT_TRUE(loaded.model);
    if (seed % 2 == 0) loaded.model->description.output.record.emplace();
    const Plant plant(*loaded.model, "articulated_body");
    PlantRun run(plant);
    const Ledger ledger(run);
    Outputs outputs(run);
    std::vector<double> row(outputs.columns().size());
    Eigen::VectorXd y;
    run.start(y);
    run.evaluate(0, y.data(), Stage::acceleration);
    EXPECT_EQ(taken_by([&] {
                outputs.note_loads();
                outputs.fill(ledger, row);
              }),
              0);
    loads += outputs.peaks().size();
  }
  EXPECT_GT(loads, 20u);
}

}  // namespace
}  // namespace gyrostat::testing
