// Sine and cosine together, the same arithmetic for one number and for a pack: no table, no branch but for huge angles.
#pragma once

#include <cmath>
#include <cstdint>

#include "gyrostat/math/circular.h"
#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {

template <class T>
struct SinCos {
  T sin{}, cos{};
};

GYROSTAT_INLINE SinCos<double> sincos(double x) {
  if (!(std::abs(x) < largest_reduced_angle)) return {std::sin(x), std::cos(x)};
  SinCos<double> y;
  sincos_reduced<double, std::int64_t>(x, y.sin, y.cos);
  return y;
}

template <std::size_t N>
GYROSTAT_INLINE SinCos<Pack<N>> sincos(const Pack<N>& x) {
  using Doubles = typename Pack<N>::Doubles;
  SinCos<Pack<N>> y;
  if (!all(abs(x) < Pack<N>(largest_reduced_angle))) [[unlikely]] {
    for (std::size_t i = 0; i < N; ++i) {
      const SinCos<double> lane = sincos(x[i]);
      y.sin[i] = lane.sin;
      y.cos[i] = lane.cos;
    }
    return y;
  }
  Doubles s, c;
  sincos_reduced<Doubles, typename Pack<N>::Longs>(x.v, s, c);
  return {Pack<N>(s), Pack<N>(c)};
}

template <std::size_t N>
GYROSTAT_INLINE SinCos<Dual<N>> sincos(const Dual<N>& x) {
  const SinCos<double> y = sincos(x.value);
  return {chain(y.sin, y.cos, x), chain(y.cos, -y.sin, x)};
}

}  // namespace gyrostat
