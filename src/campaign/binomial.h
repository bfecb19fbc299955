// The binomial distribution and Student's t, for statistics of flights (docs/theory/campaigns.md, section 8).
#pragma once

#include <cstdint>

namespace gyrostat::campaign {

/// Probability of exactly k of n. Relative error about 1e-13 up to n = 1e9 (Loader, 2000).
double binomial(std::uint64_t k, std::uint64_t n, double p);

/// Probability of at most k of n.
double binomial_at_most(std::uint64_t k, std::uint64_t n, double p);

/// Probability of at least k of n.
double binomial_at_least(std::uint64_t k, std::uint64_t n, double p);

/// Probability that |t| is as large or larger, with that many degrees of freedom.
double student_both_sides(double t, double freedom);

}  // namespace gyrostat::campaign
