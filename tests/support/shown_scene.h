// The scene of a report, as made from a results file or from the run of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gyrostat/report/scene.h"

#include "support/page.h"
#include "support/runs.h"

namespace gyrostat::testing {

struct Shown {
  std::optional<report::Scene> scene;
  std::vector<std::string> warnings;
  report::Blocks blocks;
  results::ResultsReader results;

  template <class T = double>
  [[nodiscard]] std::vector<T> numbers(const report::Block& block) const {
    return decoded<T>(blocks.texts()[block.number], block.count, block.order, block.parts);
  }
};

inline Shown show(const std::string& path) {
  Shown shown{{}, {}, {}, results::ResultsReader(path)};
  const Loaded loaded = load_text(shown.results.header().model_file, shown.results.header().model_text);
  EXPECT_TRUE(loaded.model);
  report::RecordedColumns columns(shown.results);
  shown.scene = report::scene_of(*loaded.model, columns, shown.blocks, shown.warnings);
  return shown;
}

/// Runs a model, and shows what it recorded.
inline Shown fly(const Scratch& scratch, const std::string& model, const std::string& options = "") {
  scratch.write("m.yaml", model);
  const Outcome o = run_in(scratch.path(), "run --quiet m.yaml " + options);
  EXPECT_EQ(o.exit_code, 0) << o.err;
  return show((scratch.path() / "m.h5").string());
}

}  // namespace gyrostat::testing
