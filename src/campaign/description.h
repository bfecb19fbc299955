// What a campaign file says, as plain data in SI units. A program may also fill it in without any file.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/campaign/distribution.h"
#include "gyrostat/expression/units.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/simulate/measures.h"

namespace gyrostat::campaign {

/// A parameter of the model that has a distribution.
struct Varied {
  std::string parameter;
  std::size_t size = 1;  // 3: the components of a vector, independent of each other
  Distribution distribution;
  std::optional<Dimension> dimension = {};  // of its numbers, where one has a unit
};

/// A parameter that takes each of several values, with every sample of the others.
struct Factor {
  std::string parameter;
  std::vector<double> values;  // [SI]
  std::optional<Dimension> dimension = {};
};

/// Of the normal scores of two sampled columns (a Gaussian copula).
struct Correlation {
  std::size_t a = 0, b = 0;  // columns: sampled_columns
  double value = 0;
};

enum class Method : std::uint8_t { monte_carlo, latin_hypercube, sobol, factorial };
inline constexpr std::string_view methods[] = {"monte_carlo", "latin_hypercube", "sobol", "factorial"};

/// One number of every flight.
struct Measure {
  using Kind = MeasureKind;
  static constexpr const auto& kinds = measure_kinds;
  /// The field of a measure that the program which flies the campaign computes.
  static constexpr std::string_view computed_kind = "computed";

  std::string name;
  Kind kind = Kind::max;
  std::string expression;  // a number; of first_time: a condition, true where it is not zero
  bool computed = false;   // by the program that flies the campaign; the expression is what it says of it
  std::string unit;        // of a computed one; of others it follows from the expression
  double after = 0;        // instants before this one do not count [s]
  double before = std::numeric_limits<double>::infinity();  // nor those after this one [s]
  double hold = 0;                                          // first_time: how long the condition must hold [s]
  bool required = false;                                    // first_time: a flight in which it does not come has failed
  Place place = {};                                         // of the expression
};

/// Of a measure: in how many of the flights, and how surely.
struct Requirement {
  std::string measure;
  std::optional<double> below, above;  // the bounds themselves do not fulfil it [SI]
  double fraction = 1;                 // of flights; 1: of all that are flown
  double confidence = 0.9;
  std::optional<Dimension> dimension = {};  // of the bounds, where one has a unit
};

/// Histories that are kept.
struct Recording {
  double interval = 0;               // [s]
  std::vector<std::string> columns;  // quantities of the model; none: those that it records itself
  std::uint64_t of = 0;              // the first so many flights
  std::string worst;                 // a measure, or empty
  std::uint64_t worst_count = 0;     // and so many of the flights that are worst by it
};

struct CampaignDescription {
  std::string name;
  std::string model;  // path as written, relative to the campaign file
  std::vector<Varied> vary;
  std::vector<Factor> factors;
  std::vector<Correlation> correlate;
  Method method = Method::monte_carlo;
  std::uint64_t count = 1;   // of samples; of the base samples with `sensitivity`; 1 of factorial
  std::uint64_t seed = 0;    //
  bool sensitivity = false;  // the design of Saltelli, for Sobol indices
  std::vector<Measure> measures;
  std::vector<Requirement> require;
  std::optional<Recording> record;

  /// Is any measure computed by the program that flies it?
  [[nodiscard]] bool has_computed() const;
  /// Is more of this measure worse? As its requirement says; without one, yes.
  [[nodiscard]] bool more_is_worse(std::string_view measure) const;
};

inline constexpr std::array<std::string_view, 3> component_suffixes = {".x", ".y", ".z"};

/// "bus_mass", "misalign.x", "misalign.y", ..: the columns that have distributions, in their order.
std::vector<std::string> sampled_columns(const CampaignDescription& campaign);

namespace limits {
inline constexpr std::uint64_t flights = 1'000'000'000;
inline constexpr std::size_t columns = 10'000;  // varied numbers
inline constexpr std::size_t measures = 1'000;
inline constexpr std::size_t values = 10'000;         // of a factor or a choice
inline constexpr std::size_t correlated = 500;        // columns
inline constexpr std::size_t table_rows = 4'000'000;  // of a CSV file
inline constexpr double history_records = 1e6, history_numbers = 2.5e8;
}  // namespace limits

}  // namespace gyrostat::campaign
