// What the flights of a campaign say: plain functions over one number per flight, in the order of the flights
// (docs/theory/campaigns.md, sections 7 to 10). A flight that failed, or has no such number, has NaN: it is counted, it
// is in no mean and no percentile, and it fulfils no requirement. Infinite numbers are numbers: an event that never
// comes is at infinity. The sums are made in the order of the flights: same numbers, same bits.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "gyrostat/campaign/description.h"

namespace gyrostat::campaign {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

struct Summary {
  std::uint64_t flights = 0;                       // in all
  std::uint64_t failed = 0;                        // of these, those without a number
  double mean = not_a_number, std = not_a_number;  // of the others; std with n - 1, NaN of one or where one is infinite
  double min = not_a_number, max = not_a_number;
  std::uint64_t min_flight = 0, max_flight = 0;  // the first that has it
};

Summary summarize(std::span<const double> values);

/// A quantile and an interval that holds that of the distribution with at least the confidence asked for.
struct Percentile {
  double fraction = 0;                             // 0.5 for the median
  double value = not_a_number;                     // between order statistics (type 7 of Hyndman and Fan)
  double low = not_a_number, high = not_a_number;  // order statistics; infinite where there are too few flights
  double coverage = 0;                             // probability that the interval holds it
};

/// The value alone: between order statistics (type 7 of Hyndman and Fan). `sorted` is without NaN and not empty.
double quantile(std::span<const double> sorted, double fraction);

/// `sorted` is without NaN. Throws std::invalid_argument unless 0 < fraction < 1 and 0 < confidence < 1.
Percentile percentile(std::span<const double> sorted, double fraction, double confidence);

/// The numbers without NaN, ascending.
std::vector<double> sorted_numbers(std::span<const double> values);

enum class Verdict : std::uint8_t { met, not_met, undecided };
inline constexpr std::string_view verdicts[] = {"met", "not met", "undecided"};

struct RequirementResult {
  std::uint64_t flights = 0, fulfilled = 0, failed = 0;
  std::uint64_t missing = 0;       // flights that have not ended; they are not among the others
  double fraction = not_a_number;  // fulfilled / flights
  double low = 0, high = 1;        // bounds of the fraction, each by itself with the confidence (Clopper and Pearson)
  Verdict verdict = Verdict::undecided;
};

/// Met: the lower bound is at least the fraction asked for; not met: the upper one is below it. Where all flights are
/// asked for (fraction 1), or the flights are all there are (`whole`, a factorial campaign), the flights decide
/// themselves. While flights are missing the verdict is the one that they cannot change any more, else undecided.
RequirementResult check_requirement(const Requirement& requirement, std::span<const double> values, bool whole = false,
                                    std::uint64_t missing = 0);

/// Bounds of a proportion, k of n, each with the confidence by itself.
double proportion_at_least(std::uint64_t k, std::uint64_t n, double confidence);
double proportion_at_most(std::uint64_t k, std::uint64_t n, double confidence);

struct RankCorrelation {
  std::uint64_t flights = 0;     // with both numbers
  double value = not_a_number;   // of Spearman, -1 to 1; NaN where one of the two does not change
  double chance = not_a_number;  // that independent numbers are as far from 0 (Student's t, both sides)
};

/// Equal numbers have the mean of their ranks.
RankCorrelation rank_correlation(std::span<const double> input, std::span<const double> measure);

/// The same of ranks within strata, of which only differences within a stratum count (15a). The chance is that of
/// numbers that may be exchanged within each stratum.
RankCorrelation stratified_rank_correlation(std::span<const double> input, std::span<const double> measure,
                                            std::span<const std::uint64_t> stratum);

/// Shares of the variance of a measure that are of one input.
struct SobolIndex {
  double first = not_a_number, first_error = not_a_number;  // by itself, and its standard error
  double total = not_a_number, total_error = not_a_number;  // with all that it interacts with
  std::uint64_t used = 0, left_out = 0;                     // base samples; left out where one of its flights failed
};

/// By input. `values` are those of all flights of the design of Saltelli (SensitivityDesign), or of the first so many
/// base samples.
std::vector<SobolIndex> sobol_indices(std::span<const double> values, std::size_t inputs);

/// The flights with the largest (or smallest) numbers, worst first; equal ones in the order of the flights. Failed ones
/// are not among them.
std::vector<std::uint64_t> worst_flights(std::span<const double> values, std::size_t count, bool largest);

/// Those without a number, the first so many.
std::vector<std::uint64_t> failed_flights(std::span<const double> values, std::size_t count);

}  // namespace gyrostat::campaign
