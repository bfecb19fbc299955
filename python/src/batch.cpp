// Many states of one model at once.
#include <fmt/format.h>

#include "gyrostat/analysis/state_batch.h"

#include "module.h"

namespace gyrostat::python {

namespace {

class BatchHandle {
 public:
  BatchHandle(const ModelHandle& handle, std::size_t count, const std::vector<std::string>& inputs)
      : loaded_(handle.loaded), count_(count), batch_(*loaded_->model, inputs) {
    if (count == 0) throw py::value_error("a batch has at least one state");
  }

  [[nodiscard]] const StateBatch& batch() const { return batch_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  py::array_t<double> derivative(const py::object& of, const py::object& t, const py::object& inputs) {
    const std::size_t size = batch_.plant().size();
    const Array y = rows(of, size, "y"), given = rows(inputs, batch_.inputs().size(), "inputs");
    std::vector<double> times(count_, 0.0);
    const Array at = array_of(t, "t");
    if (at.size() != 1 && static_cast<std::size_t>(at.size()) != count_) {
      throw py::value_error(fmt::format("t is one time, or {}", count_));
    }
    for (std::size_t k = 0; k < count_; ++k) times[k] = at.data()[at.size() == 1 ? 0 : k];
    return evaluate(size, [&](double* out) { batch_.derivative(count_, times.data(), y.data(), given.data(), out); });
  }

  py::array_t<double> accelerations(const py::object& at_q, const py::object& at_u, const py::object& inputs) {
    const Layout& layout = batch_.plant().layout();
    const Array q = rows(at_q, layout.nq, "q"), u = rows(at_u, layout.nu, "u"),
                given = rows(inputs, batch_.inputs().size(), "inputs");
    return evaluate(layout.nu,
                    [&](double* out) { batch_.accelerations(count_, q.data(), u.data(), given.data(), out); });
  }

 private:
  [[nodiscard]] Array rows(const py::object& given, std::size_t width, const char* what) const {
    if (given.is_none() && width == 0) return Array(0);
    const std::string wanted = fmt::format("{} has {} rows of {} numbers", what, count_, width);
    if (given.is_none()) throw py::value_error(wanted);
    Array array = array_of(given, what);
    if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(0)) != count_ ||
        static_cast<std::size_t>(array.shape(1)) != width) {
      throw py::value_error(fmt::format("{}, and not the shape {}", wanted, shape_text(array)));
    }
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

void bind_batches(py::module_& module) {
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
          "inputs", [](const BatchHandle& b) { return columns_of(b.batch().inputs()); }, "Name, unit, description.")
      .def_property_readonly(
          "layout", [](const BatchHandle& b) { return layout_of(b.batch().plant()); }, "What the columns of y are.")
      .def("derivative", &BatchHandle::derivative, py::arg("y"), py::arg("t"), py::arg("inputs"), "y' of every row.")
      .def("accelerations", &BatchHandle::accelerations, py::arg("q"), py::arg("u"), py::arg("inputs"),
           "u' of every row, at t = 0.");
}

}  // namespace gyrostat::python
