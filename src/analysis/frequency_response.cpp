#include "gyrostat/analysis/frequency_response.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/format.h>

namespace gyrostat {

namespace {

using Index = Eigen::Index;
using Complex = std::complex<double>;

Complex response_of(const Channel& channel, double frequency) {
  const double angle = frequency * channel.time;
  switch (channel.kind) {
    case Channel::Kind::delay: return std::polar(1.0, -angle);
    case Channel::Kind::sample: {  // (1 - exp(-s T))/(s T), which turns by half a period
      const double half = 0.5 * angle;
      return std::polar(half == 0 ? 1.0 : std::sin(half) / half, -half);
    }
    case Channel::Kind::gain: return channel.gain;
  }
  return 0;
}

/// Between two frequencies at which f has different signs.
double root_of(const std::function<double(double)>& f, double a, double b) {
  double fa = f(a);
  for (int k = 0; k < 200 && b - a > 4 * std::numeric_limits<double>::epsilon() * b; ++k) {
    const double middle = std::sqrt(a) * std::sqrt(b);
    if (middle <= a || middle >= b) break;
    const double fm = f(middle);
    ((fm < 0) == (fa < 0) ? a : b) = middle;
    if (a == middle) fa = fm;
  }
  return 0.5 * (a + b);
}

}  // namespace

TransferMatrix::TransferMatrix(const LinearModel& model)
    : D_(model.D.cast<Complex>()),
      inputs_(static_cast<Index>(model.inputs.size())),
      outputs_(static_cast<Index>(model.outputs.size())),
      channels_(model.channels) {
  if (model.A.rows() == 0) return;
  Eigen::MatrixXd A = model.A;
  const Eigen::VectorXd scale = balance(A);
  const Eigen::ComplexSchur<Eigen::MatrixXd> schur(A);
  if (schur.info() != Eigen::Success) throw AnalysisError("the eigenvalues were not found: QR did not converge");
  T_ = schur.matrixT();
  B_ = schur.matrixU().adjoint() * (scale.cwiseInverse().asDiagonal() * model.B).cast<Complex>();
  C_ = (model.C * scale.asDiagonal()).cast<Complex>() * schur.matrixU();
}

Eigen::MatrixXcd TransferMatrix::at(double frequency) const {
  const Index v = inputs_, y = outputs_;
  const auto c = static_cast<Index>(channels_.size());
  Eigen::MatrixXcd T = D_;
  if (T_.rows() > 0) {
    Eigen::MatrixXcd pencil = -T_;
    pencil.diagonal().array() += Complex(0, frequency);
    T += C_ * pencil.triangularView<Eigen::Upper>().solve(B_);
  }
  if (c == 0) return T;
  Eigen::MatrixXcd loop = Eigen::MatrixXcd::Identity(c, c), delta = Eigen::MatrixXcd::Zero(c, c);
  for (Index k = 0; k < c; ++k) delta(k, k) = response_of(channels_[static_cast<std::size_t>(k)], frequency);
  loop -= T.bottomRightCorner(c, c) * delta;
  return T.topLeftCorner(y, v) + T.topRightCorner(y, c) * delta * loop.partialPivLu().solve(T.bottomLeftCorner(c, v));
}

FrequencyResponse frequency_response(const LinearModel& model, Index input, Index output, double sign,
                                     const std::vector<double>& frequencies) {
  const TransferMatrix transfer(model);
  FrequencyResponse response;
  double turns = 0, before = 0;
  for (const double w : frequencies) {
    const Complex h = sign * transfer.at(w)(output, input);
    double angle = std::arg(h) * 180 / std::numbers::pi;
    if (!response.phase.empty() && std::isfinite(angle)) turns = 360 * std::round((before - angle) / 360);
    angle += turns;
    if (std::isfinite(angle)) before = angle;
    response.frequency.push_back(w);
    response.value.push_back(h);
    response.decibels.push_back(20 * std::log10(std::abs(h)));
    response.phase.push_back(angle);
  }
  return response;
}

FrequencyResponse smooth_response(const LinearModel& model, Index input, Index output, double sign,
                                  std::vector<double> frequencies) {
  constexpr double most_turn = 6 * std::numbers::pi / 180, most_ratio = 1.19;  // 6 deg, 1.5 dB
  constexpr int most_halvings = 10;
  constexpr std::size_t most_points = 5000;
  const TransferMatrix transfer(model);
  const auto at = [&](double w) { return transfer.at(w)(output, input); };
  const auto is_far = [](Complex a, Complex b) {
    const double ratio = std::abs(b) / std::abs(a);
    if (!std::isfinite(ratio) || ratio == 0) return false;
    return std::max(ratio, 1 / ratio) > most_ratio || std::abs(std::arg(b / a)) > most_turn;
  };
  std::vector<Complex> values;
  for (const double w : frequencies) values.push_back(at(w));
  for (int k = 0; k < most_halvings && frequencies.size() < most_points; ++k) {
    std::vector<double> finer;
    std::vector<Complex> finer_values;
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      finer.push_back(frequencies[i]);
      finer_values.push_back(values[i]);
      if (i + 1 == frequencies.size() || !is_far(values[i], values[i + 1])) continue;
      const double between = std::sqrt(frequencies[i]) * std::sqrt(frequencies[i + 1]);
      if (between <= frequencies[i] || between >= frequencies[i + 1]) continue;
      finer.push_back(between);
      finer_values.push_back(at(between));
    }
    if (finer.size() == frequencies.size()) break;
    frequencies = std::move(finer);
    values = std::move(finer_values);
  }
  return frequency_response(model, input, output, sign, frequencies);
}

std::vector<double> frequency_grid(const Modes& modes, std::optional<double> from, std::optional<double> to,
                                   int per_decade) {
  double slowest = 0, fastest = 0;
  for (const Mode& mode : modes.modes) {
    if (mode.rigid) continue;
    const double w = mode.natural_frequency();
    slowest = slowest == 0 ? w : std::min(slowest, w);
    fastest = std::max(fastest, w);
  }
  if (fastest == 0) slowest = fastest = 1;
  const double low = from.value_or(slowest / 10), high = to.value_or(fastest * 10);
  if (!(low > 0) || !(high > low) || !std::isfinite(high)) {
    throw AnalysisError(
        fmt::format("frequencies go from a positive one to a larger one, not from {:.6g} to {:.6g} rad/s", low, high));
  }
  std::vector<double> grid;
  const auto count = static_cast<int>(std::ceil(per_decade * std::log10(high / low))) + 1;
  for (int k = 0; k <= count; ++k) grid.push_back(low * std::pow(high / low, static_cast<double>(k) / count));
  for (const Mode& mode : modes.modes) {
    if (mode.rigid || !mode.oscillates()) continue;
    const double centre = std::abs(mode.eigenvalue.imag()), width = std::abs(mode.eigenvalue.real());
    constexpr std::array<double, 8> at = {0.1, 0.3, 0.6, 1, 2, 4, 10, 30};
    if (centre > low && centre < high) grid.push_back(centre);
    for (const double k : at) {
      for (const double w : {centre - k * width, centre + k * width}) {
        if (w > low && w < high) grid.push_back(w);
      }
    }
  }
  std::ranges::sort(grid);
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  return grid;
}

Margins find_margins(const LinearModel& opened, const std::string& signal, bool closed_loop_stable) {
  const auto named = [&](const LinearVariable& v) { return v.name == signal; };
  const auto input = std::ranges::find_if(opened.inputs, named) - opened.inputs.begin();
  const auto output = std::ranges::find_if(opened.outputs, named) - opened.outputs.begin();
  Margins margins;
  margins.signal = signal;
  margins.closed_loop_stable = closed_loop_stable;
  const TransferMatrix response(opened);
  const auto loop = [&](double w) { return -response.at(w)(output, input); };
  const Modes modes = find_modes(state_space(opened).A);
  std::vector<double> grid = frequency_grid(modes, std::nullopt, std::nullopt, 60);
  // on both sides, until the loop gain has left |L| = 1 for good
  for (int k = 0; k < 60 && std::abs(loop(grid.back())) > 0.1; ++k) grid.push_back(grid.back() * 1.1);
  for (int k = 0; k < 120 && std::abs(loop(grid.front())) < 10 && !modes.modes.empty() && modes.rigid > 0; ++k) {
    grid.insert(grid.begin(), grid.front() / 1.1);
  }
  std::vector<Complex> L;
  L.reserve(grid.size());
  for (const double w : grid) L.push_back(loop(w));
  for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
    const double a = grid[k], b = grid[k + 1];
    if (!std::isfinite(std::abs(L[k])) || !std::isfinite(std::abs(L[k + 1]))) continue;
    if ((std::abs(L[k]) < 1) != (std::abs(L[k + 1]) < 1)) {
      const double w = root_of([&](double x) { return std::abs(loop(x)) - 1; }, a, b);
      const double angle = std::arg(-loop(w));  // from -1, counterclockwise
      margins.phase.push_back({w, angle});
      const double lag = angle > 0 ? angle : angle + 2 * std::numbers::pi;
      if (!margins.delay || lag / w < margins.delay->margin) margins.delay = {w, lag / w};
    }
    if ((L[k].imag() < 0) != (L[k + 1].imag() < 0)) {
      const double w = root_of([&](double x) { return loop(x).imag(); }, a, b);
      const Complex at = loop(w);
      const bool passes = std::abs(at.imag()) <= 1e-6 * std::abs(at);  // not a pole between the two
      if (passes && at.real() < 0) margins.gain.push_back({w, -1 / at.real()});
    }
  }
  for (std::size_t k = 0; k < grid.size(); ++k) {
    const double distance = std::abs(1.0 + L[k]);
    if (std::isfinite(distance) && (!margins.modulus || distance < margins.modulus->margin)) {
      margins.modulus = {grid[k], distance};
    }
  }
  return margins;
}

}  // namespace gyrostat
