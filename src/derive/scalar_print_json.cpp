#include <array>

#include <nlohmann/json.hpp>

#include "gyrostat/derive/scalar_print.h"

namespace gyrostat::scalar {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// In the order of Operation.
constexpr std::array<const char*, 26> operation_names = {
    "constant", "symbol",     "add",   "subtract", "multiply", "divide", "negate", "power", "sin",
    "cos",      "tan",        "asin",  "acos",     "atan",     "atan2",  "sqrt",   "exp",   "log",
    "less",     "less_equal", "equal", "and",      "or",       "not",    "select", "table"};

/// Nodes that are needed, numbered anew.
class JsonNodes {
 public:
  JsonNodes(const Graph& graph, std::span<const Id> outputs) : place_(graph.size()) {
    const std::vector<bool> needed = graph.needed_by(outputs);
    for (Id id = 0; id < graph.size(); ++id) {
      if (!needed[id]) continue;
      place_[id] = list.size();
      const Node& node = graph[id];
      OrderedJson one = {{"operation", operation_names.at(static_cast<std::size_t>(node.operation))}};
      const int count = operand_count(node.operation);
      if (node.operation == Operation::constant) one["value"] = node.value;
      if (count > 0) one["operands"] = OrderedJson::array({place_[node.a]});
      if (count > 1) one["operands"].push_back(place_[node.b]);
      if (count > 2) one["operands"].push_back(place_[node.c]);
      if (node.operation == Operation::table) one["table"] = node.b, one["order"] = node.c;
      list.push_back(std::move(one));
    }
  }
  [[nodiscard]] std::size_t place(Id id) const { return place_[id]; }
  [[nodiscard]] OrderedJson places(std::span<const Id> ids) const {
    OrderedJson out = OrderedJson::array();
    for (const Id id : ids) out.push_back(place_[id]);
    return out;
  }

  OrderedJson list = OrderedJson::array();

 private:
  std::vector<std::size_t> place_;
};

}  // namespace

std::string to_json(const Form& form) {
  std::vector<Id> outputs = form.udot;
  for (const auto* part : {&form.M, &form.f, &form.qdot}) outputs.insert(outputs.end(), part->begin(), part->end());
  for (const auto* list : {&form.p, &form.q, &form.u, &form.s}) {
    for (const Variable& v : *list) outputs.push_back(v.id);
  }
  outputs.push_back(form.time);
  if (form.loops) {
    for (const auto* part : {&form.loops->G, &form.loops->gamma, &form.loops->multipliers})
      outputs.insert(outputs.end(), part->begin(), part->end());
  }
  if (form.jacobian) {
    const JacobianForm& j = *form.jacobian;
    for (const auto* part : {&j.lambda, &j.R, &j.S, &j.given, &j.qdot_q, &j.qdot_u})
      outputs.insert(outputs.end(), part->begin(), part->end());
    for (const std::uint32_t k : form.free) outputs.push_back(j.udot[k]);
  }
  const JsonNodes nodes(form.graph, outputs);

  OrderedJson out = {{"format", "gyrostat derive --form scalar"}, {"version", 1}, {"name", form.name}};
  const auto add_variables = [&](const char* name, const std::vector<Variable>& list) {
    OrderedJson all = OrderedJson::array();
    for (const Variable& v : list) {
      all.push_back({{"name", v.name}, {"unit", v.unit}, {"value", v.value}, {"node", nodes.place(v.id)}});
    }
    out[name] = std::move(all);
  };
  add_variables("p", form.p), add_variables("q", form.q), add_variables("u", form.u), add_variables("s", form.s);
  out["t"] = {{"unit", "s"}, {"node", nodes.place(form.time)}};
  out["free"] = form.free;
  const std::size_t n = form.nf();
  const auto matrix = [&](const std::vector<Id>& entries, std::size_t columns) {
    OrderedJson rows = OrderedJson::array();
    for (std::size_t k = 0; k < entries.size(); k += columns)
      rows.push_back(nodes.places(std::span(entries).subspan(k, columns)));
    return rows;
  };
  out["M"] = matrix(form.M, n);
  out["f"] = nodes.places(form.f);
  out["udot"] = nodes.places(form.udot);
  out["qdot"] = nodes.places(form.qdot);
  if (form.loops) {
    out["loops"] = {{"rows", form.loops->rows},
                    {"left_out", form.loops->left_out},
                    {"G", matrix(form.loops->G, n)},
                    {"gamma", nodes.places(form.loops->gamma)},
                    {"lambda", nodes.places(form.loops->multipliers)}};
  }
  if (form.jacobian) {
    const JacobianForm& j = *form.jacobian;
    std::vector<Id> free;
    for (const std::uint32_t k : form.free) free.push_back(j.udot[k]);
    out["derivatives"] = {{"udot", nodes.places(free)},
                          {"lambda", nodes.places(j.lambda)},
                          {"R", matrix(j.R, form.columns())},
                          {"S", matrix(j.S, form.columns())},
                          {"given", matrix(j.given, form.columns())},
                          {"qdot_q", matrix(j.qdot_q, form.q.size())},
                          {"qdot_u", matrix(j.qdot_u, form.u.size())}};
  }
  out["notes"] = form.notes;
  out["tables"] = OrderedJson::array();
  for (std::size_t k = 0; k < form.tables.size(); ++k) {
    const Table& table = form.tables[k];
    out["tables"].push_back({{"name", form.table_names[k]},
                             {"x", std::vector<double>(table.knots().begin(), table.knots().end())},
                             {"y", std::vector<double>(table.values().begin(), table.values().end())}});
  }
  out["operations"] = OrderedJson::object();
  for (const NamedCount& c : operation_counts(form)) {
    out["operations"][c.name] = {{"all", c.count.all()},
                                 {"additions", c.count.additions},
                                 {"multiplications", c.count.multiplications},
                                 {"divisions", c.count.divisions},
                                 {"sines and cosines", c.count.sines},
                                 {"other functions", c.count.functions},
                                 {"choices", c.count.choices}};
  }
  out["nodes"] = nodes.list;
  // a node on a line
  std::string text = "{\n";
  for (auto item = out.begin(); item != out.end(); ++item) {
    const auto last = std::next(item) == out.end();
    const auto flat = [](const OrderedJson& value) {
      return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    };
    text += " " + flat(OrderedJson(item.key())) + ": ";
    if (item->is_array() && !item->empty() && item->front().is_object()) {
      text += "[\n";
      for (std::size_t k = 0; k < item->size(); ++k)
        text += "  " + flat((*item)[k]) + (k + 1 < item->size() ? ",\n" : "\n");
      text += " ]";
    } else {
      text += flat(*item);
    }
    text += last ? "\n" : ",\n";
  }
  return text + "}\n";
}

}  // namespace gyrostat::scalar
