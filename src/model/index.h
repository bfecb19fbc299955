// Numbers of the parts of a System by their names.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "gyrostat/math/rotation.h"

namespace gyrostat {

/// From names to numbers. Keeps its own copies of the names, so that it can be copied with what it describes.
class NumberOfName {
 public:
  /// The first number given for a name stays.
  void add(std::string name, std::uint32_t number) { numbers_.try_emplace(std::move(name), number); }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

/// From positions in bodies to nodes: of those points that have no name.
class NodeOfPosition {
 public:
  /// The node at `position` of the body, or `number`, which then becomes that node's.
  std::uint32_t add(std::uint32_t body, const Vector3& position, std::uint32_t number) {
    return numbers_.try_emplace(key(body, position), number).first->second;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t body, const Vector3& position) const {
    const auto found = numbers_.find(key(body, position));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  using Key = std::tuple<std::uint32_t, double, double, double>;
  static Key key(std::uint32_t body, const Vector3& p) { return {body, p.x(), p.y(), p.z()}; }
  std::map<Key, std::uint32_t> numbers_;
};

struct SystemIndex {
  NumberOfName bodies;       // "bus"; "world" is 0
  NumberOfName joints;       // of the tree
  NumberOfName wheels;       // "bus.rw1"
  NumberOfName points;       // nodes: named points, "bus.antenna", and the points of cut joints
  NodeOfPosition positions;  // points that loads give by their position
};

}  // namespace gyrostat
