// Linear models.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/state_space.h"
#include "gyrostat/analysis/trim.h"

#include "module.h"

namespace gyrostat::python {

namespace {

OperatingPoint point_of(const Model& model, const std::optional<State>& state, double at, const std::string& steady,
                        const std::vector<std::string>& hold) {
  OperatingPoint point = at > 0 ? point_at(model, at) : initial_point(model, state);
  if (steady.empty()) return point;
  TrimSettings settings;
  settings.hold = hold;
  settings.motion = steady == "rest"    ? SteadyMotion::rest
                    : steady == "orbit" ? SteadyMotion::orbit
                    : steady == "spin"  ? SteadyMotion::spin
                                        : throw AnalysisError("trim: expected 'rest', 'orbit' or 'spin'");
  Trim found = trim(model, point, settings);
  if (found.found()) return std::move(found.point);
  std::string left;
  for (const TrimResidual& r : found.left) left += fmt::format(" {} {:.3g}", r.name, r.rate);
  throw AnalysisError(fmt::format("no steady motion was found nearby; rates that are left:{}{}", left,
                                  found.failure.empty() ? "" : "; " + found.failure));
}

}  // namespace

py::dict linearize(const ModelHandle& handle, const py::dict& given) {
  const Model& model = handle.model();
  LinearizeSettings settings;
  settings.inputs = entry<std::vector<std::string>>(given, "inputs").value_or(settings.inputs);
  settings.outputs = entry<std::vector<std::string>>(given, "outputs").value_or(settings.outputs);
  settings.open = entry<std::vector<std::string>>(given, "open").value_or(settings.open);
  settings.gains = entry<std::map<std::string, double>>(given, "gains").value_or(settings.gains);
  settings.amplitudes = entry<std::map<std::string, double>>(given, "amplitudes").value_or(settings.amplitudes);
  const auto hold = entry<std::vector<std::string>>(given, "hold").value_or(std::vector<std::string>());
  const auto steady = entry<std::string>(given, "trim").value_or("");
  const double at = entry<double>(given, "at").value_or(0);
  const int pade = entry<int>(given, "pade").value_or(3);
  const bool discrete = entry<bool>(given, "discrete").value_or(false);
  if (!(at >= 0 && std::isfinite(at))) throw AnalysisError("at: a time is zero or positive");
  std::optional<State> state;
  if (const auto one = entry<py::object>(given, "state")) state = state_of(model, *one);
  if (state && at > 0) throw AnalysisError("give a state, or the time of a run, and not both");
  LinearModel linear;
  StateSpace space;
  {
    const py::gil_scoped_release free;
    linear = gyrostat::linearize(model, point_of(model, state, at, steady, hold), settings);
    space = discrete ? discrete_state_space(linear, pade) : state_space(linear, pade);
  }
  py::dict result;
  result["A"] = to_matrix(space.A);
  result["B"] = to_matrix(space.B);
  result["C"] = to_matrix(space.C);
  result["D"] = to_matrix(space.D);
  result["states"] = columns_of(space.states);
  result["inputs"] = columns_of(space.inputs);
  result["outputs"] = columns_of(space.outputs);
  result["period"] = space.period;
  result["time"] = linear.t;
  result["q"] = to_array(linear.state.q);
  result["u"] = to_array(linear.state.u);
  result["notes"] = linear.notes;
  return result;
}

}  // namespace gyrostat::python
