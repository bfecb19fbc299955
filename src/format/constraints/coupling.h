// A sum of coefficients times coordinates has a given value.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct CouplingRelation {
  std::vector<std::pair<std::string, double>> coupling;  // "left.angle", its coefficient

  static constexpr std::string_view kind = "coupling", note = "COORDINATE: coefficient, of two or more coordinates";
  static constexpr bool flat = true;
  static constexpr auto fields() {
    return std::tuple(optional_field(&CouplingRelation::coupling, kind, Form::coordinate_map, note));
  }
  void check(const Wrong& wrong) const {
    if (coupling.size() == 1) wrong("coupling", "couples two or more coordinates; of one, write 'coordinate'");
    for (const auto& [name, coefficient] : coupling) {
      if (coefficient == 0 && !name.empty()) wrong("coupling." + name, "the coefficient is zero; leave it out");
    }
  }
};

}  // namespace gyrostat
