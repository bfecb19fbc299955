#include "gyrostat/analysis/state_space.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>
#include <unsupported/Eigen/MatrixFunctions>

namespace gyrostat {

namespace {

using Index = Eigen::Index;

constexpr int most_pade = 8;

void check_order(int order) {
  if (order < 1 || order > most_pade) {
    throw AnalysisError(fmt::format("a Pade approximation has an order from 1 to {}, not {}", most_pade, order));
  }
}

/// What closes some of the channels: z = C x + D w with states of its own, one channel after the other.
struct Closure {
  std::vector<std::size_t> channels;
  std::vector<LinearVariable> states;
  Eigen::MatrixXd A, B, C, D;  // B by channel, C by channel
};

void append_pade(Closure& closure, Index channel, const std::string& name, double time, int order) {
  const PadeDelay delay = pade_delay(time, order);
  const Index before = closure.A.rows(), after = before + order;
  closure.A.conservativeResizeLike(Eigen::MatrixXd::Zero(after, after));
  closure.B.conservativeResizeLike(Eigen::MatrixXd::Zero(after, closure.B.cols()));
  closure.C.conservativeResizeLike(Eigen::MatrixXd::Zero(closure.C.rows(), after));
  closure.A.block(before, before, order, order) = delay.A;
  closure.B.block(before, channel, order, 1) = delay.B;
  closure.C.block(channel, before, 1, order) = delay.C;
  closure.D(channel, channel) = delay.D;
  for (int k = 1; k <= order; ++k) {
    closure.states.push_back({fmt::format("{}.pade{}", name, k), "", "of the approximation of a delay"});
  }
}

/// The model with the channels of a closure closed by it; other channels stay, behind inputs and outputs.
StateSpace close(const LinearModel& model, const Closure& closure) {
  const auto n = model.A.rows(), c = static_cast<Index>(closure.channels.size()), s = closure.A.rows();
  const auto v = static_cast<Index>(model.inputs.size()), y = static_cast<Index>(model.outputs.size());
  std::vector<Index> other_z, other_w;
  for (Index k = 0; k < v; ++k) other_z.push_back(k);
  for (Index k = 0; k < y; ++k) other_w.push_back(k);
  for (std::size_t k = 0; k < model.channels.size(); ++k) {
    if (std::ranges::find(closure.channels, k) != closure.channels.end()) continue;
    other_z.push_back(v + static_cast<Index>(k));
    other_w.push_back(y + static_cast<Index>(k));
  }
  std::vector<Index> z, w;
  for (const std::size_t k : closure.channels) {
    z.push_back(v + static_cast<Index>(k));
    w.push_back(y + static_cast<Index>(k));
  }
  const Eigen::MatrixXd Bv = model.B(Eigen::all, other_z), Bz = model.B(Eigen::all, z);
  const Eigen::MatrixXd Cy = model.C(other_w, Eigen::all), Cw = model.C(w, Eigen::all);
  const Eigen::MatrixXd Dyv = model.D(other_w, other_z), Dyz = model.D(other_w, z);
  const Eigen::MatrixXd Dwv = model.D(w, other_z), Dwz = model.D(w, z);
  // z = C_c x_c + D_c w,  w = C_w x + D_wz z + D_wv v
  const Eigen::MatrixXd loop = Eigen::MatrixXd::Identity(c, c) - closure.D * Dwz;
  Eigen::MatrixXd zx = closure.D * Cw, zc = closure.C, zv = closure.D * Dwv;
  if (c > 0) {  // Eigen has no pivot of an empty matrix
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(loop);
    if (!lu.isInvertible()) throw AnalysisError("the gains close an algebraic loop that has no solution");
    for (Eigen::MatrixXd* side : {&zx, &zc, &zv}) *side = lu.solve(*side).eval();
  }
  StateSpace result;
  result.A.resize(n + s, n + s);
  result.A << model.A + Bz * zx, Bz * zc, closure.B * (Cw + Dwz * zx), closure.A + closure.B * Dwz * zc;
  result.B.resize(n + s, Bv.cols());
  result.B << Bv + Bz * zv, closure.B * (Dwv + Dwz * zv);
  result.C.resize(Cy.rows(), n + s);
  result.C << Cy + Dyz * zx, Dyz * zc;
  result.D = Dyv + Dyz * zv;
  result.states = model.states;
  result.states.insert(result.states.end(), closure.states.begin(), closure.states.end());
  result.inputs = model.inputs;
  result.outputs = model.outputs;
  return result;
}

/// For all channels that `wanted` says.
template <class Wanted>
Closure closure_of(const LinearModel& model, int order, Wanted wanted) {
  Closure closure;
  for (std::size_t k = 0; k < model.channels.size(); ++k) {
    if (wanted(model.channels[k])) closure.channels.push_back(k);
  }
  const auto c = static_cast<Index>(closure.channels.size());
  closure.B.setZero(0, c);
  closure.C.setZero(c, 0);
  closure.D.setZero(c, c);
  for (Index k = 0; k < c; ++k) {
    const Channel& channel = model.channels[closure.channels[static_cast<std::size_t>(k)]];
    switch (channel.kind) {
      case Channel::Kind::gain: closure.D(k, k) = channel.gain.real(); break;
      case Channel::Kind::delay: append_pade(closure, k, channel.signal, channel.time, order); break;
      case Channel::Kind::sample: append_pade(closure, k, channel.signal, 0.5 * channel.time, order); break;
    }
  }
  return closure;
}

}  // namespace

PadeDelay pade_delay(double time, int order) {
  check_order(order);
  PadeDelay delay;
  delay.A.setZero(order, order);
  delay.B.setZero(order);
  delay.C.setZero(order);
  // exp(-s) is near p(-s)/p(s), p(s) = sum of c_k s^k
  std::vector<double> c(static_cast<std::size_t>(order) + 1);
  c[0] = 1;
  for (int k = 0; k < order; ++k) {
    c[static_cast<std::size_t>(k) + 1] =
        c[static_cast<std::size_t>(k)] * (order - k) / (static_cast<double>(2 * order - k) * (k + 1));
  }
  // Schwarz's form of p, from its Routh array, made skew-symmetric but for the last entry of the diagonal
  std::vector<std::vector<double>> routh(static_cast<std::size_t>(order) + 1);
  for (int k = order; k >= 0; k -= 2) routh[0].push_back(c[static_cast<std::size_t>(k)]);
  for (int k = order - 1; k >= 0; k -= 2) routh[1].push_back(c[static_cast<std::size_t>(k)]);
  for (std::size_t row = 2; row < routh.size(); ++row) {
    const auto &above = routh[row - 2], &last = routh[row - 1];
    const double ratio = above[0] / last[0];
    for (std::size_t k = 0; k + 1 < above.size(); ++k) {
      routh[row].push_back(above[k + 1] - (k + 1 < last.size() ? ratio * last[k + 1] : 0));
    }
  }
  const double damping = routh[1][0] / routh[0][0];
  for (int k = 0; k + 1 < order; ++k) {
    const auto r = static_cast<std::size_t>(order - 1 - k);
    const double coupling = std::sqrt(routh[r + 1][0] / routh[r - 1][0]);
    delay.A(k, k + 1) = coupling;
    delay.A(k + 1, k) = -coupling;
  }
  delay.A(order - 1, order - 1) = -damping;
  delay.A /= time;
  // A + A^T = -B B^T, so that z = +-(w - B^T x) passes all frequencies alike
  const double sign = order % 2 == 0 ? 1 : -1;
  delay.B(order - 1) = std::sqrt(2 * damping / time);
  delay.C(order - 1) = -sign * std::sqrt(2 * damping / time);
  delay.D = sign;
  return delay;
}

StateSpace state_space(const LinearModel& model, int pade_order) {
  check_order(pade_order);
  return close(model, closure_of(model, pade_order, [](const Channel&) { return true; }));
}

StateSpace discrete_state_space(const LinearModel& model, int pade_order) {
  check_order(pade_order);
  double period = 0;
  std::vector<std::size_t> samples;
  for (std::size_t k = 0; k < model.channels.size(); ++k) {
    const Channel& channel = model.channels[k];
    if (channel.kind != Channel::Kind::sample) continue;
    if (period != 0 && std::abs(channel.time - period) > 1e-12 * period) {
      throw AnalysisError(
          fmt::format("samples have different periods: {} s of {} and {} s of {}; a model in discrete time has one",
                      period, model.channels[samples.front()].signal, channel.time, channel.signal));
    }
    period = channel.time;
    samples.push_back(k);
  }
  if (samples.empty()) throw AnalysisError("nothing is sampled: the model is one of continuous time");
  StateSpace open =
      close(model, closure_of(model, pade_order, [](const Channel& c) { return c.kind != Channel::Kind::sample; }));
  const Index n = open.A.rows(), v = static_cast<Index>(model.inputs.size()), c = static_cast<Index>(samples.size());
  const Index y = static_cast<Index>(model.outputs.size());
  Eigen::MatrixXd generator = Eigen::MatrixXd::Zero(n + v + c, n + v + c);
  generator.topLeftCorner(n, n) = open.A * period;
  generator.topRightCorner(n, v + c) = open.B * period;
  const Eigen::MatrixXd over_period = generator.exp();
  const Eigen::MatrixXd Phi = over_period.topLeftCorner(n, n), Gamma_v = over_period.block(0, n, n, v),
                        Gamma_z = over_period.block(0, n + v, n, c);
  // z_k = w_k = C_w x_k + D_wv v_k + D_wz z_k
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(Eigen::MatrixXd::Identity(c, c) - open.D.bottomRightCorner(c, c));
  const Eigen::MatrixXd zx = lu.solve(open.C.bottomRows(c)), zv = lu.solve(open.D.block(y, 0, c, v));
  StateSpace result;
  result.states = open.states;
  result.inputs = open.inputs;
  result.outputs = open.outputs;
  result.period = period;
  result.A = Phi + Gamma_z * zx;
  result.B = Gamma_v + Gamma_z * zv;
  result.C = open.C.topRows(y) + open.D.block(0, v, y, c) * zx;
  result.D = open.D.topLeftCorner(y, v) + open.D.block(0, v, y, c) * zv;
  return result;
}

}  // namespace gyrostat
