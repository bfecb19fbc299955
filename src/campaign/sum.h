// A sum in the order in which numbers are added, with the rounding errors carried along (Neumaier, 1974).
#pragma once

#include <cmath>

namespace gyrostat::campaign {

class Sum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    if (std::isfinite(next)) carried_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  [[nodiscard]] double value() const { return sum_ + carried_; }

 private:
  double sum_ = 0, carried_ = 0;
};

}  // namespace gyrostat::campaign
