#include "gyrostat/flexible/flexible_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace gyrostat {

namespace {

constexpr std::string_view hdf5_begin = "\x89HDF\r\n\x1a\n";

std::string bytes_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FlexibleFileError("", "does not exist");
  if (!std::filesystem::is_regular_file(status)) throw FlexibleFileError("", "is not a regular file");
  if (const auto size = std::filesystem::file_size(path, error); !error && size > flexible_limits::hdf5_bytes) {
    throw FlexibleFileError(
        "", fmt::format("is larger than {} MiB, the limit for HDF5", flexible_limits::hdf5_bytes >> 20U));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text, piece(1U << 16U, '\0');
  while (stream && text.size() <= flexible_limits::hdf5_bytes) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    throw FlexibleFileError("", fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  return text;
}

}  // namespace

FlexibleFile read_flexible_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return read_flexible_42(path);
  const std::string bytes = bytes_of(path);
  return bytes.starts_with(hdf5_begin) ? read_flexible_hdf5(bytes) : read_flexible_json(bytes);
}

FlexibleFileKind flexible_file_kind(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".json") return FlexibleFileKind::json;
  return ending == ".h5" || ending == ".hdf5" ? FlexibleFileKind::hdf5 : FlexibleFileKind::other;
}

}  // namespace gyrostat
