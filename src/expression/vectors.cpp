#include "gyrostat/expression/vectors.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/expression/functions.h"
#include "gyrostat/expression/scalar_pool.h"

namespace gyrostat::expression {

namespace {

using Index = ScalarPool::Index;

/// Vectors within vectors make trees grow; no text that a person writes comes near.
constexpr std::size_t max_nodes = 50'000;

struct Value {
  ValueKind kind = {};
  std::array<Index, 4> parts = {};
  std::optional<Nine> matrix = {};
  bool unknown = false;

  [[nodiscard]] bool is(Type type) const { return kind.type == type; }
  [[nodiscard]] Index number() const { return parts[0]; }
  [[nodiscard]] Triple vector() const { return {parts[0], parts[1], parts[2]}; }
};

Value number(Index i) { return {{}, {i}, {}, false}; }
Value vector(const Triple& v, std::string axes) {
  return {{Type::vector, std::move(axes), {}}, {v[0], v[1], v[2]}, {}, false};
}
Value rotation(const Quadruple& q, std::string axes, std::string from) {
  return {{Type::rotation, std::move(axes), std::move(from)}, q, {}, false};
}

/// Ends the lowering of an expression; caught below.
struct Stop {
  Complaint complaint;
};

class Lowering {
 public:
  Lowering(const Expression& expression, const FindSymbol& find) : find_(find), pool_(expression.text) {
    result_ = lower(expression, std::nullopt);
  }

  Lowered take() {
    Lowered lowered{result_.kind, {}, result_.unknown};
    if (result_.unknown) {
      lowered.kind = {};
      Index all = unknown_.empty() ? pool_.number(0) : unknown_.front();
      for (std::size_t i = 1; i < unknown_.size(); ++i) all = pool_.of(Operation::add, all, unknown_[i]);
      lowered.components.push_back(pool_.extract(all, 0));
      return lowered;
    }
    if (result_.is(Type::number)) lowered.components.push_back(pool_.extract(result_.number(), 0));
    const std::string_view letters = component_letters(result_.kind.type);
    for (std::size_t k = 0; k < letters.size(); ++k)
      lowered.components.push_back(pool_.extract(result_.parts[k], letters[k]));
    return lowered;
  }

 private:
  /// With `at`, the text is a definition, and everything in it stands there.
  Value lower(const Expression& expression, std::optional<std::uint32_t> at) {
    std::vector<Value> values(expression.nodes.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Node& node = expression.nodes[i];
      pool_.offset = at.value_or(node.offset);
      if (pool_.size() > max_nodes) stop("the vectors of this expression make it too large");
      const Value &a = values[node.operand[0]], &b = values[node.operand[1]], &c = values[node.operand[2]];
      const int count = operand_count(node.operation);
      if (const std::string_view name = of_abbreviation(expression, node); !name.empty())
        need_numbers(name, {&a, &b, &c}, count);
      if ((count > 0 && a.unknown) || (count > 1 && b.unknown) || (count > 2 && c.unknown)) {
        values[i] = {{}, {pool_.number(0)}, {}, true};
      } else if (node.operation == Operation::name) {
        values[i] = named(expression.names[node.name], at.value_or(node.name_offset));
      } else if (node.operation == Operation::number || node.operation == Operation::table) {
        if (node.operation == Operation::table) need(a, Type::number, "table");
        const bool table = node.operation == Operation::table;
        values[i] = number(pool_.copy(node, {a.number()}, table ? expression.names[node.name] : std::string_view()));
      } else if (node.operation == Operation::in) {
        values[i] = expressed(expression.names[node.name], at.value_or(node.name_offset), a);
      } else if (node.operation == Operation::euler_angles) {
        need(a, Type::rotation, "euler_angles");
        values[i] = euler_angles(a, expression.names[node.name]);
      } else if (node.operation == Operation::component) {
        need(a, Type::vector, "a component .x, .y or .z");
        values[i] = number(a.parts[node.name]);
      } else {
        values[i] = computed(node.operation, a, b, c);
      }
    }
    return values.back();
  }

  /// The name of a function of numbers that the parser wrote in terms of others, where the node is of one: mod, hypot.
  static std::string_view of_abbreviation(const Expression& expression, const Node& node) {
    const std::string_view text =
        std::string_view(expression.text).substr(std::min<std::size_t>(node.offset, expression.text.size()));
    const std::size_t bracket = text.find('(');
    if (bracket == std::string_view::npos) return {};
    std::string_view name = text.substr(0, bracket);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const AbbreviationEntry* entry = find_abbreviation(name);
    const bool of_numbers = entry != nullptr && entry->abbreviation != Abbreviation::choice &&
                            entry->abbreviation != Abbreviation::attitude;
    return of_numbers ? entry->name : std::string_view();
  }

  Value named(const std::string& name, std::uint32_t name_offset) {
    if (name == "pi" || name == "t") return number(pool_.name(name, name_offset));
    const auto symbol = find_(name);
    if (!symbol) {
      unknown_.push_back(pool_.name(name, name_offset));
      return {{}, {unknown_.back()}, {}, true};
    }
    if (symbol->unclear) return {{}, {pool_.number(0)}, {}, true};
    if (!symbol->definition.empty()) {
      if (++definitions_ > max_depth) stop(fmt::format("'{}' is defined in terms of itself", name));
      const std::uint32_t here = pool_.offset;
      Value value = lower(parse(symbol->definition).expression, here);
      pool_.offset = here;
      --definitions_;
      value.kind = symbol->kind;
      return value;
    }
    Value value{symbol->kind, {}, {}, false};
    for (std::size_t k = 0; k < symbol->components.size(); ++k)
      value.parts[k] = pool_.name(symbol->components[k], name_offset);
    if (symbol->matrix.size() == 9) {
      value.matrix.emplace();
      for (std::size_t k = 0; k < 9; ++k) (*value.matrix)[k / 3][k % 3] = pool_.name(symbol->matrix[k], name_offset);
    }
    return value;
  }

  Nine matrix_of(const Value& r) { return r.matrix ? *r.matrix : to_matrix(pool_, r.parts); }

  /// in(axes, v); `attitude` is "world", or the name of the attitude of those axes.
  Value expressed(const std::string& attitude, std::uint32_t name_offset, const Value& v) {
    const std::string axes = attitude.substr(0, attitude.rfind('.'));
    std::optional<Value> target;
    if (attitude != "world") {
      target = named(attitude, name_offset);
      if (target->unknown) return *target;
    }
    need(v, Type::vector, "in");
    if (v.kind.axes.empty())
      stop("the vector fits any axes already: its components have no axes that they could be converted from");
    if (v.kind.axes == axes) return v;
    Triple components = v.vector();
    if (v.kind.axes != "world")
      components = times(pool_, matrix_of(named(v.kind.axes + ".attitude", name_offset)), components);
    if (target) components = times(pool_, transposed(matrix_of(*target)), components);
    return vector(components, axes);
  }

  Value computed(Operation operation, const Value& a, const Value& b, const Value& c) {
    switch (operation) {
      case Operation::vector:
        for (const Value* x : {&a, &b, &c}) need(*x, Type::number, "a component of a vector");
        return vector({a.number(), b.number(), c.number()}, "");
      case Operation::add:
      case Operation::subtract: return added(operation, a, b);
      case Operation::negate:
        if (a.is(Type::rotation)) stop("a rotation has no sign; its opposite is inverse(R)");
        if (a.is(Type::vector)) return vector(scaled(pool_, pool_.number(-1), a.vector()), a.kind.axes);
        break;
      case Operation::multiply: return multiplied(a, b);
      case Operation::divide:
        if (b.is(Type::vector)) stop("a vector is no divisor; norm(v) is its length");
        if (a.is(Type::vector) && b.is(Type::number))
          return vector(quotient(pool_, a.vector(), b.number()), a.kind.axes);
        break;
      case Operation::power:
        if (a.is(Type::vector)) stop("a vector has no power; dot(v, v) is the square of its length");
        break;
      case Operation::conditional: return chosen(a, b, c);
      case Operation::clamp:
        if (a.is(Type::vector)) return clamped(a, b, c);
        break;
      case Operation::dot:
      case Operation::cross:
      case Operation::angle: return of_two_vectors(operation, a, b);
      case Operation::norm: need(a, Type::vector, "norm"); return number(norm(pool_, a.vector()));
      case Operation::unit:
        need(a, Type::vector, "unit");
        return vector(quotient(pool_, a.vector(), norm(pool_, a.vector())), a.kind.axes);
      case Operation::sum: {
        if (a.is(Type::number)) return a;
        need(a, Type::vector, "sum");
        return number(pool_.sum(pool_.sum(a.parts[0], a.parts[1]), a.parts[2]));
      }
      case Operation::quaternion: {
        const Quadruple q = {a.number(), b.parts[0], b.parts[1], b.parts[2]};
        need(a, Type::number, "quaternion");
        const Index length =
            pool_.root(pool_.sum(pool_.product(q[0], q[0]), dot(pool_, vector_part(q), vector_part(q))));
        const Triple v = quotient(pool_, vector_part(q), length);
        return rotation({pool_.quotient(q[0], length), v[0], v[1], v[2]}, "", "");
      }
      case Operation::rotation: {
        need(a, Type::vector, "rotation", "axis");
        need(b, Type::number, "rotation", "angle");
        const Index half = pool_.product(pool_.number(0.5), b.number());
        const Triple axis = quotient(pool_, a.vector(), norm(pool_, a.vector()));
        const Triple v = scaled(pool_, pool_.of(Operation::sin, half), axis);
        return rotation({pool_.of(Operation::cos, half), v[0], v[1], v[2]}, "", "");
      }
      case Operation::inverse: {
        need(a, Type::rotation, "inverse");
        Value r = rotation(conjugate(pool_, a.parts), a.kind.from, a.kind.axes);
        if (a.matrix) r.matrix = transposed(*a.matrix);
        return r;
      }
      case Operation::rotate: return rotated(a, b);
      case Operation::error_vector: return error_of(a, b);
      case Operation::slerp: return between(a, b, c);
      default: break;
    }
    const int count = operand_count(operation);
    const std::string_view function = function_name(operation);
    need_numbers(function.empty() ? "this operator" : function, {&a, &b, &c}, count);
    return number(pool_.of(operation, a.number(), count > 1 ? b.number() : 0, count > 2 ? c.number() : 0));
  }

  Value added(Operation operation, const Value& a, const Value& b) {
    if (a.is(Type::number) && b.is(Type::number)) return number(pool_.of(operation, a.number(), b.number()));
    if (a.is(Type::rotation) || b.is(Type::rotation)) stop("rotations are not added; R1*R2 is one after the other");
    same_type(a, b);
    const bool minus = operation == Operation::subtract;
    Triple v;
    for (std::size_t k = 0; k < 3; ++k)
      v[k] = minus ? pool_.difference(a.parts[k], b.parts[k]) : pool_.sum(a.parts[k], b.parts[k]);
    return vector(v, common_axes(a, b));
  }

  Value multiplied(const Value& a, const Value& b) {
    if (a.is(Type::number) && b.is(Type::number)) return number(pool_.of(Operation::multiply, a.number(), b.number()));
    if (a.is(Type::number) && b.is(Type::vector)) return vector(scaled(pool_, a.number(), b.vector()), b.kind.axes);
    if (a.is(Type::vector) && b.is(Type::number)) return vector(scaled(pool_, b.number(), a.vector()), a.kind.axes);
    if (a.is(Type::vector) && b.is(Type::vector)) stop("a product of two vectors is dot(a, b) or cross(a, b)");
    if (!a.is(Type::rotation) || !b.is(Type::rotation))
      stop(a.is(Type::rotation) && b.is(Type::vector) ? "a rotation turns a vector by rotate(R, v)"
                                                      : "a rotation is multiplied with a rotation only");
    const std::string &inner = a.kind.from, &outer = b.kind.axes;
    if (!inner.empty() && !outer.empty() && inner != outer)
      stop(fmt::format("the first rotation takes components from {}, but the second gives them in {}", axes_text(inner),
                       axes_text(outer)));
    const bool chain = !inner.empty() && !outer.empty();  // R_AB R_BC; else one of them is a turn within the axes
    return rotation(product(pool_, a.parts, b.parts), a.kind.axes.empty() ? b.kind.axes : a.kind.axes,
                    chain ? b.kind.from : "");
  }

  Value chosen(const Value& condition, const Value& yes, const Value& no) {
    need(condition, Type::number, "a condition");
    if (yes.is(Type::number) && no.is(Type::number))
      return number(pool_.choice(condition.number(), yes.number(), no.number()));
    same_type(yes, no);
    Value y{yes.kind, {}, {}, false};
    y.kind.axes = common_axes(yes, no);
    if (yes.kind.from != no.kind.from) y.kind.from.clear();
    for (std::size_t k = 0; k < component_letters(y.kind.type).size(); ++k)
      y.parts[k] = pool_.choice(condition.number(), yes.parts[k], no.parts[k]);
    return y;
  }

  Value clamped(const Value& v, const Value& low, const Value& high) {
    Triple y;
    for (const Value* limit : {&low, &high}) {
      if (limit->is(Type::rotation)) stop("a limit is a number or a vector, not a rotation");
      if (limit->is(Type::vector)) common_axes(v, *limit);
    }
    for (std::size_t k = 0; k < 3; ++k)
      y[k] = pool_.of(Operation::clamp, v.parts[k], low.parts[low.is(Type::vector) ? k : 0],
                      high.parts[high.is(Type::vector) ? k : 0]);
    return vector(y, v.kind.axes);
  }

  Value of_two_vectors(Operation operation, const Value& a, const Value& b) {
    for (const Value* x : {&a, &b}) need(*x, Type::vector, function_name(operation));
    const std::string axes = common_axes(a, b);
    if (operation == Operation::dot) return number(dot(pool_, a.vector(), b.vector()));
    const Triple c = cross(pool_, a.vector(), b.vector());
    if (operation == Operation::cross) return vector(c, axes);
    return number(pool_.of(Operation::atan2, norm(pool_, c), dot(pool_, a.vector(), b.vector())));
  }

  Value rotated(const Value& r, const Value& v) {
    need(r, Type::rotation, "rotate", "first argument");
    need(v, Type::vector, "rotate", "second argument");
    if (!r.kind.from.empty() && !v.kind.axes.empty() && r.kind.from != v.kind.axes)
      stop(fmt::format("the rotation takes vectors in {}, not in {}; in(..) or inverse(..) helps",
                       axes_text(r.kind.from), axes_text(v.kind.axes)));
    const bool within = r.kind.from.empty();  // a turn, and no change of axes
    return vector(times(pool_, matrix_of(r), v.vector()), within && r.kind.axes.empty() ? v.kind.axes : r.kind.axes);
  }

  /// target^-1 R, the shorter way: its vector part is sin(angle/2) along the axis, in the axes that R comes from.
  Quadruple shortest(const Value& r, const Value& target) {
    const Quadruple e = product(pool_, conjugate(pool_, target.parts), r.parts);
    const Index turn = pool_.of(Operation::less, e[0], pool_.number(0));
    const Index sign = pool_.choice(turn, pool_.number(-1), pool_.number(1));
    return {pool_.product(sign, e[0]), pool_.product(sign, e[1]), pool_.product(sign, e[2]), pool_.product(sign, e[3])};
  }

  Value error_of(const Value& r, const Value& target) {
    for (const Value* x : {&r, &target}) need(*x, Type::rotation, "error_vector");
    common_axes(r, target);
    return vector(scaled(pool_, pool_.number(2), vector_part(shortest(r, target))), r.kind.from);
  }

  /// R1 (R1^-1 R2)^s
  Value between(const Value& a, const Value& b, const Value& s) {
    for (const Value* x : {&a, &b}) need(*x, Type::rotation, "slerp");
    need(s, Type::number, "slerp", "third argument");
    const Quadruple e = shortest(b, a);
    const Index sine = norm(pool_, vector_part(e));
    const Index half = pool_.of(Operation::atan2, sine, e[0]), part = pool_.product(s.number(), half);
    const Index small = pool_.of(Operation::less, sine, pool_.number(1e-9));  // there the ratio of the sines is s
    const Index divisor = pool_.choice(small, pool_.number(1), sine);
    const Index ratio = pool_.choice(small, s.number(), pool_.quotient(pool_.of(Operation::sin, part), divisor));
    const Triple v = scaled(pool_, ratio, vector_part(e));
    const Quadruple turned = {pool_.of(Operation::cos, part), v[0], v[1], v[2]};
    return rotation(product(pool_, a.parts, turned), common_axes(a, b), "");
  }

  /// R = R_i(a) R_j(b) R_k(c) about moving axes; e is 1 where i, j and the third axis are in cyclic order, else -1.
  Value euler_angles(const Value& r, const std::string& sequence) {
    if (!is_euler_sequence(sequence)) stop(no_euler_sequence(sequence));
    const auto axis = [&](std::size_t n) { return static_cast<std::size_t>(sequence[n] - 'x'); };
    const std::size_t i = axis(0), j = axis(1), k = 3 - i - j;
    const bool cyclic = (i + 1) % 3 == j, proper = axis(2) == i;
    const Nine R = matrix_of(r);
    const auto signed_by = [&](bool positive, Index x) { return positive ? x : pool_.negative(x); };
    const auto arc = [&](Index y, Index x) { return pool_.of(Operation::atan2, y, x); };
    const auto length = [&](Index x, Index y) {
      return pool_.root(pool_.sum(pool_.product(x, x), pool_.product(y, y)));
    };
    if (proper) {
      return vector({arc(R[j][i], signed_by(!cyclic, R[k][i])), arc(length(R[i][j], R[i][k]), R[i][i]),
                     arc(R[i][j], signed_by(cyclic, R[i][k]))},
                    "");
    }
    return vector({arc(signed_by(!cyclic, R[j][k]), R[k][k]), arc(signed_by(cyclic, R[i][k]), length(R[i][i], R[i][j])),
                   arc(signed_by(!cyclic, R[i][j]), R[i][i])},
                  "");
  }

  // --- what is wrong -------------------------------------------------------------------------------------------------

  [[noreturn]] void stop(std::string message) const { throw Stop{{pool_.offset, std::move(message)}}; }

  void need(const Value& x, Type type, std::string_view what, std::string_view which = {}) const {
    if (x.is(type)) return;
    const std::string_view wanted = type == Type::number   ? "a number"
                                    : type == Type::vector ? "a vector"
                                                           : "a rotation";
    if (which.empty()) stop(fmt::format("{} needs {}, not {}", what, wanted, kind_text(x.kind)));
    stop(fmt::format("the {} of {} is {}, not {}", which, what, wanted, kind_text(x.kind)));
  }

  void need_numbers(std::string_view function, std::array<const Value*, 3> operands, int count) const {
    for (int k = 0; k < count; ++k) {
      const Value& x = *operands[static_cast<std::size_t>(k)];
      if (x.is(Type::number)) continue;
      stop(fmt::format("{} takes numbers, not {}{}", function, kind_text(x.kind),
                       x.is(Type::vector) ? "; use norm(v), dot(a, b) or a component like v.x" : ""));
    }
  }

  void same_type(const Value& a, const Value& b) const {
    if (a.kind.type != b.kind.type)
      stop(fmt::format("one side is {}, the other {}", kind_text(a.kind), kind_text(b.kind)));
  }

  std::string common_axes(const Value& a, const Value& b) const {
    const std::string &left = a.kind.axes, &right = b.kind.axes;
    if (left.empty() || right.empty() || left == right) return left.empty() ? right : left;
    const std::string& best = left == "world" ? right : left;
    stop(fmt::format("one {} is in {}, the other in {}; {}", a.is(Type::rotation) ? "rotation" : "vector",
                     axes_text(left), axes_text(right),
                     a.is(Type::rotation) ? "give both relative to the same axes"
                                          : fmt::format("in({}, v) expresses a vector in {}", best, axes_text(best))));
  }

  const FindSymbol& find_;
  ScalarPool pool_;
  Value result_;
  std::vector<Index> unknown_;
  int definitions_ = 0;
};

}  // namespace

std::string_view component_letters(Type type) {
  return type == Type::number ? "" : type == Type::vector ? "xyz" : "wxyz";
}

std::variant<Lowered, Complaint> lower_vectors(const Expression& expression, const FindSymbol& find) {
  try {
    return Lowering(expression, find).take();
  } catch (Stop& stop) {
    return std::move(stop.complaint);
  }
}

std::string axes_text(std::string_view axes) {
  return axes == "world" || axes == "orbit" ? fmt::format("{} axes", axes) : fmt::format("axes of {}", axes);
}

std::string kind_text(const ValueKind& kind) {
  switch (kind.type) {
    case Type::number: return "a number";
    case Type::vector: return kind.axes.empty() ? "a vector" : fmt::format("a vector in {}", axes_text(kind.axes));
    case Type::rotation: break;
  }
  return "a rotation";
}

bool is_euler_sequence(std::string_view text) {
  return text.size() == 3 && text.find_first_not_of("xyz") == std::string_view::npos && text[0] != text[1] &&
         text[1] != text[2];
}

std::string no_euler_sequence(std::string_view text) {
  return fmt::format(
      "'{}' is not a sequence of axes; there are xyz, xzy, yxz, yzx, zxy, zyx, xyx, xzx, yxy, yzy, zxz, zyz", text);
}

}  // namespace gyrostat::expression
