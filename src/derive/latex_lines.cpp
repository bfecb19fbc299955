#include "gyrostat/derive/latex_lines.h"

#include <algorithm>
#include <cctype>

namespace gyrostat::derive {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Letters of indices and exponents, against those of the line; the space behind them in points.
constexpr double script = 0.8, behind_script = 0.5;

/// Letters of Computer Modern at 10 pt.
double width_of_letter(char c, bool upright) {
  if (c >= 'A' && c <= 'Z') return 7.6;
  if (c == 'm' || c == 'w') return 8.5;
  if (is_letter(c)) return upright ? 5 : 5.7;
  if (c >= '0' && c <= '9') return 5;
  switch (c) {
    case '.':
    case ',': return 2.8;
    case ' ': return upright ? 3.3 : 0;
    case '(':
    case ')': return 3.9;
    case '+':
    case '-': return upright ? 3.9 : 12.2;
    case '<':
    case '=': return 13.3;
    default: return static_cast<unsigned char>(c) >= 0x80 ? 3 : 5;
  }
}

class Measure {
 public:
  explicit Measure(std::string_view text) : text_(text) {}

  /// To the end, or to the brace that closes what is measured.
  double sequence(double size, bool upright) {
    double width = 0;
    while (at_ < text_.size() && text_[at_] != '}') {
      const char c = text_[at_];
      if (c == '\\') {
        width += command(size, upright);
      } else if (c == '_' || c == '^') {
        width += scripts(size, upright);
      } else if (c == '{') {
        width += argument(size, upright);
      } else {
        ++at_;
        width += size * width_of_letter(c, upright);
      }
    }
    return width;
  }

 private:
  /// An index, an exponent, or both, one above the other.
  double scripts(double size, bool upright) {
    double width = 0;
    while (at_ < text_.size() && (text_[at_] == '_' || text_[at_] == '^')) {
      ++at_;
      width = std::max(width, argument(script * size, upright));
    }
    return width + behind_script;
  }

  /// What is in braces, or one letter or command.
  double argument(double size, bool upright) {
    if (at_ >= text_.size()) return 0;
    if (text_[at_] == '\\') return command(size, upright);
    if (text_[at_] != '{') return size * width_of_letter(text_[at_++], upright);
    ++at_;
    const double width = sequence(size, upright);
    if (at_ < text_.size()) ++at_;
    return width;
  }

  double command(double size, bool upright) {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (at_ == begin) {  // an escaped sign
      const char sign = at_ < text_.size() ? text_[at_++] : ' ';
      return size * (sign == ',' ? 1.7 : sign == '_' ? 3.0 : 5.0);
    }
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "textrm" || name == "text" || name == "operatorname") return argument(size, true);
    if (name == "frac") return 2.4 + std::max(argument(size, upright), argument(size, upright));
    if (name == "sqrt") return 9 + argument(size, upright);
    if (name == "dot" || name == "bigl" || name == "bigr" || name == "big" || name == "Bigl" || name == "Bigr")
      return argument(size, upright) + 0.7;
    if (name == "begin") return cases(size);
    if (name == "cdot") return 7.2 * size;
    if (name == "quad") return 10 * size;
    if (name == "le" || name == "land" || name == "lor") return 13.3 * size;
    if (name == "sin" || name == "cos" || name == "tan" || name == "arcsin" || name == "arccos" || name == "arctan" ||
        name == "exp" || name == "ln")
      return (4.5 * static_cast<double>(name.size()) + 1.7) * size;
    return 6.3 * size;  // a Greek letter or a sign
  }

  /// After "\begin": two columns of lines.
  double cases(double size) {
    argument(size, true);
    double first = 0, second = 0;
    for (bool more = true; more && at_ < text_.size();) {
      const double left = cell(size);
      const double right = at_ < text_.size() && text_[at_] == '&' ? (++at_, cell(size)) : 0;
      first = std::max(first, left);
      second = std::max(second, right);
      more = text_.substr(at_, 2) == "\\\\";
      at_ += more ? 2 : 0;
    }
    if (text_.substr(at_, 4) == "\\end") {
      at_ += 4;
      argument(size, true);
    }
    return 9 * size + first + 10 * size + second;
  }
  double cell(double size) {
    double width = 0;
    const auto ends = [&] {
      return text_[at_] == '&' || text_.substr(at_, 2) == "\\\\" || text_.substr(at_, 5) == "\\end{";
    };
    while (at_ < text_.size() && !ends()) {
      const std::size_t begin = at_;
      if (text_[at_] == '_' || text_[at_] == '^') {
        width += scripts(size, false);
      } else if (width == 0 && text_[at_] == '-') {  // of a first term, without space around it
        ++at_;
        width += 7.8 * size;
      } else {
        width += argument(size, false);
      }
      if (at_ == begin) ++at_;
    }
    return width;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A part that is not broken. `sign`: it begins with one; otherwise it is a factor of what stands before it.
struct LinePart {
  std::string text;
  bool sign = false;
  double width = 0;
};

std::vector<LinePart> line_parts(std::string_view formula) {
  std::vector<LinePart> parts(1);
  int braces = 0, cases = 0;
  for (std::size_t k = 0; k < formula.size(); ++k) {
    const auto begins = [&](std::string_view text) { return formula.substr(k, text.size()) == text; };
    if (begins("\\begin{")) ++cases;
    if (begins("\\end{")) --cases;
    const bool open = braces == 0 && cases == 0 && !parts.back().text.empty();
    const bool sign = (begins("+ ") || begins("- ")) && k > 0 && formula[k - 1] == ' ';
    if (open && sign) parts.push_back({"", true});
    if (open && begins("\\, ")) {
      parts.push_back({"", false});
      k += 2;
      continue;
    }
    if (formula[k] == '{') ++braces;
    if (formula[k] == '}') --braces;
    parts.back().text += formula[k];
    if (formula[k] == '\\' && k + 1 < formula.size() && !is_letter(formula[k + 1])) parts.back().text += formula[++k];
  }
  for (LinePart& part : parts) part.width = latex_width(part.text) + (part.sign ? 0 : 1.7);
  return parts;
}

}  // namespace

double latex_width(std::string_view formula) { return Measure(formula).sequence(1, false); }

std::vector<std::string> latex_lines(std::string_view formula, double width) {
  constexpr double indent = 10, least = 0.35;  // of continued lines; the part of a line that a break leaves at least
  const std::vector<LinePart> parts = line_parts(formula);
  std::vector<std::string> lines(1);
  double used = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    double term = parts[k].width;  // up to the next sign
    for (std::size_t j = k + 1; j < parts.size() && !parts[j].sign; ++j) term += parts[j].width;
    const bool at_sign = parts[k].sign && used + term > width && used > least * width;
    const bool full = used + parts[k].width > width;
    if (k > 0 && (at_sign || full)) {
      lines.push_back(parts[k].sign ? parts[k].text : "{}\\cdot " + parts[k].text);
      used = indent + parts[k].width + (parts[k].sign ? 0 : 7.2);
      continue;
    }
    lines.back() += (k == 0 || parts[k].sign ? "" : "\\, ") + parts[k].text;
    used += parts[k].width;
  }
  return lines;
}

}  // namespace gyrostat::derive
