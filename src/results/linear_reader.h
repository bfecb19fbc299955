// Linear models in HDF5 files, read back.
#pragma once

#include <string>

#include "gyrostat/analysis/linear_file.h"
#include "gyrostat/format/read.h"

namespace gyrostat::results {

struct StoredLinearModel {
  LinearModel model;  // with its channels; without its second-order form
  LinearOrigin origin;
  double period = 0;  // of a model in discrete time [s]; 0: continuous time

  [[nodiscard]] StateSpace space() const {
    return period == 0 ? state_space(model, origin.pade) : discrete_state_space(model, origin.pade);
  }
  [[nodiscard]] std::vector<Override> overrides() const;
};

/// What `linearize -o FILE.h5` wrote. Throws ResultsError where it is damaged, something else, or of a version that did
/// not keep the model's text.
StoredLinearModel read_linear_model(const std::string& path);

}  // namespace gyrostat::results
