#include "gyrostat/model/dimensions.h"

#include <fmt/format.h>

#include "gyrostat/model/expressions.h"

namespace gyrostat {

namespace {

using expression::Complaint;
using expression::KnownDimension;
using expression::Node;
using expression::Operation;

Dimension dimension_of(const NamedQuantity& coordinate, bool speed) {
  if (coordinate.name.starts_with("quaternion")) return dimension::none;
  const Dimension d = coordinate.rotational ? dimension::angle : dimension::length;
  return speed ? d / dimension::time : d;
}

/// What a name measures; nothing is known of a parameter that is a bare number.
class NameDimensions {
 public:
  NameDimensions(const Description& description, const Names& names, const std::vector<KnownDimension>& signals)
      : description_(description), names_(names), signals_(signals) {}

  [[nodiscard]] KnownDimension operator()(std::string_view name) const {
    if (name == "pi") return expression::bare_number;
    const auto answer = names_.resolve(name);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr) return {};  // reported
    switch (reference->quantity) {
      case Quantity::parameter: return {false, description_.parameters[reference->object].value.dimension};
      case Quantity::signal: return signals_[reference->object];
      default: return {false, of_motion(*reference)};
    }
  }

 private:
  [[nodiscard]] Dimension of_motion(const Reference& r) const {
    switch (r.quantity) {
      case Quantity::time: return dimension::time;
      case Quantity::joint_coordinate:
      case Quantity::joint_speed: {
        const JointDescription& j = description_.joints[r.object];
        const bool speed = r.quantity == Quantity::joint_speed;
        const auto list = speed ? speed_names(j.type, j.translations.size(), j.rotations.size())
                                : coordinate_names(j.type, j.translations.size(), j.rotations.size());
        return dimension_of(list[r.component], speed);
      }
      case Quantity::body_omega:
      case Quantity::wheel_rate: return dimension::angular_rate;
      case Quantity::wheel_angle:
      case Quantity::orbit_true_anomaly: return dimension::angle;
      case Quantity::body_position:
      case Quantity::point_position:
      case Quantity::system_com:
      case Quantity::orbit_radius: return dimension::length;
      case Quantity::body_velocity:
      case Quantity::point_velocity: return dimension::velocity;
      case Quantity::system_momentum: return dimension::torque * dimension::time;
      case Quantity::system_energy: return dimension::torque;
      default: return dimension::none;  // quaternions, direction cosines, directions
    }
  }

  const Description& description_;
  const Names& names_;
  const std::vector<KnownDimension>& signals_;
};

/// Of an expression; what is wrong in it, if anything, goes to `wrong`, and then nothing is known.
KnownDimension dimension_of(const Expression& e, const NameDimensions& names,
                            std::optional<Complaint>* wrong = nullptr) {
  std::vector<KnownDimension> results(e.nodes.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Node& node = e.nodes[i];
    switch (node.operation) {
      case Operation::number:  // in any unit
      case Operation::table: break;
      case Operation::name: results[i] = names(e.names[node.name]); break;
      default: {
        const Node& second = e.nodes[node.operand[1]];
        const auto exponent = second.operation == Operation::number ? std::optional(second.value) : std::nullopt;
        const auto known = expression::dimension_of(node.operation, results[node.operand[0]], results[node.operand[1]],
                                                    results[node.operand[2]], exponent);
        if (const auto* why = std::get_if<std::string>(&known)) {
          if (wrong != nullptr) *wrong = Complaint{node.offset, *why};
          return {};
        }
        results[i] = std::get<KnownDimension>(known);
      }
    }
  }
  return results.empty() ? KnownDimension{} : results.back();
}

struct OutputDimension {
  const NameDimensions& names;
  KnownDimension operator()(const Expression& e) const { return dimension_of(e, names); }
  template <IsKind Kind>
  KnownDimension operator()(const Kind& block) const {
    if constexpr (requires { Kind::output_dimension(KnownDimension{}); }) {
      return Kind::output_dimension(dimension_of(block.input, names));
    }
    return {};
  }
};

bool same(const KnownDimension& a, const KnownDimension& b) { return a.bare == b.bare && a.dimension == b.dimension; }

/// Angles beside masses are left out: a moment of momentum is in N*m*s, not N*m*s*rad.
std::string unit_for_results(const KnownDimension& known) {
  if (!known.dimension || *known.dimension == dimension::none) return {};
  Dimension d = *known.dimension;
  if (d.mass != 0) d.angle = 0;
  return unit_text(d);
}

}  // namespace

std::vector<KnownDimension> dimensions_of_signals(const Description& description, const Names& names) {
  std::vector<KnownDimension> known(description.signals.size());
  const NameDimensions of_names(description, names, known);
  // What is known grows from signal to signal; a circle of signals may need several passes.
  constexpr int most_passes = 8;
  bool changed = true;
  for (int pass = 0; pass < most_passes && changed; ++pass) {
    changed = false;
    for (std::size_t i = 0; i < known.size(); ++i) {
      const SignalDescription& signal = description.signals[i];
      const KnownDimension now = signal.dimension ? KnownDimension{false, signal.dimension}
                                                  : std::visit(OutputDimension{of_names}, signal.block);
      changed = changed || !same(now, known[i]);
      known[i] = now;
    }
  }
  return known;
}

void validate_dimensions(const Description& description, const Names& names, Problems& problems) {
  const std::vector<KnownDimension> signals = dimensions_of_signals(description, names);
  const NameDimensions of_names(description, names, signals);
  for (const ExpressionAt& at : all_expressions(description)) {
    std::optional<Complaint> wrong;
    const KnownDimension known = dimension_of(*at.expression, of_names, &wrong);
    if (wrong) {
      problems.add({Severity::error, at.path, std::move(wrong->message), {}, wrong->offset});
    } else if (at.dimension && known.dimension && !compatible_but_for_angle(*known.dimension, *at.dimension)) {
      problems.error(at.path, fmt::format("expected {}, but the expression is in {}", unit_text(*at.dimension),
                                          unit_text(*known.dimension)));
    }
  }
}

std::vector<std::string> units_of_signals(const Description& description, const Names& names) {
  std::vector<std::string> units;
  for (const KnownDimension& known : dimensions_of_signals(description, names))
    units.push_back(unit_for_results(known));
  return units;
}

}  // namespace gyrostat
