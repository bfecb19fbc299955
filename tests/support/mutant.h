// What tests/mutate.py puts into the sources that it breaks. Every mutant is there at once, behind a number; one of
// them is on, or none.
#pragma once

#include <concepts>
#include <type_traits>

namespace mutant {

/// The number of the mutant that is on; 0: none; below: none, and those that are reached are noted.
extern int active;
bool note(int number);  // always false

inline bool on(int number) { return active == number || (active < 0 && note(number)); }

// --- a factor of 1, -1 or 0 before an operand: binds more tightly than a product -------------------------------------

struct Factor {
  int value;
};
inline Factor sign(int number) { return {on(number) ? -1 : 1}; }
inline Factor minus(int number) { return {on(number) ? 1 : -1}; }
inline Factor kept(int number) { return {on(number) ? 0 : 1}; }

template <class X>
concept OfEigen = requires(const X& x) {
  x.derived();
  typename X::Scalar;
};

template <class X>
concept Subtracted = !std::is_arithmetic_v<X> && !OfEigen<X> && requires(const X& x) {
  { x - x } -> std::convertible_to<X>;
};

template <class X>
requires std::is_arithmetic_v<X>
auto operator->*(Factor f, X x) {
  using Promoted = decltype(+x);
  return f.value == 1 ? +x : static_cast<Promoted>(f.value == 0 ? Promoted(0) : -x);
}

template <OfEigen X>
auto operator->*(Factor f, const X& x) {
  return static_cast<typename X::Scalar>(f.value) * x;
}

template <Subtracted X>
X operator->*(Factor f, const X& x) {
  if (f.value == 1) return x;
  const X zero = x - x;
  return f.value == 0 ? zero : X(zero - x);
}

// --- other changes ---------------------------------------------------------------------------------------------------

template <class X>
requires std::is_arithmetic_v<X> X one_for(int number, X x) { return on(number) ? X(1) : x; }

inline bool flipped(int number, bool condition) { return condition != on(number); }

/// The left side of a comparison: == and != are exchanged, < and > include equality.
template <class X>
struct Compared {
  const X& x;
  bool on;
};
template <class X>
Compared<X> compared(int number, const X& x) {
  return {x, on(number)};
}
template <class X, class Y>
bool operator==(const Compared<X>& a, const Y& b) {
  return (a.x == b) != a.on;
}
template <class X, class Y>
bool operator!=(const Compared<X>& a, const Y& b) {
  return (a.x != b) != a.on;
}
template <class X, class Y>
bool operator<(const Compared<X>& a, const Y& b) {
  return a.on ? a.x <= b : a.x < b;
}
template <class X, class Y>
bool operator>(const Compared<X>& a, const Y& b) {
  return a.on ? a.x >= b : a.x > b;
}

/// x.transpose(), or x.
template <OfEigen X>
requires(int{X::RowsAtCompileTime} == int{X::ColsAtCompileTime}) typename X::PlainObject
    eigen_transposed(int number, const X& x) {
  if (on(number)) return x;
  return x.transpose();
}

/// transposed(m), or m.
template <class M>
auto small_transposed(int number, const M& m) -> decltype(transposed(m)) {
  if (on(number)) return m;
  return transposed(m);
}

/// transpose_times(a, b), or a * b.
template <class A, class B>
auto small_transpose_times(int number, const A& a, const B& b) -> decltype(transpose_times(a, b)) {
  if (on(number)) return a * b;
  return transpose_times(a, b);
}

}  // namespace mutant
