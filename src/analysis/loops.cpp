#include "gyrostat/analysis/loops.h"

#include <algorithm>

#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat {

namespace {

using Index = Eigen::Index;

Index place_of(const std::vector<LinearVariable>& list, const std::string& name) {
  return std::ranges::find(list, name, &LinearVariable::name) - list.begin();
}

/// Numbers below `count` that are not in `without`.
std::vector<Index> others(Index count, const std::vector<Index>& without) {
  std::vector<Index> list;
  for (Index k = 0; k < count; ++k) {
    if (std::ranges::find(without, k) == without.end()) list.push_back(k);
  }
  return list;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& list, const std::vector<Index>& numbers) {
  std::vector<T> result;
  for (const Index k : numbers) {
    if (k < static_cast<Index>(list.size())) result.push_back(list[static_cast<std::size_t>(k)]);
  }
  return result;
}

Eigen::VectorXd chosen(const Eigen::VectorXd& values, const std::vector<Index>& numbers) {
  std::vector<double> result;
  for (const Index k : numbers) {
    if (k < values.size()) result.push_back(values[k]);
  }
  return Eigen::Map<const Eigen::VectorXd>(result.data(), static_cast<Index>(result.size()));
}

}  // namespace

LinearModel close_loops(const LinearModel& model, const std::vector<std::string>& signals) {
  std::vector<Index> in, out;  // inputs and outputs that are joined
  for (const std::string& signal : signals) {
    if (std::ranges::find(model.opened, signal) == model.opened.end()) {
      throw AnalysisError(fmt::format("the loop at '{}' is not opened in this model", signal));
    }
    in.push_back(place_of(model.inputs, signal));
    // the opened ones are the last outputs: another of the same name stands before
    out.push_back(static_cast<Index>(model.outputs.size() - model.opened.size()) +
                  (std::ranges::find(model.opened, signal) - model.opened.begin()));
  }
  // those of channels stand after inputs and outputs, and stay
  const std::vector<Index> v = others(model.B.cols(), in), y = others(model.C.rows(), out);
  const Eigen::MatrixXd Bs = model.B(Eigen::all, in), Bv = model.B(Eigen::all, v);
  const Eigen::MatrixXd Cs = model.C(out, Eigen::all), Cy = model.C(y, Eigen::all);
  const Eigen::MatrixXd Dss = model.D(out, in), Dsv = model.D(out, v), Dys = model.D(y, in), Dyv = model.D(y, v);
  LinearModel closed = model;
  closed.second_order = {};
  if (!signals.empty()) {
    // s = C_s x + D_ss s + D_sv v
    const auto count = static_cast<Index>(signals.size());
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(Eigen::MatrixXd::Identity(count, count) - Dss);
    if (!lu.isInvertible()) {
      throw AnalysisError(fmt::format("the loops at {} are algebraic and have no solution", fmt::join(signals, ", ")));
    }
    const Eigen::MatrixXd sx = lu.solve(Cs), sv = lu.solve(Dsv);
    closed.A = model.A + Bs * sx;
    closed.B = Bv + Bs * sv;
    closed.C = Cy + Dys * sx;
    closed.D = Dyv + Dys * sv;
  }
  closed.inputs = chosen(model.inputs, v);
  closed.outputs = chosen(model.outputs, y);
  closed.at_inputs = chosen(model.at_inputs, v);
  closed.at_outputs = chosen(model.at_outputs, y);
  std::erase_if(closed.opened, [&](const std::string& s) { return std::ranges::find(signals, s) != signals.end(); });
  return closed;
}

}  // namespace gyrostat
