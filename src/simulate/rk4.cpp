#include "gyrostat/simulate/rk4.h"

namespace gyrostat {

Rk4::Rk4(const Ode& ode, double step) : ode_(ode), h_(step) {
  const auto n = static_cast<Eigen::Index>(ode.size);
  for (Eigen::VectorXd* v : {&y_, &y0_, &f0_, &f1_, &k2_, &k3_, &k4_, &stage_}) v->setZero(n);
}

void Rk4::restart(double t, const Eigen::VectorXd& y) {
  t_ = from_ = t;
  y_ = y;
  has_rates_ = false;
  ++statistics_.restarts;
}

Step Rk4::step(double stop) {
  // A last step that would leave a sliver is stretched to the end instead.
  const bool last = t_ + 1.000001 * h_ >= stop;
  const double h = last ? stop - t_ : h_;
  from_ = t_;
  y0_ = y_;
  if (has_rates_) {
    f0_.swap(f1_);
  } else {
    ode_(t_, y0_.data(), f0_.data());
    ++statistics_.evaluations;
  }
  stage_ = y0_ + h / 2 * f0_;
  ode_(t_ + h / 2, stage_.data(), k2_.data());
  stage_ = y0_ + h / 2 * k2_;
  ode_(t_ + h / 2, stage_.data(), k3_.data());
  stage_ = y0_ + h * k3_;
  const double to = last ? stop : t_ + h;
  ode_(to, stage_.data(), k4_.data());
  y_ = y0_ + h / 6 * (f0_ + 2 * k2_ + 2 * k3_ + k4_);
  statistics_.evaluations += 3;
  if (!y_.allFinite()) {
    y_ = y0_;
    has_rates_ = false;
    return {t_, t_, "the state is not finite after the next step"};
  }
  ode_(to, y_.data(), f1_.data());  // for interpolation, and for the next step
  ++statistics_.evaluations;
  has_rates_ = true;
  t_ = to;
  ++statistics_.steps;
  return {from_, to, {}};
}

void Rk4::interpolate(double t, Eigen::VectorXd& y) const {
  const double h = t_ - from_;
  if (t == t_ || h == 0) {
    y = y_;
    return;
  }
  const double s = (t - from_) / h, r = 1 - s;
  y = (1 + 2 * s) * r * r * y0_ + s * s * (3 - 2 * s) * y_ + h * s * r * (r * f0_ - s * f1_);
}

}  // namespace gyrostat
