// A System is never changed after it is built: threads share it freely. `./dev test threads` looks for races by
// helgrind,
// `./dev test tsan` by the thread sanitizer.
#include <thread>

#include "gyrostat/model/determinacy.h"
#include "gyrostat/simulate/simulation.h"

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"

namespace gyrostat {
namespace {

constexpr int thread_count = 8;

struct Results {
  std::vector<Pose> poses;
  MassProperties total;
  std::size_t massless = 0;
  std::vector<std::string> names;
  std::size_t degrees_of_freedom = 0;
};

Results results_of(const System& system) {
  Results r;
  r.poses = body_poses(system, system.initial.q);
  r.total = total_mass_properties(system, system.initial.q);
  r.massless = find_massless_motions(system).count;
  for (const auto& list : {coordinate_entries(system), speed_entries(system)}) {
    for (const StateEntry& e : list) r.names.push_back(e.name + " " + std::string(e.unit));
  }
  r.degrees_of_freedom = count_degrees_of_freedom(system).free;
  return r;
}

void expect_equal(const Results& a, const Results& b) {
  ASSERT_EQ(a.poses.size(), b.poses.size());
  for (std::size_t i = 0; i < a.poses.size(); ++i) {
    EXPECT_EQ(a.poses[i].R, b.poses[i].R);
    EXPECT_EQ(a.poses[i].p, b.poses[i].p);
  }
  EXPECT_EQ(a.total.mass, b.total.mass);
  EXPECT_EQ(a.total.com, b.total.com);
  EXPECT_EQ(a.total.inertia, b.total.inertia);
  EXPECT_EQ(a.massless, b.massless);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.degrees_of_freedom, b.degrees_of_freedom);
}

template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> threads;
  for (int k = 0; k < thread_count; ++k) threads.emplace_back(work, static_cast<std::size_t>(k));
  for (std::thread& thread : threads) thread.join();
}

/// Remembers the last record.
class LastRow : public Observer {
 public:
  std::vector<double> row;
  void record(double, std::span<const double> values) override { row.assign(values.begin(), values.end()); }
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

constexpr const char* methods[] = {"dopri5", "cvode_adams", "cvode_bdf"};

Loaded load_five_bodies() { return load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/five_body/five_body.yaml"); }

std::vector<double> last_row_of_a_run(const Model& model, const char* method) {
  RunSettings settings(model);
  settings.integrator.method = method;
  settings.until = 6;
  Simulation simulation(model, settings);
  LastRow last;
  simulation.run(last);
  return last.row;
}

/// What a function initialises when it is called first is guarded by the compiler, which helgrind does not see: it is
/// all initialised here, by objects that the threads do not share.
class Threads : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    results_of(testing::assemble(testing::random_description(1)).system);
    ASSERT_TRUE(load_description(testing::random_description(2)).model);
    const Loaded other = load_five_bodies();
    ASSERT_TRUE(other.model);
    for (const char* method : methods) last_row_of_a_run(*other.model, method);
  }
};

TEST_F(Threads, ShareOneSystemAndGetTheSameResults) {
  for (const bool determinate : {true, false}) {
    const testing::RandomModelOptions options = {.least_bodies = 30, .determinate = determinate};
    const System system = testing::assemble(testing::random_description(3, options)).system;
    const Results expected = results_of(system);
    std::vector<Results> found(thread_count);
    in_threads([&](std::size_t k) {
      for (int repeat = 0; repeat < 50; ++repeat) found[k] = results_of(system);
    });
    for (const Results& r : found) expect_equal(r, expected);
  }
}

TEST_F(Threads, LoadModelsOfTheirOwnAtTheSameTime) {
  std::vector<std::vector<Results>> found(thread_count);
  in_threads([&](std::size_t k) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Loaded loaded = load_description(testing::random_description(seed));
      if (loaded.model) found[k].push_back(results_of(loaded.model->system));
    }
  });
  for (const auto& list : found) {
    ASSERT_EQ(list.size(), 20U);
    for (std::size_t i = 0; i < list.size(); ++i) expect_equal(list[i], found[0][i]);
  }
}

TEST_F(Threads, ResolveNamesOfOneDescription) {
  const Description d = testing::assemble(testing::random_description(5)).description;
  const Names names(d);
  std::vector<int> found(thread_count, 0);
  in_threads([&](std::size_t k) {
    for (const BodyDescription& b : d.bodies) {
      for (const char* attribute : {".omega_x", ".C11", ".quaternion_w", ".position_z"})
        found[k] += std::holds_alternative<Reference>(names.resolve(b.name + attribute));
    }
  });
  for (const int count : found) EXPECT_EQ(count, 4 * static_cast<int>(d.bodies.size()));
}

TEST_F(Threads, FlyOneModelToTheSameBits) {
  const Loaded loaded = load_five_bodies();
  ASSERT_TRUE(loaded.model);
  for (const char* method : methods) {
    std::vector<std::vector<double>> found(thread_count);
    in_threads([&](std::size_t k) { found[k] = last_row_of_a_run(*loaded.model, method); });
    for (const auto& row : found) EXPECT_EQ(row, found[0]) << method;
    EXPECT_FALSE(found[0].empty());
  }
}

}  // namespace
}  // namespace gyrostat
