// A column belongs to the first kind, in the order of `Kind`, that takes it; kinds are shown in that order. Signals and
// other quantities are grouped by unit and by name: rate_error_x, _y and _z belong together, and those that have no
// like share plots by unit.
//
// Of a group, columns that do not move are left out: those whose span (largest less least) is below 1e-12 of the
// largest value of the group. A group in which nothing moves is left out whole, but for energy and the ledger. The rest
// is split by span: curves that are thirty times flatter than the steepest go into a plot of their own, and so on three
// times. What still has more than eight curves is cut in order, at most five times; signals and others fill twelve
// plots each. Where a kind needs several plots they are told apart by the names in them.
#include "gyrostat/report/plots.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gyrostat/report/kinds.h"
#include "gyrostat/report/titles.h"

namespace gyrostat::report {

namespace {

constexpr std::size_t most_curves = 8, most_pieces = 5, most_by_name = 12;
constexpr double flatter = 30, still = 1e-12;
constexpr int levels = 4;

using Members = std::vector<std::size_t>;

/// Splits what belongs together into what can be seen together.
class Splitter {
 public:
  explicit Splitter(std::span<const PageColumn> columns) : columns_(columns) {}

  [[nodiscard]] std::vector<Members> split(const Members& members, bool keep_still) const {
    double magnitude = 0;
    for (const std::size_t i : members)
      magnitude = std::max({magnitude, std::abs(*columns_[i].least), std::abs(*columns_[i].largest)});
    Members moving;
    for (const std::size_t i : members) {
      if (span(i) > still * magnitude) moving.push_back(i);
    }
    std::vector<Members> pieces;
    if (moving.empty() && keep_still) cut(members, pieces);
    for (int level = 1; level <= levels && !moving.empty(); ++level) {
      double widest = 0;
      for (const std::size_t i : moving) widest = std::max(widest, span(i));
      Members here, rest;
      for (const std::size_t i : moving) (level == levels || span(i) * flatter >= widest ? here : rest).push_back(i);
      cut(here, pieces);
      moving = std::move(rest);
    }
    return pieces;
  }

 private:
  [[nodiscard]] double span(std::size_t i) const { return *columns_[i].largest - *columns_[i].least; }

  static void cut(const Members& members, std::vector<Members>& pieces) {
    for (std::size_t at = 0; at < std::min(members.size(), most_curves * most_pieces); at += most_curves) {
      const auto from = members.begin() + static_cast<std::ptrdiff_t>(at);
      pieces.emplace_back(from, from + static_cast<std::ptrdiff_t>(std::min(most_curves, members.size() - at)));
    }
  }

  std::span<const PageColumn> columns_;
};

/// Groups in the order in which their first members come.
class Groups {
 public:
  void add(const std::string& key, std::size_t member) {
    const auto [found, is_new] = numbers_.try_emplace(key, list.size());
    if (is_new) list.emplace_back();
    list[found->second].push_back(member);
  }
  std::vector<Members> list;

 private:
  std::map<std::string, std::size_t> numbers_;
};

std::string unit_of(const PageColumn& column) { return column.unit == "1" ? "" : column.unit; }
std::string stem_key(const PageColumn& column) { return unit_of(column) + '\n' + std::string(stem_of(column.name)); }

class Plots {
 public:
  explicit Plots(std::span<const PageColumn> columns) : columns_(columns), splitter_(columns) {}

  /// Of a kind that has a title: by unit.
  void add_titled(const std::string& title, const Members& members, bool keep_still) {
    Groups units;
    for (const std::size_t i : members) units.add(unit_of(columns_[i]), i);
    for (const Members& group : units.list) {
      const std::string unit = unit_of(columns_[group[0]]);
      const std::string end = units.list.size() == 1 ? "" : " [" + (unit.empty() ? "no unit" : unit) + "]";
      const std::vector<Members> pieces = splitter_.split(group, keep_still);
      for (const Members& piece : pieces) {
        const std::string which = pieces.size() > 1 ? ": " + listed(names_of(piece)) : "";
        plots.push_back({fmt::format("{}{}{}", title, which, end), piece});
      }
    }
  }

  /// Of a kind that has none: by unit and stem. Those that have no like come together afterwards, by unit.
  void add_named(const Members& members) {
    Groups stems, single;
    for (const std::size_t i : members) stems.add(stem_key(columns_[i]), i);
    std::vector<Members> pieces;
    const auto split = [&](const std::vector<Members>& groups) {
      for (const Members& group : groups) {
        for (Members& piece : splitter_.split(group, false)) pieces.push_back(std::move(piece));
      }
    };
    for (const Members& group : stems.list) {
      if (group.size() == 1) single.add(unit_of(columns_[group[0]]), group[0]);
    }
    std::erase_if(stems.list, [](const Members& group) { return group.size() == 1; });
    split(stems.list);
    split(single.list);
    pieces.resize(std::min(pieces.size(), most_by_name));
    for (Members& piece : pieces) plots.push_back({listed(names_of(piece)), std::move(piece)});
  }

  std::vector<PlotGroup> plots;

 private:
  [[nodiscard]] std::vector<std::string> names_of(const Members& members) const {
    std::vector<std::string> names;
    for (const std::size_t i : members) names.push_back(columns_[i].name);
    return names;
  }

  std::span<const PageColumn> columns_;
  Splitter splitter_;
};

/// What has one unit and stem is one thing: control if most of it is, else a signal.
void keep_together(std::span<const PageColumn> columns, std::vector<Kind>& kinds) {
  Groups stems;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (kinds[i] == Kind::control || kinds[i] == Kind::signals) stems.add(stem_key(columns[i]), i);
  }
  for (const Members& group : stems.list) {
    const auto control = std::ranges::count_if(group, [&](std::size_t i) { return kinds[i] == Kind::control; });
    const bool most = 2 * control > static_cast<std::ptrdiff_t>(group.size());
    for (const std::size_t i : group) kinds[i] = most ? Kind::control : Kind::signals;
  }
}

}  // namespace

std::vector<PlotGroup> default_plots(std::span<const PageColumn> columns, const Model* model) {
  const Kinds known(model);
  std::vector<Kind> kinds;
  for (const PageColumn& column : columns) kinds.push_back(known.of(column));
  keep_together(columns, kinds);
  for (const Kind attitude : {Kind::base_angles, Kind::base_quaternion}) {
    const bool has_attitude = std::ranges::find(kinds, Kind::attitude) != kinds.end();
    std::ranges::replace(kinds, attitude, has_attitude ? Kind::none : Kind::attitude);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string same = known.same_of_body(columns[i].name);
    if (!same.empty() && std::ranges::find(columns, same, &PageColumn::name) != columns.end()) kinds[i] = Kind::none;
  }
  std::array<Members, kind_titles.size()> by_kind;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (kinds[i] != Kind::none && columns[i].least) by_kind.at(static_cast<std::size_t>(kinds[i])).push_back(i);
  }
  Plots plots(columns);
  for (std::size_t k = 0; k < kind_titles.size(); ++k) {
    const bool keep_still = k == static_cast<std::size_t>(Kind::energy) || k == static_cast<std::size_t>(Kind::ledger);
    if (kind_titles[k].empty()) {
      plots.add_named(by_kind[k]);
    } else {
      plots.add_titled(std::string(kind_titles[k]), by_kind[k], keep_still);
    }
  }
  return std::move(plots.plots);
}

}  // namespace gyrostat::report
