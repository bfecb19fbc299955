// [A B; C D] as a table: a column for each state and input, a row for the rate of each state and for each output.
#include <fmt/format.h>

#include "gyrostat/analysis/linear_file.h"

namespace gyrostat {

namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string inside;
  for (const char c : text) inside.append(c == '"' ? 2 : 1, c);
  return '"' + inside + '"';
}

}  // namespace

std::string linear_csv(const StateSpace& space) {
  std::string text(linear_format);
  for (const LinearVariable& state : space.states) text += "," + csv_cell(state.name);
  for (const LinearVariable& input : space.inputs) text += "," + csv_cell(input.name);
  text += "\n";
  const auto add = [&](const std::string& name, const auto& left, const auto& right) {
    text += csv_cell(name);
    for (const double x : left) text += fmt::format(",{}", x);
    for (const double x : right) text += fmt::format(",{}", x);
    text += "\n";
  };
  for (std::size_t k = 0; k < space.states.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    add(space.states[k].name + (space.period == 0 ? "'" : " next"), space.A.row(row), space.B.row(row));
  }
  for (std::size_t k = 0; k < space.outputs.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    add(space.outputs[k].name, space.C.row(row), space.D.row(row));
  }
  return text;
}

}  // namespace gyrostat
