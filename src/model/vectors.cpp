#include "gyrostat/model/vectors.h"

#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/expression/glob.h"
#include "gyrostat/expression/vectors.h"
#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"

namespace gyrostat {

namespace {

using expression::Lowered;
using expression::Symbol;
using expression::Type;
using expression::ValueKind;

std::vector<std::string> with_components(std::string_view name, std::string_view separator, std::string_view letters) {
  std::vector<std::string> names;
  for (const char letter : letters) names.push_back(fmt::format("{}{}{}", name, separator, letter));
  return names;
}

/// The directions along the orbit, against its normal and to the centre, as x, y and z.
std::string orbit_attitude(const OrbitDescription& orbit) {
  return fmt::format(
      "rotation([0, 0, 1], {})*rotation([1, 0, 0], {})*rotation([0, 0, 1], {} + orbit.true_anomaly)"
      "*quaternion(0.5, -0.5, -0.5, 0.5)",
      orbit.raan, orbit.inclination, orbit.argument_of_periapsis);
}

/// Blocks whose output is their input, at another time: all of a rotation's numbers may go through them.
bool passes_on(const Block& block) {
  return std::holds_alternative<Expression>(block) || std::holds_alternative<SampleBlock>(block) ||
         std::holds_alternative<HoldBlock>(block) || std::holds_alternative<DelayBlock>(block);
}

class TakeApart {
  /// Signals in a circle are found out one inside the other; in a longer one, by what its constants say.
  static constexpr std::size_t deepest = 200;

 public:
  TakeApart(Description& description, Problems& problems)
      : d_(description), problems_(problems), names_(d_, nullptr, Names::Suggestions::none), kinds_(d_.signals.size()) {
    find_ = [this](std::string_view name) { return symbol(name); };
  }

  void run() {
    for (const std::uint32_t i : order_by_need(needs()).order) kind_of(i);
    for (std::uint32_t i = 0; i < d_.signals.size(); ++i) {
      if (const auto* modes = std::get_if<ModesBlock>(&d_.signals[i].block))
        kinds_[i]->blocks = {taken_apart(d_.signals[i].path(), *modes)};
    }
    joints();
    loads();
    std::vector<SignalDescription> signals;
    for (std::uint32_t i = 0; i < d_.signals.size(); ++i) add_components(i, signals);
    add_recorded(signals);
    for (const ExpressionAt& at : all_expressions(d_)) {
      if (at.path.starts_with("signals.") || done_.contains(at.expression)) continue;
      // the description is ours to change
      make_number(at.path, const_cast<Expression&>(*at.expression));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    d_.signals = std::move(signals);
  }

 private:
  // --- names ---------------------------------------------------------------------------------------------------------

  std::optional<Symbol> symbol(std::string_view name) {
    if (const auto i = names_.signal(name); i && output_names(d_.signals[*i].block).empty()) {
      const ValueKind kind = kind_of(*i);
      if (kinds_[*i] && kinds_[*i]->unclear) return Symbol{{}, {}, {}, {}, true};
      if (kind.type == Type::number) return Symbol{{}, {std::string(name)}};
      return Symbol{kind, with_components(name, ".", component_letters(kind.type))};
    }
    if (names_.parameter(std::string(name) + ".x")) return Symbol{{Type::vector}, with_components(name, ".", "xyz")};
    if (auto quantity = quantity_of_object(name)) return quantity;
    if (std::holds_alternative<Reference>(names_.resolve(name))) return Symbol{{}, {std::string(name)}};
    return component(name);
  }

  /// bus.omega, sun.direction, orbit.attitude, bus.euler_zyx ...
  std::optional<Symbol> quantity_of_object(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view object = name.substr(0, dot), attribute = name.substr(dot + 1);
    const auto exists = [&](const std::string& whole) {
      const auto answer = names_.resolve(whole);
      const auto* reference = std::get_if<Reference>(&answer);
      return reference == nullptr ? std::nullopt : std::optional(reference->quantity);
    };
    if (name == "orbit.attitude") {
      if (!d_.environment.orbit) return std::nullopt;
      return Symbol{{Type::rotation, "world", "orbit"}, {}, {}, orbit_attitude(*d_.environment.orbit)};
    }
    if (name == "sun.direction" && d_.environment.sun)
      return Symbol{{Type::vector, "world"}, {"sun.x", "sun.y", "sun.z"}};
    if (attribute == "attitude" && exists(fmt::format("{}.quaternion_w", object)) == Quantity::body_quaternion) {
      Symbol attitude{{Type::rotation, "world", std::string(object)}, with_components(object, ".quaternion_", "wxyz")};
      for (int k = 0; k < 9; ++k) attitude.matrix.push_back(fmt::format("{}.C{}{}", object, k % 3 + 1, k / 3 + 1));
      return attitude;
    }
    constexpr std::string_view euler = "euler_";
    if (attribute.starts_with(euler) && expression::is_euler_sequence(attribute.substr(euler.size())) &&
        symbol(fmt::format("{}.attitude", object))) {
      return Symbol{
          {Type::vector}, {}, {}, fmt::format("euler_angles({}.attitude, {})", object, attribute.substr(euler.size()))};
    }
    const auto quantity = exists(fmt::format("{}_x", name));
    if (!quantity || *quantity == Quantity::joint_coordinate || *quantity == Quantity::body_quaternion ||
        *quantity == Quantity::signal || *quantity == Quantity::parameter) {
      return std::nullopt;
    }
    if (*quantity == Quantity::joint_speed) return Symbol{{Type::vector}, with_components(name, "_", "xyz")};
    return Symbol{{Type::vector, *quantity == Quantity::body_omega ? std::string(object) : "world"},
                  with_components(name, "_", "xyz")};
  }

  /// v.x of whatever v is.
  std::optional<Symbol> component(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot + 2 != name.size()) return std::nullopt;
    auto whole = symbol(name.substr(0, dot));
    if (whole && whole->unclear) return whole;
    if (!whole || whole->kind.type == Type::number) return std::nullopt;
    const std::size_t which = component_letters(whole->kind.type).find(name[dot + 1]);
    if (which == std::string_view::npos) return std::nullopt;
    if (!whole->definition.empty()) return Symbol{{}, {}, {}, fmt::format("({}).{}", whole->definition, name[dot + 1])};
    return Symbol{{}, {whole->components[which]}};
  }

  // --- signals -------------------------------------------------------------------------------------------------------

  struct Found {
    ValueKind kind;
    std::vector<Block> blocks;  // one for each component
    bool unclear = false;       // as in Symbol
  };

  /// The signals that each signal names, also by a component.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> needs() const {
    std::vector<std::vector<std::uint32_t>> list(d_.signals.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const auto& [path, input] : inputs_of(d_.signals[i].block)) {
        for (const std::string& name : input->names) {
          const auto whole = names_.signal(name), of = names_.signal(name.substr(0, name.rfind('.')));
          if (whole || of) list[i].push_back(whole ? *whole : *of);
        }
      }
    }
    return list;
  }

  ValueKind kind_of(std::uint32_t i) {
    if (!kinds_[i]) {
      const SignalDescription& signal = d_.signals[i];
      if (std::holds_alternative<ModesBlock>(signal.block)) {  // a number, whatever its conditions and actions are
        kinds_[i] = Found{};
        return {};
      }
      if (open_.size() > deepest) return {signal.components.empty() ? Type::number : Type::vector};
      // While it is being found out: what its constants say.
      kinds_[i] = Found{{signal.components.empty() ? Type::number : Type::vector}, {}};
      const Type assumed = kinds_[i]->kind.type;
      used_while_open_.erase(i);
      open_.insert(i);
      Found found = taken_apart(signal);
      open_.erase(i);
      if (used_while_open_.contains(i) && found.kind.type != assumed) {
        problems_.error(
            signal.path(),
            fmt::format("it depends on itself, and whether it is a vector does too; say so: initial: [0, 0, 0]"));
      }
      kinds_[i] = std::move(found);
    }
    if (open_.contains(i)) used_while_open_.insert(i);
    return kinds_[i]->kind;
  }

  Found taken_apart(const SignalDescription& signal) {
    ValueKind kind{signal.components.empty() ? Type::number : Type::vector};
    const std::vector<Block> given = signal.components.empty() ? std::vector<Block>{signal.block} : signal.components;
    // The inputs of the first, and then those of the others that differ.
    std::vector<std::vector<Lowered>> inputs(given.size());
    bool unclear = false;
    for (std::size_t k = 0; k < given.size(); ++k) {
      for (const auto& [path, input] : inputs_of(given[k])) {
        const bool listed = std::holds_alternative<Expression>(given[k]) && given.size() > 1;
        inputs[k].push_back(lower(listed         ? fmt::format("{}[{}]", signal.path(), k)
                                  : path.empty() ? signal.path()
                                                 : fmt::format("{}.{}", signal.path(), path),
                                  *input));
        unclear = unclear || (inputs[k].back().unknown_names && signal.components.empty());
        const ValueKind& of = inputs[k].back().kind;
        const bool in_list = path.ends_with(']');
        if (of.type == Type::number || in_list) continue;
        if (listed) problems_.error(fmt::format("{}[{}]", signal.path(), k), "a component of a vector is a number");
        if (kind.type == Type::number || kind.axes.empty()) kind = of;
        if (of.type != kind.type || (!of.axes.empty() && of.axes != kind.axes))
          problems_.error(signal.path(), fmt::format("its inputs do not go together: one is {}, another {}",
                                                     kind_text(kind), kind_text(of)));
      }
    }
    if (kind.type == Type::rotation && !passes_on(signal.block)) {
      problems_.error(signal.path(), "a rotation cannot be the input of this block; sample, hold and delay take one");
      kind = {};
    }
    const std::size_t count = kind.type == Type::number ? 1 : component_letters(kind.type).size();
    Found found{kind, {}, unclear && kind.type == Type::number};
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t from = given.size() == 1 ? 0 : std::min(k, given.size() - 1);
      found.blocks.push_back(given[from]);
      set_inputs(found.blocks.back(), inputs[from], k);
      std::visit(
          [&](auto& block) {
            if constexpr (requires { block.seed; }) block.seed += static_cast<long>(k) << 40U;  // streams of their own
          },
          found.blocks.back());
    }
    return found;
  }

  /// With conditions that are numbers, and an action for each component of a vector.
  ModesBlock taken_apart(const std::string& signal, ModesBlock block) {
    for (ModeState& state : block.states) {
      for (ModeTransition& transition : state.transitions)
        make_number(fmt::format("{}.{}", signal, ModesBlock::path_of(state, transition)), transition.when);
      std::vector<ModeEntry> entry;
      for (const ModeEntry& action : state.entry) {
        const auto target = names_.signal(action.signal);
        const ValueKind kind = target ? kind_of(*target) : ValueKind{};
        std::vector<Expression> values =
            values_for(kind, fmt::format("{}.{}", signal, ModesBlock::path_of(state, action)), action.value);
        const std::string_view letters = component_letters(kind.type);
        for (std::size_t k = 0; k < values.size(); ++k)
          entry.push_back({letters.empty() ? action.signal : fmt::format("{}.{}", action.signal, letters[k]),
                           {std::move(values[k])}});
      }
      state.entry = std::move(entry);
    }
    return block;
  }

  /// One for each component of something of that kind; a number serves for all.
  std::vector<Expression> values_for(const ValueKind& kind, const std::string& path, std::vector<Expression> given) {
    const std::size_t count = kind.type == Type::number ? 1 : component_letters(kind.type).size();
    if (given.size() > 1) {
      for (std::size_t k = 0; k < given.size(); ++k) make_number(fmt::format("{}[{}]", path, k), given[k]);
      if (given.size() == count) return given;
      problems_.error(path, "the signal is a number; set it to one value");
      return {};
    }
    if (given.empty()) return {};  // reported
    if (count == 1) {
      make_number(path, given.front());
      return given;
    }
    Lowered lowered = lower(path, given.front());
    const ValueKind& of = lowered.kind;
    if (of.type != Type::number && of.type != kind.type) {
      problems_.error(path, fmt::format("the signal is {}, and cannot be set to {}", kind_text(kind), kind_text(of)));
      return {};
    }
    if (!of.axes.empty() && !kind.axes.empty() && of.axes != kind.axes)
      problems_.error(path, fmt::format("the vector is in {}, but is needed in {}; write in({}, ...)",
                                        expression::axes_text(of.axes), expression::axes_text(kind.axes), kind.axes));
    if (lowered.components.size() == 1) lowered.components.resize(count, lowered.components.front());
    return std::move(lowered.components);
  }

  /// The component of each input; of a list, all components in a row.
  static void set_inputs(Block& block, std::vector<Lowered>& lowered, std::size_t k) {
    std::size_t next = 0;
    const auto part = [&](const Lowered& of) { return of.components[of.components.size() == 1 ? 0 : k]; };
    std::visit(
        [&]<class B>(B& b) {
          if constexpr (std::is_same_v<B, Expression>) {
            if (!b.empty()) b = part(lowered[next++]);
          } else {
            for_each_field(b, [&]<class Member>(const FieldFormat&, Member& member) {
              if constexpr (std::is_same_v<Member, Expression>) {
                const Lowered& of = lowered[next++];
                if (!member.empty()) member = part(of);
              } else if constexpr (std::is_same_v<Member, std::vector<Expression>>) {
                std::vector<Expression> all;
                for (std::size_t n = 0; n < member.size(); ++n) {
                  const Lowered& of = lowered[next++];
                  all.insert(all.end(), of.components.begin(), of.components.end());
                }
                member = std::move(all);
              }
            });
          }
        },
        block);
  }

  void add_components(std::uint32_t i, std::vector<SignalDescription>& signals) {
    const ValueKind kind = kind_of(i);
    const SignalDescription& signal = d_.signals[i];
    const std::string_view letters = component_letters(kind.type);
    for (std::size_t k = 0; k < kinds_[i]->blocks.size(); ++k) {
      SignalDescription part{signal.name, kinds_[i]->blocks[k], signal.dimension, {}, signal.written};
      if (!letters.empty()) {
        part.name += fmt::format(".{}", letters[k]);
        part.written = signal.name;
      }
      signals.push_back(std::move(part));
    }
  }

  /// What is to be recorded and has a definition only: it becomes a signal.
  void add_recorded(std::vector<SignalDescription>& signals) {
    if (!d_.output.record) return;
    for (std::size_t i = 0; i < d_.output.record->size(); ++i) {
      const std::string& name = (*d_.output.record)[i];
      if (name.empty() || is_pattern(name)) continue;
      const auto found = symbol(name);
      if (!found || found->definition.empty()) continue;
      const auto same = [&](const SignalDescription& s) { return s.name.starts_with(name); };
      if (std::ranges::any_of(signals, same)) continue;
      const Lowered lowered =
          lower(fmt::format("output.record[{}]", i), expression::parse(found->definition).expression);
      const std::string_view letters = component_letters(lowered.kind.type);
      for (std::size_t k = 0; k < lowered.components.size(); ++k)
        signals.push_back({letters.empty() ? name : fmt::format("{}.{}", name, letters[k]),
                           lowered.components[k],
                           {},
                           {},
                           name,
                           true});
    }
  }

  // --- joints, loads, and all the rest -------------------------------------------------------------------------------

  void joints() {
    for (JointDescription& joint : d_.joints) {
      const std::string path = "joints." + joint.name;
      // Of a ball the speeds are components in the child's axes; of others each belongs to an axis of its own.
      const std::string axes = joint.type == JointType::spherical ? joint.child : std::string();
      make_numbers(path + ".torque", joint.torque, axes);
      make_numbers(path + ".axis_torque", joint.axis_torque, "");
      const bool position = joint.prescribed.kind == Prescribed::Kind::position;
      make_numbers(path + (position ? ".prescribed.position" : ".prescribed.acceleration"), joint.prescribed.motion,
                   axes);
    }
  }

  void loads() {
    for (std::size_t i = 0; i < d_.loads.size(); ++i) {
      auto* load = std::get_if<BodyLoad>(&d_.loads[i]);
      if (load == nullptr) continue;
      const std::string axes = load->axes == Axes::world ? "world" : load->at.body;
      for (const auto& [field, list] : {std::pair{"force", &load->force}, std::pair{"torque", &load->torque}}) {
        const std::string path = fmt::format("loads[{}].{}", i, field);
        const bool one = list->size() == 1;
        if (one) list->resize(3, list->front());
        make_numbers(path, *list, axes, one);
      }
    }
  }

  /// A list of numbers, or several times the same vector in `axes`; `vector`: it must be one.
  void make_numbers(const std::string& path, std::vector<Expression>& list, const std::string& axes,
                    bool vector = false) {
    for (const Expression& e : list) done_.insert(&e);
    if (list.empty()) return;
    const auto same = [&](const Expression& e) { return e.text == list.front().text; };
    const bool one = list.size() > 1 && std::ranges::all_of(list, same);
    if (!one) {
      for (std::size_t k = 0; k < list.size(); ++k)
        make_number(list.size() == 1 ? path : fmt::format("{}[{}]", path, k), list[k]);
      return;
    }
    if (list.front().empty()) return;
    Lowered lowered = lower(path, list.front());
    const ValueKind& kind = lowered.kind;
    if (kind.type == Type::rotation) {
      problems_.error(path, "a rotation does not fit here; error_vector(R, R_target) makes a vector of two");
      std::ranges::fill(list, Expression{});
    } else if (kind.type == Type::number) {
      if (vector && !lowered.unknown_names)
        problems_.error(path, "expected 3 numbers or expressions, or a vector, got a number");
      std::ranges::fill(list, lowered.components.front());
    } else if (list.size() != 3) {
      problems_.error(
          path, fmt::format("a vector has 3 components, but {} values are needed here; give a list", list.size()));
    } else {
      if (!axes.empty() && !kind.axes.empty() && kind.axes != axes)
        problems_.error(path, fmt::format("the vector is in {}, but is needed in {}; write in({}, ...)",
                                          expression::axes_text(kind.axes), expression::axes_text(axes), axes));
      list = std::move(lowered.components);
    }
    for (const Expression& e : list) done_.insert(&e);
  }

  void make_number(const std::string& path, Expression& expression) {
    if (expression.empty()) return;
    Lowered lowered = lower(path, expression);
    if (lowered.kind.type != Type::number) {
      problems_.error(
          path, fmt::format("a number is needed here, not {}{}", kind_text(lowered.kind),
                            lowered.kind.type == Type::vector ? "; take a component (v.x), norm(v) or dot(a, v)" : ""));
    }
    expression = std::move(lowered.components.front());
  }

  Lowered lower(const std::string& path, const Expression& expression) {
    if (expression.empty()) return {{}, {expression}, false};
    auto lowered = lower_vectors(expression, find_);
    if (auto* complaint = std::get_if<expression::Complaint>(&lowered)) {
      problems_.add({Severity::error, path, std::move(complaint->message), {}, complaint->offset});
      return {{}, {expression::constant(0)}, true};
    }
    auto& result = std::get<Lowered>(lowered);
    // Numbers are left as they are written: what is folded on the way would make two of one program.
    const bool of_numbers =
        std::ranges::none_of(expression.nodes, [](const auto& n) { return is_of_vectors(n.operation); });
    if (of_numbers && result.kind.type == Type::number && !result.unknown_names &&
        same_names(expression, result.components.front()))
      result.components.front() = expression;
    if (of_numbers && result.unknown_names && !names_vectors(expression)) result.components.front() = expression;
    return std::move(result);
  }

  bool names_vectors(const Expression& expression) {
    return std::ranges::any_of(expression.names, [&](const std::string& name) {
      const auto known = symbol(name);
      return known && (known->unclear || known->kind.type != Type::number);
    });
  }

  static bool same_names(const Expression& a, const Expression& b) {
    return std::ranges::all_of(
        b.names, [&](const std::string& name) { return std::ranges::find(a.names, name) != a.names.end(); });
  }

  Description& d_;
  Problems& problems_;
  Names names_;
  expression::FindSymbol find_;
  std::vector<std::optional<Found>> kinds_;  // by signal
  std::set<std::uint32_t> open_, used_while_open_;
  std::set<const Expression*> done_;
};

}  // namespace

void take_vectors_apart(Description& description, Problems& problems) { TakeApart(description, problems).run(); }

void record_components(OutputDescription& output, const Names& names) {
  if (!output.record) return;
  std::vector<std::string> all;
  for (const std::string& name : *output.record) {
    const std::vector<std::string> numbers = is_pattern(name) ? std::vector{name} : names.numbers_of(name);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  *output.record = std::move(all);
}

}  // namespace gyrostat
