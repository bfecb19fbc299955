#include "gyrostat/model/dimensions.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/compiler.h"
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
      case Quantity::modal_coordinate:
      case Quantity::modal_rate: return {};  // with half a power of the mass: not checked
      case Quantity::joint_coordinate:
      case Quantity::joint_speed:
        if (!description_.joints[reference->object].readable) return {};  // reported
        return {false, of_motion(*reference)};
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
      case Quantity::body_attitude_angle:
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

/// The dimensions of an expression's nodes, each from those of its operands.
class NodeDimensions {
 public:
  NodeDimensions(const Expression& e, const NameDimensions& names)
      : e_(e), names_(names), known_(e.nodes.size()), constant_(e.nodes.size()) {}

  /// Of the whole, or what is wrong in it.
  std::variant<KnownDimension, Complaint> find() {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      const Node& node = e_.nodes[i];
      constant_[i] = is_constant(node);
      switch (node.operation) {
        case Operation::number: known_[i] = dimension_of_number(e_, node); break;
        case Operation::table: break;
        case Operation::name: known_[i] = names_(e_.names[node.name]); break;
        default: {
          const auto known = of_operation(node);
          if (const auto* why = std::get_if<std::string>(&known)) return Complaint{node.offset, *why};
          known_[i] = std::get<KnownDimension>(known);
        }
      }
    }
    return known_.empty() ? KnownDimension{} : known_.back();
  }

 private:
  [[nodiscard]] std::variant<KnownDimension, std::string> of_operation(const Node& node) const {
    const Node& second = e_.nodes[node.operand[1]];
    const auto exponent = second.operation == Operation::number ? std::optional(second.value) : std::nullopt;
    auto known =
        expression::dimension_of(node.operation, operand(node, 0), operand(node, 1), operand(node, 2), exponent);
    if (is_sum(node.operation) && std::holds_alternative<KnownDimension>(known) && has_unknown(node)) {
      known = KnownDimension{};  // -2*x - v may be in any unit, with gains of 2 and 1
    }
    return known;
  }

  /// A bare number is in any unit, and as a factor it is a gain of unknown dimension. So is the time, often meant as a
  /// number of seconds: T*t rises by T in every second.
  [[nodiscard]] KnownDimension operand(const Node& node, std::size_t k) const {
    const Node& of = e_.nodes[node.operand[k]];
    const bool factor = node.operation == Operation::multiply || node.operation == Operation::divide ||
                        (node.operation == Operation::power && k == 0);
    const bool time = of.operation == Operation::name && e_.names[of.name] == "t";
    return factor && (time || constant_[node.operand[k]]) ? KnownDimension{} : known_[node.operand[k]];
  }

  /// Is it made of numbers alone, as -2 is?
  [[nodiscard]] bool is_constant(const Node& node) const {
    switch (node.operation) {
      case Operation::name: return e_.names[node.name] == "pi";
      case Operation::table:
      case Operation::step:
      case Operation::ramp:
      case Operation::pulse: return false;
      default: break;
    }
    for (int k = 0; k < operand_count(node.operation); ++k) {
      if (!constant_[node.operand[k]]) return false;
    }
    return true;
  }

  static bool is_sum(Operation operation) {
    return operation == Operation::add || operation == Operation::subtract || operation == Operation::min ||
           operation == Operation::max || operation == Operation::clamp || operation == Operation::conditional;
  }

  [[nodiscard]] bool has_unknown(const Node& node) const {
    for (int k = node.operation == Operation::conditional ? 1 : 0; k < operand_count(node.operation); ++k) {
      const KnownDimension& x = known_[node.operand[k]];
      if (!x.bare && !x.dimension) return true;
    }
    return false;
  }

  const Expression& e_;
  const NameDimensions& names_;
  std::vector<KnownDimension> known_;
  std::vector<bool> constant_;
};

/// Of an expression; what is wrong in it, if anything, goes to `wrong`, and then nothing is known.
KnownDimension dimension_of(const Expression& e, const NameDimensions& names,
                            std::optional<Complaint>* wrong = nullptr) {
  const auto found = NodeDimensions(e, names).find();
  if (const auto* known = std::get_if<KnownDimension>(&found)) return *known;
  if (wrong != nullptr) *wrong = std::get<Complaint>(found);
  return {};
}

struct OutputDimension {
  const NameDimensions& names;
  KnownDimension operator()(const Expression& e) const { return dimension_of(e, names); }
  template <IsKind Kind>
  KnownDimension operator()(const Kind& block) const {
    if constexpr (requires { Kind::output_dimension(KnownDimension{}); }) {
      return Kind::output_dimension(dimension_of(block.input, names));
    } else if constexpr (requires { Kind::output_dimension(); }) {
      return Kind::output_dimension();
    }
    return {};
  }
};

/// Does the expression see anything but parameters and the time? `signals` tells which signals do.
bool sees_motion(const Expression& e, const Names& names, const std::vector<bool>& signals) {
  return std::ranges::any_of(e.names, [&](const std::string& name) {
    const auto answer = names.resolve(name);
    const auto* r = std::get_if<Reference>(&answer);
    if (r == nullptr || r->quantity == Quantity::parameter || r->quantity == Quantity::time) return false;
    return r->quantity != Quantity::signal || signals[r->object];
  });
}

/// Signals after those that they need. What goes through circles takes several passes.
constexpr int most_passes = 8;
std::vector<std::uint32_t> order_of_signals(const Description& description, const Names& names) {
  return order_by_need(signals_needed(description, names, false)).order;
}

std::vector<bool> signals_that_see_motion(const Description& description, const Names& names) {
  const std::vector<std::uint32_t> order = order_of_signals(description, names);
  std::vector<bool> seeing(description.signals.size());
  bool changed = true;
  for (int pass = 0; pass < most_passes && changed; ++pass) {
    changed = false;
    for (const std::uint32_t i : order) {
      if (seeing[i]) continue;
      for (const auto& [path, input] : inputs_of(description.signals[i].block)) {
        if (sees_motion(*input, names, seeing)) changed = seeing[i] = true;
      }
    }
  }
  if (changed) seeing.assign(seeing.size(), true);  // circles within circles: nothing is certain
  return seeing;
}

/// A place may be given the time as a number: an angle of t is a turn of one radian per second.
bool fits(const KnownDimension& known, const Dimension& wanted) {
  return !known.dimension || *known.dimension == dimension::time || compatible_but_for_angle(*known.dimension, wanted);
}

/// What entering a state of a state machine sets is to measure the same as before.
void add_dimensions_of_entries(const Description& description, const Names& names,
                               const std::vector<KnownDimension>& signals, std::vector<ExpressionAt>& all) {
  std::unordered_map<const Expression*, Dimension> wanted;
  for (const SignalDescription& signal : description.signals) {
    const auto* modes = std::get_if<ModesBlock>(&signal.block);
    if (modes == nullptr) continue;
    for (const ModeState& state : modes->states) {
      for (const ModeEntry& entry : state.entry) {
        const auto target = names.signal(entry.signal);
        if (!target || !signals[*target].dimension) continue;
        for (const Expression& value : entry.value) wanted.emplace(&value, *signals[*target].dimension);
      }
    }
  }
  if (wanted.empty()) return;
  for (ExpressionAt& at : all) {
    if (const auto found = wanted.find(at.expression); found != wanted.end()) at.dimension = found->second;
  }
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
  const std::vector<std::uint32_t> order = order_of_signals(description, names);
  bool changed = true;
  for (int pass = 0; pass < most_passes && changed; ++pass) {
    changed = false;
    for (const std::uint32_t i : order) {
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
  const std::vector<bool> seeing = signals_that_see_motion(description, names);
  const NameDimensions of_names(description, names, signals);
  std::vector<ExpressionAt> all = all_expressions(description);
  add_dimensions_of_entries(description, names, signals, all);
  for (const ExpressionAt& at : all) {
    std::optional<Complaint> wrong;
    const KnownDimension known = dimension_of(*at.expression, of_names, &wrong);
    if (wrong) {
      problems.add({Severity::error, at.path, std::move(wrong->message), {}, wrong->offset});
    } else if (at.dimension && !fits(known, *at.dimension) && !sees_motion(*at.expression, names, seeing)) {
      // A torque of -bus.omega_x is a damper with a gain of one: not certainly wrong.
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
