// Any bytes as an expression: parsed or refused with a place inside the text; what parses can be printed, compiled and
// run.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "gyrostat/expression/constant.h"
#include "gyrostat/expression/print.h"
#include "gyrostat/expression/program.h"
#include "gyrostat/expression/units.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gyrostat;
  using namespace gyrostat::expression;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto quantity = split_quantity(text)) parse_unit(quantity->unit);
  const Parsed parsed = parse(text);
  if (parsed.complaint) {
    if (parsed.complaint->offset > text.size() || parsed.complaint->message.empty()) std::abort();
    return 0;
  }
  const Expression& e = parsed.expression;
  const auto constant = evaluate_constant(e, [](std::string_view) { return Constant{1.5, dimension::time}; });
  if (const auto* value = std::get_if<Constant>(&constant); value != nullptr && !std::isfinite(value->value))
    std::abort();
  if (to_latex(e).empty()) std::abort();

  ProgramBuilder builder(2, 0);
  const auto table = builder.add_table(Table({0, 1, 2}, {0, 1, 4}, Interpolation::cubic, Outside::extend));
  const Slot result = builder.add(
      e, [](std::string_view name) { return name == "t" ? 0U : 1U; }, [&](std::string_view) { return table; });
  const Program program = builder.finish();
  std::vector<double> slots(program.slots);
  std::vector<Dual<2>> duals(program.slots);
  prepare<double>(program, slots);
  prepare<Dual<2>>(program, duals);
  slots[0] = 0.25, slots[1] = -1.75;
  for (std::size_t i = 0; i < 2; ++i) duals[i] = Dual<2>::variable(slots[i], i);
  evaluate<double>(program, slots);
  evaluate<Dual<2>>(program, duals);
  const double value = slots[result], dual = duals[result].value;
  if (!(value == dual || (std::isnan(value) && std::isnan(dual)))) std::abort();
  return 0;
}
