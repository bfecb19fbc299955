#include "gyrostat/campaign/binomial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace gyrostat::campaign {

namespace {

/// log(n!) - log(sqrt(2 pi n) (n/e)^n), n > 0.
double stirling_error(double n) {
  if (n < 16) {
    double factorial = 1;  // exact up to 15! < 2^53
    for (double i = 2; i <= n; ++i) factorial *= i;
    return std::log(factorial / (std::sqrt(2 * std::numbers::pi * n) * std::pow(n / std::numbers::e, n)));
  }
  const double s = 1 / (n * n);
  return (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360)))))) /
         n;
}

/// x log(x/m) + m - x without cancellation, x > 0, m > 0.
double deviance(double x, double m) {
  const double d = (x - m) / (x + m);
  if (std::abs(d) > 0.1) return x * std::log(x / m) + m - x;
  double sum = (x - m) * d, term = 2 * x * d;
  for (int j = 1; j < 100; ++j) {
    term *= d * d;
    const double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

/// Of numbers of successes from k on, away from the mean: the sum of their probabilities over that of k. `odds` are p
/// over 1 - p in that direction, `left` is how many further ones there are.
double tail_sum(double k, double left, double odds) {
  double sum = 1, term = 1;
  for (double i = 0; i < left; ++i) {
    term *= (left - i) / (k + 1 + i) * odds;
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return sum;
}

/// log of Gamma(a + 1/2) / Gamma(a).
double log_half_step(double a) {
  double log_product = 0;
  for (; a < 40; ++a) log_product += std::log1p(-0.5 / (a + 0.5));  // (a / (a + 1/2)) of each step
  const double s = 1 / (a * a);
  return log_product + 0.5 * std::log(a) - (1.0 / 8 - s * (1.0 / 192 - s * (1.0 / 640 - s * (17.0 / 14336)))) / a;
}

/// Lentz's evaluation of the continued fraction of the incomplete beta function.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto kept = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m < 100'000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

}  // namespace

double binomial(std::uint64_t k, std::uint64_t n, double p) {  // (11)
  if (k > n) return 0;
  const double q = 1 - p, x = static_cast<double>(k), m = static_cast<double>(n);
  if (p <= 0) return k == 0 ? 1 : 0;
  if (p >= 1) return k == n ? 1 : 0;
  if (k == 0) return std::exp(m * std::log1p(-p));
  if (k == n) return std::exp(m * std::log(p));
  const double exponent =
      stirling_error(m) - stirling_error(x) - stirling_error(m - x) - deviance(x, m * p) - deviance(m - x, m * q);
  return std::exp(exponent) * std::sqrt(m / (2 * std::numbers::pi * x * (m - x)));
}

double binomial_at_most(std::uint64_t k, std::uint64_t n, double p) {
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  const double x = static_cast<double>(k), m = static_cast<double>(n);
  if (x > m * p) return 1 - binomial_at_least(k + 1, n, p);
  return std::min(1.0, binomial(k, n, p) * tail_sum(m - x, x, (1 - p) / p));
}

double binomial_at_least(std::uint64_t k, std::uint64_t n, double p) {
  if (k == 0 || p >= 1) return k <= n ? 1 : 0;
  if (k > n || p <= 0) return 0;
  const double x = static_cast<double>(k), m = static_cast<double>(n);
  if (x <= m * p) return 1 - binomial_at_most(k - 1, n, p);
  return std::min(1.0, binomial(k, n, p) * tail_sum(x, m - x, p / (1 - p)));
}

double student_both_sides(double t, double freedom) {  // (15): I_x(freedom/2, 1/2), x = freedom/(freedom + t^2)
  if (std::isnan(t) || !(freedom > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(t)) return 0;
  const double a = freedom / 2, y = t * t / (freedom + t * t), x = freedom / (freedom + t * t);
  // x^a (1 - x)^(1/2) / B(a, 1/2), with B(a, 1/2) = Gamma(a) sqrt(pi) / Gamma(a + 1/2)
  const double front = std::exp(a * std::log1p(-y) + log_half_step(a)) * std::sqrt(y) * std::numbers::inv_sqrtpi;
  if (x < (a + 1) / (a + 2.5)) return front * beta_fraction(a, 0.5, x) / a;
  return 1 - front * beta_fraction(0.5, a, y) / 0.5;
}

}  // namespace gyrostat::campaign
