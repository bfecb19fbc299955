#include "gyrostat/report/blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include <zlib.h>

namespace gyrostat::report {

namespace {

static_assert(std::endian::native == std::endian::little, "blocks are little endian");

using Bytes = std::vector<unsigned char>;
using Integers = std::vector<std::uint64_t>;

constexpr std::size_t largest_order = 5;

/// The integers of a width, those of one part after those of another.
Integers integers(std::span<const std::byte> bytes, std::size_t width, std::size_t parts) {
  const std::size_t count = bytes.size() / width;
  Integers result(count);
  std::size_t to = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = part; i < count; i += parts) std::memcpy(&result[to++], &bytes[i * width], width);
  }
  return result;
}

std::uint64_t all_bits(std::size_t width) { return ~std::uint64_t{0} >> (64U - 8U * width); }

/// Integers of which the larger stands for the larger floating-point number: neighbours differ by little.
void put_in_order(Integers& list, std::size_t width) {
  const std::uint64_t sign = std::uint64_t{1} << (8U * width - 1U);
  for (std::uint64_t& x : list) x ^= (x & sign) != 0 ? all_bits(width) : sign;
}

void take_differences(Integers& list) {
  for (std::size_t i = list.size(); i-- > 1;) list[i] -= list[i - 1];
}

/// Small ones of either sign become small: 0, -1, 1, -2, .. are 0, 1, 2, 3, ..
Integers folded(const Integers& list, std::size_t width) {
  Integers result(list.size());
  const std::uint64_t sign = std::uint64_t{1} << (8U * width - 1U);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::uint64_t x = list[i] << 1U;
    result[i] = ((list[i] & sign) != 0 ? ~x : x) & all_bits(width);
  }
  return result;
}

/// All first bytes, then all second bytes, and so on: neighbouring numbers differ in few of them.
Bytes shuffled(const Integers& list, std::size_t width) {
  Bytes result(list.size() * width);
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t i = 0; i < list.size(); ++i)
      result[k * list.size() + i] = static_cast<unsigned char>(list[i] >> (8U * k));
  }
  return result;
}

/// How many bits the bytes need when those of equal significance have a code of their own.
double entropy(const Bytes& bytes, std::size_t width) {
  const std::size_t count = bytes.size() / width;
  double bits = 0;
  for (std::size_t k = 0; k < width; ++k) {
    std::array<std::size_t, 256> times{};
    for (std::size_t i = 0; i < count; ++i) ++times[bytes[k * count + i]];
    for (const std::size_t n : times) {
      if (n > 0) bits -= static_cast<double>(n) * std::log2(static_cast<double>(n) / static_cast<double>(count));
    }
  }
  return bits;
}

/// The bytes of whatever order of differences is likely to be shortest, and that order.
std::pair<Bytes, std::size_t> prepared(Integers list, std::size_t width, bool floating) {
  Bytes best = shuffled(list, width);
  std::size_t order = 0;
  double least = entropy(best, width);
  if (floating) put_in_order(list, width);
  for (std::size_t k = 1; k <= largest_order; ++k) {
    take_differences(list);
    Bytes bytes = shuffled(folded(list, width), width);
    const double bits = entropy(bytes, width);
    if (bits > 1.1 * least) break;  // it will not become better again
    if (bits >= least) continue;
    least = bits;
    best = std::move(bytes);
    order = k;
  }
  return {std::move(best), order};
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

Block Blocks::add(std::string_view type, std::span<const std::byte> bytes, std::size_t width, std::size_t parts) {
  auto [prepared_bytes, order] = prepared(integers(bytes, width, parts), width, type != "u32");
  std::string text = in_base64(compressed(prepared_bytes));
  const Block block{texts_.size(), bytes.size() / width, type, order, parts};
  const std::size_t hash = std::hash<std::string>{}(text);
  const auto [from, to] = by_hash_.equal_range(hash);
  for (auto entry = from; entry != to; ++entry) {
    const Block& other = blocks_[entry->second];
    if (other.type == type && other.order == order && other.parts == parts && texts_[other.number] == text)
      return other;
  }
  by_hash_.emplace(hash, block.number);
  blocks_.push_back(block);
  texts_.push_back(std::move(text));
  return block;
}

}  // namespace gyrostat::report
