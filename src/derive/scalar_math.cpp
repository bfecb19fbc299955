#include "gyrostat/derive/scalar_math.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace gyrostat::scalar {

namespace {

/// Operations: of a formula, of one that is repeated and gets a name, of a branch of a choice, which is not broken.
constexpr std::size_t longest_formula = 60, shortest_formula = 5, longest_branch = 6;

struct FieldLetter {
  std::string_view field, letter;
};
constexpr std::array<FieldLetter, 14> field_letters = {{{"parent_point", "a"},
                                                        {"child_point", "b"},
                                                        {"orientation", "C"},
                                                        {"inertia", "I"},
                                                        {"stiffness", "k"},
                                                        {"direction", "e"},
                                                        {"damping", "d"},
                                                        {"gravity", "g"},
                                                        {"length", "l"},
                                                        {"point", "r"},
                                                        {"mass", "m"},
                                                        {"rest", "q0"},
                                                        {"axis", "e"},
                                                        {"com", "c"}}};

/// Of coordinates and speeds that are components of vectors and quaternions.
constexpr std::array<FieldLetter, 4> vector_letters = {
    {{"position_", "r"}, {"quaternion_", "e"}, {"omega_", "omega"}, {"velocity_", "v"}}};

/// "bus" and "inertia_xx" of "bus.inertia_xx"; nothing before the dot of a name without one.
std::pair<std::string, std::string> split_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

MathName parameter_name(const Variable& v) {
  const auto [owner, field] = split_name(v.name);
  if (owner.empty()) return {v.name, ""};
  for (const auto& [prefix, letter] : field_letters) {
    if (!field.starts_with(prefix)) continue;
    std::string rest = field.substr(prefix.size());
    if (rest.starts_with('_')) rest.erase(0, 1);
    std::ranges::replace(rest, '_', ',');
    if (owner == "environment") return {std::string(letter), rest};
    return {std::string(letter), rest.empty() ? owner : fmt::format("{},{}", owner, rest)};
  }
  if (field.size() == 1) return {owner, field};  // a component of a vector
  return {field, owner == "environment" ? "" : owner};
}

}  // namespace

MathNames::MathNames(const Form& form) {
  for (const Variable& v : form.p) add(v.id, parameter_name(v));
  const auto add_state = [&](const std::vector<Variable>& list, const char* letter) {
    std::map<std::string, int> count;
    for (const Variable& v : list) ++count[split_name(v.name).first];
    for (const Variable& v : list) {
      auto [owner, field] = split_name(v.name);
      MathName name{letter, count[owner] == 1 ? owner : fmt::format("{},{}", owner, field)};
      for (const auto& [prefix, other] : vector_letters) {
        if (field.starts_with(prefix))
          name = {std::string(other), fmt::format("{},{}", owner, field.substr(prefix.size()))};
      }
      add(v.id, name);
    }
  };
  add_state(form.q, "q");
  add_state(form.u, "u");
  for (const Variable& v : form.s) {
    const auto [owner, field] = split_name(v.name);
    add(v.id, owner.empty() ? MathName{"s", field} : MathName{"s", fmt::format("{},{}", owner, field)});
  }
  add(form.time, {"t", ""});
  if (!form.jacobian) return;
  for (const std::uint32_t k : form.free) {
    MathName rate = of(form.u[k].id);
    rate.rate = true;
    add(form.jacobian->udot[k], rate);
  }
  for (std::size_t r = 0; r < form.jacobian->lambda.size(); ++r) {
    add(form.jacobian->lambda[r], {"lambda", std::to_string(r + 1)});
  }
}

void MathNames::add(Id id, MathName name) {
  const std::string plain = name.index;
  for (int k = 2; !used_.insert(name.letter + (name.rate ? "'_" : "_") + name.index).second; ++k) {
    name.index = fmt::format("{}{}{}", plain, plain.empty() ? "" : ",", k);
  }
  names_.emplace(id, std::move(name));
}

void MathWriter::collect_terms(Id id, bool negative, std::vector<std::pair<bool, Id>>& terms) const {
  const Node& node = graph_[id];
  if (is_open(id, Operation::add) || is_open(id, Operation::subtract)) {
    collect_terms(node.a, negative, terms);
    collect_terms(node.b, negative != (node.operation == Operation::subtract), terms);
  } else if (is_open(id, Operation::negate)) {
    collect_terms(node.a, !negative, terms);
  } else {
    terms.emplace_back(negative, id);
  }
}

void MathWriter::collect_factors(Id id, std::vector<std::pair<Id, int>>& factors) const {
  if (is_open(id, Operation::multiply)) {
    collect_factors(graph_[id].a, factors);
    collect_factors(graph_[id].b, factors);
    return;
  }
  const auto known = std::ranges::find(factors, id, [](const auto& f) { return f.first; });
  if (known == factors.end()) {
    factors.emplace_back(id, 1);
  } else {
    ++known->second;
  }
}

std::string MathWriter::written_power(Id id, int times) {
  const Node& node = graph_[id];
  const std::string exponent = std::to_string(times);
  if (node.operation == Operation::symbol || listing_.is_temporary(id)) return power_of_name(text(id), exponent);
  switch (node.operation) {
    case Operation::sin: return power_of_call("sin", text(node.a), exponent);
    case Operation::cos: return power_of_call("cos", text(node.a), exponent);
    case Operation::tan: return power_of_call("tan", text(node.a), exponent);
    default: return power(in(id, Binding::atom), exponent);
  }
}

std::string number_text(double value) { return fmt::format("{:.12g}", value); }

std::string MathWriter::sum(const std::vector<std::pair<bool, std::string>>& terms) const {
  std::string text;
  for (const auto& [negative, term] : terms) {
    text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
    text += term;
  }
  return text;
}

Piece MathWriter::compose(Id id) {
  const Node& node = graph_[id];
  const auto two = [&] { return std::vector<std::string>{text(node.a), text(node.b)}; };
  switch (node.operation) {
    case Operation::constant: return {number(node.value), node.value < 0 ? Binding::sum : Binding::atom};
    case Operation::symbol: return {name_(id), Binding::atom};
    case Operation::add:
    case Operation::subtract:
    case Operation::negate: {
      std::vector<std::pair<bool, Id>> terms;
      collect_terms(node.a, node.operation == Operation::negate, terms);
      if (node.operation != Operation::negate) collect_terms(node.b, node.operation == Operation::subtract, terms);
      std::vector<std::pair<bool, std::string>> texts;
      for (const auto& [negative, term] : terms) {
        const bool below_zero = graph_.is_constant(term) && graph_[term].value < 0;
        texts.emplace_back(negative != below_zero,
                           below_zero ? number(-graph_[term].value) : in(term, Binding::product));
      }
      const auto positive = std::ranges::find(texts, false, [](const auto& t) { return t.first; });
      if (positive != texts.end()) std::rotate(texts.begin(), positive, positive + 1);
      return {sum(texts), Binding::sum};
    }
    case Operation::multiply: {
      std::vector<std::pair<Id, int>> factors;
      collect_factors(node.a, factors);
      collect_factors(node.b, factors);
      // numbers, then symbols, then what stands in parentheses
      std::ranges::stable_sort(factors, {}, [&](const auto& f) {
        const Operation operation = graph_[f.first].operation;
        return operation == Operation::constant ? 0 : operation == Operation::symbol ? 1 : 2;
      });
      std::vector<std::string> texts;
      for (const auto& [factor, times] : factors) {
        if (times == 1) {
          texts.push_back(in(factor, Binding::product));
        } else {
          texts.push_back(written_power(factor, times));
        }
      }
      return {product(texts), Binding::product};
    }
    case Operation::divide: return fraction(node.a, node.b);
    case Operation::power: return {power(in(node.a, Binding::atom), text(node.b)), Binding::product};
    case Operation::sin: return {call("sin", {text(node.a)}), Binding::atom};
    case Operation::cos: return {call("cos", {text(node.a)}), Binding::atom};
    case Operation::tan: return {call("tan", {text(node.a)}), Binding::atom};
    case Operation::asin: return {call("arcsin", {text(node.a)}), Binding::atom};
    case Operation::acos: return {call("arccos", {text(node.a)}), Binding::atom};
    case Operation::atan: return {call("arctan", {text(node.a)}), Binding::atom};
    case Operation::atan2: return {call("atan2", two()), Binding::atom};
    case Operation::sqrt: return {root(text(node.a)), Binding::atom};
    case Operation::exp: return {call("exp", {text(node.a)}), Binding::atom};
    case Operation::log: return {call("ln", {text(node.a)}), Binding::atom};
    case Operation::less:
      return {compared("<", in(node.a, Binding::sum), in(node.b, Binding::sum)), Binding::comparison};
    case Operation::less_equal:
      return {compared("<=", in(node.a, Binding::sum), in(node.b, Binding::sum)), Binding::comparison};
    case Operation::equal:
      return {compared("=", in(node.a, Binding::sum), in(node.b, Binding::sum)), Binding::comparison};
    case Operation::both:
      return {compared("and", in(node.a, Binding::both), in(node.b, Binding::comparison)), Binding::both};
    case Operation::either:
      return {compared("or", in(node.a, Binding::either), in(node.b, Binding::both)), Binding::either};
    case Operation::opposite: return {call("not", {text(node.a)}), Binding::atom};
    case Operation::select: return {choice(text(node.a), text(node.b), text(node.c)), Binding::atom};
    case Operation::table: return {table(node.b, node.c, text(node.a)), Binding::atom};
  }
  return {};
}

namespace {

Block block_of(std::string title, std::string letter, std::span<const Id> values, std::size_t columns,
               bool symmetric = false) {
  Block block{std::move(title), std::move(letter), symmetric, {}};
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t row = columns == 0 ? k : k / columns, column = columns == 0 ? 0 : k % columns;
    const bool hidden = columns != 0 && (values[k] == 0 || (symmetric && column > row));
    if (!hidden) block.entries.push_back({values[k], row + 1, columns == 0 ? 0 : column + 1});
  }
  return block;
}

/// x is q, then u, then s.
void add_derivatives(const Form& form, std::vector<Block>& blocks) {
  const JacobianForm& j = *form.jacobian;
  const std::size_t columns = form.columns(), nq = form.q.size(), nu = form.u.size();
  std::vector<Id> Q(nq * columns);
  for (std::size_t k = 0; k < nq; ++k) {
    std::copy_n(j.qdot_q.data() + k * nq, nq, Q.data() + k * columns);
    std::copy_n(j.qdot_u.data() + k * nu, nu, Q.data() + k * columns + nq);
  }
  const std::string others = "; entries that are not listed are zero";
  blocks.push_back(block_of("Derivatives Q of the rates of the coordinates" + others, "Q", Q, columns));
  blocks.push_back(block_of("R" + others, "R", j.R, columns));
  if (form.loops) blocks.push_back(block_of("S" + others, "S", j.S, columns));
  if (std::ranges::any_of(j.given, [](Id id) { return id != 0; }))
    blocks.push_back(block_of("Derivatives P of accelerations that are given" + others, "P", j.given, columns));
}

std::vector<Block> blocks_of(const Form& form) {
  std::vector<Block> blocks = {
      block_of("Mass matrix M, symmetric; entries that are not listed are zero", "M", form.M, form.nf(), true),
      block_of("Right-hand side f", "f", form.f, 0)};
  if (form.loops) {
    blocks.push_back(
        block_of("Jacobian G of the loops; entries that are not listed are zero", "G", form.loops->G, form.nf()));
    blocks.push_back(block_of("What the rows of G demand: gamma", "gamma", form.loops->gamma, 0));
  }
  if (form.jacobian) add_derivatives(form, blocks);
  return blocks;
}

std::vector<Id> shown_outputs(const Form& form, const std::vector<Block>& blocks) {
  std::vector<Id> ids;
  for (const Block& block : blocks) {
    for (const Block::Entry& entry : block.entries) ids.push_back(entry.value);
  }
  for (const Given& given : form.given) ids.push_back(given.acceleration);
  return ids;
}

}  // namespace

ReadableForm::ReadableForm(const Form& form)
    : blocks(blocks_of(form)),
      listing(form.graph, shown_outputs(form, blocks), longest_formula, shortest_formula, longest_branch) {}

}  // namespace gyrostat::scalar
