// What the sources of the module share. Arrays, names and errors pass through here; physics is the library's.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
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

/// A campaign that is wrong, with its text and problems; becomes gyrostat.CampaignError.
struct CampaignRefused {
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

/// The beginning of its repr.
std::string shown(const py::handle& thing);

/// What would be right, where something of another type was given.
template <class T>
constexpr const char* wanted() {
  if constexpr (std::is_same_v<T, bool>) return "True or False";
  if constexpr (std::is_same_v<T, int>) return "a whole number";
  if constexpr (std::is_same_v<T, double>) return "a number";
  if constexpr (std::is_same_v<T, std::optional<double>>) return "a number or None";
  if constexpr (std::is_same_v<T, std::string>) return "a text";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "a list of names";
  if constexpr (std::is_same_v<T, std::map<std::string, double>>) return "a dict of names and numbers";
  if constexpr (std::is_same_v<T, std::pair<py::object, py::object>>) return "a dict of entries, or (q, u)";
  return "something else";
}

/// As a T; a TypeError says what it is instead.
template <class T>
T cast_to(const py::handle& value, const std::string& what) {
  try {
    return value.cast<T>();
  } catch (const py::cast_error&) {
    throw py::type_error(what + ": expected " + wanted<T>() + ", got " + shown(value));
  }
}

/// Takes an entry that is there and not None.
template <class T>
std::optional<T> entry(const py::dict& from, const char* name) {
  if (!from.contains(name)) return std::nullopt;
  const py::object value = from[name];
  if (value.is_none()) return std::nullopt;
  if constexpr (std::is_same_v<T, py::object>) {
    return value;
  } else {
    return cast_to<T>(value, name);
  }
}

/// Numbers of any kind; a TypeError says what else was given.
Array array_of(const py::handle& given, const std::string& what);
/// So many finite numbers.
Eigen::VectorXd numbers(const py::object& given, std::size_t count, const char* what);
/// "(3, 7)".
std::string shape_text(const py::array& array);

py::array_t<double> to_array(const double* first, std::size_t count);
inline py::array_t<double> to_array(const std::vector<double>& v) { return to_array(v.data(), v.size()); }
inline py::array_t<double> to_array(const Eigen::VectorXd& v) {
  return to_array(v.data(), static_cast<std::size_t>(v.size()));
}
py::array_t<double> to_matrix(const Eigen::MatrixXd& m);

/// For Python: bytes that are not UTF-8, which a file may have that is no text, are replaced.
py::str text_of(std::string_view text);
/// The problems as tuples (severity, file, line, column, path, message, instance, text).
py::list problems_of(const Loaded& loaded);

/// Columns, variables: (name, unit, description).
template <class List>
py::list columns_of(const List& columns) {
  py::list list;
  for (const auto& c : columns) list.append(py::make_tuple(c.name, c.unit, c.description));
  return list;
}

py::dict linearize(const ModelHandle& handle, const py::dict& given);
py::object ledger_of(const results::LedgerRecord& ledger);
py::list events_of(const std::vector<results::Event>& events);

/// A thread that goes on when the interpreter has ended cannot come back to it: it waits for the end of the process, as
/// threads of Python 3.14 do.
void stay_if_interpreter_ended();

/// Without the interpreter's lock, while one lives: in calls that may take long.
class WithoutLock {
 public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  ~WithoutLock() {
    stay_if_interpreter_ended();
    PyEval_RestoreThread(state_);
  }
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

 private:
  PyThreadState* state_;
};

/// Ctrl-C in a long run without the interpreter's lock: asked for now and then. Signals are for the main thread alone.
class Interrupt {
 public:
  Interrupt();
  bool go_on();  // false: an exception of Python is set
 private:
  bool main_thread_;
  std::uint32_t calls_ = 0;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

/// A run without the interpreter's lock, until Ctrl-C.
template <class Act>
results::RunResult without_lock(const Act& act) {
  Interrupt interrupt;
  results::RunCallbacks callbacks;
  callbacks.go_on = [&](double) { return interrupt.go_on(); };
  const WithoutLock free;
  return act(callbacks);
}

/// (status, time, failure, is anything in the file) of a run. One that fails is told and not raised.
py::tuple outcome_of(const results::RunResult& result);

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
void bind_errors(py::module_& module);
void bind_models(py::module_& module);
void bind_batches(py::module_& module);
void bind_runs(py::module_& module);
void bind_results(py::module_& module);
void bind_simulations(py::module_& module);
void bind_campaigns(py::module_& module);

}  // namespace gyrostat::python
