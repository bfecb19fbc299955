// Where results cannot be written: it is said why, and nothing is lost that was there.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string error_at(const std::string& path) {
  return error_of([&] { ResultsWriter(path, sample_header(), sample_columns(3), 10); });
}

TEST(Target, MustBeInADirectoryThatExists) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "missing" / "out.h5").string();
  EXPECT_THAT(error_at(path),
              EndsWith("out.h5: directory '" + (scratch.path() / "missing").string() + "' does not exist"));
  EXPECT_THAT(error_at(scratch.write("file", "x") + "/out.h5"), EndsWith("does not exist"));
  EXPECT_EQ(error_at(""), "a results file needs a name");
}

TEST(Target, MustBeAnOrdinaryFile) {
  const Scratch scratch;
  EXPECT_THAT(error_at(scratch.path().string()), EndsWith("is a directory"));
  EXPECT_EQ(error_at("/dev/null"), "/dev/null: is not a regular file");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const std::string pipe = (scratch.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_at(pipe), EndsWith("is not a regular file"));
}

TEST(Target, IsNotSomethingElseThatWouldBeLost) {
  const Scratch scratch;
  const std::string model = scratch.write("model.yaml", "gyrostat: 1\n");
  EXPECT_THAT(error_at(model), HasSubstr("exists and is not a results file that Gyrostat wrote; it is not replaced"));
  EXPECT_EQ(slurp(model), "gyrostat: 1\n");
  const std::string empty = scratch.write("empty.h5", "");
  ResultsWriter(empty, sample_header(), sample_columns(3), 10).finish();
  expect_samples(ResultsReader(empty), 0);
}

TEST(Target, OlderResultsAreReplacedByNewer) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  for (const std::size_t columns : {3U, 5U}) {
    ResultsWriter writer(path, sample_header(), sample_columns(columns), 10);
    append_samples(writer, 0, columns);
    writer.finish();
    expect_samples(ResultsReader(path), columns);
  }
}

TEST(Target, ALinkRemainsALink) {
  const Scratch scratch;
  const fs::path target = scratch.path() / "target.h5", link = scratch.path() / "link.h5";
  ResultsWriter(target.string(), sample_header(), sample_columns(1), 0).finish();
  fs::create_symlink("target.h5", link);
  ResultsWriter writer(link.string(), sample_header(), sample_columns(3), 10);
  append_samples(writer, 0, 10);
  writer.finish();
  EXPECT_TRUE(fs::is_symlink(link));
  expect_samples(ResultsReader(target.string()), 10);
}

TEST(Target, InAReadOnlyDirectoryIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Scratch scratch;
  fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(error_at((scratch.path() / "out.h5").string()), EndsWith("cannot be written: Permission denied"));
  fs::permissions(scratch.path(), fs::perms::owner_all);
}

TEST(Target, ThatMayNotBeChangedIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  ResultsWriter(path, sample_header(), sample_columns(3), 0).finish();
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_THAT(error_at(path), EndsWith("cannot be written: Permission denied"));
}

/// In a process whose files must not grow beyond `bytes`. Returns the exit code of `act`; it has to exit normally.
template <class Act>
int with_file_limit(rlim_t bytes, Act&& act) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::exit(act());  // with what HDF5 does at the end of a program
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(FullDisk, IsReportedWhenTheFileIsMade) {
  for (const rlim_t limit : {0U, 1U, 1000U, 5000U, 9000U, 20'000U, 50'000U, 100'000U}) {
    const Scratch scratch;
    const int code = with_file_limit(limit, [&] {
      const std::string error = error_at((scratch.path() / "out.h5").string());
      return error.ends_with("out.h5: cannot be written: File too large") ? 0 : (std::fputs(error.c_str(), stderr), 1);
    });
    EXPECT_EQ(code, 0) << limit;
    EXPECT_TRUE(fs::is_empty(scratch.path()));
  }
}

TEST(FullDisk, IsReportedAndTheRecordsRemainInMemory) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  ResultsWriter writer(path, sample_header(), sample_columns(3), 10);
  append_samples(writer, 0, 5);
  writer.flush();
  append_samples(writer, 5, 20);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string error = error_of([&] { writer.flush(); });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, path + ": cannot be written: File too large");
  expect_samples(ResultsReader(path), 5);
  writer.flush();
  expect_samples(ResultsReader(path), 20);
}

TEST(FullDisk, IsReportedWhileRowsAreWritten) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  ResultsWriter writer(path, sample_header(), sample_columns(3), 1000);
  append_samples(writer, 0, 1000);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{fs::file_size(path) - 3000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string error = error_of([&] { writer.flush(); });
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, path + ": cannot be written: File too large");
  expect_samples(ResultsReader(path), 0);
  writer.finish();
  expect_samples(ResultsReader(path), 1000);
}

TEST(Removed, AFileThatVanishesIsReportedAtTheEnd) {
  const Scratch scratch;
  const std::string path = (scratch.path() / "out.h5").string();
  ResultsWriter writer(path, sample_header(), sample_columns(3), 1000);
  append_samples(writer, 0, 10);
  fs::remove(path);
  writer.flush();
  EXPECT_EQ(error_of([&] { writer.finish(); }), path + ": no such file");
}

}  // namespace
}  // namespace gyrostat::testing
