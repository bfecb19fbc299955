#include "canvas.h"

#include <cstdlib>

#include <fmt/format.h>

namespace gyrostat::app {

namespace {

/// U+2800 and a bit for each dot, in the order in which Braille numbers them.
std::string braille(std::uint8_t dots) {
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xE2U), static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
          static_cast<char>(0x80U | (code & 0x3FU))};
}

std::uint8_t braille_bit(std::size_t x, std::size_t y) {
  constexpr std::uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  return bits[y][x];
}

}  // namespace

Canvas::Canvas(Charset charset, std::size_t columns, std::size_t rows)
    : charset_(charset), columns_(columns), rows_(rows), cells_(columns * rows) {}

void Canvas::set(std::int64_t x, std::int64_t y, int pen) {
  const Dots dots = dots_of(charset_);
  if (x < 0 || y < 0) return;
  const auto right = static_cast<std::size_t>(x), down = static_cast<std::size_t>(y);
  if (right >= columns_ * dots.across || down >= rows_ * dots.down) return;
  Cell& cell = cells_[down / dots.down * columns_ + right / dots.across];
  cell.dots |= charset_ == Charset::unicode ? braille_bit(right % 2, down % 4)
                                            : static_cast<std::uint8_t>(1U << (down % dots.down));
  cell.pen = pen;
}

void Canvas::line(std::int64_t x0, std::int64_t y0, std::int64_t x1, std::int64_t y1, int pen) {
  const std::int64_t across = std::abs(x1 - x0), down = std::abs(y1 - y0);
  const std::int64_t right = x0 < x1 ? 1 : -1, below = y0 < y1 ? 1 : -1;
  for (std::int64_t error = across - down;;) {  // Bresenham
    set(x0, y0, pen);
    if (x0 == x1 && y0 == y1) return;
    const std::int64_t doubled = 2 * error;
    if (doubled >= -down) {
      error -= down;
      x0 += right;
    }
    if (doubled <= across) {
      error += across;
      y0 += below;
    }
  }
}

std::string Canvas::row(std::size_t row, const std::vector<int>& colours) const {
  constexpr const char* plain[8] = {" ", "'", "-", "'", ".", ":", ".", "|"};  // top, middle and bottom dot
  std::string text, run;
  int pen = -1;
  const auto finish = [&] {
    text += pen < 0 || colours.empty() ? run : coloured(colours[static_cast<std::size_t>(pen)], run);
    run.clear();
  };
  for (std::size_t column = 0; column < columns_; ++column) {
    const Cell& cell = cells_[row * columns_ + column];
    const int now = cell.dots == 0 ? -1 : cell.pen;
    if (now != pen) finish();
    pen = now;
    run += cell.dots == 0 ? " " : charset_ == Charset::unicode ? braille(cell.dots) : plain[cell.dots];
  }
  if (pen >= 0) finish();  // blanks at the end are left out
  return text;
}

std::string coloured(int colour, const std::string& text) { return fmt::format("\033[{}m{}\033[0m", colour, text); }

}  // namespace gyrostat::app
