// Numbers that sum up a run: the largest value of a signal, its mean, the first instant at which a condition holds.
// They are taken over whole steps, not over records: extremes are looked for between the nodes of a step, integrals are
// those of Gauss-Legendre quadrature, and instants are located as events are.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/signals/compile.h"

namespace gyrostat {

enum class MeasureKind : std::uint8_t { max, min, final, mean, rms, integral, first_time };

/// As they are called in files, in the order of the kinds.
inline constexpr std::array<std::string_view, 7> measure_kinds = {"max", "min",      "final",     "mean",
                                                                  "rms", "integral", "first_time"};

struct MeasureSettings {
  std::string signal;  // of one output
  MeasureKind kind = MeasureKind::max;
  double after = 0, before = never;  // only this part of the run counts [s]
  double hold = 0;                   // of first_time: for how long the signal must stay positive [s]

  bool operator==(const MeasureSettings&) const = default;
};

class Measures {
 public:
  /// Throws std::invalid_argument, naming it, where there is no such signal.
  Measures(const SignalProgram& signals, const std::vector<MeasureSettings>& settings);

  [[nodiscard]] bool empty() const { return taken_.empty(); }

  /// The first instant after t at which a part that counts begins or ends: steps end there.
  [[nodiscard]] double next_time(double t) const;

  /// Values of the program's slots at an instant at which something may have jumped: at the start, after an event.
  void note(double t, const double* values);

  /// Values at node k of the quadrature of a step, and at its end.
  void sample(std::size_t k, const double* values);
  /// Evaluates an instant within the step, and returns the values there.
  using ValuesAt = std::function<const double*(double t)>;
  /// The step that was sampled, up to its end, at which the values are those given.
  void take(double from, double to, const double* values, const ValuesAt& values_at);

  /// At the end of the run, or where it has come to: NaN where nothing counted; of a condition that never
  /// held, infinity.
  [[nodiscard]] std::vector<double> results() const;

  /// What was taken so far, for checkpoints, and back: as many numbers as `save` gives.
  [[nodiscard]] std::vector<double> save() const;
  void restore(const std::vector<double>& saved);

 private:
  struct Taken {
    MeasureSettings settings;
    Slot slot = 0;
    double extreme = std::numeric_limits<double>::quiet_NaN();
    double sum = 0, length = 0;
    double last = std::numeric_limits<double>::quiet_NaN();  // value at the end of the last step
    double since = never;                                    // the condition holds since then; never: it does not
    double found = never;                                    // the instant that was looked for
    std::array<double, 3> samples = {};
  };
  static void note_extreme(Taken& m, double value);
  static void take_extreme(Taken& m, const std::array<double, 5>& t, const std::array<double, 5>& x,
                           const ValuesAt& values_at);
  static void take_condition(Taken& m, const std::array<double, 5>& t, const std::array<double, 5>& x,
                             const ValuesAt& values_at);

  std::vector<Taken> taken_;
};

}  // namespace gyrostat
