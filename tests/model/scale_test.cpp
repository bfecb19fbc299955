// Very large models: 100,000 bodies in about a second, and memory in proportion.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <malloc.h>
#include <time.h>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/sanitized.h"

namespace {
std::atomic<bool> counting = false;
std::atomic<std::size_t> bytes_allocated = 0;
}  // namespace

#ifndef GYROSTAT_SANITIZED
// The ordinary operators, but they add up what is asked for while `counting`. (Inlined, GCC would call them
// mismatched.)
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (counting.load(std::memory_order_relaxed)) bytes_allocated += size;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  if (counting.load(std::memory_order_relaxed)) bytes_allocated += size;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(a, (size + a - 1) / a * a)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

namespace gyrostat {
namespace {

using testing::revolute;
using testing::solid;

/// Processor time of this thread [s]: what a build takes on a machine that is otherwise idle.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// `parent_of(i)` is the body that carries body i > 0; body 0 hangs on the world.
template <class ParentOf>
Description large(std::size_t count, ParentOf parent_of) {
  Description d;
  d.bodies.reserve(count);
  d.joints.reserve(count);
  const auto name = [](std::size_t i) { return "link_" + std::to_string(i); };
  for (std::size_t i = 0; i < count; ++i) {
    d.bodies.push_back(solid(name(i)));
    d.joints.push_back(revolute("hinge_" + std::to_string(i), i == 0 ? "world" : name(parent_of(i)), name(i),
                                Vector3::Unit(static_cast<int>(i % 3)), 0.01));
    d.joints.back().parent_point = {1, 0, 0};
  }
  return d;
}

Description chain(std::size_t count) {
  return large(count, [](std::size_t i) { return i - 1; });
}

constexpr std::size_t many = 100'000;

/// [s] A build takes 0.5 to 1.1 s of processor time where the machine is quiet; what grows with the square of the size
/// takes minutes. Between the two, for slow and shared machines.
[[maybe_unused]] constexpr double limit = 5;

/// Builds it and checks what can be checked of any large model.
void expect_quick(const char* what, Description d) {
  const std::size_t count = d.bodies.size();
  const double begin = now();
  const Loaded loaded = load_description(std::move(d));
  const double taken = now() - begin;
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded).substr(0, 1000);
  const System& system = loaded.model->system;
  EXPECT_EQ(system.body_count(), count);
  for (std::size_t i = 1; i <= count; ++i) ASSERT_LT(system.parent[i], i);
  ::testing::Test::RecordProperty(what, std::to_string(taken));
  std::printf("             %s: %.3f s\n", what, taken);
#if defined(NDEBUG) && !defined(GYROSTAT_SANITIZED)
  EXPECT_LT(taken, limit);
#endif
}

TEST(LargeModel, ChainBuildsInSeconds) { expect_quick("chain", chain(many)); }

TEST(LargeModel, ChainInRandomOrderBuildsInSeconds) {
  Description d = chain(many);
  testing::Random random(1);
  random.shuffle(d.joints);
  random.shuffle(d.bodies);
  expect_quick("shuffled_chain", std::move(d));
}

TEST(LargeModel, BinaryTreeBuildsInSeconds) {
  expect_quick("binary_tree", large(many, [](std::size_t i) { return (i - 1) / 2; }));
}

TEST(LargeModel, StarBuildsInSeconds) {
  expect_quick("star", large(many, [](std::size_t) { return std::size_t{0}; }));
}

TEST(LargeModel, ChainToldFromTheFarEndBuildsInSeconds) {
  Description d = chain(many);
  for (JointDescription& j : d.joints) std::swap(j.parent, j.child);
  std::reverse(d.joints.begin(), d.joints.end());
  expect_quick("reversed_chain", std::move(d));
}

TEST(LargeModel, ChainWithMasslessKnucklesBuildsInSeconds) {
  Description d = chain(many);
  for (std::size_t i = 1; i + 1 < many; i += 2) d.bodies[i] = testing::massless(d.bodies[i].name);
  expect_quick("chain_with_massless_bodies", std::move(d));
}

TEST(LargeModel, ThatIsWrongEverywhereIsRefusedInSeconds) {
  Description d = chain(many);
  for (BodyDescription& b : d.bodies) b = testing::massless(b.name);
  const double begin = now();
  const Loaded loaded = load_description(std::move(d));
  const double taken = now() - begin;
  EXPECT_FALSE(loaded.model);
  std::printf("             refused: %.3f s\n", taken);
#if defined(NDEBUG) && !defined(GYROSTAT_SANITIZED)
  EXPECT_LT(taken, limit);
#endif
}

#ifndef GYROSTAT_SANITIZED
struct Memory {
  double allocated = 0;  // in all, while it was built [bytes]
  double kept = 0;       // by the model [bytes]
};

Memory memory_of(Description d) {
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double before = in_use();
  bytes_allocated = 0;
  counting = true;
  const Loaded loaded = load_description(std::move(d));
  counting = false;
  EXPECT_TRUE(loaded.model);
  return {static_cast<double>(bytes_allocated.load()), in_use() - before};
}

TEST(LargeModel, TakesMemoryInProportionToItsSize) {
  for (const bool massless : {false, true}) {
    const auto make = [&](std::size_t count) {
      Description d = chain(count);
      for (std::size_t i = 1; massless && i + 1 < count; i += 2) d.bodies[i] = testing::massless(d.bodies[i].name);
      return d;
    };
    const Memory quarter = memory_of(make(many / 4)), whole = memory_of(make(many));
    EXPECT_GT(quarter.allocated, 0);
    EXPECT_LT(whole.allocated / quarter.allocated, 4.4);
    EXPECT_LT(whole.kept / quarter.kept, 4.4);
    EXPECT_LT(whole.allocated / many, 20'000) << "bytes for each body";
  }
}
#endif

TEST(LargeModel, PosesOfALongChainAreThoseOfItsLinks) {
  // All axes along z, each link turned by a little: the chain lies on a circle.
  constexpr std::size_t count = 10'000;
  Description d = chain(count);
  const double turn = 2 * 3.14159265358979323846 / count;
  for (JointDescription& j : d.joints) j.rotations = {Vector3::UnitZ()}, j.position = {turn};
  const Loaded loaded = load_description(std::move(d));
  ASSERT_TRUE(loaded.model);
  const std::vector<Pose> X_N = body_poses(loaded.model->system, loaded.model->system.initial.q);
  EXPECT_LT((X_N[count].R - Matrix3::Identity()).norm(), 1e-10);
  EXPECT_LT((X_N[count].p - Vector3::Zero()).norm(), 1.0 + 1e-6) << "the circle closes to within a link";
}

}  // namespace
}  // namespace gyrostat
