// "Did you mean": the nearest of the names that exist.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace gyrostat {

/// Names longer than this are not taken for typing errors; and among very many names the search stops early.
inline constexpr std::size_t nearest_longest = 60;
inline constexpr std::size_t nearest_candidates = 5'000;

/// Edits (insert, delete, replace, swap neighbours; capitals count as small letters) between two names of at most
/// `nearest_longest` letters.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::array<std::array<std::size_t, nearest_longest + 1>, 3> rows;
  auto *before = &rows[0], *previous = &rows[1], *current = &rows[2];
  for (std::size_t j = 0; j <= b.size(); ++j) (*previous)[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    (*current)[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      (*current)[j] = std::min({(*previous)[j] + 1, (*current)[j - 1] + 1, (*previous)[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        (*current)[j] = std::min((*current)[j], (*before)[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return (*previous)[b.size()];
}

/// The candidate nearest to `name`, if any is near enough to be what was meant (a third of its letters may be wrong;
/// among equals, one with the same letters).
template <std::ranges::input_range Names>
std::optional<std::string> nearest(std::string_view name, const Names& candidates) {
  if (name.size() > nearest_longest) return std::nullopt;
  std::size_t best = std::max<std::size_t>((name.size() + 1) / 3, 1) + 1;
  std::optional<std::string> found;
  std::size_t looked_at = 0;
  for (const auto& candidate : candidates) {
    const std::string_view other = candidate;
    if (++looked_at > nearest_candidates) break;
    if (other.size() > nearest_longest) continue;
    const std::size_t difference = other.size() > name.size() ? other.size() - name.size() : name.size() - other.size();
    if (difference > best || other == name) continue;
    const std::size_t distance = edit_distance(name, other);
    if (distance >= name.size()) continue;  // nothing of it is left
    const bool tie_won = distance == best && found && std::ranges::is_permutation(name, other) &&
                         !std::ranges::is_permutation(name, std::string_view(*found));
    if (distance < best || tie_won) {
      best = distance;
      found = other;
    }
  }
  return found;
}

/// "; did you mean 'x'?" or nothing.
template <std::ranges::input_range Names>
std::string did_you_mean(std::string_view name, const Names& candidates) {
  const auto found = nearest(name, candidates);
  return found ? "; did you mean '" + *found + "'?" : "";
}

}  // namespace gyrostat
