// A run's memory as bytes, and back.
#include <stdexcept>

#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

/// Of everything that decides how a run goes on: two models with the same one are taken for the same.
std::uint64_t Simulation::fingerprint() const {
  std::uint64_t sum = checksum({});
  const auto add = [&](std::string_view text) { sum = checksum(text, sum); };
  const auto add_number = [&](double x) { add({reinterpret_cast<const char*>(&x), sizeof x}); };
  add(settings_.formulation);
  add(settings_.integrator.method);
  for (const double x : {settings_.integrator.tolerance, settings_.integrator.step, settings_.until, settings_.interval,
                         settings_.checkpoint_interval}) {
    add_number(x);
  }
  for (const OutputColumn& column : outputs_.columns()) add(column.name);
  for (const SignalDescription& signal : model_.description.signals) {
    add(signal.name);
    add_number(static_cast<double>(signal.block.index()));
  }
  for (const TableDescription& table : model_.description.tables) {
    for (const double x : table.x) add_number(x);
    for (const double y : table.y) add_number(y);
  }
  for (const ParameterDescription& parameter : model_.description.parameters) add_number(parameter.value.value);
  const expression::Program& program = plant_.signals().program().program;
  for (const auto& [slot, value] : program.constants) add_number(value);
  for (const expression::Instruction& i : program.instructions) {
    for (const std::uint32_t n : {static_cast<std::uint32_t>(i.code), i.target, i.a, i.b, i.which}) add_number(n);
  }
  for (const Body& body : model_.system.bodies) {
    add(body.name);
    add_number(body.mass_properties.mass);
  }
  return sum;
}

void Simulation::save(Observer& observer) {
  ++checkpoints_;
  Archive a;
  a.put(fingerprint());
  const IntegratorStatistics& s = integrator_.statistics();
  a.put(t_);
  for (const std::uint64_t n :
       {records_, events_, checkpoints_, comparisons_, s.steps, s.rejected, s.evaluations, s.jacobians, s.restarts}) {
    a.put(n);
  }
  a.put(integrator_.suggested_step());
  a.put_all(std::vector<double>(y_.begin(), y_.end()));
  a.put_all(ledger_.save());
  a.put_all(outputs_.peaks());
  Signals& signals = plant_.signals();
  for (Switchboard* board : {&signals.board(), &plant_.prescribed_board()}) {
    a.put_all(std::vector<std::uint32_t>(board->modes().begin(), board->modes().end()));
  }
  a.put_all(signals.held_values());
  a.put_all(signals.segments());
  for (const HeldMemory& m : signals.memory()) {
    a.put(m.since);
    a.put(m.next);
    a.put_all(m.memory);
    a.put_all(m.history.save());
  }
  a.put(static_cast<std::uint64_t>(recent_.size()));
  for (const auto& [name, times] : recent_) {
    a.put_all(std::vector<char>(name.begin(), name.end()));
    a.put_all(std::vector<double>(times.begin(), times.end()));
  }
  Archive sealed;
  sealed.put(checksum(a.bytes()));
  observer.checkpoint(t_, sealed.bytes() + a.bytes());
}

void Simulation::restore(const std::string& checkpoint) {
  const auto sum = Archive(checkpoint).get<std::uint64_t>();
  Archive a(checkpoint.substr(sizeof sum));
  if (checksum(a.bytes()) != sum) throw std::runtime_error("the checkpoint is damaged");
  if (a.get<std::uint64_t>() != fingerprint()) throw std::runtime_error("the checkpoint belongs to another model");
  t_ = a.get<double>();
  IntegratorStatistics s;
  for (std::uint64_t* n : {&records_, &events_, &checkpoints_, &comparisons_, &s.steps, &s.rejected, &s.evaluations,
                           &s.jacobians, &s.restarts}) {
    *n = a.get<std::uint64_t>();
  }
  const auto suggested = a.get<double>();
  const std::vector<double> y = a.get_all<double>(plant_.size());
  y_ = Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size()));
  ledger_.restore(a.get_all<double>(ledger_.save().size()));
  outputs_.peaks() = a.get_all<double>(outputs_.peaks().size());
  Signals& signals = plant_.signals();
  for (Switchboard* board : {&signals.board(), &plant_.prescribed_board()}) {
    board->set_modes(a.get_all<std::uint32_t>(board->size()));
  }
  signals.held_values() = a.get_all<double>(signals.held_values().size());
  signals.segments() = a.get_all<std::uint32_t>(signals.actions().coefficients_with_tables);
  for (HeldMemory& m : signals.memory()) {
    m.since = a.get<double>();
    m.next = a.get<std::uint64_t>();
    m.memory = a.get_all<unsigned char>(m.memory.size());
    m.history.restore(a.get_all<double>());
  }
  recent_.clear();
  for (auto count = a.get<std::uint64_t>(); count > 0; --count) {
    const std::vector<char> name = a.get_all<char>();
    const std::vector<double> times = a.get_all<double>();
    recent_[{name.begin(), name.end()}] = {times.begin(), times.end()};
  }
  a.expect_end();
  integrator_.restart(t_, y_);
  integrator_.suggest_step(suggested);
  integrator_.set_statistics(s);
}

}  // namespace gyrostat
