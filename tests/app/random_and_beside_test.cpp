// psd, and run --linear.
#include "app/head.h"

namespace gyrostat::testing {
namespace random_and_beside_test {

const std::string servo = R"yaml(gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque, initial: {angle: 0.1}}}
signals:
  gyro: {noise: {seed: 3, std: 0.01, period: 20 ms}}
  command: "-4*pin.angle - 2.8*(pin.rate + gyro)"
  torque: {delay: {input: command, time: 50 ms}}
simulation: {duration: 2}
output: {interval: 0.1}
)yaml";
const std::string quiet = R"yaml(gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], stiffness: 8, damping: 0.4, initial: {angle: 0.1}}}
simulation: {duration: 2}
output: {interval: 0.1}
)yaml";

class RandomAndBeside : public ::testing::Test {
 protected:
  RandomAndBeside() {
    scratch.write("servo.yaml", servo);
    scratch.write("quiet.yaml", quiet);
  }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  void expect_refused(const std::string& arguments, const std::string& message, int code = 2) const {
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, code) << arguments;
    EXPECT_THAT(o.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(o.out, "") << arguments;
  }

  Scratch scratch;
};

TEST_F(RandomAndBeside, PsdTellsRmsBySourceAndByMode) {
  const Outcome o = command("psd servo.yaml --trim --to pin.angle,pin.rate --spectrum bus.torque_z=1e-5");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("pin.angle: rms 0.00099846 rad, from 0 to infinity"));
  EXPECT_THAT(o.out, HasSubstr("75.82 %  gyro"));
  EXPECT_THAT(o.out, HasSubstr("0.23338 Hz, damping 0.4752, pin 96 %"));
  // G/(4 c k) of the oscillator
  const json answer = json::parse(command("psd quiet.yaml --to pin.angle --spectrum pin.torque=0.02 --json").out);
  EXPECT_NEAR(answer["outputs"][0]["rms"], std::sqrt(0.02 / (4 * 0.4 * 8)), 1e-9);
  EXPECT_EQ(answer["to"], nullptr);
  EXPECT_EQ(answer["outputs"][0]["unit"], "rad");
  EXPECT_EQ(answer["frequency"].size(), answer["outputs"][0]["density"].size());
}

TEST_F(RandomAndBeside, PsdReadsSpectraAndWritesTablesAndPictures) {
  scratch.write("wheel.csv", "frequency,density\n# of the wheel\n0.1,1e-6\n\n10, 1e-6\n");
  const json tabulated =
      json::parse(command("psd quiet.yaml --to pin.angle --spectrum pin.torque=wheel.csv --range 0.1:10 --json").out);
  const json white =
      json::parse(command("psd quiet.yaml --to pin.angle --spectrum pin.torque=1e-6 --range 0.1:10 --json").out);
  EXPECT_NEAR(tabulated["outputs"][0]["rms"].get<double>() / white["outputs"][0]["rms"].get<double>(), 1, 1e-9);
  EXPECT_EQ(command("psd servo.yaml --trim --to pin.angle -o a.csv").exit_code, 0);
  EXPECT_THAT(slurp(scratch.path() / "a.csv"),
              StartsWith("frequency,\"pin.angle\"  # gyrostat linear 1: Hz, (rad)^2/Hz\n"));
  for (const char* name : {"a.svg", "a.png"}) {
    EXPECT_EQ(command(std::string("psd servo.yaml --trim --to pin.angle,pin.rate -o ") + name).exit_code, 0) << name;
  }
  EXPECT_THAT(slurp(scratch.path() / "a.svg"), HasSubstr("frequency [Hz]"));
}

TEST_F(RandomAndBeside, PsdSaysWhatIsWrong) {
  expect_refused("psd quiet.yaml --to pin.angle", "no noise block; name an input and its density with --spectrum");
  expect_refused("psd servo.yaml --to pin.angel", "pin.angel");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torqe=1", "pin.torqe");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque", "expected INPUT=DENSITY");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=-1", "a density is not negative");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=none.csv", "none.csv: cannot be read");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=1,pin.torque=2", "is given twice");
  expect_refused("psd servo.yaml --to pin.angle --range 3", "expected LOW:HIGH");
  expect_refused("psd servo.yaml --to pin.angle --range 5:2", "to a larger one, in Hz");
  expect_refused("psd servo.yaml --to pin.angle -o a.txt", "a.txt");
  scratch.write("bad.csv", "1,2\n1,3\n");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=bad.csv", "bad.csv:2: frequencies increase");
  scratch.write("bad.csv", "1,2\n2,x\n");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=bad.csv",
                 "bad.csv:2: expected FREQUENCY,DENSITY");
  scratch.write("bad.csv", "1,2\n");
  expect_refused("psd quiet.yaml --to pin.angle --spectrum pin.torque=bad.csv", "two lines");
  EXPECT_THAT(command("psd servo.yaml").err, HasSubstr("--to"));
}

TEST_F(RandomAndBeside, RunsRecordWhatTheLinearModelPredicts) {
  const Outcome o = command("run servo.yaml --linear -o a.h5");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("linear model                  difference    of a range"));
  const json answer = json::parse(command("run servo.yaml --linear --about rest -o b.h5 --json").out);
  // Pade's approximation of the delay of noise is what is left
  EXPECT_LT(answer["linear"]["differences"]["pin.angle"]["largest"], 1e-4);
  EXPECT_NEAR(answer["linear"]["differences"]["pin.angle"]["highest"], 0.1, 1e-3);
  const Outcome shown = command("show b.h5 pin.angle linear/pin.angle difference/pin.angle --at 1");
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  // two runs are the same bits
  EXPECT_EQ(command("run servo.yaml --linear --about rest -o c.h5 --quiet").exit_code, 0);
  EXPECT_EQ(command("compare b.h5 c.h5 --tolerance 0").exit_code, 0);
  // and the simulation is as without
  EXPECT_EQ(command("run servo.yaml -o d.h5 --quiet").exit_code, 0);
  EXPECT_EQ(command("compare b.h5 d.h5 --tolerance 0 pin.angle pin.rate command").exit_code, 0);
}

TEST_F(RandomAndBeside, RunsWithALinearModelSayWhatTheyCannotDo) {
  EXPECT_EQ(command("run servo.yaml --linear -o a.h5 --quiet").exit_code, 0);
  expect_refused("resume a.h5 --until 3", "was run with --linear");
  expect_refused("run servo.yaml --linear --checkpoint 1", "cannot be resumed");
  expect_refused("run servo.yaml --linear --about none.json", "none.json");
  expect_refused("run servo.yaml --linear --about spin", "nothing that could spin");
  EXPECT_THAT(command("run servo.yaml --about rest").err, HasSubstr("--linear"));
  EXPECT_THAT(command("run servo.yaml --gain torque=1").err, HasSubstr("--linear"));
  scratch.write("jets.yaml", R"yaml(gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: "0.1*jet", initial: {angle: 0.1}}}
signals: {jet: {switching_amplifier: {input: "-pin.angle - 2*pin.rate", deadband: 0.005, min_on_time: 20 ms}}}
simulation: {duration: 2}
)yaml");
  expect_refused("run jets.yaml --linear", "signals.jet: a switching amplifier has no derivative");
  EXPECT_EQ(command("run jets.yaml --linear --gain jet=10").exit_code, 0);
}

}  // namespace random_and_beside_test
}  // namespace gyrostat::testing
