// Linear models as files: JSON, HDF5, MATLAB (binary and script), and a table of text.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "gyrostat/analysis/state_space.h"

namespace gyrostat {

/// In every such file.
inline constexpr std::string_view linear_format = "gyrostat linear 1";

/// What a linear model is of, and how it was made: so that it can be told again, and checked against results.
struct LinearOrigin {
  std::string model_name, model_file, model_text;
  std::vector<std::string> overrides;  // "K=3"
  int pade = 3;                        // order of what stands for delays in the states
};

enum class LinearFileKind { json, hdf5, mat, m, csv };

/// By the ending of the name: .json, .h5, .mat, .m, .csv.
std::optional<LinearFileKind> linear_file_kind(const std::string& path);

/// `space` is the model without its channels, in continuous or discrete time; what else is told comes from the model.
std::string linear_file(LinearFileKind kind, const LinearModel& model, const StateSpace& space,
                        const LinearOrigin& origin);

/// In the order of Channel::Kind.
inline constexpr std::array<std::string_view, 3> channel_kinds = {"delay", "sample", "gain"};

// Each kind is a file of its own.
std::string linear_json(const LinearModel& model, const StateSpace& space, const std::string& model_name);
std::string linear_hdf5(const LinearModel& model, const StateSpace& space, const LinearOrigin& origin);
std::string linear_mat(const LinearModel& model, const StateSpace& space);
std::string linear_m(const LinearModel& model, const StateSpace& space, const std::string& model_name);
std::string linear_csv(const StateSpace& space);

}  // namespace gyrostat
