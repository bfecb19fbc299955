// The checks of a load or block: the names in its fields, and those of its kind.
#pragma once

#include <string>

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

struct KindCheck {
  std::string path;  // "loads[0]", "signals.jet"
  const Description& description;
  const Names& names;
  Problems& problems;

  template <IsKind Kind>
  void operator()(const Kind& kind) const {
    for_each_field(kind, [&](const FieldFormat& field, const auto& member) {
      check(field, path + "." + path_in<Kind>(field.name), member);
    });
    kind.check([&](std::string_view field, const std::string& message) {
      problems.error(path + "." + path_in<Kind>(field), message);
    });
  }

 private:
  // Names that are empty were reported by the reader.
  void check(const FieldFormat& field, const std::string& at, const std::string& name) const;
  void check(const FieldFormat& field, const std::string& at, const PointReference& point) const;
  void check(const FieldFormat& field, const std::string& at, const Coefficient& coefficient) const;
  void check(const FieldFormat& /*field*/, const std::string& /*at*/, const auto& /*no name*/) const {}
};

}  // namespace gyrostat
