#include "gyrostat/model/problem.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/model/limits.h"

namespace gyrostat {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F; }

std::string printable(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, ' ');
  return out;
}

}  // namespace

Source::Source(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view Source::line(std::size_t index) const {
  if (index >= line_starts_.size()) return {};
  const std::size_t begin = line_starts_[index];
  const std::size_t end = index + 1 < line_starts_.size() ? line_starts_[index + 1] - 1 : text_.size();
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Place Source::place(std::size_t line_index, std::size_t byte) const {
  const std::string_view before = line(line_index).substr(0, byte);
  const auto continued = static_cast<std::size_t>(std::count_if(before.begin(), before.end(), continues_character));
  const std::size_t beyond = byte - before.size();  // past the end of the line
  return {static_cast<std::uint32_t>(line_index + 1),
          static_cast<std::uint32_t>(before.size() - continued + beyond + 1)};
}

void Problems::add(Problem problem) {
  ++(problem.severity == Severity::error ? errors_ : warnings_);
  if (!full()) problems_.push_back(std::move(problem));
}

void Problems::error(std::string path, std::string message, Place place) {
  add({Severity::error, std::move(path), std::move(message), place, 0});
}

void Problems::warning(std::string path, std::string message, Place place) {
  add({Severity::warning, std::move(path), std::move(message), place, 0});
}

bool Problems::full() const { return problems_.size() >= limits::problems; }

void Problems::sort() {
  std::stable_sort(problems_.begin(), problems_.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
}

std::string render(const Problem& problem, const Source& source, bool colour) {
  const bool error = problem.severity == Severity::error;
  const auto paint = [&](std::string_view code, std::string_view text) {
    return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  };
  std::string where = printable(source.file());
  if (problem.place.line > 0) where += fmt::format(":{}:{}", problem.place.line, problem.place.column);
  std::string text = fmt::format(
      "{} {} {}{}\n", paint("1", where + ":"), paint(error ? "1;31" : "1;35", error ? "error:" : "warning:"),
      problem.path.empty() ? "" : printable(problem.path) + ": ", printable(problem.message));
  if (problem.place.line == 0) return text;

  // The line, or the part of a very long one around the column.
  std::string line = printable(source.line(problem.place.line - 1));
  std::size_t begin = 0, column = 1;
  while (begin < line.size() && column < problem.place.column) {
    ++begin;
    while (begin < line.size() && continues_character(line[begin])) ++begin;
    ++column;
  }
  constexpr std::size_t before = 100, after = 60;
  std::size_t caret = problem.place.column - 1;
  std::size_t end = line.size();
  if (end > begin + after) {
    end = begin + after;
    while (continues_character(line[end])) ++end;
  }
  std::size_t start = 0;
  if (begin > before) {
    start = begin - before;
    while (continues_character(line[start])) ++start;
    const auto skipped =
        static_cast<std::size_t>(std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(start),
                                               [](char c) { return !continues_character(c); }));
    caret -= std::min(caret, skipped);
  }
  const std::string number = std::to_string(problem.place.line);
  text += fmt::format("{:>5} | {}\n      | {}{}\n", number, line.substr(start, end - start), std::string(caret, ' '),
                      paint(error ? "1;31" : "1;35", "^"));
  return text;
}

}  // namespace gyrostat
