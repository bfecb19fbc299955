// What the tests of the program share: it is run as a user would run it, and what it prints is looked at.
#pragma once

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/runs.h"

namespace gyrostat::testing {

using nlohmann::json;
using results::ResultsReader;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

/// For a shell.
inline std::string quoted(const std::string& path) { return "'" + path + "'"; }

inline const std::string five_body = quoted(GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml");
inline const std::string ten_body = quoted(GYROSTAT_SOURCE_DIR "/examples/ten_body/ten_body.yaml");

/// A slider-crank in a plane, of joints in space: three of five rows are redundant.
inline const std::string slider_crank = R"yaml(gyrostat: 1
bodies:
  crank: {mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}
  rod: {mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}
  slider: {mass: 3, inertia: [0.01, 0.01, 0.01]}
joints:
  shaft: {type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {angle: 30 deg}}
  pin: {type: revolute, parent: crank, child: rod, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {angle: -44.4775 deg}}
  wrist: {type: revolute, parent: rod, child: slider, parent_point: [1, 0, 0], axis: [0, 0, 1]}
  guide: {type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {displacement: 1.401258}}
environment: {gravity: {uniform: [0, -9.81, 0]}}
simulation: {duration: 0.1}
output: {interval: 0.05, reactions: [wrist]}
)yaml";

/// The accelerations of a model's text, in a fresh directory.
inline Outcome accel(const std::string& text, const std::string& options = "") {
  const Scratch scratch;
  return run("accel " + quoted(scratch.write("m.yaml", text)) + " " + options);
}

}  // namespace gyrostat::testing
