#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/expression/syntax.h"
#include "gyrostat/expression/units.h"

namespace gyrostat::expression {

namespace {

struct FunctionEntry {
  std::string_view name;
  Operation operation;
  int operands;
};

constexpr std::array functions = {
    FunctionEntry{"sin", Operation::sin, 1},     FunctionEntry{"cos", Operation::cos, 1},
    FunctionEntry{"tan", Operation::tan, 1},     FunctionEntry{"asin", Operation::asin, 1},
    FunctionEntry{"acos", Operation::acos, 1},   FunctionEntry{"atan", Operation::atan, 1},
    FunctionEntry{"atan2", Operation::atan2, 2}, FunctionEntry{"sqrt", Operation::sqrt, 1},
    FunctionEntry{"exp", Operation::exp, 1},     FunctionEntry{"log", Operation::log, 1},
    FunctionEntry{"abs", Operation::abs, 1},     FunctionEntry{"sign", Operation::sign, 1},
    FunctionEntry{"min", Operation::min, 2},     FunctionEntry{"max", Operation::max, 2},
    FunctionEntry{"clamp", Operation::clamp, 3}, FunctionEntry{"deg", Operation::deg, 1},
    FunctionEntry{"rpm", Operation::rpm, 1},     FunctionEntry{"step", Operation::step, 1},
    FunctionEntry{"ramp", Operation::ramp, 1},   FunctionEntry{"pulse", Operation::pulse, 2},
    FunctionEntry{"table", Operation::table, 1}};

// ASCII only, whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Identifiers with dots between them.
bool is_dotted_name(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

/// Recursive descent. The first complaint ends it: what follows a syntax error says nothing reliable.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) { tree_.text = text; }

  Parsed run() {
    if (text_.size() > max_length) {
      complain(0, fmt::format("the expression has {} characters; the limit is {}", text_.size(), max_length));
    } else {
      expression();
      skip_space();
      if (!complaint_ && at_ < text_.size()) complain(at_, unexpected("an operator or the end"));
    }
    if (complaint_) tree_.nodes.clear();
    return {std::move(tree_), std::move(complaint_)};
  }

 private:
  using Index = std::uint32_t;

  Index expression() {
    const Index condition = comparison();
    skip_space();
    const std::size_t offset = at_;
    if (!take("?")) return condition;
    const Depth depth(*this);
    const Index yes = expression();
    if (!take(":")) return complain(at_, unexpected("':' of the conditional 'a ? b : c'"));
    const Index no = expression();
    return add(Operation::conditional, offset, condition, yes, no);
  }

  Index comparison() {
    const Index left = sum();
    const auto compared = comparison_sign();
    if (!compared) return left;
    const auto [operation, offset] = *compared;
    const Index right = sum();
    const std::size_t second = at_;
    if (!complaint_ && comparison_sign()) {
      return complain(second, "comparisons cannot be chained; write (a < b)*(b < c)");
    }
    return add(operation, offset, left, right);
  }

  std::optional<std::pair<Operation, std::size_t>> comparison_sign() {
    skip_space();
    const std::size_t offset = at_;
    static constexpr std::array<std::pair<std::string_view, Operation>, 6> signs = {{{"<=", Operation::less_equal},
                                                                                     {">=", Operation::greater_equal},
                                                                                     {"==", Operation::equal},
                                                                                     {"!=", Operation::not_equal},
                                                                                     {"<", Operation::less},
                                                                                     {">", Operation::greater}}};
    for (const auto& [sign, operation] : signs) {
      if (take(sign)) return std::pair{operation, offset};
    }
    return std::nullopt;
  }

  Index sum() {
    Index left = product();
    while (!complaint_) {
      skip_space();
      const std::size_t offset = at_;
      if (take("+")) {
        left = add(Operation::add, offset, left, product());
      } else if (take("-")) {
        left = add(Operation::subtract, offset, left, product());
      } else {
        break;
      }
    }
    return left;
  }

  Index product() {
    Index left = unary();
    while (!complaint_) {
      skip_space();
      const std::size_t offset = at_;
      if (text_.substr(at_, 2) == "**") return complain(at_, "'**' is not an operator; a power is written x^y");
      if (take("*")) {
        left = add(Operation::multiply, offset, left, unary());
      } else if (take("/")) {
        left = add(Operation::divide, offset, left, unary());
      } else {
        break;
      }
    }
    return left;
  }

  Index unary() {
    if (complaint_) return 0;
    skip_space();
    const std::size_t offset = at_;
    const bool minus = take("-");
    if (!minus && !take("+")) return power();
    const Depth depth(*this);
    const Index operand = unary();
    return minus ? add(Operation::negate, offset, operand) : operand;
  }

  Index power() {
    const Index base = primary();
    skip_space();
    const std::size_t offset = at_;
    if (complaint_ || !take("^")) return base;
    const Depth depth(*this);
    return add(Operation::power, offset, base, unary());
  }

  Index primary() {
    skip_space();
    if (at_ == text_.size()) return complain(at_, unexpected("a number, a name or '('"));
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_letter(c)) return name_or_call();
    if (!take("(")) return complain(at_, unexpected("a number, a name or '('"));
    const Depth depth(*this);
    const Index inside = expression();
    if (!complaint_ && !take(")")) return complain(at_, unexpected("')'"));
    return inside;
  }

  Index number() {
    const std::size_t offset = at_;
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{})
      return complain(offset, "the number cannot be represented (beyond 1e308 or below 1e-308)");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) {
      const std::string_view word = text_.substr(offset, word_end() - offset), tail = word.substr(at_ - offset);
      const bool unit = !parse_unit(tail).complaint;
      return complain(offset, fmt::format("'{}' is neither a number nor a name{}", word,
                                          unit ? fmt::format("; a unit stands behind a space: '{} {}'",
                                                             word.substr(0, at_ - offset), tail)
                                               : ""));
    }
    const Index index = add(Operation::number, offset);
    if (!complaint_) tree_.nodes[index].value = value;
    return index;
  }

  std::size_t word_end() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    return end;
  }

  Index name_or_call() {
    const std::size_t offset = at_;
    at_ = word_end();
    const std::string_view name = text_.substr(offset, at_ - offset);
    skip_space();
    if (at_ < text_.size() && text_[at_] == '(') return call(name, offset);
    if (!is_dotted_name(name)) return complain(offset, fmt::format("'{}' is not a name", name));
    const Index index = add(Operation::name, offset);
    if (!complaint_) set_name(index, intern(name), offset);
    return index;
  }

  Index call(std::string_view name, std::size_t offset) {
    const auto operation = function_named(name);
    if (!operation) {
      std::vector<std::string_view> known;
      for (const auto& f : functions) known.push_back(f.name);
      return complain(offset, fmt::format("no function '{}'{}", name, did_you_mean(name, known)));
    }
    take("(");
    const Depth depth(*this);
    std::uint32_t table_name = 0;
    std::size_t table_offset = 0;
    if (*operation == Operation::table) {  // table(NAME, x)
      skip_space();
      const std::size_t start = at_;
      at_ = word_end();
      const std::string_view argument = text_.substr(start, at_ - start);
      if (!is_identifier(argument)) return complain(start, "table(NAME, x) begins with the name of a table");
      table_name = intern(argument);
      table_offset = start;
      if (!take(",")) return complain(at_, unexpected("',' and the argument of the table"));
    }
    std::vector<Index> operands;
    while (!complaint_) {
      operands.push_back(expression());
      if (!take(",")) break;
    }
    if (complaint_) return 0;
    if (!take(")")) return complain(at_, unexpected("',' or ')'"));
    const bool any_number = *operation == Operation::min || *operation == Operation::max;
    const auto expected = static_cast<std::size_t>(operand_count(*operation));
    if (any_number ? operands.size() < 2 : operands.size() != expected) {
      const bool is_table = *operation == Operation::table;
      return complain(offset, fmt::format("{} takes {}{} argument{}, got {}", name, any_number ? "at least " : "",
                                          expected + (is_table ? 1 : 0), expected == 1 && !is_table ? "" : "s",
                                          operands.size() + (is_table ? 1 : 0)));
    }
    if (any_number) {
      Index result = operands[0];
      for (std::size_t i = 1; i < operands.size(); ++i) result = add(*operation, offset, result, operands[i]);
      return result;
    }
    operands.resize(3, 0);
    const Index index = add(*operation, offset, operands[0], operands[1], operands[2]);
    if (!complaint_) set_name(index, table_name, table_offset);
    return index;
  }

  Index add(Operation operation, std::size_t offset, Index a = 0, Index b = 0, Index c = 0) {
    if (complaint_) return 0;
    tree_.nodes.push_back({operation, static_cast<std::uint32_t>(offset), {a, b, c}, 0, 0, 0});
    return static_cast<Index>(tree_.nodes.size() - 1);
  }

  void set_name(Index index, std::uint32_t name, std::size_t offset) {
    tree_.nodes[index].name = name;
    tree_.nodes[index].name_offset = static_cast<std::uint32_t>(offset);
  }

  std::uint32_t intern(std::string_view name) {
    const auto found = std::find(tree_.names.begin(), tree_.names.end(), name);
    if (found != tree_.names.end()) return static_cast<std::uint32_t>(found - tree_.names.begin());
    tree_.names.emplace_back(name);
    return static_cast<std::uint32_t>(tree_.names.size() - 1);
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool take(std::string_view token) {
    if (complaint_) return false;
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Index complain(std::size_t offset, std::string message) {
    if (!complaint_) complaint_ = Complaint{offset, std::move(message)};
    return 0;
  }

  std::string unexpected(std::string_view expected) const {
    if (at_ >= text_.size()) return fmt::format("expected {}, but the expression ends", expected);
    if (text_[at_] == '=') return fmt::format("expected {}, got '='; a comparison is written '=='", expected);
    if (is_letter(text_[at_]) && !parse_unit(text_.substr(at_, word_end() - at_)).complaint) {
      return fmt::format(
          "'{}' looks like a unit, which only a number by itself may have; in a formula write deg(x), rpm(x), or "
          "a parameter with that unit",
          text_.substr(at_, word_end() - at_));
    }
    if (text_[at_] == '&' || text_[at_] == '|') {
      return fmt::format("'{}' is not an operator; write (a)*(b) for and, max(a, b) for or", text_[at_]);
    }
    std::size_t end = at_ + 1;  // a whole UTF-8 character
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return fmt::format("expected {}, got '{}'", expected, text_.substr(at_, end - at_));
  }

  /// Counts how deep the recursion is; complains rather than overflow the stack.
  class Depth {
   public:
    explicit Depth(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_depth) {
        parser_.complain(parser_.at_, fmt::format("nested too deeply; the limit is {} levels", max_depth));
      }
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Parser& parser_;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression tree_;
  std::optional<Complaint> complaint_;
};

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).run(); }

Expression constant(double value) {
  Expression e;
  e.text = fmt::format("{}", value);
  e.nodes.push_back({Operation::number, 0, {}, 0, 0, value});
  return e;
}

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::number:
    case Operation::name: return 0;
    case Operation::negate: return 1;
    case Operation::conditional: return 3;
    default: break;
  }
  for (const auto& f : functions) {
    if (f.operation == operation) return f.operands;
  }
  return 2;
}

std::optional<Operation> function_named(std::string_view name) {
  for (const auto& f : functions) {
    if (f.name == name) return f.operation;
  }
  return std::nullopt;
}

std::string_view function_name(Operation operation) {
  for (const auto& f : functions) {
    if (f.operation == operation) return f.name;
  }
  return {};
}

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

}  // namespace gyrostat::expression
