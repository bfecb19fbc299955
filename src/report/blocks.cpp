#include "gyrostat/report/blocks.h"

#include <bit>
#include <stdexcept>

#include <zlib.h>

namespace gyrostat::report {

namespace {

static_assert(std::endian::native == std::endian::little, "blocks are little endian");

using Bytes = std::vector<unsigned char>;

/// All first bytes, then all second bytes, and so on: neighbouring numbers differ in few of them.
Bytes shuffled(std::span<const std::byte> bytes, std::size_t width) {
  const std::size_t count = bytes.size() / width;
  Bytes result(bytes.size());
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < count; ++i) result[k * count + i] = static_cast<unsigned char>(bytes[i * width + k]);
  }
  return result;
}

Bytes compressed(const Bytes& bytes) {
  constexpr int level = 6;
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes result(size);
  if (compress2(result.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), level) != Z_OK) {
    throw std::runtime_error("the numbers cannot be compressed");
  }
  result.resize(size);
  return result;
}

std::string in_base64(const Bytes& bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8U | (k < here ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= here ? digits[group >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

}  // namespace

Block Blocks::add(std::string_view type, std::span<const std::byte> bytes, std::size_t width) {
  texts_.push_back(in_base64(compressed(shuffled(bytes, width))));
  return {texts_.size() - 1, bytes.size() / width, type};
}

}  // namespace gyrostat::report
