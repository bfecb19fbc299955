#include "gyrostat/model/expressions.h"

#include <fmt/format.h>

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
    return list;
  }
};

struct FeedsThrough {
  bool operator()(const Expression&) const { return true; }
  bool operator()(const IsKind auto& block) const { return block.feeds_through(); }
};

class Collector {
 public:
  void add(std::string path, const Expression& expression, bool of_time_only = false) {
    if (!expression.empty()) list_.push_back({std::move(path), &expression, of_time_only});
  }
  void add(const std::string& path, const std::vector<Expression>& expressions, bool of_time_only = false) {
    if (expressions.size() == 1) return add(path, expressions[0], of_time_only);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const bool repeated = i > 0 && expressions[i].text == expressions[0].text;  // one expression for all coordinates
      if (!repeated) add(fmt::format("{}[{}]", path, i), expressions[i], of_time_only);
    }
  }
  std::vector<ExpressionAt> take() { return std::move(list_); }

  void add_load(const std::string& path, const LoadDescription& load) {
    const auto fields_of = [&]<IsKind Kind>(const Kind& kind) {
      for_each_field(kind, [&]<class Member>(const FieldFormat& field, const Member& member) {
        constexpr bool one = std::is_same_v<Member, Expression>;
        if constexpr (one || std::is_same_v<Member, std::vector<Expression>>) {
          add(fmt::format("{}.{}", path, path_in<Kind>(field.name)), member);
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
  Collector all;
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& wheel : body.wheels) {
      const std::string path = fmt::format("bodies.{}.wheels.{}", body.name, wheel.name);
      all.add(path + ".torque", wheel.torque);
      all.add(path + ".speed", wheel.speed, true);
    }
  }
  for (const JointDescription& joint : description.joints) {
    if (joint.torque.empty() && joint.axis_torque.empty() && joint.prescribed.motion.empty() && !joint.thermal)
      continue;
    const std::string path = "joints." + joint.name;
    const bool position = joint.prescribed.kind == Prescribed::Kind::position;
    all.add(path + ".torque", joint.torque);
    all.add(path + ".axis_torque", joint.axis_torque);
    all.add(path + (position ? ".prescribed.position" : ".prescribed.acceleration"), joint.prescribed.motion, position);
    if (joint.thermal) all.add(path + ".thermal.factor", joint.thermal->factor);
  }
  for (const SignalDescription& signal : description.signals) {
    for (const auto& [input, expression] : inputs_of(signal.block)) {
      all.add(input.empty() ? "signals." + signal.name : fmt::format("signals.{}.{}", signal.name, input), *expression);
    }
  }
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    all.add_load(fmt::format("loads[{}]", i), description.loads[i]);
  return all.take();
}

}  // namespace gyrostat
