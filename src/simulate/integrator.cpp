#include "gyrostat/simulate/integrator.h"

namespace gyrostat {

namespace {

std::variant<Cvode, Dopri5, Ida, Rk4> make(const Ode& ode, const IntegratorSettings& s) {
  const Tolerance tolerance{s.tolerance, absolute_part * s.tolerance, s.longest_step};
  if (s.method == "rk4") return Rk4(ode, s.step);
  if (s.method == "dopri5" || ode.size == 0) return Dopri5(ode, tolerance);
  if (s.method == "ida") return Ida(ode, tolerance);
  return Cvode(ode, tolerance, s.method == "cvode_bdf" ? Multistep::bdf : Multistep::adams);
}

}  // namespace

Integrator::Integrator(const Ode& ode, const IntegratorSettings& settings) : method_(make(ode, settings)) {}

}  // namespace gyrostat
