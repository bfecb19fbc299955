#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_document.h"

namespace gyrostat::scalar {

namespace {

constexpr std::size_t line_width = 80;

std::string plain_letter(const MathName& name, bool ascii) {
  std::string letter = name.letter;
  if (letter == "lambda" && !name.index.empty() && !ascii) letter = "λ";
  if (letter == "omega" && !name.index.empty()) letter = ascii ? "w" : "ω";
  return name.rate ? letter + (ascii ? "dot" : "\u0307") : letter;
}

std::string plain_name(const MathName& name, bool ascii) {
  const std::string letter = plain_letter(name, ascii);
  return one_line(name.index.empty() ? letter : letter + "_" + name.index);
}

class TextWriter : public MathWriter {
 public:
  TextWriter(const Form& form, const Listing& listing, NameOf name, bool ascii)
      : MathWriter(form.graph, listing, std::move(name)), form_(form), ascii_(ascii) {}

 protected:
  std::string number(double value) const override { return number_text(value); }
  std::string power(const std::string& base, const std::string& exponent) const override {
    if (!ascii_ && exponent == "2") return base + "²";
    if (!ascii_ && exponent == "3") return base + "³";
    return base + "^" + (exponent.size() == 1 ? exponent : "(" + exponent + ")");
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text, below;
    for (const std::string& factor : factors) {
      if (factor.starts_with("1/")) {
        below += factor.substr(1);
      } else {
        text += (text.empty() ? "" : ascii_ ? "*" : "·") + factor;
      }
    }
    return (text.empty() ? "1" : text) + below;
  }
  Piece fraction(Id above, Id below) override {
    return {in(above, Binding::product) + "/" + in(below, Binding::atom), Binding::product};
  }
  std::string root(const std::string& text) const override { return (ascii_ ? "sqrt(" : "√(") + text + ")"; }
  std::string call(std::string_view function, const std::vector<std::string>& operands) const override {
    std::string text;
    for (const std::string& operand : operands) text += (text.empty() ? "" : ", ") + operand;
    return fmt::format("{}({})", function, text);
  }
  std::string compared(std::string_view sign, const std::string& a, const std::string& b) const override {
    return fmt::format("{} {} {}", a, sign == "<=" && !ascii_ ? "≤" : sign, b);
  }
  std::string choice(const std::string& condition, const std::string& yes, const std::string& no) const override {
    return fmt::format("({} where {}, else {})", yes, condition, no);
  }
  std::string table(std::uint32_t number, std::uint32_t order, const std::string& x) const override {
    return fmt::format("{}{}({})", form_.table_names[number], std::string(order, '\''), x);
  }

 private:
  const Form& form_;
  bool ascii_;
};

/// Columns that a text in UTF-8 takes, letters with accents and signs taken as one each.
std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The last place after a product sign at which a line is short enough; 0 where it is so, or there is none.
std::size_t place_to_cut(const std::string& line, std::size_t indent) {
  if (columns_of(line) <= line_width) return 0;
  std::size_t place = 0, columns = 0;
  for (std::size_t k = 0; k < line.size() && columns < line_width; ++k) {
    const bool begins = (line[k] & 0xc0) != 0x80;
    columns += begins ? 1 : 0;
    const bool dot = line.compare(k, 2, "·") == 0, star = line[k] == '*';
    if ((dot || star) && k > indent) place = k + (dot ? 2 : 1);
  }
  return place > indent + 10 ? place : 0;
}

/// Broken at blanks; the lines after the first are indented.
std::string broken(const std::string& text, std::size_t indent) {
  std::string out, line;
  std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return "\n";
  line.assign(begin, ' ');
  bool empty = true;  // the line has nothing but its indent
  while (begin < text.size()) {
    std::size_t end = std::min(text.find(' ', begin), text.size());
    const bool sign = end - begin == 1 && (text[begin] == '+' || text[begin] == '-');
    if (sign && end < text.size()) end = std::min(text.find(' ', end + 1), text.size());  // stays with what follows
    const std::string word = text.substr(begin, end - begin);
    if (!empty && columns_of(line) + 1 + columns_of(word) > line_width) {
      out += line + "\n";
      line.assign(indent, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    while (const std::size_t cut = place_to_cut(line, indent)) {  // one product, longer than a line
      out += line.substr(0, cut) + "\n";
      line = std::string(indent, ' ') + line.substr(cut);
    }
    empty = false;
    begin = end + 1;
  }
  return out + line + "\n";
}

/// What stands in columns. What is too long for its column goes on below; what follows then, too.
class Row {
 public:
  void put(const std::string& part, std::size_t at) {
    if (part.empty()) return;
    const std::size_t columns = columns_of(part);
    if (at + columns > line_width) at = line_width - std::min(columns, line_width - least_indent);
    if (!line_.empty() && columns_of(line_) + 2 > at) end_line();
    line_ += std::string(at - columns_of(line_), ' ') + part;
    while (columns_of(line_) > line_width) {
      std::size_t cut = 0;
      for (std::size_t place = 0; place < line_width; ++cut) place += (line_[cut] & 0xc0) != 0x80 ? 1 : 0;
      while (cut < line_.size() && (line_[cut] & 0xc0) == 0x80) ++cut;  // of the last sign that fits
      const std::string rest = line_.substr(cut);
      line_.resize(cut);
      end_line();
      line_ = std::string(least_indent, ' ') + rest;
    }
  }
  [[nodiscard]] std::string text() const { return lines_ + line_; }

 private:
  static constexpr std::size_t least_indent = 6;

  void end_line() {
    lines_ += line_ + "\n";
    line_.clear();
  }

  std::string lines_, line_;
};

/// Longer ones have a line of their own.
constexpr std::size_t widest_symbol = 24;

class TextPrinter : public FormPrinter {
 public:
  TextPrinter(const Form& form, bool ascii) : FormPrinter(form), ascii_(ascii) {}

 protected:
  void begin() override {
    out_ += fmt::format("Equations of motion of {}\n", subject());
    const std::string udot = ascii_ ? "udot" : "u̇", lambda = ascii_ ? "lambda" : "λ", gamma = ascii_ ? "gamma" : "γ";
    out_ += form_.loops
                ? fmt::format("M(q, p) {0} - G(q, p)^T {1} = f(q, u, p, t, s)\nG(q, p) {0} = {2}(q, u, p, t, s)", udot,
                              lambda, gamma)
                : fmt::format("M(q, p) {} = f(q, u, p, t, s)", udot);
    out_ += "    (gyrostat derive --form scalar)\n";
  }
  void note(const std::string& sentence) override { out_ += "\n" + broken(one_line(sentence), 2); }
  void variables(const std::string& title, const std::vector<Variable>& list, bool values) override {
    if (list.empty()) return;
    out_ += fmt::format("\n{}\n", title);
    std::size_t symbol = 1, widest = 1, unit = 1;
    for (const Variable& v : list) {
      symbol = std::max(symbol, columns_of(name(names_.of(v.id))));
      widest = std::max(widest, columns_of(one_line(v.name)));
      unit = std::max(unit, v.unit.size());
    }
    symbol = std::min(symbol, widest_symbol);
    const std::size_t at_name = 2 + symbol + 2, at_unit = at_name + std::min(widest, line_width / 2) + 2;
    for (const Variable& v : list) {
      Row row;
      row.put(name(names_.of(v.id)), 2);
      row.put(one_line(v.name), at_name);
      row.put(v.unit, at_unit);
      if (values) row.put(fmt::format("{}", v.value), at_unit + unit + 2);
      out_ += row.text() + "\n";
    }
  }
  void derivatives(const std::string& title) override {
    const std::string udot = ascii_ ? "udot" : "u̇", lambda = ascii_ ? "lambda" : "λ", d = ascii_ ? "d" : "∂";
    out_ += "\n" + title + "\n";
    out_ += form_.loops ? fmt::format("  M {2}{0}/{2}x - G^T {2}{1}/{2}x = R,  G {2}{0}/{2}x = S,  column by column\n",
                                      udot, lambda, d)
                        : fmt::format("  M {1}{0}/{1}x = R,  column by column\n", udot, d);
  }
  void formulas(const std::string& title, const std::vector<Formula>& list) override {
    if (list.empty()) return;
    out_ += "\n" + broken(title, 2);
    for (const Formula& f : list) out_ += broken(fmt::format("  {} = {}", f.left, f.right), 6);
  }
  void names(const std::string& title, const std::vector<std::string>& list) override {
    std::string text = title;
    for (std::size_t k = 0; k < list.size(); ++k) text += (k == 0 ? " " : ", ") + list[k];
    out_ += "\n" + broken(text, 2);
  }
  void texts(const std::string& /*title*/, const std::string& one, const std::vector<std::string>& list) override {
    for (std::size_t k = 0; k < list.size(); ++k)
      out_ += broken(fmt::format("{}: {}", fmt::format(fmt::runtime(one), k + 1), one_line(list[k])), 2);
  }
  void counts(const std::vector<NamedCount>& list) override {
    out_ += "\nOperations\n";
    for (const NamedCount& c : list)
      out_ += broken(fmt::format("  {}: {}: {}", c.name, c.count.all(), count_text(c.count)), 4);
  }

  std::string name(const MathName& name) const override { return plain_name(name, ascii_); }
  std::string temporary(std::size_t number) const override { return fmt::format("x{}", number); }
  std::string entry(const Block& block, const Block::Entry& of) const override {
    const std::string letter = block.letter == "gamma" && !ascii_ ? "γ" : block.letter;
    return of.column == 0 ? fmt::format("{}[{}]", letter, of.row) : fmt::format("{}[{},{}]", letter, of.row, of.column);
  }
  std::string rate_of(const MathName& speed) const override {
    return plain_name({speed.letter, speed.index, true}, ascii_);
  }
  std::unique_ptr<MathWriter> writer(const Listing& listing, Writer::NameOf name) const override {
    return std::make_unique<TextWriter>(form_, listing, std::move(name), ascii_);
  }

 private:
  bool ascii_;
};

}  // namespace

std::string to_text(const Form& form, bool ascii) { return TextPrinter(form, ascii).print(); }

}  // namespace gyrostat::scalar
