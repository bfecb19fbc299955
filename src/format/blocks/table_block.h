// A table of an expression.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct TableBlock {
  Expression x;
  std::string table;

  static constexpr std::string_view kind = "table", note = "a table of an expression";
  static constexpr std::string_view format_name = "table_block";
  static constexpr auto fields() {
    return std::tuple(required_field(&TableBlock::x, "x", Form::dynamic, "expression"),
                      required_field(&TableBlock::table, "table", Form::table_name, "a table"));
  }
  [[nodiscard]] static bool feeds_through() { return true; }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
