// Nothing that Gyrostat did not write is replaced, and what was recorded is not lost.
#include <csignal>
#include <fstream>
#include <thread>

#include "gyrostat/results/target.h"

#include "app/head.h"

namespace gyrostat::testing {
namespace {

namespace fs = std::filesystem;

class NeverDestroyed : public ::testing::Test {
 protected:
  NeverDestroyed() { scratch.write("m.yaml", small_model); }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments, "timeout 20"); }
  Outcome shell(const std::string& text) const {
    return run_in(scratch.path(), "", "timeout 20 sh -c '" + text + "' ");
  }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void expect_kept(const std::string& name, const std::string& arguments) const {
    SCOPED_TRACE(arguments);
    const std::string before = content(name);
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, 2) << o.out << o.err;
    EXPECT_THAT(o.err, HasSubstr(name));
    EXPECT_EQ(content(name), before);
  }

  Scratch scratch;
};

TEST_F(NeverDestroyed, ByAnOutputOfAnotherKind) {
  ASSERT_EQ(command("run m.yaml --csv m.csv --report").exit_code, 0);
  ASSERT_EQ(command("run m.yaml -o other.h5 --quiet").exit_code, 0);
  ASSERT_EQ(command("plot m.h5 twice -o p.png").exit_code, 0);
  scratch.write("notes.txt", "mine\n");
  scratch.write("table.csv", "time,x\n0,1\n");
  for (const std::string command_line :
       {"run m.yaml -o ", "run m.yaml --csv ", "report m.h5 -o ", "plot m.h5 twice -o "}) {
    for (const std::string victim : {"m.yaml", "notes.txt", "table.csv", "other.h5", "m.html", "m.csv", "p.png"}) {
      const bool picture = command_line.starts_with("plot");
      if (picture && victim != "p.png") continue;  // its name must end in that of a picture
      const bool own_kind = (victim == "other.h5" && command_line.ends_with("yaml -o ")) ||
                            (victim == "m.html" && command_line.starts_with("report")) ||
                            (victim == "m.csv" && command_line.ends_with("--csv ")) || (picture && victim == "p.png");
      if (own_kind) {
        EXPECT_EQ(command(command_line + victim).exit_code, 0) << command_line << victim;
      } else {
        expect_kept(victim, command_line + victim);
      }
    }
  }
}

TEST_F(NeverDestroyed, APictureOfAnotherProgramIsKept) {
  ASSERT_EQ(command("run m.yaml --quiet").exit_code, 0);
  for (const std::string name : {"p.png", "p.svg", "p.pdf"}) {
    scratch.write(name, name == "p.png" ? "\x89PNG\r\n\x1a\n of another program" : "<svg>of another program</svg>");
    expect_kept(name, "plot m.h5 twice -o " + name);
    EXPECT_EQ(command("plot m.h5 twice --force -o " + name).exit_code, 0);
    EXPECT_EQ(command("plot m.h5 twice -o " + name).exit_code, 0) << "its own";
  }
}

TEST_F(NeverDestroyed, WithForceOthersAreReplacedButNotTheModel) {
  scratch.write("notes.txt", "mine\n");
  expect_kept("notes.txt", "run m.yaml -o notes.txt");
  EXPECT_THAT(command("run m.yaml -o notes.txt").err, HasSubstr("--force"));
  EXPECT_EQ(command("run m.yaml -o notes.txt --force").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("notes.txt")).status(), "finished");
  expect_kept("m.yaml", "run m.yaml -o m.yaml --force");
  expect_kept("m.yaml", "run m.yaml --csv m.yaml --force");
}

TEST_F(NeverDestroyed, AnHdf5FileOfAnotherProgramIsKept) {
  const Outcome made =
      run_in(scratch.path(), "", "/usr/bin/python3 -c \"import h5py; h5py.File('mine.h5', 'w')['x'] = [1, 2, 3]\" ;");
  ASSERT_TRUE(fs::exists(file("mine.h5"))) << made.err;
  expect_kept("mine.h5", "run m.yaml -o mine.h5");
}

TEST_F(NeverDestroyed, ByARunThatFailsAtItsBeginning) {
  ASSERT_EQ(command("run m.yaml --quiet").exit_code, 0);
  const std::string before = content("m.h5");
  scratch.write("bad.yaml",
                "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals: {s: 1/t}\n"
                "loads: [{body: a, torque: [s, 0, 0]}]\nsimulation: {duration: 2}\n");
  const Outcome o = command("run bad.yaml -o m.h5");
  EXPECT_EQ(o.exit_code, 3) << o.err;
  EXPECT_THAT(o.err, HasSubstr("m.h5 is as it was before"));
  EXPECT_EQ(content("m.h5"), before);
  EXPECT_EQ(command("run bad.yaml").exit_code, 3);
  EXPECT_THAT(ResultsReader(file("bad.h5")).status(), StartsWith("stopped at t = 0 s"));
}

/// Steps of a microsecond: it would take hours.
const std::string endless = "run m.yaml --quiet --integrator rk4 --step 1e-6 --until 100000 ";

TEST_F(NeverDestroyed, ByASecondRunIntoTheSameFile) {
  const std::string program = quoted(GYROSTAT_PROGRAM) + " ";
  const Outcome o = shell(program + endless + "-o out.h5 & first=$!; sleep 1.5; " + program +
                          "run m.yaml -o out.h5; echo code $?; kill -TERM $first; wait $first; echo first $?; " +
                          program + "run m.yaml -o out.h5 --quiet; echo third $?");
  EXPECT_THAT(o.out, AllOf(HasSubstr("code 2"), HasSubstr("first 130"), HasSubstr("third 0")));
  EXPECT_THAT(o.err, HasSubstr("out.h5: is being written by process "));
  EXPECT_FALSE(fs::exists(file("out.h5.lock")));
}

TEST_F(NeverDestroyed, ALockEndsWithItsProcess) {
  const std::string program = quoted(GYROSTAT_PROGRAM) + " ";
  const Outcome o = shell(program + endless + "-o out.h5 & first=$!; sleep 1.5; kill -KILL $first; wait $first; " +
                          program + "run m.yaml -o out.h5 --quiet; echo second $?");
  EXPECT_THAT(o.out, HasSubstr("second 0")) << o.err;
}

TEST_F(NeverDestroyed, AnInterruptedRunIsResumedWithoutCheckpoints) {
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const std::string program = quoted(GYROSTAT_PROGRAM) + " ";
    const Outcome o =
        shell("timeout --preserve-status -s " + signal + " 1 " + program + endless + "-o interrupted.h5; echo code $?");
    EXPECT_THAT(o.out, HasSubstr("code 130")) << signal << o.err;
    EXPECT_THAT(o.err, HasSubstr("gyrostat resume interrupted.h5"));
    const double came = ResultsReader(file("interrupted.h5")).time().back();
    EXPECT_EQ(command(fmt::format("resume interrupted.h5 --quiet --until {}", came + 0.5)).exit_code, 0) << signal;
    EXPECT_NEAR(ResultsReader(file("interrupted.h5")).time().back(), came + 0.5, 1e-9);
  }
}

TEST_F(NeverDestroyed, AFullDiskLeavesWhatWasRecorded) {
  // No file may become larger than this many kilobytes.
  const Outcome o = shell("trap \"\" XFSZ; ulimit -f 600; " + quoted(GYROSTAT_PROGRAM) +
                          " run m.yaml -o out.h5 --until 200 --interval 0.002; echo code $?");
  EXPECT_THAT(o.out, HasSubstr("code 3")) << o.err;
  EXPECT_THAT(o.err, AllOf(HasSubstr("out.h5: cannot be written: File too large"), Not(HasSubstr("internal error"))));
}

TEST_F(NeverDestroyed, AFailingCsvDoesNotEndTheRun) {
  const Outcome o = command("run m.yaml --csv /dev/full");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, AllOf(HasSubstr("/dev/full: cannot be written: No space left on device"), HasSubstr("m.h5")));
  EXPECT_EQ(ResultsReader(file("m.h5")).status(), "finished");
}

TEST_F(NeverDestroyed, AnOutputThatTakesNothingIsSaidPlainly) {
  ASSERT_EQ(command("run m.yaml --quiet").exit_code, 0);
  for (const std::string arguments : {"schema", "info m.yaml", "check m.yaml", "show m.h5", "show m.h5 twice --csv",
                                      "plot m.h5 twice", "accel m.yaml", "--help", "run m.yaml"}) {
    const Outcome o = shell(quoted(GYROSTAT_PROGRAM) + " " + arguments + " > /dev/full; echo code $? >&2");
    EXPECT_THAT(o.err, AllOf(HasSubstr("cannot be written: No space left on device"), HasSubstr("code 3\n"),
                             Not(HasSubstr("internal error"))))
        << arguments;
  }
}

TEST_F(NeverDestroyed, TextThatAnotherRunWritesIsRefused) {
  const results::OutputLock first(file("l.csv"));
  const Outcome o = command("run m.yaml --csv l.csv");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr(fmt::format("l.csv: is being written by process {}", getpid())));
  EXPECT_FALSE(fs::exists(file("m.h5")));
}

TEST_F(NeverDestroyed, OneFileUnderTwoNamesIsRefused) {
  fs::create_symlink("new.h5", file("new.csv"));
  fs::create_directory(file("x"));
  for (const std::string names : {"-o new.h5 --csv new.csv", "-o ./x/../new.h5 --csv new.h5"}) {
    const Outcome o = command("run m.yaml " + names);
    EXPECT_EQ(o.exit_code, 2) << names;
    EXPECT_THAT(o.err, HasSubstr("is the results file too")) << names;
  }
}

TEST_F(NeverDestroyed, AFileThatMayNotGrowIsLikeAFullDisk) {
  ASSERT_EQ(command("run m.yaml --quiet").exit_code, 0);
  const std::string before = content("m.h5"), program = quoted(GYROSTAT_PROGRAM) + " ";
  for (const std::string arguments : {"run m.yaml -o new.h5", "resume m.h5 --until 50", "report m.h5"}) {
    const Outcome o = shell("ulimit -f 8; " + program + arguments + "; echo code $?");
    EXPECT_THAT(o.out, HasSubstr("code 3")) << arguments << o.err;
    EXPECT_THAT(o.err, HasSubstr("cannot be written: File too large")) << arguments;
  }
  EXPECT_TRUE(content("m.h5") == before);
}

TEST_F(NeverDestroyed, AFinishedRunIsExtended) {
  ASSERT_EQ(command("run m.yaml --quiet --until 1.25 --interval 0.5").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("m.h5")).time(), (std::vector<double>{0, 0.5, 1, 1.25}));
  EXPECT_THAT(command("resume m.h5").err, HasSubstr("--until SECONDS extends it"));
  EXPECT_EQ(command("resume m.h5 --until 1").exit_code, 2);
  ASSERT_EQ(command("resume m.h5 --quiet --until 2.5").exit_code, 0);
  ASSERT_EQ(command("run m.yaml --quiet --until 2.5 --interval 0.5 -o whole.h5").exit_code, 0);
  const ResultsReader extended(file("m.h5")), whole(file("whole.h5"));
  EXPECT_EQ(extended.time(), whole.time());
  EXPECT_EQ(extended.status(), "finished");
  const std::vector<double> a = extended.column("hinge.angle"), b = whole.column("hinge.angle");
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-8);
}

TEST_F(NeverDestroyed, ARunBeginsAtAStateOfTheUser) {
  scratch.write("s.json", R"({"joints": {"hinge": {"position": [0.05], "speed": [0.1]}}})");
  const Outcome o = command("run m.yaml --quiet --state s.json");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(ResultsReader(file("m.h5")).column("hinge.angle")[0], 0.05);
  EXPECT_EQ(ResultsReader(file("m.h5")).column("hinge.rate")[0], 0.1);
  EXPECT_EQ(command("run m.yaml --state none.json").exit_code, 2);
}

TEST_F(NeverDestroyed, ANumberThatWasChangedIsReported) {
  ASSERT_EQ(command("run m.yaml --quiet").exit_code, 0);
  const std::string whole = content("m.h5");
  // Every byte in turn would take long; one in every few hundred meets all parts of the file.
  int damaged = 0;
  const std::string reference = command("show m.h5 --csv").out;
  for (std::size_t at = 0; at < whole.size(); at += 397) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    std::ofstream(file("d.h5"), std::ios::binary) << changed;
    const Outcome o = command("show d.h5 --csv");
    if (o.exit_code != 0) {
      ++damaged;
    } else {
      EXPECT_EQ(o.out, reference) << "byte " << at;
    }
  }
  EXPECT_GT(damaged, 20);
}

}  // namespace
}  // namespace gyrostat::testing
