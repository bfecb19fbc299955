// Files of flexible data: JSON and HDF5, which Gyrostat writes and reads, and directories of 42's Flex and Nodes files,
// which it reads. What they hold is described in docs/guide/flexible.md. Files may be anything: what is wrong is said.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// What is wrong with a file of flexible data, and what would be right.
class FlexibleFileError : public std::runtime_error {
 public:
  FlexibleFileError(std::string place, const std::string& message)
      : std::runtime_error(message), where(std::move(place)) {}

  std::string where;  // "nodes[3].mass", "/nodes/mass", "Flex_a.txt:12"; empty: the file as a whole

  /// "nodes[3].mass: is negative"
  [[nodiscard]] std::string text() const { return where.empty() ? what() : where + ": " + what(); }
};

struct FlexibleFile {
  FlexibleData data;                  // with orthonormal modes
  std::vector<std::string> warnings;  // with places
};

namespace flexible_limits {
inline constexpr std::size_t json_bytes = 64U << 20U, hdf5_bytes = 512U << 20U, text_bytes = 64U << 20U;
inline constexpr std::size_t nodes = 20'000, modes = 500, name_length = 100;
inline constexpr std::size_t numbers = 50'000'000;  // of one dataset
inline constexpr double magnitude = 1e30;           // of a number in SI units: squares stay finite
}  // namespace flexible_limits

/// The first words of the format that both kinds of file name; the version follows.
inline constexpr std::string_view flexible_format = "gyrostat flexible 1";

/// By its kind: a directory, HDF5 by its first bytes, else JSON. Throws FlexibleFileError.
FlexibleFile read_flexible_file(const std::filesystem::path& path);
FlexibleFile read_flexible_json(std::string_view text);
FlexibleFile read_flexible_hdf5(std::string_view bytes);
/// The directory has one file Flex*.txt and, unless that has the places of nodes itself, one file Nodes*.txt. Node
/// number k is named "node<k>", and by its comment if that is a name. Bodies of 42 have no masses at nodes.
FlexibleFile read_flexible_42(const std::filesystem::path& directory);

/// The contents of such files; reading them gives the same bits. The data have orthonormal modes, and their frame's
/// node has a name. Throws std::invalid_argument if not.
std::string flexible_json(const FlexibleData& data);
std::string flexible_hdf5(const FlexibleData& data);

/// The kind of file by the ending of its name.
enum class FlexibleFileKind { json, hdf5, other };
FlexibleFileKind flexible_file_kind(const std::filesystem::path& path);

}  // namespace gyrostat
