#include "gyrostat/expression/print.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gyrostat::expression {

namespace {

/// How tightly an operation binds; an operand that binds less tightly goes in parentheses.
enum Binding { conditional, disjunction, conjunction, comparison, sum, product, sign, power, atom };

struct Piece {
  std::string text;
  Binding binding = atom;
};

std::string wrapped(Piece&& piece, Binding needed, std::string_view open, std::string_view close) {
  if (piece.binding >= needed) return std::move(piece.text);
  return fmt::format("{}{}{}", open, piece.text, close);
}

/// One pass over the array, operands first: no recursion, whatever the depth of the tree.
template <class Print>
std::string print_tree(const Expression& expression, Print print) {
  std::vector<Piece> pieces(expression.nodes.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Node& node = expression.nodes[i];
    std::array<Piece, 3> operands;
    for (int k = 0; k < operand_count(node.operation); ++k) {
      operands[static_cast<std::size_t>(k)] = pieces[node.operand[k]];  // a node may have several users
    }
    pieces[i] = print(node, std::move(operands));
  }
  return pieces.empty() ? "" : std::move(pieces.back().text);
}

std::string_view comparison_sign(Operation operation) {
  switch (operation) {
    case Operation::less: return "<";
    case Operation::less_equal: return "<=";
    case Operation::greater: return ">";
    case Operation::greater_equal: return ">=";
    case Operation::equal: return "==";
    case Operation::not_equal: return "!=";
    default: return {};
  }
}

constexpr std::array<std::string_view, 24> greek = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta",     "theta", "iota", "kappa", "lambda", "mu",
    "nu",    "xi",   "pi",    "rho",   "sigma",   "tau",  "upsilon", "phi",   "chi",  "psi",   "omega",  "Omega"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string latex_escaped(std::string_view word) {
  std::string escaped;
  for (const char c : word) escaped += c == '_' ? "\\_" : std::string(1, c);
  return escaped;
}

std::string latex_word(std::string_view word) {
  if (std::find(greek.begin(), greek.end(), word) != greek.end()) return fmt::format("\\{}", word);
  if ((word.size() == 1 && word != "_") || word.find_first_not_of("0123456789") == std::string_view::npos)
    return std::string(word);
  return fmt::format("\\mathrm{{{}}}", latex_escaped(word));
}

/// omega_x -> \omega_{x}; theta1 -> \theta_{1}; bus.omega_x -> \mathrm{bus}.\omega_{x}
std::string latex_name(std::string_view name) {
  std::string text;
  while (true) {
    const std::size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    std::size_t cut = part.find('_');
    std::size_t rest = cut == std::string_view::npos ? cut : cut + 1;
    if (cut == std::string_view::npos) {
      const std::size_t letters = part.find_last_not_of("0123456789");
      if (letters != std::string_view::npos && letters + 1 < part.size()) cut = rest = letters + 1;
    }
    const bool split = cut != std::string_view::npos && cut > 0 && rest < part.size();
    text += split ? fmt::format("{}_{{{}}}", latex_word(part.substr(0, cut)), latex_word(part.substr(rest)))
                  : latex_word(part);
    if (dot == std::string_view::npos) return text;
    text += ".";
    name.remove_prefix(dot + 1);
  }
}

std::string latex_number(double value) {
  std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{}\\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string_view latex_comparison(Operation operation) {
  switch (operation) {
    case Operation::less_equal: return "\\le";
    case Operation::greater_equal: return "\\ge";
    case Operation::equal: return "=";
    case Operation::not_equal: return "\\ne";
    default: return comparison_sign(operation);
  }
}

Piece latex_piece(const Expression& expression, const Node& node, std::array<Piece, 3> o) {
  const auto in = [&](std::size_t k, Binding needed) {
    return wrapped(std::move(o[k]), needed, "\\left(", "\\right)");
  };
  const auto call = [&](std::string_view function) {
    std::string text = fmt::format("{}\\left(", function);
    for (int k = 0; k < operand_count(node.operation); ++k) {
      text += (k > 0 ? ", " : "") + o[static_cast<std::size_t>(k)].text;
    }
    return Piece{text + "\\right)", atom};
  };
  switch (node.operation) {
    case Operation::number: {
      std::string text = latex_number(node.value);
      const Binding binding = text.find("cdot") != std::string::npos ? product : atom;
      return {std::move(text), binding};
    }
    case Operation::name: return {latex_name(expression.names[node.name]), atom};
    case Operation::negate: return {"-" + in(0, product), sum};
    case Operation::add: return {in(0, sum) + " + " + in(1, product), sum};
    case Operation::subtract: return {in(0, sum) + " - " + in(1, product), sum};
    case Operation::multiply: {
      const std::string left = in(0, product), right = in(1, product);
      const bool two_numbers = is_digit(left.back()) && is_digit(right.front());
      return {left + (two_numbers ? " \\cdot " : " \\, ") + right, product};
    }
    case Operation::divide: return {fmt::format("\\frac{{{}}}{{{}}}", o[0].text, o[1].text), power};
    case Operation::power: return {fmt::format("{}^{{{}}}", in(0, atom), o[1].text), power};
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
      return {fmt::format("{} {} {}", in(0, sum), latex_comparison(node.operation), in(1, sum)), comparison};
    case Operation::conditional:
      return {fmt::format("\\begin{{cases}}{} & \\text{{if }} {} \\\\ {} & \\text{{otherwise}}\\end{{cases}}",
                          o[1].text, o[0].text, o[2].text),
              atom};
    case Operation::logical_and: return {in(0, conjunction) + " \\land " + in(1, conjunction), conjunction};
    case Operation::logical_or: return {in(0, disjunction) + " \\lor " + in(1, disjunction), disjunction};
    case Operation::logical_not: return {"\\lnot " + in(0, product), comparison};
    case Operation::floor: return {fmt::format("\\left\\lfloor {} \\right\\rfloor", o[0].text), atom};
    case Operation::sqrt: return {fmt::format("\\sqrt{{{}}}", o[0].text), atom};
    case Operation::abs: return {fmt::format("\\left|{}\\right|", o[0].text), atom};
    case Operation::deg: return {in(0, atom) + "^{\\circ}", power};
    case Operation::rpm: return {in(0, atom) + " \\, \\mathrm{rpm}", product};
    case Operation::sin:
    case Operation::cos:
    case Operation::tan:
    case Operation::sinh:
    case Operation::cosh:
    case Operation::tanh:
    case Operation::exp:
    case Operation::log:
    case Operation::min:
    case Operation::max: return call(fmt::format("\\{}", function_name(node.operation)));
    case Operation::asin: return call("\\arcsin");
    case Operation::acos: return call("\\arccos");
    case Operation::atan: return call("\\arctan");
    case Operation::table: return call(latex_name(expression.names[node.name]));
    case Operation::vector: return call("");
    case Operation::component: return {fmt::format("{{{}}}_{{{}}}", in(0, atom), "xyz"[node.name]), atom};
    case Operation::dot: return {in(0, power) + " \\cdot " + in(1, power), product};
    case Operation::cross: return {in(0, power) + " \\times " + in(1, power), product};
    case Operation::norm: return {fmt::format("\\left\\|{}\\right\\|", o[0].text), atom};
    case Operation::in:
    case Operation::euler_angles: {
      std::string_view named = expression.names[node.name];  // the attitude of a body, or a sequence of axes
      if (node.operation == Operation::in) named = named.substr(0, named.rfind('.'));
      o[0].text.insert(0, latex_name(named) + ", ");
      return call(fmt::format("\\operatorname{{{}}}", latex_escaped(function_name(node.operation))));
    }
    default: return call(fmt::format("\\operatorname{{{}}}", latex_escaped(function_name(node.operation))));
  }
}

}  // namespace

std::string to_text(const Expression& expression) {
  return expression.part == 0 ? expression.text : fmt::format("({}).{}", expression.text, expression.part);
}

bool needs_brackets(const Expression& expression, bool subtracted) {
  switch (expression.nodes.back().operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::negate: return subtracted;
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
    case Operation::conditional:
    case Operation::logical_and:
    case Operation::logical_or:
    case Operation::logical_not: return true;
    default: return subtracted && expression.text.starts_with('-');  // a number
  }
}

std::string to_latex(const Expression& expression) {
  if (const std::size_t part = std::string_view("xyz").find(expression.part);
      expression.part != 0 && part != std::string_view::npos) {
    // Taken apart, a vector may be long.
    Expression whole = parse(expression.text).expression;
    if (!whole.empty()) {
      Node component{Operation::component, 0, {static_cast<std::uint32_t>(whole.nodes.size() - 1)}, 0, 0, 0, 0};
      component.name = static_cast<std::uint32_t>(part);
      whole.nodes.push_back(component);
      return to_latex(whole);
    }
  }
  return print_tree(expression, [&](const Node& node, std::array<Piece, 3> operands) {
    return latex_piece(expression, node, std::move(operands));
  });
}

}  // namespace gyrostat::expression
