#include "gyrostat/report/titles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat::report {

namespace {

constexpr std::size_t most_listed = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes away what stands before a '/' in all of them, and after the last '.' if that leaves different names.
void shorten(std::vector<std::string>& names) {
  const auto slash = names[0].find('/');
  const std::string group = slash == std::string::npos ? "" : names[0].substr(0, slash + 1);
  if (std::ranges::all_of(names, [&](const std::string& n) { return n.starts_with(group); })) {
    for (std::string& name : names) name.erase(0, group.size());
  }
  const auto dot = names[0].rfind('.');
  if (names.size() < 2 || dot == std::string::npos) return;
  const std::string tail = names[0].substr(dot);
  if (!std::ranges::all_of(names, [&](const std::string& n) { return n.ends_with(tail); })) return;
  for (std::string& name : names) name.erase(name.size() - tail.size());
}

/// Those of one stem.
std::string listed_components(const std::vector<std::string>& names, std::size_t stem) {
  if (names[0][stem - 1] == '_') {
    std::string text = names[0];
    for (std::size_t k = 1; k < names.size(); ++k) text += ", " + names[k].substr(stem - 1);
    return text;
  }
  if (names.size() > most_listed) return names.front() + " .. " + names.back();
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Coordinates of numbered joints: the stems of what stands before the last '.' are the same, and those of what
/// follows.
bool are_numbered(const std::vector<std::string>& names) {
  const auto stems = [](const std::string& name) {
    const std::size_t dot = std::min(name.rfind('.'), name.size());
    const std::string_view all = name;
    return std::pair(stem_of(all.substr(0, dot)), stem_of(all.substr(dot)));
  };
  return std::ranges::all_of(names, [&](const std::string& n) { return stems(n) == stems(names[0]); });
}

}  // namespace

std::string_view stem_of(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) --end;
  if (end > 0 && end < name.size()) return name.substr(0, end);
  if (name.size() > 2 && name[name.size() - 2] == '_' && std::string_view("xyzw").find(name.back()) < 4)
    return name.substr(0, name.size() - 1);
  return name;
}

std::string listed(std::vector<std::string> names) {
  if (names.empty()) return "";
  shorten(names);
  const std::string stem(stem_of(names[0]));
  const bool alike = std::ranges::all_of(names, [&](const std::string& n) { return stem_of(n) == stem; });
  if (alike && names.size() > 1) return listed_components(names, stem.size());
  if (names.size() <= most_listed) return fmt::format("{}", fmt::join(names, ", "));
  if (are_numbered(names)) return names.front() + " .. " + names.back();
  return fmt::format("{}, {} and {} more", names[0], names[1], names.size() - 2);
}

}  // namespace gyrostat::report
