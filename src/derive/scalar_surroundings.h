// What the plant's templates ask of a scalar beyond arithmetic: where the orbit is, which table is meant.
#pragma once

#include "gyrostat/derive/symbolic.h"
#include "gyrostat/forces/orbit.h"

namespace gyrostat::scalar {

struct Around {
  std::span<const Table> tables;
  OrbitPoint<Symbolic> orbit;
};
inline thread_local const Around* around = nullptr;

// Found by the templates of forces/ and expression/.
OrbitPoint<Symbolic> orbit_at(const Orbit& orbit, const Symbolic& t);
Symbolic osculating_anomaly(const Orbit& orbit, const Vec3<Symbolic>& position, const Vec3<Symbolic>& velocity);
Symbolic lookup(const Table& table, const Symbolic& x);
Symbolic table_energy(const Table& table, const Symbolic& x);

}  // namespace gyrostat::scalar
