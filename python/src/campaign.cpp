// Campaigns: read, flown, flown again, and what their files answer.
#include "gyrostat/campaign/campaign.h"

#include <fmt/format.h>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/campaign/ranks.h"
#include "gyrostat/model/problems_text.h"

#include "module.h"

namespace gyrostat::python {

namespace {

using campaign::Answers;
using campaign::CampaignOptions;
using campaign::CampaignOutcome;
using campaign::FlightPlan;
using campaign::FlightRecord;
using campaign::FlightResult;
using campaign::MeasureAnswer;
using campaign::Progress;
using campaign::ReadCampaign;
using campaign::Sampler;

/// Calls back into Python from a campaign that goes on without the interpreter's lock. After the first exception, which
/// stays set, Python is not called any more.
class Callbacks {
 public:
  Callbacks(py::object progress, py::object compute) : progress_(std::move(progress)), compute_(std::move(compute)) {}

  bool go_on(const Progress& now) {
    return call([&] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress_.is_none()) return true;
      const py::object answer = progress_(now.flights, now.ended, now.failed, now.ended_before, now.seconds);
      return !answer.is(py::bool_(false));
    });
  }

  std::optional<std::vector<double>> compute(const FlightResult& flight) {
    std::optional<std::vector<double>> values;
    call([&] {
      const FlightRecord& record = flight.record;
      py::list names;
      for (const OutputColumn& column : record.columns) names.append(column.name);
      py::array_t<double> rows({record.time.size(), record.columns.size()});
      std::ranges::copy(record.rows, rows.mutable_data());
      values = compute_(flight.number, to_array(flight.inputs), to_array(flight.measures), names, to_array(record.time),
                        rows)
                   .cast<std::vector<double>>();
      return true;
    });
    return values;
  }

 private:
  template <class Act>
  bool call(const Act& act) {
    if (raised_) return false;
    stay_if_interpreter_ended();
    const py::gil_scoped_acquire lock;
    try {
      return act();
    } catch (py::error_already_set& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    raised_ = true;
    return false;
  }

  py::object progress_, compute_;
  bool raised_ = false;
};

/// A campaign that can be flown.
class CampaignHandle {
 public:
  CampaignHandle(ReadCampaign read, const std::function<std::optional<FlightPlan>(ReadCampaign&)>& plan)
      : read_(std::move(read)) {
    if (read_.campaign) plan_ = plan(read_);
    if (!plan_) throw CampaignRefused{std::make_shared<const Loaded>(problems())};
  }

  [[nodiscard]] const ReadCampaign& read() const { return read_; }
  [[nodiscard]] const FlightPlan& plan() const { return *plan_; }
  /// As those of models are told.
  [[nodiscard]] Loaded problems() const { return {read_.source, read_.problems, {}}; }

  [[nodiscard]] py::array_t<double> samples(std::uint64_t first, std::uint64_t count) const {
    const Sampler& sampler = plan_->sampler();
    if (first > sampler.count() || count > sampler.count() - first) {
      throw py::index_error(fmt::format("there are no {} flights from flight {} on; the campaign has {}, from 0 on",
                                        count, first, sampler.count()));
    }
    const std::size_t width = sampler.columns().size();
    py::array_t<double> rows({static_cast<std::size_t>(count), width});
    double* const out = rows.mutable_data();
    const py::gil_scoped_release free;
    for (std::uint64_t k = 0; k < count; ++k) sampler.sample(first + k, {out + k * width, width});
    return rows;
  }

  [[nodiscard]] py::tuple fly(const std::string& path, const py::dict& given, const py::object& progress,
                              const py::object& compute) {
    allow_plugins(given);
    Callbacks callbacks(progress, compute);
    CampaignOptions options;
    options.threads = static_cast<unsigned>(entry<int>(given, "threads").value_or(0));
    options.resume = entry<bool>(given, "resume").value_or(false);
    options.force = entry<bool>(given, "force").value_or(false);
    options.command = entry<std::string>(given, "command").value_or("");
    options.go_on = [&](const Progress& now) { return callbacks.go_on(now); };
    if (!compute.is_none()) options.compute = [&](const FlightResult& flight) { return callbacks.compute(flight); };
    CampaignOutcome outcome;
    {
      const WithoutLock free;
      outcome = fly_campaign(read_, *plan_, path, options);
    }
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (!outcome.failure.empty()) throw results::WriteError(outcome.failure);
    return py::make_tuple(outcome.finished, outcome.first_process);
  }

  [[nodiscard]] py::tuple replay(std::uint64_t flight, const std::string& path, const py::dict& given) {
    allow_plugins(given);
    results::RunOptions options;
    options.command = entry<std::string>(given, "command").value_or("");
    options.force = entry<bool>(given, "force").value_or(false);
    return outcome_of(without_lock([&](const results::RunCallbacks& callbacks) {
      return campaign::replay(*plan_, flight, path, options, callbacks);
    }));
  }

 private:
  void allow_plugins(const py::dict& given) {
    if (entry<bool>(given, "allow_plugins").value_or(false)) plan_->open_plugins();
  }

  ReadCampaign read_;
  std::optional<FlightPlan> plan_;
};

std::unique_ptr<CampaignHandle> load_campaign(const std::string& path) {
  return std::make_unique<CampaignHandle>(campaign::read_campaign(path),
                                          [](ReadCampaign& read) { return make_plan(read); });
}

std::unique_ptr<CampaignHandle> load_campaign_text(const std::string& file, const std::string& text,
                                                   const ModelHandle* model) {
  return std::make_unique<CampaignHandle>(campaign::read_campaign_text(file, text), [&](ReadCampaign& read) {
    if (model == nullptr) return make_plan(read);
    return make_plan(read, model->file(), std::string(model->loaded->source.whole_text()));
  });
}

std::unique_ptr<CampaignHandle> load_stored_campaign(const std::string& path) {
  const results::ResultsReader reader(path);
  return std::make_unique<CampaignHandle>(campaign::stored_campaign(reader),
                                          [&](ReadCampaign& read) { return stored_plan(reader, read); });
}

py::list measures_of(const CampaignHandle& handle) {
  py::list list;
  for (const campaign::Measure& m : handle.plan().campaign().measures) {
    list.append(py::make_tuple(m.name, handle.plan().unit_of_measure(m), m.expression, m.computed));
  }
  return list;
}

// --- answers ---------------------------------------------------------------------------------------------------------

py::tuple sensitivity_of(const campaign::RankCorrelation& r, const campaign::SobolIndex& i = {}) {
  return py::make_tuple(r.value, r.chance, i.first, i.first_error, i.total, i.total_error);
}

/// Of a measure over a combination.
py::dict statistics_of(const MeasureAnswer& m, std::size_t combination, const Answers& answers) {
  const campaign::MeasureStatistics& of = m.statistics[combination];
  py::dict one;
  one["unit"] = m.unit;
  one["mean"] = of.summary.mean;
  one["std"] = of.summary.std;
  one["min"] = of.summary.min;
  one["max"] = of.summary.max;
  one["min_flight"] = of.summary.min_flight;
  one["max_flight"] = of.summary.max_flight;
  one["failed"] = of.summary.failed;
  py::list percentiles;
  for (const campaign::Percentile& p : of.percentiles) {
    percentiles.append(py::make_tuple(p.fraction, p.value, p.low, p.high, p.coverage));
  }
  one["percentiles"] = percentiles;
  py::dict sensitivity;
  for (std::size_t k = 0; k < answers.sampled; ++k) {
    sensitivity[answers.inputs[k].c_str()] =
        sensitivity_of(of.correlations[k], k < of.indices.size() ? of.indices[k] : campaign::SobolIndex{});
  }
  one["sensitivity"] = sensitivity;
  return one;
}

py::dict values_of(const Answers& answers, std::size_t combination) {
  py::dict values;
  const std::vector<double>& list = answers.combinations[combination].values;
  for (std::size_t f = 0; f < list.size(); ++f) values[answers.inputs[answers.sampled + f].c_str()] = list[f];
  return values;
}

py::tuple requirement_of(const campaign::RequirementAnswer& r, std::size_t combination, const Answers& answers) {
  const campaign::RequirementResult& result = r.results[combination];
  return py::make_tuple(r.requirement.measure, r.unit, r.requirement.below, r.requirement.above, r.requirement.fraction,
                        r.requirement.confidence, result.flights, result.fulfilled, result.fraction, result.low,
                        result.high, std::string(campaign::verdicts[static_cast<std::size_t>(result.verdict)]),
                        result.missing, values_of(answers, combination));
}

py::dict combination_of(const Answers& answers, std::size_t c) {
  const campaign::Combination& of = answers.combinations[c];
  py::dict one, statistics;
  one["values"] = values_of(answers, c);
  one["flights"] = of.flights;
  one["ended"] = of.ended;
  one["failed"] = of.failed;
  for (const MeasureAnswer& m : answers.measures) statistics[m.name.c_str()] = statistics_of(m, c, answers);
  one["statistics"] = statistics;
  py::list requirements;
  for (const campaign::RequirementAnswer& r : answers.requirements) requirements.append(requirement_of(r, c, answers));
  one["requirements"] = requirements;
  return one;
}

py::dict campaign_answers(const std::string& path) {
  Answers answers;
  {
    const py::gil_scoped_release free;
    const results::ResultsReader reader(path);
    const ReadCampaign read = campaign::stored_campaign(reader);
    if (!read.campaign) throw CampaignRefused{std::make_shared<const Loaded>(Loaded{read.source, read.problems, {}})};
    answers = answers_of(reader, *read.campaign);
  }
  py::dict all, worst, factors;
  all["flights"] = answers.flights;
  all["inputs"] = answers.inputs;
  all["not_packed"] = answers.not_packed;
  py::list combinations, requirements;
  for (std::size_t c = 0; c < answers.combinations.size(); ++c) combinations.append(combination_of(answers, c));
  all["combinations"] = combinations;
  for (const MeasureAnswer& m : answers.measures) {
    worst[m.name.c_str()] = m.worst;
    py::dict of_factors;
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      of_factors[answers.inputs[answers.sampled + f].c_str()] = sensitivity_of(m.factors[f]);
    }
    factors[m.name.c_str()] = of_factors;
  }
  all["worst"] = worst;
  all["factors"] = factors;
  for (const campaign::RequirementAnswer& r : answers.requirements) {
    requirements.append(requirement_of(r, r.worst, answers));
  }
  all["requirements"] = requirements;
  return all;
}

}  // namespace

void bind_campaigns(py::module_& module) {
  module.def("load_campaign", &load_campaign, py::arg("path"), "A campaign from its file.");
  module.def("load_campaign_text", &load_campaign_text, py::arg("file"), py::arg("text"), py::arg("model").none(true),
             "A campaign from a text, which problems say is in `file`; of a model, or of the one that the text names.");
  module.def("load_stored_campaign", &load_stored_campaign, py::arg("path"), "The campaign that a file is of.");
  module.def("processes_started", &campaign::processes_started,
             "How many processes mpirun has started together, of which this is one.");
  module.def("campaign_answers", &campaign_answers, py::arg("path"),
             "Statistics, requirements and sensitivities of the flights in a file, as a dict.");

  py::class_<CampaignHandle>(module, "Campaign", "A campaign that can be flown.")
      .def_property_readonly(
          "file", [](const CampaignHandle& c) { return c.read().source.file(); }, "The name of its file.")
      .def_property_readonly(
          "text", [](const CampaignHandle& c) { return std::string(c.read().source.text()); }, "The text of its file.")
      .def_property_readonly(
          "name", [](const CampaignHandle& c) { return c.plan().campaign().name; }, "What it calls itself.")
      .def_property_readonly(
          "model",
          [](const CampaignHandle& c) {
            return load_model(load_text(c.plan().nominal().source.file(), c.plan().model_text()), {});
          },
          "Its model, with the parameters of the file.")
      .def_property_readonly(
          "problems",
          [](const CampaignHandle& c) {
            const Loaded problems = c.problems();
            return py::make_tuple(problems_of(problems), text_of(problems_text(problems, false)));
          },
          "Warnings, as tuples, and their text.")
      .def_property_readonly(
          "flights", [](const CampaignHandle& c) { return c.plan().sampler().count(); }, "How many there are.")
      .def_property_readonly(
          "inputs",
          [](const CampaignHandle& c) {
            py::list list;
            for (const std::string& name : c.plan().sampler().columns()) {
              list.append(py::make_tuple(name, c.plan().unit_of_input(name), "drawn for the flight"));
            }
            return list;
          },
          "What is varied: name, unit, description.")
      .def_property_readonly("measures", &measures_of, "Name, unit, expression, is it computed by the program.")
      .def_property_readonly(
          "not_packed", [](const CampaignHandle& c) { return c.plan().alone_because(); },
          "Why flights are flown one by one, or empty.")
      .def("samples", &CampaignHandle::samples, py::arg("first"), py::arg("count"), "Inputs of flights, by row.")
      .def("fly", &CampaignHandle::fly, py::arg("path"), py::arg("settings"), py::arg("progress"), py::arg("compute"),
           "Flies all: (finished, has this process the file).")
      .def("replay", &CampaignHandle::replay, py::arg("flight"), py::arg("path"), py::arg("settings"),
           "One flight again: (status, time, failure, is anything recorded).");
}

}  // namespace gyrostat::python
