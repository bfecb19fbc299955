#include "gyrostat/signals/history.h"

#include <limits>

#include "gyrostat/signals/instants.h"

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

void History::move_on() {
  if (started_) pieces_.pop_front();
  started_ = true;
}

void History::forget_before(double t) {
  if (!started_) return;
  std::vector<Step>& steps = pieces_.front().steps;
  const auto over = std::ranges::lower_bound(steps, t, {}, &Step::to) - steps.begin();
  if (over > 1000) steps.erase(steps.begin(), steps.begin() + over - 1);  // now and then
}

double through_nodes(const std::array<double, 5>& values, double x) {
  double sum = values[0];  // Lagrange's form of what is beyond the first
  for (std::size_t i = 1; i < history_nodes.size(); ++i) {
    double product = values[i] - values[0];
    for (std::size_t k = 0; k < history_nodes.size(); ++k) {
      if (k != i) product *= (x - history_nodes[k]) / (history_nodes[i] - history_nodes[k]);
    }
    sum += product;
  }
  return sum;
}

double History::at(double t) const {
  if (!started_ || pieces_.front().steps.empty()) return before_;
  const std::vector<Step>& steps = pieces_.front().steps;
  auto found = std::ranges::lower_bound(steps, t, {}, &Step::to);
  if (found == steps.end()) --found;
  return through_nodes(found->values, std::clamp((t - found->from) / (found->to - found->from), 0.0, 1.0));
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

bool History::restore(const std::vector<double>& numbers) {
  if (numbers.size() < 2) return false;
  before_ = numbers[0];
  started_ = numbers[1] != 0;
  pieces_.clear();
  std::size_t at = 2;
  while (at + 2 <= numbers.size()) {
    Piece piece{numbers[at], {}};
    const double count = numbers[at + 1];
    at += 2;
    if (!(count >= 0 && 7 * count <= static_cast<double>(numbers.size() - at))) return false;
    for (auto left = static_cast<std::size_t>(count); left > 0; --left, at += 7) {
      Step step{numbers[at], numbers[at + 1], {}};
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(at) + 2, 5, step.values.begin());
      piece.steps.push_back(step);
    }
    pieces_.push_back(std::move(piece));
  }
  return at == numbers.size() && !(started_ && pieces_.empty());
}

}  // namespace gyrostat
