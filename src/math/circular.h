// Sine, cosine and the angle of a point in the plane, the same arithmetic for one number and for a vector of them: no
// table, no branch.
#pragma once

#include <cstdint>
#include <cstring>

#include "gyrostat/math/inline.h"

namespace gyrostat {

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

/// Points of which the greater coordinate is between these, and none is not a number; the others are left to the C
/// library.
inline constexpr double smallest_ordinary_point = 1e-290, largest_ordinary_point = 1e300;

/// atan2(y, x) of an ordinary point. D is double or a vector of doubles, L the integer of the same shape. Error below 3
/// units in the last place.
template <class D, class L>
GYROSTAT_INLINE void atan2_ordinary(const D& y, const D& x, D& result) {
  constexpr double tan_pi_8 = 0x1.a827999fcef32p-2;
  constexpr double pi_4 = 0x1.921fb54442d18p-1, pi_4_rest = 0x1.1a62633145c07p-55;  // together pi / 4, to 107 digits
  const D zero{}, one = 1.0 - zero;
  const D ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
  const D low = ay > ax ? ax : ay, high = ay > ax ? ay : ax;
  // In the first half quadrant the angle is that of t, or pi/4 and that of t, where |t| <= tan(pi/8).
  const D t = (low > tan_pi_8 * high ? low - high : low) / (low > tan_pi_8 * high ? low + high : high);
  const D z = t * t;
  // Taylor series: what is left out is below 1e-17 of t.
  const D series =
      z *
      (-1.0 / 3 +
       z * (1.0 / 5 +
            z * (-1.0 / 7 +
                 z * (1.0 / 9 +
                      z * (-1.0 / 11 +
                           z * (1.0 / 13 +
                                z * (-1.0 / 15 +
                                     z * (1.0 / 17 +
                                          z * (-1.0 / 19 +
                                               z * (1.0 / 21 +
                                                    z * (-1.0 / 23 +
                                                         z * (1.0 / 25 +
                                                              z * (-1.0 / 27 +
                                                                   z * (1.0 / 29 +
                                                                        z * (-1.0 / 31 +
                                                                             z * (1.0 / 33 +
                                                                                  z * (-1.0 / 35 +
                                                                                       z * (1.0 / 37 +
                                                                                            z * (-1.0 / 39 +
                                                                                                 z * (1.0 /
                                                                                                      41))))))))))))))))))));
  const D of_t = t + t * series;
  // The angle is quarters of half a right angle, and what is left of it with a sign.
  const D eighths = low > tan_pi_8 * high ? one : zero;
  const D eighths_steep = ay > ax ? 2.0 - eighths : eighths, rest_steep = ay > ax ? -of_t : of_t;
  const D eighths_left = x < 0 ? 4.0 - eighths_steep : eighths_steep, rest_left = x < 0 ? -rest_steep : rest_steep;
  const D size = eighths_left * pi_4 + (eighths_left * pi_4_rest + rest_left);
  L bits, sign;
  std::memcpy(&bits, &size, sizeof bits);
  std::memcpy(&sign, &y, sizeof sign);
  bits = (bits & INT64_MAX) | (sign & INT64_MIN);
  std::memcpy(&result, &bits, sizeof result);
}

}  // namespace gyrostat
