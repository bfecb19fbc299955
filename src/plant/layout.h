// The vector y that is integrated: coordinates (attitudes in the form the user chose), speeds, states of blocks.
#pragma once

#include <algorithm>
#include <vector>

#include "gyrostat/model/system.h"
#include "gyrostat/plant/attitude.h"

namespace gyrostat {

struct Layout {
  /// Coordinates that stand in y as they are in q, and whose rates are speeds.
  struct Run {
    std::size_t y = 0, q = 0, u = 0, count = 0;
  };
  /// A rotation: four or six numbers in y, a quaternion in q, its angular velocity in u.
  struct Rotation {
    std::size_t y = 0, q = 0, u = 0;
  };

  Attitude attitude = Attitude::quaternion;
  std::vector<Run> runs;
  std::vector<Rotation> rotations;
  std::size_t u = 0, x = 0;            // where the speeds and the states of blocks begin in y
  std::size_t nq = 0, nu = 0, nx = 0;  // how many coordinates, speeds and states there are
  std::size_t size = 0;

  Layout(const System& system, Attitude attitude, std::size_t states);

  /// From y to q, whose quaternions get unit length, and u.
  template <class T>
  void scatter(const T* y, T* q, T* speeds) const {
    for (const Run& run : runs) {
      for (std::size_t k = 0; k < run.count; ++k) q[run.q + k] = y[run.y + k];
    }
    for (const Rotation& r : rotations) {
      if (attitude == Attitude::quaternion) {
        const T scale = T(1.0) / length_of(y + r.y);
        for (std::size_t k = 0; k < 4; ++k) q[r.q + k] = scale * y[r.y + k];
      } else {
        const TwoColumns<T> c = orthonormal(columns(y + r.y));
        const std::array<T, 4> e = quaternion_of(Mat3<T>{c.x, c.y, cross(c.x, c.y)});
        for (std::size_t k = 0; k < 4; ++k) q[r.q + k] = e[k];
      }
    }
    for (std::size_t k = 0; k < nu; ++k) speeds[k] = y[u + k];
  }

  /// Rates of the coordinates in y; q and speeds are those that scatter gave.
  template <class T>
  void gather_rates(const T* y, const T* q, const T* speeds, T* ydot) const {
    for (const Run& run : runs) {
      for (std::size_t k = 0; k < run.count; ++k) ydot[run.y + k] = speeds[run.u + k];
    }
    for (const Rotation& r : rotations) {
      if (attitude == Attitude::quaternion) {
        const T length = length_of(y + r.y);  // the rate of a quaternion is proportional to its length
        const std::array<T, 4> rates = quaternion_rates(q + r.q, speeds + r.u);
        for (std::size_t k = 0; k < 4; ++k) ydot[r.y + k] = length * rates[k];
      } else {
        const TwoColumns<T> rate = column_rates(columns(y + r.y), speeds + r.u);
        const T list[6] = {rate.x.x, rate.x.y, rate.x.z, rate.y.x, rate.y.y, rate.y.z};
        for (std::size_t k = 0; k < 6; ++k) ydot[r.y + k] = list[k];
      }
    }
  }

  void gather(const State& state, double* y) const;

  /// Where a coordinate that is no part of an attitude stands in y.
  [[nodiscard]] std::size_t place_of(std::size_t coordinate) const;

  /// Attitudes of unit length, and at right angles.
  void project(double* y) const;

  /// How far the attitudes in y are from that.
  [[nodiscard]] double distance_from_unit(const double* y) const;

 private:
  template <class T>
  static TwoColumns<T> columns(const T* c) {
    return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
  }
};

}  // namespace gyrostat
