// Directions of derivatives in the registers of a processor.
#pragma once

#include <cstring>

#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inertia.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// As many lanes of the eight as a register holds, the first of them number `from`.
using SomeDirections = Pack<native_lanes>;
using Eight = DerivativesData::Eight;

GYROSTAT_INLINE SomeDirections loaded(const Eight& x, std::size_t from) {
  SomeDirections some;
  std::memcpy(&some.v, x.lanes.data() + from, sizeof some.v);
  return some;
}
GYROSTAT_INLINE void store(const SomeDirections& some, std::size_t from, Eight& x) {
  std::memcpy(x.lanes.data() + from, &some.v, sizeof some.v);
}
template <class Six>
GYROSTAT_INLINE Six loaded_six(const std::array<Eight, 6>& x, std::size_t from) {
  return {{loaded(x[0], from), loaded(x[1], from), loaded(x[2], from)},
          {loaded(x[3], from), loaded(x[4], from), loaded(x[5], from)}};
}
/// Those of a dual vector's derivatives.
GYROSTAT_INLINE Vec3<SomeDirections> derivative(const Vec3<Directional>& x, std::size_t from) {
  Vec3<SomeDirections> some;
  std::memcpy(&some.x.v, x.x.d.data() + from, sizeof some.x.v);
  std::memcpy(&some.y.v, x.y.d.data() + from, sizeof some.y.v);
  std::memcpy(&some.z.v, x.z.d.data() + from, sizeof some.z.v);
  return some;
}
GYROSTAT_INLINE void store(const Vec3<SomeDirections>& some, std::size_t from, Vec3<Directional>& x) {
  std::memcpy(x.x.d.data() + from, &some.x.v, sizeof some.x.v);
  std::memcpy(x.y.d.data() + from, &some.y.v, sizeof some.y.v);
  std::memcpy(x.z.d.data() + from, &some.z.v, sizeof some.z.v);
}
GYROSTAT_INLINE Vec3<double> value(const Vec3<Directional>& x) { return {x.x.value, x.y.value, x.z.value}; }
GYROSTAT_INLINE void store_six(const Vec3<SomeDirections>& a, const Vec3<SomeDirections>& b, std::size_t from,
                               std::array<Eight, 6>& x) {
  store(a.x, from, x[0]), store(a.y, from, x[1]), store(a.z, from, x[2]);
  store(b.x, from, x[3]), store(b.y, from, x[4]), store(b.z, from, x[5]);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
