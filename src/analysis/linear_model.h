// The linear model of a closed loop about an operating point:
//   x' = A x + B [v; z],   [y; w] = C x + D [v; z],
// with inputs v, outputs y and, between each w and the z of the same number, a channel: a delay, a sample and hold, or
// the gain that stands for a switch. All are perturbations from the operating point.
#pragma once

#include <complex>
#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "gyrostat/model/system.h"

namespace gyrostat {

/// Why a linear model, or something asked of it, does not exist; with what could be done.
struct AnalysisError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The description of a state that is one of a signal.
inline constexpr std::string_view signal_state = "state of the signal";

struct LinearVariable {
  std::string name;  // "pan.angle", "base.rotation_x"
  std::string unit;  // or empty where it is not known
  std::string description;
};

struct Channel {
  enum class Kind : std::uint8_t {
    delay,   // z(t) = w(t - time)
    sample,  // z(t) = w at the last multiple of time
    gain,    // z = gain w; complex where the switch lags
  };
  std::string signal;
  Kind kind = Kind::gain;
  double time = 0;  // [s]
  std::complex<double> gain;
};

/// M q'' + (G + D) q' + K q = F x_s + H v of the coordinates q of the linear model, with the states x_s of signals:
/// G is skew-symmetric, D symmetric.
struct SecondOrder {
  Eigen::MatrixXd M, G, D, K, F, H;
};

struct LinearModel {
  double t = 0;  // of the operating point [s]
  State state;   // there
  std::vector<LinearVariable> states, inputs, outputs;
  std::vector<std::string> opened;  // signals at which loops are opened: inputs, and outputs of the same name
  std::size_t coordinates = 0;      // the first states are so many coordinates, then come as many speeds
  std::vector<Channel> channels;
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd rates;                  // by state: x' of the operating point itself, zero in a steady motion
  Eigen::VectorXd at_inputs, at_outputs;  // values at the operating point
  /// By speed of the system, in the axes of its State, and by state that is a coordinate: how everything that moves
  /// follows the independent coordinates.
  Eigen::MatrixXd basis;
  /// In the same axes: how dependent speeds follow the coordinates while independent speeds stay.
  Eigen::MatrixXd speeds_by_coordinates;
  std::vector<std::uint32_t> speeds;  // by coordinate: the speed of the system it belongs to
  SecondOrder second_order;
  std::vector<std::string> notes;
};

}  // namespace gyrostat
