#include "gyrostat/model/expressions.h"

#include <fmt/format.h>

#include "gyrostat/model/mode_paths.h"

namespace gyrostat {

namespace {

using Inputs = std::vector<std::pair<std::string, const Expression*>>;

struct InputsOf {
  Inputs operator()(const Expression& e) const { return {{"", &e}}; }
  template <IsKind Kind>
  Inputs operator()(const Kind& block) const {
    Inputs list;
    for_each_field(block, [&]<class Member>(const FieldFormat& field, const Member& member) {
      if constexpr (std::is_same_v<Member, Expression>) {
        list.emplace_back(path_in<Kind>(field.name), &member);
      } else if constexpr (std::is_same_v<Member, std::vector<Expression>>) {
        for (std::size_t i = 0; i < member.size(); ++i)
          list.emplace_back(fmt::format("{}[{}]", path_in<Kind>(field.name), i), &member[i]);
      }
    });
    if constexpr (std::is_same_v<Kind, ModesBlock>) {
      ModesBlock::for_each_expression(
          block, [&](std::string path, const Expression& e) { list.emplace_back(std::move(path), &e); });
    }
    return list;
  }
};

struct FeedsThrough {
  bool operator()(const Expression&) const { return true; }
  bool operator()(const IsKind auto& block) const { return block.feeds_through(); }
};

class Collector {
 public:
  void add(std::string path, const Expression& expression, bool of_time_only, std::optional<Dimension> dimension) {
    if (!expression.empty()) list_.push_back({std::move(path), &expression, of_time_only, dimension});
  }
  /// `dimension_of` tells the dimension of expression number k.
  template <class DimensionOf>
  void add_list(const std::string& path, const std::vector<Expression>& expressions, bool of_time_only,
                const DimensionOf& dimension_of) {
    if (expressions.size() == 1) return add(path, expressions[0], of_time_only, dimension_of(0));
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const bool repeated = i > 0 && expressions[i].text == expressions[0].text &&
                            expressions[i].part == expressions[0].part;  // one expression for all coordinates
      if (!repeated) add(fmt::format("{}[{}]", path, i), expressions[i], of_time_only, dimension_of(i));
    }
  }
  void add_friction(const std::string& path, const FrictionDescription& friction, const Dimension& level) {
    add(path + ".friction.coulomb", friction.coulomb, false, level);
    add(path + ".friction.static", friction.static_most, false, level);
  }
  void add_modes(const Description& description, const SignalDescription& signal, const ModesBlock& modes) {
    for (const ModeState& state : modes.states) {
      for (const ModeTransition& t : state.transitions)
        add(fmt::format("{}.{}", signal.path(), ModesBlock::path_of(state, t)), t.when, false, std::nullopt);
      for (const ModeEntry& entry : state.entry)
        add_list(path_of_entry(description, signal, state, entry), entry.value, false,
                 [](std::size_t) { return std::nullopt; });
    }
  }
  std::vector<ExpressionAt> take() { return std::move(list_); }

  void add_load(const std::string& path, const LoadDescription& load) {
    const auto fields_of = [&]<IsKind Kind>(const Kind& kind) {
      for_each_field(kind, [&]<class Member>(const FieldFormat& field, const Member& member) {
        const std::string at = fmt::format("{}.{}", path, path_in<Kind>(field.name));
        if constexpr (std::is_same_v<Member, Expression>) {
          add(at, member, false, field.dimension);
        } else if constexpr (std::is_same_v<Member, std::vector<Expression>>) {
          add_list(at, member, false, [&](std::size_t) { return field.dimension; });
        } else if constexpr (std::is_same_v<Member, Coefficient>) {
          add(at, member.expression, false, field.dimension);
        }
      });
    };
    std::visit(fields_of, load);
  }

 private:
  std::vector<ExpressionAt> list_;
};

}  // namespace

Inputs inputs_of(const Block& block) { return std::visit(InputsOf{}, block); }

bool feeds_through(const Block& block) { return std::visit(FeedsThrough{}, block); }

std::vector<ExpressionAt> all_expressions(const Description& description) {
  using namespace dimension;  // NOLINT(google-build-using-namespace)
  Collector all;
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& wheel : body.wheels) {
      const std::string path = fmt::format("bodies.{}.wheels.{}", body.name, wheel.name);
      all.add(path + ".torque", wheel.torque, false, torque);
      all.add(path + ".speed", wheel.speed, true, angular_rate);
      if (wheel.friction) all.add_friction(path, *wheel.friction, torque);
    }
  }
  for (const JointDescription& joint : description.joints) {
    if (joint.torque.empty() && joint.axis_torque.empty() && joint.prescribed.motion.empty() && !joint.thermal &&
        !joint.latch && !joint.friction)
      continue;
    const std::string path = "joints." + joint.name;
    const bool position = joint.prescribed.kind == Prescribed::Kind::position;
    const auto speeds = speed_names(joint.type, joint.translations.size(), joint.rotations.size());
    const auto each = [&](const Dimension& rotational, const Dimension& translational) {
      return [=, &speeds](std::size_t k) {
        return k < speeds.size() && speeds[k].rotational ? rotational : translational;
      };
    };
    all.add_list(path + ".torque", joint.torque, false, each(torque, force));
    all.add_list(path + ".axis_torque", joint.axis_torque, false, [](std::size_t) { return torque; });
    all.add_list(path + (position ? ".prescribed.position" : ".prescribed.acceleration"), joint.prescribed.motion,
                 position, position ? each(angle, length) : each(angular_acceleration, acceleration));
    if (joint.thermal) all.add(path + ".thermal.factor", joint.thermal->factor, false, none);
    if (joint.latch) {
      all.add(path + ".latch.when", joint.latch->when, false, std::nullopt);
      all.add(path + ".latch.release", joint.latch->release, false, std::nullopt);
    }
    if (joint.friction) all.add_friction(path, *joint.friction, each(torque, force)(0));
  }
  const JointsByName joints = description.constraints.empty() ? JointsByName() : joints_by_name(description.joints);
  for (const ConstraintDescription& constraint : description.constraints) {
    const std::optional<Dimension> dimension = dimension_of(constraint.relation, joints);
    all.add_list(fmt::format("constraints.{}.equals", constraint.name), constraint.equals, true,
                 [&](std::size_t) { return dimension; });
  }
  for (const SignalDescription& signal : description.signals) {
    if (const auto* modes = std::get_if<ModesBlock>(&signal.block)) {
      all.add_modes(description, signal, *modes);
      continue;
    }
    for (const auto& [input, expression] : inputs_of(signal.block)) {
      const bool itself = input.empty();
      all.add(itself ? signal.path() : fmt::format("{}.{}", signal.path(), input), *expression, false,
              itself ? signal.dimension : std::nullopt);
    }
  }
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    all.add_load(fmt::format("loads[{}]", i), description.loads[i]);
  return all.take();
}

}  // namespace gyrostat
