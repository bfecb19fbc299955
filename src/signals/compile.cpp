#include "gyrostat/signals/compile.h"

#include <algorithm>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/prescribed.h"

namespace gyrostat {

namespace {

std::uint32_t held_values(const HeldKind& kind) {
  return std::visit(
      []<class K>(const K& k) -> std::uint32_t {
        if constexpr (requires { k.value_count(); }) return k.value_count();
        if constexpr (requires { K::held_values; }) return K::held_values;
        return 1;
      },
      kind);
}

class Compiler {
 public:
  Compiler(const Model& model, const Names& names, const Mechanism& mechanism, const AnalysisPoints& points,
           SignalProgram& result)
      : description_(model.description),
        system_(model.system),
        names_(names),
        points_(points),
        compiler_(model.description, names),
        elements_(compiler_, model.system, mechanism),
        result_(result) {
    compiler_.observe = [this](const Reference& reference) {
      return observed(*observable(reference, description_, system_));
    };
  }

  void compile(std::vector<PluginFunction> plugins) {
    plugins.resize(description_.signals.size());
    computed_.resize(description_.signals.size());
    for (std::size_t k = 0; k < points_.inputs.size(); ++k) result_.inputs.push_back(compiler_.builder().add_inputs());
    result_.computed.assign(points_.inputs.size(), no_slot);
    for (const SignalDescription& signal : description_.signals) {
      result_.names.push_back(signal.name);
      first_state_.push_back(compiler_.states.size());
      std::visit(
          [&](const auto& block) {
            if constexpr (requires { initial_states(block); }) {
              for (const double x : initial_states(block)) compiler_.add_state(x, signal.name);
            }
          },
          signal.block);
    }
    place_held(plugins);
    compile_blocks();
    compile_prescribed();
    result_.forces = build_forces(elements_, points_, result_.inputs);
    for (const Expression& output : points_.outputs) result_.measured.push_back(compiler_.add(output));
    result_.outputs = compiler_.outputs;
    result_.states = compiler_.states;
    for (const auto& [observable, slot] : elements_.observed) result_.observed.emplace_back(slot, observable);
    result_.program = compiler_.finish(result_.owners);
    result_.unlisted.resize(result_.owners.size());
  }

 private:
  /// Roll and yaw jump by a turn, which is to be an event: they are computed by the program.
  Slot observed(const Observable& wanted) {
    using Kind = Observable::Kind;
    if (wanted.kind != Kind::attitude_angle || wanted.component == 1) return elements_.observe(wanted);
    const auto C = [&](std::uint32_t row, std::uint32_t column) {
      return elements_.observe({Kind::direction_cosine, wanted.index, 0, 3 * (row - 1) + column - 1});
    };
    return wanted.component == 0 ? compiler_.builder().angle_of(C(2, 3), C(3, 3))
                                 : compiler_.builder().angle_of(C(1, 2), C(1, 1));
  }

  [[nodiscard]] std::string path_of(std::size_t signal) const { return "signals." + description_.signals[signal].name; }

  BlockContext context_of(std::size_t signal) {
    return {compiler_, first_state_[signal], computed_[signal], result_.starts_at};
  }

  /// The outputs of a signal, and what reads them: perturbed where an analysis asks for it.
  void set_outputs(std::size_t signal, std::vector<Slot> outputs) {
    computed_[signal] = compiler_.outputs[signal] = std::move(outputs);
    for (std::size_t k = 0; k < points_.inputs.size(); ++k) {
      const auto* input = std::get_if<SignalInput>(&points_.inputs[k]);
      if (input == nullptr || input->signal != signal) continue;
      Slot& read = compiler_.outputs[signal][input->part];
      result_.computed[k] = read;
      read = input->opened ? result_.inputs[k] : compiler_.sum(read, result_.inputs[k]);
    }
  }

  /// In a circle, which only held blocks and states can close, the first in the file comes last.
  void place_held(const std::vector<PluginFunction>& plugins) {
    for (const std::uint32_t i : order_by_need(signals_needed(description_, names_, false)).order) {
      const Block& block = description_.signals[i].block;
      std::optional<HeldKind> kind = held_kind(block);
      if (!kind) continue;
      if (auto* plugin = std::get_if<Plugin>(&*kind)) plugin->function = plugins[i];
      const auto number = static_cast<std::uint32_t>(result_.held.size());
      if (is_watched(*kind)) result_.watched.push_back(number);
      if (std::holds_alternative<Unwrap>(*kind)) result_.unwraps.push_back(number);
      if (const auto* delay = std::get_if<Delay>(&*kind)) {
        result_.delays.push_back(number);
        result_.longest_step = std::min(result_.longest_step, delay->time);
      }
      HeldBlock held{description_.signals[i].name, std::move(*kind), 0, 1, 0, {}};
      held.outputs = std::max(held_values(held.kind), static_cast<std::uint32_t>(output_names(block).size()));
      held.output = compiler_.builder().add_inputs(held.outputs);
      held.first = static_cast<std::uint32_t>(result_.held_outputs);
      result_.held_outputs += held.outputs;
      std::vector<Slot> outputs(held.outputs);
      for (std::uint32_t k = 0; k < held.outputs; ++k) outputs[k] = held.output + k;
      set_outputs(i, std::move(outputs));
      result_.held.push_back(std::move(held));
      signal_of_held_.push_back(i);
    }
  }

  /// Outputs, each after those it needs at the same instant; then the rates of states and the inputs of held blocks.
  void compile_blocks() {
    for (const std::uint32_t i : order_by_need(signals_needed(description_, names_, true)).order) {
      BlockContext context = context_of(i);
      std::visit(
          [&](const auto& block) {
            if constexpr (requires { compile_outputs(block, context); }) {
              set_outputs(i, compile_outputs(block, context));
            }
          },
          description_.signals[i].block);
      compiler_.own(path_of(i));
    }
    for (std::size_t i = 0; i < description_.signals.size(); ++i) {
      BlockContext context = context_of(i);
      std::visit(
          [&](const auto& block) {
            if constexpr (requires { compile_rates(block, context); }) compile_rates(block, context);
          },
          description_.signals[i].block);
      compiler_.own(path_of(i));
    }
    for (std::size_t h = 0; h < result_.held.size(); ++h) {
      const std::size_t first_switch = compiler_.builder().switch_count();
      for (const auto& [path, input] : inputs_of(description_.signals[signal_of_held_[h]].block)) {
        result_.held[h].inputs.push_back(input->empty() ? compiler_.zero() : compiler_.add(*input));
      }
      if (auto* modes = std::get_if<StateMachine>(&result_.held[h].kind)) {
        result_.unlisted.resize(first_switch);
        result_.unlisted.resize(compiler_.builder().switch_count(), true);
        find_targets(*modes);
      }
    }
  }

  /// Of the entry actions.
  void find_targets(StateMachine& modes) const {
    for (StateMachine::State& state : modes.states) {
      for (StateMachine::Action& action : state.entry) {
        const std::uint32_t signal = *names_.signal(action.signal);
        action.latch = std::holds_alternative<LatchBlock>(description_.signals[signal].block);
        const auto held =
            static_cast<std::size_t>(std::ranges::find(signal_of_held_, signal) - signal_of_held_.begin());
        action.target = static_cast<std::uint32_t>(action.latch ? held : first_state_[signal]);
      }
    }
  }

  void compile_prescribed() {
    for (const PrescribedTarget& target : prescribed_targets(description_, names_, system_)) {
      if (target.constraint && !changes_with_time(*target.expression, names_)) continue;
      result_.prescribed.push_back({target.path, compiler_.add(*target.expression), target.q, target.u, target.speed,
                                    target.constraint ? target.equal : no_equal});
      compiler_.own(target.path);
    }
  }

  const Description& description_;
  const System& system_;
  const Names& names_;
  const AnalysisPoints& points_;
  ExpressionCompiler compiler_;
  ElementContext elements_;
  SignalProgram& result_;
  std::vector<std::vector<Slot>> computed_;    // by signal: its outputs before perturbations
  std::vector<std::size_t> first_state_;       // by signal
  std::vector<std::uint32_t> signal_of_held_;  // by held block
};

/// Calls `seen` with every slot that a slot depends on at the same instant, itself included, and with the instruction
/// that computes it, or null.
template <class Seen>
void for_dependence(const expression::Program& program, Slot slot, Seen seen) {
  using expression::Code;
  std::vector<bool> known(program.slots);
  std::vector<Slot> open = {slot};
  while (!open.empty()) {
    const Slot next = open.back();
    open.pop_back();
    if (known[next]) continue;
    known[next] = true;
    const auto made = std::ranges::lower_bound(program.instructions, next, {}, &expression::Instruction::target);
    if (made == program.instructions.end() || made->target != next) {
      seen(next, nullptr);
      continue;
    }
    seen(next, &*made);
    open.push_back(made->a);
    if (made->code != Code::table) open.push_back(made->b);
  }
}

std::optional<std::uint32_t> switch_of(const expression::Instruction& i) {
  using expression::Code;
  if (i.code == Code::select || i.code == Code::table) return i.which;
  if ((i.code == Code::atan2 || i.code == Code::floor) && i.which > 0) return i.which - 1;
  return std::nullopt;
}

}  // namespace

SignalProgram::SignalProgram(const Model& model, const Names& signal_names, const Mechanism& mechanism,
                             std::vector<PluginFunction> plugins, const AnalysisPoints& points) {
  Compiler(model, signal_names, mechanism, points, *this).compile(std::move(plugins));
  switches = Switches(program, switches_that_matter());
  for (const std::uint32_t h : delays) delayed.push_back(dependence_of(held[h].inputs[0]));
  std::vector<bool> needed(program.slots);
  for (const PrescribedMotion& motion : prescribed) {
    for_dependence(program, motion.slot, [&](Slot slot, const expression::Instruction* i) {
      if (i == nullptr || needed[slot]) return;
      needed[slot] = true;
      if (const auto k = switch_of(*i)) prescribed_switches.push_back(*k);
    });
  }
  std::ranges::sort(prescribed_switches);
  prescribed_switches.erase(std::unique(prescribed_switches.begin(), prescribed_switches.end()),
                            prescribed_switches.end());
  std::ranges::copy_if(program.instructions, std::back_inserter(prescribed_instructions),
                       [&](const expression::Instruction& i) { return needed[i.target]; });
}

/// Those on which a force, a state, a held block or a prescribed motion depends.
std::vector<bool> SignalProgram::switches_that_matter() const {
  std::vector<Slot> roots = forces.used;
  for (const auto& state : states) roots.push_back(state.rate);
  for (const StartsAt& start : starts_at) roots.push_back(start.slot);
  for (const HeldBlock& block : held) roots.insert(roots.end(), block.inputs.begin(), block.inputs.end());
  for (const PrescribedMotion& motion : prescribed) roots.push_back(motion.slot);
  std::vector<bool> matters(program.switches.size()), known(program.slots);
  while (!roots.empty()) {
    const Slot root = roots.back();
    roots.pop_back();
    if (root == no_slot || known[root]) continue;
    known[root] = true;
    for_dependence(program, root, [&](Slot, const expression::Instruction* i) {
      const auto k = i == nullptr ? std::nullopt : switch_of(*i);
      if (!k || matters[*k]) return;
      matters[*k] = true;
      roots.push_back(program.switches[*k].guard);
      roots.push_back(program.switches[*k].other);
    });
  }
  return matters;
}

Dependence SignalProgram::dependence_of(Slot slot) const {
  Dependence found;
  for_dependence(program, slot, [&](Slot on, const expression::Instruction* i) {
    if (i != nullptr) {
      if (const auto k = switch_of(*i)) found.switches.push_back(*k);
      return;
    }
    found.motion = found.motion || std::ranges::any_of(observed, [&](const auto& o) { return o.first == on; });
    for (std::uint32_t k = 0; k < states.size(); ++k) {
      if (states[k].slot == on) found.states.push_back(k);
    }
    for (std::uint32_t h = 0; h < held.size(); ++h) {
      if (on >= held[h].output && on < held[h].output + held[h].outputs) found.held.push_back(h);
    }
  });
  return found;
}

}  // namespace gyrostat
