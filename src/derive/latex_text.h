// Text in LaTeX documents of equations.
#pragma once

#include <string>
#include <string_view>

namespace gyrostat::derive {

/// A text that says itself and no command. Letters that LaTeX's own fonts lack are replaced.
/// Lines may be broken inside of names and formulas: after "_", "*" and "/", and after a dot or a comma before a
/// letter.
inline std::string latex_text(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    switch (c) {
      case '\\': out += "$\\backslash$"; break;
      case '{': out += "\\{"; break;
      case '}': out += "\\}"; break;
      case '$': out += "\\$"; break;
      case '&': out += "\\&"; break;
      case '#': out += "\\#"; break;
      case '%': out += "\\%"; break;
      case '_': out += "\\_\\allowbreak{}"; break;
      case '^': out += "\\^{}"; break;
      case '~': out += "\\~{}"; break;
      case '<': out += "$<$"; break;
      case '>': out += "$>$"; break;
      case '|': out += "$|$"; break;
      case '"': out += "\'\'"; break;
      case '*':
      case '/': out += std::string(1, c) + "\\allowbreak{}"; break;
      case '.':
      case ',': out += std::string(1, c) + (k + 1 < text.size() && letter(text[k + 1]) ? "\\allowbreak{}" : ""); break;
      case '`': out += "\\char96{}"; break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F) out += c;
        if (byte < 0xC0) break;
        // Letters of western languages stay; of those that LaTeX's own fonts lack, a sign remains.
        const auto next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0U;
        const bool western = byte == 0xC3 && next >= 0x80 && next < 0xC0 && (next & 0xDFU) != 0x97 &&
                             (next & 0xDFU) != 0x90 && (next & 0xDFU) != 0x9E;
        out += western ? std::string(text.substr(k, 2)) : "?";
      }
    }
  }
  return out;
}

/// In a formula, in upright letters.
inline std::string latex_upright(std::string_view name) {
  std::string text = latex_text(name);
  for (std::size_t at = 0; (at = text.find("\\allowbreak{}", at)) != std::string::npos;) text.erase(at, 13);
  return "\\textrm{" + text + "}";
}

/// A unit, in a formula; '*' or a blank is the sign of products in it.
inline std::string latex_unit(std::string_view unit) {
  std::string out = "\\mathrm{";
  for (std::size_t k = 0; k < unit.size(); ++k) {
    if (unit[k] == '^' && k + 1 < unit.size()) {
      out += std::string("^{") + unit[++k] + "}";
    } else {
      out += unit[k] == ' ' || unit[k] == '*' ? "\\,}\\mathrm{" : std::string(1, unit[k]);
    }
  }
  return out + "}";
}

}  // namespace gyrostat::derive
