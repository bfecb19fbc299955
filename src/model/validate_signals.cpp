#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// The checks of one block. Numbers that could not be read are NaN, and no comparison with them is true.
class BlockCheck {
 public:
  BlockCheck(std::string path, const Names& names, Problems& problems)
      : path_(std::move(path)), names_(names), problems_(problems) {}

  void operator()(const Expression&) const {}
  void operator()(const IntegralBlock&) const {}

  void operator()(const TransferFunctionBlock& b) const {
    const std::string in = "transfer_function.";
    if (b.denominator.empty() || b.numerator.empty()) return;  // reported as missing or not a list
    if (b.denominator.front() == 0) wrong(in + "denominator", "the leading coefficient cannot be zero");
    if (degree(b.numerator) > degree(b.denominator)) {
      wrong(in + "numerator",
            fmt::format("of higher degree ({}) than the denominator ({}): that would need derivatives of the input",
                        degree(b.numerator), degree(b.denominator)));
    }
    if (b.initial != 0 && b.denominator.size() < 2) wrong(in + "initial", "a constant factor has no initial value");
  }

  void operator()(const StateSpaceBlock& b) const {
    const std::size_t n = b.a.size(), inputs = b.inputs.size(), outputs = b.c.size();
    if (n == 0 || inputs == 0 || outputs == 0) return;  // reported as missing or unreadable
    shape("a", b.a, n, n);
    shape("b", b.b, n, inputs);
    shape("c", b.c, outputs, n);
    shape("d", b.d, outputs, inputs);
    if (!b.initial.empty() && b.initial.size() != n) {
      wrong("state_space.initial", fmt::format("expected {} state{}, got {}", n, n == 1 ? "" : "s", b.initial.size()));
    }
    if (b.outputs.empty() ? outputs > 1 : b.outputs.size() != outputs) {
      wrong("state_space.outputs", fmt::format("c has {} rows, so {} names are needed", outputs, outputs));
    }
    distinct("state_space.outputs", b.outputs);
  }

  void operator()(const SwitchingAmplifierBlock& b) const {
    const std::string in = "switching_amplifier.";
    if (b.deadband < 0) wrong(in + "deadband", "must not be negative");
    if (b.hysteresis < 0 || (b.deadband >= 0 && b.hysteresis > b.deadband))
      wrong(in + "hysteresis", "must be between 0 and the deadband");
    if (b.min_on_time < 0) wrong(in + "min_on_time", "must not be negative");
    if (b.min_off_time < 0) wrong(in + "min_off_time", "must not be negative");
  }

  void operator()(const SaturateBlock& b) const {
    if (b.low >= b.high) wrong("saturate.low", fmt::format("must be below 'high' ({} is not below {})", b.low, b.high));
  }

  void operator()(const DelayBlock& b) const { long_enough("delay.time", b.time); }
  void operator()(const SampleBlock& b) const { long_enough("sample.period", b.period); }

  void operator()(const PidBlock& b) const {
    if (b.filter < 0) wrong("pid.filter", "must not be negative");
    if (b.kd != 0 && b.filter == 0)
      wrong("pid.kd", "a derivative needs a 'filter', the time constant that keeps it finite");
    if (b.low && b.high && *b.low >= *b.high) wrong("pid.low", "must be below 'high'");
  }

  void operator()(const TableBlock& b) const {
    if (!b.table.empty() && !names_.table(b.table)) wrong("table.table", names_.no_table(b.table));
  }

  void operator()(const NoiseBlock& b) const {
    long_enough("noise.period", b.period);
    if (b.std < 0) wrong("noise.std", "must not be negative");
    if (b.seed < 0) wrong("noise.seed", "must not be negative");
  }

  void operator()(const PluginBlock& b) const {
    long_enough("plugin.period", b.period);
    distinct("plugin.outputs", b.outputs);
  }

 private:
  void wrong(std::string_view field, std::string message) const {
    problems_.error(fmt::format("{}.{}", path_, field), std::move(message));
  }
  void positive(std::string_view field, double value) const {
    if (value <= 0) wrong(field, "must be positive");
  }
  /// Instants closer than a picosecond are one.
  void long_enough(std::string_view field, double value) const {
    positive(field, value);
    if (value > 0 && value < 1e-9) wrong(field, "must be at least 1 ns");
  }
  void shape(std::string_view name, const std::vector<std::vector<double>>& matrix, std::size_t rows,
             std::size_t columns) const {
    if (matrix.empty()) return;  // missing or unreadable
    if (matrix.size() == rows && matrix[0].size() == columns) return;
    wrong(fmt::format("state_space.{}", name),
          fmt::format("expected {} by {}, got {} by {}", rows, columns, matrix.size(), matrix[0].size()));
  }
  void distinct(std::string_view field, const std::vector<std::string>& names) const {
    if (std::set<std::string_view>(names.begin(), names.end()).size() != names.size())
      wrong(field, "a name occurs twice");
  }

  std::string path_;
  const Names& names_;
  Problems& problems_;
};

/// Signals whose values at an instant depend on each other in a circle.
void check_algebraic_loops(const Description& description, const Names& names, Problems& problems) {
  std::vector<std::vector<std::uint32_t>> needs(description.signals.size());
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const Block& block = description.signals[i].block;
    if (!feeds_through(block)) continue;
    for (const auto& [path, input] : inputs_of(block)) {
      for (const std::string& name : input->names) {
        const auto answer = names.resolve(name);
        const auto* reference = std::get_if<Reference>(&answer);
        if (reference != nullptr && reference->quantity == Quantity::signal) needs[i].push_back(reference->object);
      }
    }
  }
  for (const auto& cycle : order_by_need(needs).cycles) {
    const auto name = [&](std::uint32_t i) { return description.signals[i].name; };
    problems.error("signals." + name(cycle.front()),
                   fmt::format("algebraic loop: {}; break it with a state (integral, transfer_function), a "
                               "sample or a delay",
                               cycle_text(cycle, name)));
  }
}

}  // namespace

void validate_signals(const Description& description, const Names& names, Problems& problems) {
  for (const SignalDescription& signal : description.signals) {
    if (names.parameter(signal.name)) problems.error("signals." + signal.name, "a parameter has the same name");
    std::visit(BlockCheck("signals." + signal.name, names, problems), signal.block);
  }
  check_algebraic_loops(description, names, problems);
}

}  // namespace gyrostat
