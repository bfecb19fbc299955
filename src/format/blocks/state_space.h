// A linear system in state space.
#pragma once

#include <algorithm>
#include <vector>

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct StateSpaceBlock {
  std::vector<Expression> inputs;
  std::vector<std::vector<double>> a, b, c, d;  // rows
  std::vector<double> initial;
  std::vector<std::string> outputs;  // names where there are several

  static constexpr std::string_view kind = "state_space", note = "x' = a x + b u, y = c x + d u";
  static constexpr auto fields() {
    using B = StateSpaceBlock;
    return std::tuple(
        filled(required_field(&B::inputs, "inputs", Form::dynamic_list, "expressions")),
        filled(required_field(&B::a, "a", Form::matrix, "n by n")),
        filled(required_field(&B::b, "b", Form::matrix, "n by inputs")),
        filled(required_field(&B::c, "c", Form::matrix, "outputs by n")),
        filled(optional_field(&B::d, "d", Form::matrix, "outputs by inputs; default 0")),
        optional_field(&B::initial, "initial", Form::constant_list, "n states; default 0"),
        optional_field(&B::outputs, "outputs", Form::output_names, "names of several outputs, used as SIGNAL.OUTPUT"));
  }
  [[nodiscard]] bool feeds_through() const {
    return std::any_of(d.begin(), d.end(), [](const auto& row) {
      return std::any_of(row.begin(), row.end(), [](double x) { return x != 0; });
    });
  }
  void check(const Wrong& wrong) const {
    const std::size_t n = a.size(), ins = inputs.size(), outs = c.size();
    if (n == 0 || ins == 0 || outs == 0) return;  // reported as missing or unreadable
    const auto shape = [&](std::string_view field, const auto& matrix, std::size_t rows, std::size_t columns) {
      if (matrix.empty()) return;  // missing or unreadable
      if (matrix.size() == rows && matrix[0].size() == columns) return;
      wrong(field, "expected " + std::to_string(rows) + " by " + std::to_string(columns) + ", got " +
                       std::to_string(matrix.size()) + " by " + std::to_string(matrix[0].size()));
    };
    shape("a", a, n, n);
    shape("b", b, n, ins);
    shape("c", c, outs, n);
    shape("d", d, outs, ins);
    if (!initial.empty() && initial.size() != n) {
      wrong("initial", "expected " + std::to_string(n) + (n == 1 ? " state" : " states") + ", got " +
                           std::to_string(initial.size()));
    }
    if (outputs.empty() ? outs > 1 : outputs.size() != outs) {
      wrong("outputs", "c has " + std::to_string(outs) + " rows, so " + std::to_string(outs) + " names are needed");
    }
    distinct(wrong, "outputs", outputs);
  }
};

}  // namespace gyrostat
