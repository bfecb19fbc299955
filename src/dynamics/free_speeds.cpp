#include "gyrostat/dynamics/free_speeds.h"

namespace gyrostat {

void list_free_speeds(const Forces<double>& forces, std::vector<std::uint32_t>& list) {
  list.clear();
  for (std::uint32_t k = 0; k < forces.free.size(); ++k) {
    if (forces.free[k]) list.push_back(k);
  }
}

void set_given(const Forces<double>& forces, double* udot) {
  for (std::size_t k = 0; k < forces.free.size(); ++k) udot[k] = forces.free[k] ? 0 : forces.udot[k];
}

}  // namespace gyrostat
