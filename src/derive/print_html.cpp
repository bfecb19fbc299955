// Equations as one HTML page with MathML, which needs nothing else.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "gyrostat/derive/html_page.h"
#include "gyrostat/derive/letters.h"
#include "gyrostat/derive/notation.h"
#include "gyrostat/derive/print.h"

namespace gyrostat::derive {

namespace {

constexpr const char* mathml_minus = "<mo form=\"prefix\">−</mo>";  // of a number or a first term

using SymbolNumbers = std::map<Symbol, std::size_t>;

class MathStyle : public Style {
 public:
  explicit MathStyle(const SymbolNumbers& numbers) : numbers_(numbers) {}

  [[nodiscard]] std::string symbol(const Symbol& symbol, int dots) const override {
    const Letter& of = letter(symbol.letter);
    std::string_view text = of.text;
    int circles = 0;
    while (text.ends_with("°")) {
      text.remove_suffix(std::string_view("°").size());
      ++circles;
    }
    const char* kind = of.type == Type::vector ? " class=\"v\"" : of.type == Type::dyadic ? " class=\"D\"" : "";
    std::string base = fmt::format("<mi{}>{}</mi>", kind, text);
    const auto above = [&](std::string_view sign, std::string_view kind_of_sign = "") {
      base = fmt::format("<mover accent=\"true\"><mrow>{}</mrow><mo{}>{}</mo></mover>", base, kind_of_sign, sign);
    };
    if (of.tilde) above("~");
    if (circles > 0) above(circles == 1 ? "∘" : "∘∘", " class=\"ring\"");
    if (dots > 0) above(dots == 1 ? "˙" : "¨", " class=\"dot\"");
    const std::string up =
        of.superscript.empty()
            ? ""  // a little apart from slanted letters
            : fmt::format("<mrow><mspace width=\"0.1em\"/><mi mathvariant=\"normal\">{}</mi></mrow>", of.superscript);
    std::string down;
    for (const Index& index : symbol.indices) {
      if (!down.empty()) down += "<mo separator=\"true\" lspace=\"0\" rspace=\"0.1em\">,</mo>";
      down += index.running ? "<mi>" + html_text(index.name) + "</mi>" : "<mtext>" + html_text(index.name) + "</mtext>";
    }
    // A strut makes indices of all letters stand on one line, whatever the font.
    if (!down.empty() || !up.empty())
      base = "<mrow>" + base + "<mspace width=\"0\" height=\"0.75em\" depth=\"0.22em\"/></mrow>";
    if (!down.empty() && !up.empty()) {
      base = fmt::format("<msubsup>{}<mrow>{}</mrow>{}</msubsup>", base, down, up);
    } else if (!down.empty()) {
      base = fmt::format("<msub>{}<mrow>{}</mrow></msub>", base, down);
    } else if (!up.empty()) {
      base = fmt::format("<msup>{}{}</msup>", base, up);
    }
    const auto number = numbers_.find(symbol);
    return number == numbers_.end() ? base
                                    : fmt::format("<mrow class=\"s\" data-s=\"{}\">{}</mrow>", number->second, base);
  }
  [[nodiscard]] std::string number(double value) const override { return mathml_number(digits(value)); }
  [[nodiscard]] std::string zero() const override { return "<mn>0</mn>"; }
  [[nodiscard]] std::string unit_dyadic() const override { return "<mi class=\"D\">1</mi>"; }
  [[nodiscard]] std::string plus() const override { return "<mo form=\"infix\">+</mo>"; }
  [[nodiscard]] std::string minus() const override { return "<mo form=\"infix\">−</mo>"; }
  [[nodiscard]] std::string leading_minus() const override { return mathml_minus; }
  [[nodiscard]] std::string dot() const override { return "<mo lspace=\"0.15em\" rspace=\"0.15em\">·</mo>"; }
  [[nodiscard]] std::string cross() const override { return "<mo>×</mo>"; }
  [[nodiscard]] std::string beside() const override { return "<mspace width=\"0.18em\"/>"; }
  [[nodiscard]] std::string brackets(const std::string& inside) const override {
    const char* stretchy = inside.find("<mfrac>") == std::string::npos ? "false" : "true";
    return fmt::format(
        "<mrow><mo stretchy=\"{0}\" form=\"prefix\">(</mo>{1}<mo stretchy=\"{0}\" form=\"postfix\">)</mo></mrow>",
        stretchy, inside);
  }
  [[nodiscard]] std::string over(const Range& range, const std::string& term) const override {
    const RangeText text = text_of(range);
    std::string names;
    for (const std::string& name : text.names)
      names += (names.empty() ? "" : "<mo separator=\"true\">,</mo>") + ("<mtext>" + html_text(name) + "</mtext>");
    names = "<mo stretchy=\"false\">{</mo>" + names + "<mo stretchy=\"false\">}</mo>";
    const std::string set = !text.by_name        ? names
                            : text.names.empty() ? symbol(range.set, 0)
                                                 : symbol(range.set, 0) + "<mo>∖</mo>" + names;
    return fmt::format("<munder><mo movablelimits=\"false\">∑</mo><mrow><mi>{}</mi><mo>∈</mo>{}</mrow></munder>{}",
                       html_text(range.variable), set, term);
  }
  [[nodiscard]] std::string derivative(const std::string& frame, int order, const std::string& of) const override {
    const auto d = [order](const std::string& what) {
      return order == 1 ? what : "<msup><mrow>" + what + "</mrow><mn>2</mn></msup>";
    };
    const std::string name =
        frame.empty() || frame == "world" ? "" : "<mrow><mtext>" + html_text(frame) + "</mtext></mrow>";
    const std::string upper = d("<mi mathvariant=\"normal\">d</mi>");
    const std::string fraction = fmt::format(
        "<mfrac><mrow>{}</mrow><mrow><mi mathvariant=\"normal\">d</mi>{}</mrow></mfrac>", upper, d("<mi>t</mi>"));
    const std::string lead =
        name.empty() ? fraction
                     : fmt::format("<mmultiscripts>{}<mprescripts/><mrow></mrow>{}</mmultiscripts>", fraction, name);
    return lead + "<mspace width=\"0.12em\"/>" + of;
  }

 private:
  const SymbolNumbers& numbers_;
};

std::string math(const std::string& inside) { return "<math displaystyle=\"true\">" + inside + "</math>"; }

class HtmlPrinter {
 public:
  HtmlPrinter(const Document& document, const PrintOptions& options)
      : document_(document), options_(options), parts_(parts_of(document)), style_(numbers_) {
    for (const Definition& d : document.definitions) numbers_.emplace(d.symbol, numbers_.size() + 1);
    for (const SetDefinition& s : document.sets) numbers_.emplace(s.set, numbers_.size() + 1);
    std::size_t number = 0;
    for (const Part& part : parts_) {
      for (const Equation* e : part.equations) find_uses(*e, ++number);
    }
  }

  std::string print() {
    const std::string heading = html_text(heading_of(document_));
    out_ = fmt::format(html_head, heading, html_style);
    out_ += fmt::format(
        "<header><h1>{}</h1>\n<p class=\"by\">Vector-dyadic form, by gyrostat derive. Bold italic "
        "letters are vectors, bold upright ones dyadics. A symbol leads to its definition.</p>\n",
        heading);
    out_ += html_tree(document_.tree, document_.body);
    contents();
    out_ += "</header>\n";
    std::size_t number = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const Part& part = parts_[k];
      out_ += fmt::format("<section id=\"part-{}\"><h2>{}</h2>\n", k + 1, html_text(part.title));
      if (!part.note.empty()) out_ += fmt::format("<p class=\"note\">{}</p>\n", html_text(part.note));
      if (!part.symbols.empty()) symbols(part.symbols);
      for (const Definition* d : part.definitions) formula(*d);
      if (!part.sets.empty()) sets(part.sets);
      const std::string* title = nullptr;
      for (const Equation* e : part.equations) {
        equation(*e, ++number, title == nullptr || *title != e->title);
        title = &e->title;
      }
      out_ += "</section>\n";
    }
    left_out();
    if (options_.script) {
      out_ +=
          fmt::format("<div id=\"tip\" role=\"status\" hidden=\"hidden\"></div>\n<script>{}</script>\n", html_script);
    }
    out_ += "</main></body></html>\n";
    return std::move(out_);
  }

 private:
  /// In which equations a symbol stands, directly.
  void find_uses(const Equation& e, std::size_t number) {
    std::vector<Symbol> used;
    for (const auto* terms : {&e.left, &e.right}) {
      for (const Term& term : *terms) collect(term.value, used);
    }
    for (const Symbol& symbol : used) uses_[symbol].insert(number);
  }

  [[nodiscard]] std::string used_in(const Symbol& symbol) const {
    const auto found = uses_.find(symbol);
    if (found == uses_.end()) return {};
    std::string text = " <span class=\"uses\">in ";
    std::size_t count = 0;
    for (const std::size_t number : found->second) {
      if (count == 6) {
        text += fmt::format(" and {} more", found->second.size() - count);
        break;
      }
      text += fmt::format("{}<a href=\"#eq-{}\">({})</a>", count++ == 0 ? "" : ", ", number, number);
    }
    return text + "</span>";
  }

  void contents() {
    out_ += "<nav aria-label=\"Contents\">";
    for (std::size_t k = 0; k < parts_.size(); ++k)
      out_ += fmt::format("<a href=\"#part-{}\">{}</a> ", k + 1, html_text(parts_[k].title));
    if (!document_.left_out.empty()) out_ += "<a href=\"#left-out\">Left out</a>";
    out_ += "</nav>\n";
  }

  [[nodiscard]] static std::string unit_of(const Definition& d) {
    return d.unit == "1" ? "" : fmt::format("<span class=\"unit\">{}</span>", html_text(unit_text(d.unit, false)));
  }

  [[nodiscard]] std::string constant_of(const Definition& d) const {
    const std::vector<double> c = shown_components(*d.constant);
    const auto n = [&](std::size_t k) { return html_number(digits(c[k])); };
    const auto whole = [](const std::string& text) { return "<span class=\"value\">" + text + "</span>"; };
    if (c.size() == 1) return whole(n(0) + " " + unit_of(d));
    const std::string frame = " <span class=\"frame\">in " + html_text(d.constant->frame) + "</span>";
    if (c.size() == 3) return whole(fmt::format("({}, {}, {}) {}{}", n(0), n(1), n(2), unit_of(d), frame));
    std::string rows;
    for (const auto& row : {std::array{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}) {
      rows += "<mtr>";
      for (const int k : row) {
        const double x = c[static_cast<std::size_t>(k)];
        rows += fmt::format("<mtd>{}{}</mtd>", x < 0 ? mathml_minus : "", mathml_number(digits(std::abs(x))));
      }
      rows += "</mtr>";
    }
    return whole(math("<mrow><mo fence=\"true\">(</mo><mtable>" + rows + "</mtable><mo fence=\"true\">)</mo></mrow>") +
                 " " + unit_of(d) + frame);
  }

  void symbols(const std::vector<const Definition*>& list) {
    out_ += "<table class=\"symbols\">\n";
    for (const Definition* d : list) {
      std::string value = d->constant ? constant_of(*d) : unit_of(*d);
      if (!d->formula.empty())
        value += fmt::format("{}<code>{}</code>", d->constant ? formula_lead(*d) : " ", html_text(d->formula));
      out_ += fmt::format("<tr id=\"s-{}\"><td>{}</td><td class=\"meaning\">{}{}</td><td>{}</td></tr>\n",
                          numbers_.at(d->symbol), math(style_.symbol(d->symbol, 0)), html_text(d->meaning),
                          used_in(d->symbol), value);
    }
    out_ += "</table>\n";
  }

  void sets(const std::vector<const SetDefinition*>& list) {
    out_ += "<table class=\"symbols\">\n";
    for (const SetDefinition* s : list) {
      std::string members;
      for (const std::string& name : s->members) members += (members.empty() ? "" : ", ") + html_text(name);
      out_ += fmt::format("<tr id=\"s-{}\"><td>{}</td><td class=\"meaning\">{}</td><td>{}</td></tr>\n",
                          numbers_.at(s->set), math(style_.symbol(s->set, 0)), html_text(s->meaning),
                          members.empty() ? "∅" : "{" + members + "}");
    }
    out_ += "</table>\n";
  }

  /// Each term a formula of its own, so that lines break between them.
  [[nodiscard]] std::string terms_of(const std::vector<Expr>& terms, bool continued, const std::string& lead) const {
    constexpr std::string_view infix = "<mo form=\"infix\"";
    if (terms.empty()) return math(lead + style_.zero());
    std::string text;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      std::string one = written_terms({terms[k]}, style_, continued || k > 0);
      if (k > 0 && one.starts_with(infix)) one.insert(infix.size(), " lspace=\"0\"");  // a blank stands before it
      text += (k == 0 ? "" : " ") + math((k == 0 ? lead : "") + one);
    }
    return text;
  }
  void formula(const Definition& d) {
    const std::string lead = style_.symbol(d.symbol, 0) + "<mo>=</mo>";
    out_ += fmt::format(
        "<div class=\"definition\" id=\"s-{}\"><div class=\"formula\">{}</div><p class=\"meaning\">{} {}{}</p></div>\n",
        numbers_.at(d.symbol), terms_of(summands(d.value), false, lead), html_text(d.meaning),
        d.unit == "1" ? "" : "[" + html_text(unit_text(d.unit, false)) + "]", used_in(d.symbol));
  }

  void equation(const Equation& e, std::size_t number, bool titled) {
    const bool labelled =
        e.kind != EquationKind::kinematics && e.kind != EquationKind::elimination && e.kind != EquationKind::loop;
    if (titled) out_ += fmt::format("<h3>{}</h3>\n", html_text(e.title));
    out_ +=
        fmt::format("<div class=\"equation{}\" id=\"eq-{}\"><div class=\"lines\">\n", labelled ? "" : " plain", number);
    if (labelled) {
      side(e.left, false);
      side(e.right, true);
    } else {
      out_ += fmt::format("<div class=\"line\"><span class=\"group\"></span><div class=\"formula\">{} {}</div></div>\n",
                          terms_of(summands(e.left), false, ""), terms_of(summands(e.right), false, "<mo>=</mo>"));
    }
    out_ += fmt::format("</div><a class=\"number\" href=\"#eq-{}\">({})</a></div>\n", number, number);
    if (options_.terms) explain(e);
  }
  void side(const std::vector<Term>& terms, bool right) {
    const std::vector<GroupedTerms> groups = grouped(terms);
    if (groups.empty())
      out_ += fmt::format("<div class=\"line\"><span class=\"group\"></span><div class=\"formula\">{}</div></div>\n",
                          math((right ? "<mo>=</mo>" : "") + style_.zero()));
    for (std::size_t k = 0; k < groups.size(); ++k) {
      std::vector<Expr> values;
      for (const Term* term : groups[k].terms) {
        for (const Expr& part : summands(term->value)) values.push_back(part);
      }
      out_ +=
          fmt::format("<div class=\"line{}\"><span class=\"group\">{}</span><div class=\"formula\">{}</div></div>\n",
                      right ? (k == 0 ? " first" : " right") : "", group_name(groups[k].group),
                      terms_of(values, k > 0, right && k == 0 ? "<mo>=</mo>" : ""));
    }
  }
  void explain(const Equation& e) {
    out_ += "<table class=\"terms\">\n";
    for (const auto* terms : {&e.left, &e.right}) {
      for (const Term& term : *terms)
        out_ += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", terms_of(summands(term.value), false, ""),
                            html_text(term.meaning));
    }
    out_ += "</table>\n";
  }

  void left_out() {
    if (document_.left_out.empty()) return;
    out_ +=
        "<section id=\"left-out\"><h2>Left out</h2>\n<p class=\"note\">Terms of the general equations that this "
        "system does not have.</p>\n<ul class=\"left-out\">\n";
    for (const LeftOut& one : document_.left_out)
      out_ += fmt::format("<li>{}: <em>{}</em></li>\n", html_text(one.what), html_text(one.why));
    out_ += "</ul></section>\n";
  }

  const Document& document_;
  const PrintOptions& options_;
  std::vector<Part> parts_;
  SymbolNumbers numbers_;
  std::map<Symbol, std::set<std::size_t>> uses_;
  MathStyle style_;
  std::string out_;
};

}  // namespace

std::string print_html(const Document& document, const PrintOptions& options) {
  return HtmlPrinter(document, options).print();
}

}  // namespace gyrostat::derive
