// A run that is killed at any moment leaves a file that everybody can read.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

constexpr std::size_t columns = 12;

struct Progress {
  std::atomic<std::uint64_t> records = 0, events = 0;
};

/// Records until it is killed, with more records and events than it foresaw.
[[noreturn]] void record(const std::string& path, Progress& progress) {
  ResultsWriter writer(path, sample_header(), sample_columns(columns), 200, {"steps"});
  for (std::uint64_t r = 0, e = 0;; ++r) {
    append_samples(writer, r, r + 1);
    for (int k = 0; k < 3; ++k) writer.add_event(sample_event(e++));
    if (r % 3 != 0) continue;
    writer.set_statistic(0, static_cast<double>(r + 1));
    writer.flush();
    progress.records = r + 1;
    progress.events = e;
  }
}

int shell(const std::string& command) { return WEXITSTATUS(std::system((command + " >/dev/null 2>&1").c_str())); }

/// HDF5's own tool and h5py read it as well, if they are there.
void expect_read_by_others(const std::string& path, std::uint64_t records) {
  static const bool has_h5dump = shell("command -v h5dump") == 0;
  static const bool has_h5py = shell("/usr/bin/python3 -c 'import h5py'") == 0;
  if (has_h5dump) {
    EXPECT_EQ(shell("h5dump -H '" + path + "'"), 0);
  }
  if (has_h5py) {
    EXPECT_EQ(shell("/usr/bin/python3 -c 'import h5py, math\n"
                    "f = h5py.File(\"" +
                    path +
                    "\", \"r\")\n"
                    "n = int(f[\"records\"][()])\n"
                    "assert n >= " +
                    std::to_string(records) +
                    "\n"
                    "assert not any(math.isnan(t) for t in f[\"time\"][:n])\n"
                    "assert abs(f[\"bus.value1\"][n - 1] - math.sin(n - 1 + 0.37)) < 1e-12\n"
                    "assert len(f[\"ledger\"]) == 4'"),
              0);
  }
}

TEST(Killed, AtAnyMomentItsResultsAreWhole) {
  std::mt19937_64 random(7);
  auto* progress = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::uint64_t most = 0, some = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Scratch scratch;
    const std::string path = (scratch.path() / "out.h5").string();
    new (progress) Progress;
    const pid_t child = fork();
    if (child == 0) {
      record(path, *progress);
    }
    usleep(static_cast<useconds_t>(std::uniform_int_distribution<int>(0, 60'000)(random)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::uint64_t flushed = progress->records, events = progress->events;
    if (!std::filesystem::exists(path)) {
      EXPECT_EQ(flushed, 0U);
      continue;
    }
    SCOPED_TRACE(trial);
    const ResultsReader reader(path);
    EXPECT_GE(reader.records(), flushed);
    EXPECT_GE(reader.events().size(), events);
    expect_samples(reader, reader.records());
    expect_sample_events(reader, reader.events().size());
    if (reader.records() > 0 && trial % 4 == 0) expect_read_by_others(path, flushed);
    most = std::max(most, reader.records());
    some += reader.records() > 0 ? 1 : 0;
    if (reader.records() > 10) {
      ResultsWriter::reopen(path, 10, 5, 20).finish();
      expect_samples(ResultsReader(path), 10);
    }
  }
  EXPECT_GT(most, 200U);  // some of them outgrew their first file
  EXPECT_GT(some, 10U);
  munmap(progress, sizeof(Progress));
}

TEST(Killed, AWriterKeepsNobodyFromReading) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  ResultsWriter writer(path, sample_header(), sample_columns(columns), 200, {"steps"});
  append_samples(writer, 0, 20);
  writer.flush();
  expect_read_by_others(path, 20);
}

}  // namespace
}  // namespace gyrostat::testing
