// The samples of a campaign: the values of flight k are a function of the description and k alone
// (docs/theory/campaigns.md, sections 3 to 6).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/campaign/description.h"

namespace gyrostat::campaign {

/// Which flights belong together in the design of Saltelli: flight k is base sample k / (inputs + 2) with the part
/// k % (inputs + 2): 0 is A, 1 is B, 2 + i is A with column i of B.
struct SensitivityDesign {
  std::size_t inputs = 0;
  [[nodiscard]] std::size_t parts() const { return inputs + 2; }
};

class Sampler {
 public:
  /// Keeps nothing of the description but copies. Throws std::invalid_argument where `validate` would report an error.
  explicit Sampler(const CampaignDescription& campaign);
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;
  ~Sampler();

  /// Flights in all: samples, times parts of the design of Saltelli, times combinations of factors.
  [[nodiscard]] std::uint64_t count() const { return samples_ * combinations_; }

  /// Flight k has sample k / combinations and combination k % combinations, of which the last factor changes fastest.
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  [[nodiscard]] std::uint64_t combinations() const { return combinations_; }

  /// "bus_mass", "misalign.x", .., and the factors behind them.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// How many of the columns have distributions; the others are factors.
  [[nodiscard]] std::size_t sampled() const { return sampled_; }

  /// Parameters of the model as `--set` has them: a number, or a vector of three columns from `first` on.
  struct Parameter {
    std::string name;
    std::size_t first = 0, size = 1;
  };
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }

  /// With `sensitivity`, its design; nothing of it else (`inputs` is 0).
  [[nodiscard]] SensitivityDesign design() const { return design_; }

  /// The values of flight k, one for each column [SI]. Any number of threads may ask. Nothing is allocated.
  /// Precondition: k < count(), values.size() == columns().size().
  void sample(std::uint64_t k, std::span<double> values) const;

 private:
  struct Columns;

  std::uint64_t samples_ = 1, combinations_ = 1;
  std::size_t sampled_ = 0;
  std::vector<std::string> columns_;
  std::vector<Parameter> parameters_;
  SensitivityDesign design_;
  std::unique_ptr<const Columns> data_;
};

}  // namespace gyrostat::campaign
