// The cat turns over without anything to push against: what the thesis tells of it (section 4.3, Figs. 4.8 to 4.12).
#include <numbers>

#include "examples/flight.h"

namespace gyrostat::testing {
namespace cat_test {

constexpr double pi = std::numbers::pi;
const std::vector<std::string> parts = {"chest",    "neck",     "head",      "waist", "hips",
                                        "forelegs", "hindlegs", "tail_root", "tail"};

/// One flight for all tests, with what they need to know of each body.
const Flight& cat() {
  static const Flight flight = [] {
    Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/cat/cat.yaml");
    if (!loaded.model) throw std::runtime_error(problems_of(loaded));
    std::vector<std::string>& record = loaded.model->description.output.record.emplace();
    for (const std::string& part : parts) {
      for (const char* q : {".omega_*", ".velocity_*", ".position_*", ".C??"}) record.push_back(part + q);
    }
    for (const char* name : {"chest_turned", "hips_turned", "neck_turned", "index", "stage2", "worst", "*_torque",
                             "spine.angle2", "tail_turn.angle", "shoulder.angle", "hip.angle", "system.momentum_*"}) {
      record.emplace_back(name);
    }
    return Flight(std::move(loaded), {}, Flight::Expect::finish);
  }();
  return flight;
}

Vector3 vector(const std::string& name, std::size_t k) {
  return {cat()[name + "_x"][k], cat()[name + "_y"][k], cat()[name + "_z"][k]};
}

std::size_t record_at(double t) {
  const auto& time = cat().time;
  return static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), t - 1e-9) - time.begin());
}

/// The angular momentum of each body about the mass centre of all.
std::vector<Vector3> momenta(std::size_t k) {
  const System& system = cat().loaded.model->system;
  double mass = 0;
  Vector3 centre = Vector3::Zero(), velocity = Vector3::Zero();
  for (const std::string& part : parts) {
    const double m = system.bodies[system.body(part)].mass_properties.mass;
    mass += m, centre += m * vector(part + ".position", k), velocity += m * vector(part + ".velocity", k);
  }
  std::vector<Vector3> all;
  for (const std::string& part : parts) {
    const MassProperties& of = system.bodies[system.body(part)].mass_properties;
    Matrix3 C;  // R_BN
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) C(i, j) = cat()[part + ".C" + std::to_string(i + 1) + std::to_string(j + 1)][k];
    }
    const Vector3 spin = C.transpose() * (of.inertia * vector(part + ".omega", k));
    all.push_back(spin + of.mass * (vector(part + ".position", k) - centre / mass)
                                       .cross(vector(part + ".velocity", k) - velocity / mass));
  }
  return all;
}

TEST(Cat, TurnsByHalfATurnInNineTenthsOfASecond) {
  EXPECT_NEAR(cat().time.back(), 0.9, 1e-12);
  EXPECT_NEAR(cat()["chest_turned"].back(), pi, 0.05);
  EXPECT_NEAR(cat()["hips_turned"].back(), pi, 0.05);
  EXPECT_NEAR(cat()["neck_turned"].back(), pi, 0.1);
}

TEST(Cat, BeginsWithItsLegsUpAndEndsWithItsLegsDown) {  // direction of z of a limb, towards its paws
  for (const char* legs : {"forelegs", "hindlegs"}) {
    EXPECT_GT(cat()[std::string(legs) + ".C33"].front(), 0.9);
    EXPECT_LT(cat()[std::string(legs) + ".C33"].back(), -0.7);
  }
}

TEST(Cat, HasNoAngularMomentumAtAnyTime) {
  for (std::size_t k = 1; k < cat().time.size(); ++k) {
    Vector3 total = Vector3::Zero();
    double magnitudes = 0;
    for (const Vector3& h : momenta(k)) total += h, magnitudes += h.norm();
    EXPECT_GT(magnitudes, 1e-3);
    EXPECT_LT(total.norm(), 1e-12 * magnitudes) << "at " << cat().time[k];
    EXPECT_LT(vector("system.momentum", k).norm(), 1e-12 * magnitudes);
  }
}

TEST(Cat, ItsPartsDoHaveMomentum) {
  double largest = 0;
  for (std::size_t k = 0; k < cat().time.size(); ++k) {
    for (const Vector3& h : momenta(k)) largest = std::max(largest, h.norm());
  }
  EXPECT_GT(largest, 0.1);
}

TEST(Cat, IsBowedAtTheStartStraightInBetweenAndBowedAtTheEnd) {
  const auto& bend = cat()["spine.angle2"];
  EXPECT_NEAR(bend.front(), -pi / 3, 1e-9);
  EXPECT_GT(*std::max_element(bend.begin(), bend.end()), 0.1);
  EXPECT_NEAR(bend.back(), -pi / 3, 0.1);
}

TEST(Cat, StageTwoBeginsWhenTheIndexFallsBelowItsThreshold) {
  const auto set = std::find_if(cat().events.begin(), cat().events.end(),
                                [](const RecordedEvent& e) { return e.change.name == "signals.stage2"; });
  ASSERT_NE(set, cat().events.end());
  EXPECT_NEAR(set->t, 0.3136, 1e-3);
  const auto &index = cat()["index"], &stage = cat()["stage2"];
  for (std::size_t k = 0; k < index.size(); ++k) {
    EXPECT_EQ(stage[k], cat().time[k] >= set->t ? 1 : 0);
    if (stage[k] == 0) {
      EXPECT_GT(index[k], 4.3);
    }
  }
  EXPECT_LT(index.back(), 0.3);
}

TEST(Cat, InStageOneTheTailAlternatesAtFullTorqueAndTheOthersAreFlat) {
  bool positive = false, negative = false;
  const std::size_t end = record_at(0.31);
  for (std::size_t k = 1; k < end; ++k) {
    EXPECT_EQ(cat()["worst"][k], 3);
    EXPECT_DOUBLE_EQ(std::abs(cat()["tail_turn_torque"][k]), 0.926);
    (cat()["tail_turn_torque"][k] > 0 ? positive : negative) = true;
    EXPECT_DOUBLE_EQ(cat()["twist_torque"][k], 0.8);
    EXPECT_DOUBLE_EQ(cat()["spine_torque"][k], -3.2 * 0.8);
  }
  EXPECT_TRUE(positive && negative);
}

TEST(Cat, InStageTwoTheNapeIsAtItsBoundMostOfTheTime) {
  const std::size_t begin = record_at(0.35), count = cat().time.size() - begin;
  std::size_t nape = 0, tail = 0;
  for (std::size_t k = begin; k < cat().time.size(); ++k) {
    nape += std::abs(cat()["nape_torque"][k]) > 0.9259 ? 1 : 0;
    tail += std::abs(cat()["tail_turn_torque"][k]) > 0.9259 ? 1 : 0;
  }
  EXPECT_GT(nape, count * 8 / 10);
  EXPECT_LT(tail, count * 7 / 10);
  EXPECT_DOUBLE_EQ(cat()["twist_torque"].back(), 0.8);  // it keeps what it had
}

TEST(Cat, TheTailTurnsLikeAPropeller) { EXPECT_GT(std::abs(cat()["tail_turn.angle"].back()), 6); }

TEST(Cat, TheLegsAlignWithTheTorsoWhileItTurns) {  // it turns faster as its moment of inertia is smaller
  const auto &fore = cat()["shoulder.angle"], &hind = cat()["hip.angle"];
  EXPECT_LT(*std::min_element(fore.begin(), fore.end()), -1.2);
  EXPECT_GT(*std::max_element(hind.begin(), hind.end()), 1.2);
}

TEST(Cat, TheSpineNeedsEnoughTorqueToUnbend) {
  const Flight weak = fly("cat/cat.yaml", {{"ratio_spine", "-2.4"}});
  EXPECT_EQ(weak["stage2"].back(), 0);
  EXPECT_GT(weak["index"].back(), 4.3);
}

/// The ratios that another simulation of the deck found (README.md): the hips turn by half a turn, the chest misses it
/// by a little more than with ours; less with the limit of stage 2 as it is printed.
TEST(Cat, TurnsWithTheRatiosOfAnotherSimulationAsWell) {
  for (const auto& [limit, chest] : {std::pair("0.926", 3.268), std::pair("9.26", 3.078)}) {
    SCOPED_TRACE(limit);
    const Flight other = fly("cat/cat.yaml", {{"ratio_spine", "-3.4"},
                                              {"ratio_forelegs", "2.4"},
                                              {"ratio_hindlegs", "-4.3"},
                                              {"ratio_tail", "2.5"},
                                              {"fine_limit", limit}});
    EXPECT_EQ(other["stage2"].back(), 1);
    EXPECT_NEAR(other["hips_turned"].back(), pi, 0.02);
    EXPECT_NEAR(other["chest_turned"].back(), chest, 0.005);
    EXPECT_GT(std::abs(other["chest_turned"].back() - pi), std::abs(cat()["chest_turned"].back() - pi));
  }
}

}  // namespace cat_test
}  // namespace gyrostat::testing
