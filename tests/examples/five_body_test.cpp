// JPL's five-body spacecraft: what its report says of the runs, and a simulator that shares nothing with the library.
#include "examples/five_body_reference.h"
#include "examples/flight.h"

namespace gyrostat::testing {
namespace {

const std::array<std::string, 3> theta = {"theta1", "theta2", "theta3"}, jet = {"jet1", "jet2", "jet3"},
                                 omega = {"base.omega_x", "base.omega_y", "base.omega_z"};
const std::array<std::string, 4> hinge = {"pan", "tilt", "boom_x", "boom_z"};

void expect_like(const Flight& f, const reference::FiveBodyFlight& r, double until, double tolerance) {
  ASSERT_EQ(f.time.size(), r.samples.size());
  for (std::size_t i = 0; i < f.time.size() && f.time[i] <= until; ++i) {
    const reference::FiveBodySample& s = r.samples[i];
    ASSERT_NEAR(f.time[i], s.t, 1e-8);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(f[theta[k]][i], s.theta[k], tolerance) << "at " << s.t;
      EXPECT_NEAR(f[omega[k]][i], s.omega[k], tolerance) << "at " << s.t;
    }
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(f[hinge[k] + ".angle"][i], s.angle[k], tolerance) << "at " << s.t;
  }
}

TEST(FiveBody, JetsHoldTheAttitude) {
  const Flight f = fly("five_body/five_body.yaml");
  // A pulse of 20 ms changes a rate by at most 0.23 x 0.02 / 115 rad/s; over the 2 s of the rate gain that is 0.08
  // mrad.
  for (const std::string& angle : theta) EXPECT_LT(f.peak(angle), 0.005 + 0.00008) << angle;
}

TEST(FiveBody, JetsAboutTheSecondAxisBeginAtFourPointSixSeconds) {
  const Flight f = fly("five_body/five_body.yaml");
  const reference::FiveBodyFlight r = reference::FiveBody::fly(reference::five_body_case1());
  const std::vector<double> second = f.comes_on("jet2");
  ASSERT_FALSE(second.empty());
  EXPECT_NEAR(second.front(), 4.6, 0.05);
  for (std::size_t k = 0; k < 3; ++k) {
    ASSERT_FALSE(f.comes_on(jet[k]).empty());
    EXPECT_NEAR(f.comes_on(jet[k]).front(), r.pulses[k].front(), 1e-4);
    EXPECT_TRUE(k == 1 || f.comes_on(jet[k]).front() > 15);
  }
}

TEST(FiveBody, FliesLikeTheReference) {
  expect_like(fly("five_body/five_body.yaml"), reference::FiveBody::fly(reference::five_body_case1()), 60, 1e-6);
}

TEST(FiveBody, WithoutJetsComesToRest) {
  const Flight f = fly("five_body/case1_uncontrolled.yaml");
  reference::FiveBodyCase c = reference::five_body_case1();
  c.jets = false;
  expect_like(f, reference::FiveBody::fly(c), 60, 1e-7);
  for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"})
    EXPECT_LT(f.peak(name), 1e-6);
  for (const std::string& rate : omega) {
    EXPECT_LT(std::abs(f.mean(rate, 52, 60)), 3e-5) << rate;
    EXPECT_LT(std::abs(f.mean(rate, 52, 60)), 0.05 * f.peak(rate)) << rate;
  }
}

TEST(FiveBody, APrescribedPlatformMovesTheBusLikeAFreeOne) {
  const Flight free = fly("five_body/five_body.yaml"), prescribed = fly("five_body/case1_prescribed.yaml");
  expect_like(prescribed, reference::FiveBody::fly(reference::five_body_case1_prescribed()), 60, 1e-6);
  for (const std::string& angle : theta) EXPECT_LT(difference(free, prescribed, angle), 0.0002) << angle;
  // Away from the starts and stops the rates agree as well.
  for (const std::string& rate : omega) EXPECT_LT(difference(free, prescribed, rate, 3, 18), 0.0002) << rate;
}

TEST(FiveBody, CaseTwoFiresNoJet) {
  const Flight f = fly("five_body/case2.yaml");
  for (const std::string& name : jet) {
    EXPECT_EQ(f.peak(name), 0);
    EXPECT_TRUE(f.comes_on(name).empty());
  }
  expect_like(f, reference::FiveBody::fly(reference::five_body_case2()), 20, 1e-7);
}

TEST(FiveBody, LinearisedCaseTwoIsLikeTheExactOne) {
  const Flight exact = fly("five_body/case2.yaml"), linear = fly("five_body/case2_linear.yaml"),
               fixed = fly("five_body/case2_linear_fixed.yaml");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(difference(exact, linear, theta[k]), 0.03 * exact.peak(theta[k])) << theta[k];
    EXPECT_LT(difference(exact, linear, omega[k]), 0.10 * exact.peak(omega[k])) << omega[k];
    EXPECT_LT(difference(fixed, linear, theta[k]), 1e-9 * exact.peak(theta[k])) << theta[k];
    EXPECT_LT(difference(fixed, linear, omega[k]), 1e-9 * exact.peak(omega[k])) << omega[k];
  }
  for (const std::string& name : jet) EXPECT_EQ(linear.peak(name) + fixed.peak(name), 0);
}

TEST(FiveBody, ALinearisedBoomMakesNoVisibleDifference) {
  const Flight exact = fly("five_body/five_body.yaml"), partial = fly("five_body/case1_boom.yaml");
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(difference(exact, partial, theta[k]), 1e-5 * exact.peak(theta[k])) << theta[k];
    EXPECT_LT(difference(exact, partial, omega[k]), 1e-4 * exact.peak(omega[k])) << omega[k];
  }
}

}  // namespace
}  // namespace gyrostat::testing
