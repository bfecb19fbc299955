#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "gyrostat/expression/functions.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/expression/syntax.h"
#include "gyrostat/expression/units.h"

namespace gyrostat::expression {

namespace {

/// What stands before the first argument: the name of a table, a body, or nothing.
std::string_view name_before(Operation operation) {
  if (operation == Operation::table) return "table(NAME, x) begins with the name of a table";
  if (operation == Operation::in) return "in(BODY, v) begins with the name of a body, or with world or orbit";
  return {};
}

// ASCII only, whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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

  struct Named {
    std::uint32_t name = 0;  // index into the names
    std::size_t offset = 0;  // where it is written
  };

  Index expression() {
    const Index condition = disjunction();
    skip_space();
    const std::size_t offset = at_;
    if (!take("?")) return condition;
    const Depth depth(*this);
    const Index yes = expression();
    if (!take(":")) return complain(at_, unexpected("':' of the conditional 'a ? b : c'"));
    const Index no = expression();
    return add(Operation::conditional, offset, condition, yes, no);
  }

  Index disjunction() {
    return in_a_row("or", Operation::logical_or, [this] { return conjunction(); });
  }
  Index conjunction() {
    return in_a_row("and", Operation::logical_and, [this] { return negation(); });
  }

  template <class Operand>
  Index in_a_row(std::string_view word, Operation operation, Operand operand) {
    Index left = operand();
    while (!complaint_) {
      skip_space();
      const std::size_t offset = at_;
      if (!take_word(word)) break;
      left = add(operation, offset, left, operand());
    }
    return left;
  }

  Index negation() {
    skip_space();
    const std::size_t offset = at_;
    if (complaint_ || !take_word("not")) return comparison();
    skip_space();
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    if (!is_letter(next) && !is_digit(next) && next != '(') {  // something that is called `not`
      at_ = offset;
      return comparison();
    }
    const Depth depth(*this);
    const Index operand = negation();
    return add(Operation::logical_not, offset, operand);
  }

  Index comparison() {
    const Index left = sum();
    const auto compared = comparison_sign();
    if (!compared) return left;
    const auto [operation, offset] = *compared;
    const Index right = sum();
    const std::size_t second = at_;
    if (!complaint_ && comparison_sign()) {
      return complain(second, "comparisons cannot be chained; write a < b and b < c");
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
    const Index base = component();
    skip_space();
    const std::size_t offset = at_;
    if (complaint_ || !take("^")) return base;
    const Depth depth(*this);
    return add(Operation::power, offset, base, unary());
  }

  /// Of what ends with a bracket; a name with a component is a name.
  Index component() {
    const Index whole = primary();
    if (complaint_ || at_ >= text_.size() || text_[at_] != '.' || (text_[at_ - 1] != ')' && text_[at_ - 1] != ']')) {
      return whole;
    }
    const std::size_t offset = at_++;
    const std::string_view letter = text_.substr(at_, word_end() - at_);
    const std::size_t which = std::string_view("xyz").find(letter);
    if (letter.size() != 1 || which == std::string_view::npos) {
      return complain(at_, fmt::format("expected a component, .x, .y or .z, got '.{}'", letter));
    }
    ++at_;
    const Index index = add(Operation::component, offset, whole);
    if (!complaint_) tree_.nodes[index].name = static_cast<std::uint32_t>(which);
    return index;
  }

  Index primary() {
    skip_space();
    if (at_ == text_.size()) return complain(at_, unexpected("a number, a name or '('"));
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_letter(c)) return name_or_call();
    if (c == '[') return vector();
    if (!take("(")) return complain(at_, unexpected("a number, a name or '('"));
    const Depth depth(*this);
    const Index inside = expression();
    if (!complaint_ && !take(")")) return complain(at_, unexpected("')'"));
    return inside;
  }

  Index vector() {
    const std::size_t offset = at_;
    take("[");
    const Depth depth(*this);
    const std::vector<Index> parts = arguments();
    if (complaint_) return 0;
    if (!take("]")) return complain(at_, unexpected("',' or ']'"));
    if (parts.size() != 3) return complain(offset, fmt::format("a vector has 3 components, not {}", parts.size()));
    return add(Operation::vector, offset, parts[0], parts[1], parts[2]);
  }

  std::vector<Index> arguments() {
    std::vector<Index> operands;
    while (!complaint_) {
      operands.push_back(expression());
      if (!take(",")) break;
    }
    return operands;
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
    if (complaint_) return 0;
    tree_.nodes[index].value = value;
    unit_of(index);
    return index;
  }

  /// What follows a number after a space, if it begins with a unit: `500 km`, `3 N*m/rad`. A unit ends where a space
  /// comes, or something that is no unit.
  void unit_of(Index index) {
    std::size_t start = at_;
    while (start < text_.size() && is_space(text_[start])) ++start;
    if (start == at_ || start == text_.size() || !is_letter(text_[start])) return;
    std::size_t end = start, taken = start;
    while (end < text_.size()) {
      while (end < text_.size() && is_letter(text_[end])) ++end;
      if (end + 1 < text_.size() && text_[end] == '^' && is_digit(text_[end + 1])) {
        for (++end; end < text_.size() && is_digit(text_[end]);) ++end;
      }
      if (parse_unit(text_.substr(start, end - start)).complaint) break;
      taken = end;
      const bool goes_on =
          end + 1 < text_.size() && (text_[end] == '*' || text_[end] == '/') && is_letter(text_[end + 1]);
      if (!goes_on) break;
      ++end;
    }
    if (taken == start || (taken < text_.size() && (is_letter(text_[taken]) || is_digit(text_[taken])))) return;
    Node& node = tree_.nodes[index];
    node.value *= parse_unit(text_.substr(start, taken - start)).unit.factor;
    node.name_offset = static_cast<std::uint32_t>(start);
    node.unit_length = static_cast<std::uint32_t>(taken - start);
    at_ = taken;
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
    if (const AbbreviationEntry* entry = find_abbreviation(name)) return abbreviation(*entry, offset);
    const auto operation = function_named(name);
    if (!operation)
      return complain(offset, fmt::format("no function '{}'{}", name, did_you_mean(name, all_function_names())));
    take("(");
    const Depth depth(*this);
    std::optional<Named> named;
    if (!name_before(*operation).empty()) {
      skip_space();
      const std::string_view first = word();
      if (!is_dotted_name(first)) return complain(at_, std::string(name_before(*operation)));
      named = {intern(axes_or_name(*operation, first)), at_};
      at_ += first.size();
      if (!take(",")) return complain(at_, unexpected("',' and the argument"));
    }
    std::vector<Index> operands = arguments();
    if (*operation == Operation::euler_angles && !complaint_ && operands.size() == 2) named = sequence(operands);
    if (complaint_) return 0;
    if (!take(")")) return complain(at_, unexpected("',' or ')'"));
    const std::size_t names = named ? 1 : 0;
    const bool any_number =
        *operation == Operation::min || *operation == Operation::max || *operation == Operation::sum;
    const auto expected =
        static_cast<std::size_t>(operand_count(*operation)) + (*operation == Operation::quaternion ? 2 : 0);
    const bool sequence_missing = *operation == Operation::euler_angles && !named;
    if (sequence_missing || (any_number ? operands.size() < expected : operands.size() != expected)) {
      const std::size_t wanted = expected + (sequence_missing ? 1 : names);
      return complain(offset, fmt::format("{} takes {}{} argument{}, got {}", name, any_number ? "at least " : "",
                                          wanted, wanted == 1 ? "" : "s", operands.size() + names));
    }
    if (any_number && operands.size() > 1) {
      Index result = operands[0];
      const Operation of_two = *operation == Operation::sum ? Operation::add : *operation;
      for (std::size_t i = 1; i < operands.size(); ++i) result = add(of_two, offset, result, operands[i]);
      return result;
    }
    if (*operation == Operation::quaternion) {
      operands = {operands[0], add(Operation::vector, offset, operands[1], operands[2], operands[3])};
    }
    operands.resize(3, 0);
    const Index index = add(*operation, offset, operands[0], operands[1], operands[2]);
    if (!complaint_ && named) set_name(index, named->name, named->offset);
    return index;
  }

  /// in(bus, v) needs the attitude of bus.
  static std::string axes_or_name(Operation operation, std::string_view name) {
    return operation == Operation::in && name != "world" ? std::string(name) + ".attitude" : std::string(name);
  }

  /// The second argument of euler_angles is a word: the name that was read last.
  std::optional<Named> sequence(std::vector<Index>& operands) {
    const Node node = tree_.nodes[operands[1]];
    if (node.operation != Operation::name) {
      complain(node.offset, "the second argument is a sequence of axes, like zyx");
      return std::nullopt;
    }
    tree_.nodes.pop_back();
    operands.pop_back();
    return Named{node.name, node.offset};
  }

  Index abbreviation(const AbbreviationEntry& entry, std::size_t offset) {
    take("(");
    const Depth depth(*this);
    if (entry.abbreviation == Abbreviation::attitude) return attitude(offset);
    const std::vector<Index> o = arguments();
    if (complaint_) return 0;
    if (!take(")")) return complain(at_, unexpected("',' or ')'"));
    if (o.size() != entry.operands) {
      return complain(offset, fmt::format("{} takes {} argument{}, got {}", entry.name, entry.operands,
                                          entry.operands == 1 ? "" : "s", o.size()));
    }
    const auto number_node = [&](double value) {
      const Index index = add(Operation::number, offset);
      if (!complaint_) tree_.nodes[index].value = value;
      return index;
    };
    switch (entry.abbreviation) {
      case Abbreviation::choice: return add(Operation::conditional, offset, o[0], o[1], o[2]);
      case Abbreviation::round:
        return add(Operation::floor, offset, add(Operation::add, offset, o[0], number_node(0.5)));
      case Abbreviation::ceil: {
        const Index down = add(Operation::floor, offset, add(Operation::negate, offset, o[0]));
        return add(Operation::negate, offset, down);
      }
      case Abbreviation::mod: {
        const Index turns = add(Operation::floor, offset, add(Operation::divide, offset, o[0], o[1]));
        return add(Operation::subtract, offset, o[0], add(Operation::multiply, offset, o[1], turns));
      }
      case Abbreviation::hypot: {
        const Index a2 = add(Operation::multiply, offset, o[0], o[0]);
        const Index b2 = add(Operation::multiply, offset, o[1], o[1]);
        return add(Operation::sqrt, offset, add(Operation::add, offset, a2, b2));
      }
      case Abbreviation::attitude: break;
    }
    return 0;
  }

  /// attitude(A, B): R_AB, of B relative to A.
  Index attitude(std::size_t offset) {
    const auto of = [this](std::string_view after) -> std::optional<Index> {  // relative to the world; none: the world
      skip_space();
      const std::size_t start = at_;
      const std::string_view body = word();
      if (!is_dotted_name(body)) {
        complain(at_, "attitude(A, B) takes the names of two bodies, or world or orbit");
        return std::nullopt;
      }
      at_ += body.size();
      if (!take(after)) complain(at_, unexpected(fmt::format("'{}'", after)));
      if (complaint_ || body == "world") return std::nullopt;
      const Index index = add(Operation::name, start);
      if (!complaint_) set_name(index, intern(std::string(body) + ".attitude"), start);
      return index;
    };
    const auto a = of(","), b = complaint_ ? std::nullopt : of(")");
    if (complaint_) return 0;
    if (!a && !b) return complain(offset, "the attitude of the world relative to itself is no rotation");
    if (!a) return *b;
    const Index back = add(Operation::inverse, offset, *a);
    return b ? add(Operation::multiply, offset, back, *b) : back;
  }

  std::string_view word() const { return text_.substr(at_, word_end() - at_); }

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

  bool take_word(std::string_view expected) {
    skip_space();
    if (complaint_ || text_.substr(at_, word_end() - at_) != expected) return false;
    at_ += expected.size();
    return true;
  }

  Index complain(std::size_t offset, std::string message) {
    if (!complaint_) complaint_ = Complaint{offset, std::move(message)};
    return 0;
  }

  static constexpr std::size_t longest_shown = 60;

  bool follows_a_number() const {
    return !tree_.nodes.empty() && tree_.nodes.back().operation == Operation::number &&
           tree_.nodes.back().unit_length == 0;
  }

  /// "; did you mean 'km'?" or "; write N*m" where there is something like that.
  static std::string unit_meant(std::string_view text) {
    const auto complaint = parse_unit(text).complaint;
    const std::size_t hint = complaint ? complaint->message.find(';') : std::string::npos;
    return hint == std::string::npos ? "; a product is written with '*'" : complaint->message.substr(hint);
  }

  std::string unexpected(std::string_view expected) const {
    if (at_ >= text_.size()) return fmt::format("expected {}, but the expression ends", expected);
    if (text_[at_] == '=') return fmt::format("expected {}, got '='; a comparison is written '=='", expected);
    if (is_letter(text_[at_]) && !parse_unit(word()).complaint) {
      return fmt::format("'{}' looks like a unit, which only a number may have; elsewhere multiply: x*(1 {})", word(),
                         word());
    }
    if (text_[at_] == '&' || text_[at_] == '|') {
      return fmt::format("'{}' is not an operator; write 'and' or 'or'", text_[at_]);
    }
    if (text_[at_] == '!') return "'!' is not an operator; write 'not'";
    if (text_[at_] == '[') return fmt::format("expected {}, got '['; a component is written v.x, v.y or v.z", expected);
    if (is_letter(text_[at_]) && follows_a_number()) {
      const std::string_view written = word().substr(0, longest_shown);
      return fmt::format("'{}' after a number is no unit{}", written, unit_meant(written));
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

bool is_identifier(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_dotted_name(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace gyrostat::expression
