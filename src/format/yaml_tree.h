// A YAML document as a tree in which every key and value knows where it stands. The syntax is yaml-cpp's business; what
// the values mean is not decided here. Anchors, aliases, tags and further documents are refused: the model format has
// parameters instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/format/problem.h"

namespace gyrostat {

struct YamlNode {
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping };

  Kind kind = Kind::null;
  bool plain = true;                   // a scalar without quotes; a list written with dashes
  std::uint32_t line = 0, column = 0;  // from 0, columns in bytes
  std::uint32_t origin = 0;            // 0: the model file itself (Source::origin)
  std::string text;                    // of a scalar
  std::vector<YamlNode> items;         // of a sequence; of a mapping: key, value, key, value ...

  /// The value of a key, or nothing.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  [[nodiscard]] YamlNode* find(std::string_view key);
};

/// Reads the text of `source` alone, without what it includes. What is not YAML, or not our kind of YAML, is reported;
/// the tree holds what came before.
YamlNode parse_yaml(const Source& source, Problems& problems);

/// The place of a byte of a scalar's text. Known exactly where the text stands in the file as it is, perhaps in quotes;
/// a folded or escaped scalar is pointed at as a whole.
Place place_in(const YamlNode& node, const Source& source, std::size_t offset);

/// The place of the value at a path like "joints.pan.axis[1]" (of a byte in it, for a scalar), or of the deepest part
/// of the path that exists.
Place place_of(const YamlNode& root, const Source& source, std::string_view path, std::size_t offset = 0);

}  // namespace gyrostat
