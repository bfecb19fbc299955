// Arrays and states, as Python gives and gets them.
#include <cmath>

#include <fmt/format.h>

#include "module.h"

namespace gyrostat::python {

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

std::string shown(const py::handle& thing) {
  constexpr py::ssize_t most = 60;
  const py::str text = py::repr(thing);
  if (static_cast<py::ssize_t>(py::len(text)) <= most) return text.cast<std::string>();
  return py::str(text[py::slice(0, most, 1)]).cast<std::string>() + "..";
}

std::string shape_text(const py::array& array) { return py::str(array.attr("shape")).cast<std::string>(); }

Array array_of(const py::handle& given, const std::string& what) {
  const py::array any = py::array::ensure(given);
  if (!any || std::string_view("biuf").find(any.dtype().kind()) == std::string_view::npos) {
    PyErr_Clear();
    throw py::type_error(fmt::format("{}: numbers are needed, and not {}", what, shown(given)));
  }
  return Array::ensure(any);
}

Eigen::VectorXd numbers(const py::object& given, std::size_t count, const char* what) {
  const Array array = array_of(given, what);
  if (static_cast<std::size_t>(array.size()) != count) {
    throw py::value_error(fmt::format("{} has {} numbers, not {}", what, count, array.size()));
  }
  Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(array.data(), static_cast<Eigen::Index>(count));
  if (!v.allFinite()) throw py::value_error(fmt::format("{} has numbers that are not finite", what));
  return v;
}

namespace {

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
      const auto name = cast_to<std::string>(key, "the name of an entry of the state");
      const auto number = cast_to<double>(value, name);
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
    using Pair = std::pair<py::object, py::object>;
    const auto [q, u] = cast_to<Pair>(given, "state");
    state = {numbers(q, static_cast<std::size_t>(system.initial.q.size()), "q"),
             numbers(u, static_cast<std::size_t>(system.initial.u.size()), "u")};
  }
  check_quaternions(system, state);
  return state;
}

}  // namespace gyrostat::python
