// Reads a report as its page does, by code of its own.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace gyrostat::testing {

inline const std::string tiny_page =
    "<!doctype html>\n<html><head><title>Gyrostat</title></head>\n<body>\n<!-- gyrostat:data -->\n</body></html>\n";

inline std::string from_base64(const std::string& text) {
  const auto value = [](char c) -> unsigned {
    if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a' + 26);
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0' + 52);
    return c == '+' ? 62U : 63U;
  };
  std::string bytes;
  unsigned bits = 0, held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | value(c);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 255U);
    }
  }
  return bytes;
}

/// The numbers in the text of a block: differences of that order of integers in the order of the numbers, folded, those
/// of one part after those of another.
template <class T>
std::vector<T> decoded(const std::string& text, std::size_t count, std::size_t order = 0, std::size_t parts = 1) {
  const std::string packed = from_base64(text);
  std::string bytes(count * sizeof(T) + 1, '\0');
  uLongf size = bytes.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       packed.size()),
            Z_OK);
  EXPECT_EQ(size, count * sizeof(T));
  using Integer = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  std::vector<Integer> integers(count);
  for (std::size_t i = 0; i < count; ++i) {
    char one[sizeof(T)];
    for (std::size_t k = 0; k < sizeof(T); ++k) one[k] = bytes[k * count + i];
    std::memcpy(&integers[i], one, sizeof(T));
  }
  if (order > 0) {
    for (Integer& x : integers) x = (x >> 1U) ^ (Integer{0} - (x & 1U));
    for (std::size_t k = 0; k < order; ++k) {
      for (std::size_t i = 1; i < count; ++i) integers[i] += integers[i - 1];
    }
    constexpr Integer sign = Integer{1} << (8 * sizeof(T) - 1);
    if (!std::is_integral_v<T>) {
      for (Integer& x : integers) x = (x & sign) != 0 ? x ^ sign : ~x;
    }
  }
  std::vector<T> numbers(count);
  std::size_t from = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = part; i < count; i += parts) std::memcpy(&numbers[i], &integers[from++], sizeof(T));
  }
  return numbers;
}

/// The elements of a page with their texts, found the way a browser finds the end of a script.
class Page {
 public:
  explicit Page(const std::string& html) {
    const std::string open = "<script ", close = "</script";
    for (std::size_t at = html.find(open); at != std::string::npos; at = html.find(open, at + 1)) {
      const std::size_t id = html.find("id=\"", at) + 4, begin = html.find('>', at) + 1, end = html.find(close, begin);
      elements[html.substr(id, html.find('"', id) - id)] = html.substr(begin, end - begin);
      at = end;
    }
    payload = nlohmann::json::parse(elements.at("payload"));
  }

  template <class T = double>
  [[nodiscard]] std::vector<T> numbers(const nlohmann::json& block) const {
    const std::string type = std::is_same_v<T, double> ? "f64" : std::is_same_v<T, float> ? "f32" : "u32";
    EXPECT_EQ(block.at("type"), type);
    return decoded<T>(elements.at("block-" + std::to_string(block.at("block").get<int>())), block.at("count"),
                      block.at("order"), block.at("parts"));
  }
  [[nodiscard]] std::vector<double> column(const nlohmann::json& run, const std::string& name) const {
    for (const auto& column : run.at("columns")) {
      if (column.at("name") == name) return numbers(column.at("values"));
    }
    ADD_FAILURE() << "no column " << name;
    return {};
  }

  nlohmann::json payload;
  std::map<std::string, std::string> elements;
};

}  // namespace gyrostat::testing
