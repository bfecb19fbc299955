// Distributions of varied parameters, each by its quantile function (docs/theory/campaigns.md, section 2).
// A kind is a struct with its fields in the campaign file (format/field.h), a check and a quantile; and a place in the
// list at the end. Its numbers are in the unit of the parameter, but the field `plain`, which has none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "gyrostat/format/field.h"
#include "gyrostat/math/normal.h"

namespace gyrostat::campaign {

/// Constant over an interval.
struct Uniform {
  static constexpr std::string_view kind = "uniform", note = "constant over an interval";
  double low = 0, high = 0;  // [SI]

  static constexpr auto fields() {
    return std::tuple{required_field(&Uniform::low, "low", Form::constant, "the least value"),
                      required_field(&Uniform::high, "high", Form::constant, "the greatest value")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

struct Normal {
  static constexpr std::string_view kind = "normal", note = "of Gauss";
  double mean = 0, std = 0;  // [SI]

  static constexpr auto fields() {
    return std::tuple{required_field(&Normal::mean, "mean", Form::constant, "its mean"),
                      required_field(&Normal::std, "std", Form::constant, "its standard deviation")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

/// A normal distribution of which only what lies in an interval is kept; mean and std are those before.
struct Truncated {
  static constexpr std::string_view kind = "truncated", note = "normal, cut off at both ends";
  double mean = 0, std = 0, low = 0, high = 0;  // [SI]

  static constexpr auto fields() {
    return std::tuple{required_field(&Truncated::mean, "mean", Form::constant, "of the normal distribution"),
                      required_field(&Truncated::std, "std", Form::constant, "of the normal distribution"),
                      required_field(&Truncated::low, "low", Form::constant, "the least value"),
                      required_field(&Truncated::high, "high", Form::constant, "the greatest value")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

/// Its logarithm has a normal distribution of mean log(median) and deviation sigma.
struct Lognormal {
  static constexpr std::string_view kind = "lognormal", note = "its logarithm is normal", plain = "sigma";
  double median = 1;  // [SI]
  double sigma = 0;   // of the natural logarithm

  static constexpr auto fields() {
    return std::tuple{
        required_field(&Lognormal::median, "median", Form::constant, "positive"),
        required_field(&Lognormal::sigma, "sigma", Form::constant, "standard deviation of the natural logarithm")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

struct Triangular {
  static constexpr std::string_view kind = "triangular", note = "rises to the mode and falls";
  double low = 0, mode = 0, high = 0;  // [SI]

  static constexpr auto fields() {
    return std::tuple{required_field(&Triangular::low, "low", Form::constant, "the least value"),
                      required_field(&Triangular::mode, "mode", Form::constant, "the most likely value"),
                      required_field(&Triangular::high, "high", Form::constant, "the greatest value")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

/// One of several values, in the order of the list.
struct Choice {
  static constexpr std::string_view kind = "choice", note = "one of several values", plain = "weights";
  std::vector<double> of;       // [SI]
  std::vector<double> weights;  // as many, not normalised; none: equal ones

  static constexpr auto fields() {
    return std::tuple{
        filled(required_field(&Choice::of, "of", Form::constant_list, "the values")),
        optional_field(&Choice::weights, "weights", Form::constant_list, "how likely each is; default equal")};
  }
  void check(const Wrong& wrong) const;
  [[nodiscard]] double quantile(const Probability& p) const;
};

/// Samples that were made elsewhere: sample k is row k of a CSV file. Several columns of one file keep their rows
/// together.
struct Table {
  static constexpr std::string_view kind = "table", note = "samples of a CSV file, row by row";
  std::string file;                  // as written, relative to the campaign file
  std::string column;                // its name in the first line
  std::vector<std::string> columns;  // three of them, of a vector
  std::string unit;                  // of what is in the file; empty: SI

  std::vector<std::vector<double>> rows;  // by component, of the file [SI]

  static constexpr auto fields() {
    return std::tuple{
        required_field(&Table::file, "file", Form::path, "a CSV file whose first line has the names of its columns"),
        optional_field(&Table::column, "column", Form::text, "which column"),
        optional_field(&Table::columns, "columns", Form::names, "of a vector (size: 3): three columns"),
        optional_field(&Table::unit, "unit", Form::text, "of the numbers in the file; default SI")};
  }
  void check(const Wrong& wrong) const;
};

using Distribution = std::variant<Uniform, Normal, Truncated, Lognormal, Triangular, Choice, Table>;

/// The value below which the probability lies. Precondition: not a table.
double quantile(const Distribution& distribution, const Probability& p);

}  // namespace gyrostat::campaign
