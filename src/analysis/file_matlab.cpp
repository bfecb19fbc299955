// MATLAB and Octave: a script, and a MAT-file of level 5 (MathWorks, MAT-File Format, chapter 1).
#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "gyrostat/analysis/linear_file.h"

namespace gyrostat {

namespace {

/// Letters, digits, dots and underscores are all that names have, and a quote is doubled.
std::string quoted(const std::string& text) {
  std::string inside;
  for (const char c : text) inside.append(c == '\'' ? 2 : 1, c);
  return '\'' + inside + '\'';
}

std::vector<std::string> names_of(const std::vector<LinearVariable>& variables) {
  std::vector<std::string> names;
  for (const LinearVariable& v : variables) names.push_back(v.name);
  return names;
}
std::vector<std::string> units_of(const std::vector<LinearVariable>& variables) {
  std::vector<std::string> units;
  for (const LinearVariable& v : variables) units.push_back(v.unit);
  return units;
}

/// What the files hold beside A, B, C, D: calls `matrix(name, values)` and `strings(name, list)`.
template <class Matrix, class Strings>
void for_contents(const LinearModel& model, const StateSpace& space, Matrix matrix, Strings strings) {
  strings("states", names_of(space.states));
  strings("state_units", units_of(space.states));
  strings("inputs", names_of(space.inputs));
  strings("input_units", units_of(space.inputs));
  strings("outputs", names_of(space.outputs));
  strings("output_units", units_of(space.outputs));
  matrix("A", space.A);
  matrix("B", space.B);
  matrix("C", space.C);
  matrix("D", space.D);
  matrix("Ts", Eigen::MatrixXd::Constant(1, 1, space.period));
  matrix("t", Eigen::MatrixXd::Constant(1, 1, model.t));
  matrix("M", model.second_order.M);
  matrix("G", model.second_order.G);
  matrix("Damping", model.second_order.D);
  matrix("K", model.second_order.K);
}

// --- MAT-file --------------------------------------------------------------------------------------------------------

static_assert(std::endian::native == std::endian::little, "the file's mark says little-endian");

enum Type : std::uint32_t { int8 = 1, uint16 = 4, int32 = 5, uint32 = 6, float64 = 9, array = 14 };
enum Class : std::uint32_t { cells = 1, characters = 4, doubles = 6 };

/// A data element: type, bytes, and the bytes up to a multiple of eight.
std::string element(Type type, const void* data, std::size_t bytes) {
  const std::uint32_t tag[2] = {type, static_cast<std::uint32_t>(bytes)};
  std::string text(8 + (bytes + 7) / 8 * 8, '\0');
  std::memcpy(text.data(), tag, 8);
  if (bytes > 0) std::memcpy(text.data() + 8, data, bytes);
  return text;
}
std::string element(Type type, const std::string& contents) { return element(type, contents.data(), contents.size()); }

std::string array_head(Class of, std::size_t rows, std::size_t columns, const std::string& name) {
  const std::uint32_t flags[2] = {of, 0};
  const std::int32_t size[2] = {static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)};
  return element(uint32, flags, 8) + element(int32, size, 8) + element(int8, name);
}

std::string matrix_element(const std::string& name, const Eigen::MatrixXd& matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows()), columns = static_cast<std::size_t>(matrix.cols());
  return element(array, array_head(doubles, rows, columns, name) +
                            element(float64, matrix.data(), rows * columns * sizeof(double)));
}

std::string string_element(const std::string& text) {
  std::vector<std::uint16_t> letters(text.begin(), text.end());
  return element(array, array_head(characters, text.empty() ? 0 : 1, text.size(), "") +
                            element(uint16, letters.data(), 2 * letters.size()));
}

std::string cell_element(const std::string& name, const std::vector<std::string>& list) {
  std::string contents = array_head(cells, list.size(), 1, name);
  for (const std::string& text : list) contents += string_element(text);
  return element(array, contents);
}

}  // namespace

std::string linear_mat(const LinearModel& model, const StateSpace& space) {
  std::string file = fmt::format("MATLAB 5.0 MAT-file, {}", linear_format);
  file.resize(124, ' ');
  file.append("\x00\x01IM", 4);
  for_contents(
      model, space, [&](const char* name, const Eigen::MatrixXd& values) { file += matrix_element(name, values); },
      [&](const char* name, const std::vector<std::string>& list) { file += cell_element(name, list); });
  return file;
}

std::string linear_m(const LinearModel& model, const StateSpace& space, const std::string& model_name) {
  std::string title = model_name;
  std::ranges::replace_if(
      title, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  std::string text = fmt::format("% {}: {}\n", linear_format, title);
  for (const std::string& note : model.notes) text += fmt::format("% {}\n", note);
  for_contents(
      model, space,
      [&](const char* name, const Eigen::MatrixXd& values) {
        if (values.size() == 0) {
          text += fmt::format("{} = zeros({}, {});\n", name, values.rows(), values.cols());
          return;
        }
        text += fmt::format("{} = [", name);
        for (Eigen::Index r = 0; r < values.rows(); ++r) {
          text += r > 0 ? "\n  " : "";
          for (Eigen::Index c = 0; c < values.cols(); ++c) text += fmt::format("{}{}", c > 0 ? " " : "", values(r, c));
        }
        text += "];\n";
      },
      [&](const char* name, const std::vector<std::string>& list) {
        text += fmt::format("{} = {{", name);
        for (std::size_t k = 0; k < list.size(); ++k) text += (k > 0 ? "; " : "") + quoted(list[k]);
        text += "};\n";
      });
  text +=
      "% with the Control System Toolbox: sys = ss(A, B, C, D, Ts, 'StateName', states, 'InputName', inputs, "
      "'OutputName', outputs);\n";
  return text;
}

}  // namespace gyrostat
