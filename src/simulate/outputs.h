// What a run records, and its values at an instant.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gyrostat/simulate/ledger.h"

namespace gyrostat {

struct OutputColumn {
  std::string name;  // as in expressions; "reactions/pan.force_x", "driving/pan.rate", "ledger/energy"
  std::string unit, description;
};

class Outputs {
 public:
  explicit Outputs(Plant& plant);

  [[nodiscard]] const std::vector<OutputColumn>& columns() const { return columns_; }

  /// Do reactions have to be known, for which the plant looks closely?
  [[nodiscard]] bool needs_close_look() const { return !reactions_.empty() || !driving_.empty(); }

  /// After a look (a close one where needed).
  void fill(const Ledger& ledger, std::span<double> row);

 private:
  void add(const std::string& name);
  void add_default(const Plant& plant);
  void add_reactions();

  Plant& plant_;
  Numbers numbers_;
  std::vector<OutputColumn> columns_;
  struct Source {
    enum class Kind { constant, signal, observed };
    Kind kind = Kind::observed;
    double constant = 0;
    Slot slot = 0;
    Observable observable;
  };
  std::vector<Source> sources_;
  std::vector<std::uint32_t> reactions_;  // joints
  std::vector<std::uint32_t> driving_;    // speeds
};

}  // namespace gyrostat
