// N doubles as one scalar: the same text of a kernel works on N systems at once. Every lane does what the scalar kernel
// does; no lane depends on another. N is the number of lanes of a register of the processor that the text is compiled
// for (dynamics/processor.h): wider packs than that live in memory and are slow.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "gyrostat/math/circular.h"
#include "gyrostat/math/condition.h"
#include "gyrostat/math/table.h"
#include "gyrostat/math/vectors.h"

namespace gyrostat {

/// Aligned in itself: the compiler's own alignment of vectors depends on the processor it compiles for.
template <std::size_t N>
struct alignas(8 * N) Pack {
  static constexpr std::size_t lanes = N;
  using Doubles = typename Vectors<N>::Doubles;
  using Longs = typename Vectors<N>::Longs;

  /// The outcome of a comparison in each lane: all bits set, or none.
  struct alignas(8 * N) Mask {
    Longs on{};

    Mask() = default;
    GYROSTAT_INLINE Mask(bool everywhere)  // NOLINT(google-explicit-constructor): one outcome for every lane
        : on((everywhere ? -1 : 0) - Longs{}) {}
    GYROSTAT_INLINE explicit Mask(const Longs& outcomes) : on(outcomes) {}

    [[nodiscard]] GYROSTAT_INLINE bool operator[](std::size_t lane) const { return on[lane] != 0; }
    GYROSTAT_INLINE void set(std::size_t lane, bool outcome) { on[lane] = outcome ? -1 : 0; }

    // clang-format off
    friend GYROSTAT_INLINE Mask operator&(const Mask& a, const Mask& b) { return Mask(a.on & b.on); }
    friend GYROSTAT_INLINE Mask operator|(const Mask& a, const Mask& b) { return Mask(a.on | b.on); }
    friend GYROSTAT_INLINE Mask operator!(const Mask& a) { return Mask(~a.on); }
    // clang-format on
    friend GYROSTAT_INLINE bool all(const Mask& a) {
      bool every = true;
      for (std::size_t lane = 0; lane < N; ++lane) every = every && a.on[lane] != 0;
      return every;
    }
  };

  Doubles v{};

  Pack() = default;
  GYROSTAT_INLINE Pack(double everywhere)  // NOLINT(google-explicit-constructor): a number in every lane
      : v(everywhere - Doubles{}) {}
  GYROSTAT_INLINE explicit Pack(const Doubles& values) : v(values) {}

  GYROSTAT_INLINE double& operator[](std::size_t lane) { return reinterpret_cast<double*>(&v)[lane]; }
  GYROSTAT_INLINE double operator[](std::size_t lane) const { return v[lane]; }

  // clang-format off
  friend GYROSTAT_INLINE Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
  friend GYROSTAT_INLINE Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
  friend GYROSTAT_INLINE Pack operator-(const Pack& a) { return Pack(-a.v); }
  friend GYROSTAT_INLINE Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
  friend GYROSTAT_INLINE Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }
  friend GYROSTAT_INLINE Pack& operator+=(Pack& a, const Pack& b) { a.v += b.v; return a; }
  friend GYROSTAT_INLINE Pack& operator-=(Pack& a, const Pack& b) { a.v -= b.v; return a; }
  friend GYROSTAT_INLINE Pack& operator*=(Pack& a, const Pack& b) { a.v *= b.v; return a; }

  friend GYROSTAT_INLINE Mask operator<(const Pack& a, const Pack& b) { return Mask(a.v < b.v); }
  friend GYROSTAT_INLINE Mask operator>(const Pack& a, const Pack& b) { return Mask(a.v > b.v); }
  friend GYROSTAT_INLINE Mask operator<=(const Pack& a, const Pack& b) { return Mask(a.v <= b.v); }
  friend GYROSTAT_INLINE Mask operator>=(const Pack& a, const Pack& b) { return Mask(a.v >= b.v); }
  friend GYROSTAT_INLINE Mask operator==(const Pack& a, const Pack& b) { return Mask(a.v == b.v); }
  friend GYROSTAT_INLINE Mask operator!=(const Pack& a, const Pack& b) { return Mask(a.v != b.v); }

  friend GYROSTAT_INLINE Pack select(const Mask& condition, const Pack& yes, const Pack& no) { return Pack(condition.on ? yes.v : no.v); }
  friend GYROSTAT_INLINE Pack min(const Pack& a, const Pack& b) { return Pack(b.v < a.v ? b.v : a.v); }
  friend GYROSTAT_INLINE Pack max(const Pack& a, const Pack& b) { return Pack(a.v < b.v ? b.v : a.v); }
  friend GYROSTAT_INLINE Pack abs(const Pack& a) { return Pack(__builtin_bit_cast(Doubles, __builtin_bit_cast(Longs, a.v) & INT64_MAX)); }
  // clang-format on
};

template <std::size_t N>
struct ConditionOf<Pack<N>> {
  using type = typename Pack<N>::Mask;
};

/// f in each lane.
template <std::size_t N, class Function>
GYROSTAT_INLINE Pack<N> by_lane(const Pack<N>& x, Function f) {
  Pack<N> y;
  for (std::size_t i = 0; i < N; ++i) y.v[i] = f(x.v[i]);
  return y;
}
template <std::size_t N, class Function>
GYROSTAT_INLINE Pack<N> by_lane(const Pack<N>& a, const Pack<N>& b, Function f) {
  Pack<N> y;
  for (std::size_t i = 0; i < N; ++i) y.v[i] = f(a.v[i], b.v[i]);
  return y;
}

// clang-format off
template <std::size_t N> GYROSTAT_INLINE Pack<N> tan(const Pack<N>& x) { return by_lane(x, [](double a) { return std::tan(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> asin(const Pack<N>& x) { return by_lane(x, [](double a) { return std::asin(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> acos(const Pack<N>& x) { return by_lane(x, [](double a) { return std::acos(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> sqrt(const Pack<N>& x) { return by_lane(x, [](double a) { return std::sqrt(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> exp(const Pack<N>& x) { return by_lane(x, [](double a) { return std::exp(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> log(const Pack<N>& x) { return by_lane(x, [](double a) { return std::log(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> sinh(const Pack<N>& x) { return by_lane(x, [](double a) { return std::sinh(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> cosh(const Pack<N>& x) { return by_lane(x, [](double a) { return std::cosh(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> tanh(const Pack<N>& x) { return by_lane(x, [](double a) { return std::tanh(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> asinh(const Pack<N>& x) { return by_lane(x, [](double a) { return std::asinh(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> floor(const Pack<N>& x) { return by_lane(x, [](double a) { return std::floor(a); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> pow(const Pack<N>& x, const Pack<N>& y) { return by_lane(x, y, [](double a, double b) { return std::pow(a, b); }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> lookup(const Table& table, const Pack<N>& x) { return by_lane(x, [&](double a) { return table.at(a).value; }); }
template <std::size_t N> GYROSTAT_INLINE Pack<N> lookup(const Table& table, const Pack<N>& x, std::size_t segment) { return by_lane(x, [&](double a) { return table.on(segment, a).value; }); }
// clang-format on

/// The values where `usual`, else f(x) of that lane. Whether other lanes are usual does not touch a lane.
template <std::size_t N, class Mask, class Function>
GYROSTAT_INLINE Pack<N> with_unusual_lanes(const Mask& usual, const Pack<N>& values, Function f) {
  Pack<N> y = values;
  if (!all(usual)) [[unlikely]] {
    for (std::size_t i = 0; i < N; ++i) {
      if (!usual[i]) y[i] = f(i);
    }
  }
  return y;
}

template <std::size_t N>
GYROSTAT_INLINE Pack<N> sin(const Pack<N>& x) {
  typename Pack<N>::Doubles s, c;
  sincos_reduced<typename Pack<N>::Doubles, typename Pack<N>::Longs>(x.v, s, c);
  return with_unusual_lanes(abs(x) < Pack<N>(largest_reduced_angle), Pack<N>(s),
                            [&](std::size_t i) { return std::sin(x[i]); });
}

template <std::size_t N>
GYROSTAT_INLINE Pack<N> cos(const Pack<N>& x) {
  typename Pack<N>::Doubles s, c;
  sincos_reduced<typename Pack<N>::Doubles, typename Pack<N>::Longs>(x.v, s, c);
  return with_unusual_lanes(abs(x) < Pack<N>(largest_reduced_angle), Pack<N>(c),
                            [&](std::size_t i) { return std::cos(x[i]); });
}

template <std::size_t N>
GYROSTAT_INLINE Pack<N> atan2(const Pack<N>& y, const Pack<N>& x) {
  const Pack<N> ax = abs(x), ay = abs(y), least(smallest_ordinary_point), most(largest_ordinary_point);
  const auto ordinary = (ax <= most) & (ay <= most) & ((ax >= least) | (ay >= least));
  typename Pack<N>::Doubles angle;
  atan2_ordinary<typename Pack<N>::Doubles, typename Pack<N>::Longs>(y.v, x.v, angle);
  return with_unusual_lanes(ordinary, Pack<N>(angle), [&](std::size_t i) { return std::atan2(y[i], x[i]); });
}

template <std::size_t N>
GYROSTAT_INLINE Pack<N> atan(const Pack<N>& x) {
  return atan2(x, Pack<N>(1.0));
}

}  // namespace gyrostat
