#include "results_text.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gyrostat/expression/glob.h"
#include "gyrostat/expression/nearest.h"

namespace gyrostat::app {

using results::Column;

namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

std::vector<std::string> select_columns(const std::string& file, std::span<const Column> columns,
                                        std::span<const std::string> names) {
  std::vector<std::string> all, chosen;
  for (const Column& column : columns) all.push_back(column.name);
  std::set<std::string, std::less<>> seen;
  const auto choose = [&](const std::string& name) {
    if (seen.insert(name).second) chosen.push_back(name);
  };
  const std::set<std::string, std::less<>> existing(all.begin(), all.end());
  for (const std::string& wanted : names) {
    if (existing.contains(wanted)) {
      choose(wanted);
    } else if (is_pattern(wanted)) {
      const std::size_t before = seen.size();
      bool any = false;
      for (const std::string& name : all) {
        if (!matches(name, wanted)) continue;
        any = true;
        choose(name);
      }
      if (!any && before == seen.size())
        throw UsageError(fmt::format("{}: no column matches '{}'", printable(file), printable(wanted)));
    } else if (wanted != "time") {
      throw UsageError(fmt::format("{}: no column '{}'{}", printable(file), printable(wanted),
                                   printable(did_you_mean(wanted, all))));
    }
  }
  return chosen;
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool two_byte_control =
        byte == 0xC2U && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0U;
    if (byte < 0x20U || byte == 0x7FU || two_byte_control) {
      shown += '?';
      if (two_byte_control) ++i;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::size_t width_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::string left(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

std::string right(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + std::string(text);
}

std::string shortened(std::string_view name, std::size_t longest) {
  std::string shown = printable(name);
  if (width_of(shown) <= longest) return shown;
  std::size_t begin = shown.size() - (longest - 3);
  while (begin < shown.size() && is_continuation(shown[begin])) ++begin;
  return "..." + shown.substr(begin);
}

std::string bracketed(std::string_view unit) { return unit.empty() ? "" : fmt::format("[{}]", unit); }

std::string brief(double value) { return fmt::format("{:.6g}", value + 0.0); }

}  // namespace gyrostat::app
