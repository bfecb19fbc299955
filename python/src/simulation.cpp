// Runs that are taken step by step.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/results/stepped_run.h"

#include "module.h"

namespace gyrostat::python {

namespace {

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
      const WithoutLock free;
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

  void set_inputs(const py::object& given) {
    const InUse use(busy_, "simulation");
    const Array values = array_of(given, "inputs");
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

  py::dict inputs() {
    const InUse use(busy_, "simulation");
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
    const InUse use(busy_, "simulation");
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

  double time() {
    const InUse use(busy_, "simulation");
    return run_.time();
  }
  py::list events() {
    const InUse use(busy_, "simulation");
    return events_of(run_.events());
  }

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
        options.inputs.emplace_back(cast_to<std::string>(name, "inputs"),
                                    cast_to<std::optional<double>>(value, "inputs"));
      }
    } else if (py::isinstance<py::str>(inputs)) {
      options.inputs.emplace_back(inputs.cast<std::string>(), std::nullopt);
    } else {
      for (const auto& name : cast_to<std::vector<std::string>>(inputs, "inputs"))
        options.inputs.emplace_back(name, std::nullopt);
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

void bind_simulations(py::module_& module) {
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
      .def_property_readonly("events", &SimulationHandle::events,
                             "What has switched or jumped so far: (t, name, what).")
      .def_property_readonly("statistics", &SimulationHandle::statistics, "Steps and evaluations of the integrator.")
      .def_property_readonly("ledger", &SimulationHandle::ledger, "The balance of energy and momentum so far.")
      .def("__reduce_ex__", [](const SimulationHandle&, int) -> py::object {
        throw py::type_error(
            "a gyrostat.Simulation cannot be pickled or copied: load the model in the other process and step there");
      });
}

}  // namespace gyrostat::python
