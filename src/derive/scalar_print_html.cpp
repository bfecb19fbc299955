#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/html_page.h"
#include "gyrostat/derive/notation.h"
#include "gyrostat/derive/scalar_document.h"

namespace gyrostat::scalar {

namespace {

std::string html_escaped(std::string_view text) { return derive::html_text(one_line(text)); }

std::string mathml_name(const MathName& name) {
  const bool greek = !name.index.empty();
  const std::string written = name.letter == "omega" && greek    ? "ω"
                              : name.letter == "lambda" && greek ? "λ"
                              : name.letter == "q0" && greek     ? "q⁰"
                                                                 : html_escaped(name.letter);
  const bool sign = written != html_escaped(name.letter);  // and not a parameter's own name, or a field's
  const bool word = !sign && name.letter.size() > 1;
  std::string letter = fmt::format("<mi{}>{}</mi>", word ? " mathvariant=\"normal\"" : "", written);
  if (name.rate) letter = fmt::format("<mover accent=\"true\">{}<mo class=\"dot\">˙</mo></mover>", letter);
  return name.index.empty()
             ? letter
             : fmt::format("<msub>{}<mrow><mtext>{}</mtext></mrow></msub>", letter, html_escaped(name.index));
}

std::string mo(std::string_view sign) { return fmt::format("<mo>{}</mo>", sign); }

const std::string minus_sign = "<mo form=\"prefix\">−</mo>";  // of a number or a first term

/// Around a formula that stays in the row it stands in.
const std::string opening = "<mo stretchy=\"false\" form=\"prefix\">(</mo>",
                  closing = "<mo stretchy=\"false\" form=\"postfix\">)</mo>";

class MathmlWriter : public MathWriter {
 public:
  MathmlWriter(const Form& form, const Listing& listing, NameOf name)
      : MathWriter(form.graph, listing, std::move(name)), form_(form) {}

 protected:
  /// Without a row of its own, so that lines can be broken inside.
  std::string wrapped(const std::string& text) const override { return opening + text + closing; }
  std::string number(double value) const override {
    return (value < 0 ? minus_sign : "") + derive::mathml_number(number_text(std::abs(value)));
  }
  std::string power(const std::string& base, const std::string& exponent) const override {
    const bool digits = exponent.find_first_not_of("0123456789") == std::string::npos;
    return fmt::format("<msup><mrow>{}</mrow>{}</msup>", base,
                       digits ? "<mn>" + exponent + "</mn>" : "<mrow>" + exponent + "</mrow>");
  }
  /// The exponent above the index.
  std::string power_of_name(const std::string& name, const std::string& exponent) const override {
    constexpr std::string_view begin = "<msub>", end = "</msub>";
    const std::size_t first = name.find(begin), last = name.rfind(end);
    if (first == std::string::npos || last == std::string::npos) return power(name, exponent);
    return fmt::format("{}<msubsup>{}<mn>{}</mn></msubsup>{}", name.substr(0, first),
                       name.substr(first + begin.size(), last - first - begin.size()), exponent,
                       name.substr(last + end.size()));
  }
  std::string power_of_call(std::string_view function, const std::string& operand,
                            const std::string& exponent) const override {
    return fmt::format("<mrow><msup><mi mathvariant=\"normal\">{}</mi><mn>{}</mn></msup>{}</mrow>", function, exponent,
                       wrapped(operand));
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) text += (text.empty() ? "" : "<mspace width=\"0.17em\"/>") + factor;
    return text;
  }
  std::string sum(const std::vector<std::pair<bool, std::string>>& terms) const override {
    std::string text;
    for (const auto& [negative, term] : terms) {
      text += text.empty() ? (negative ? minus_sign : "") : mo(negative ? "−" : "+");
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
    return fmt::format("<mrow><mi mathvariant=\"normal\">{}</mi>{}</mrow>", function, wrapped(text));
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
    const std::string begin = "<mrow><mo>{</mo><mtable class=\"cases\">", end = "</mtable></mrow>";
    const std::string if_text = "<mtext>if&#160;</mtext>";
    const std::string first = fmt::format("{}<mtr><mtd>{}</mtd><mtd>{}{}</mtd></mtr>", begin, yes, if_text, condition);
    // A choice in place of "otherwise" goes on with lines of its own.
    if (no.starts_with(begin) && no.find(end) == no.size() - end.size()) {
      std::string lines = no.substr(begin.size());
      lines.replace(lines.find(if_text), if_text.size(), "<mtext>else if&#160;</mtext>");
      return first + lines;
    }
    return fmt::format("{}<mtr><mtd>{}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>{}", first, no, end);
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
  // The blank before a part is the space before its sign.
  constexpr std::string_view sign_of_part = "<mo form=\"infix\" lspace=\"0\"";
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t k = 0; k < mathml.size();) {
    const auto begins = [&](std::string_view text) { return mathml.compare(k, text.size(), text) == 0; };
    if (depth == 0 && !parts.back().empty() && (begins("<mo>+</mo>") || begins("<mo>−</mo>")))
      parts.emplace_back(sign_of_part);
    const std::size_t end = mathml[k] == '<' ? mathml.find('>', k) + 1 : std::min(mathml.find('<', k), mathml.size());
    const std::string_view piece = std::string_view(mathml).substr(k, end - k);
    if (piece.starts_with("</")) --depth;
    if (piece.starts_with('<') && !piece.starts_with("</") && !piece.ends_with("/>")) ++depth;
    parts.back() += parts.back() == sign_of_part ? piece.substr(3) : piece;  // without "<mo"
    k = end;
  }
  return parts;
}

class HtmlFormPrinter : public FormPrinter {
 public:
  explicit HtmlFormPrinter(const Form& form) : FormPrinter(form) {
    std::size_t number = 0;
    for (const auto* list : {&form.q, &form.u, &form.s, &form.p}) {
      for (const Variable& v : *list) numbers_.emplace(key_of(names_.of(v.id)), ++number);
    }
  }

 protected:
  void begin() override {
    const std::string heading = "Equations of motion of " + html_escaped(subject());
    out_ = fmt::format(derive::html_head, heading, derive::html_style);
    out_ += fmt::format(
        "<header><h1>{}</h1>\n<p class=\"by\">Scalar form, by gyrostat derive. A symbol leads to its "
        "definition.</p>\n",
        heading);
    out_ += derive::html_tree(form_.tree) + "</header>\n";
    const std::string udot = thin + dotted("<mi>u</mi>");
    const std::string multiplied = form_.loops ? mo("−") + transposed_G + thin + "<mi>λ</mi>" : std::string();
    equation("<mi>M</mi>" + of("qp") + udot + multiplied + mo("=") + "<mi>f</mi>" + of("qupts"));
    if (form_.loops) equation("<mi>G</mi>" + of("qp") + udot + mo("=") + "<mi>γ</mi>" + of("qupts"));
  }
  void note(const std::string& sentence) override { out_ += fmt::format("<p>{}</p>\n", html_escaped(sentence)); }
  void derivatives(const std::string& title) override {
    heading(title);
    const auto by_x = [](const std::string& what) {
      return fmt::format("<mfrac><mrow><mo>∂</mo>{}</mrow><mrow><mo>∂</mo><mi>x</mi></mrow></mfrac>", what);
    };
    const std::string udot = by_x(dotted("<mi>u</mi>"));
    equation("<mi>M</mi>" + thin + udot + (form_.loops ? mo("−") + transposed_G + thin + by_x("<mi>λ</mi>") : "") +
             mo("=") + "<mi>R</mi>");
    if (form_.loops) equation("<mi>G</mi>" + thin + udot + mo("=") + "<mi>S</mi>");
  }
  void variables(const std::string& title, const std::vector<Variable>& list, bool values) override {
    if (list.empty()) return;
    heading(title);
    out_ += "<table class=\"symbols\">\n";
    for (const Variable& v : list) {
      const std::string unit = v.unit == "1" ? "" : html_escaped(derive::unit_text(spaced(v.unit), false));
      out_ += fmt::format(
          "<tr id=\"s-{}\"><td><math>{}</math></td><td class=\"meaning\">{}</td><td>{}<span "
          "class=\"unit\">{}</span></td></tr>\n",
          numbers_.at(key_of(names_.of(v.id))), mathml_name(names_.of(v.id)), html_escaped(v.name),
          values ? derive::html_number(number_text(v.value)) + " " : "", unit);
    }
    out_ += "</table>\n";
  }
  void formulas(const std::string& title, const std::vector<Formula>& list) override {
    if (list.empty()) return;
    heading(title);
    for (const Formula& f : list) equation(f.left + mo("=") + f.right);
  }
  void names(const std::string& title, const std::vector<std::string>& list) override {
    heading(title);
    out_ += "<p>";
    for (std::size_t k = 0; k < list.size(); ++k) out_ += fmt::format("{}<math>{}</math>", k == 0 ? "" : ", ", list[k]);
    out_ += "</p>\n";
  }
  void texts(const std::string& title, const std::string& /*one*/, const std::vector<std::string>& list) override {
    heading(title);
    out_ += "<ol>\n";
    for (const std::string& text : list) out_ += fmt::format("<li>{}</li>\n", html_escaped(text));
    out_ += "</ol>\n";
  }
  void counts(const std::vector<NamedCount>& list) override {
    heading("Operations");
    out_ += "<table class=\"symbols\">\n";
    for (const NamedCount& c : list) {
      out_ += fmt::format("<tr><td>{}</td><td class=\"meaning\">{}</td><td>{}</td></tr>\n", html_escaped(c.name),
                          count_text(c.count), c.count.all());
    }
    out_ += "</table>\n";
  }
  void end() override {
    out_ += fmt::format("<div id=\"tip\" role=\"status\" hidden=\"hidden\"></div>\n<script>{}</script>\n",
                        derive::html_script);
    out_ += "</main></body></html>\n";
  }

  /// With its place in the lists.
  std::string name(const MathName& name) const override {
    const auto number = numbers_.find(key_of(name));
    return number == numbers_.end()
               ? mathml_name(name)
               : fmt::format("<mrow class=\"s\" data-s=\"{}\">{}</mrow>", number->second, mathml_name(name));
  }
  std::string temporary(std::size_t number) const override {
    return fmt::format("<msub><mi>x</mi><mn>{}</mn></msub>", number);
  }
  std::string entry(const Block& block, const Block::Entry& of) const override {
    const std::string letter = block.letter == "gamma" ? "γ" : block.letter;
    const std::string place = of.column == 0 ? fmt::format("{}", of.row) : fmt::format("{},{}", of.row, of.column);
    return fmt::format("<msub><mi>{}</mi><mrow><mtext>{}</mtext></mrow></msub>", letter, place);
  }
  std::string rate_of(const MathName& speed) const override { return mathml_name({speed.letter, speed.index, true}); }
  std::unique_ptr<MathWriter> writer(const Listing& listing, Writer::NameOf name) const override {
    return std::make_unique<MathmlWriter>(form_, listing, std::move(name));
  }

 private:
  inline static const std::string thin = "<mspace width=\"0.17em\"/>";
  inline static const std::string transposed_G = "<msup><mi>G</mi><mi>T</mi></msup>";

  static std::string dotted(const std::string& letter) {
    return "<mover accent=\"true\">" + letter + "<mo class=\"dot\">˙</mo></mover>";
  }
  /// Derivatives lead to what they are derivatives of.
  static std::string key_of(const MathName& name) { return name.letter + "_" + name.index; }
  void heading(const std::string& title) {
    const auto letter = [](const std::string& name) {
      return name == "gamma" ? std::string("<i>γ</i>") : "<i>" + name + "</i>";
    };
    out_ += fmt::format("<h2>{}</h2>\n", with_letters(html_escaped(title), letter));
  }
  void equation(const std::string& mathml) {
    out_ += "<div class=\"formula hanging\">";
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
    std::string text = "<mspace width=\"0.06em\"/>" + opening;
    for (std::size_t k = 0; k < letters.size(); ++k)
      text += (k == 0 ? "" : mo(",")) + fmt::format("<mi>{}</mi>", letters[k]);
    return text + closing;
  }

  std::unordered_map<std::string, std::size_t> numbers_;  // of symbols in the lists
};

}  // namespace

std::string to_html(const Form& form) { return HtmlFormPrinter(form).print(); }

}  // namespace gyrostat::scalar
