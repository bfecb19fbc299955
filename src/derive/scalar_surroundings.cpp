#include "gyrostat/derive/scalar_surroundings.h"

#include <stdexcept>

namespace gyrostat::scalar {

OrbitPoint<Symbolic> orbit_at(const Orbit& /*orbit*/, const Symbolic& /*t*/) { return around->orbit; }

Symbolic osculating_anomaly(const Orbit& /*orbit*/, const Vec3<Symbolic>& /*position*/,
                            const Vec3<Symbolic>& /*velocity*/) {
  return around->orbit.true_anomaly;
}

Symbolic lookup(const Table& table, const Symbolic& x) {
  const auto number = static_cast<std::uint32_t>(&table - around->tables.data());
  return Symbolic::of(recorded().look_up(number, x.id, 0));
}

Symbolic table_energy(const Table& /*table*/, const Symbolic& /*x*/) {
  throw std::invalid_argument(
      "an expression reads system.energy, and a spring's stiffness is a table: the energy of such a spring has no "
      "scalar form; give the expression a signal instead, which is an input");
}

}  // namespace gyrostat::scalar
