// Numbers as they stand in a page, every bit of them: differences of neighbours where that is shorter, bytes of equal
// significance together, compressed as zlib does, in base64. viewer/src/payload.ts says how to read a block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gyrostat::report {

/// Which block, and what is in it.
struct Block {
  std::size_t number = 0;
  std::size_t count = 0;  // of numbers
  std::string_view type = "f64";
  std::size_t order = 0;  // of the differences that are stored; 0: the numbers themselves
  std::size_t parts = 1;  // quantities whose numbers alternate, such as x, y, z
};

class Blocks {
 public:
  Block add(std::span<const double> values, std::size_t parts = 1) {
    return add("f64", std::as_bytes(values), sizeof(double), parts);
  }
  Block add(std::span<const float> values, std::size_t parts = 1) {
    return add("f32", std::as_bytes(values), sizeof(float), parts);
  }
  Block add(std::span<const std::uint32_t> values, std::size_t parts = 1) {
    return add("u32", std::as_bytes(values), sizeof(std::uint32_t), parts);
  }

  /// What stands in the page, by number of block. Numbers that were added twice stand there once.
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  Block add(std::string_view type, std::span<const std::byte> bytes, std::size_t width, std::size_t parts);

  std::vector<std::string> texts_;
  std::vector<Block> blocks_;                                  // as many
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;  // of the text
};

}  // namespace gyrostat::report
