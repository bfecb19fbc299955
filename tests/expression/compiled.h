// Expressions of four inputs compiled, for tests.
#pragma once

#include <array>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "gyrostat/expression/program.h"
#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression::testing {

inline constexpr std::array<std::string_view, 4> input_names = {"t", "x", "y", "bus.omega_x"};

template <class Scalar>
using Inputs = std::array<Scalar, input_names.size()>;

inline const std::vector<double> table_x{-2, -1, 0.5, 2}, table_y{1, -1, 3, 2};

struct Compiled {
  Program program;
  std::vector<Slot> results;
};

inline Expression parsed(const std::string& text) {
  Parsed result = parse(text);
  if (result.complaint) throw std::invalid_argument(text + ": " + result.complaint->message);
  return std::move(result.expression);
}

/// Names: the inputs, pi, and the piecewise linear table `thrust`.
inline Compiled compile_all(const std::vector<std::string>& texts) {
  ProgramBuilder builder(input_names.size(), 0);
  const auto thrust = builder.add_table(Table(table_x, table_y, Interpolation::linear, Outside::hold));
  Compiled compiled;
  for (const std::string& text : texts) {
    const auto name = [&](std::string_view wanted) -> Slot {
      for (Slot i = 0; i < input_names.size(); ++i) {
        if (input_names[i] == wanted) return i;
      }
      if (wanted == "pi") return builder.constant(std::numbers::pi);
      throw std::invalid_argument("no name " + std::string(wanted));
    };
    compiled.results.push_back(builder.add(parsed(text), name, [&](std::string_view) { return thrust; }));
  }
  compiled.program = builder.finish();
  return compiled;
}
inline Compiled compile(const std::string& text) { return compile_all({text}); }

/// All slots before the instructions run.
template <class Scalar>
std::vector<Scalar> loaded(const Program& program, const Inputs<Scalar>& inputs) {
  std::vector<Scalar> slots(program.slots);
  prepare<Scalar>(program, slots);
  std::copy(inputs.begin(), inputs.end(), slots.begin());
  return slots;
}

template <class Scalar = double>
Scalar value(const Compiled& compiled, const Inputs<Scalar>& inputs, std::size_t result = 0) {
  auto slots = loaded(compiled.program, inputs);
  evaluate<Scalar>(compiled.program, slots);
  return slots[compiled.results[result]];
}

inline double value(const std::string& text, const Inputs<double>& inputs = {}) { return value(compile(text), inputs); }

}  // namespace gyrostat::expression::testing
