// Models made of decks: they are valid, move as the decks say, and the cat's flies as examples/cat does.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/import/dasc_model.h"

#include "support/flight.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace model_test {

dasc::ModelText model_of(const std::string& text) {
  const Source source("deck", text);
  Problems problems;
  const auto deck = dasc::read_deck(source, problems);
  if (!deck) throw std::runtime_error(problems.all().front().message);
  return dasc::model_text(*deck, "deck");
}

/// With another end of the run.
Flight fly(const std::string& deck, double duration) {
  const std::string text = model_of(deck).text;
  EXPECT_EQ(problems_of(text), "");
  return Flight(
      text, [&](RunSettings& settings) { settings.until = duration; }, Flight::Expect::finish);
}

const std::string cat_deck = slurp(GYROSTAT_SOURCE_DIR "/examples/cat/cat.deck");

TEST(DascModel, OfTheCatIsValidAndSaysWhatIsOtherwise) {
  const dasc::ModelText made = model_of(cat_deck);
  EXPECT_EQ(problems_of(made.text), "");
  EXPECT_EQ(made.notes.size(), 7U) << "four universal springs, three of the control";
}

TEST(DascModel, OfTheCatFliesAsTheExampleDoes) {
  const Flight deck = fly(cat_deck, 0.6);
  Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/cat/cat.yaml");
  const Flight cat(
      std::move(loaded), [](RunSettings& s) { s.until = 0.6, s.integrator.tolerance = 1e-10; }, Flight::Expect::finish);
  const std::vector<std::pair<std::string, std::string>> same = {{"base.omega_x", "base.omega_x"},
                                                                 {"base.quaternion_x", "base.quaternion_x"},
                                                                 {"joint1.angle2", "nape.angle2"},
                                                                 {"joint3.angle", "twist.angle"},
                                                                 {"joint4.angle2", "spine.angle2"},
                                                                 {"joint4.angle1", "spine.angle1"},
                                                                 {"joint6.angle", "shoulder.angle"},
                                                                 {"joint7.angle", "hip.angle"},
                                                                 {"joint5.angle", "tail_turn.angle"},
                                                                 {"turned4", "chest_turned"},
                                                                 {"turned7", "hips_turned"},
                                                                 {"index", "index"},
                                                                 {"stage2", "stage2"},
                                                                 {"actuator7", "tail_turn_torque"},
                                                                 {"actuator1", "nape_torque"},
                                                                 {"actuator5", "spine_torque"}};
  ASSERT_EQ(deck.time.size(), cat.time.size());
  for (const auto& [of_deck, of_cat] : same) {
    const auto a = deck.values(of_deck), b = cat.values(of_cat);
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-5) << of_deck << " at " << cat.time[k];
  }
  EXPECT_EQ(deck["stage2"].back(), 1);
}

/// Two bodies; the second is a ground at [0, 0, 2].
std::string hung(const std::string& joint, const std::string& more,
                 const std::string& first = "0. 0. 1. 0. 0. 0.\n6*0.") {
  return "SYSTEM\n2 1 1. 2 1 1.E-9\n2\n0. 1. 0.01 1\nBODY\n" + first +
         "\n2. 0.5 0.6 0.7\n0. 0. 2. 0. 0. 0.\n6*0.\n1. 1. 1. 1.\nJOINT\n" + joint + more + "END\n";
}

TEST(DascModel, ATranslationalSpringOnATranslationalJointSwingsUnderGravity) {  // k = 50 N/m, 2 kg, 1 m long at rest
  const Flight f = fly(hung("2 1 1\n0. 0. -0.5 0. 0. 0.5\n0. 0. -1.5 0. 0. -0.5\n1. 0. -0.5 0. 1. -0.5\n",
                            "SDA\n1\n2 1 0 1 0 0 0 50. 0. 0. 1.\n0. 0. 0. 0. 0. 0.\n"),
                       1);
  for (std::size_t k = 0; k < f.time.size(); ++k) {
    const double drop = 2 * 9.8066 / 50 * (1 - std::cos(5 * f.time[k]));
    EXPECT_NEAR(f["joint1.displacement"][k], drop, 1e-8);
  }
}

TEST(DascModel, ARevoluteJointIsAPendulumWithATorsionSpring) {  // I = 0.6 + 2 = 2.6, k = 30, small swings under gravity
  const Flight f = fly(hung("2 1 2\n0. 0. 0. 0. 0. 1.\n0. 1. 0. 0. 1. 1.\n",
                            "SDA\n1\n2 1 1 2 0 0 0 30. 0. 0. 0.\n1. 0. 0. 1. 0. 1.\n0. 1. 0. 0. -1. 0.\n",
                            "-0.001 0. 1. 0. 0.001 0.\n6*0."),
                       1);
  const double w = std::sqrt((30 + 2 * 9.8066) / 2.6);
  EXPECT_NEAR(f["joint1.angle"].front(), 0.001, 1e-9);
  for (std::size_t k = 0; k < f.time.size(); ++k)
    EXPECT_NEAR(f["joint1.angle"][k], 0.001 * std::cos(w * f.time[k]), 1e-8);
}

TEST(DascModel, AGearIsAHingeWithAGivenAcceleration) {  // arms 0.5 along z and 1 along x: the axis is y
  const std::string joint = "2 1 4\n0. 0. -0.5 1. 0. 0.\n";
  const Flight f = fly(hung(joint, "FORCE\n0\n0 3.\n", "-1. 0. 1.5 0. 0. 0.\n6*0."), 1);
  EXPECT_NEAR(std::abs(f["joint1.angle"].back()), 1.5, 1e-8);
  EXPECT_NEAR(std::abs(f["joint1.rate"].back()), 3, 1e-8);
}

TEST(DascModel, ForcesMayBeOfTheWorldOrOfTheBodyAndFollowCurves) {
  const std::string head =
      "SYSTEM\n1 0 0. 2 0 1.E-9\n0. 1. 0.01 1\nBODY\n0. 0. 0. 0. 0. 1.5707963268\n6*0.\n2. 1. 1. 1.\nFORCE\n2\n";
  const std::string curves = "CURVE\n1\n2\n0. 1.\n0. 4.\nEND\n";
  const Flight f = fly(head + "1 1 1 2 0 6.\n3*0. 1. 0. 0.\n1 1 1 1 1 0.\n3*0. 1. 0. 0.\n" + curves, 1);
  EXPECT_NEAR(f["base.position_y"].back(), 1.5, 1e-8);       // 6 N along the body's x, which is y
  EXPECT_NEAR(f["base.position_x"].back(), 4.0 / 12, 1e-8);  // 4 t N along x of the world: t^3/3
}

TEST(DascModel, FunctionsOfTimeBeginWithTheRun) {  // from t = 1: cos(t + 1)
  const std::string head = "SYSTEM\n1 0 0. 2 0 1.E-9\n1. 2. 0.01 1\nBODY\n6*0.\n6*0.\n1. 1. 1. 1.\nFORCE\n1\n";
  const Flight f = fly(head + "1 1 1 1 -2 0.\n3*0. 0. 0. 1.\nEND\n", 1);
  EXPECT_NEAR(f["base.velocity_z"].back(), std::sin(2.0) - std::sin(1.0), 1e-8);
}

TEST(DascModel, RatesFollowFromTheVelocitiesOfTheBodies) {
  const Flight f =
      fly("SYSTEM\n2 1 0. 2 0 1.E-9\n0. 1. 0.01 1\nBODY\n6*0.\n0. 0. 0. 0.3 0. 0.\n2. 1. 1. 1.\n"
          "1. 0. 0. 0.7 0. 0.\n0. 0. 0. 1. 0. 0.\n2. 1. 1. 1.\nJOINT\n1 2 2\n0.5 0. 0. -0.5 0. 0.\n1.5 0. 0. 0.5 0. "
          "0.\nEND\n",
          1);
  EXPECT_NEAR(f["joint1.angle"].front(), 0.7, 1e-9);
  EXPECT_NEAR(f["joint1.rate"].front(), 0.7, 1e-9);
  EXPECT_NEAR(f["base.omega_x"].front(), 0.3, 1e-9);
}

TEST(DascModel, SphericalAndUniversalJointsStartWhereTheBodiesAre) {
  for (const std::string type : {"3\n0.5 0. 0. -0.5 0. 0.", "5\n0.5 0. 0. -0.5 0. 0.\n0.5 0. 1. -0.5 1. 0."}) {
    // J is turned by Rz(0.4) Ry(0.3), as Bryant angles of xyz order
    const Matrix3 R = rotation_about(Vector3::UnitZ(), 0.4) * rotation_about(Vector3::UnitY(), 0.3);
    const double a2 = std::asin(R(0, 2)), a1 = std::atan2(-R(1, 2), R(2, 2)), a3 = std::atan2(-R(0, 1), R(0, 0));
    const Vector3 p = Vector3(0.5, 0, 0) + R * Vector3(0.5, 0, 0);
    const std::string second = fmt::format("{} {} {} {} {} {}\n6*0.\n2. 1. 1. 1.\n", p.x(), p.y(), p.z(), a1, a2, a3);
    Loaded loaded = load(model_of("SYSTEM\n2 1 0. 2 0 1.E-9\n0. 1. 0.01 1\nBODY\n6*0.\n6*0.\n2. 1. 1. 1.\n" + second +
                                  "JOINT\n1 2 " + type + "\nEND\n")
                             .text);
    ASSERT_TRUE(loaded.model) << problems_of(loaded);
    loaded.model->description.output.record = {"body2.C??", "body2.position_*"};
    const Flight f(std::move(loaded));
    EXPECT_NEAR(f["body2.C11"].front(), R(0, 0), 1e-9);
    EXPECT_NEAR(f["body2.C31"].front(), R(0, 2), 1e-9);
    EXPECT_NEAR(f["body2.position_y"].front(), p.y(), 1e-9);
  }
}

TEST(DascModel, ALoopIsWrittenAsOneMoreJoint) {
  const std::string bodies =
      "0. 0. 0. 0. 0. 0.\n6*0.\n4*1.\n1. 0. 0. 0. 0. 0.\n6*0.\n4*1.\n1. 1. 0. 0. 0. 0.\n6*0.\n4*1.\n";
  const std::string text =
      model_of("SYSTEM\n3 3 0. 2 0 0.\n0. 1. 0.01 1\nBODY\n" + bodies +
               "JOINT\n1 2 2\n1. 0. 0. 0. 0. 0.\n1. 0. 1. 0. 0. 1.\n2 3 2\n0. 1. 0. 0. 0. 0.\n0. 1. 1. 0. 0. 1.\n"
               "3 1 3\n-1. -1. 0. 0. 0. 0.\nEND\n")
          .text;
  const Loaded loaded = load(text);
  EXPECT_EQ(loaded.problems.errors(), 0U) << problems_of(loaded);
  ASSERT_TRUE(loaded.model);
  EXPECT_EQ(loaded.model->system.constraints.size(), 1U);
}

}  // namespace model_test
}  // namespace gyrostat::testing
