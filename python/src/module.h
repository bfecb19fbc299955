// What the two sources of the module share. Arrays, names and errors pass through here; physics is the library's.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "gyrostat/model/load.h"
#include "gyrostat/results/run.h"

namespace gyrostat::python {

namespace py = pybind11;

/// Numbers of any shape and type, as doubles one after the other.
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A model that is wrong; becomes gyrostat.ModelError.
struct ModelRefused {
  std::shared_ptr<const Loaded> loaded;
};

/// A run that could not go on; becomes gyrostat.SimulationError.
struct RunFailed {
  std::string file;
  double t = 0;  // [s]
  std::string reason;
};

/// Something at one instant, in packages that are kept for the next question.
struct Evaluator;

/// A valid model with the parameters that it was loaded with.
class ModelHandle {
 public:
  ModelHandle(std::shared_ptr<const Loaded> what, std::vector<Override> with);
  ~ModelHandle();
  ModelHandle(const ModelHandle&) = delete;
  ModelHandle& operator=(const ModelHandle&) = delete;

  [[nodiscard]] const Model& model() const { return *loaded->model; }
  [[nodiscard]] const std::string& file() const { return loaded->source.file(); }
  /// The same text with further parameters.
  [[nodiscard]] std::unique_ptr<ModelHandle> with_parameters(const std::vector<Override>& changed) const;
  /// For a formulation. To be used under `evaluators_mutex`.
  Evaluator& evaluator(const std::string& formulation);

  std::shared_ptr<const Loaded> loaded;
  std::vector<Override> overrides;
  std::mutex evaluators_mutex;

 private:
  std::map<std::string, std::unique_ptr<Evaluator>> evaluators_;
};

/// Of a text; throws ModelRefused.
std::unique_ptr<ModelHandle> load_model(Loaded loaded, std::vector<Override> overrides);
std::vector<Override> overrides_of(const std::vector<std::pair<std::string, std::string>>& pairs);

/// None: the initial state; a dict: its entries in the place of those of the initial state; or (q, u).
State state_of(const Model& model, const py::object& given);

/// The settings of the model with those that are given in their place.
RunSettings settings_of(const ModelHandle& handle, const py::dict& given);

/// Takes an entry that is there and not None.
template <class T>
std::optional<T> entry(const py::dict& from, const char* name) {
  if (!from.contains(name)) return std::nullopt;
  const py::object value = from[name];
  if (value.is_none()) return std::nullopt;
  return value.cast<T>();
}

py::array_t<double> to_array(const double* first, std::size_t count);
inline py::array_t<double> to_array(const std::vector<double>& v) { return to_array(v.data(), v.size()); }
inline py::array_t<double> to_array(const Eigen::VectorXd& v) {
  return to_array(v.data(), static_cast<std::size_t>(v.size()));
}
py::array_t<double> to_matrix(const Eigen::MatrixXd& m);

/// The problems as tuples (severity, file, line, column, path, message, instance, text).
py::list problems_of(const Loaded& loaded);

py::object ledger_of(const results::LedgerRecord& ledger);
py::list events_of(const std::vector<results::Event>& events);

/// Ctrl-C in a long run without the interpreter's lock: asked for now and then.
class Interrupt {
 public:
  bool go_on();  // false: an exception of Python is set
 private:
  std::uint32_t calls_ = 0;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

/// While one lives, no other thread may use the object.
class InUse {
 public:
  InUse(std::atomic<bool>& flag, const char* what) : flag_(flag) {
    if (flag.exchange(true)) {
      throw std::runtime_error(std::string("this ") + what + " is in use by another thread; make one for each thread");
    }
  }
  ~InUse() { flag_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& flag_;
};

// Each source binds its part.
void bind_models(py::module_& module);
void bind_runs(py::module_& module);

}  // namespace gyrostat::python
