// Results files, and their reports.
#include <fmt/format.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/report/page.h"
#include "gyrostat/results/results_reader.h"

#include "module.h"

namespace gyrostat::python {

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

class ResultsHandle {
 public:
  explicit ResultsHandle(const std::string& path) : reader(path) {
    if (!is_campaign()) record = results::read_record(reader);
  }

  [[nodiscard]] bool is_campaign() const { return campaign::is_campaign(reader.header()); }

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
  results::RunRecord record;  // of a run
};

std::vector<std::string> write_report(const std::vector<std::string>& paths, const std::string& page, bool equations,
                                      bool force) {
  const py::gil_scoped_release free;
  report::ReportContent content;
  content.results = paths;
  content.equations = equations;
  return report::write_report_of(content, page, report::own_page(), force).page_warnings;
}

}  // namespace

void bind_results(py::module_& module) {
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
      .def_property_readonly("is_campaign", &ResultsHandle::is_campaign,
                             "Are its records flights, and not instants of a run?")
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
}

}  // namespace gyrostat::python
