// Whole runs into results files, and what every run is asked for.
#include "gyrostat/results/run.h"

#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "module.h"

namespace gyrostat::python {

void stay_if_interpreter_ended() {
#if PY_VERSION_HEX >= 0x030D0000
  const bool ended = Py_IsFinalizing() != 0;
#else
  const bool ended = _Py_IsFinalizing() != 0;
#endif
  while (ended) std::this_thread::sleep_for(std::chrono::hours(1));
}

Interrupt::Interrupt()
    : main_thread_(py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>() ==
                   PyThread_get_thread_ident()) {}

bool Interrupt::go_on() {
  if (!main_thread_ || ++calls_ % 64 != 0) return true;
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

py::tuple outcome_of(const results::RunResult& result) {
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  const Outcome& outcome = result.outcome;
  const bool recorded = !result.left_earlier && result.records > 0;
  return py::make_tuple(results::status_of(outcome), outcome.t, outcome.failure, recorded);
}

namespace {

py::tuple run(const ModelHandle& handle, const py::dict& given, const std::string& path) {
  const RunSettings settings = settings_of(handle, given);
  results::RunOptions options;
  options.csv = entry<std::string>(given, "csv").value_or("");
  options.command = entry<std::string>(given, "command").value_or("");
  options.allow_plugins = entry<bool>(given, "allow_plugins").value_or(false);
  options.force = entry<bool>(given, "force").value_or(false);
  options.overrides = handle.overrides;
  const results::RunResult result = without_lock([&](const results::RunCallbacks& callbacks) {
    return results::run(*handle.loaded, settings, path, options, callbacks);
  });
  if (!result.csv_failure.empty()) throw results::WriteError(result.csv_failure);
  return outcome_of(result);
}

py::tuple resume(const std::string& path, const std::optional<double>& until, bool allow_plugins) {
  return outcome_of(without_lock([&](const results::RunCallbacks& callbacks) {
    return results::resume(path, {nullptr, allow_plugins, until}, callbacks);
  }));
}

py::list recorded_columns(const ModelHandle& handle) {
  RunSettings settings(handle.model());
  if (settings.until == 0) settings.until = settings.interval = 1;
  const Simulation simulation(handle.model(), settings,
                              std::vector<PluginFunction>(handle.model().description.signals.size()));
  return columns_of(simulation.columns());
}

}  // namespace

void bind_runs(py::module_& module) {
  module.def("run", &run, py::arg("model"), py::arg("settings"), py::arg("path"),
             "A run into a results file: (status, time, failure, is anything recorded).");
  module.def("resume", &resume, py::arg("path"), py::arg("until"), py::arg("allow_plugins"),
             "Goes on with a run that was interrupted: (status, time, failure, is anything recorded).");
  module.def("columns", &recorded_columns, py::arg("model"), "What a run records: (name, unit, description).");
}

}  // namespace gyrostat::python
