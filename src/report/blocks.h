// Numbers as they stand in a page: bytes of equal significance together, compressed as zlib does, in base64.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyrostat::report {

/// Which block, and what is in it.
struct Block {
  std::size_t number = 0;
  std::size_t count = 0;  // of numbers
  std::string_view type = "f64";
};

class Blocks {
 public:
  Block add(std::span<const double> values) { return add("f64", std::as_bytes(values), sizeof(double)); }
  Block add(std::span<const float> values) { return add("f32", std::as_bytes(values), sizeof(float)); }
  Block add(std::span<const std::uint32_t> values) { return add("u32", std::as_bytes(values), sizeof(std::uint32_t)); }

  /// What stands in the page, by number of block.
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }

 private:
  Block add(std::string_view type, std::span<const std::byte> bytes, std::size_t width);

  std::vector<std::string> texts_;
};

}  // namespace gyrostat::report
