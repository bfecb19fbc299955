// Sine and cosine together, the same arithmetic for one number and for a pack: no table, no branch but for huge angles.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {

template <class T>
struct SinCos {
  T sin{}, cos{};
};

/// Angles beyond this are left to the C library: the reduction below keeps its digits up to here.
inline constexpr double largest_reduced_angle = 1e6;  // [rad]

/// D is double or a vector of doubles, L the integer of the same shape. Error below 2 units in the last place
/// up to 1000 rad, below 3 up to largest_reduced_angle.
template <class D, class L>
GYROSTAT_INLINE void sincos_reduced(const D& x, D& sin, D& cos) {
  // x = k pi/2 + r with |r| <= pi/4. Adding 1.5 * 2^52 leaves k in the last bits of the sum.
  constexpr double to_integer = 6755399441055744.0;
  constexpr double pio2_1 = 0x1.921fb544p+0, pio2_2 = 0x1.0b4611a6p-34, pio2_3 = 0x1.3198a2e037073p-69;
  const D shifted = x * 0x1.45f306dc9c883p-1 + to_integer;
  L k;
  std::memcpy(&k, &shifted, sizeof k);
  const D turns = shifted - to_integer;
  const D r = ((x - turns * pio2_1) - turns * pio2_2) - turns * pio2_3;
  const D z = r * r;
  // Taylor series: what is left out is below 1e-17 on |r| <= pi/4.
  const D s =
      r + r * z *
              (-1.0 / 6 +
               z * (1.0 / 120 +
                    z * (-1.0 / 5040 +
                         z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                  z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 +
                                                                                 z * (1.0 / 355687428096000.0))))))));
  const D c =
      1.0 - 0.5 * z +
      z * z *
          (1.0 / 24 +
           z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                                     z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +
                                                                                   z * (1.0 / 20922789888000.0)))))));
  const D sine = (k & 1) != 0 ? c : s, cosine = (k & 1) != 0 ? s : c;
  sin = (k & 2) != 0 ? -sine : sine;
  cos = ((k + 1) & 2) != 0 ? -cosine : cosine;
}

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
