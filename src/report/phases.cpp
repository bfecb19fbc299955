#include "gyrostat/report/phases.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/forces/holding.h"
#include "gyrostat/model/names.h"
#include "gyrostat/results/layout.h"

namespace gyrostat::report {

namespace {

/// Names and texts of events are cut in the file.
std::string_view as_stored(std::string_view text) { return text.substr(0, results::event_text_bytes); }

/// Something that is in one of several states.
struct Watched {
  Phases phases;
  bool holds = false;  // the states are those of Holding
  std::vector<double> time = {};
  std::vector<std::uint32_t> state = {};

  void enter(double t, std::uint32_t now) {
    if (!time.empty() && time.back() == t) {  // it was in the other for no time
      state.back() = now;
    } else if (state.empty() || state.back() != now) {
      time.push_back(t);
      state.push_back(now);
    }
  }
};

/// The state after an event of a state machine: "starts in detumble", "detumble -> acquire".
std::optional<std::uint32_t> entered(const std::vector<std::string>& states, std::string_view what) {
  constexpr std::string_view starts = "starts in ", arrow = " -> ";
  const std::size_t at = what.find(arrow);
  if (!what.starts_with(starts) && at == std::string_view::npos) return std::nullopt;
  const std::string_view name = what.substr(what.starts_with(starts) ? starts.size() : at + arrow.size());
  const auto found = std::ranges::find(states, name);
  if (found == states.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - states.begin());
}

class Finder {
 public:
  Finder(const Model& model, double start) : start_(start) {
    for (const SignalDescription& signal : model.description.signals) {
      const std::vector<std::string_view> names = state_names(signal.block);
      if (!names.empty()) add(signal.name, {signal.name, "signal", -1, {names.begin(), names.end()}, {}, {}}, false);
    }
    const System& system = model.system;
    for (std::size_t i = 1; i < system.joints.size(); ++i)
      add_held("joints." + system.joints[i].name, system.joints[i].name, "joint", i - 1);
    for (std::size_t k = 0; k < system.wheels.size(); ++k) {
      const std::string& body = system.bodies[system.wheels[k].body].name;
      const std::string& wheel = system.wheels[k].name;
      add_held(fmt::format("bodies.{}.wheels.{}", body, wheel), fmt::format("{}.{}", body, wheel), "wheel", k);
    }
  }

  void see(const results::Event& event) {
    const auto found = by_name_.find(event.name);
    if (found == by_name_.end()) return;
    Watched& watched = list_[found->second];
    if (!watched.holds) {
      if (const auto state = entered(watched.phases.states, event.what)) watched.enter(event.t, *state);
    } else if (const auto holding = holding_after(event.what)) {
      watched.enter(event.t, static_cast<std::uint32_t>(*holding));
    }
  }

  std::vector<Phases> take(Blocks& blocks) {
    std::vector<Phases> all;
    for (Watched& watched : list_) {
      const bool ever = std::ranges::any_of(watched.state, [](std::uint32_t state) { return state != 0; });
      if (watched.time.empty() || (watched.holds && !ever)) continue;
      watched.phases.time = blocks.add(std::span<const double>(watched.time));
      watched.phases.state = blocks.add(std::span<const std::uint32_t>(watched.state));
      all.push_back(std::move(watched.phases));
    }
    return all;
  }

 private:
  void add(const std::string& event_name, Phases phases, bool holds) {
    by_name_.emplace(as_stored(event_name), list_.size());
    list_.push_back({std::move(phases), holds});
  }
  void add_held(const std::string& event_name, const std::string& name, const char* of, std::size_t number) {
    add(event_name, {name, of, static_cast<int>(number), {holding_names.begin(), holding_names.end()}, {}, {}}, true);
    list_.back().enter(start_, 0);
  }

  double start_;
  std::vector<Watched> list_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace

std::vector<Phases> phases_of(const Model& model, const results::ResultsReader& results, Blocks& blocks) {
  Finder finder(model, results.time().empty() ? 0 : results.time().front());
  for (const results::Event& event : results.events()) finder.see(event);
  return finder.take(blocks);
}

}  // namespace gyrostat::report
