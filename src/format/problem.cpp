#include "gyrostat/format/problem.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"

namespace gyrostat {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Without control characters, those of one byte and those of two (U+0080 to U+009F).
std::string printable(std::string_view text) {
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    const bool two_bytes = byte == 0xC2 && i + 1 < out.size() && static_cast<unsigned char>(out[i + 1]) < 0xA0;
    if (byte < 0x20 || byte == 0x7F || two_bytes) out[i] = ' ';
    if (two_bytes) out.erase(i + 1, 1);
  }
  return out;
}

/// What a hostile file puts into names and values does not become a message of a megabyte.
void clip(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  std::size_t end = most;
  while (continues_character(text[end])) --end;
  text.resize(end);
  text += "...";
}

struct Excerpt {
  std::string text;
  std::size_t caret = 0;  // characters before it
};

/// A line, or of a very long one the part around a character.
Excerpt excerpt(const std::string& line, std::size_t character) {
  constexpr std::size_t whole = 140, before = 80, after = 50;
  std::vector<std::size_t> starts;  // of the characters
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (!continues_character(line[i])) starts.push_back(i);
  }
  const std::size_t count = starts.size();
  if (count <= whole) return {line, std::min(character, count)};
  const std::size_t first = character > before ? std::min(character, count) - before : 0;
  const std::size_t last = std::min(count, character + after);
  const std::size_t begin = starts[std::min(first, count - 1)], end = last < count ? starts[last] : line.size();
  const std::string_view cut = first > 0 ? "..." : "";
  return {fmt::format("{}{}{}", cut, std::string_view(line).substr(begin, end - begin), last < count ? "..." : ""),
          std::min(character, count) - first + cut.size()};
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
          static_cast<std::uint32_t>(before.size() - continued + beyond + 1), number_, 0};
}

std::uint32_t Source::add_included(Source included) {
  included_.push_back(std::move(included));
  const auto number = static_cast<std::uint32_t>(included_.size());
  included_.back().number_ = number;
  return number;
}

std::uint32_t Source::add_instance(std::string description) {
  instances_.push_back(std::move(description));
  return static_cast<std::uint32_t>(instances_.size());
}

std::uint32_t Source::add_origin(Origin origin) {
  origins_.push_back(std::move(origin));
  return static_cast<std::uint32_t>(origins_.size() - 1);
}

void Problems::add(Problem problem) {
  if (problem.severity == Severity::error) ++errors_found_;
  const auto same = [&](const Problem& p) {  // as of the components of a vector
    return p.path == problem.path && p.offset == problem.offset && p.message == problem.message &&
           p.place.line == problem.place.line && p.place.column == problem.place.column;
  };
  if (!full() && std::ranges::any_of(problems_, same)) return;
  ++(problem.severity == Severity::error ? errors_ : warnings_);
  if (full()) return;
  clip(problem.path, 300);
  clip(problem.message, 1000);
  problems_.push_back(std::move(problem));
}

void Problems::error(std::string path, std::string message, Place place) {
  add({Severity::error, std::move(path), std::move(message), place, 0});
}

void Problems::warning(std::string path, std::string message, Place place) {
  add({Severity::warning, std::move(path), std::move(message), place, 0});
}

bool Problems::full() const { return problems_.size() >= limits::problems; }

void Problems::sort() {
  const auto order = [](const Problem& p) { return std::tie(p.place.file, p.place.line, p.place.column); };
  std::stable_sort(problems_.begin(), problems_.end(),
                   [&](const Problem& a, const Problem& b) { return order(a) < order(b); });
  std::vector<Problem> kept;
  for (Problem& problem : problems_) {
    const auto same = [&](const Problem& other) {
      return other.place.instance != 0 && problem.place.instance != 0 &&
             other.place.instance != problem.place.instance && order(other) == order(problem) &&
             other.severity == problem.severity && other.message == problem.message;
    };
    const auto first = std::find_if(kept.begin(), kept.end(), same);
    if (first == kept.end()) {
      kept.push_back(std::move(problem));
    } else {
      ++first->instances;
      --(problem.severity == Severity::error ? errors_ : warnings_);
    }
  }
  problems_ = std::move(kept);
}

std::string where(const Place& place, const Source& source) {
  std::string text = printable(source.part(place.file).file());
  if (place.line > 0) text += fmt::format(":{}:{}", place.line, place.column);
  return text;
}

std::string render(const Problem& problem, const Source& source, bool colour) {
  const bool error = problem.severity == Severity::error;
  const auto paint = [&](std::string_view code, std::string_view text) {
    return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  };
  std::string text =
      fmt::format("{} {} {}{}\n", paint("1", where(problem.place, source) + ":"),
                  paint(error ? "1;31" : "1;35", error ? "error:" : "warning:"),
                  problem.path.empty() ? "" : printable(problem.path) + ": ", printable(problem.message));
  if (problem.place.line == 0) return text;

  const Source& file = source.part(problem.place.file);
  const Excerpt shown = excerpt(printable(file.line(problem.place.line - 1)), problem.place.column - 1);
  text += fmt::format("{:>5} | {}\n      | {}{}\n", problem.place.line, shown.text, std::string(shown.caret, ' '),
                      paint(error ? "1;31" : "1;35", "^"));
  if (problem.place.instance == 0) return text;
  text += fmt::format("      in {}{}\n", printable(source.instance(problem.place.instance)),
                      problem.instances > 0 ? fmt::format(", and in {} more", problem.instances) : "");
  return text;
}

}  // namespace gyrostat
