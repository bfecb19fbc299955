// trim, linearize, modes, margins, bode, nichols, step.
#include <regex>

#include "app/head.h"

namespace gyrostat::testing {
namespace linear_test {

const std::string servo = R"yaml(gyrostat: 1
name: servo
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque}}
signals:
  command: "-4*pin.angle - 2.8*pin.rate"
  torque: {delay: {input: command, time: 50 ms}}
simulation: {duration: 10}
)yaml";
const std::string jets = R"yaml(gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: "0.1*jet"}}
signals:
  jet: {switching_amplifier: {input: "-pin.angle - 2*pin.rate", deadband: 0.005}}
  bent: "abs(pin.angle)"
simulation: {duration: 10}
)yaml";

class Linear : public ::testing::Test {
 protected:
  Linear() {
    scratch.write("servo.yaml", servo);
    scratch.write("jets.yaml", jets);
  }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, 2) << arguments;
    EXPECT_THAT(o.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(o.out, "") << arguments;
  }

  Scratch scratch;
};

TEST_F(Linear, ModelsAreWrittenInEveryFormat) {
  for (const char* name : {"a.json", "a.h5", "a.mat", "a.m", "a.csv"}) {
    const std::string arguments =
        std::string("linearize servo.yaml --inputs pin.torque --outputs pin.angle,bus.omega_z -o ") + name;
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_THAT(o.out, HasSubstr(std::string(name) + ": written, 5 states, 1 input, 2 outputs"));
    EXPECT_EQ(command(arguments).exit_code, 0) << "it is replaced";
    scratch.write(name, "something else");
    EXPECT_THAT(command(arguments).err, HasSubstr("is not a linear model that Gyrostat wrote"));
    EXPECT_EQ(command(arguments + " --force").exit_code, 0);
  }
  const json model = json::parse(slurp(scratch.path() / "a.json"));
  EXPECT_EQ(model["format"], "gyrostat linear 1");
  EXPECT_EQ(model["A"][0], (json{0, 1, 0, 0, 0}));
  EXPECT_EQ(model["second_order"]["M"][0][0], 2);
  EXPECT_EQ(model["channels"][0]["kind"], "delay");
  EXPECT_THAT(slurp(scratch.path() / "a.csv"), StartsWith("gyrostat linear 1,pin.angle,pin.rate,torque.pade1"));
  EXPECT_THAT(slurp(scratch.path() / "a.m"), HasSubstr("inputs = {'pin.torque'};"));
}

TEST_F(Linear, CommandsAnswerInJsonToo) {
  const json modes = json::parse(command("modes servo.yaml --json").out);
  EXPECT_EQ(modes["modes"].size(), 3U);
  EXPECT_EQ(modes["zero_eigenvalues"], 0);
  const json margins = json::parse(command("margins servo.yaml --open command --json").out);
  EXPECT_NEAR(margins["loops"][0]["delay"]["time"], 0.4511, 1e-4);
  EXPECT_EQ(margins["loops"][0]["closed_loop_stable"], true);
  const json bode = json::parse(command("bode servo.yaml --from pin.torque --to pin.angle --json").out);
  EXPECT_NEAR(bode["real"][0], 0.25, 1e-2);  // the static gain
  const json step = json::parse(command("step servo.yaml --from pin.torque --to pin.angle --range 0:60 --json").out);
  EXPECT_NEAR(step["value"].back(), 0.25, 1e-9);
  const json trim = json::parse(command("trim servo.yaml --json").out);
  EXPECT_EQ(trim["found"], true);
}

TEST_F(Linear, PicturesAndTablesOfResponses) {
  for (const char* name : {"b.svg", "b.png", "b.csv"}) {
    for (const char* what : {"bode", "nichols"}) {
      const Outcome o = command(std::string(what) + " servo.yaml --open command --force -o " + name);
      EXPECT_EQ(o.exit_code, 0) << o.err;
      EXPECT_THAT(o.out, HasSubstr(std::string(name) + ": written"));
    }
  }
  EXPECT_THAT(slurp(scratch.path() / "b.svg"), HasSubstr("Gyrostat"));
  EXPECT_EQ(command("step servo.yaml --from pin.torque --to pin.angle -o step.svg").exit_code, 0);
}

TEST_F(Linear, ARootLocusVariesAParameter) {
  scratch.write("varied.yaml", "parameters: {k: 4}\n" + std::regex_replace(servo, std::regex("-4\\*"), "-k*"));
  const json locus = json::parse(command("rootlocus varied.yaml --vary k=0:8:5 --json").out);
  EXPECT_EQ(locus["branches"].size(), 5U);
  EXPECT_EQ(locus["values"].front(), 0);
  EXPECT_EQ(locus["values"].back(), 8);
  EXPECT_EQ(command("rootlocus varied.yaml --vary k=0:8 -o locus.svg").exit_code, 0);
  EXPECT_EQ(command("rootlocus varied.yaml --vary k=0:8 -o locus.csv").exit_code, 0);
  expect_refused("rootlocus varied.yaml --vary k=0", "expected NAME=FROM:TO");
  expect_refused("rootlocus varied.yaml --vary k=0:1:0", "expected NAME=FROM:TO");
  expect_refused("rootlocus varied.yaml --vary k=0:1 -o a.txt", "a name ends with .csv");
}

TEST_F(Linear, SaysWhatIsWrong) {
  expect_refused("linearize servo.yaml --inputs pin.torqe", "no input 'pin.torqe'; did you mean 'pin.torque'?");
  expect_refused("linearize servo.yaml --inputs pin.angle", "which is a result of the motion");
  expect_refused("linearize servo.yaml --outputs 'pin.angle +'", "output 'pin.angle +'");
  expect_refused("linearize servo.yaml --outputs bus.omga_x", "did you mean");
  expect_refused("linearize servo.yaml --inputs ,", "--inputs: a name is empty");
  expect_refused("linearize servo.yaml --inputs command,command", "'command' is given twice");
  expect_refused("linearize servo.yaml --open pin.torque", "a loop is opened at a signal, and 'pin.torque' is a force");
  expect_refused("linearize servo.yaml -o a.txt", "ends with .h5, .json, .mat, .m or .csv");
  expect_refused("linearize servo.yaml --pade 9", "an order from 1 to 8, not 9");
  expect_refused("linearize servo.yaml --discrete", "nothing is sampled");
  expect_refused("linearize servo.yaml --at -1", "--at: a time is zero or positive");
  expect_refused("linearize servo.yaml --hold pin", "--steady and --hold say how to trim: add --trim");
  expect_refused("modes jets.yaml",
                 "signals.jet: a switching amplifier has no derivative; say what stands for it: --gain jet=K");
  expect_refused("modes jets.yaml --gain jet", "--gain jet: expected SIGNAL=NUMBER");
  expect_refused("modes jets.yaml --gain jett=1", "did you mean 'jet'?");
  expect_refused("modes jets.yaml --gain bent=1", "a gain stands for a switching_amplifier");
  expect_refused("modes jets.yaml --describe jet=-1", "an amplitude is positive");
  expect_refused("modes servo.yaml --describe torque=1", "it is no switching_amplifier");
  expect_refused("linearize jets.yaml --gain jet=1 --outputs bent", "bent: abs is at its threshold");
  expect_refused("margins servo.yaml", "name the signals at which to open them with --open");
  expect_refused("bode servo.yaml --from pin.torque", "name an input with --from and an output with --to");
  expect_refused("bode servo.yaml --open command --range 5:1", "frequencies go from a positive one to a larger one");
  expect_refused("bode servo.yaml --open command --range 5", "expected LOW:HIGH");
  expect_refused("trim servo.yaml --steady circle", "--steady circle: expected rest, orbit, spin");
  expect_refused("trim servo.yaml --hold pni", "no state has this name");
}

}  // namespace linear_test
}  // namespace gyrostat::testing
