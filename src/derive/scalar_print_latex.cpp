#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_math.h"

namespace gyrostat::scalar {

namespace {

/// Any text as text of LaTeX: nothing in it is a command.
std::string latex_escaped(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    switch (c) {
      case '\\': out += "\\textbackslash{}"; break;
      case '^': out += "\\textasciicircum{}"; break;
      case '~': out += "\\textasciitilde{}"; break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%': out += fmt::format("\\{}", c); break;
      default: out += static_cast<unsigned char>(c) < 128 ? c : '?';
    }
  }
  return out;
}

std::string latex_number(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string latex_name(const MathName& name) {
  std::string text = fmt::format("\\mathrm{{{}}}", latex_escaped(name.letter));
  if (name.letter.size() == 1 && name.letter != "_") text = latex_escaped(name.letter);
  if (name.letter == "q0") text = "q^0";
  if (name.letter == "omega") text = "\\omega";
  if (!name.index.empty()) text += fmt::format("_{{\\mathrm{{{}}}}}", latex_escaped(name.index));
  return text;
}

class LatexWriter : public MathWriter {
 public:
  LatexWriter(const Form& form, const Listing& listing, NameOf name)
      : MathWriter(form.graph, listing, std::move(name)), form_(form) {}

 protected:
  std::string wrapped(const std::string& text) const override { return "\\bigl(" + text + "\\bigr)"; }
  std::string number(double value) const override { return latex_number(value); }
  std::string power(const std::string& base, const std::string& exponent) const override {
    return fmt::format("{{{}}}^{{{}}}", base, exponent);
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) text += (text.empty() ? "" : " \\, ") + factor;
    return text;
  }
  std::string sum(const std::vector<std::pair<bool, std::string>>& terms) const override {
    std::string text;
    for (const auto& [negative, term] : terms) {
      text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
      text += term;
    }
    return text;
  }
  Piece fraction(Id above, Id below) override {
    return {fmt::format("\\frac{{{}}}{{{}}}", text(above), text(below)), Binding::product};
  }
  std::string root(const std::string& text) const override { return "\\sqrt{" + text + "}"; }
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
    return fmt::format("\\begin{{cases}}{} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}}\\end{{cases}}", yes,
                       condition, no);
  }
  std::string table(std::uint32_t number, std::uint32_t order, const std::string& x) const override {
    return fmt::format("\\mathrm{{{}}}{}({})", latex_escaped(form_.table_names[number]), std::string(order, '\''), x);
  }

 private:
  const Form& form_;
};

/// A formula on several lines: broken before signs and between factors that stand outside of braces and cases. Widths
/// are estimated: a command counts as one letter, what is in braces (indices, exponents) as smaller ones.
std::string latex_broken(const std::string& left, const std::string& right) {
  constexpr double good = 48,
                   most = 62;  // letters on a line: broken at signs from the first on, anywhere at the second
  std::string out = left + " &= ";
  int braces = 0, cases = 0;
  double width = 0;
  for (std::size_t k = 0; k < right.size(); ++k) {
    const char c = right[k];
    const auto begins = [&](std::string_view text) { return right.compare(k, text.size(), text) == 0; };
    const bool sign = (begins("+ ") || begins("- ")) && k > 0 && right[k - 1] == ' ';
    const bool open = braces == 0 && cases == 0;
    if (open && ((sign && width > good) || (begins("\\, ") && width > most))) {
      out += "\\\\\n&\\quad ";
      width = 2;
    }
    if (begins("\\begin{cases}")) ++cases;
    if (begins("\\end{cases}")) --cases;
    if (c == '{') ++braces;
    if (c == '}') --braces;
    out += c;
    if (c == '\\') {
      width += 1;
      const auto letter = [](char x) { return std::isalpha(static_cast<unsigned char>(x)) != 0; };
      if (k + 1 < right.size() && !letter(right[k + 1])) {
        out += right[++k];  // an escaped sign
        continue;
      }
      while (k + 1 < right.size() && letter(right[k + 1])) out += right[++k];
    } else if (c != '{' && c != '}' && c != '_' && c != '^' && c != ' ') {
      width += braces > 0 ? 0.7 : 1;
    }
  }
  return out + " \\\\\n";
}

class LatexPrinter {
 public:
  explicit LatexPrinter(const Form& form) : form_(form), names_(form) {}

  std::string print() {
    out_ =
        "% written by gyrostat derive --form "
        "scalar\n\\documentclass[a4paper]{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\setlength{"
        "\\parindent}{0pt}\n\\setlength{\\textwidth}{165mm}\n\\setlength{\\oddsidemargin}{-3mm}\n"
        "\\begin{document}\n";
    out_ += fmt::format("\\section*{{Equations of motion{}{}}}\n", form_.name.empty() ? "" : " of ",
                        latex_escaped(form_.name));
    out_ += form_.loops ? "\\begin{gather*} M(q, p)\\,\\dot u - G(q, p)^T \\lambda = f(q, u, p, t, s) \\\\ "
                          "G(q, p)\\,\\dot u = \\gamma(q, u, p, t, s) \\end{gather*}\n"
                        : "\\[ M(q, p)\\,\\dot u = f(q, u, p, t, s) \\]\n";
    for (const std::string& note : form_.notes) out_ += latex_escaped(note) + "\\par\n";
    print_list("Coordinates", form_.q, false);
    print_list("Speeds", form_.u, false);
    print_list("Inputs", form_.s, false);
    print_list("Parameters", form_.p, true);
    if (is_readable(form_)) {
      print_equations();
    } else {
      out_ += fmt::format(
          "With {} free speeds the equations are too long to read: {} operations. They are written as C, Python or "
          "JSON.\n",
          form_.nf(), operation_counts(form_)[2].count.all());
    }
    out_ += "\\subsection*{Operations}\n";
    for (const NamedCount& c : operation_counts(form_)) {
      out_ += fmt::format("{}: {}: {}.\\par\n", latex_escaped(c.name), c.count.all(), count_text(c.count));
    }
    out_ += "\\end{document}\n";
    return std::move(out_);
  }

 private:
  /// Paragraphs, which break over pages where a table would not.
  void print_list(const char* title, const std::vector<Variable>& list, bool values) {
    if (list.empty()) return;
    out_ += fmt::format("\\subsection*{{{}}}\n", title);
    for (const Variable& v : list) {
      out_ += fmt::format("${}$: {}", latex_name(names_.of(v.id)), latex_escaped(v.name));
      if (values) out_ += fmt::format(" $= {}$", latex_number(v.value));
      if (!v.unit.empty()) out_ += fmt::format(" {}", latex_escaped(v.unit));
      out_ += "\\par\n";
    }
  }

  void print_equations() {
    const ReadableForm readable(form_);
    std::unordered_map<Id, std::string> temporaries;
    for (const Id id : readable.listing.temporaries()) {
      temporaries.emplace(id, fmt::format("x_{{{}}}", temporaries.size() + 1));
    }
    LatexWriter writer(form_, readable.listing,
                       [&](Id id) { return names_.knows(id) ? latex_name(names_.of(id)) : temporaries.at(id); });
    std::string lines;
    for (const Id id : readable.listing.temporaries()) lines += latex_broken(temporaries.at(id), writer.definition(id));
    print_block("Common sub-expressions", lines);
    for (const Block& block : readable.blocks) {
      lines.clear();
      const std::string letter = block.letter == "gamma" ? "\\gamma" : block.letter;
      for (const auto& [value, row, column] : block.entries) {
        std::string left = fmt::format("{}_{{{}", letter, row);
        if (column != 0) left += fmt::format(",{}", column);
        left += "}";
        if (block.symmetric && row != column) left += fmt::format(" = {}_{{{},{}}}", letter, column, row);
        lines += latex_broken(left, writer.text(value));
      }
      print_block(block.title.c_str(), lines);
    }
    lines.clear();
    for (std::size_t k = 0; k < form_.nf(); ++k) {
      lines += fmt::format("{}: &\\quad \\dot {{{}}} \\\\\n", k + 1, latex_name(names_.of(form_.u[form_.free[k]].id)));
    }
    print_block("Rows of M and f, in their order: the accelerations", lines);
    if (form_.loops) out_ += "\\subsection*{Rows of G, in their order}\n";
    for (std::size_t k = 0; form_.loops && k < form_.loops->rows.size(); ++k) {
      out_ += fmt::format("{}: {}\\par\n", k + 1, latex_escaped(form_.loops->rows[k]));
    }
    lines.clear();
    for (const Given& given : form_.given) {
      lines += latex_broken(fmt::format("\\dot {{{}}}", latex_name(names_.of(form_.u[given.u].id))),
                            writer.text(given.acceleration));
    }
    print_block("Accelerations that are given", lines);
  }

  void print_block(const char* title, std::string lines) {
    if (lines.empty()) return;
    lines.erase(lines.rfind(" \\\\\n"));
    out_ += fmt::format("\\subsection*{{{}}}\n\\begin{{align*}}\n{}\n\\end{{align*}}\n", title, lines);
  }

  const Form& form_;
  MathNames names_;
  std::string out_;
};

}  // namespace

std::string to_latex(const Form& form) { return LatexPrinter(form).print(); }

}  // namespace gyrostat::scalar
