// results::run and results::resume: complete results files by the library alone.
#include "gyrostat/results/run.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/report/page.h"
#include "gyrostat/report/viewer_page.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"
#include "gyrostat/results/version.h"

#include "support/busy_model.h"
#include "support/runs.h"

namespace gyrostat::testing {
namespace {

namespace fs = std::filesystem;
using results::ResultsReader;
using results::RunResult;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = gyrostat::Outcome::Kind;

class LibraryRun : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  Loaded load(const std::string& text, const std::vector<Override>& overrides = {}) const {
    Loaded loaded = load_file(scratch.write("m.yaml", text), overrides);
    EXPECT_TRUE(loaded.model);
    return loaded;
  }
  static results::RunOptions with(const std::vector<Override>& overrides) {
    results::RunOptions options;
    options.overrides = overrides;
    return options;
  }
  static results::RunCallbacks stop_after(double t) {
    return {{}, [t](double now) { return now < t; }};
  }
  template <class Error, class Act>
  static std::string error_of(const Act& act) {
    try {
      act();
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }

  Scratch scratch;
};

struct Method {
  const char* name;
  IntegratorSettings integrator;
  double until, checkpoint_interval;  // [s]
};
class LibraryResume : public LibraryRun, public ::testing::WithParamInterface<Method> {};

TEST_P(LibraryResume, StoppedHalfWayAndResumedHasTheSameBits) {
  const std::vector<Override> stiffer = {{"K", "9 N*m/rad"}};
  const Loaded loaded = load(busy_model, stiffer);
  RunSettings settings(*loaded.model);
  settings.integrator = GetParam().integrator;
  settings.until = GetParam().until;
  settings.checkpoint_interval = GetParam().checkpoint_interval;
  EXPECT_EQ(results::run(loaded, settings, file("whole.h5"), with(stiffer)).outcome.kind, Kind::finished);

  const RunResult stopped =
      results::run(loaded, settings, file("broken.h5"), with(stiffer), stop_after(settings.until / 2));
  EXPECT_EQ(stopped.outcome.kind, Kind::interrupted);
  EXPECT_GE(stopped.outcome.t, settings.until / 2);
  EXPECT_TRUE(fs::exists(file("broken.h5.checkpoint")));
  fs::remove(file("m.yaml"));  // the model is in the results

  double from = -1;
  results::RunCallbacks callbacks = stop_after(0.75 * settings.until);
  callbacks.begin = [&](double begin, double) { from = begin; };
  EXPECT_EQ(results::resume(file("broken.h5"), {}, callbacks).outcome.kind, Kind::interrupted);
  EXPECT_GT(from, 0);
  EXPECT_LE(from, stopped.outcome.t);
  const RunResult finished = results::resume(file("broken.h5"));
  EXPECT_EQ(finished.outcome.kind, Kind::finished);
  EXPECT_GT(finished.from, from);
  EXPECT_FALSE(fs::exists(file("broken.h5.checkpoint")));
  expect_same_results(file("whole.h5"), file("broken.h5"));
}

INSTANTIATE_TEST_SUITE_P(Methods, LibraryResume,
                         ::testing::Values(Method{"dopri5", {"dopri5", 1e-8, 0, 0}, 20, 0.7},
                                           Method{"cvode_adams", {"cvode_adams", 1e-8, 0, 0}, 8, 0.6},
                                           Method{"cvode_bdf", {"cvode_bdf", 1e-7, 0, 0}, 4, 0.3},
                                           Method{"rk4", {"rk4", 1e-9, 0.004, 0}, 10, 0.9}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST_F(LibraryRun, ReturnsWhatTheFileSays) {
  const Loaded loaded = load(small_model, {{"K", "30 N*m/rad"}});
  results::RunOptions options = with({{"K", "30 N*m/rad"}});
  options.csv = file("m.csv");
  options.command = "a test";
  const RunResult result = results::run(loaded, RunSettings(*loaded.model), file("m.h5"), options);
  EXPECT_EQ(result.outcome.kind, Kind::finished);
  const ResultsReader reader(file("m.h5"));
  EXPECT_EQ(reader.status(), "finished");
  EXPECT_EQ(reader.records(), result.records);
  EXPECT_EQ(reader.columns().size(), result.columns);
  EXPECT_EQ(reader.header().command, "a test");
  EXPECT_EQ(reader.header().model_text, small_model);
  EXPECT_EQ(reader.header().version, version());

  const results::RunRecord stored = results::read_record(reader);
  EXPECT_THAT(stored.defect, IsEmpty());
  EXPECT_EQ(stored.settings.formulation, result.record.settings.formulation);
  EXPECT_EQ(stored.settings.integrator.method, "dopri5");
  EXPECT_EQ(stored.settings.integrator.tolerance, 1e-9);
  EXPECT_EQ(stored.settings.until, 2);
  EXPECT_EQ(stored.settings.interval, 0.1);
  ASSERT_EQ(stored.overrides.size(), 1U);
  EXPECT_EQ(stored.overrides[0].name, "K");
  EXPECT_EQ(stored.overrides[0].value, "30 N*m/rad");
  EXPECT_EQ(stored.events, result.record.events);
  EXPECT_EQ(results::statistics_of(stored).size(), reader.statistics().size());
  for (const auto& [name, value] : results::statistics_of(stored)) EXPECT_EQ(value, statistic(reader, name)) << name;
  EXPECT_EQ(stored.ledger.other_formulation, result.record.ledger.other_formulation);
  EXPECT_EQ(stored.ledger.allowed, result.record.ledger.allowed);
  EXPECT_THAT(stored.ledger.warnings(), IsEmpty());
  EXPECT_EQ(results::stored_model(reader.header()).model->description.parameters[0].value.value, 30);

  const std::string csv = slurp(file("m.csv"));
  EXPECT_EQ(static_cast<std::uint64_t>(std::ranges::count(csv, '\n')), result.records + 1);
}

TEST_F(LibraryRun, IsTheRunOfTheProgram) {
  const Loaded loaded = load(small_model);
  results::run(loaded, RunSettings(*loaded.model), file("library.h5"));
  ASSERT_EQ(run_in(scratch.path(), "run m.yaml --quiet -o program.h5").exit_code, 0);
  expect_same_results(file("library.h5"), file("program.h5"));
  const ResultsReader library(file("library.h5")), program(file("program.h5"));
  EXPECT_EQ(library.header().more, program.header().more);
  EXPECT_EQ(library.header().integrator, program.header().integrator);
}

TEST_F(LibraryRun, MayBeReportedByTheLibrary) {
  const Loaded loaded = load(small_model);
  results::run(loaded, RunSettings(*loaded.model), file("m.h5"));
  if (report::viewer_page().empty()) GTEST_SKIP() << "this build has no page";
  const report::Report made = report::write_report({file("m.h5")}, file("m.html"));
  EXPECT_EQ(made.bytes, fs::file_size(file("m.html")));
  EXPECT_THAT(made.warnings, IsEmpty());
}

TEST_F(LibraryRun, OfADescriptionIsResumedWithIt) {
  Description description = load(small_model).model->description;
  const Loaded loaded = load_description(description);
  ASSERT_TRUE(loaded.model);
  RunSettings settings(*loaded.model);
  settings.checkpoint_interval = 0.3;
  results::run(loaded, settings, file("whole.h5"));
  results::run(loaded, settings, file("broken.h5"), {}, stop_after(1));
  EXPECT_THAT(error_of<results::ResultsError>([&] { results::resume(file("broken.h5")); }), HasSubstr("Description"));
  EXPECT_EQ(results::resume(file("broken.h5"), {&*loaded.model}).outcome.kind, Kind::finished);
  expect_same_results(file("whole.h5"), file("broken.h5"));
}

TEST_F(LibraryRun, WithACheckpointOfAnotherModelLeavesTheFileAsItIs) {
  const Loaded loaded = load(small_model), other = load(small_model, {{"K", "30 N*m/rad"}});
  RunSettings settings(*loaded.model);
  settings.checkpoint_interval = 0.3;
  results::run(loaded, settings, file("m.h5"), {}, stop_after(1));
  results::run(other, settings, file("other.h5"), with({{"K", "30 N*m/rad"}}), stop_after(0.5));
  fs::copy_file(file("other.h5.checkpoint"), file("m.h5.checkpoint"), fs::copy_options::overwrite_existing);
  const std::string before = slurp(file("m.h5"));
  EXPECT_THAT(error_of<results::ResultsError>([&] { results::resume(file("m.h5")); }),
              AllOf(HasSubstr("m.h5.checkpoint"), HasSubstr("another model")));
  EXPECT_TRUE(slurp(file("m.h5")) == before);
}

TEST_F(LibraryRun, ThroughALinkIsResumedThroughIt) {
  const Loaded loaded = load(small_model);
  RunSettings settings(*loaded.model);
  settings.checkpoint_interval = 0.3;
  fs::create_directory(file("elsewhere"));
  fs::create_symlink("elsewhere/m.h5", file("m.h5"));
  results::run(loaded, settings, file("m.h5"), {}, stop_after(1));
  EXPECT_EQ(results::resume(file("m.h5")).outcome.kind, Kind::finished);
  EXPECT_TRUE(fs::is_symlink(file("m.h5")));
  EXPECT_FALSE(fs::exists(file("elsewhere/m.h5.checkpoint")));
}

TEST_F(LibraryRun, ThatCannotBeginWritesNothing) {
  const Loaded loaded = load(small_model);
  const auto begin = [&](const RunSettings& settings, const results::RunOptions& options = {}) {
    return error_of<results::RunError>([&] { results::run(loaded, settings, file("m.h5"), options); });
  };
  RunSettings settings(*loaded.model);
  settings.integrator.tolerance = 2;
  EXPECT_THAT(begin(settings), HasSubstr("tolerance must be between 1e-14 and 1"));
  settings = RunSettings(*loaded.model);
  settings.checkpoint_interval = -1;
  EXPECT_THAT(begin(settings), HasSubstr("checkpoints"));
  settings.checkpoint_interval = 0;
  results::RunOptions options;
  options.csv = file("m.yaml");
  EXPECT_THAT(begin(settings, options), HasSubstr("model file, which would be lost"));
  options.csv = file("m.h5");
  EXPECT_THAT(begin(settings, options), HasSubstr("results file too"));
  const Loaded other = load(small_model, {{"K", "30 N*m/rad"}});
  EXPECT_THAT(error_of<results::RunError>([&] { results::run(other, settings, file("m.h5")); }),
              HasSubstr("overrides are not those that the model was loaded with"));
  EXPECT_FALSE(fs::exists(file("m.h5")));
  EXPECT_THAT(error_of<results::ResultsError>([&] { results::run(loaded, settings, file("nowhere/m.h5")); }),
              HasSubstr("does not exist"));
}

TEST_F(LibraryRun, WhoseTextCannotBeWrittenFinishesAndTellsSo) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  const Loaded loaded = load(small_model);
  results::RunOptions options;
  options.csv = "/dev/full";
  const RunResult result = results::run(loaded, RunSettings(*loaded.model), file("m.h5"), options);
  EXPECT_EQ(result.outcome.kind, Kind::finished);
  EXPECT_THAT(result.csv_failure, AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
  EXPECT_EQ(ResultsReader(file("m.h5")).status(), "finished");
  EXPECT_EQ(ResultsReader(file("m.h5")).records(), 21U);
}

TEST_F(LibraryRun, AFileWithoutSettingsIsNotResumed) {
  const Loaded loaded = load(small_model);
  RunSettings settings(*loaded.model);
  const results::RunRecord record = results::record_of(Simulation(*loaded.model, settings), {}, 0);
  for (const auto& [name, value, words] : {std::array{"run_until", "", "has no attribute 'run_until'"},
                                           {"run_method", "", "has no attribute 'run_method'"},
                                           {"run_step", "x1", "attribute 'run_step' is not a number"}}) {
    results::Header header = results::header_of(loaded, record, "");
    std::erase_if(header.more, [name = name](const auto& entry) { return entry.first == name; });
    if (*value != 0) header.more.emplace_back(name, value);
    results::ResultsWriter(file("m.h5"), header, {{"x", "", ""}}, 1).finish();
    EXPECT_THAT(error_of<results::ResultsError>([&] { results::resume(file("m.h5")); }), HasSubstr(words));
  }
}

}  // namespace
}  // namespace gyrostat::testing
