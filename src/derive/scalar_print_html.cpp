#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/html_page.h"
#include "gyrostat/derive/notation.h"
#include "gyrostat/derive/scalar_math.h"

namespace gyrostat::scalar {

namespace {

std::string html_escaped(std::string_view text) { return derive::html_text(one_line(text)); }

std::string mathml_name(const MathName& name) {
  const std::string letter = fmt::format("<mi>{}</mi>", name.letter == "omega" ? "ω" : html_escaped(name.letter));
  return name.index.empty() ? letter
                            : fmt::format("<msub>{}<mtext>{}</mtext></msub>", letter, html_escaped(name.index));
}

std::string mo(std::string_view sign) { return fmt::format("<mo>{}</mo>", sign); }

class MathmlWriter : public MathWriter {
 public:
  MathmlWriter(const Form& form, const Listing& listing, NameOf name)
      : MathWriter(form.graph, listing, std::move(name)), form_(form) {}

 protected:
  /// Without a row of its own, so that lines can be broken inside.
  std::string wrapped(const std::string& text) const override {
    return fmt::format("<mo stretchy=\"false\">(</mo>{}<mo stretchy=\"false\">)</mo>", text);
  }
  std::string number(double value) const override {
    if (value < 0) return mo("−") + fmt::format("<mn>{}</mn>", -value);
    return fmt::format("<mn>{}</mn>", value);
  }
  std::string power(const std::string& base, const std::string& exponent) const override {
    const bool digits = exponent.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format("<msup><mrow>{}</mrow>{}</msup>", base,
                       digits ? "<mn>" + exponent + "</mn>" : "<mrow>" + exponent + "</mrow>");
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) text += (text.empty() ? "" : "<mspace width=\"0.17em\"/>") + factor;
    return text;
  }
  std::string sum(const std::vector<std::pair<bool, std::string>>& terms) const override {
    std::string text;
    for (const auto& [negative, term] : terms) {
      text += negative ? mo("−") : text.empty() ? "" : mo("+");
      text += term;
    }
    return text;
  }
  Piece fraction(Id above, Id below) override {
    return {fmt::format("<mfrac><mrow>{}</mrow><mrow>{}</mrow></mfrac>", text(above), text(below)), Binding::product};
  }
  std::string root(const std::string& text) const override { return fmt::format("<msqrt>{}</msqrt>", text); }
  std::string call(std::string_view function, const std::vector<std::string>& operands) const override {
    std::string text;
    for (const std::string& operand : operands) text += (text.empty() ? "" : mo(",")) + operand;
    return fmt::format("<mrow><mi>{}</mi>{}</mrow>", function, wrapped(text));
  }
  std::string compared(std::string_view sign, const std::string& a, const std::string& b) const override {
    const std::string_view written = sign == "<"     ? "&lt;"
                                     : sign == "<="  ? "≤"
                                     : sign == "and" ? "∧"
                                     : sign == "or"  ? "∨"
                                                     : sign;
    return a + mo(written) + b;
  }
  std::string choice(const std::string& condition, const std::string& yes, const std::string& no) const override {
    return fmt::format(
        "<mrow>{}<mtable><mtr><mtd>{}</mtd><mtd><mtext>where </mtext>{}</mtd></mtr>"
        "<mtr><mtd>{}</mtd><mtd><mtext>else</mtext></mtd></mtr></mtable></mrow>",
        mo("{"), yes, condition, no);
  }
  std::string table(std::uint32_t number, std::uint32_t order, const std::string& x) const override {
    return fmt::format("<mi>{}{}</mi>{}", html_escaped(form_.table_names[number]), std::string(order, '\''),
                       wrapped(x));
  }

 private:
  const Form& form_;
};

/// A formula as several, between which a browser may begin a new line: before each sign that is inside of nothing else.
std::vector<std::string> breakable(const std::string& mathml) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t k = 0; k < mathml.size();) {
    const auto begins = [&](std::string_view text) { return mathml.compare(k, text.size(), text) == 0; };
    if (depth == 0 && !parts.back().empty() && (begins("<mo>+</mo>") || begins("<mo>−</mo>")))
      parts.emplace_back("<mo form=\"infix\"");
    const std::size_t end = mathml[k] == '<' ? mathml.find('>', k) + 1 : std::min(mathml.find('<', k), mathml.size());
    const std::string_view piece = std::string_view(mathml).substr(k, end - k);
    if (piece.starts_with("</")) --depth;
    if (piece.starts_with('<') && !piece.starts_with("</") && !piece.ends_with("/>")) ++depth;
    const bool sign_of_part = parts.back() == "<mo form=\"infix\"";
    parts.back() += sign_of_part ? piece.substr(3) : piece;  // without "<mo"
    k = end;
  }
  return parts;
}

constexpr std::string_view page_style =
    R"(body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222;
  font: 17px/1.55 "Latin Modern Roman", "Libertinus Serif", "STIX Two Text", Cambria, Georgia, "DejaVu Serif", serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; } td { padding: 0.1rem 1.2rem 0.1rem 0; vertical-align: baseline; }
.equation { margin: 0.5rem 0 0.5rem 1rem; overflow: auto hidden; padding-bottom: 0.3rem; } math { font-size: 1.05rem; }
@media print { body { max-width: none; margin: 0; font-size: 10.5pt; color: #000; } h2 { break-after: avoid; }
  tr { break-inside: avoid; } .equation { overflow: visible; } }
)";

class HtmlPrinter {
 public:
  explicit HtmlPrinter(const Form& form) : form_(form), names_(form) {}

  std::string print() {
    const std::string name = form_.name.empty() ? "the model" : html_escaped(form_.name);
    out_ = fmt::format(
        "<!DOCTYPE html>\n<!-- written by gyrostat derive, scalar form -->\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\"/>\n<title>Equations of motion of {0}</title>\n"
        "<style>\n{1}</style>\n</head>\n<body>\n<h1>Equations of motion of {0}</h1>\n",
        name, page_style);
    const std::string udot = "<mspace width=\"0.17em\"/><mover><mi>u</mi><mo>˙</mo></mover>";
    const std::string multiplied =
        form_.loops ? mo("−") + "<msup><mi>G</mi><mi>T</mi></msup><mspace width=\"0.17em\"/><mi>λ</mi>" : std::string();
    equation("<mi>M</mi>" + of("qp") + udot + multiplied + mo("=") + "<mi>f</mi>" + of("qupts"));
    if (form_.loops) equation("<mi>G</mi>" + of("qp") + udot + mo("=") + "<mi>γ</mi>" + of("qupts"));
    for (const std::string& note : form_.notes) out_ += fmt::format("<p>{}</p>\n", html_escaped(note));
    print_list("Coordinates q", form_.q, false);
    print_list("Speeds u", form_.u, false);
    print_list("Inputs s", form_.s, false);
    print_list("Parameters p, with their values in the model", form_.p, true);
    if (is_readable(form_)) {
      print_equations();
    } else {
      out_ += fmt::format(
          "<p>With {} free speeds the equations are too long to read: {} operations. "
          "They are written as C, Python or JSON.</p>\n",
          form_.nf(), operation_counts(form_)[2].count.all());
    }
    out_ += "<h2>Operations</h2>\n<table>\n";
    for (const NamedCount& c : operation_counts(form_)) {
      out_ += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", html_escaped(c.name), c.count.all(),
                          count_text(c.count));
    }
    out_ += "</table>\n</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  void equation(const std::string& mathml) {
    out_ += "<div class=\"equation\">";
    for (const std::string& part : breakable(mathml)) out_ += fmt::format("<math display=\"inline\">{}</math> ", part);
    out_ += "</div>\n";
  }

  /// Units with spaces for products, as the other form has them.
  static std::string spaced(std::string unit) {
    std::ranges::replace(unit, '*', ' ');
    return unit;
  }

  /// "(q, p)"
  static std::string of(std::string_view letters) {
    std::string text = mo("(");
    for (std::size_t k = 0; k < letters.size(); ++k)
      text += (k == 0 ? "" : mo(",")) + fmt::format("<mi>{}</mi>", letters[k]);
    return text + mo(")");
  }

  void print_list(const char* title, const std::vector<Variable>& list, bool values) {
    if (list.empty()) return;
    out_ += fmt::format("<h2>{}</h2>\n<table>\n", title);
    for (const Variable& v : list) {
      out_ += fmt::format("<tr><td><math>{}</math></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          mathml_name(names_.of(v.id)), html_escaped(v.name), values ? fmt::format("{}", v.value) : "",
                          html_escaped(derive::unit_text(spaced(v.unit), false)));
    }
    out_ += "</table>\n";
  }

  void print_equations() {
    const ReadableForm readable(form_);
    std::unordered_map<Id, std::string> temporaries;
    for (const Id id : readable.listing.temporaries()) {
      temporaries.emplace(id, fmt::format("<msub><mi>x</mi><mn>{}</mn></msub>", temporaries.size() + 1));
    }
    MathmlWriter writer(form_, readable.listing,
                        [&](Id id) { return names_.knows(id) ? mathml_name(names_.of(id)) : temporaries.at(id); });
    if (!temporaries.empty()) out_ += "<h2>Common sub-expressions</h2>\n";
    for (const Id id : readable.listing.temporaries()) {
      equation(temporaries.at(id) + mo("=") + writer.definition(id));
    }
    for (const Block& block : readable.blocks) {
      out_ += fmt::format("<h2>{}</h2>\n", block.title);
      const std::string letter = block.letter == "gamma" ? "γ" : block.letter;
      for (const auto& [value, row, column] : block.entries) {
        const std::string place = column == 0 ? fmt::format("{}", row) : fmt::format("{},{}", row, column);
        equation(fmt::format("<msub><mi>{}</mi><mtext>{}</mtext></msub>", letter, place) + mo("=") +
                 writer.text(value));
      }
    }
    for (std::size_t k = 0; form_.loops && k < form_.loops->rows.size(); ++k) {
      if (k == 0) out_ += "<h2>Rows of G, in their order</h2>\n";
      out_ += fmt::format("<p>{}: {}</p>\n", k + 1, html_escaped(form_.loops->rows[k]));
    }
    out_ += "<h2>Rows of M and f, in their order: the accelerations of</h2>\n";
    for (std::size_t k = 0; k < form_.nf(); ++k) {
      equation(fmt::format("<mn>{}</mn><mtext>: </mtext>", k + 1) + mathml_name(names_.of(form_.u[form_.free[k]].id)));
    }
    if (!form_.given.empty()) out_ += "<h2>Accelerations that are given</h2>\n";
    for (const Given& given : form_.given) {
      equation("<mover><mrow>" + mathml_name(names_.of(form_.u[given.u].id)) + "</mrow><mo>˙</mo></mover>" + mo("=") +
               writer.text(given.acceleration));
    }
  }

  const Form& form_;
  MathNames names_;
  std::string out_;
};

}  // namespace

std::string to_html(const Form& form) { return HtmlPrinter(form).print(); }

}  // namespace gyrostat::scalar
