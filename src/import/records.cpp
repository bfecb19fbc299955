#include "gyrostat/import/records.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace gyrostat::dasc {

namespace {

constexpr std::array<std::string_view, 8> keywords = {"SYS", "BOD", "JOI", "FOR", "SDA", "CUR", "CON", "END"};

/// The keyword that a line begins with, in capitals or small letters as DASC wants it, or empty.
std::string_view keyword_of(std::string_view line) {
  if (line.size() < 3) return {};
  const std::string_view start = line.substr(0, 3);
  for (const std::string_view keyword : keywords) {
    const auto same = [&](auto change) {
      return std::equal(start.begin(), start.end(), keyword.begin(),
                        [&](char a, char b) { return a == static_cast<char>(change(b)); });
    };
    if (same([](int c) { return c; }) || same([](int c) { return std::tolower(c); })) return keyword;
  }
  return {};
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct Parsed {
  double value = 0;
  bool whole = false;
};

/// A number of Fortran: "5", "-0.5", "1.", ".5E-3", "1D0".
std::optional<Parsed> parse_number(std::string_view text) {
  std::string plain(text);
  if (plain.starts_with('+')) plain.erase(0, 1);
  std::ranges::replace_if(
      plain, [](char c) { return c == 'd' || c == 'D' || c == 'E'; }, 'e');
  Parsed number;
  const char* const end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(plain.data(), end, number.value);
  const bool digits = std::ranges::any_of(plain, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (error != std::errc{} || stop != end || !digits || !std::isfinite(number.value)) return std::nullopt;
  number.whole = plain.find_first_of(".e") == std::string::npos;
  return number;
}

/// What a scanner may have made of a number: the letter O of a zero, an l or I of a one.
std::string likely_meant(std::string_view text) {
  std::string meant(text);
  std::ranges::replace_if(
      meant, [](char c) { return c == 'O' || c == 'o'; }, '0');
  std::ranges::replace_if(
      meant, [](char c) { return c == 'l' || c == 'I'; }, '1');
  return meant != text && parse_number(meant) ? meant : std::string();
}

/// As messages show it: no control characters, and not too long.
std::string shown(std::string_view text) {
  std::string clean;
  for (const char c : text.substr(0, 30)) {
    clean += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return text.size() > 30 ? clean + "..." : clean;
}

/// The word of a line that has one word with a colon, and nothing else: meant as the name of a section.
std::string_view section_meant(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r"), last = line.find_last_not_of(" \t\r");
  if (first == std::string_view::npos || first == last || line[last] != ':') return {};
  const std::string_view word = line.substr(first, last - first);
  return std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c) != 0; }) ? word : std::string_view();
}

}  // namespace

Records::Records(const Source& source, Problems& problems) : source_(source), problems_(problems) {
  const std::string_view text = source.text();
  lines_ = static_cast<std::size_t>(std::ranges::count(text, '\n')) + (text.empty() || text.back() == '\n' ? 0 : 1);
}

void Records::fail_at(Place place, std::string message) const {
  problems_.error(section_, std::move(message), place);
  failed_ = true;
  throw BadRecord();
}

void Records::fail(std::string message) const { fail_at(place_, std::move(message)); }

bool Records::at_keyword() const { return line_ < lines_ && !keyword_of(source_.line(line_)).empty(); }

std::string_view Records::next_section() {
  bool reported = section_.empty() || failed_;
  failed_ = false;
  for (; line_ < lines_; ++line_) {
    const std::string_view line = source_.line(line_);
    const std::string_view keyword = keyword_of(line);
    if (!keyword.empty()) {
      place_ = source_.place(line_, 0);
      section_ = std::string(line.substr(0, line.find_first_of(": \t\r")));
      ++line_;
      return keyword;
    }
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (const std::string_view word = section_meant(line); !section_.empty() && !word.empty()) {
      problems_.error(
          "",
          fmt::format("'{}' is no section of a DASC deck; those are SYSTEM, BODY, JOINT, FORCE, SDA, CURVE, CONTROL "
                      "and END",
                      shown(word)),
          source_.place(line_, first));
      reported = true;  // its numbers
    }
    if (reported || first == std::string_view::npos) continue;
    const std::size_t end = std::min(line.find_first_of(" \t\r,", first), line.size());
    if (!parse_number(line.substr(first, end - first))) continue;
    problems_.error(section_, "numbers that nothing reads; is the number of records given before right?",
                    source_.place(line_, first));
    reported = true;
  }
  return {};
}

std::vector<double> Records::read(std::size_t count, std::string_view what) { return read(count, 0, what); }

std::vector<double> Records::read(std::size_t count, std::size_t whole, std::string_view what) {
  std::vector<Number> numbers;
  bool begun = false;
  while (numbers.size() < count) {
    if (line_ >= lines_ || at_keyword()) {
      const std::string where =
          line_ >= lines_ ? "the deck ends" : fmt::format("'{}' follows", shown(source_.line(line_).substr(0, 8)));
      const std::size_t at = std::min(line_, lines_ - 1);
      fail_at(source_.place(at, 0),
              fmt::format("expected {} numbers ({}), got {}: {}", count, what, numbers.size(), where));
    }
    if (!begun) place_ = source_.place(line_, 0);
    read_line(count, what, numbers);
    begun = begun || !numbers.empty();
  }
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) {
    if (k < whole && !numbers[k].whole) {
      fail_at(numbers[k].place, fmt::format("expected a whole number ({}), got {}", what, numbers[k].value));
    }
    values.push_back(numbers[k].value);
  }
  return values;
}

/// The numbers of the next line.
void Records::read_line(std::size_t count, std::string_view what, std::vector<Number>& numbers) {
  const std::string_view line = source_.line(line_);
  bool comma = true;  // one here would leave a value out
  for (std::size_t k = 0; k < line.size();) {
    if (is_blank(line[k])) {
      ++k;
    } else if (line[k] == ',') {
      if (comma) fail_at(source_.place(line_, k), "a value is left out before this comma; write it");
      comma = true, ++k;
    } else {
      std::size_t end = k;
      while (end < line.size() && !is_blank(line[end]) && line[end] != ',') ++end;
      const Place place = source_.place(line_, k);
      if (numbers.size() >= count) {
        fail_at(place, fmt::format("more than the {} numbers that are read here ({}); DASC would pass over the rest: "
                                   "delete it, or write what is missing before",
                                   count, what));
      }
      add_number(line.substr(k, end - k), place, count, numbers);
      comma = false, k = end;
    }
  }
  ++line_;
}

/// A number, or "3*0.": three of them.
void Records::add_number(std::string_view text, Place place, std::size_t count, std::vector<Number>& numbers) const {
  std::size_t times = 1;
  std::string_view one = text;
  if (const std::size_t star = text.find('*'); star != std::string_view::npos && star > 0) {
    const auto repeated = parse_number(text.substr(0, star));
    one = text.substr(star + 1);
    if (repeated && repeated->whole && repeated->value >= 1 && repeated->value <= static_cast<double>(count)) {
      times = static_cast<std::size_t>(repeated->value);
    } else {
      one = text;
    }
  }
  const auto number = parse_number(one);
  if (!number) {
    const std::string meant = likely_meant(text);
    fail_at(place, fmt::format("'{}' is not a number{}", shown(text),
                               meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant)));
  }
  for (std::size_t k = 0; k < times; ++k) numbers.push_back({number->value, number->whole, place});
}

}  // namespace gyrostat::dasc
