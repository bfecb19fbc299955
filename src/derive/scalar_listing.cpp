#include "gyrostat/derive/scalar_listing.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/hidden_characters.h"

namespace gyrostat::scalar {

std::string identifier(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) return "x";
  return name.front() >= '0' && name.front() <= '9' ? "x" + name : name;
}

std::string UniqueNames::add(std::string wanted) {
  std::string name = wanted;
  for (int k = 2; !used_.insert(name).second; ++k) name = fmt::format("{}_{}", wanted, k);
  return name;
}

std::string function_prefix(const Form& form) {
  std::string name = form.name.empty() ? "model" : identifier(form.name);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (name.size() > 40) name = identifier(name.substr(0, 40));
  return name;
}

std::string one_line(std::string_view text) { return derive::without_hidden(text, " "); }

Listing::Listing(const Graph& graph, std::span<const Id> outputs, std::size_t longest, std::size_t shortest,
                 std::size_t longest_branch)
    : is_temporary_(graph.size()), needed_(graph.needed_by(outputs)) {
  std::vector<std::uint32_t> uses(graph.size());
  for (const Id id : outputs) ++uses[id];
  const auto operands = [&](Id id, auto&& act) {
    const Node& node = graph[id];
    const int count = operand_count(node.operation);
    if (count > 0) act(node.a);
    if (count > 1) act(node.b);
    if (count > 2) act(node.c);
  };
  for (Id id = 0; id < graph.size(); ++id) {
    if (needed_[id]) operands(id, [&](Id operand) { ++uses[operand]; });
  }
  std::vector<bool> is_branch(graph.size());
  for (Id id = 0; id < graph.size(); ++id) {
    if (needed_[id] && graph[id].operation == Operation::select) is_branch[graph[id].b] = is_branch[graph[id].c] = true;
  }
  std::vector<std::size_t> length(graph.size());
  for (Id id = 0; id < graph.size(); ++id) {
    if (!needed_[id]) continue;
    const Operation operation = graph[id].operation;
    if (operand_count(operation) == 0) continue;
    std::size_t sum = 1;
    operands(id, [&](Id operand) { sum += is_temporary_[operand] ? 0 : length[operand]; });
    length[id] = sum;
    const Id inner = graph[id].a;
    const bool sign_of_name =
        operation == Operation::negate && (is_temporary_[inner] || operand_count(graph[inner].operation) == 0);
    if ((uses[id] > 1 && sum >= shortest && !sign_of_name) ||
        sum > (is_branch[id] ? std::min(longest, longest_branch) : longest)) {
      is_temporary_[id] = true;
      temporaries_.push_back(id);
    }
  }
}

Piece Writer::piece(Id id) {
  const bool named = graph_[id].operation == Operation::symbol || listing_.is_temporary(id);
  return named ? Piece{name_(id), Binding::atom} : compose(id);
}

std::string Writer::in(Id id, Binding needed) {
  Piece p = piece(id);
  return p.binding >= needed ? std::move(p.text) : wrapped(p.text);
}

// --- what is counted -------------------------------------------------------------------------------------------------

std::vector<NamedCount> operation_counts(const Form& form) {
  std::vector<Id> both = form.M;
  both.insert(both.end(), form.f.begin(), form.f.end());
  std::vector<NamedCount> list = {{"M", count_operations(form.graph, form.M)},
                                  {"f", count_operations(form.graph, form.f)},
                                  {"M and f", count_operations(form.graph, both)},
                                  {"accelerations", count_operations(form.graph, form.udot)}};
  if (form.jacobian) {
    const JacobianForm& j = *form.jacobian;
    std::vector<Id> all = form.udot;
    const auto add = [&](const std::vector<Id>& part) { all.insert(all.end(), part.begin(), part.end()); };
    for (const auto* part : {&j.solved_R, &j.S, &j.given, &j.qdot_q, &j.qdot_u, &form.L, &form.D_inverse}) add(*part);
    if (form.loops) add(form.loops->Z), add(form.loops->W), add(form.loops->multipliers);
    list.push_back({"A and B, but for their solution", count_operations(form.graph, all)});
  }
  return list;
}

std::string size_warning(const std::vector<NamedCount>& counts) {
  const auto all = [](const NamedCount& c) { return c.count.all(); };
  const NamedCount& longest = *std::ranges::max_element(counts, {}, all);
  if (all(longest) <= most_quickly_compiled) return {};
  const auto plain = std::ranges::find(counts, "accelerations", &NamedCount::name);
  std::string remedy = "compile with -O0";
  if (all(longest) > most_compiled) {
    remedy =
        "even with -O0 it may need more memory than there is; 'gyrostat accel' and 'gyrostat linearize' give numbers";
  } else if (plain != counts.end() && all(*plain) <= most_quickly_compiled) {
    remedy += fmt::format(", or leave out --jacobian ({} operations) and differentiate numerically", all(*plain));
  }
  return fmt::format("{} operations in one function ({}): beyond {} an optimising compiler takes long; {}",
                     all(longest), longest.name, most_quickly_compiled, remedy);
}

std::string count_text(const OperationCount& count) {
  const auto of = [](std::size_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
  };
  std::string text = of(count.additions, "addition", "additions") + ", " +
                     of(count.multiplications, "multiplication", "multiplications");
  if (count.divisions > 0) text += ", " + of(count.divisions, "division", "divisions");
  if (count.sines > 0) text += ", " + of(count.sines, "sine or cosine", "sines and cosines");
  if (count.functions > 0) text += ", " + of(count.functions, "other function", "other functions");
  if (count.choices > 0) text += ", " + of(count.choices, "comparison or choice", "comparisons and choices");
  return text;
}

bool is_readable(const Form& form) {
  if (form.nf() <= most_readable_speeds) return true;
  std::vector<Id> all = form.M;
  all.insert(all.end(), form.f.begin(), form.f.end());
  return count_operations(form.graph, all).all() <= most_readable_operations;
}

}  // namespace gyrostat::scalar
