#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "gyrostat/campaign/read.h"
#include "gyrostat/expression/glob.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/model/dimensions.h"
#include "gyrostat/simulate/run_settings.h"

namespace gyrostat::campaign {

namespace {

constexpr std::string_view signals_path = "signals.", measure_prefix = "measure.";

/// The parameters of a model: numbers, and vectors by their components.
class Parameters {
 public:
  Parameters(const Description& model, Problems& problems) : model_(model), problems_(problems) {}

  void check(const std::string& name, std::size_t size, const std::optional<Dimension>& given, bool factor) {
    const std::string path = "vary." + name;
    const ParameterDescription* number = find(name);
    const ParameterDescription* first = find(name + ".x");
    if (number != nullptr && number->name.find('.') != std::string::npos && is_component(name)) {
      return problems_.error(path, fmt::format("is a component of the vector '{}'; vary {} with size: 3, or give the "
                                               "component to a parameter of its own",
                                               name.substr(0, name.rfind('.')), name.substr(0, name.rfind('.'))));
    }
    if (number == nullptr && first == nullptr)
      return problems_.error(path, fmt::format("the model has no parameter '{}'{}", name, did_you_mean(name, names())));
    if (number == nullptr && size == 1)
      return problems_.error(path, factor ? fmt::format("'{}' is a vector; values are numbers", name)
                                          : fmt::format("'{}' is a vector; add size: 3", name));
    if (number != nullptr && size == 3)
      return problems_.error(path + ".size", fmt::format("'{}' is a number, not a vector", name));
    const auto& stated = (number != nullptr ? number : first)->value.dimension;
    if (stated && given && !compatible_but_for_angle(*given, *stated))
      problems_.error(path, fmt::format("its numbers are in {}, but the parameter of the model is in {}",
                                        unit_text(*given), unit_text(*stated)));
  }

 private:
  [[nodiscard]] const ParameterDescription* find(const std::string& name) const {
    const auto found = std::ranges::find(model_.parameters, name, &ParameterDescription::name);
    return found == model_.parameters.end() ? nullptr : &*found;
  }

  /// v.x with v.y and v.z beside it.
  [[nodiscard]] bool is_component(const std::string& name) const {
    const std::string whole = name.substr(0, name.rfind('.'));
    return std::ranges::all_of(component_suffixes,
                               [&](std::string_view suffix) { return find(whole + std::string(suffix)) != nullptr; });
  }

  /// Of vectors, their own.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const ParameterDescription& parameter : model_.parameters) {
      const bool component = parameter.name.find('.') != std::string::npos && is_component(parameter.name);
      const std::string name = component ? parameter.name.substr(0, parameter.name.rfind('.')) : parameter.name;
      if (list.empty() || list.back() != name) list.push_back(name);
    }
    return list;
  }

  const Description& model_;
  Problems& problems_;
};

/// The path in the campaign file of what is wrong with the signal of a measure; nothing for other problems.
std::optional<std::string> path_of_measure(const CampaignDescription& campaign, std::string_view path) {
  if (!path.starts_with(signals_path)) return std::nullopt;
  for (const Measure& measure : campaign.measures) {
    if (path.substr(signals_path.size()) == measure_signal(measure))
      return fmt::format("measure.{}.{}", measure.name, Measure::kinds[static_cast<std::size_t>(measure.kind)]);
  }
  return std::nullopt;
}

/// What a measure measures, where that is known.
std::optional<Dimension> dimension_of(const Measure& measure, const expression::KnownDimension& expression) {
  if (measure.kind == Measure::Kind::first_time) return dimension::time;
  if (!expression.dimension) return std::nullopt;
  return measure.kind == Measure::Kind::integral ? *expression.dimension * dimension::time : *expression.dimension;
}

std::optional<Dimension> dimension_of_computed(const Measure& measure) {
  if (measure.unit.empty()) return std::nullopt;
  return parse_unit(measure.unit).unit.dimension;
}

/// A measure of instants that no flight reaches would be nothing, and a condition that has no time to hold never comes.
void check_windows(const CampaignDescription& campaign, double duration, Problems& problems) {
  if (!(duration > 0)) return;  // whoever flies it says that
  for (const Measure& measure : campaign.measures) {
    const std::string path = "measure." + measure.name;
    const bool windowed = std::isfinite(measure.before);
    const std::string lasts = fmt::format("a flight lasts {} s (simulation.duration of the model)", duration);
    if (measure.after >= duration) {
      problems.error(path + (windowed ? ".between[0]" : ".after"),
                     fmt::format("is {} s, but {}: nothing would be measured", measure.after, lasts));
    } else if (windowed && measure.before > duration) {
      problems.error(path + ".between[1]", fmt::format("is {} s, but {}; 'after: {}' goes on to the end",
                                                       measure.before, lasts, measure.after));
    } else if (!windowed && measure.hold > duration - measure.after) {
      problems.error(path + ".for",
                     fmt::format("is {} s, but {}{}: so long it can never hold", measure.hold, lasts,
                                 measure.after > 0 ? fmt::format(" and counts after {} s", measure.after) : ""));
    }
  }
}

void check_requirements(const CampaignDescription& campaign, const Description& loaded, Problems& problems) {
  const Names names(loaded);
  const std::vector<expression::KnownDimension> dimensions = dimensions_of_signals(loaded, names);
  for (const Measure& measure : campaign.measures) {
    const auto signal = names.signal(measure_signal(measure));
    const auto requirement = std::ranges::find(campaign.require, measure.name, &Requirement::measure);
    if (!signal && !measure.computed) {
      problems.error(
          fmt::format("measure.{}.{}", measure.name, Measure::kinds[static_cast<std::size_t>(measure.kind)]),
          "a number is needed here, not a vector or a rotation; take a component (v.x), norm(v) or dot(a, v)");
      continue;
    }
    if (requirement == campaign.require.end() || !requirement->dimension) continue;
    const auto measured =
        measure.computed ? dimension_of_computed(measure) : dimension_of(measure, dimensions[*signal]);
    if (measured && !compatible_but_for_angle(*requirement->dimension, *measured))
      problems.error("require." + measure.name, fmt::format("its bound is in {}, but the measure in {}",
                                                            unit_text(*requirement->dimension), unit_text(*measured)));
  }
  if (!campaign.record) return;
  for (std::size_t i = 0; i < campaign.record->columns.size(); ++i) {
    const std::string& column = campaign.record->columns[i];
    const std::string path = fmt::format("record.columns[{}]", i);
    if (is_pattern(column)) {
      if (names.matching(column).empty()) problems.error(path, fmt::format("nothing is called '{}'", column));
    } else if (names.numbers_of(column).empty()) {
      const auto answer = names.resolve(column);
      const auto* why = std::get_if<std::string>(&answer);
      if (why != nullptr) problems.error(path, *why);
    }
  }
}

}  // namespace

std::string measure_signal(const Measure& measure) { return std::string(measure_prefix) + measure.name; }

void add_measures(const CampaignDescription& campaign, ModelText& model) {
  for (const Measure& measure : campaign.measures) {
    if (!measure.computed) model.add_signal(measure_signal(measure), measure.expression);
  }
}

void check_against(const CampaignDescription& campaign, const ModelText& model, Problems& problems) {
  const Description as_read = model.as_read();
  Parameters parameters(as_read, problems);
  for (const Varied& varied : campaign.vary) parameters.check(varied.parameter, varied.size, varied.dimension, false);
  for (const Factor& factor : campaign.factors) parameters.check(factor.parameter, 1, factor.dimension, true);

  ModelText with_measures = model;
  add_measures(campaign, with_measures);
  Loaded loaded = with_measures.load();
  bool others = false;
  for (Problem& problem : loaded.problems.all()) {
    const auto path = path_of_measure(campaign, problem.path);
    if (problem.severity == Severity::error && !path) others = true;
    if (!path) continue;
    problem.path = *path;
    problem.place = {};
    problems.add(std::move(problem));
  }
  // What is wrong with the model by itself is for whoever loads it; but a campaign cannot be judged with it.
  if (others && problems.errors() == 0)
    problems.error("model", "there is something wrong with the model; 'gyrostat check' says what");
  if (!loaded.model) return;
  check_windows(campaign, RunSettings(*loaded.model).until, problems);
  check_requirements(campaign, loaded.model->description, problems);
}

std::string model_path(const CampaignDescription& campaign, const std::string& campaign_file) {
  return (std::filesystem::path(campaign_file).parent_path() / campaign.model).lexically_normal().string();
}

}  // namespace gyrostat::campaign
