#include "gyrostat/format/text_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "gyrostat/format/limits.h"

namespace gyrostat {

std::optional<std::string> text_of_file(const std::string& path, std::string& why) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    why = "is a directory, not a model file";
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text, piece(1U << 16U, '\0');
  // In pieces: a pipe's size is not known beforehand. One byte beyond the limit is enough to know.
  while (stream && text.size() <= limits::file_bytes) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    why = fmt::format("cannot be read: {}", std::strerror(errno));
    return std::nullopt;
  }
  return text;
}

std::string without_byte_order_mark(std::string text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark)) text.erase(0, mark.size());
  return text;
}

}  // namespace gyrostat
