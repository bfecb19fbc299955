#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/campaign/copula.h"
#include "gyrostat/campaign/read.h"
#include "gyrostat/campaign/sobol.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/checks.h"

namespace gyrostat::campaign {

namespace {

// Numbers that could not be read are NaN: no comparison with them is true.
class Validation {
 public:
  Validation(const CampaignDescription& campaign, Problems& problems)
      : c_(campaign), problems_(problems), columns_(sampled_columns(campaign)) {}

  void run() {
    for (const Varied& varied : c_.vary) check(varied);
    for (const Factor& factor : c_.factors) check(factor);
    check_method();
    check_flights();
    check_correlations();
    for (const Measure& measure : c_.measures) check(measure);
    for (const Requirement& requirement : c_.require) check(requirement);
    if (c_.record) check(*c_.record);
  }

 private:
  void error(std::string path, std::string message) { problems_.error(std::move(path), std::move(message)); }

  void once(const std::string& section, const std::string& name) {
    if (!seen_.insert(section + name).second) error(section + name, "is given twice");
  }

  void check(const Varied& varied) {
    const std::string path = "vary." + varied.parameter;
    once("vary.", varied.parameter);
    if (varied.size != 1 && varied.size != 3) error(path + ".size", "is 1 for a number or 3 for a vector");
    std::visit(
        [&]<class K>(const K& kind) {
          kind.check([&](std::string_view field, const std::string& message) {
            error(path + "." + path_in<K>(field), message);
          });
        },
        varied.distribution);
    if (const auto* table = std::get_if<Table>(&varied.distribution)) check(*table, varied.size, path + ".table");
  }

  void check(const Table& table, std::size_t size, const std::string& path) {
    if (size == 3 && table.columns.empty() && !table.column.empty())
      return error(path + ".column", "a vector (size: 3) needs three: columns: [X, Y, Z]");
    if (!table.columns.empty() && table.columns.size() != size)
      return error(path + ".columns", fmt::format("size is {}, but there are {} columns", size, table.columns.size()));
    for (const auto& rows : table.rows) {
      if (rows.size() >= c_.count) continue;
      return error(path + ".file", fmt::format("has {} rows, but there are {} samples, each of which takes a row",
                                               rows.size(), c_.count));
    }
  }

  void check(const Factor& factor) {
    once("vary.", factor.parameter);
    const std::string path = "vary." + factor.parameter + ".values";
    if (factor.values.empty()) error(path, "the list is empty");
    std::set<double> seen;
    for (std::size_t i = 0; i < factor.values.size(); ++i) {
      const double value = factor.values[i];
      if (!std::isnan(value) && !seen.insert(value).second)
        error(fmt::format("{}[{}]", path, i), "occurs twice; every flight with it would be flown twice");
    }
  }

  void check_method() {
    if (c_.method == Method::factorial) {
      for (const Varied& varied : c_.vary)
        error("vary." + varied.parameter,
              "has a distribution, but samples.method is factorial; give values: [..], or another method");
      if (c_.factors.empty() && c_.vary.empty())
        error("samples.method", "factorial flies all combinations of values, but no parameter has values");
    }
    if (columns_.size() > limits::columns)
      return error("vary", fmt::format("{} varied numbers; the limit is {}", columns_.size(), limits::columns));
    if (c_.sensitivity) check_sensitivity();
    const std::size_t dimensions = (c_.sensitivity ? 2 : 1) * columns_.size();
    if (c_.method == Method::sobol && dimensions > sobol_dimensions)
      error("samples.method",
            fmt::format("{} varied numbers{} need {} dimensions; the sequences of Sobol here have {}; use "
                        "latin_hypercube",
                        columns_.size(), c_.sensitivity ? " with sensitivity" : "", dimensions, sobol_dimensions));
  }

  void check_sensitivity() {
    const std::string path = "samples.sensitivity";
    if (c_.method == Method::factorial) return error(path, "Sobol indices need distributions; factorial has none");
    if (columns_.empty()) error(path, "Sobol indices need parameters with distributions; none is varied");
    if (!c_.factors.empty())
      error(path, fmt::format("does not go with values, which {} has; choice: {{of: [..]}} can be an input of Sobol "
                              "indices",
                              c_.factors.front().parameter));
    if (!c_.correlate.empty()) error(path, "Sobol indices are of independent inputs; leave out correlate");
    for (const Varied& varied : c_.vary) {
      if (std::holds_alternative<Table>(varied.distribution))
        error(path, fmt::format("does not go with a table, which {} has: its rows cannot be exchanged column by column",
                                varied.parameter));
    }
  }

  void check_flights() {
    double flights = static_cast<double>(c_.count) * (c_.sensitivity ? static_cast<double>(columns_.size()) + 2 : 1);
    for (const Factor& factor : c_.factors) flights *= static_cast<double>(factor.values.size());
    if (c_.count == 0 && c_.method != Method::factorial) error("samples.count", "at least 1 sample is needed");
    if (flights > static_cast<double>(limits::flights))
      error("samples", fmt::format("{:.0f} flights in all; the limit is {}", flights, limits::flights));
  }

  void check_correlations() {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    bool whole = true;
    for (std::size_t i = 0; i < c_.correlate.size(); ++i) {
      const Correlation& c = c_.correlate[i];
      const std::size_t errors = problems_.errors_found();
      const std::string path = fmt::format("correlate[{}]", i);
      if (std::isnan(c.value)) {
        whole = false;  // reported
      } else if (c.a >= columns_.size() || c.b >= columns_.size()) {
        error(path, "there is no such column");
      } else if (c.a == c.b) {
        error(path, fmt::format("'{}' cannot be correlated with itself", columns_[c.a]));
      } else if (!(std::abs(c.value) < 1)) {
        error(path + "[2]", fmt::format("a correlation is between -1 and 1, got {}", c.value));
      } else if (!seen.insert(std::minmax(c.a, c.b)).second) {
        error(path, fmt::format("the correlation of {} and {} is given twice", columns_[c.a], columns_[c.b]));
      } else if (is_table(c.a) || is_table(c.b)) {
        error(path, fmt::format("the samples of '{}' are those of a table, and cannot be correlated with others",
                                columns_[is_table(c.a) ? c.a : c.b]));
      }
      whole = whole && problems_.errors_found() == errors;
    }
    if (!whole || c_.correlate.empty()) return;
    std::set<std::size_t> correlated;
    for (const Correlation& c : c_.correlate) correlated.insert({c.a, c.b});
    if (correlated.size() > limits::correlated)
      return error("correlate",
                   fmt::format("{} correlated numbers; the limit is {}", correlated.size(), limits::correlated));
    if (make_copula(c_.correlate)) return;
    std::vector<std::string> entries;
    std::set<std::size_t> among;
    for (const Correlation& c : contradicting(c_.correlate)) {
      entries.push_back(fmt::format("[{}, {}, {}]", columns_[c.a], columns_[c.b], c.value));
      among.insert({c.a, c.b});
    }
    const bool zeros = entries.size() < among.size() * (among.size() - 1) / 2;
    constexpr std::size_t most = 10;
    const bool cut = entries.size() > most;
    if (cut) entries.resize(most);
    error("correlate",
          fmt::format("no distribution has these correlations at once (their matrix is not positive definite): {}{}{}",
                      fmt::join(entries, ", "), cut ? ", ..." : "", zeros ? "; pairs that are not given have 0" : ""));
  }

  [[nodiscard]] bool is_table(std::size_t column) const {
    std::size_t first = 0;
    for (const Varied& varied : c_.vary) {
      if (column < first + varied.size) return std::holds_alternative<Table>(varied.distribution);
      first += varied.size;
    }
    return false;
  }

  void check(const Measure& measure) {
    const std::string path = "measure." + measure.name;
    once("measure.", measure.name);
    const bool windowed = std::isfinite(measure.before);
    if (measure.after < 0) error(path + (windowed ? ".between[0]" : ".after"), "must not be negative");
    if (measure.hold < 0) error(path + ".for", "must not be negative");
    if (measure.hold > 0 && measure.before > measure.after && measure.hold > measure.before - measure.after)
      error(path + ".for", fmt::format("is longer than the {} s of between", shown(measure.before - measure.after)));
  }

  void check(const Requirement& requirement) {
    const std::string path = "require." + requirement.measure;
    once("require.", requirement.measure);
    check_measure(path, requirement.measure);
    if (!requirement.below && !requirement.above) error(path, "needs below or above");
    if (requirement.below && requirement.above && *requirement.below <= *requirement.above)
      error(path, fmt::format("nothing is above {} and below {}", *requirement.above, *requirement.below));
    if (!(requirement.fraction > 0) && !std::isnan(requirement.fraction)) error(path + ".in", "must be above 0 %");
    if (requirement.fraction > 1) error(path + ".in", "is at most 100 %");
    if (requirement.confidence <= 0 || requirement.confidence >= 1)
      error(path + ".confidence",
            requirement.confidence >= 1 ? "must be below 100 %: no number of flights makes sure" : "must be above 0 %");
  }

  void check_measure(const std::string& path, const std::string& name) {
    std::vector<std::string_view> names;
    for (const Measure& measure : c_.measures) names.emplace_back(measure.name);
    if (std::ranges::find(names, name) == names.end())
      error(path, fmt::format("no measure '{}'{}", name, did_you_mean(name, names)));
  }

  void check(const Recording& recording) {
    if (recording.interval <= 0) error("record.interval", "must be positive");
    if (!recording.worst.empty()) check_measure("record.worst.measure", recording.worst);
  }

  const CampaignDescription& c_;
  Problems& problems_;
  std::vector<std::string> columns_;
  std::set<std::string> seen_;
};

}  // namespace

void validate(const CampaignDescription& campaign, Problems& problems) { Validation(campaign, problems).run(); }

}  // namespace gyrostat::campaign
