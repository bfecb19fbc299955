#include "gyrostat/expression/constant.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "gyrostat/expression/arithmetic.h"
#include "gyrostat/expression/dimensions.h"

namespace gyrostat::expression {

namespace {

struct Measured : KnownDimension {
  double value = 0;
};

}  // namespace

std::variant<Constant, Complaint> evaluate_constant(const Expression& expression, const Lookup& lookup) {
  std::vector<Measured> results(expression.nodes.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Node& node = expression.nodes[i];
    const Measured& a = results[node.operand[0]];
    const Measured& b = results[node.operand[1]];
    const Measured& c = results[node.operand[2]];
    Measured& y = results[i];
    switch (node.operation) {
      case Operation::number: y = {dimension_of_number(expression, node), node.value}; break;
      case Operation::name: {
        if (expression.names[node.name] == "pi") {
          y = {bare_number, std::numbers::pi};
          break;
        }
        const auto found = lookup(expression.names[node.name]);
        if (const auto* why = std::get_if<std::string>(&found)) return Complaint{node.offset, *why};
        const auto& constant = std::get<Constant>(found);
        if (std::isnan(constant.value)) return constant;  // a value that could not be read, and was reported
        y = {{false, constant.dimension}, constant.value};
        break;
      }
      case Operation::step:
      case Operation::ramp:
      case Operation::pulse:
        return Complaint{node.offset, fmt::format("{} depends on time, but a constant is needed here",
                                                  function_name(node.operation))};
      case Operation::table: return Complaint{node.offset, "a table cannot be used in a constant"};
      default: {
        const auto measured = dimension_of(node.operation, a, b, c, b.value);
        if (const auto* why = std::get_if<std::string>(&measured)) return Complaint{node.offset, *why};
        y = {std::get<KnownDimension>(measured), arithmetic(node.operation, a.value, b.value, c.value)};
      }
    }
    if (!std::isfinite(y.value)) return Complaint{node.offset, "the result is not a finite number"};
  }
  const Measured& result = results.back();
  return Constant{result.value, result.dimension};
}

}  // namespace gyrostat::expression
