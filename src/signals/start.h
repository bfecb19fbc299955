// Signals and loads at the start of a simulation, at any state.
#pragma once

#include "gyrostat/model/prescribed.h"
#include "gyrostat/signals/signals.h"

namespace gyrostat {

/// At t = 0, whatever the state: every block has its initial state, switches are where their inputs say, samples and
/// noise have taken their first value. Plugins are not called; their outputs are zero.
class Start {
 public:
  /// Keeps pointing at the model.
  explicit Start(const Model& model)
      : names_(model.description),
        signals_(model, names_),
        x_(signals_.program().state_count()),
        prescribed_(model.description, names_, model.system) {}

  /// All forces at a state, t = 0.
  void forces(const Instant<double>& instant, Forces<double>& forces) {
    signals_.start(instant, x_.data());
    apply<double>(signals_.actions(), instant, signals_.values(), forces);
    prescribed_.evaluate(0);
    for (const PrescribedMotion::Target& target : prescribed_.targets()) {
      const Jet& x = prescribed_.at(target);
      forces.udot[target.u] = target.speed ? x.rate : x.acceleration;
    }
  }

  /// After `forces`.
  [[nodiscard]] double potential(const Instant<double>& instant) const {
    return potential_energy<double>(signals_.actions(), instant, signals_.values());
  }
  [[nodiscard]] const Actions& actions() const { return signals_.actions(); }

 private:
  Names names_;
  Signals signals_;
  std::vector<double> x_;
  PrescribedMotion prescribed_;
};

}  // namespace gyrostat
