// Characters that are not seen but move the cursor, end the line or turn the direction of writing: in a name they would
// make a text, a page or a program look like another than it is.
#pragma once

#include <string>
#include <string_view>

namespace gyrostat::derive {

/// How many bytes of UTF-8 such a character at `k` takes; 0: there is none.
inline std::size_t hidden_at(std::string_view text, std::size_t k) {
  const auto byte = [&](std::size_t n) { return k + n < text.size() ? static_cast<unsigned char>(text[k + n]) : 0U; };
  const unsigned first = byte(0), second = byte(1), third = byte(2);
  if (first < 0x20 || first == 0x7F) return 1;
  if (first == 0xC2 && second >= 0x80 && second < 0xA0) return 2;  // U+0080 .. U+009F
  if (first == 0xD8 && second == 0x9C) return 2;                   // U+061C
  if (first != 0xE2) return 0;
  const bool marks = second == 0x80 && (third == 0x8E || third == 0x8F || (third >= 0xA8 && third <= 0xAE));
  const bool isolates = second == 0x81 && third >= 0xA6 && third <= 0xA9;
  return marks || isolates ? 3 : 0;  // U+200E, U+200F, U+2028 .. U+202E; U+2066 .. U+2069
}

/// With `instead` in the place of each of them.
inline std::string without_hidden(std::string_view text, std::string_view instead) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t hidden = hidden_at(text, k);
    if (hidden > 0) {
      out += instead;
    } else {
      out += text[k];
    }
    k += hidden > 0 ? hidden : 1;
  }
  return out;
}

}  // namespace gyrostat::derive
