// What goes wrong, as exceptions of gyrostat._errors.
#include <fmt/format.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/campaign/campaign.h"
#include "gyrostat/model/problems_text.h"
#include "gyrostat/report/page.h"
#include "gyrostat/results/results_reader.h"

#include "module.h"

namespace gyrostat::python {

py::str text_of(std::string_view text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

py::list problems_of(const Loaded& loaded) {
  py::list list;
  for (const Problem& p : loaded.problems.all()) {
    list.append(py::make_tuple(p.severity == Severity::error ? "error" : "warning",
                               text_of(loaded.source.part(p.place.file).file()), p.place.line, p.place.column,
                               text_of(p.path), text_of(p.message),
                               p.place.instance > 0 ? loaded.source.instance(p.place.instance) : std::string(),
                               text_of(render(p, loaded.source, false))));
  }
  return list;
}

namespace {

template <class Argument>
decltype(auto) as_python(const Argument& argument) {
  if constexpr (std::is_convertible_v<Argument, std::string_view>) {
    return text_of(argument);
  } else {
    return (argument);
  }
}

/// Raises an exception of gyrostat._errors.
template <class... Arguments>
void raise(const char* name, const Arguments&... arguments) {
  const py::object type = py::module_::import("gyrostat._errors").attr(name);
  const py::object value = type(as_python(arguments)...);
  PyErr_SetObject(type.ptr(), value.ptr());
}

void translate(std::exception_ptr pending) {  // NOLINT(performance-unnecessary-value-param): as pybind11 has it
  try {
    if (pending) std::rethrow_exception(pending);
  } catch (const ModelRefused& refused) {
    raise("ModelError", problems_text(*refused.loaded, false), problems_of(*refused.loaded));
  } catch (const CampaignRefused& refused) {
    raise("CampaignError", problems_text(*refused.loaded, false), problems_of(*refused.loaded));
  } catch (const campaign::InvalidModel& error) {
    raise("ModelError", problems_text(*error.loaded, false), problems_of(*error.loaded));
  } catch (const campaign::CampaignError& error) {
    raise("CampaignError", error.what());
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

}  // namespace

void bind_errors(py::module_& /*module*/) { py::register_exception_translator(&translate); }

}  // namespace gyrostat::python
