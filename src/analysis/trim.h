// Equilibria and steady motions, by Newton's method (KINSOL) from a given state.
#pragma once

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/analysis/operating_point.h"

namespace gyrostat {

enum class SteadyMotion : std::uint8_t {
  rest,   // everything stands still in the world
  orbit,  // in axes that turn with the orbit: an attitude that is fixed to the vertical
  spin,   // in axes that turn with the first body that turns freely, at its angular velocity
};

struct TrimSettings {
  SteadyMotion motion = SteadyMotion::rest;
  /// States that keep their values: "pan.angle", "pan" for its coordinate and speed, "base.omega" for three. Rates of
  /// wheels always do, and in a spin the largest component of the angular velocity. A coordinate whose rate is held and
  /// not zero goes on changing.
  std::vector<std::string> hold;
};

struct TrimResidual {
  std::string name, unit;  // of the state whose rate it is
  double rate = 0;         // that is left
};

struct Trim {
  OperatingPoint point;
  State from, to;
  double residual = 0, residual_before = 0;  // the largest rate
  std::vector<TrimResidual> left;            // rates that are larger than the tolerance; empty: a steady motion
  std::vector<std::string> neutral;          // states that could have any value nearby: the others would follow
  std::string failure;                       // what KINSOL says where it gave up, or empty
  long iterations = 0;

  [[nodiscard]] bool found() const { return left.empty(); }
};

inline constexpr double trim_tolerance = 1e-10;  // of rates, in SI units

/// Throws AnalysisError for names that do not exist, and where there is nothing that could turn so.
Trim trim(const Model& model, const OperatingPoint& from, const TrimSettings& settings);

}  // namespace gyrostat
