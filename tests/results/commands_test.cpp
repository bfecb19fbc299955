// gyrostat show and gyrostat compare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/sample_results.h"

namespace gyrostat::testing {
using namespace results;
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

class ResultsCommand : public ::testing::Test {
 protected:
  Scratch scratch;

  [[nodiscard]] std::string file(const std::string& name) const { return "'" + (scratch.path() / name).string() + "'"; }

  /// x = t, y = 10 t, both at the times 0 to 4; the last y is off by `error`.
  std::string results(const std::string& name, double error = 0, std::size_t records = 5) const {
    const std::vector<Column> columns = {{"bus.x", "m", ""}, {"bus.y", "m", ""}, {"ledger/energy", "J", ""}};
    ResultsWriter writer((scratch.path() / name).string(), sample_header(), columns, records, {"steps"});
    for (std::size_t i = 0; i < records; ++i) {
      const auto t = static_cast<double>(i);
      writer.append(t, std::vector{t, 10 * t + (i + 1 == records ? error : 0), -1e-12 * t});
    }
    for (std::uint64_t i = 0; i < 20; ++i) writer.add_event(sample_event(i));
    writer.set_statistic(0, 1234);
    writer.set_status("finished");
    writer.finish();
    return file(name);
  }

  /// A usage error says what is wrong on stderr and nothing on stdout.
  static void expect_refused(const std::string& arguments, const std::string& said) {
    SCOPED_TRACE(arguments);
    const Outcome o = run(arguments);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr(said));
  }
};

TEST_F(ResultsCommand, ShowSumsUp) {
  const Outcome o = run("show " + results("a.h5"));
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, StartsWith("model         A bus with a hub\nfile          hub.yaml\n"));
  for (const char* line :
       {"\nstatus        finished\n", "\nrecords       5, from 0 to 4 s\n", "\n  steps  1234\n",
        "\nLedger    unit  last residual  largest residual\n  energy  J            -4e-12             4e-12\n",
        "\nEvents: 20\n", "\n     2  signal4   on\n  ... 10 more\n   7.5  signal15  off\n",
        "\nColumns  unit  least  largest  last\n  bus.x  m         0        4     4\n  bus.y  m         0       40    "
        "40\n"})
    EXPECT_THAT(o.out, HasSubstr(line));
}

TEST_F(ResultsCommand, ShowSumsUpInJson) {
  const Json json = Json::parse(run("show --json " + results("a.h5")).out);
  EXPECT_EQ(json["model"], "A bus with a hub");
  EXPECT_EQ(json["records"], 5);
  EXPECT_EQ(json["end"], 4);
  EXPECT_EQ(json["statistics"]["steps"], 1234);
  EXPECT_EQ(json["columns"][1]["largest"], 40);
}

TEST_F(ResultsCommand, ShowPrintsColumns) {
  const std::string a = results("a.h5", 0, 2);
  EXPECT_EQ(run("show " + a + " bus.y bus.x").out,
            "            time             bus.y             bus.x\n"
            "               s                 m                 m\n"
            "               0                 0                 0\n"
            "               1                10                 1\n");
  EXPECT_EQ(run("show --csv " + a + " 'bus.*'").out, "time,bus.x,bus.y\n0,0,0\n1,1,10\n");
  EXPECT_EQ(run("show --csv " + a + " '*.?' bus.x time").out, "time,bus.x,bus.y\n0,0,0\n1,1,10\n");
  EXPECT_EQ(run("show --csv " + a).out, "time,bus.x,bus.y,ledger/energy\n0,0,0,-0\n1,1,10,-1e-12\n");
  EXPECT_EQ(Json::parse(run("show --json " + a + " bus.y").out),
            Json::parse(R"({"time": [0, 1], "columns": {"bus.y": [0, 10]}})"));
}

TEST_F(ResultsCommand, ShowPrintsColumnsAtTimes) {
  const std::string a = results("a.h5");
  EXPECT_EQ(run("show --csv " + a + " bus.y --at 0.5 4 0").out, "time,bus.y\n0.5,5\n4,40\n0,0\n");
  EXPECT_EQ(run("show " + a + " 'bus.*' --at 0.5").out, "time     s  0.5\n  bus.x  m  0.5\n  bus.y  m    5\n");
}

TEST_F(ResultsCommand, ShowListsEvents) {
  const std::string a = results("a.h5");
  EXPECT_THAT(run("show --events " + a).out, HasSubstr("\n   2.5  signal5   off\n"));
  EXPECT_THAT(run("show --events --csv " + a).out, StartsWith("time,name,what\n0,signal0,on\n0.5,signal1,off\n"));
  EXPECT_EQ(Json::parse(run("show --events --json " + a).out)[3],
            Json::parse(R"({"time": 1.5, "name": "signal3", "what": "off"})"));
}

TEST_F(ResultsCommand, ShowRefusesWhatItCannotShow) {
  const std::string a = results("a.h5");
  expect_refused("show " + a + " bus.z", "a.h5: no column 'bus.z'; did you mean 'bus.x'?");
  expect_refused("show " + a + " 'hub.*'", "a.h5: no column matches 'hub.*'");
  expect_refused("show " + a + " bus.x --at 5", "--at 5: the records are from 0 to 4 s");
  expect_refused("show " + a + " bus.x --at nan", "--at nan: the records are from 0 to 4 s");
  expect_refused("show " + a + " --events bus.x", "--events takes neither names nor --at");
  expect_refused("show " + a + " --csv --json", "--csv");
  expect_refused("show " + file("b.h5"), "b.h5: no such file");
  scratch.write("model.yaml", "gyrostat: 1\n");
  expect_refused("show " + file("model.yaml"), "model.yaml: is not a Gyrostat results file");
  scratch.write("cut.h5", slurp(scratch.path() / "a.h5").substr(0, 3000));
  expect_refused("show " + file("cut.h5"), "cut.h5: is damaged: its end is missing");
  expect_refused("show " + results("empty.h5", 0, 0) + " --at 0", "empty.h5: has no records");
  const Outcome o = run("show --json " + a + " bus.z");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(Json::parse(o.out)["error"].get<std::string>(), EndsWith("did you mean 'bus.x'?"));
}

TEST_F(ResultsCommand, ADamagedFileIsOneLine) {
  results("a.h5");
  std::string text = slurp(scratch.path() / "a.h5");
  text[300] = static_cast<char>(~text[300]);
  scratch.write("bad.h5", text);
  const Outcome o = run("show " + file("bad.h5"), "ASAN_OPTIONS=detect_leaks=0");  // HDF5 forgets memory there
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("bad.h5: is damaged: "));
  EXPECT_EQ(o.err.find('\n'), o.err.size() - 1);
}

TEST_F(ResultsCommand, NamesDoNotCommandTheTerminal) {
  const std::vector<Column> columns = {{"\x1b[31mred", "\x1b]0;title\x07", ""}, {std::string(300, 'n'), "", ""}};
  Header header = sample_header();
  header.model_name = "a\x1b[2Jb\xc2\x9b";
  ResultsWriter writer((scratch.path() / "a.h5").string(), header, columns, 1);
  append_samples(writer, 0, 1);
  writer.set_status("\x1b[31m");
  writer.add_event({0, "\x1b[1m", "\r"});
  writer.finish();
  for (const std::string command : {"show ", "show --events ", "show --at 0 -- "}) {
    const Outcome o = run(command + file("a.h5"));
    EXPECT_EQ(o.exit_code, 0) << command;
    for (const char* control : {"\x1b", "\r", "\x07", "\xc2\x9b"}) EXPECT_THAT(o.out, Not(HasSubstr(control)));
  }
}

TEST_F(ResultsCommand, ShowOfVeryManyColumnsStaysReadable) {
  ResultsWriter writer((scratch.path() / "a.h5").string(), sample_header(), sample_columns(3000), 2);
  append_samples(writer, 0, 2);
  writer.finish();
  const Outcome o = run("show " + file("a.h5"));
  EXPECT_LT(std::ranges::count(o.out, '\n'), 130);
  EXPECT_THAT(o.out, HasSubstr("  ... and 1940 more; --json lists all\n"));
}

TEST_F(ResultsCommand, CompareSaysHowFarApart) {
  const std::string a = results("a.h5"), b = results("b.h5", 0.5), c = results("c.h5", 0, 9);
  Outcome o = run("compare " + a + " " + a);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, EndsWith("\n2 columns are equal\n"));
  o = run("compare " + a + " " + b);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, HasSubstr("bus.y   m              0.5             4          40.5        0.0123  differs\n"));
  EXPECT_THAT(o.out, EndsWith("\n1 of 2 columns differ by more than 1e-09 of the magnitude\n"));
  o = run("compare " + a + " " + b + " --tolerance 0.1");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, EndsWith("\n2 columns agree within 0.1 of the magnitude\n"));
  EXPECT_EQ(run("compare " + a + " " + b + " bus.x").exit_code, 0);
  o = run("compare " + a + " " + c);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_THAT(o.out, HasSubstr("the second is interpolated linearly at 5 instants of the first"));
  EXPECT_THAT(o.out, EndsWith("\nthey do not cover the same time\n"));
}

TEST_F(ResultsCommand, CompareAnswersInJson) {
  const Outcome o = run("compare --json " + results("a.h5") + " " + results("b.h5", 0.5));
  EXPECT_EQ(o.exit_code, 1);
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["agree"], false);
  EXPECT_EQ(json["columns"][0]["name"], "bus.y");
  EXPECT_EQ(json["columns"][0]["difference"], 0.5);
  EXPECT_EQ(json["columns"][0]["time"], 4);
}

TEST_F(ResultsCommand, CompareListsWhatOneLacks) {
  const std::string a = results("a.h5");
  const std::vector<Column> columns = {{"bus.x", "m", ""}, {"hub.x", "m", ""}};
  ResultsWriter writer((scratch.path() / "b.h5").string(), sample_header(), columns, 5);
  for (int t = 0; t < 5; ++t) writer.append(t, std::vector{1.0 * t, 0.0});
  writer.finish();
  const Outcome o = run("compare " + a + " " + file("b.h5"));
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, HasSubstr("a.h5:\n  bus.y\n"));
  EXPECT_THAT(o.out, HasSubstr("b.h5:\n  hub.x\n"));
  expect_refused("compare " + a + " " + file("b.h5") + " bus.y", "b.h5: no column 'bus.y'");
  expect_refused("compare " + a + " " + file("b.h5") + " hub.x", "a.h5: no column 'hub.x'");
}

TEST_F(ResultsCommand, CompareRefusesWhatItCannotCompare) {
  const std::string a = results("a.h5");
  expect_refused("compare " + a, "required");
  expect_refused("compare " + a + " " + file("missing.h5"), "missing.h5: no such file");
  expect_refused("compare " + a + " " + a + " --tolerance=-1", "--tolerance -1");
  expect_refused("compare " + a + " " + a + " --tolerance nan", "--tolerance nan");
  expect_refused("compare " + a + " " + a + " --floor=-1", "--floor -1");
}

}  // namespace
}  // namespace gyrostat::testing
