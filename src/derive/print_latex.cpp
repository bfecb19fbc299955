// Equations as a LaTeX document that needs amsmath only.
#include <fmt/format.h>

#include "gyrostat/derive/latex_text.h"
#include "gyrostat/derive/letters.h"
#include "gyrostat/derive/notation.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

/// Below a symbol, in upright letters.
std::string latex_index(const Index& index) {
  if (index.running) return latex_text(index.name);
  return latex_upright(index.name);
}

std::string latex_number(double value) {
  std::string text = digits(value);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    const int exponent = std::stoi(text.substr(e + 1));
    text = text.substr(0, e) + "\\cdot 10^{" + std::to_string(exponent) + "}";
  }
  return text;
}

class LatexStyle : public Style {
 public:
  [[nodiscard]] std::string symbol(const Symbol& symbol, int dots) const override {
    const Letter& of = letter(symbol.letter);
    std::string base(of.latex);
    if (of.type == Type::vector) base = "\\boldsymbol{" + base + "}";
    if (of.type == Type::dyadic) base = "\\boldsymbol{\\mathsf{" + base + "}}";
    if (of.tilde) base = "\\tilde{" + base + "}";
    if (dots > 0) base = (dots == 1 ? "\\dot{" : "\\ddot{") + base + "}";
    if (!of.superscript.empty())
      base += "^{" + (of.superscript == "λ" ? "\\lambda" : "\\mathrm{" + std::string(of.superscript) + "}") + "}";
    if (symbol.indices.empty()) return base;
    base += "_{";
    for (std::size_t k = 0; k < symbol.indices.size(); ++k)
      base += (k == 0 ? "" : ",") + latex_index(symbol.indices[k]);
    return base + "}";
  }
  [[nodiscard]] std::string number(double value) const override { return latex_number(value); }
  [[nodiscard]] std::string zero() const override { return "0"; }
  [[nodiscard]] std::string unit_dyadic() const override { return "\\boldsymbol{\\mathsf{1}}"; }
  [[nodiscard]] std::string plus() const override { return " \\allowbreak + "; }
  [[nodiscard]] std::string minus() const override { return " \\allowbreak - "; }
  [[nodiscard]] std::string leading_minus() const override { return "-"; }
  [[nodiscard]] std::string dot() const override { return " \\cdot "; }
  [[nodiscard]] std::string cross() const override { return " \\times "; }
  [[nodiscard]] std::string beside() const override { return " \\, "; }
  [[nodiscard]] std::string brackets(const std::string& inside) const override {
    return "\\bigl(" + inside + "\\bigr)";
  }
  [[nodiscard]] std::string over(const Range& range, const std::string& term) const override {
    const RangeText text = text_of(range);
    std::string names;
    for (const std::string& name : text.names) names += (names.empty() ? "" : ",") + latex_index({name, false});
    names = "\\{" + names + "\\}";
    std::string set = text.by_name ? symbol(range.set, 0) + (text.names.empty() ? "" : "\\setminus " + names) : names;
    return "\\sum_{" + range.variable + "\\in " + set + "} " + term;
  }
  [[nodiscard]] std::string derivative(const std::string& frame, int order, const std::string& of) const override {
    const std::string square = order == 1 ? "" : "^2";
    const std::string lead = frame.empty() || frame == "world" ? "" : "{}^{" + latex_index({frame, false}) + "}\\!";
    return lead + "\\frac{\\mathrm{d}" + square + "}{\\mathrm{d}t" + square + "} " + of;
  }
};

constexpr std::string_view latex_head = R"(% gyrostat derive: equations of motion in vector-dyadic form
\documentclass[11pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath}
\setlength{\textwidth}{165mm}\setlength{\oddsidemargin}{-3mm}\setlength{\textheight}{235mm}\setlength{\topmargin}{-15mm}
\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}\setlength{\emergencystretch}{3em}
\allowdisplaybreaks
% A formula that may be broken into lines, with a hanging indent, and a note below it.
\newenvironment{formula}{\begin{list}{}{\setlength{\leftmargin}{12mm}\setlength{\itemindent}{-6mm}%
  \setlength{\topsep}{2pt}\setlength{\itemsep}{0pt}\setlength{\parsep}{0pt}}\raggedright\item[]}{\end{list}}
\newcommand{\note}[1]{\\{\small #1}}
\newcommand{\group}[1]{\hfill\mbox{\small\itshape #1}}
\relpenalty=1000\binoppenalty=300
\begin{document}
)";

class LatexPrinter {
 public:
  LatexPrinter(const Document& document, const PrintOptions& options) : document_(document), options_(options) {}

  std::string print() {
    out_ = latex_head;
    out_ += fmt::format("\\section*{{{}}}\n", latex_text(heading_of(document_)));
    tree();
    std::size_t number = 0;
    for (const Part& part : parts_of(document_)) {
      out_ += fmt::format("\n\\subsection*{{{}}}\n", latex_text(part.title));
      if (!part.note.empty()) out_ += latex_text(part.note) + "\n\n";
      for (const Definition* d : part.symbols) listed_symbol(*d);
      for (const Definition* d : part.definitions) formula(*d);
      for (const SetDefinition* s : part.sets) listed_set(*s);
      const std::string* title = nullptr;
      for (const Equation* e : part.equations) {
        if (title == nullptr || *title != e->title) out_ += fmt::format("\n{}\n", latex_text(e->title));
        title = &e->title;
        equation(*e, ++number);
      }
    }
    left_out();
    out_ += "\\end{document}\n";
    return std::move(out_);
  }

 private:
  void tree() {
    std::vector<std::size_t> depth(document_.tree.size() + 1, 0);
    for (std::size_t k = 1; k <= document_.tree.size(); ++k) {
      const Branch& branch = document_.tree[k - 1];
      depth[k] = depth[branch.parent] + 1;
      out_ += fmt::format("\\hspace*{{{}mm}}{} $\\rightarrow$ \\textbf{{{}}} ({})\\\\\n",
                          5 * std::min<std::size_t>(depth[k], 12), latex_text(branch.joint), latex_text(branch.body),
                          latex_text(branch.note));
    }
  }
  std::string constant_text(const Definition& d) const {
    const std::vector<double> c = shown_components(*d.constant);
    const std::string unit = d.unit == "1" ? "" : "\\;" + latex_unit(d.unit);
    if (c.size() == 1) return "$" + latex_number(c[0]) + unit + "$";
    if (c.size() == 3)
      return fmt::format("$({},\\ {},\\ {}){}$ in {}", latex_number(c[0]), latex_number(c[1]), latex_number(c[2]), unit,
                         latex_text(d.constant->frame));
    return fmt::format(
        "$\\left(\\begin{{smallmatrix}}{}&{}&{}\\\\{}&{}&{}\\\\{}&{}&{}\\end{{smallmatrix}}\\right){}$ in {}",
        latex_number(c[0]), latex_number(c[3]), latex_number(c[4]), latex_number(c[3]), latex_number(c[1]),
        latex_number(c[5]), latex_number(c[4]), latex_number(c[5]), latex_number(c[2]), unit,
        latex_text(d.constant->frame));
  }
  void listed_symbol(const Definition& d) {
    std::string text =
        fmt::format("\\begin{{formula}}${}$\\quad {}", style_.symbol(d.symbol, 0), latex_text(d.meaning));
    if (d.constant) {
      text += ": " + constant_text(d);
    } else if (d.unit != "1") {
      text += " [$" + latex_unit(d.unit) + "$]";
    }
    const std::string lead(formula_lead(d) == " = " ? " $=$ " : formula_lead(d));
    if (!d.latex.empty()) {
      text += lead + "$" + d.latex + "$";
    } else if (!d.formula.empty()) {
      text += lead + "\\texttt{" + latex_text(d.formula) + "}";
    }
    out_ += text + "\\end{formula}\n";
  }
  void formula(const Definition& d) {
    out_ += fmt::format("\\begin{{formula}}${} = {}$\\note{{{}{}}}\\end{{formula}}\n", style_.symbol(d.symbol, 0),
                        written(d.value, style_), latex_text(d.meaning),
                        d.unit == "1" ? "" : " [$" + latex_unit(d.unit) + "$]");
  }
  void listed_set(const SetDefinition& set) {
    std::string members;
    for (const std::string& name : set.members) members += (members.empty() ? "" : ", ") + latex_text(name);
    out_ += fmt::format("\\begin{{formula}}${}$\\quad {}: \\{{{}\\}}\\end{{formula}}\n", style_.symbol(set.set, 0),
                        latex_text(set.meaning), members);
  }
  void equation(const Equation& e, std::size_t number) {
    const bool labelled =
        e.kind != EquationKind::kinematics && e.kind != EquationKind::elimination && e.kind != EquationKind::loop;
    out_ += fmt::format("\\begin{{formula}}({})\\quad ", number);
    const auto side = [&](const std::vector<Term>& terms, bool right) {
      const std::vector<GroupedTerms> groups = grouped(terms);
      if (groups.empty()) out_ += right ? "$=0$" : "$0$";
      for (std::size_t k = 0; k < groups.size(); ++k) {
        std::vector<Expr> values;
        for (const Term* term : groups[k].terms) {
          for (const Expr& part : summands(term->value)) values.push_back(part);
        }
        const std::string text = written_terms(values, style_, k > 0);
        if (right || k > 0) out_ += labelled ? "\\\\" : " ";
        out_ += "$\\displaystyle " + std::string(right && k == 0 ? "= " : "{}") + text + "$";
        if (labelled) out_ += fmt::format("\\group{{{}}}", group_name(groups[k].group));
      }
    };
    side(e.left, false);
    if (e.right.empty() && labelled) out_ += " ";
    side(e.right, true);
    if (options_.terms) {
      for (const auto* terms : {&e.left, &e.right}) {
        for (const Term& term : *terms)
          out_ += fmt::format("\\note{{${}$: {}}}", written(term.value, style_), latex_text(term.meaning));
      }
    }
    out_ += "\\end{formula}\n";
  }
  void left_out() {
    if (document_.left_out.empty()) return;
    out_ += "\n\\subsection*{Left out}\n\\begin{itemize}\n";
    for (const LeftOut& one : document_.left_out)
      out_ += fmt::format("\\item {}: {}\n", latex_text(one.what), latex_text(one.why));
    out_ += "\\end{itemize}\n";
  }

  const Document& document_;
  const PrintOptions& options_;
  LatexStyle style_;
  std::string out_;
};

}  // namespace

std::string print_latex(const Document& document, const PrintOptions& options) {
  return LatexPrinter(document, options).print();
}

}  // namespace gyrostat::derive
