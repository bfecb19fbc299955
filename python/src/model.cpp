// Models: loading, names, accelerations.
#include <fmt/format.h>

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/model/problems_text.h"
#include "gyrostat/results/version.h"
#include "gyrostat/simulate/check_model.h"

#include "module.h"

namespace gyrostat::python {

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

namespace {

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
  return py::make_tuple(problems_of(again), text_of(problems_text(again, false)), again.model.has_value());
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

}  // namespace

void bind_models(py::module_& module) {
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
          "overrides",
          [](const ModelHandle& h) {
            Pairs pairs;
            for (const Override& o : h.overrides) pairs.emplace_back(o.name, o.value);
            return pairs;
          },
          "Parameters with other values than those of the text.")
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
}

}  // namespace gyrostat::python
