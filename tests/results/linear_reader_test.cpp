// Linear models that are written and read back.
#include "gyrostat/results/linear_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/hdf5/memory_file.h"
#include "gyrostat/results/results.h"

#include "support/load.h"
#include "support/program.h"
#include "support/survives.h"

namespace gyrostat::testing {
namespace linear_reader_test {

using results::read_linear_model;
using results::StoredLinearModel;
using ::testing::HasSubstr;

const std::string text = R"yaml(gyrostat: 1
name: servo
parameters: {k: 4}
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: "torque + 0.1*jet"}}
signals:
  command: "-k*pin.angle - 2.8*pin.rate"
  torque: {delay: {input: command, time: 50 ms}}
  jet: {switching_amplifier: {input: "-pin.angle", deadband: 0.005, hysteresis: 0.001}}
simulation: {duration: 10}
)yaml";

class StoredLinearModels : public ::testing::Test {
 protected:
  StoredLinearModels() : loaded(load(text, {{"k", "5"}})) {
    LinearizeSettings settings;
    settings.inputs = {"bus.torque_z"};
    settings.outputs = {"pin.angle"};
    settings.open = {"command"};
    settings.amplitudes = {{"jet", 0.0052}};
    linear = linearize(*loaded.model, initial_point(*loaded.model), settings);
    origin = {"servo", "m.yaml", text, {"k=5"}, 2};
  }
  [[nodiscard]] std::string bytes() const { return linear_hdf5(linear, state_space(linear, 2), origin); }
  [[nodiscard]] std::string error_of(const std::string& content) const {
    try {
      static_cast<void>(read_linear_model(scratch.write("a.h5", content)));
    } catch (const results::ResultsError& error) {
      return error.what();
    }
    return "no error";
  }

  Scratch scratch;
  Loaded loaded;
  LinearModel linear;
  LinearOrigin origin;
};

TEST_F(StoredLinearModels, AreReadAsTheyWereWritten) {
  const StoredLinearModel stored = read_linear_model(scratch.write("a.h5", bytes()));
  const LinearModel& m = stored.model;
  EXPECT_EQ(m.A, linear.A);
  EXPECT_EQ(m.B, linear.B);
  EXPECT_EQ(m.C, linear.C);
  EXPECT_EQ(m.D, linear.D);
  EXPECT_EQ(m.basis, linear.basis);
  EXPECT_EQ(m.state.q, linear.state.q);
  EXPECT_EQ(m.state.u, linear.state.u);
  EXPECT_EQ(m.rates, linear.rates);
  EXPECT_EQ(m.at_inputs, linear.at_inputs);
  EXPECT_EQ(m.at_outputs, linear.at_outputs);
  EXPECT_EQ(m.speeds, linear.speeds);
  EXPECT_EQ(m.coordinates, linear.coordinates);
  EXPECT_EQ(m.opened, std::vector<std::string>{"command"});
  EXPECT_EQ(m.notes, linear.notes);
  ASSERT_EQ(m.states.size(), linear.states.size());
  EXPECT_EQ(m.states[1].name, "pin.rate");
  EXPECT_EQ(m.states[1].unit, "rad/s");
  ASSERT_EQ(m.channels.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(m.channels[k].signal, linear.channels[k].signal);
    EXPECT_EQ(m.channels[k].kind, linear.channels[k].kind);
    EXPECT_EQ(m.channels[k].time, linear.channels[k].time);
    EXPECT_EQ(m.channels[k].gain, linear.channels[k].gain);
  }
  EXPECT_EQ(stored.origin.model_text, text);
  EXPECT_EQ(stored.origin.model_name, "servo");
  EXPECT_EQ(stored.origin.pade, 2);
  ASSERT_EQ(stored.overrides().size(), 1U);
  EXPECT_EQ(stored.overrides()[0].name, "k");
  EXPECT_EQ(stored.overrides()[0].value, "5");
  EXPECT_EQ(stored.period, 0);
  EXPECT_EQ(stored.space().A, state_space(linear, 2).A);
}

TEST_F(StoredLinearModels, WithoutInputsStatesOfSignalsAndChannels) {
  const LinearModel bare =
      linearize(*loaded.model, initial_point(*loaded.model), {{}, {}, {}, false, {{"jet", 1}}, {}});
  scratch.write("b.h5", linear_hdf5(bare, state_space(bare), origin));
  const StoredLinearModel stored = read_linear_model((scratch.path() / "b.h5").string());
  EXPECT_EQ(stored.model.A, bare.A);
  EXPECT_TRUE(stored.model.inputs.empty());
}

TEST_F(StoredLinearModels, ThatAreSomethingElseAreRefused) {
  EXPECT_THAT(error_of("a text"), HasSubstr("a.h5: is not a Gyrostat linear model"));
  const auto of_format = [](const std::string& format) {
    const hdf5::MemoryFile file;
    file.attribute("format", format);
    return file.bytes();
  };
  EXPECT_THAT(error_of(of_format("gyrostat results 3")),
              HasSubstr("is not a linear model that `gyrostat linearize -o` wrote"));
  EXPECT_THAT(error_of(of_format("gyrostat linear 1")),
              HasSubstr("an earlier version wrote it, without the model that it is of"));
  EXPECT_THROW(read_linear_model("nowhere.h5"), results::ResultsError);
}

TEST_F(StoredLinearModels, ThatAreDamagedAreRefused) {
  const std::string whole = bytes();
  EXPECT_THAT(error_of(whole.substr(0, whole.size() / 2)), HasSubstr("damaged"));
  linear.speeds.push_back(99);
  EXPECT_THAT(error_of(bytes()), HasSubstr("'/speeds' has others than there are"));
  linear.speeds = {0};
  linear.opened = {"nothing"};
  EXPECT_THAT(error_of(bytes()), HasSubstr("'/opened' has signals that are no inputs"));
  linear.opened = {"command"};
  linear.basis.resize(3, 3);
  linear.basis.setZero();
  EXPECT_THAT(error_of(bytes()), HasSubstr("'/basis' is not a matrix of 1 rows and 1 columns"));
  linear.basis = Eigen::MatrixXd::Identity(1, 1);
  EXPECT_EQ(error_of(bytes()), "no error");
  linear.A(0, 0) = std::nan("");
  EXPECT_THAT(error_of(bytes()), HasSubstr("'/channels/A' has values that are not finite"));
}

TEST_F(StoredLinearModels, WithAnyByteChangedGiveAnErrorOrNumbers) {
  const std::string whole = bytes();
  EXPECT_TRUE(survives([&] {
    for (std::size_t at = 0; at < whole.size(); at += 37) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 0x41);
      static_cast<void>(error_of(changed));
    }
  }));
}

}  // namespace linear_reader_test
}  // namespace gyrostat::testing
