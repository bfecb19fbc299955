// Runs: into a results file at once, or step by step; and results files.
#include "gyrostat/results/run.h"

#include <cmath>

#include <fmt/format.h>

#include "gyrostat/report/page.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/stepped_run.h"

#include "module.h"

namespace gyrostat::python {

bool Interrupt::go_on() {
  if (++calls_ % 64 != 0) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < std::chrono::milliseconds(50)) return true;
  asked_ = now;
  const py::gil_scoped_acquire lock;
  return PyErr_CheckSignals() == 0;
}

RunSettings settings_of(const ModelHandle& handle, const py::dict& given) {
  const Model& model = handle.model();
  RunSettings settings(model);
  const auto method = entry<std::string>(given, "method");
  const auto tolerance = entry<double>(given, "tolerance"), step = entry<double>(given, "step"),
             until = entry<double>(given, "until"), interval = entry<double>(given, "interval"),
             checkpoint = entry<double>(given, "checkpoint");
  if (const auto formulation = entry<std::string>(given, "formulation")) settings.formulation = *formulation;
  if (method) settings.integrator.method = *method;
  const std::string& used = settings.integrator.method;
  if (step && used != "rk4") {
    throw results::RunError(
        fmt::format("step is for rk4; {} chooses its steps itself, so that their error is within the tolerance", used));
  }
  if (tolerance && used == "rk4") {
    throw results::RunError("tolerance is not for rk4, whose steps are all of `step` seconds");
  }
  settings.integrator.tolerance = tolerance.value_or(settings.integrator.tolerance);
  settings.integrator.step = step.value_or(settings.integrator.step);
  if (interval) settings.interval = *interval;
  if (until) {
    if (!(*until > 0 && std::isfinite(*until))) {
      throw results::RunError(fmt::format("until={}: expected a time after 0, in seconds", *until));
    }
    settings.until = *until;
    if (!interval && model.description.output.interval == 0) settings.interval = settings.until / 1000;
  }
  if (settings.until == 0) {
    throw results::RunError(handle.file() +
                            ": simulation.duration is missing or zero; give it in the file or as until=SECONDS");
  }
  if (checkpoint) {
    if (!(*checkpoint > 0 && std::isfinite(*checkpoint))) {
      throw results::RunError(
          fmt::format("checkpoint={}: expected the time between checkpoints, in seconds", *checkpoint));
    }
    settings.checkpoint_interval = *checkpoint;
  }
  if (const auto initial = entry<py::object>(given, "initial")) settings.initial = state_of(model, *initial);
  return settings;
}

py::list events_of(const std::vector<results::Event>& events) {
  const py::object type = py::module_::import("gyrostat._results").attr("Event");
  py::list list;
  for (const results::Event& e : events) list.append(type(e.t, e.name, e.what));
  return list;
}

py::object ledger_of(const results::LedgerRecord& ledger) {
  py::list lines;
  for (const results::LedgerLine& l : ledger.lines) {
    lines.append(py::make_tuple(l.name, l.unit, l.residual, l.scale, l.relative));
  }
  py::dict result;
  result["lines"] = lines;
  result["attitude"] = ledger.attitude;
  result["accelerations"] = ledger.accelerations;
  result["other_formulation"] = ledger.other_formulation;
  result["constraint_position"] = ledger.constraint_position;
  result["constraint_speed"] = ledger.constraint_speed;
  result["exempt"] = ledger.exempt;
  result["notes"] = ledger.notes();
  result["warnings"] = ledger.warnings();
  return py::module_::import("gyrostat._results").attr("ledger_of")(result);
}

namespace {

// --- whole runs ------------------------------------------------------------------------------------------------------

/// (status, time, failure, is anything in the file) of a run. One that fails is told and not raised.
py::tuple outcome_of(const results::RunResult& result) {
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  const Outcome& outcome = result.outcome;
  const bool recorded = !result.left_earlier && result.records > 0;
  return py::make_tuple(results::status_of(outcome), outcome.t, outcome.failure, recorded);
}

py::tuple run(const ModelHandle& handle, const py::dict& given, const std::string& path) {
  const RunSettings settings = settings_of(handle, given);
  results::RunOptions options;
  options.csv = entry<std::string>(given, "csv").value_or("");
  options.command = entry<std::string>(given, "command").value_or("");
  options.allow_plugins = entry<bool>(given, "allow_plugins").value_or(false);
  options.force = entry<bool>(given, "force").value_or(false);
  options.overrides = handle.overrides;
  Interrupt interrupt;
  results::RunCallbacks callbacks;
  callbacks.go_on = [&](double) { return interrupt.go_on(); };
  results::RunResult result;
  {
    const py::gil_scoped_release free;
    result = results::run(*handle.loaded, settings, path, options, callbacks);
  }
  if (!result.csv_failure.empty()) throw results::WriteError(result.csv_failure);
  return outcome_of(result);
}

py::tuple resume(const std::string& path, const std::optional<double>& until, bool allow_plugins) {
  Interrupt interrupt;
  results::RunCallbacks callbacks;
  callbacks.go_on = [&](double) { return interrupt.go_on(); };
  results::RunResult result;
  {
    const py::gil_scoped_release free;
    result = results::resume(path, {nullptr, allow_plugins, until}, callbacks);
  }
  return outcome_of(result);
}

// --- results files ---------------------------------------------------------------------------------------------------

class ResultsHandle {
 public:
  explicit ResultsHandle(const std::string& path) : reader(path), record(results::read_record(reader)) {}

  py::array_t<double> column(const std::string& name) const {
    if (!reader.find(name)) throw py::key_error(name);
    std::vector<double> values;
    {
      const py::gil_scoped_release free;
      values = reader.column(name);
    }
    return to_array(values);
  }

  results::ResultsReader reader;
  results::RunRecord record;
};

py::list columns_of(const std::vector<results::Column>& columns) {
  py::list list;
  for (const auto& c : columns) list.append(py::make_tuple(c.name, c.unit, c.description));
  return list;
}

py::list recorded_columns(const ModelHandle& handle) {
  RunSettings settings(handle.model());
  if (settings.until == 0) settings.until = settings.interval = 1;
  py::list list;
  const Simulation simulation(handle.model(), settings,
                              std::vector<PluginFunction>(handle.model().description.signals.size()));
  for (const OutputColumn& c : simulation.columns()) list.append(py::make_tuple(c.name, c.unit, c.description));
  return list;
}

std::vector<std::string> write_report(const std::vector<std::string>& paths, const std::string& page, bool equations,
                                      bool force) {
  const py::gil_scoped_release free;
  report::ReportContent content;
  content.results = paths;
  content.equations = equations;
  return report::write_report_of(content, page, report::own_page(), force).page_warnings;
}

// --- step by step ----------------------------------------------------------------------------------------------------

class SimulationHandle {
 public:
  SimulationHandle(const ModelHandle& handle, const py::dict& given, const py::object& inputs)
      : file_(handle.file()),
        run_(handle.loaded, settings_of(handle, given), options_of(handle, given, inputs)),
        go_on_([this](double) { return interrupt_.go_on(); }) {
    if (const Outcome begun = run_.begin(); begun.kind == Outcome::Kind::failed) {
      throw RunFailed{file_, begun.t, begun.failure};
    }
  }

  void step(double dt) {
    const InUse use(busy_, "simulation");
    Outcome outcome;
    {
      const py::gil_scoped_release free;
      outcome = run_.step(dt, go_on_);
    }
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    if (outcome.kind == Outcome::Kind::failed) throw RunFailed{file_, outcome.t, outcome.failure};
  }

  double get(const std::string& name) {
    const InUse use(busy_, "simulation");
    return value(name);
  }

  py::array_t<double> get_all(const std::vector<std::string>& names) {
    const InUse use(busy_, "simulation");
    std::vector<double> values;
    values.reserve(names.size());
    for (const std::string& name : names) values.push_back(value(name));
    return to_array(values);
  }

  void set(const std::string& name, double number) {
    const InUse use(busy_, "simulation");
    if (!std::isfinite(number)) throw py::value_error(fmt::format("'{}' is set to a number that is not finite", name));
    if (const auto k = run_.find_input(name)) return run_.set_input(*k, number);
    const Description& description = run_.loaded()->model->description;
    if (std::ranges::find(description.parameters, name, &ParameterDescription::name) == description.parameters.end()) {
      static_cast<void>(value(name));  // a name that does not exist is told so
      throw py::key_error(fmt::format(
          "'{}' is neither a parameter nor an input of this simulation: name it in `inputs` when you make it", name));
    }
    const ModelHandle before(run_.loaded(), run_.overrides());
    const std::unique_ptr<ModelHandle> changed = before.with_parameters({{name, fmt::format("{:.17g}", number)}});
    run_.change_parameters(changed->loaded, changed->overrides);
  }

  void set_inputs(const Array& values) {
    const InUse use(busy_, "simulation");
    if (static_cast<std::size_t>(values.size()) != run_.inputs().size()) {
      throw py::value_error(fmt::format("there are {} inputs, not {}", run_.inputs().size(), values.size()));
    }
    for (std::size_t k = 0; k < run_.inputs().size(); ++k) {
      const double number = values.data()[k];
      if (!std::isfinite(number)) {
        throw py::value_error(fmt::format("'{}' is set to a number that is not finite", run_.inputs()[k].name));
      }
      run_.set_input(k, number);
    }
  }

  py::dict inputs() const {
    py::dict all;
    for (std::size_t k = 0; k < run_.inputs().size(); ++k) all[run_.inputs()[k].name.c_str()] = run_.input(k);
    return all;
  }

  py::tuple state() {
    const InUse use(busy_, "simulation");
    const Layout& layout = run_.simulation().plant().layout();
    std::vector<double> q(layout.nq), u(layout.nu);
    layout.scatter(run_.simulation().state_vector().data(), q.data(), u.data());
    return py::make_tuple(to_array(q), to_array(u));
  }

  void write(const std::string& path, const std::string& command, bool force) {
    const InUse use(busy_, "simulation");
    const py::gil_scoped_release free;
    run_.write(path, command, force);
  }

  py::dict statistics() {
    const IntegratorStatistics& s = run_.simulation().statistics();
    py::dict all;
    all["steps"] = s.steps;
    all["rejected"] = s.rejected;
    all["evaluations"] = s.evaluations;
    all["jacobians"] = s.jacobians;
    all["restarts"] = s.restarts;
    return all;
  }

  py::object ledger() {
    const InUse use(busy_, "simulation");
    return ledger_of(results::record_of(run_.simulation(), run_.overrides(), 0).ledger);
  }

  [[nodiscard]] double time() const { return run_.time(); }
  [[nodiscard]] const std::vector<results::Event>& events() const { return run_.events(); }

 private:
  double value(const std::string& name) {
    try {
      return run_.value(name);
    } catch (const std::out_of_range& error) {
      throw py::key_error(error.what());
    }
  }

  static results::SteppedOptions options_of(const ModelHandle& handle, const py::dict& given,
                                            const py::object& inputs) {
    results::SteppedOptions options;
    options.overrides = handle.overrides;
    options.allow_plugins = entry<bool>(given, "allow_plugins").value_or(false);
    options.record = entry<bool>(given, "record").value_or(false);
    if (inputs.is_none()) return options;
    if (py::isinstance<py::dict>(inputs)) {
      for (const auto& [name, value] : inputs.cast<py::dict>()) {
        options.inputs.emplace_back(name.cast<std::string>(), value.cast<std::optional<double>>());
      }
    } else if (py::isinstance<py::str>(inputs)) {
      options.inputs.emplace_back(inputs.cast<std::string>(), std::nullopt);
    } else {
      for (const py::handle name : inputs) options.inputs.emplace_back(name.cast<std::string>(), std::nullopt);
    }
    return options;
  }

  std::string file_;
  results::SteppedRun run_;
  Interrupt interrupt_;
  results::SteppedRun::GoOn go_on_;
  std::atomic<bool> busy_ = false;
};

}  // namespace

void bind_runs(py::module_& module) {
  module.def("run", &run, py::arg("model"), py::arg("settings"), py::arg("path"),
             "A run into a results file: (status, time, failure, is anything recorded).");
  module.def("resume", &resume, py::arg("path"), py::arg("until"), py::arg("allow_plugins"),
             "Goes on with a run that was interrupted: (status, time, failure, is anything recorded).");
  module.def("columns", &recorded_columns, py::arg("model"), "What a run records: (name, unit, description).");
  module.def("write_report", &write_report, py::arg("results"), py::arg("page"), py::arg("equations"), py::arg("force"),
             "A report of one results file or two; warnings about the page.");

  py::class_<ResultsHandle>(module, "ResultsFile", "A results file; columns are read when they are asked for.")
      .def(py::init<const std::string&>(), py::arg("path"))
      .def_property_readonly(
          "path", [](const ResultsHandle& r) { return r.reader.path(); }, "Where it is.")
      .def_property_readonly(
          "columns", [](const ResultsHandle& r) { return columns_of(r.reader.columns()); }, "Name, unit, description.")
      .def_property_readonly(
          "time", [](const ResultsHandle& r) { return to_array(r.reader.time()); }, "The times of the records [s].")
      .def_property_readonly(
          "events", [](const ResultsHandle& r) { return events_of(r.reader.events()); }, "(t, name, what).")
      .def_property_readonly(
          "status", [](const ResultsHandle& r) { return r.reader.status(); }, "How the run ended.")
      .def_property_readonly(
          "statistics",
          [](const ResultsHandle& r) {
            py::dict all;
            for (const auto& [name, value] : r.reader.statistics()) all[name.c_str()] = value;
            return all;
          },
          "Numbers about the run, by name.")
      .def_property_readonly(
          "header",
          [](const ResultsHandle& r) {
            const results::Header& h = r.reader.header();
            py::dict all;
            all["model_name"] = h.model_name;
            all["model_file"] = h.model_file;
            all["model_text"] = h.model_text;
            all["version"] = h.version;
            all["command"] = h.command;
            all["formulation"] = h.formulation;
            all["integrator"] = h.integrator;
            return all;
          },
          "Where the results come from.")
      .def_property_readonly(
          "parameters",
          [](const ResultsHandle& r) {
            std::vector<std::pair<std::string, std::string>> all;
            for (const Override& o : r.record.overrides) all.emplace_back(o.name, o.value);
            return all;
          },
          "Parameters with other values than those of the model's text.")
      .def_property_readonly(
          "ledger", [](const ResultsHandle& r) { return ledger_of(r.record.ledger); }, "The balance of the run.")
      .def("column", &ResultsHandle::column, py::arg("name"), "The values of a column.");

  py::class_<SimulationHandle>(module, "Simulation",
                               "A run that is taken step by step, with inputs that are set between steps.\n\n"
                               "Made by Model.simulation. One thread at a time may use it.")
      .def(py::init<const ModelHandle&, const py::dict&, const py::object&>(), py::arg("model"), py::arg("settings"),
           py::arg("inputs"))
      .def("step", &SimulationHandle::step, py::arg("dt"),
           "Goes on by dt seconds, with inputs as they are.\n\nThe integrator chooses its own steps within, and lands "
           "on events. Raises SimulationError where it cannot go on.")
      .def("__getitem__", &SimulationHandle::get, py::arg("name"),
           "The present value of any quantity that expressions name: \"bus.omega_x\", a signal, a parameter, an input.")
      .def("__setitem__", &SimulationHandle::set, py::arg("name"), py::arg("value"),
           "Sets an input from now on, or gives a parameter another value.")
      .def("get", &SimulationHandle::get_all, py::arg("names"),
           "The present values of several quantities, as an array.")
      .def("set_inputs", &SimulationHandle::set_inputs, py::arg("values"), "Sets all inputs, in their order.")
      .def("write", &SimulationHandle::write, py::arg("path"), py::arg("command") = "", py::arg("force") = false,
           "Writes what was recorded so far as a results file.")
      .def(
          "results",
          [](const py::object& self, const py::object& path, bool force) {
            return py::module_::import("gyrostat._results").attr("of_simulation")(self, path, force);
          },
          py::arg("path") = py::none(), py::arg("force") = false,
          "What was recorded so far, as Results; the simulation must have been made with record=True.")
      .def_property_readonly("time", &SimulationHandle::time, "Where the run has come to [s].")
      .def_property_readonly("inputs", &SimulationHandle::inputs, "The inputs with their present values.")
      .def_property_readonly("state", &SimulationHandle::state, "(q, u) now.")
      .def_property_readonly(
          "events", [](const SimulationHandle& s) { return events_of(s.events()); },
          "What has switched or jumped so far: (t, name, what).")
      .def_property_readonly("statistics", &SimulationHandle::statistics, "Steps and evaluations of the integrator.")
      .def_property_readonly("ledger", &SimulationHandle::ledger, "The balance of energy and momentum so far.")
      .def("__reduce_ex__", [](const SimulationHandle&, int) -> py::object {
        throw py::type_error(
            "a gyrostat.Simulation cannot be pickled or copied: load the model in the other process and step there");
      });
}

}  // namespace gyrostat::python
