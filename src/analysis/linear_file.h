// Linear models as files: JSON, HDF5, MATLAB (binary and script), and a table of text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gyrostat/analysis/state_space.h"

namespace gyrostat {

/// In every such file.
inline constexpr std::string_view linear_format = "gyrostat linear 1";

enum class LinearFileKind { json, hdf5, mat, m, csv };

/// By the ending of the name: .json, .h5, .mat, .m, .csv.
std::optional<LinearFileKind> linear_file_kind(const std::string& path);

/// `space` is the model without its channels, in continuous or discrete time; what else is told comes from the model.
std::string linear_file(LinearFileKind kind, const LinearModel& model, const StateSpace& space,
                        const std::string& model_name);

// Each kind is a file of its own.
std::string linear_json(const LinearModel& model, const StateSpace& space, const std::string& model_name);
std::string linear_hdf5(const LinearModel& model, const StateSpace& space, const std::string& model_name);
std::string linear_mat(const LinearModel& model, const StateSpace& space);
std::string linear_m(const LinearModel& model, const StateSpace& space, const std::string& model_name);
std::string linear_csv(const StateSpace& space);

}  // namespace gyrostat
