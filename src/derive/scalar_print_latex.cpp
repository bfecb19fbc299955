#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/latex_lines.h"
#include "gyrostat/derive/latex_text.h"
#include "gyrostat/derive/scalar_document.h"

namespace gyrostat::scalar {

namespace {

std::string latex_escaped(std::string_view text) { return derive::latex_text(one_line(text)); }

std::string latex_number(double value) {
  std::string text = number_text(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string latex_name(const MathName& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  std::string text =
      name.letter.size() == 1 && letter(name.letter[0]) ? name.letter : derive::latex_upright(name.letter);
  if (name.letter == "q0") text = "q^0";
  if (name.letter == "omega") text = "\\omega";
  if (name.letter == "lambda" && !name.index.empty()) text = "\\lambda";
  if (name.rate) text = fmt::format("\\dot{{{}}}", text);
  if (!name.index.empty()) text += fmt::format("_{{{}}}", derive::latex_upright(name.index));
  return text;
}

/// A root or a fraction that is wider, in points, is written so that lines can be broken inside.
constexpr double widest_whole = 220;

class LatexWriter : public MathWriter {
 public:
  LatexWriter(const Form& form, const Listing& listing, NameOf name)
      : MathWriter(form.graph, listing, std::move(name)), form_(form) {}

 protected:
  std::string wrapped(const std::string& text) const override {
    const char* size = text.find("\\frac") == std::string::npos ? "big" : "Big";
    return fmt::format("\\{0}l({1}\\{0}r)", size, text);
  }
  std::string number(double value) const override { return latex_number(value); }
  std::string power(const std::string& base, const std::string& exponent) const override {
    if (base.ends_with("\\bigr)") || base.ends_with("\\Bigr)"))
      return fmt::format("{}^{{{}}}", base, exponent);  // may be broken inside
    return fmt::format("{{{}}}^{{{}}}", base, exponent);
  }
  /// The exponent above the index; not where a sign is above it already.
  std::string power_of_name(const std::string& name, const std::string& exponent) const override {
    return name.find('^') == std::string::npos ? fmt::format("{}^{{{}}}", name, exponent) : power(name, exponent);
  }
  std::string power_of_call(std::string_view function, const std::string& operand,
                            const std::string& exponent) const override {
    return fmt::format("\\{}^{{{}}}({})", function, exponent, operand);
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) text += (text.empty() ? "" : " \\, ") + factor;
    return text;
  }
  Piece fraction(Id above, Id below) override {
    const std::string numerator = text(above), denominator = text(below);
    if (std::max(derive::latex_width(numerator), derive::latex_width(denominator)) > widest_whole)
      return {in(above, Binding::product) + " \\big/ " + in(below, Binding::atom), Binding::product};
    return {fmt::format("\\frac{{{}}}{{{}}}", numerator, denominator), Binding::product};
  }
  std::string root(const std::string& text) const override {
    return derive::latex_width(text) > widest_whole ? wrapped(text) + "^{1/2}" : "\\sqrt{" + text + "}";
  }
  std::string call(std::string_view function, const std::vector<std::string>& operands) const override {
    std::string text;
    for (const std::string& operand : operands) text += (text.empty() ? "" : ", ") + operand;
    const bool known = function != "atan2" && function != "not";
    return known ? fmt::format("\\{}({})", function, text) : fmt::format("\\operatorname{{{}}}({})", function, text);
  }
  std::string compared(std::string_view sign, const std::string& a, const std::string& b) const override {
    const std::string_view written = sign == "<=" ? "\\le" : sign == "and" ? "\\land" : sign == "or" ? "\\lor" : sign;
    return fmt::format("{} {} {}", a, written, b);
  }
  std::string choice(const std::string& condition, const std::string& yes, const std::string& no) const override {
    const std::string_view begin = "\\begin{cases}", if_text = "\\text{if }";
    const std::string first = fmt::format("{}{} & {} {} \\\\ ", begin, yes, if_text, condition);
    // A choice in place of "otherwise" goes on with lines of its own.
    if (no.starts_with(begin) && no.find("\\end{cases}") == no.size() - std::string_view("\\end{cases}").size()) {
      std::string lines = no.substr(begin.size());
      lines.replace(lines.find(if_text), if_text.size(), "\\text{else if }");
      return first + lines;
    }
    return first + no + " & \\text{otherwise}\\end{cases}";
  }
  std::string table(std::uint32_t number, std::uint32_t order, const std::string& x) const override {
    return fmt::format("{}{}({})", derive::latex_upright(form_.table_names[number]), std::string(order, '\''), x);
  }

 private:
  const Form& form_;
};

constexpr double text_width = 469, equals_width = 14;  // pt: \textwidth below, and the sign between the sides

class LatexPrinter : public FormPrinter {
 public:
  explicit LatexPrinter(const Form& form) : FormPrinter(form) {}

 protected:
  void begin() override {
    out_ =
        "% written by gyrostat derive --form "
        "scalar\n\\documentclass[a4paper]{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath}"
        "\n\\allowdisplaybreaks\n\\setlength{"
        "\\parindent}{0pt}\n\\setlength{\\emergencystretch}{3em}\n\\setlength{\\textwidth}{165mm}\n\\setlength{"
        "\\oddsidemargin}{-3mm}\n\\setlength{\\textheight}{235mm}\n\\setlength{\\topmargin}{-15mm}\n"
        "\\begin{document}\n";
    out_ += fmt::format("\\section*{{Equations of motion of {}}}\n", latex_escaped(subject()));
    out_ += form_.loops ? "\\begin{gather*} M(q, p)\\,\\dot u - G(q, p)^T \\lambda = f(q, u, p, t, s) \\\\ "
                          "G(q, p)\\,\\dot u = \\gamma(q, u, p, t, s) \\end{gather*}\n"
                        : "\\[ M(q, p)\\,\\dot u = f(q, u, p, t, s) \\]\n";
  }
  void note(const std::string& sentence) override { out_ += latex_escaped(sentence) + "\\par\n"; }
  /// Paragraphs, which break over pages where a table would not.
  void variables(const std::string& title, const std::vector<Variable>& list, bool values) override {
    if (list.empty()) return;
    heading(title);
    for (const Variable& v : list) {
      out_ += fmt::format("${}$: {}", latex_name(names_.of(v.id)), latex_escaped(v.name));
      if (values) out_ += fmt::format(" $= {}$", latex_number(v.value));
      if (!v.unit.empty() && v.unit != "1") out_ += fmt::format(" ${}$", derive::latex_unit(v.unit));
      out_ += "\\par\n";
    }
  }
  void derivatives(const std::string& title) override {
    heading(title);
    out_ += form_.loops
                ? "\\[ M\\,\\frac{\\partial \\dot u}{\\partial x} - G^T \\frac{\\partial \\lambda}{\\partial x} "
                  "= R, \\qquad G\\,\\frac{\\partial \\dot u}{\\partial x} = S \\]\n"
                : "\\[ M\\,\\frac{\\partial \\dot u}{\\partial x} = R \\]\n";
  }
  void formulas(const std::string& title, const std::vector<Formula>& list) override {
    if (list.empty()) return;
    double left = 0;
    for (const Formula& f : list) left = std::max(left, derive::latex_width(f.left));
    const double width = text_width - left - equals_width;
    std::string lines;
    for (const Formula& f : list) {
      lines += (lines.empty() ? "" : " \\\\\n") + f.left + " &= ";
      const std::vector<std::string> parts = derive::latex_lines(f.right, width);
      for (std::size_t k = 0; k < parts.size(); ++k) lines += (k == 0 ? "" : "\\\\\n&\\quad ") + parts[k];
    }
    heading(title);
    out_ += fmt::format("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines);
  }
  void names(const std::string& title, const std::vector<std::string>& list) override {
    heading(title);
    out_ += "{\\raggedright ";
    for (std::size_t k = 0; k < list.size(); ++k) out_ += fmt::format("{}${}$", k == 0 ? "" : ", ", list[k]);
    out_ += "\\par}\n";
  }
  void texts(const std::string& title, const std::string& /*one*/, const std::vector<std::string>& list) override {
    heading(title);
    for (std::size_t k = 0; k < list.size(); ++k) out_ += fmt::format("{}: {}\\par\n", k + 1, latex_escaped(list[k]));
  }
  void counts(const std::vector<NamedCount>& list) override {
    heading("Operations");
    for (const NamedCount& c : list)
      out_ += fmt::format("{}: {}: {}.\\par\n", latex_escaped(c.name), c.count.all(), count_text(c.count));
  }
  void end() override { out_ += "\\end{document}\n"; }

  std::string name(const MathName& name) const override { return latex_name(name); }
  std::string temporary(std::size_t number) const override { return fmt::format("x_{{{}}}", number); }
  std::string entry(const Block& block, const Block::Entry& of) const override {
    const std::string letter = block.letter == "gamma" ? "\\gamma" : block.letter;
    if (of.column == 0) return fmt::format("{}_{{{}}}", letter, of.row);
    std::string text = fmt::format("{}_{{{},{}}}", letter, of.row, of.column);
    if (block.symmetric && of.row != of.column) text += fmt::format(" = {}_{{{},{}}}", letter, of.column, of.row);
    return text;
  }
  std::string rate_of(const MathName& speed) const override { return latex_name({speed.letter, speed.index, true}); }
  std::unique_ptr<MathWriter> writer(const Listing& listing, Writer::NameOf name) const override {
    return std::make_unique<LatexWriter>(form_, listing, std::move(name));
  }

 private:
  void heading(const std::string& title) {
    const auto letter = [](const std::string& name) { return name == "gamma" ? "$\\gamma$" : "$" + name + "$"; };
    out_ += fmt::format("\\subsection*{{{}}}\n", with_letters(latex_escaped(title), letter));
  }
};

}  // namespace

std::string to_latex(const Form& form) { return LatexPrinter(form).print(); }

}  // namespace gyrostat::scalar
