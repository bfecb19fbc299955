#include "gyrostat/derive/scalar_code.h"

#include <cmath>

#include <fmt/format.h>

namespace gyrostat::scalar {

std::string CodeWriter::number(double value) {
  std::string text = fmt::format("{}", value);
  if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string CodeWriter::call(std::string_view function, std::initializer_list<Id> operands) {
  std::string text;
  for (const Id id : operands) text += (text.empty() ? "" : ", ") + this->text(id);
  const bool fails = function == "sqrt" || function == "log" || function == "asin" || function == "acos" ||
                     function == "pow" || function == "exp";
  const std::string prefix = language_.checked && fails ? "_" : std::string(language_.function_prefix);
  return fmt::format("{}{}({})", prefix, function, text);
}

Piece CodeWriter::compose(Id id) {
  const Node& node = graph_[id];
  const auto infix = [&](std::string_view sign, Binding binding) {
    // the right operand binds more tightly, so that the order of operations stays that of the graph
    const auto tighter = static_cast<Binding>(static_cast<int>(binding) + 1);
    return Piece{in(node.a, binding) + std::string(sign) + in(node.b, tighter), binding};
  };
  switch (node.operation) {
    case Operation::constant: {
      const std::string text = number(node.value);
      return {text, node.value < 0 ? Binding::sign : Binding::atom};
    }
    case Operation::symbol: return {name_(id), Binding::atom};
    case Operation::add: return infix(" + ", Binding::sum);
    case Operation::subtract: return infix(" - ", Binding::sum);
    case Operation::multiply: return infix("*", Binding::product);
    case Operation::divide:
      if (language_.checked && !graph_.is_positive(node.b)) {
        return {fmt::format("_divide({}, {})", text(node.a), text(node.b)), Binding::atom};
      }
      return infix("/", Binding::product);
    case Operation::negate: return {"-" + in(node.a, Binding::atom), Binding::sign};
    case Operation::power: return {call("pow", {node.a, node.b}), Binding::atom};
    case Operation::sin: return {call("sin", {node.a}), Binding::atom};
    case Operation::cos: return {call("cos", {node.a}), Binding::atom};
    case Operation::tan: return {call("tan", {node.a}), Binding::atom};
    case Operation::asin: return {call("asin", {node.a}), Binding::atom};
    case Operation::acos: return {call("acos", {node.a}), Binding::atom};
    case Operation::atan: return {call("atan", {node.a}), Binding::atom};
    case Operation::atan2: return {call("atan2", {node.a, node.b}), Binding::atom};
    case Operation::sqrt: return {call("sqrt", {node.a}), Binding::atom};
    case Operation::exp: return {call("exp", {node.a}), Binding::atom};
    case Operation::log: return {call("log", {node.a}), Binding::atom};
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal: {
      const std::string_view sign = node.operation == Operation::less         ? " < "
                                    : node.operation == Operation::less_equal ? " <= "
                                                                              : " == ";
      return {in(node.a, Binding::sum) + std::string(sign) + in(node.b, Binding::sum), Binding::comparison};
    }
    case Operation::both: return infix(language_.both, Binding::both);
    case Operation::either: return infix(language_.either, Binding::either);
    case Operation::opposite: return {std::string(language_.opposite) + "(" + text(node.a) + ")", Binding::comparison};
    case Operation::select: {
      const std::string c = in(node.a, Binding::either), yes = in(node.b, Binding::either),
                        no = in(node.c, Binding::either);
      const std::string text = language_.condition_first ? fmt::format("{} ? {} : {}", c, yes, no)
                                                         : fmt::format("{} if {} else {}", yes, c, no);
      return {"(" + text + ")", Binding::atom};
    }
    case Operation::table:
      return {fmt::format("{}({}, {}, {})", language_.table, node.b, text(node.a), node.c), Binding::atom};
  }
  return {};
}

CodeNames::CodeNames(const Form& form) {
  UniqueNames unique;
  names_[form.time] = unique.add("t");
  const auto add = [&](const std::vector<Variable>& list, const char* kind) {
    for (const Variable& v : list) names_[v.id] = unique.add(fmt::format("{}_{}", kind, identifier(v.name)));
  };
  add(form.p, "p"), add(form.q, "q"), add(form.u, "u"), add(form.s, "s");
  if (!form.jacobian) return;
  for (const std::uint32_t k : form.free) {
    names_[form.jacobian->udot[k]] = unique.add("udot_" + identifier(form.u[k].name));
  }
  for (std::size_t r = 0; r < form.jacobian->lambda.size(); ++r) {
    names_[form.jacobian->lambda[r]] = unique.add(fmt::format("lambda_{}", r));
  }
}

// --- functions -------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t longest_expression = 24;  // operations

}  // namespace

void CodePrinter::print_symbols(const Listing& listing, std::string_view given) {
  const auto print = [&](const char* array, const std::vector<Variable>& list) {
    if (given.find(array[0]) == std::string_view::npos) return;
    bool used = false;
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (!listing.needs(list[k].id)) continue;
      used = true;
      define(names_.of(list[k].id), fmt::format("{}[{}]", array, k));
    }
    if (!used) ignore(array);
  };
  print("p", form_.p), print("q", form_.q), print("u", form_.u), print("s", form_.s);
  if (given.find('t') != std::string_view::npos && !listing.needs(form_.time)) ignore("t");
}

void CodePrinter::print_temporary(CodeWriter& writer, Id id) {
  const std::string text = writer.definition(id);
  temporaries_[id] = fmt::format("x{}", temporaries_.size() + 1);
  define(temporaries_.at(id), text);
}

void CodePrinter::compute(const std::vector<Id>& results, std::string_view given,
                          const std::function<void(CodeWriter& writer)>& finish) {
  const Listing listing(form_.graph, results, longest_expression);
  CodeWriter writer(
      form_.graph, listing, [this](Id id) { return name_of(id); }, language_);
  temporaries_.clear();
  print_symbols(listing, given);
  for (const Id id : listing.temporaries()) print_temporary(writer, id);
  finish(writer);
}

void CodePrinter::compute_jacobian(const std::function<void()>& declare,
                                   const std::function<void(CodeWriter& writer)>& finish) {
  const JacobianForm& j = *form_.jacobian;
  const Listing listing(form_.graph, jacobian_outputs(form_), longest_expression);
  CodeWriter writer(
      form_.graph, listing, [this](Id id) { return name_of(id); }, language_);
  temporaries_.clear();
  print_symbols(listing, "pquts");
  const std::vector<bool> later = after_accelerations(form_);
  for (const Id id : listing.temporaries()) {
    if (!later[id]) print_temporary(writer, id);
  }
  for (const std::uint32_t k : form_.free) {
    if (listing.needs(j.udot[k])) define(names_.of(j.udot[k]), writer.text(form_.udot[k]));
  }
  for (std::size_t r = 0; r < j.lambda.size(); ++r) {
    if (listing.needs(j.lambda[r])) define(names_.of(j.lambda[r]), writer.text(form_.loops->multipliers[r]));
  }
  for (const Id id : listing.temporaries()) {
    if (later[id]) print_temporary(writer, id);
  }
  declare();
  print_entries(writer);
  finish(writer);
}

void CodePrinter::print_entries(CodeWriter& writer) {
  const JacobianForm& j = *form_.jacobian;
  const std::size_t n = form_.nf(), columns = form_.columns(), nq = form_.q.size(), nu = form_.u.size(),
                    ns = form_.s.size(), nx = nq + nu;
  const auto set = [&](const std::string& to, Id id) {
    if (id != 0) assign(to, writer.text(id));
  };
  const auto derivative = [&](std::size_t row, std::size_t c) {
    return c < nx ? entry("A", row, c, nx) : entry("B", row, c - nx, ns);
  };
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < k; ++i) set(entry("L", k, i, n), form_.L[in_triangle(k, i)]);
    set(fmt::format("D_inverse[{}]", k), form_.D_inverse[k]);
    for (std::size_t c = 0; c < columns; ++c) set(entry("X", k, c, columns), j.solved_R[k * columns + c]);
  }
  for (std::size_t r = 0; r < j.lambda.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) set(entry("Y", r, c, columns), j.S[r * columns + c]);
    for (std::size_t k = 0; k < n; ++k) set(entry("Z", r, k, n), form_.loops->Z[r * n + k]);
    for (std::size_t s = 0; s <= r; ++s) set(entry("W", r, s, j.lambda.size()), form_.loops->W[in_triangle(r, s)]);
  }
  for (std::size_t k = 0; k < nq; ++k) {
    for (std::size_t c = 0; c < nq; ++c) set(derivative(k, c), j.qdot_q[k * nq + c]);
    for (std::size_t c = 0; c < nu; ++c) set(derivative(k, nq + c), j.qdot_u[k * nu + c]);
  }
  for (std::size_t k = 0; k < form_.given.size(); ++k) {
    for (std::size_t c = 0; c < columns; ++c) set(derivative(nq + form_.given[k].u, c), j.given[k * columns + c]);
  }
}

std::vector<Id> jacobian_outputs(const Form& form) {
  const JacobianForm& j = *form.jacobian;
  std::vector<Id> ids;
  const auto add = [&](const std::vector<Id>& part) { ids.insert(ids.end(), part.begin(), part.end()); };
  for (const auto* part : {&j.solved_R, &j.S, &j.given, &j.qdot_q, &j.qdot_u, &form.L, &form.D_inverse, &form.turned.R})
    add(*part);
  if (form.loops) add(form.loops->Z), add(form.loops->W);
  const std::vector<bool> needed = form.graph.needed_by(ids);
  for (const std::uint32_t k : form.free) {
    if (needed[j.udot[k]]) ids.push_back(form.udot[k]);
  }
  for (std::size_t r = 0; r < j.lambda.size(); ++r) {
    if (needed[j.lambda[r]]) ids.push_back(form.loops->multipliers[r]);
  }
  return ids;
}

std::vector<bool> after_accelerations(const Form& form) {
  std::vector<bool> after(form.graph.size());
  for (const std::uint32_t k : form.free) after[form.jacobian->udot[k]] = true;
  for (const Id id : form.jacobian->lambda) after[id] = true;
  for (Id id = 0; id < after.size(); ++id) {
    const Node& node = form.graph[id];
    const int count = operand_count(node.operation);
    if ((count > 0 && after[node.a]) || (count > 1 && after[node.b]) || (count > 2 && after[node.c])) after[id] = true;
  }
  return after;
}

std::vector<TablePiece> pieces_of(const Table& table) {
  const std::span<const double> x = table.knots();
  std::vector<TablePiece> list;
  for (std::size_t segment = 0; segment <= x.size(); ++segment) {
    const double at = x[segment == 0 ? 0 : segment - 1];
    const ValueAndSlope y = table.on(segment, at);
    const double step = segment == 0 || segment == x.size() ? 1 : x[segment] - x[segment - 1];
    const double curvature = table.curvature_on(segment, at);
    list.push_back(
        {at, y.value, y.slope, curvature / 2, (table.curvature_on(segment, at + step) - curvature) / (6 * step)});
  }
  return list;
}

std::vector<std::string> array_comments(const Form& form) {
  std::vector<std::string> lines;
  const auto add = [&](const char* array, const char* what, const std::vector<Variable>& list, bool values) {
    if (list.empty()) {
      lines.push_back(fmt::format("{}: {}: none", array, what));
      return;
    }
    lines.push_back(fmt::format("{}: {}", array, what));
    for (std::size_t k = 0; k < list.size(); ++k) {
      std::string line = fmt::format("  {}[{}]  {}", array, k, one_line(list[k].name));
      if (!list[k].unit.empty()) line += fmt::format(" [{}]", list[k].unit);
      if (values) line += fmt::format(" = {}", list[k].value);
      lines.push_back(line);
    }
  };
  add("p", "parameters, with their values in the model", form.p, true);
  add("q", "coordinates", form.q, false);
  add("u", "speeds", form.u, false);
  add("s", "signals and other inputs", form.s, false);
  lines.emplace_back("t: time [s]");
  std::string free;
  for (std::size_t k = 0; k < form.free.size(); ++k) free += fmt::format("{}u[{}]", k == 0 ? "" : ", ", form.free[k]);
  lines.push_back(fmt::format("rows of M and f: {}", free.empty() ? "none" : free));
  for (std::size_t k = 0; form.loops && k < form.loops->rows.size(); ++k) {
    lines.push_back(fmt::format("row {} of G and gamma: {}", k, one_line(form.loops->rows[k])));
  }
  for (const Given& given : form.given) {
    lines.push_back(fmt::format("the acceleration of u[{}] is given", given.u));
  }
  return lines;
}

std::vector<CodeFunction> functions_of(const Form& form) {
  const char* solution =
      form.loops       ? "Accelerations of all speeds, with the multipliers of the loops eliminated."
      : form.recursive ? "Accelerations of all speeds, by the recursion of articulated bodies."
                       : "Accelerations of all speeds: M udot = f solved by M = L^T D L, along the axes of the first "
                         "body.";
  std::vector<CodeFunction> list = {
      {"mass_matrix", "The mass matrix of the free speeds, row by row.", "pq", "M", &form.M, form.nf()},
      {"forces", "The right-hand side.", "pquts", "f", &form.f},
      {"accelerations", solution, "pquts", "udot", &form.udot},
      {"rates", "Rates of the coordinates.", "qu", "qdot", &form.qdot}};
  if (!form.loops) return list;
  const LoopForm& loops = *form.loops;
  list.push_back({"constraint_jacobian", "Jacobian of the independent constraint rows by the free speeds, row by row.",
                  "pq", "G", &loops.G, loops.rows.size()});
  list.push_back({"constraint_bias", "What these rows demand: G udot = gamma.", "pquts", "gamma", &loops.gamma});
  list.push_back({"multipliers", "Multipliers of these rows.", "pquts", "lambda", &loops.multipliers});
  return list;
}

std::vector<std::string> heading(const Form& form) {
  std::vector<std::string> lines = {
      fmt::format("Equations of motion of {}", form.name.empty() ? "a model" : one_line(form.name)),
      form.loops ? "M(q, p) udot - G(q, p)^T lambda = f(q, u, p, t, s), G udot = gamma(q, u, p, t, s)"
                 : "M(q, p) udot = f(q, u, p, t, s)",
      "written by gyrostat derive --form scalar; SI units; quaternions are q_parent_child, scalar first, of unit "
      "length"};
  for (const std::string& note : form.notes) lines.push_back(one_line(note));
  for (const NamedCount& c : operation_counts(form)) {
    lines.push_back(fmt::format("{}: {} operations: {}", c.name, c.count.all(), count_text(c.count)));
  }
  return lines;
}

}  // namespace gyrostat::scalar
