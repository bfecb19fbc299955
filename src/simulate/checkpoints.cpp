// A run's memory as bytes, and back.
#include <algorithm>
#include <stdexcept>

#include "gyrostat/math/checksum.h"
#include "gyrostat/plant/fingerprint.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

namespace {

constexpr const char* damaged = "the checkpoint is damaged";

/// A byte that is neither 0 nor 1 is no bool.
std::vector<Truth> get_outcomes(Archive& a, std::size_t count) {
  const std::vector<unsigned char> bytes = a.get_all<unsigned char>(count);
  if (std::ranges::any_of(bytes, [](unsigned char byte) { return byte > 1; })) throw std::runtime_error(damaged);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

/// Of everything that decides how a run goes on, but its end: two runs with the same one are taken for the same.
std::uint64_t Simulation::fingerprint() const {
  Fingerprint f;
  f.add(plant_.fingerprint());
  f.add(settings_.integrator.method);
  for (const double x : {settings_.integrator.tolerance, settings_.integrator.step, settings_.integrator.longest_step,
                         settings_.interval, settings_.watch_interval, settings_.checkpoint_interval}) {
    f.add(x);
  }
  f.add_each(settings_.keeps_ledger, settings_.records, settings_.measures.size());
  for (const MeasureSettings& m : settings_.measures) f.add_each(m.signal, m.kind, m.after, m.before, m.hold);
  for (const OutputColumn& column : outputs_.columns()) f.add(column.name);
  f.add(settings_.noise_stream);
  f.add(static_cast<std::uint64_t>(settings_.as_lane));
  return f.value();
}

/// The state is projected and the integrator has begun anew: as a resumed run does.
void Simulation::prepare_to_save() {
  run_.evaluate(t_, y_.data(), Stage::signals);
  if (run_.watches()) run_.find_event_functions(event_functions_[0]);
}

std::string Simulation::save() const {
  Archive a;
  a.put(fingerprint());
  const IntegratorStatistics& s = integrator_.statistics();
  a.put(t_);
  for (const std::uint64_t n :
       {records_, events_, checkpoints_, comparisons_, s.steps, s.rejected, s.evaluations, s.jacobians, s.restarts}) {
    a.put(n);
  }
  a.put(integrator_.suggested_step());
  a.put(static_cast<std::uint64_t>(singular_));
  a.put(planned_pivot_);
  a.put(largest_pivot_);
  a.put_all(std::vector<double>(y_.begin(), y_.end()));
  a.put_all(ledger_.save());
  a.put_all(outputs_.peaks());
  a.put_all(measures_.save());
  const DiscreteState& discrete = run_.discrete();
  a.put_all(discrete.positions);
  a.put_all(discrete.held);
  a.put_all(discrete.free);
  a.put_all(discrete.latched);
  a.put_all(discrete.sliding);
  a.put_all(discrete.stopped);
  a.put_all(discrete.closures.node_of);
  a.put_all(discrete.closures.scale);
  for (const HeldMemory& m : discrete.memory) {
    a.put(m.since);
    a.put(m.next);
    a.put_all(m.memory);
    a.put_all(m.times);
    a.put_all(m.history.save());
  }
  a.put(static_cast<std::uint64_t>(recent_.size()));
  for (const auto& [name, times] : recent_) {
    a.put_all(std::vector<char>(name.begin(), name.end()));
    a.put_all(std::vector<double>(times.begin(), times.end()));
  }
  Archive sealed;
  sealed.put(checksum(a.bytes()));
  return sealed.bytes() + a.bytes();
}

void Simulation::restore(const std::string& checkpoint) {
  const auto sum = Archive(checkpoint).get<std::uint64_t>();
  Archive a(checkpoint.substr(sizeof sum));
  if (checksum(a.bytes()) != sum) throw std::runtime_error(damaged);
  if (a.get<std::uint64_t>() != fingerprint()) {
    throw std::runtime_error("the checkpoint belongs to another model, or to a run with other settings");
  }
  t_ = a.get<double>();
  IntegratorStatistics s;
  for (std::uint64_t* n : {&records_, &events_, &checkpoints_, &comparisons_, &s.steps, &s.rejected, &s.evaluations,
                           &s.jacobians, &s.restarts}) {
    *n = a.get<std::uint64_t>();
  }
  // The last record of a run may have come before its time. Where this run ends later, that one is recorded again.
  if (records_ > settings_.record_count()) throw std::runtime_error(damaged);
  if (records_ > 0 && record_time(records_ - 1) > t_ + same_instant(t_)) --records_;
  const auto suggested = a.get<double>();
  singular_ = a.get<std::uint64_t>() != 0;
  planned_pivot_ = a.get<double>();
  largest_pivot_ = a.get<double>();
  const std::vector<double> y = a.get_all<double>(plant_.size());
  y_ = Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size()));
  ledger_.restore(a.get_all<double>(ledger_.save().size()));
  outputs_.peaks() = a.get_all<double>(outputs_.peaks().size());
  measures_.restore(a.get_all<double>(measures_.save().size()));
  DiscreteState discrete = plant_.initial_discrete_state();
  discrete.end = settings_.until;
  discrete.noise_stream = settings_.noise_stream;
  discrete.positions = a.get_all<std::uint32_t>(discrete.positions.size());
  for (std::uint32_t k = 0; k < discrete.positions.size(); ++k) {
    if (!plant_.signals().switches.is_position(k, discrete.positions[k])) throw std::runtime_error(damaged);
  }
  discrete.held = a.get_all<double>(discrete.held.size());
  for (const HeldBlock& block : plant_.signals().held) {
    const double output = discrete.held[block.first];
    const auto is_possible = [&](const auto& kind) {
      if constexpr (requires { kind.is_possible(output, block.inputs.size()); }) {
        return kind.is_possible(output, block.inputs.size());
      }
      return true;
    };
    if (!std::visit(is_possible, block.kind)) throw std::runtime_error(damaged);
  }
  discrete.free = get_outcomes(a, discrete.free.size());
  discrete.latched = get_outcomes(a, discrete.latched.size());
  discrete.sliding = a.get_all<std::int8_t>(discrete.sliding.size());
  discrete.stopped = a.get_all<std::int8_t>(discrete.stopped.size());
  const auto nodes = a.get_all<std::uint32_t>(discrete.closures.node_of.size());
  const auto scale = a.get_all<double>(discrete.closures.scale.size());
  if (!nodes.empty()) {
    discrete.closures = make_plan(plant_.mechanism(), plant_.constraints().structure, nodes, scale);
  }
  for (HeldMemory& m : discrete.memory) {
    m.since = a.get<double>();
    m.next = a.get<std::uint64_t>();
    m.memory = a.get_all<unsigned char>(m.memory.size());
    m.times = a.get_all<double>(m.times.size());
    if (!m.history.restore(a.get_all<double>())) throw std::runtime_error(damaged);
  }
  run_.set_discrete(std::move(discrete));
  redundant_ = ledger_.redundant = run_.redundant();
  recent_.clear();
  for (auto count = a.get<std::uint64_t>(); count > 0; --count) {
    const std::vector<char> name = a.get_all<char>();
    const std::vector<double> times = a.get_all<double>();
    recent_[{name.begin(), name.end()}] = {times.begin(), times.end()};
  }
  a.expect_end();
  integrator_.restart(t_, y_);
  integrator_.suggest_step(suggested);
  integrator_.hold_step(singular_);
  run_.set_near_singularity(singular_);
  integrator_.set_statistics(s);
}

}  // namespace gyrostat
