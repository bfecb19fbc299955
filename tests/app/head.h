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

/// The accelerations of a model's text, in a fresh directory.
inline Outcome accel(const std::string& text, const std::string& options = "") {
  const Scratch scratch;
  return run("accel " + quoted(scratch.write("m.yaml", text)) + " " + options);
}

}  // namespace gyrostat::testing
