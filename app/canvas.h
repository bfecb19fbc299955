// Dots in a terminal: several to a character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gyrostat::app {

enum class Charset { unicode, ascii };

/// How many dots a character has, and which row of them is its middle.
struct Dots {
  std::size_t across = 1, down = 1, middle = 0;
};

/// Braille characters have 2 x 4 dots; of plain characters ' - . serve as three, one above the other.
constexpr Dots dots_of(Charset charset) { return charset == Charset::unicode ? Dots{2, 4, 1} : Dots{1, 3, 1}; }

class Canvas {
 public:
  Canvas(Charset charset, std::size_t columns, std::size_t rows);

  /// A straight line of dots from the one to the other, in the given pen. What is outside is left out.
  void line(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1, int pen);

  /// A row of characters. `colours` are those of the pens; without any, all is one colour.
  [[nodiscard]] std::string row(std::size_t row, const std::vector<int>& colours) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    int pen = 0;  // that drew here last
  };

  void set(std::int64_t x, std::int64_t y, int pen);

  Charset charset_;
  std::size_t columns_, rows_;
  std::vector<Cell> cells_;
};

/// The text in a colour of the terminal: "\033[36m..".
std::string coloured(int colour, const std::string& text);

}  // namespace gyrostat::app
