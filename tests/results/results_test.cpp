// What goes into a results file comes out of it.
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Results : public ::testing::Test {
 protected:
  Scratch scratch;
  std::string path = (scratch.path() / "out.h5").string();

  ResultsWriter sample(std::size_t columns, std::uint64_t capacity, std::vector<std::string> statistics = {}) const {
    return {path, sample_header(), sample_columns(columns), capacity, std::move(statistics)};
  }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path()))
      names.push_back(entry.path().filename().string());
    return names;
  }
};

TEST_F(Results, ComeBackAsTheyWere) {
  ResultsWriter writer = sample(7, 100, {"steps", "rejected steps", "evaluations"});
  append_samples(writer, 0, 100);
  for (std::uint64_t i = 0; i < 3; ++i) writer.add_event(sample_event(i));
  writer.set_statistic(1, 12.5);
  writer.set_statistic(2, -3);
  writer.set_status("finished");
  writer.finish();
  const ResultsReader reader(path);
  expect_samples(reader, 100);
  expect_sample_events(reader, 3);
  EXPECT_EQ(reader.status(), "finished");
  EXPECT_THAT(reader.statistics(),
              ElementsAre(Pair("steps", 0), Pair("rejected steps", 12.5), Pair("evaluations", -3)));
  const Header header = reader.header(), expected = sample_header();
  EXPECT_EQ(header.model_name, expected.model_name);
  EXPECT_EQ(header.model_file, expected.model_file);
  EXPECT_EQ(header.model_text, expected.model_text);
  EXPECT_EQ(header.version, expected.version);
  EXPECT_EQ(header.command, expected.command);
  EXPECT_EQ(header.formulation, expected.formulation);
  EXPECT_EQ(header.integrator, expected.integrator);
  EXPECT_EQ(header.more, expected.more);
  for (std::size_t c = 0; c < 7; ++c) {
    EXPECT_EQ(reader.columns()[c].name, sample_columns(7)[c].name);
    EXPECT_EQ(reader.columns()[c].unit, "rad/s");
    EXPECT_EQ(reader.columns()[c].description, sample_columns(7)[c].description);
  }
  EXPECT_THAT(files(), ElementsAre("out.h5"));
}

TEST_F(Results, HaveTheNamesOfStatesBesideTheirColumn) {
  std::vector<Column> columns = sample_columns(2);
  columns[1].states = {"idle", "busy", "done"};
  for (const bool ended : {false, true}) {
    ResultsWriter writer(path, sample_header(), columns, 10, {"steps"});
    append_samples(writer, 0, 10);
    ended ? writer.finish() : writer.flush();
    const ResultsReader reader(path);
    EXPECT_THAT(reader.columns()[0].states, ::testing::IsEmpty());
    EXPECT_THAT(reader.columns()[1].states, ElementsAre("idle", "busy", "done"));
  }
}

TEST_F(Results, OfEqualRunsAreEqualFiles) {
  const auto write = [&](const std::string& name) {
    ResultsWriter writer((scratch.path() / name).string(), sample_header(), sample_columns(5), 10, {"steps"});
    append_samples(writer, 0, 10);
    writer.finish();
    return slurp(scratch.path() / name);
  };
  const std::string first = write("a.h5");
  std::filesystem::last_write_time(scratch.path() / "a.h5", {});
  EXPECT_EQ(first, write("b.h5"));
}

TEST_F(Results, OfARunThatGoesOnAreReadableUpToTheLastFlush) {
  ResultsWriter writer = sample(4, 50, {"steps"});
  { expect_samples(ResultsReader(path), 0); }
  EXPECT_EQ(ResultsReader(path).status(), "running");
  append_samples(writer, 0, 20);
  { expect_samples(ResultsReader(path), 0); }
  writer.set_statistic(0, 7);
  writer.flush();
  append_samples(writer, 20, 30);
  const ResultsReader reader(path);
  expect_samples(reader, 20);
  EXPECT_EQ(reader.statistics()[0].second, 7);
  EXPECT_EQ(writer.records(), 30U);
}

TEST_F(Results, OfAnAbandonedRunKeepWhatWasAppended) {
  {
    ResultsWriter writer = sample(4, 50);
    append_samples(writer, 0, 20);
    writer.add_event(sample_event(0));
  }
  const ResultsReader reader(path);
  expect_samples(reader, 20);
  expect_sample_events(reader, 1);
  EXPECT_EQ(reader.status(), "running");
}

TEST_F(Results, OfARunThatEndsEarlyAreMadeCompact) {
  {
    ResultsWriter writer = sample(20, 100'000);
    append_samples(writer, 0, 30);
    writer.flush();
    EXPECT_GT(std::filesystem::file_size(path), 16'000'000U);
    writer.finish();
    writer.finish();
  }
  EXPECT_LT(std::filesystem::file_size(path), 40'000U);
  expect_samples(ResultsReader(path), 30);
  EXPECT_THAT(files(), ElementsAre("out.h5"));
}

TEST_F(Results, HaveRoomForMoreThanWasForeseen) {
  for (const std::uint64_t capacity : {0U, 1U, 64U}) {
    ResultsWriter writer = sample(3, capacity);
    for (std::uint64_t r = 0; r < 200; r += 10) {
      append_samples(writer, r, r + 10);
      writer.flush();
      expect_samples(ResultsReader(path), r + 10);
    }
    writer.finish();
    expect_samples(ResultsReader(path), 200);
  }
}

TEST_F(Results, HaveRoomForAnyNumberOfEvents) {
  ResultsWriter writer = sample(3, 100);
  append_samples(writer, 0, 50);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    writer.add_event(sample_event(i));
    if (i % 700 == 0) writer.flush();
  }
  EXPECT_EQ(writer.events(), 5000U);
  writer.flush();
  expect_sample_events(ResultsReader(path), 5000);
  append_samples(writer, 50, 100);
  writer.finish();
  const ResultsReader reader(path);
  expect_sample_events(reader, 5000);
  expect_samples(reader, 100);
}

TEST_F(Results, AreFlushedWhenMemoryFills) {
  constexpr std::size_t columns = 1000;
  ResultsWriter writer = sample(columns, 5000);
  const std::vector<double> row(columns, 2.5);
  for (int r = 0; r < 2500; ++r) writer.append(r, row);
  const ResultsReader reader(path);
  EXPECT_GT(reader.records(), 2000U);
  EXPECT_LT(reader.records(), 2500U);
  EXPECT_EQ(reader.column("bus.value999").back(), 2.5);
}

TEST_F(Results, GoOnAsIfTheyHadNeverStopped) {
  {
    ResultsWriter writer = sample(5, 100, {"steps"});
    append_samples(writer, 0, 100);
    for (std::uint64_t i = 0; i < 9; ++i) writer.add_event(sample_event(i));
    writer.set_statistic(0, 40);
    writer.finish();
  }
  const std::string whole = slurp(path);
  struct Stop {
    std::uint64_t records, events;
    bool finished;
  };
  for (const Stop stop : {Stop{37, 4, true}, Stop{37, 4, false}, Stop{0, 0, true}, Stop{100, 9, true}}) {
    SCOPED_TRACE(stop.records);
    {
      ResultsWriter writer = sample(5, 100, {"steps"});
      const std::uint64_t lost = stop.records < 90 ? 10 : 0;  // recorded, and dropped on reopening
      append_samples(writer, 0, stop.records + lost);
      for (std::uint64_t i = 0; i < stop.events; ++i) writer.add_event(sample_event(i));
      writer.set_statistic(0, 20);
      if (stop.finished) writer.finish();
    }
    ResultsWriter writer = ResultsWriter::reopen(path, stop.records, stop.events, 100);
    {
      const ResultsReader reader(path);
      expect_samples(reader, stop.records);
      expect_sample_events(reader, stop.events);
      EXPECT_EQ(reader.statistics()[0].second, 20);
      EXPECT_EQ(reader.status(), "running");
    }
    append_samples(writer, stop.records, 100);
    for (std::uint64_t i = stop.events; i < 9; ++i) writer.add_event(sample_event(i));
    writer.set_statistic(0, 40);
    writer.finish();
    EXPECT_EQ(slurp(path), whole);
  }
}

TEST_F(Results, DoNotGoOnAfterWhatTheyDoNotHave) {
  {
    ResultsWriter writer = sample(5, 100);
    append_samples(writer, 0, 10);
    writer.finish();
  }
  EXPECT_THAT(error_of([&] { ResultsWriter::reopen(path, 11, 0, 100); }), HasSubstr("has 10 records and 0 events"));
  EXPECT_THAT(error_of([&] { ResultsWriter::reopen(path, 10, 1, 100); }), HasSubstr("has 10 records and 0 events"));
  EXPECT_THAT(error_of([&] { ResultsWriter::reopen(path + "x", 0, 0, 0); }), HasSubstr("out.h5x: no such file"));
  expect_samples(ResultsReader(path), 10);
}

TEST_F(Results, TakeAnyName) {
  const std::vector<std::string> names = {"<b>bold</b>",
                                          "a \"quoted\" 'name'",
                                          "größe.ω_x",
                                          "line\nbreak",
                                          "comma, stop",
                                          "\x01\x02",
                                          "..",
                                          std::string(300, 'n'),
                                          "time",
                                          "status",
                                          "records/x",
                                          "events/time",
                                          "statistics/ab",
                                          "loads",
                                          "loads/0.thrust",
                                          "ledger",
                                          "ledger/energy",
                                          "model",
                                          "columns",
                                          "deep/er/and/deeper",
                                          "\xff\xfe",
                                          "100%",
                                          "{}",
                                          " "};
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back({name, "m/s²", "<script>" + name});
  Header header = sample_header();
  header.model_text.clear();
  header.command = "run 'ünï <code>'";
  header.more.emplace_back("zzz größe", std::string(50'000, 'x'));
  ResultsWriter writer(path, header, columns, 3, {"größe & <b>"});
  append_samples(writer, 0, 3);
  writer.finish();
  const ResultsReader reader(path);
  expect_samples(reader, 3);
  ASSERT_EQ(reader.columns().size(), names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    EXPECT_EQ(reader.columns()[c].name, names[c]);
    EXPECT_EQ(reader.columns()[c].unit, "m/s²");
    EXPECT_EQ(reader.columns()[c].description, "<script>" + names[c]);
  }
  EXPECT_EQ(reader.header().model_text, "");
  EXPECT_EQ(reader.header().command, header.command);
  EXPECT_EQ(reader.header().more, header.more);
  EXPECT_EQ(reader.statistics()[0].first, "größe & <b>");
}

TEST_F(Results, RefuseNamesThatCannotBe) {
  const auto error_with = [&](std::vector<Column> columns) {
    return error_of([&] { ResultsWriter(path, {}, columns, 3); });
  };
  for (const std::string& name :
       {std::string(), std::string("/a"), std::string("a//b"), std::string("a/"), std::string("./a")}) {
    EXPECT_THAT(error_with({{name, "", ""}}), HasSubstr("cannot name a column")) << name;
  }
  EXPECT_THAT(error_with({{"a", "", ""}, {"b", "", ""}, {"a", "", ""}}), HasSubstr("two columns 'a'"));
  EXPECT_THAT(error_with({{"a", "", ""}, {"a/b", "", ""}}), HasSubstr("'a' is a column and a group"));
  EXPECT_THAT(error_with({{"a", std::string(70'000, 'x'), ""}}), HasSubstr("attribute 'unit' is longer than"));
  EXPECT_THAT(error_of([&] { ResultsWriter(path, {}, {}, 3, {"a/b"}); }), HasSubstr("cannot name a statistic"));
  EXPECT_TRUE(files().empty());
}

TEST_F(Results, MayHaveNoColumns) {
  ResultsWriter writer = sample(0, 10);
  append_samples(writer, 0, 4);
  writer.finish();
  expect_samples(ResultsReader(path), 4);
  EXPECT_TRUE(ResultsReader(path).columns().empty());
}

TEST_F(Results, MayHaveNoRecords) {
  for (const std::uint64_t capacity : {0U, 10U}) {
    ResultsWriter writer = sample(3, capacity);
    writer.finish();
    const ResultsReader reader(path);
    expect_samples(reader, 0);
    EXPECT_TRUE(reader.column("bus.value0").empty());
  }
}

TEST_F(Results, KeepNumbersThatAreNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  ResultsWriter writer = sample(2, 2);
  writer.append(0, std::vector{std::nan(""), -infinity});
  writer.append(1, std::vector{-0.0, 5e-324});
  writer.finish();
  const ResultsReader reader(path);
  ASSERT_EQ(reader.records(), 2U);
  EXPECT_TRUE(std::isnan(reader.column("bus.value0")[0]));
  EXPECT_TRUE(std::signbit(reader.column("bus.value0")[1]));
  EXPECT_EQ(reader.column("bus.value1"), (std::vector{-infinity, 5e-324}));
}

TEST_F(Results, CutLongTextsBetweenCharacters) {
  ResultsWriter writer = sample(1, 1);
  writer.add_event({1, std::string(63, 'a') + "ö", std::string(70, 'b')});
  writer.set_status("stopped: " + std::string(243, 'c') + "öööö");
  writer.finish();
  const ResultsReader reader(path);
  EXPECT_EQ(reader.events()[0].name, std::string(63, 'a'));
  EXPECT_EQ(reader.events()[0].what, std::string(64, 'b'));
  EXPECT_EQ(reader.status(), "stopped: " + std::string(243, 'c') + "...");
}

TEST_F(Results, RefuseARowOfAnotherLengthAndATimeThatIsNone) {
  ResultsWriter writer = sample(3, 10);
  EXPECT_THAT(error_of([&] { writer.append(0, std::vector{1.0, 2.0}); }), HasSubstr("2 values for 3 columns"));
  EXPECT_THAT(error_of([&] { writer.append(std::nan(""), sample_row(0, 3)); }), HasSubstr("time of record 0"));
  EXPECT_EQ(writer.records(), 0U);
}

TEST_F(Results, AskForAColumnThatExists) {
  ResultsWriter writer = sample(3, 10);
  EXPECT_THAT(error_of([&] { static_cast<void>(ResultsReader(path).column("bus.nothing")); }),
              HasSubstr("out.h5: has no column 'bus.nothing'"));
  EXPECT_EQ(ResultsReader(path).find("ledger/value2"), 2U);
  EXPECT_FALSE(ResultsReader(path).find("time"));
}

}  // namespace
}  // namespace gyrostat::testing
