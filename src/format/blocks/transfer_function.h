// A transfer function of the Laplace variable s.
#pragma once

#include <algorithm>
#include <vector>

#include "gyrostat/format/checks.h"

namespace gyrostat {

/// Of a polynomial with descending powers; -1 if it is zero.
inline std::ptrdiff_t degree(const std::vector<double>& polynomial) {
  const auto leading = std::find_if(polynomial.begin(), polynomial.end(), [](double c) { return c != 0; });
  return polynomial.end() - leading - 1;
}

struct TransferFunctionBlock {
  Expression input;
  std::vector<double> numerator, denominator;  // descending powers of s
  double initial = 0;                          // of the output

  static constexpr std::string_view kind = "transfer_function", note = "numerator(s)/denominator(s)";
  static constexpr auto fields() {
    using B = TransferFunctionBlock;
    return std::tuple(
        required_field(&B::input, "input", Form::dynamic, "expression"),
        filled(
            required_field(&B::numerator, "numerator", Form::constant_list, "coefficients of descending powers of s")),
        filled(required_field(&B::denominator, "denominator", Form::constant_list, "the same; at least as many")),
        optional_field(&B::initial, "initial", Form::constant, "the output at t = 0; default 0"));
  }
  [[nodiscard]] bool feeds_through() const { return degree(numerator) >= degree(denominator); }
  void check(const Wrong& wrong) const {
    if (denominator.empty() || numerator.empty()) return;  // reported as missing or not a list
    if (denominator.front() == 0) wrong("denominator", "the leading coefficient cannot be zero");
    if (degree(numerator) > degree(denominator)) {
      wrong("numerator", "of higher degree (" + std::to_string(degree(numerator)) + ") than the denominator (" +
                             std::to_string(degree(denominator)) + "): that would need derivatives of the input");
    }
    if (initial != 0 && denominator.size() < 2) wrong("initial", "a constant factor has no initial value");
  }
};

}  // namespace gyrostat
