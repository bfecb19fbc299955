// Equations for terminals and plain files, at most 80 columns wide.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/hidden_characters.h"
#include "gyrostat/derive/letters.h"
#include "gyrostat/derive/notation.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

constexpr std::size_t page_width = 80;

/// Where a line may be broken, by the depth of brackets: the characters 1 to 8, which are not printed.
constexpr char shallow_break = '\x01', deep_break = '\x08', last_break = '\x0e';  // the last where there is no other

bool is_break(char c) { return (c >= shallow_break && c <= deep_break) || c == last_break; }

/// Columns that a text takes: code points but for combining accents and breaks.
std::size_t columns_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    const bool continues = (c & 0xC0U) == 0x80U;
    const bool combining = c == 0xCC || (c == 0xCD && k + 1 < text.size() &&
                                         static_cast<unsigned char>(text[k + 1]) < 0xB0);  // U+0300 .. U+036F
    if (!continues && !combining && !is_break(text[k])) ++count;
  }
  return count;
}

/// What could move the cursor or end the line is left out of names.
std::string plain(std::string_view name) { return without_hidden(name, ""); }

class TextStyle : public Style {
 public:
  explicit TextStyle(bool ascii) : ascii_(ascii) {}

  [[nodiscard]] std::string symbol(const Symbol& symbol, int dots) const override {
    const Letter& of = letter(symbol.letter);
    std::string text;
    if (ascii_) {
      text = std::string(of.ascii) + (of.tilde ? "~" : "");
      if (dots > 0) text += dots == 1 ? "dot" : "ddot";
    } else {
      text = std::string(of.text) + (of.tilde ? "\u0303" : "");
      if (dots > 0) text += dots == 1 ? "\u0307" : "\u0308";
    }
    if (!of.superscript.empty())
      text += "^" + (ascii_ && of.superscript == "λ" ? "lambda" : std::string(of.superscript));
    for (std::size_t k = 0; k < symbol.indices.size(); ++k)
      text += (k == 0 ? "_" : ",") + plain(symbol.indices[k].name);
    return text;
  }
  [[nodiscard]] std::string number(double value) const override { return digits(value); }
  [[nodiscard]] std::string zero() const override { return "0"; }
  [[nodiscard]] std::string unit_dyadic() const override { return ascii_ ? "1" : "𝟏"; }
  [[nodiscard]] std::string plus() const override { return " \x01+ "; }
  [[nodiscard]] std::string minus() const override { return ascii_ ? " \x01- " : " \x01− "; }
  [[nodiscard]] std::string leading_minus() const override { return ascii_ ? "-" : "−"; }
  [[nodiscard]] std::string dot() const override { return ascii_ ? " \x06. " : "\x06·"; }
  [[nodiscard]] std::string cross() const override { return ascii_ ? " \x06x " : " \x06× "; }
  [[nodiscard]] std::string beside() const override { return " \x0e"; }
  [[nodiscard]] std::string brackets(const std::string& inside) const override {
    std::string text = "(" + inside + ")";
    for (char& c : text) {
      if (is_break(c) && c < deep_break) ++c;
    }
    return text;
  }
  [[nodiscard]] std::string over(const Range& range, const std::string& term) const override {
    return (ascii_ ? "sum[" : "Σ[") + range.variable + (ascii_ ? " in " : "∈") + set(range) + "] " + term;
  }
  [[nodiscard]] std::string derivative(const std::string& frame, int order, const std::string& of) const override {
    const std::string square = order == 1 ? "" : ascii_ ? "^2" : "²";
    const std::string sign = "d" + square + "/dt" + square;
    return (frame.empty() ? sign : "(" + sign + ")_" + plain(frame)) + " " + of;
  }
  [[nodiscard]] std::string set(const Range& range) const {
    const RangeText text = text_of(range);
    std::string names = "{";
    for (std::size_t k = 0; k < text.names.size(); ++k) names += (k == 0 ? "" : ",\x04") + plain(text.names[k]);
    names += "}";
    if (!text.by_name) return names;
    return symbol(range.set, 0) + (text.names.empty() ? "" : (ascii_ ? " \\ " : "∖") + names);
  }

 private:
  bool ascii_ = false;
};

/// Lines of at most `width` columns: broken where the brackets are shallowest. A piece without breaks may be longer.
std::vector<std::string> broken(std::string text, std::size_t width, std::size_t hanging) {
  std::vector<std::string> lines;
  for (std::size_t indent = 0;;) {
    std::size_t best = std::string::npos;
    if (columns_of(text) + indent > width) {
      char best_depth = last_break + 1;
      std::size_t columns = indent;
      for (std::size_t k = 0; k < text.size(); ++k) {
        if (is_break(text[k])) {
          // A shallow break early in the line is worse than a deeper one further on.
          const bool early = columns < indent + (width - indent) / 3;
          const char depth = static_cast<char>(early ? std::max(deep_break, text[k]) : text[k]);
          const std::size_t shown = columns - (k > 0 && text[k - 1] == ' ' ? 1 : 0);  // without the blank before it
          if (columns > indent + hanging + 2 && shown <= width && depth <= best_depth) {
            best = k;
            best_depth = depth;
          }
          if (columns > width + 1 && best == std::string::npos) best = k;
        } else if ((static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U) {
          ++columns;
        }
        if (columns > width + 1 && best != std::string::npos) break;
      }
    }
    std::string line = text.substr(0, best);
    std::erase_if(line, is_break);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    lines.push_back(std::string(indent, ' ') + line);
    if (best == std::string::npos) return lines;
    text.erase(0, best + 1);
    indent = hanging;
  }
}

/// Words in lines.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t end = std::min(text.find(' ', k), text.size());
    const std::string_view word = text.substr(k, end - k);
    const std::size_t columns = columns_of(word);
    if (used > 0 && used + 1 + columns > width) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) lines.back() += ' ';
    lines.back() += word;
    used += (used > 0 ? 1 : 0) + columns;
    k = end + 1;
  }
  return lines;
}

class TextPrinter {
 public:
  TextPrinter(const Document& document, const PrintOptions& options)
      : document_(document), options_(options), style_(options.ascii) {}

  std::string print() {
    heading(heading_of(document_), '=');
    paragraph(std::string("Vector-dyadic form, by ") + equations_mark + ".");
    out_ += "\n";
    tree();
    std::size_t number = 0;
    for (const Part& part : parts_of(document_)) {
      heading(part.title, '-');
      if (!part.note.empty()) paragraph(part.note), out_ += '\n';
      for (const Definition* d : part.symbols) listed_symbol(*d);
      if (!part.symbols.empty() && !part.definitions.empty()) out_ += '\n';
      for (const Definition* d : part.definitions) formula(*d);
      for (const SetDefinition* s : part.sets) listed_set(*s);
      const std::string* title = nullptr;
      for (const Equation* e : part.equations) {
        equation(*e, ++number, title == nullptr || *title != e->title);
        title = &e->title;
      }
    }
    left_out();
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  void heading(const std::string& text, char below) {
    if (!out_.empty()) out_ += "\n";
    std::size_t widest = 0;
    for (const std::string& one : wrapped(plain(text), page_width)) {
      line(one);
      widest = std::max(widest, columns_of(one));
    }
    line(std::string(std::min(widest, page_width), below));
  }
  void paragraph(const std::string& text, std::size_t indent = 0) {
    for (const std::string& one : wrapped(plain(text), page_width - indent)) line(std::string(indent, ' ') + one);
  }

  void tree() {
    std::vector<std::size_t> last(document_.tree.size() + 1, 0);
    for (std::size_t k = 1; k <= document_.tree.size(); ++k) last[document_.tree[k - 1].parent] = k;
    const char *corner = options_.ascii ? "`- " : "└─ ", *fork = options_.ascii ? "|- " : "├─ ",
               *bar = options_.ascii ? "|  " : "│  ";
    line("world");
    for (std::size_t k = 1; k <= document_.tree.size(); ++k) {
      const Branch& branch = document_.tree[k - 1];
      std::string lead = last[branch.parent] == k ? corner : fork;
      std::size_t depth = 0;
      for (std::size_t at = branch.parent; at > 0 && depth < 12; at = document_.tree[at - 1].parent, ++depth)
        lead.insert(0, last[document_.tree[at - 1].parent] == at ? "   " : bar);
      const std::string text = plain(branch.joint) + " -> " + plain(branch.body) + " (" + plain(branch.note) + ")";
      const std::vector<std::string> lines = wrapped(text, page_width - columns_of(lead));
      for (std::size_t n = 0; n < lines.size(); ++n)
        line(n == 0 ? lead + lines[n] : std::string(columns_of(lead) + 3, ' ') + lines[n]);
    }
  }

  [[nodiscard]] std::string constant_text(const Definition& d) const {
    const std::vector<double> c = shown_components(*d.constant);
    const std::string unit = d.unit == "1" ? "" : " " + unit_text(d.unit, options_.ascii);
    if (c.size() == 1) return digits(c[0]) + unit;
    if (c.size() == 3)
      return fmt::format("({}, {}, {}){} in {}", digits(c[0]), digits(c[1]), digits(c[2]), unit,
                         plain(d.constant->frame));
    return fmt::format("xx {}, yy {}, zz {}, xy {}, xz {}, yz {}{} in {}", digits(c[0]), digits(c[1]), digits(c[2]),
                       digits(c[3]), digits(c[4]), digits(c[5]), unit, plain(d.constant->frame));
  }

  void listed_symbol(const Definition& d) {
    const std::string name = style_.symbol(d.symbol, 0);
    std::string text = d.meaning;
    if (d.constant) {
      text += ": " + constant_text(d);
    } else if (d.unit != "1") {
      text += " [" + unit_text(d.unit, options_.ascii) + "]";
    }
    if (!d.formula.empty()) text += std::string(formula_lead(d)) + d.formula;
    hanging(name, text);
  }

  void hanging(const std::string& name, const std::string& text) {
    constexpr std::size_t column = 18;
    const std::vector<std::string> lines = wrapped(plain(text), page_width - column);
    const std::size_t used = 2 + columns_of(name);
    if (used + 1 > column) {
      line("  " + name);
    } else {
      line("  " + name + std::string(column - used, ' ') + lines.front());
    }
    for (std::size_t k = used + 1 > column ? 0 : 1; k < lines.size(); ++k) line(std::string(column, ' ') + lines[k]);
  }

  void formula(const Definition& d) {
    const std::string name = style_.symbol(d.symbol, 0);
    for (const std::string& one : broken(name + " = " + written(d.value, style_), page_width - 2, 4)) line("  " + one);
    paragraph(d.meaning + (d.unit == "1" ? "" : " [" + unit_text(d.unit, options_.ascii) + "]"), 6);
  }

  void listed_set(const SetDefinition& set) {
    std::string members;
    for (const std::string& name : set.members) members += (members.empty() ? "" : ", ") + name;
    hanging(style_.symbol(set.set, 0), set.meaning + ": {" + members + "}");
  }

  /// The terms of one group with its name at the right margin.
  void group_lines(const std::string& lead, const std::string& text, std::string_view label) {
    const std::size_t room = page_width - columns_of(lead) - (label.empty() ? 0 : label.size() + 2);
    std::vector<std::string> lines = broken(text, room, 2);
    if (!label.empty() && columns_of(lead) + columns_of(lines.front()) + label.size() + 2 > page_width) {
      line(std::string(page_width - label.size(), ' ') + std::string(label));
      label = {};
      lines = broken(text, page_width - columns_of(lead), 2);
    }
    bool first = true;
    for (const std::string& one : lines) {
      std::string all = (first ? lead : std::string(columns_of(lead), ' ')) + one;
      if (first && !label.empty()) {
        const std::size_t used = columns_of(all) + label.size();
        all += std::string(used < page_width ? page_width - used : 1, ' ') + std::string(label);
      }
      line(all);
      first = false;
    }
  }

  void equation(const Equation& e, std::size_t number, bool titled) {
    const std::string mark = fmt::format("({})", number);
    if (titled) {
      if (e.kind != EquationKind::kinematics && !out_.ends_with("\n\n")) out_ += "\n";
      paragraph(e.title);
    }
    const bool labelled =
        e.kind != EquationKind::kinematics && e.kind != EquationKind::elimination && e.kind != EquationKind::loop;
    std::string lead = mark + std::string(mark.size() < 6 ? 6 - mark.size() : 1, ' ');
    const auto side = [&](const std::vector<Term>& terms, bool right) {
      const std::vector<GroupedTerms> groups = grouped(terms);
      if (groups.empty()) group_lines(right ? "      = " : lead, "0", "");
      for (std::size_t k = 0; k < groups.size(); ++k) {
        std::vector<Expr> values;
        for (const Term* term : groups[k].terms) {
          for (const Expr& part : summands(term->value)) values.push_back(part);
        }
        std::string text = written_terms(values, style_, k > 0);
        if (k > 0) text.erase(0, std::min(text.find_first_not_of(" \x01"), text.size()));
        const std::string begin = !right ? (k == 0 ? lead : "        ") : k == 0 ? "      = " : "        ";
        group_lines(begin, text, labelled ? group_name(groups[k].group) : "");
      }
    };
    if (!labelled) {
      const std::string text =
          written_terms(summands(e.left), style_) + " \x01= " + written_terms(summands(e.right), style_);
      group_lines(lead, text, "");
    } else {
      side(e.left, false);
      side(e.right, true);
    }
    if (options_.terms) explain(e);
  }

  void explain(const Equation& e) {
    for (const auto* terms : {&e.left, &e.right}) {
      for (const Term& term : *terms) {
        for (const std::string& one : broken(written(term.value, style_), page_width - 8, 2)) line("        " + one);
        paragraph(term.meaning, 12);
      }
    }
  }

  void left_out() {
    if (document_.left_out.empty()) return;
    heading("Left out", '-');
    for (const LeftOut& one : document_.left_out) {
      bool first = true;
      for (const std::string& text : wrapped(plain(one.what + ": " + one.why), page_width - 4)) {
        line((first ? "  - " : "    ") + text);
        first = false;
      }
    }
  }

  const Document& document_;
  const PrintOptions& options_;
  TextStyle style_;
  std::string out_;
};

}  // namespace

std::string print_text(const Document& document, const PrintOptions& options) {
  return TextPrinter(document, options).print();
}

}  // namespace gyrostat::derive
