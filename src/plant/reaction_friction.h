// Dry friction whose level is proportional to what its joint transmits across its axis: the levels of all joints that
// slide, over any scalar. Numbers in comments are the equations of docs/theory/mechanisms.md.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/kernels.h"

namespace gyrostat {

/// Of I - B; below it no level is consistent, or several are.
constexpr double least_pivot_of_levels = 1e-9;

/// Of n joints with such friction, of which some slide. The reactions are affine functions of the levels.
template <class T>
struct ReactionFriction {
  std::size_t n = 0;
  std::vector<T> coefficients;     // by joint: level over reaction, at the present speed [1 or m]
  std::vector<Vec3<T>> reactions;  // by joint: across its axis, if all levels were zero; world axes [N]
  std::vector<Vec3<T>> by_level;   // [k n + j]: of the reaction of k, for a unit of the level of j
  std::vector<T> udot;             // [j nu + i]: of the acceleration i, the same
  std::vector<T> levels;           // [N m, N]; not a number where no single one is consistent
  T least_pivot = T(1.0);          // of I - B: positive where levels exist and are unique

  // Room.
  std::vector<T> without, bound, found, other, step, matrix;
  std::vector<Vec3<T>> across;
  std::vector<T> tau;
  std::optional<InverseDynamics<T>> inverse;

  template <class C>
  ReactionFriction(std::size_t joints, const MechanismOf<C>& mechanism) : n(joints) {
    if (n == 0) return;
    for (auto* list : {&coefficients, &levels, &bound, &found, &other, &step}) list->resize(n);
    reactions.resize(n);
    across.resize(n);
    by_level.resize(n * n);
    matrix.resize(n * n);
    udot.resize(n * mechanism.nu);
    without.resize(mechanism.nu);
    tau.resize(mechanism.nu);
    inverse.emplace(mechanism);
  }
};

/// The length of a vector; where it is zero, so are its derivatives.
template <class T>
T length_of(const Vec3<T>& a) {
  using std::sqrt;
  const T square = dot(a, a);
  const auto any = T(0.0) < square;
  return select(any, sqrt(select(any, square, T(1.0))), T(0.0));
}

/// Solves A x = b without exchanging rows: b is in x, A is lost. The least pivot.
template <class T>
T eliminate_in_place(std::size_t n, T* A, T* x) {
  T least = A[0];
  for (std::size_t k = 0; k < n; ++k) {
    const T pivot = A[k * n + k];
    least = select(pivot < least, pivot, least);
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = A[i * n + k] / pivot;
      for (std::size_t j = k + 1; j < n; ++j) A[i * n + j] = A[i * n + j] - factor * A[k * n + j];
      x[i] = x[i] - factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] = x[k] - A[k * n + j] * x[j];
    x[k] = x[k] / A[k * n + k];
  }
  return least;
}

/// The reaction across the axis of joint k at levels f.       (13)
template <class T>
Vec3<T> reaction_at(const ReactionFriction<T>& w, std::size_t k, const T* f) {
  Vec3<T> R = w.reactions[k];
  for (std::size_t j = 0; j < w.n; ++j) R += f[j] * w.by_level[k * w.n + j];
  return R;
}

/// By how much levels differ from those that their reactions make, in `step`; the largest over `bound`.
template <class T>
T find_level_errors(ReactionFriction<T>& w, const T* f) {
  T largest(0.0);
  for (std::size_t k = 0; k < w.n; ++k) {
    const T error = w.coefficients[k] * length_of(reaction_at(w, k, f)) - f[k];
    const T relative = select(error < T(0.0), -error, error) / w.bound[k];
    w.step[k] = error;
    largest = select(largest < relative, relative, largest) + (relative - relative);  // what is not finite stays so
  }
  return largest;
}

/// From f to that of Newton's method, in place.
template <class T>
void improve_levels(ReactionFriction<T>& w, T* f) {
  find_level_errors(w, f);
  for (std::size_t k = 0; k < w.n; ++k) {
    const Vec3<T> R = reaction_at(w, k, f);
    const T length = length_of(R);
    const auto any = T(0.0) < length;
    const T scale = select(any, w.coefficients[k] / select(any, length, T(1.0)), T(0.0));
    for (std::size_t j = 0; j < w.n; ++j) {
      w.matrix[k * w.n + j] = T(j == k ? 1.0 : 0.0) - scale * dot(R, w.by_level[k * w.n + j]);
    }
  }
  eliminate_in_place(w.n, w.matrix.data(), w.step.data());
  for (std::size_t k = 0; k < w.n; ++k) f[k] = f[k] + w.step[k];
}

/// Levels f_k = mu_k |R_k(f)|, which are unique where I - B is an M-matrix, B_kj = mu_k |dR_k / df_j|: then f is below
/// the `bound` (I - B)^-1 mu_k |R_k(0)|, over which f -> mu |R(f)| contracts. A number of steps that is always the
/// same: Newton's where that is nearer, else of the contraction; the last ones Newton's, so that derivatives are those
/// of the solution.       (14), (15)
template <class T>
void solve_levels(ReactionFriction<T>& w) {
  constexpr int safe_steps = 24, last_steps = 2;
  constexpr double most_error = 1e-9, smallest = 1e-290;
  for (std::size_t k = 0; k < w.n; ++k) {
    w.bound[k] = w.found[k] = w.coefficients[k] * length_of(w.reactions[k]);
    for (std::size_t j = 0; j < w.n; ++j) {
      w.matrix[k * w.n + j] = T(j == k ? 1.0 : 0.0) - w.coefficients[k] * length_of(w.by_level[k * w.n + j]);
    }
  }
  w.least_pivot = eliminate_in_place(w.n, w.matrix.data(), w.bound.data());
  for (T& bound : w.bound) bound = bound + T(smallest);
  for (int pass = 0; pass < safe_steps; ++pass) {
    find_level_errors(w, w.found.data());
    for (std::size_t k = 0; k < w.n; ++k) w.other[k] = w.found[k] + w.step[k];
    const T of_other = find_level_errors(w, w.other.data());
    improve_levels(w, w.found.data());
    const T of_newton = find_level_errors(w, w.found.data());
    const auto newton = of_newton < of_other;
    for (std::size_t k = 0; k < w.n; ++k) w.found[k] = select(newton, w.found[k], w.other[k]);
  }
  for (int pass = 0; pass < last_steps; ++pass) improve_levels(w, w.found.data());
  const T left = find_level_errors(w, w.found.data());
  const T missing(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < w.n; ++k) {
    const T level = select(left < T(most_error), w.found[k], missing);
    w.levels[k] = select(T(least_pivot_of_levels) < w.least_pivot, level, missing);
  }
}

}  // namespace gyrostat
