// What a delayed signal was: smooth pieces between events, each made of steps with a polynomial on each.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

namespace gyrostat {

/// The nodes of a step, as parts of it.
inline constexpr std::array<double, 5> history_nodes = {0, 0.25, 0.5, 0.75, 1};

/// The polynomial through values at the nodes, at the part x of the step. Equal values give themselves.
double through_nodes(const std::array<double, 5>& values, double x);

class History {
 public:
  /// The value at every instant before `t0`, where the first piece begins.
  void begin(double t0, double value);

  /// From here on a new piece, because something jumped or bent.
  void begin_piece(double t);

  /// A step of the last piece, with the values at its nodes.
  void add_step(double from, double to, const std::array<double, 5>& values);

  /// The instant at which the piece after the present one begins; infinity if there is none yet.
  [[nodiscard]] double next_piece() const;

  /// Moves on to the next piece, and forgets the present one.
  void move_on();

  /// Nothing before t will be asked for.
  void forget_before(double t);

  /// The value at t, of the present piece continued as constant beyond its ends.
  [[nodiscard]] double at(double t) const;

  // For checkpoints: everything as a list of numbers.
  [[nodiscard]] std::vector<double> save() const;
  /// False if they are not what `save` returns.
  [[nodiscard]] bool restore(const std::vector<double>& numbers);

 private:
  struct Step {
    double from = 0, to = 0;
    std::array<double, 5> values{};
  };
  struct Piece {
    double begin = 0;
    std::vector<Step> steps;
  };
  double before_ = 0;     // the value before the first piece
  bool started_ = false;  // the present piece is the first of pieces_, not what was before
  std::deque<Piece> pieces_;
};

}  // namespace gyrostat
