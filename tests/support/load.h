// Model texts in tests, and what is said about them.
#pragma once

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/model/load.h"

namespace gyrostat::testing {

inline Loaded load(const std::string& text, const std::vector<Override>& overrides = {}) {
  return load_text("m.yaml", text, overrides);
}

/// All problems as the program prints their first lines: "m.yaml:3:5: error: bodies.a.mass: ...".
inline std::string problems_of(const Loaded& loaded) {
  std::string text;
  for (const Problem& problem : loaded.problems.all()) {
    const std::string rendered = render(problem, loaded.source, false);
    text += rendered.substr(0, rendered.find('\n') + 1);
  }
  return text;
}

inline std::string problems_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  return problems_of(load(text, overrides));
}

}  // namespace gyrostat::testing
