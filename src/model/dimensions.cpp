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

/// The dimension of a node from those of its operands.
class NodeDimension {
 public:
  NodeDimension(const Expression& e, const std::vector<KnownDimension>& results) : e_(e), results_(results) {}

  [[nodiscard]] std::variant<KnownDimension, std::string> operator()(const Node& node) const {
    const Node& second = e_.nodes[node.operand[1]];
    const auto exponent = second.operation == Operation::number ? std::optional(second.value) : std::nullopt;
    auto known =
        expression::dimension_of(node.operation, operand(node, 0), operand(node, 1), operand(node, 2), exponent);
    if (is_sum(node.operation) && std::holds_alternative<KnownDimension>(known) && has_unknown(node)) {
      known = KnownDimension{};  // -2*x - v may be in any unit, with gains of 2 and 1
    }
    return known;
  }

 private:
  /// A bare number is in any unit, and as a factor it is a gain of unknown dimension. So is the time, often meant as a
  /// number of seconds: T*t rises by T in every second.
  [[nodiscard]] KnownDimension operand(const Node& node, std::size_t k) const {
    const Node& of = e_.nodes[node.operand[k]];
    const bool factor = node.operation == Operation::multiply || node.operation == Operation::divide ||
                        (node.operation == Operation::power && k == 0);
    const bool number =
        of.operation == Operation::number || (of.operation == Operation::name && e_.names[of.name] == "t");
    return factor && number ? KnownDimension{} : results_[node.operand[k]];
  }

  static bool is_sum(Operation operation) {
    return operation == Operation::add || operation == Operation::subtract || operation == Operation::min ||
           operation == Operation::max || operation == Operation::clamp || operation == Operation::conditional;
  }

  [[nodiscard]] bool has_unknown(const Node& node) const {
    const std::size_t first = node.operation == Operation::conditional ? 1 : 0;
    for (std::size_t k = first; k < static_cast<std::size_t>(operand_count(node.operation)); ++k) {
      const KnownDimension& x = results_[node.operand[k]];
      if (!x.bare && !x.dimension) return true;
    }
    return false;
  }

  const Expression& e_;
  const std::vector<KnownDimension>& results_;
};

/// Of an expression; what is wrong in it, if anything, goes to `wrong`, and then nothing is known.
KnownDimension dimension_of(const Expression& e, const NameDimensions& names,
                            std::optional<Complaint>* wrong = nullptr) {
  std::vector<KnownDimension> results(e.nodes.size());
  const NodeDimension of_node(e, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Node& node = e.nodes[i];
    switch (node.operation) {
      case Operation::number: results[i] = expression::bare_number; break;
      case Operation::table: break;
      case Operation::name: results[i] = names(e.names[node.name]); break;
      default: {
        const auto known = of_node(node);
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

/// A place may be given the time as a number: an angle of t is a turn of one radian per second.
bool fits(const KnownDimension& known, const Dimension& wanted) {
  return !known.dimension || *known.dimension == dimension::time || compatible_but_for_angle(*known.dimension, wanted);
}

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
    } else if (at.dimension && !fits(known, *at.dimension)) {
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
