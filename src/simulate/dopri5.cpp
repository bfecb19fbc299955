#include "gyrostat/simulate/dopri5.h"

#include <algorithm>
#include <cmath>

namespace gyrostat {

namespace {

// Tables II.5.2 and II.6.1
constexpr double c2 = 0.2, c3 = 0.3, c4 = 0.8, c5 = 8.0 / 9;
constexpr double a21 = 0.2, a31 = 3.0 / 40, a32 = 9.0 / 40, a41 = 44.0 / 45, a42 = -56.0 / 15, a43 = 32.0 / 9,
                 a51 = 19372.0 / 6561, a52 = -25360.0 / 2187, a53 = 64448.0 / 6561, a54 = -212.0 / 729,
                 a61 = 9017.0 / 3168, a62 = -355.0 / 33, a63 = 46732.0 / 5247, a64 = 49.0 / 176, a65 = -5103.0 / 18656,
                 a71 = 35.0 / 384, a73 = 500.0 / 1113, a74 = 125.0 / 192, a75 = -2187.0 / 6784, a76 = 11.0 / 84;
constexpr double e1 = 71.0 / 57600, e3 = -71.0 / 16695, e4 = 71.0 / 1920, e5 = -17253.0 / 339200, e6 = 22.0 / 525,
                 e7 = -1.0 / 40;
constexpr double d1 = -12715105075.0 / 11282082432, d3 = 87487479700.0 / 32700410799, d4 = -10690763975.0 / 1880347072,
                 d5 = 701980252875.0 / 199316789632, d6 = -1453857185.0 / 822651844, d7 = 69997945.0 / 29380423;

// Step size control
constexpr double safety = 0.9, beta = 0.04, most_growth = 10, most_shrinking = 0.2;

}  // namespace

Dopri5::Dopri5(const Ode& ode, const Tolerance& tolerance) : ode_(ode), tolerance_(tolerance) {
  const auto n = static_cast<Eigen::Index>(ode.size);
  for (Eigen::VectorXd* v : {&y_, &y0_, &stage_, &next_}) v->setZero(n);
  for (Eigen::VectorXd& v : k_) v.setZero(n);
  for (Eigen::VectorXd& v : dense_) v.setZero(n);
}

void Dopri5::restart(double t, const Eigen::VectorXd& y) {
  t_ = from_ = t;
  y_ = y;
  has_rates_ = false;
  last_error_ = 1e-4;
  ++statistics_.restarts;
}

/// Hairer's guess: explicit Euler may change the rates by no more than it may.
double Dopri5::first_step(double longest) {
  const auto norm = [&](const Eigen::VectorXd& v) {
    double sum = 0;
    for (Eigen::Index i = 0; i < v.size(); ++i) {
      const double scaled = v[i] / (tolerance_.absolute + tolerance_.relative * std::abs(y_[i]));
      sum += scaled * scaled;
    }
    return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(1, v.size())));
  };
  const double size = norm(y_), speed = norm(k_[0]);
  double h = size < 1e-10 || speed < 1e-10 ? 1e-6 : 0.01 * size / speed;
  h = std::min(h, longest);
  stage_ = y_ + h * k_[0];
  ode_(t_ + h, stage_.data(), k_[1].data());
  ++statistics_.evaluations;
  const double bend = norm(k_[1] - k_[0]) / h;
  const double most = std::max(speed, bend);
  const double next = most <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / most, 0.2);
  const double guess = std::min({100 * h, next, longest});
  return std::isfinite(guess) && guess > 0 ? guess : std::min(1e-6, longest);
}

/// The error of a step of length h over what it may be.
double Dopri5::attempt(double h, double to) {
  const auto eval = [&](double t, std::size_t k) {
    ode_(t, stage_.data(), k_[k].data());
    ++statistics_.evaluations;
  };
  stage_.noalias() = y_ + (h * a21) * k_[0];
  eval(t_ + c2 * h, 1);
  stage_.noalias() = y_ + h * (a31 * k_[0] + a32 * k_[1]);
  eval(t_ + c3 * h, 2);
  stage_.noalias() = y_ + h * (a41 * k_[0] + a42 * k_[1] + a43 * k_[2]);
  eval(t_ + c4 * h, 3);
  stage_.noalias() = y_ + h * (a51 * k_[0] + a52 * k_[1] + a53 * k_[2] + a54 * k_[3]);
  eval(t_ + c5 * h, 4);
  stage_.noalias() = y_ + h * (a61 * k_[0] + a62 * k_[1] + a63 * k_[2] + a64 * k_[3] + a65 * k_[4]);
  eval(to, 5);
  next_.noalias() = y_ + h * (a71 * k_[0] + a73 * k_[2] + a74 * k_[3] + a75 * k_[4] + a76 * k_[5]);
  ode_(to, next_.data(), k_[6].data());
  ++statistics_.evaluations;
  double sum = 0;
  for (Eigen::Index i = 0; i < next_.size(); ++i) {
    const double error =
        h * (e1 * k_[0][i] + e3 * k_[2][i] + e4 * k_[3][i] + e5 * k_[4][i] + e6 * k_[5][i] + e7 * k_[6][i]);
    const double scale = tolerance_.absolute + tolerance_.relative * std::max(std::abs(y_[i]), std::abs(next_[i]));
    sum += error / scale * (error / scale);
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(1, next_.size())));
}

Step Dopri5::step(double stop) {
  if (!has_rates_) {
    ode_(t_, y_.data(), k_[0].data());
    ++statistics_.evaluations;
  }
  if (h_ == 0) h_ = first_step(stop - t_);
  const double held_step = h_;
  double h = tolerance_.longest_step > 0 ? std::min(h_, tolerance_.longest_step) : h_;
  for (;;) {
    const bool last = t_ + 1.000001 * h >= stop;
    if (last) h = stop - t_;
    const double to = last ? stop : t_ + h;
    if (!last && !(h > 1e-15 * std::max(1e-3, std::abs(t_)))) {
      return {t_, t_, "no step is short enough to be accurate"};
    }
    const double error = attempt(h, to);
    if (error <= 1 || (held_ && std::isfinite(error))) {  // not so for what is not a number
      const double growth = std::clamp(safety * std::pow(error, -(0.2 - 0.75 * beta)) * std::pow(last_error_, beta),
                                       most_shrinking, most_growth);
      h_ = last && h < h_ ? std::max(h_, h * growth) : h * growth;  // a step cut short says little of the next
      if (held_) h_ = held_step;
      last_error_ = std::max(error, 1e-4);
      prepare_interpolation(h);
      from_ = t_;
      t_ = to;
      y0_.swap(y_);
      y_.swap(next_);
      k_[0].swap(k_[6]);
      has_rates_ = true;
      ++statistics_.steps;
      return {from_, t_, {}};
    }
    ++statistics_.rejected;
    h *= std::isfinite(error) ? std::max(most_shrinking, safety * std::pow(error, -0.2)) : most_shrinking;
    if (!(h > 1e-15 * std::max(1e-3, std::abs(t_)))) return {t_, t_, "no step is short enough to be accurate"};
  }
}

void Dopri5::prepare_interpolation(double h) {
  dense_[0] = next_ - y_;
  dense_[1] = h * k_[0] - dense_[0];
  dense_[2] = dense_[0] - h * k_[6] - dense_[1];
  dense_[3] = h * (d1 * k_[0] + d3 * k_[2] + d4 * k_[3] + d5 * k_[4] + d6 * k_[5] + d7 * k_[6]);
}

void Dopri5::interpolate(double t, Eigen::VectorXd& y) const {
  if (t == t_) {
    y = y_;
    return;
  }
  const double s = (t - from_) / (t_ - from_), r = 1 - s;
  y = y0_ + s * (dense_[0] + r * (dense_[1] + s * (dense_[2] + r * dense_[3])));
}

}  // namespace gyrostat
