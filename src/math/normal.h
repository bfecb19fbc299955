// The normal distribution of mean 0 and deviation 1.
#pragma once

namespace gyrostat {

/// A probability with what is missing to 1, so that neither end loses digits.
struct Probability {
  double below = 0.5, above = 0.5;

  /// Of a number in (0, 1).
  static Probability of(double below) { return {below, 1 - below}; }
};

/// Of x: erfc(-x/sqrt 2)/2 and erfc(x/sqrt 2)/2.
Probability normal_probability(double x);

/// The x below which the probability lies, to a relative error of 1e-15: Wichura's algorithm AS 241 (1988). Infinite
/// at the ends.
double normal_quantile(const Probability& p);

/// The density.
double normal_density(double x);

}  // namespace gyrostat
