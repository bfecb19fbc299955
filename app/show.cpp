#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gyrostat/results/csv.h"
#include "gyrostat/results/interpolate.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/run_record.h"

#include "campaign.h"
#include "output.h"
#include "results_commands.h"
#include "results_text.h"

namespace gyrostat::app {

using results::Between;
using results::Column;
using results::csv_field;
using results::CsvWriter;
using results::Event;
using results::Header;
using results::locate;
using results::ResultsError;
using results::ResultsReader;

namespace {

constexpr std::size_t column_lines = 60, ledger_lines = 30, event_lines_each_end = 5, longest_name = 48;

struct Extremes {
  double least = std::numeric_limits<double>::quiet_NaN(), most = least, last = least;

  [[nodiscard]] double largest() const { return std::max(std::abs(least), std::abs(most)); }
};

Extremes extremes_of(const std::vector<double>& values) {
  Extremes found;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (!(found.least <= value)) found.least = value;
    if (!(found.most >= value)) found.most = value;
  }
  if (!values.empty()) found.last = values.back();
  return found;
}

std::string cell(double value) { return fmt::format("{:.9g}", value + 0.0); }

/// Of a state machine the name of the state.
std::string cell(const Column& column, double value) {
  const bool named = value >= 0 && value < static_cast<double>(column.states.size()) && value == std::floor(value);
  return named ? printable(column.states[static_cast<std::size_t>(value)]) : cell(value);
}

bool is_ledger(const std::string& name) { return name.starts_with("ledger/"); }

/// Columns of text as wide as they must be; the first `left_aligned` of them begin, the others end, at the same place.
/// The first line is a heading and stands out to the left.
void print_aligned(const std::vector<std::vector<std::string>>& lines, std::size_t left_aligned) {
  constexpr std::size_t indent = 2;
  std::vector<std::size_t> widths;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n].size() == 1) continue;  // stands alone
    widths.resize(std::max(widths.size(), lines[n].size()));
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::size_t width = width_of(lines[n][i]), before = n == 0 && i == 0 ? indent : 0;
      widths[i] = std::max(widths[i], width - std::min(width, before));
    }
  }
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (lines[n].size() == 1) {
      fmt::print("{}{}\n", n == 0 ? "" : "  ", lines[n][0]);
      continue;
    }
    std::string text = n == 0 ? "" : "  ";
    for (std::size_t i = 0; i < lines[n].size(); ++i) {
      const std::string& word = lines[n][i];
      if (i > 0) text += std::string(indent, ' ');
      text += i < left_aligned ? left(word, widths[i] + (n == 0 && i == 0 ? indent : 0)) : right(word, widths[i]);
    }
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

void print_fact(std::string_view name, const std::string& value) {
  if (!value.empty()) fmt::print("{}  {}\n", left(name, 12), printable(value));
}

void print_origin(const ResultsReader& results) {
  const Header& header = results.header();
  print_fact("model", header.model_name);
  print_fact("file", header.model_file);
  print_fact("version", header.version);
  print_fact("command", header.command);
  print_fact("formulation", header.formulation);
  print_fact("integrator", header.integrator);
  std::string set;
  for (const Override& o : results::read_record(results).overrides) {
    set += fmt::format("{}{}={}", set.empty() ? "" : ", ", o.name, o.value);
  }
  print_fact("set", set.substr(0, 100));
  for (const auto& [name, value] : header.more) {
    if (results::is_of_record(name)) continue;
    print_fact(printable(name), value.substr(0, 100));
  }
  print_fact("status", results.status());
  print_fact("records", results.records() == 0
                            ? "none"
                            : fmt::format("{}, from {} to {} s", results.records(), brief(results.time().front()),
                                          brief(results.time().back())));
}

void print_statistics(const ResultsReader& results) {
  if (results.statistics().empty()) return;
  fmt::print("\n");
  std::vector<std::vector<std::string>> lines = {{"Statistics"}};
  for (const auto& [name, value] : results.statistics()) lines.push_back({printable(name), cell(value)});
  print_aligned(lines, 1);
}

void print_ledger(const ResultsReader& results) {
  std::vector<std::vector<std::string>> lines = {{"Ledger", "unit", "last residual", "largest residual"}};
  std::size_t left_out = 0;
  for (const Column& column : results.columns()) {
    if (!is_ledger(column.name)) continue;
    if (lines.size() > ledger_lines) {
      ++left_out;
      continue;
    }
    const Extremes e = extremes_of(results.column(column.name));
    lines.push_back(
        {shortened(column.name.substr(7), longest_name), printable(column.unit), brief(e.last), brief(e.largest())});
  }
  if (lines.size() == 1) return;
  fmt::print("\n");
  print_aligned(lines, 2);
  if (left_out > 0) fmt::print("  ... and {} more\n", left_out);
  const results::LedgerRecord ledger = results::read_record(results).ledger;
  const auto shown = [](const std::string& text) { return printable(text.substr(0, 100)); };
  if (!ledger.lines.empty()) {
    fmt::print("  a relative residual of {} would be explained by the tolerance\n", ledger.allowed);
  }
  if (!ledger.exempt.empty()) {
    fmt::print("  momentum and energy are not expected to balance: {}\n", shown(ledger.exempt));
  }
  if (!ledger.other_formulation.empty()) {
    fmt::print("  accelerations were compared with {}\n", shown(ledger.other_formulation));
  }
}

void print_events(const ResultsReader& results, bool all) {
  const std::vector<Event>& events = results.events();
  std::size_t width = 4;
  for (const Event& event : events) width = std::max(width, cell(event.t).size());
  std::vector<std::vector<std::string>> lines = {{fmt::format("Events: {}", events.size())}};
  const bool cut = !all && events.size() > 2 * event_lines_each_end + 1;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (cut && i == event_lines_each_end) {
      i = events.size() - event_lines_each_end;
      lines.push_back({fmt::format("... {} more", i - event_lines_each_end)});
    }
    lines.push_back({right(cell(events[i].t), width), printable(events[i].name), printable(events[i].what)});
  }
  print_aligned(lines, 3);
}

void print_columns(const ResultsReader& results) {
  std::vector<std::vector<std::string>> lines = {{"Columns", "unit", "least", "largest", "last"}};
  std::size_t left_out = 0;
  for (const Column& column : results.columns()) {
    if (is_ledger(column.name)) continue;
    if (lines.size() > column_lines) {
      ++left_out;
      continue;
    }
    const Extremes e = extremes_of(results.column(column.name));
    const auto shown = [&](double value) { return column.states.empty() ? brief(value) : cell(column, value); };
    lines.push_back(
        {shortened(column.name, longest_name), printable(column.unit), shown(e.least), shown(e.most), shown(e.last)});
    if (!column.note.empty()) lines.back().push_back(printable(column.note.substr(0, column.note.find(':'))));
  }
  if (lines.size() == 1) return;
  fmt::print("\n");
  print_aligned(lines, 2);
  if (left_out > 0) fmt::print("  ... and {} more; --json lists all\n", left_out);
}

void print_summary(const ResultsReader& results) {
  print_origin(results);
  print_statistics(results);
  print_ledger(results);
  if (!results.events().empty()) {
    fmt::print("\n");
    print_events(results, false);
  }
  print_columns(results);
}

Json events_json(const ResultsReader& results) {
  Json list = Json::array();
  for (const Event& event : results.events())
    list.push_back({{"time", event.t}, {"name", event.name}, {"what", event.what}});
  return list;
}

Json summary_json(const ResultsReader& results) {
  const Header& header = results.header();
  Json json = {{"model", header.model_name}, {"file", header.model_file},         {"version", header.version},
               {"command", header.command},  {"formulation", header.formulation}, {"integrator", header.integrator}};
  Json more = Json::object(), statistics = Json::object(), columns = Json::array();
  for (const auto& [name, value] : header.more) more[name] = value;
  for (const auto& [name, value] : results.statistics()) statistics[name] = value;
  for (const Column& column : results.columns()) {
    const Extremes e = extremes_of(results.column(column.name));
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"description", column.description},
                       {"least", e.least},
                       {"largest", e.most},
                       {"last", e.last}});
    if (!column.states.empty()) columns.back()["states"] = column.states;
    if (!column.note.empty()) columns.back()["note"] = column.note;
  }
  json["more"] = std::move(more);
  json["status"] = results.status();
  json["records"] = results.records();
  if (results.records() > 0) {
    json["begin"] = results.time().front();
    json["end"] = results.time().back();
  }
  json["statistics"] = std::move(statistics);
  json["events"] = results.events().size();
  json["columns"] = std::move(columns);
  return json;
}

/// The state of a state machine at t, which was `recorded` before that: the last that it entered since.
double state_at(const ResultsReader& results, const Column& column, double recorded, double t) {
  constexpr std::string_view arrow = " -> ";
  double state = recorded;
  for (const Event& event : results.events()) {
    const std::size_t at = event.what.find(arrow);
    if (event.t > t || event.name != column.name || at == std::string::npos) continue;
    const auto entered = std::ranges::find(column.states, event.what.substr(at + arrow.size()));
    if (entered != column.states.end()) state = static_cast<double>(entered - column.states.begin());
  }
  return state;
}

/// The records asked for: all, or those at given times.
struct Table {
  std::vector<std::string> names;
  std::string index;  // what numbers them: time
  std::vector<double> times;
  std::vector<std::vector<double>> columns;
};

Table make_table(const ResultsReader& results, const ShowArguments& arguments) {
  Table table;
  table.names = select_columns(arguments.file, results.columns(), arguments.names);
  if (arguments.names.empty()) {
    for (const Column& column : results.columns()) table.names.push_back(column.name);
  }
  std::vector<Between> places;
  for (const double t : arguments.at) {
    if (results.records() == 0) throw UsageError(printable(arguments.file) + ": has no records");
    const double begin = results.time().front(), end = results.time().back();
    if (!(t >= begin && t <= end)) {
      throw UsageError(
          fmt::format("{}: --at {}: the records are from {} to {} s", printable(arguments.file), t, begin, end));
    }
    places.push_back(locate(results.time(), t));
  }
  table.index = results.header().index;
  table.times = arguments.at.empty() ? results.time() : arguments.at;
  for (const std::string& name : table.names) {
    std::vector<double> values = results.column(name);
    const Column& column = results.columns()[*results.find(name)];
    if (!arguments.at.empty()) {
      std::vector<double> at;
      for (std::size_t k = 0; k < places.size(); ++k) {
        at.push_back(column.states.empty() ? places[k].value(values)
                                           : state_at(results, column, values[places[k].before], arguments.at[k]));
      }
      values = std::move(at);
    }
    table.columns.push_back(std::move(values));
  }
  return table;
}

void print_table(const ResultsReader& results, const Table& table) {
  constexpr std::size_t narrowest = 16;  // what cell() takes
  std::vector<std::size_t> widths;
  std::string names = right(table.index, narrowest), units = right(table.index == "time" ? "s" : "", narrowest);
  for (const std::string& name : table.names) {
    const std::string shown = printable(name), unit = printable(results.columns()[*results.find(name)].unit);
    widths.push_back(std::max({narrowest, width_of(shown), width_of(unit)}));
    for (const std::string& state : results.columns()[*results.find(name)].states)
      widths.back() = std::max(widths.back(), width_of(printable(state)));
    names += "  " + right(shown, widths.back());
    units += "  " + right(unit, widths.back());
  }
  fmt::print("{}\n{}\n", names, units);
  std::string line;
  for (std::size_t r = 0; r < table.times.size(); ++r) {
    line = right(cell(table.times[r]), narrowest);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = results.columns()[*results.find(table.names[c])];
      line += "  " + right(cell(column, table.columns[c][r]), widths[c]);
    }
    fmt::print("{}\n", line);
  }
}

/// Few instants of many columns: one line per column.
void print_upright(const ResultsReader& results, const Table& table) {
  std::vector<std::vector<std::string>> lines = {{table.index, table.index == "time" ? "s" : ""}};
  for (const double t : table.times) lines.front().push_back(cell(t));
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const Column& column = results.columns()[*results.find(table.names[c])];
    lines.push_back({printable(table.names[c]), printable(column.unit)});
    for (const double value : table.columns[c]) lines.back().push_back(cell(column, value));
  }
  print_aligned(lines, 2);
}

void print_csv(const Table& table) {
  CsvWriter writer(stdout, "standard output", table.names, table.index);
  std::vector<double> row(table.columns.size());
  for (std::size_t r = 0; r < table.times.size(); ++r) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = table.columns[c][r];
    writer.append(table.times[r], row);
  }
  writer.finish();
}

Json table_json(const Table& table) {
  Json columns = Json::object();
  for (std::size_t c = 0; c < table.names.size(); ++c) columns[table.names[c]] = table.columns[c];
  return {{table.index, table.times}, {"columns", std::move(columns)}};
}

void show_events(const ResultsReader& results, const ShowArguments& arguments) {
  if (arguments.json) {
    print_json(events_json(results));
  } else if (arguments.csv) {
    fmt::print("time,name,what\n");
    for (const Event& event : results.events())
      fmt::print("{},{},{}\n", event.t, csv_field(event.name), csv_field(event.what));
  } else if (results.events().empty()) {
    fmt::print("no events\n");
  } else {
    print_events(results, true);
  }
}

void show_table(const ResultsReader& results, const ShowArguments& arguments) {
  const Table table = make_table(results, arguments);
  if (arguments.json) {
    print_json(table_json(table));
  } else if (arguments.csv) {
    print_csv(table);
  } else if (!arguments.at.empty() && table.names.size() > table.times.size()) {
    print_upright(results, table);
  } else {
    print_table(results, table);
  }
}

}  // namespace

int show(const ShowArguments& arguments) {
  const bool table = !arguments.names.empty() || !arguments.at.empty();
  if (arguments.csv && arguments.json) return refuse(false, "--csv and --json exclude each other");
  if (arguments.events && table) return refuse(arguments.json, "--events takes neither names nor --at");
  try {
    const ResultsReader results(arguments.file);
    if (arguments.events) {
      show_events(results, arguments);
    } else if (table || arguments.csv) {
      show_table(results, arguments);
    } else if (campaign::is_campaign(results.header())) {
      return show_campaign(results, arguments.json);
    } else if (arguments.json) {
      print_json(summary_json(results));
    } else {
      print_summary(results);
    }
  } catch (const ResultsError& error) {
    return refuse(arguments.json, printable(error.what()),
                  std::ferror(stdout) != 0 ? exit_code::cannot_go_on : exit_code::wrong_usage);
  } catch (const UsageError& error) {
    return refuse(arguments.json, error.what());
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
