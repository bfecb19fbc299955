#include "gyrostat/signals/history.h"

#include <limits>

#include "gyrostat/signals/switchboard.h"

namespace gyrostat {

void History::begin(double t0, double value) {
  before_ = value;
  started_ = false;
  pieces_.assign(1, Piece{t0, {}});
}

void History::begin_piece(double t) {
  if (pieces_.back().steps.empty()) {
    pieces_.back().begin = t;
  } else {
    pieces_.push_back({t, {}});
  }
}

void History::add_step(double from, double to, const std::array<double, 5>& values) {
  pieces_.back().steps.push_back({from, to, values});
}

double History::next_piece() const {
  if (!started_) return pieces_.front().begin;
  return pieces_.size() > 1 ? pieces_[1].begin : never;
}

bool History::move_to(double t) {
  bool moved = false;
  while (next_piece() <= t) {
    if (started_) pieces_.erase(pieces_.begin());
    started_ = moved = true;
  }
  if (!started_) return false;
  std::vector<Step>& steps = pieces_.front().steps;  // those that are over are dropped now and then
  const auto over = std::ranges::find_if(steps, [&](const Step& s) { return s.to >= t; }) - steps.begin();
  if (over > 1000) steps.erase(steps.begin(), steps.begin() + over - 1);
  return moved;
}

double History::at(double t) const {
  if (!started_ || pieces_.front().steps.empty()) return before_;
  const std::vector<Step>& steps = pieces_.front().steps;
  auto found = std::ranges::lower_bound(steps, t, {}, &Step::to);
  if (found == steps.end()) --found;
  const double x = std::clamp((t - found->from) / (found->to - found->from), 0.0, 1.0);
  double sum = 0;  // Lagrange's polynomial through the five nodes
  for (std::size_t i = 0; i < history_nodes.size(); ++i) {
    double product = found->values[i];
    for (std::size_t k = 0; k < history_nodes.size(); ++k) {
      if (k != i) product *= (x - history_nodes[k]) / (history_nodes[i] - history_nodes[k]);
    }
    sum += product;
  }
  return sum;
}

std::vector<double> History::save() const {
  std::vector<double> numbers = {before_, started_ ? 1.0 : 0.0};
  for (const Piece& piece : pieces_) {
    numbers.push_back(piece.begin);
    numbers.push_back(static_cast<double>(piece.steps.size()));
    for (const Step& step : piece.steps) {
      numbers.push_back(step.from);
      numbers.push_back(step.to);
      numbers.insert(numbers.end(), step.values.begin(), step.values.end());
    }
  }
  return numbers;
}

void History::restore(const std::vector<double>& numbers) {
  before_ = numbers[0];
  started_ = numbers[1] != 0;
  pieces_.clear();
  for (std::size_t at = 2; at + 1 < numbers.size();) {
    Piece piece{numbers[at], {}};
    auto count = static_cast<std::size_t>(numbers[at + 1]);
    for (at += 2; count > 0 && at + 7 <= numbers.size(); --count, at += 7) {
      Step step{numbers[at], numbers[at + 1], {}};
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(at) + 2, 5, step.values.begin());
      piece.steps.push_back(step);
    }
    pieces_.push_back(std::move(piece));
  }
}

}  // namespace gyrostat
