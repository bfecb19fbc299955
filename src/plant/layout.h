// The vector y that is integrated: coordinates (attitudes in the form the user chose), speeds, states of blocks.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/system.h"
#include "gyrostat/plant/attitude.h"

namespace gyrostat {

struct Layout {
  /// Coordinates that stand in y as they are in q.
  struct Run {
    std::size_t y = 0, q = 0, count = 0;
  };
  /// A rotation: four or six numbers in y, a quaternion in q, its angular velocity in u.
  struct Turn {
    std::size_t y = 0, q = 0, u = 0;
    std::string joint;
  };

  Attitude attitude = Attitude::quaternion;
  std::vector<Run> runs;
  std::vector<Turn> turns;
  std::size_t u = 0, x = 0;            // where the speeds and the states of blocks begin in y
  std::size_t nq = 0, nu = 0, nx = 0;  // how many coordinates, speeds and states there are
  std::size_t size = 0;

  Layout(const System& system, Attitude attitude, std::size_t states);

  /// Quaternions in q get unit length.
  template <class T>
  void scatter(const T* y, T* q, T* speeds) const {
    for (const Run& run : runs) std::copy_n(y + run.y, run.count, q + run.q);
    for (const Turn& turn : turns) {
      if (attitude == Attitude::quaternion) {
        const T scale = T(1.0) / length_of(y + turn.y);
        for (std::size_t k = 0; k < 4; ++k) q[turn.q + k] = scale * y[turn.y + k];
      } else {
        const TwoColumns<T> c = orthonormal(columns(y + turn.y));
        std::ranges::copy(quaternion_of(Mat3<T>{c.x, c.y, cross(c.x, c.y)}), q + turn.q);
      }
    }
    std::copy_n(y + u, nu, speeds);
  }

  /// Rates of the coordinates in y; q and speeds are those that scatter gave.
  template <class T>
  void gather_rates(const System& system, const T* y, const T* q, const T* speeds, T* qdot, T* ydot) const {
    coordinate_rates(system, q, speeds, qdot);
    for (const Run& run : runs) std::copy_n(qdot + run.q, run.count, ydot + run.y);
    for (const Turn& turn : turns) {
      if (attitude == Attitude::quaternion) {
        const T length = length_of(y + turn.y);  // what is too long turns no slower
        for (std::size_t k = 0; k < 4; ++k) ydot[turn.y + k] = length * qdot[turn.q + k];
      } else {
        const TwoColumns<T> rate = column_rates(columns(y + turn.y), speeds + turn.u);
        const T list[6] = {rate.x.x, rate.x.y, rate.x.z, rate.y.x, rate.y.y, rate.y.z};
        std::copy_n(list, 6, ydot + turn.y);
      }
    }
  }

  void gather(const State& state, double* y) const;

  /// Where a coordinate that is no part of an attitude stands in y.
  [[nodiscard]] std::size_t place_of(std::size_t coordinate) const {
    for (const Run& run : runs) {
      if (coordinate >= run.q && coordinate < run.q + run.count) return run.y + coordinate - run.q;
    }
    return 0;
  }

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
