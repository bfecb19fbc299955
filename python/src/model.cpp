// Models: loading, names, accelerations, linear models, batches; and the errors of the module.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/state_batch.h"
#include "gyrostat/analysis/state_space.h"
#include "gyrostat/analysis/trim.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/model/problems_text.h"
#include "gyrostat/report/page.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/version.h"
#include "gyrostat/simulate/check_model.h"

#include "module.h"

namespace gyrostat::python {

// --- arrays ----------------------------------------------------------------------------------------------------------

py::array_t<double> to_array(const double* first, std::size_t count) {
  return py::array_t<double>(static_cast<py::ssize_t>(count), first);
}

py::array_t<double> to_matrix(const Eigen::MatrixXd& m) {
  py::array_t<double> result({m.rows(), m.cols()});
  auto entries = result.mutable_unchecked<2>();
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    for (Eigen::Index c = 0; c < m.cols(); ++c) entries(r, c) = m(r, c);
  }
  return result;
}

namespace {

Eigen::VectorXd numbers(const py::object& given, std::size_t count, const char* what) {
  const auto array = given.cast<Array>();
  if (static_cast<std::size_t>(array.size()) != count) {
    throw py::value_error(fmt::format("{} has {} numbers, not {}", what, count, array.size()));
  }
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(array.data(), static_cast<Eigen::Index>(count));
  if (!v.allFinite()) throw py::value_error(fmt::format("{} has numbers that are not finite", what));
  return v;
}

void check_quaternions(const System& system, const State& state) {
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    const double length = state.q.segment<4>(joint.q + joint.nq - 4).norm();
    if (std::abs(length - 1) > 1e-6) {
      throw py::value_error(
          fmt::format("the quaternion of joint '{}' has length {:.9g} and not 1", joint.name, length));
    }
  }
}

}  // namespace

State state_of(const Model& model, const py::object& given) {
  const System& system = model.system;
  State state = system.initial;
  if (given.is_none()) return state;
  if (py::isinstance<py::dict>(given)) {
    for (const auto& [key, value] : given.cast<py::dict>()) {
      const auto name = key.cast<std::string>();
      const auto number = value.cast<double>();
      if (!std::isfinite(number)) throw py::value_error(name + " is not finite");
      const auto speeds = speed_entries(system);
      const bool speed = std::ranges::any_of(speeds, [&](const StateEntry& e) { return e.name == name; });
      try {
        (speed ? state.u[system.speed(name)] : state.q[system.coordinate(name)]) = number;
      } catch (const std::out_of_range& error) {
        throw py::key_error(error.what());
      }
    }
  } else {
    const auto [q, u] = given.cast<std::pair<py::object, py::object>>();
    state = {numbers(q, static_cast<std::size_t>(system.initial.q.size()), "q"),
             numbers(u, static_cast<std::size_t>(system.initial.u.size()), "u")};
  }
  check_quaternions(system, state);
  return state;
}

// --- one evaluation --------------------------------------------------------------------------------------------------

struct Evaluator {
  Plant plant;
  PlantRun run;
  Evaluator(const Model& model, const std::string& formulation) : plant(model, formulation), run(plant) {}

  void evaluate(State state, Stage stage) {
    place_on_orbit(plant.model().description, plant.system(), state);
    Eigen::VectorXd y;
    run.start_as_given(y, state);
    run.evaluate(0, y.data(), stage);
  }
};

ModelHandle::ModelHandle(std::shared_ptr<const Loaded> what, std::vector<Override> with)
    : loaded(std::move(what)), overrides(std::move(with)) {}
ModelHandle::~ModelHandle() = default;

Evaluator& ModelHandle::evaluator(const std::string& formulation) {
  std::unique_ptr<Evaluator>& one = evaluators_[formulation];
  if (!one) {
    const std::string held = held_at_centre(model().description, model().system);
    if (!held.empty()) {
      throw results::RunError(
          fmt::format("{}: environment.gravity_gradient: full makes the world's origin the centre of attraction, and "
                      "joint '{}' holds a body there",
                      file(), held));
    }
    if (std::string why = outside_domain(formulation, model().system, DynamicsSettings(model())); !why.empty()) {
      const bool exists = std::ranges::find(formulation_names, formulation) != formulation_names.end();
      throw results::RunError(
          fmt::format("{}: formulation {}{}: {}", file(), formulation, exists ? " does not take this model" : "", why));
    }
    one = std::make_unique<Evaluator>(model(), formulation);
  }
  return *one;
}

std::vector<Override> overrides_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<Override> overrides;
  for (const auto& [name, value] : pairs) overrides.push_back({name, value});
  return overrides;
}

std::unique_ptr<ModelHandle> load_model(Loaded loaded, std::vector<Override> overrides) {
  auto kept = std::make_shared<const Loaded>(std::move(loaded));
  if (!kept->model) throw ModelRefused{kept};
  return std::make_unique<ModelHandle>(std::move(kept), std::move(overrides));
}

std::unique_ptr<ModelHandle> ModelHandle::with_parameters(const std::vector<Override>& changed) const {
  std::vector<Override> all = overrides;
  for (const Override& one : changed) {
    const auto found = std::ranges::find(all, one.name, &Override::name);
    if (found != all.end()) {
      found->value = one.value;
    } else {
      all.push_back(one);
    }
  }
  Loaded again = load_text(file(), std::string(loaded->source.text()), all);
  return load_model(std::move(again), std::move(all));
}

py::list problems_of(const Loaded& loaded) {
  py::list list;
  for (const Problem& p : loaded.problems.all()) {
    list.append(py::make_tuple(p.severity == Severity::error ? "error" : "warning",
                               loaded.source.part(p.place.file).file(), p.place.line, p.place.column, p.path, p.message,
                               p.place.instance > 0 ? loaded.source.instance(p.place.instance) : std::string(),
                               render(p, loaded.source, false)));
  }
  return list;
}

// --- errors ----------------------------------------------------------------------------------------------------------

namespace {

/// Raises an exception of gyrostat._errors.
template <class... Arguments>
void raise(const char* name, Arguments&&... arguments) {
  const py::object type = py::module_::import("gyrostat._errors").attr(name);
  const py::object value = type(std::forward<Arguments>(arguments)...);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(std::exception_ptr pending) {  // NOLINT(performance-unnecessary-value-param): as pybind11 has it
  try {
    if (pending) std::rethrow_exception(pending);
  } catch (const ModelRefused& refused) {
    raise("ModelError", problems_text(*refused.loaded, false), problems_of(*refused.loaded));
  } catch (const RunFailed& failed) {
    raise("SimulationError",
          (failed.file.empty() ? "" : failed.file + ": ") +
              results::status_of({Outcome::Kind::failed, failed.t, failed.reason}),
          failed.t, failed.reason);
  } catch (const results::StoredModelError& error) {
    raise("ModelError", fmt::format("{}\n{}", error.what(), problems_text(*error.loaded, false)),
          problems_of(*error.loaded));
  } catch (const results::ResultsError& error) {
    raise("ResultsError", error.what());
  } catch (const results::RunError& error) {
    raise("SettingsError", error.what());
  } catch (const report::ReportError& error) {
    raise("ReportError", error.what());
  } catch (const AnalysisError& error) {
    raise("AnalysisError", error.what());
  } catch (const ClosureError& error) {
    raise("AnalysisError", error.what());
  }
}

// --- models ----------------------------------------------------------------------------------------------------------

py::list entries_of(const std::vector<StateEntry>& entries) {
  py::list list;
  for (const StateEntry& e : entries) list.append(py::make_tuple(e.name, std::string(e.unit), motion_name(e.motion)));
  return list;
}

py::dict parameters_of(const ModelHandle& handle) {
  py::dict all;
  for (const ParameterDescription& p : handle.model().description.parameters) all[p.name.c_str()] = p.value.value;
  return all;
}

template <class List>
std::vector<std::string> names_in(const List& list, std::size_t from) {
  std::vector<std::string> names;
  for (std::size_t k = from; k < list.size(); ++k) names.push_back(list[k].name);
  return names;
}

py::tuple check(const ModelHandle& handle) {
  Loaded again = load_text(handle.file(), std::string(handle.loaded->source.text()), handle.overrides);
  check_model(again);
  return py::make_tuple(problems_of(again), problems_text(again, false), again.model.has_value());
}

py::array_t<double> accelerations(ModelHandle& handle, const py::object& given, const std::string& formulation) {
  const State state = state_of(handle.model(), given);
  Eigen::VectorXd udot;
  {
    const py::gil_scoped_release free;
    const std::scoped_lock lock(handle.evaluators_mutex);
    Evaluator& e =
        handle.evaluator(formulation.empty() ? handle.model().description.simulation.formulation : formulation);
    e.evaluate(state, Stage::acceleration);
    if (const auto why = e.run.find_failure()) throw RunFailed{handle.file(), 0, *why};
    udot = e.run.udot();
  }
  return to_array(udot);
}

py::array_t<double> mass_matrix(const ModelHandle& handle, const py::object& given) {
  const State state = state_of(handle.model(), given);
  const Mechanism mechanism(handle.model().system);
  Kinematics<double> kinematics(mechanism);
  update(mechanism, state.q.data(), state.u.data(), kinematics);
  CompositeBodyData data(mechanism);
  gyrostat::mass_matrix(mechanism, kinematics, data);
  const Eigen::Index n = state.u.size();
  Eigen::MatrixXd M(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index l = 0; l <= k; ++l) M(k, l) = M(l, k) = data.mass_matrix.row(static_cast<std::size_t>(k))[l];
  }
  return to_matrix(M);
}

py::array_t<double> inverse_dynamics(ModelHandle& handle, const py::object& given, const py::object& rates) {
  const State state = state_of(handle.model(), given);
  const Eigen::VectorXd udot = numbers(rates, static_cast<std::size_t>(state.u.size()), "udot");
  Eigen::VectorXd tau(state.u.size());
  {
    const py::gil_scoped_release free;
    const std::scoped_lock lock(handle.evaluators_mutex);
    Evaluator& e = handle.evaluator("articulated_body");
    e.evaluate(state, Stage::forces);
    const Mechanism& mechanism = e.plant.mechanism();
    InverseDynamics<double> workspace(mechanism);
    gyrostat::inverse_dynamics(mechanism, e.run.data().q.data(), e.run.data().u.data(), udot.data(), e.run.forces(),
                               workspace, tau.data());
  }
  return to_array(tau);
}

// --- linear models ---------------------------------------------------------------------------------------------------

py::list variables_of(const std::vector<LinearVariable>& variables) {
  py::list list;
  for (const LinearVariable& v : variables) list.append(py::make_tuple(v.name, v.unit, v.description));
  return list;
}

OperatingPoint point_of(const Model& model, const std::optional<State>& state, double at, const std::string& steady,
                        const std::vector<std::string>& hold) {
  OperatingPoint point = at > 0 ? point_at(model, at) : initial_point(model, state);
  if (steady.empty()) return point;
  TrimSettings settings;
  settings.hold = hold;
  settings.motion = steady == "rest"    ? SteadyMotion::rest
                    : steady == "orbit" ? SteadyMotion::orbit
                    : steady == "spin"  ? SteadyMotion::spin
                                        : throw AnalysisError("trim: expected 'rest', 'orbit' or 'spin'");
  Trim found = trim(model, point, settings);
  if (found.found()) return std::move(found.point);
  std::string left;
  for (const TrimResidual& r : found.left) left += fmt::format(" {} {:.3g}", r.name, r.rate);
  throw AnalysisError(fmt::format("no steady motion was found nearby; rates that are left:{}{}", left,
                                  found.failure.empty() ? "" : "; " + found.failure));
}

py::dict linearize(const ModelHandle& handle, const py::dict& given) {
  const Model& model = handle.model();
  LinearizeSettings settings;
  settings.inputs = entry<std::vector<std::string>>(given, "inputs").value_or(settings.inputs);
  settings.outputs = entry<std::vector<std::string>>(given, "outputs").value_or(settings.outputs);
  settings.open = entry<std::vector<std::string>>(given, "open").value_or(settings.open);
  settings.gains = entry<std::map<std::string, double>>(given, "gains").value_or(settings.gains);
  settings.amplitudes = entry<std::map<std::string, double>>(given, "amplitudes").value_or(settings.amplitudes);
  const auto hold = entry<std::vector<std::string>>(given, "hold").value_or(std::vector<std::string>());
  const auto steady = entry<std::string>(given, "trim").value_or("");
  const double at = entry<double>(given, "at").value_or(0);
  const int pade = entry<int>(given, "pade").value_or(3);
  const bool discrete = entry<bool>(given, "discrete").value_or(false);
  if (!(at >= 0 && std::isfinite(at))) throw AnalysisError("at: a time is zero or positive");
  std::optional<State> state;
  if (const auto one = entry<py::object>(given, "state")) state = state_of(model, *one);
  if (state && at > 0) throw AnalysisError("give a state, or the time of a run, and not both");
  LinearModel linear;
  StateSpace space;
  {
    const py::gil_scoped_release free;
    linear = gyrostat::linearize(model, point_of(model, state, at, steady, hold), settings);
    space = discrete ? discrete_state_space(linear, pade) : state_space(linear, pade);
  }
  py::dict result;
  result["A"] = to_matrix(space.A);
  result["B"] = to_matrix(space.B);
  result["C"] = to_matrix(space.C);
  result["D"] = to_matrix(space.D);
  result["states"] = variables_of(space.states);
  result["inputs"] = variables_of(space.inputs);
  result["outputs"] = variables_of(space.outputs);
  result["period"] = space.period;
  result["time"] = linear.t;
  result["q"] = to_array(linear.state.q);
  result["u"] = to_array(linear.state.u);
  result["notes"] = linear.notes;
  return result;
}

// --- batches ---------------------------------------------------------------------------------------------------------

class BatchHandle {
 public:
  BatchHandle(const ModelHandle& handle, std::size_t count, const std::vector<std::string>& inputs)
      : loaded_(handle.loaded), count_(count), batch_(*loaded_->model, inputs) {
    if (count == 0) throw py::value_error("a batch has at least one state");
  }

  [[nodiscard]] const StateBatch& batch() const { return batch_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  py::array_t<double> derivative(const Array& y, const py::object& t, const py::object& inputs) {
    const std::size_t size = batch_.plant().size();
    const Array given = rows(inputs, batch_.inputs().size(), "inputs");
    check_shape(y, size, "y");
    std::vector<double> times(count_, 0.0);
    const auto at = t.cast<Array>();
    if (at.size() != 1 && static_cast<std::size_t>(at.size()) != count_) {
      throw py::value_error(fmt::format("t is one time, or {}", count_));
    }
    for (std::size_t k = 0; k < count_; ++k) times[k] = at.data()[at.size() == 1 ? 0 : k];
    return evaluate(size, [&](double* out) { batch_.derivative(count_, times.data(), y.data(), given.data(), out); });
  }

  py::array_t<double> accelerations(const Array& q, const Array& u, const py::object& inputs) {
    const Layout& layout = batch_.plant().layout();
    const Array given = rows(inputs, batch_.inputs().size(), "inputs");
    check_shape(q, layout.nq, "q");
    check_shape(u, layout.nu, "u");
    return evaluate(layout.nu,
                    [&](double* out) { batch_.accelerations(count_, q.data(), u.data(), given.data(), out); });
  }

 private:
  void check_shape(const Array& array, std::size_t width, const char* what) const {
    if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != count_ ||
        static_cast<std::size_t>(array.shape(1)) != width) {
      throw py::value_error(fmt::format("{} has {} rows of {} numbers", what, count_, width));
    }
  }
  [[nodiscard]] Array rows(const py::object& given, std::size_t width, const char* what) const {
    if (given.is_none() && width == 0) return Array(0);
    if (given.is_none()) throw py::value_error(fmt::format("{} has {} rows of {} numbers", what, count_, width));
    auto array = given.cast<Array>();
    check_shape(array, width, what);
    return array;
  }
  template <class Act>
  py::array_t<double> evaluate(std::size_t width, const Act& act) {
    const InUse use(busy_, "batch");
    py::array_t<double> result({count_, width});
    double* const out = result.mutable_data();
    {
      const py::gil_scoped_release free;
      act(out);
    }
    return result;
  }

  std::shared_ptr<const Loaded> loaded_;
  std::size_t count_;
  StateBatch batch_;
  std::atomic<bool> busy_ = false;
};

py::list layout_of(const Plant& plant) {
  const Layout& layout = plant.layout();
  std::vector<std::string> names(layout.size);
  const auto q = coordinate_entries(plant.system());
  for (const Layout::Run& run : layout.runs) {
    for (std::size_t k = 0; k < run.count; ++k) names[run.y + k] = q[run.q + k].name;
  }
  for (const Layout::Rotation& r : layout.rotations) {
    const bool quaternion = layout.attitude == Attitude::quaternion;
    const std::string joint = q[r.q].name.substr(0, q[r.q].name.rfind('.'));
    for (std::size_t k = 0; k < (quaternion ? 4U : 6U); ++k) {
      names[r.y + k] = quaternion ? q[r.q + k].name : fmt::format("{}.C{}{}", joint, k / 3 + 1, k % 3 + 1);
    }
  }
  const auto u = speed_entries(plant.system());
  for (std::size_t k = 0; k < layout.nu; ++k) names[layout.u + k] = u[k].name;
  for (std::size_t k = 0; k < layout.nx; ++k) names[layout.x + k] = fmt::format("x[{}]", k);
  py::list list;
  for (const std::string& name : names) list.append(name);
  return list;
}

}  // namespace

void bind_models(py::module_& module) {
  py::register_exception_translator(&translate);
  module.attr("__version__") = std::string(version());
  module.attr("formulations") = py::cast(std::vector<std::string>(formulation_names.begin(), formulation_names.end()));
  module.attr("methods") = py::cast(std::vector<std::string>(integrator_names.begin(), integrator_names.end()));

  using Pairs = std::vector<std::pair<std::string, std::string>>;
  module.def(
      "load_file",
      [](const std::string& path, const Pairs& parameters) {
        const std::vector<Override> overrides = overrides_of(parameters);
        return load_model(gyrostat::load_file(path, overrides), overrides);
      },
      py::arg("path"), py::arg("parameters"), "A model from a file, with parameters in the place of its own.");
  module.def(
      "load_text",
      [](const std::string& file, const std::string& text, const Pairs& parameters) {
        const std::vector<Override> overrides = overrides_of(parameters);
        return load_model(gyrostat::load_text(file, text, overrides), overrides);
      },
      py::arg("file"), py::arg("text"), py::arg("parameters"), "A model from a text, which problems say is in `file`.");

  py::class_<ModelHandle>(module, "Model", "A valid model, and what is asked of it.")
      .def_property_readonly("file", &ModelHandle::file, "The name of its file.")
      .def_property_readonly(
          "name", [](const ModelHandle& h) { return h.model().system.name; }, "What the model calls itself.")
      .def_property_readonly(
          "text", [](const ModelHandle& h) { return std::string(h.loaded->source.text()); }, "The text of its file.")
      .def_property_readonly(
          "whole_text", [](const ModelHandle& h) { return std::string(h.loaded->source.expanded_text()); },
          "The model as one text, without templates and included files.")
      .def_property_readonly(
          "problems", [](const ModelHandle& h) { return problems_of(*h.loaded); }, "Warnings, as tuples.")
      .def_property_readonly("parameters", &parameters_of, "Values by name, in SI units.")
      .def_property_readonly(
          "bodies", [](const ModelHandle& h) { return names_in(h.model().system.bodies, 1); },
          "Names of the bodies, without the world.")
      .def_property_readonly(
          "joints", [](const ModelHandle& h) { return names_in(h.model().system.joints, 1); },
          "Names of the joints of the tree; joint i moves body i.")
      .def_property_readonly(
          "constraints", [](const ModelHandle& h) { return names_in(h.model().system.constraints, 0); },
          "Names of the constraints, and of joints that close loops.")
      .def_property_readonly(
          "signals", [](const ModelHandle& h) { return names_in(h.model().description.signals, 0); },
          "Names of the signals.")
      .def_property_readonly(
          "coordinates", [](const ModelHandle& h) { return entries_of(coordinate_entries(h.model().system)); },
          "Entries of q: name, unit, and free, locked or prescribed.")
      .def_property_readonly(
          "speeds", [](const ModelHandle& h) { return entries_of(speed_entries(h.model().system)); },
          "Entries of u: name, unit, and free, locked or prescribed.")
      .def(
          "quantities",
          [](const ModelHandle& h, const std::string& pattern) {
            return Names(h.model().description).matching(pattern);
          },
          py::arg("pattern"), "Names of all quantities that match a pattern with * and ?.")
      .def(
          "state",
          [](const ModelHandle& h, const py::object& given) {
            const State state = state_of(h.model(), given);
            return py::make_tuple(to_array(state.q), to_array(state.u));
          },
          py::arg("given"), "(q, u) of a state: None, a dict of entries, or (q, u).")
      .def(
          "with_parameters",
          [](const ModelHandle& h, const Pairs& pairs) { return h.with_parameters(overrides_of(pairs)); },
          py::arg("parameters"), "The same model with other parameters.")
      .def("check", &check, "Problems, their text, and whether the model can be run.")
      .def("accelerations", &accelerations, py::arg("state"), py::arg("formulation"), "u' at a state and t = 0.")
      .def("mass_matrix", &mass_matrix, py::arg("state"), "The mass matrix of all speeds.")
      .def("inverse_dynamics", &inverse_dynamics, py::arg("state"), py::arg("udot"),
           "The forces conjugate to the speeds that accelerations need.")
      .def("linearize", &linearize, py::arg("options"), "A linear model, as a dict.");

  py::class_<BatchHandle>(module, "Batch", "Many states of one model, evaluated at once.")
      .def(py::init<const ModelHandle&, std::size_t, const std::vector<std::string>&>(), py::arg("model"),
           py::arg("count"), py::arg("inputs"))
      .def_property_readonly("count", &BatchHandle::count, "How many states there are.")
      .def_property_readonly(
          "lanes", [](const BatchHandle& b) { return b.batch().lanes(); }, "How many are evaluated at once.")
      .def_property_readonly(
          "not_packed", [](const BatchHandle& b) { return b.batch().not_packed(); },
          "Why states are evaluated one by one, or empty.")
      .def_property_readonly(
          "inputs", [](const BatchHandle& b) { return variables_of(b.batch().inputs()); }, "Name, unit, description.")
      .def_property_readonly(
          "layout", [](const BatchHandle& b) { return layout_of(b.batch().plant()); }, "What the columns of y are.")
      .def("derivative", &BatchHandle::derivative, py::arg("y"), py::arg("t"), py::arg("inputs"), "y' of every row.")
      .def("accelerations", &BatchHandle::accelerations, py::arg("q"), py::arg("u"), py::arg("inputs"),
           "u' of every row, at t = 0.");
}

}  // namespace gyrostat::python

PYBIND11_MODULE(_gyrostat, module) {
  module.doc() = "The compiled part of gyrostat; use the package.";
  gyrostat::python::bind_models(module);
  gyrostat::python::bind_runs(module);
}
