#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_math.h"

namespace gyrostat::scalar {

namespace {

constexpr std::size_t line_width = 80;

std::string plain_name(const MathName& name, bool ascii) {
  const std::string letter = name.letter != "omega" || name.index.empty() ? name.letter : ascii ? "w" : "ω";
  return one_line(name.index.empty() ? letter : letter + "_" + name.index);
}

class TextWriter : public MathWriter {
 public:
  TextWriter(const Form& form, const Listing& listing, NameOf name, bool ascii)
      : MathWriter(form.graph, listing, std::move(name)), form_(form), ascii_(ascii) {}

 protected:
  std::string number(double value) const override { return fmt::format("{}", value); }
  std::string power(const std::string& base, const std::string& exponent) const override {
    if (!ascii_ && exponent == "2") return base + "²";
    if (!ascii_ && exponent == "3") return base + "³";
    return base + "^" + (exponent.size() == 1 ? exponent : "(" + exponent + ")");
  }
  std::string product(const std::vector<std::string>& factors) const override {
    std::string text;
    for (const std::string& factor : factors) text += (text.empty() ? "" : ascii_ ? "*" : "·") + factor;
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

class TextPrinter {
 public:
  TextPrinter(const Form& form, bool ascii) : form_(form), names_(form), ascii_(ascii) {}

  std::string print() {
    out_ += fmt::format("Equations of motion of {}\n", form_.name.empty() ? "the model" : one_line(form_.name));
    const std::string udot = ascii_ ? "udot" : "u̇", lambda = ascii_ ? "lambda" : "λ", gamma = ascii_ ? "gamma" : "γ";
    out_ += form_.loops
                ? fmt::format("M(q, p) {0} - G(q, p)^T {1} = f(q, u, p, t, s)\nG(q, p) {0} = {2}(q, u, p, t, s)", udot,
                              lambda, gamma)
                : fmt::format("M(q, p) {} = f(q, u, p, t, s)", udot);
    out_ += "    (gyrostat derive --form scalar)\n";
    for (const std::string& note : form_.notes) out_ += "\n" + broken(one_line(note), 2);
    print_list("Coordinates q", form_.q, false);
    print_list("Speeds u", form_.u, false);
    print_list("Inputs s", form_.s, false);
    print_list("Parameters p, with their values in the model", form_.p, true);
    if (is_readable(form_)) {
      print_equations();
    } else {
      out_ += fmt::format(
          "\nWith {} free speeds the equations are too long to read: {} operations.\n"
          "--format c, python or json writes them.\n",
          form_.nf(), operation_counts(form_)[2].count.all());
    }
    out_ += "\nOperations\n";
    for (const NamedCount& c : operation_counts(form_)) {
      out_ += broken(fmt::format("  {}: {}: {}", c.name, c.count.all(), count_text(c.count)), 4);
    }
    return std::move(out_);
  }

 private:
  void print_list(const char* title, const std::vector<Variable>& list, bool values) {
    if (list.empty()) return;
    out_ += fmt::format("\n{}\n", title);
    std::size_t symbol = 1, name = 1, unit = 1;
    for (const Variable& v : list) {
      symbol = std::max(symbol, columns_of(plain_name(names_.of(v.id), ascii_)));
      name = std::max(name, columns_of(one_line(v.name)));
      unit = std::max(unit, v.unit.size());
    }
    const auto padded = [](const std::string& text, std::size_t width) {
      return text + std::string(width - std::min(width, columns_of(text)), ' ');
    };
    for (const Variable& v : list) {
      std::string line = "  " + padded(plain_name(names_.of(v.id), ascii_), symbol) + "  " +
                         padded(one_line(v.name), name) + "  " + padded(v.unit, unit);
      if (values) line += fmt::format("  {}", v.value);
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += line + "\n";
    }
  }

  void print_equations() {
    const ReadableForm readable(form_);
    std::unordered_map<Id, std::string> temporaries;
    for (const Id id : readable.listing.temporaries()) {
      temporaries.emplace(id, fmt::format("x{}", temporaries.size() + 1));
    }
    TextWriter writer(
        form_, readable.listing,
        [&](Id id) { return names_.knows(id) ? plain_name(names_.of(id), ascii_) : temporaries.at(id); }, ascii_);
    if (!temporaries.empty()) out_ += "\nwith\n";
    for (const Id id : readable.listing.temporaries()) {
      out_ += broken(fmt::format("  {} = {}", temporaries.at(id), writer.definition(id)), 6);
    }
    for (const Block& block : readable.blocks) {
      const std::string letter = block.letter == "gamma" && !ascii_ ? "γ" : block.letter;
      out_ += fmt::format("\n{}\n", block.title);
      for (const auto& [value, row, column] : block.entries) {
        const std::string place = column == 0 ? fmt::format("{}", row) : fmt::format("{},{}", row, column);
        out_ += broken(fmt::format("  {}[{}] = {}", letter, place, writer.text(value)), 6);
      }
    }
    std::string rows;
    for (std::size_t k = 0; k < form_.nf(); ++k) {
      rows += fmt::format("{}{}", k == 0 ? "" : ", ", plain_name(names_.of(form_.u[form_.free[k]].id), ascii_));
    }
    out_ += "\n" + broken("Rows of M and f, in their order: the accelerations of " + rows, 2);
    for (std::size_t k = 0; form_.loops && k < form_.loops->rows.size(); ++k) {
      out_ += broken(fmt::format("Row {} of G: {}", k + 1, one_line(form_.loops->rows[k])), 2);
    }
    for (const Given& given : form_.given) {
      out_ += broken(fmt::format("The acceleration of {} is given: {}",
                                 plain_name(names_.of(form_.u[given.u].id), ascii_), writer.text(given.acceleration)),
                     2);
    }
  }

  const Form& form_;
  MathNames names_;
  bool ascii_;
  std::string out_;
};

}  // namespace

std::string to_text(const Form& form, bool ascii) { return TextPrinter(form, ascii).print(); }

}  // namespace gyrostat::scalar
