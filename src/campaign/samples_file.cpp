#include "gyrostat/campaign/samples_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/campaign/description.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/text_file.h"

namespace gyrostat::campaign {

namespace {

/// The line from `at` on, without its end; `at` moves behind it.
std::string_view next_line(std::string_view text, std::size_t& at) {
  const std::size_t end = std::min(text.find('\n', at), text.size());
  std::string_view line = text.substr(at, end - at);
  at = end + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view without_spaces(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// The cell from `at` on, without spaces around it and without quotes; `at` moves behind its comma.
std::string next_cell(std::string_view line, std::size_t& at) {
  std::size_t end = at;
  bool quoted = false;
  for (; end < line.size() && (quoted || line[end] != ','); ++end) quoted = quoted != (line[end] == '"');
  const std::string_view cell = without_spaces(line.substr(at, end - at));
  at = end + 1;
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string text;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"' && cell[i + 1] == '"') ++i;
  }
  return text;
}

/// At most so many letters of a cell are shown.
std::string shown_cell(const std::string& cell) {
  if (cell.empty()) return "nothing";
  return cell.size() <= 40 ? fmt::format("'{}'", cell) : fmt::format("'{}...'", cell.substr(0, 40));
}

}  // namespace

const SamplesFiles::File& SamplesFiles::open(const std::string& path) {
  const auto [found, is_new] = files_.try_emplace(path);
  File& file = found->second;
  if (!is_new) return file;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    file.why = "is a directory, not a CSV file";
    return file;
  }
  auto text = text_of_file(path, file.why);
  if (!text) return file;
  file.text = without_byte_order_mark(std::move(*text));
  if (file.text.size() > gyrostat::limits::file_bytes) {
    file.why = fmt::format("is larger than {} MiB, the limit", gyrostat::limits::file_bytes >> 20U);
    return file;
  }
  const std::string_view first = next_line(file.text, file.begin);
  for (std::size_t at = 0; at <= first.size();) file.names.push_back(next_cell(first, at));
  if (file.text.empty()) file.why = "is empty; its first line has the names of columns";
  return file;
}

std::variant<std::vector<double>, std::string> SamplesFiles::column(const std::string& path, std::string_view name) {
  const File& file = open(path);
  if (!file.why.empty()) return fmt::format("{} {}", path, file.why);
  const auto found = std::ranges::find(file.names, name);
  if (found == file.names.end()) {
    const std::string hint = did_you_mean(name, file.names);
    return fmt::format("{} has no column '{}'{}", path, name,
                       !hint.empty() ? hint : fmt::format("; it has {}", fmt::join(file.names, ", ")));
  }
  const auto wanted = static_cast<std::size_t>(found - file.names.begin());
  std::vector<double> numbers;
  std::size_t line_number = 1;
  for (std::size_t at = file.begin; at < file.text.size();) {
    const std::string_view line = next_line(file.text, at);
    ++line_number;
    if (without_spaces(line).empty()) continue;
    std::string cell;
    std::size_t from = 0, cells = 0;
    for (; from <= line.size() && cells <= wanted; ++cells) cell = next_cell(line, from);
    if (cells <= wanted)
      return fmt::format("{}, line {}: {} cells, but '{}' is column {}", path, line_number, cells, name, wanted + 1);
    double number = 0;
    const char* const end = cell.data() + cell.size();
    const auto result = std::from_chars(cell.data(), end, number);
    const double size = std::abs(number);
    if (cell.empty() || result.ec != std::errc{} || result.ptr != end || !std::isfinite(number))
      return fmt::format("{}, line {}: column '{}' is a number in every line, not {}", path, line_number, name,
                         shown_cell(cell));
    if (size > gyrostat::limits::largest || (size > 0 && size < gyrostat::limits::smallest))
      return fmt::format("{}, line {}: {} is too {} to compute with", path, line_number, cell,
                         size > 1 ? "large" : "small");
    if (numbers.size() == limits::table_rows)
      return fmt::format("{} has more than {} rows, the limit", path, limits::table_rows);
    numbers.push_back(number);
  }
  if (numbers.empty()) return fmt::format("{} has no rows below its first line", path);
  return numbers;
}

}  // namespace gyrostat::campaign
