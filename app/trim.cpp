#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/results/results.h"
#include "gyrostat/results/target.h"

#include "linear.h"
#include "output.h"
#include "results_text.h"
#include "state_file.h"

namespace gyrostat::app {

namespace {

struct TrimmedEntry {
  std::string name;
  std::string_view unit;
  double from = 0, to = 0;
};

std::vector<TrimmedEntry> changed_entries(const System& system, const Trim& trim) {
  std::vector<TrimmedEntry> list;
  const auto add = [&](const std::vector<StateEntry>& entries, const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      if (std::abs(to[i] - from[i]) <= 1e-12 * (1 + std::abs(from[i]))) continue;
      list.push_back({entries[k].name, entries[k].unit, from[i], to[i]});
    }
  };
  add(coordinate_entries(system), trim.from.q, trim.to.q);
  add(speed_entries(system), trim.from.u, trim.to.u);
  return list;
}

Json trim_json(const System& system, const Trim& trim) {
  Json changed = Json::object(), left = Json::object();
  for (const TrimmedEntry& e : changed_entries(system, trim)) changed[e.name] = {{"from", e.from}, {"to", e.to}};
  for (const TrimResidual& r : trim.left) left[r.name] = r.rate;
  return {{"found", trim.found()},         {"residual_before", trim.residual_before}, {"residual", trim.residual},
          {"iterations", trim.iterations}, {"changed", std::move(changed)},           {"left", std::move(left)},
          {"neutral", trim.neutral}};
}

void print_trim(const System& system, const Trim& trim) {
  fmt::print("{}: the largest rate {:.3g}, at the beginning {:.3g}; {}\n",
             trim.found() ? "a steady motion" : "no steady motion", trim.residual, trim.residual_before,
             counted(static_cast<std::size_t>(trim.iterations), "iteration", "iterations"));
  if (const auto changed = changed_entries(system, trim); !changed.empty()) {
    fmt::print("\n  {:<24}{:>18}{:>18}\n", "", "from", "to");
    for (const TrimmedEntry& e : changed) {
      fmt::print("  {:<24}{:>18.9g}{:>18.9g}  {}\n", e.name, e.from, e.to, e.unit);
    }
  }
  if (!trim.neutral.empty()) {
    fmt::print("\nneutral, so that they stayed near where they were: {}\n", fmt::join(trim.neutral, ", "));
  }
}

}  // namespace

std::string failure_text(const Trim& trim) {
  std::string text = "no steady motion was found near the state to begin with:";
  for (std::size_t k = 0; k < std::min<std::size_t>(trim.left.size(), 3); ++k) {
    const TrimResidual& r = trim.left[k];
    text += fmt::format("{} {} still changes by {:.3g}{} in a second", k > 0 ? "," : "", r.name, r.rate,
                        r.unit.empty() ? "" : " " + r.unit);
  }
  if (trim.left.size() > 3) text += fmt::format(", and {} more", trim.left.size() - 3);
  if (!trim.failure.empty()) text += fmt::format(" ({})", trim.failure);
  return text +
         "; begin nearer to it (--state), hold fewer states, or say what is steady (--steady orbit, --steady spin)";
}

int trim(const LinearArguments& arguments) {
  const bool json = arguments.model.json;
  return with_model(arguments.model, [&](const Source&, const Model& model) {
    if (!arguments.output.empty()) {
      results::check_target(arguments.output, results::FileKind::state, arguments.force);
    }
    const Trim found = gyrostat::trim(model, untrimmed_point(arguments, model), trim_settings_of(arguments));
    if (found.found() && !arguments.output.empty()) write_state(arguments.output, model, found.to);
    if (json) {
      print_json(trim_json(model.system, found));
    } else {
      print_trim(model.system, found);
      if (found.found() && !arguments.output.empty()) fmt::print("{}: written\n", printable(arguments.output));
    }
    if (!found.found() && !json) fmt::print(stderr, "{}\n", printable(failure_text(found)));
    return found.found() ? exit_code::done : exit_code::cannot_go_on;
  });
}

}  // namespace gyrostat::app
