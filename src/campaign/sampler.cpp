#include "gyrostat/campaign/sampler.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "gyrostat/campaign/copula.h"
#include "gyrostat/campaign/permutation.h"
#include "gyrostat/campaign/read.h"
#include "gyrostat/campaign/sobol.h"

namespace gyrostat::campaign {

namespace {

/// In (0, 1): the place of a number within its stratum, so that the stratum's number plus it is exact.
double place_in_stratum(std::uint64_t k, std::uint64_t strata, std::uint32_t column, std::uint64_t seed) {
  const Random128 random = philox(
      {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32U), column, word(Stream::within_stratum)},
      seed);
  const std::uint32_t bits = 51 - static_cast<std::uint32_t>(std::bit_width(strata));
  const std::uint64_t whole = ((std::uint64_t{random[0]} << 32U) | random[1]) >> (64 - bits);
  return (static_cast<double>(whole) + 0.5) / static_cast<double>(std::uint64_t{1} << bits);
}

}  // namespace

struct Sampler::Columns {
  struct Column {
    Distribution distribution;
    std::size_t component = 0;
  };

  Method method = Method::monte_carlo;
  std::uint64_t seed = 0;
  std::uint64_t count = 1;  // of base samples
  std::vector<Column> columns;
  std::vector<Factor> factors;
  Copula copula;
  SobolSequence sobol{0};

  /// In (0, 1). `dimension` counts further than the columns in the design of Saltelli.
  [[nodiscard]] double uniform(std::uint64_t k, std::size_t dimension) const {
    const auto d = static_cast<std::uint32_t>(dimension);
    switch (method) {
      case Method::factorial: break;  // it has no columns
      case Method::sobol: return sobol.scrambled(k, dimension, seed);
      case Method::latin_hypercube:  // (8)
        return (static_cast<double>(permuted(k, count, d, seed)) + place_in_stratum(k, count, d, seed)) /
               static_cast<double>(count);
      case Method::monte_carlo: break;
    }
    const Random128 random = philox(
        {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32U), d, word(Stream::monte_carlo)}, seed);
    return uniform_number(random[0], random[1]);
  }
};

Sampler::Sampler(const CampaignDescription& campaign) : columns_(sampled_columns(campaign)) {
  Problems problems;
  validate(campaign, problems);
  for (const Problem& problem : problems.all()) {
    if (problem.severity == Severity::error) throw std::invalid_argument(problem.path + ": " + problem.message);
  }
  sampled_ = columns_.size();
  auto data = std::make_unique<Columns>();
  data->method = campaign.method;
  data->seed = campaign.seed;
  data->count = campaign.method == Method::factorial ? 1 : campaign.count;
  data->factors = campaign.factors;
  for (const Varied& varied : campaign.vary) {
    parameters_.push_back({varied.parameter, data->columns.size(), varied.size});
    for (std::size_t i = 0; i < varied.size; ++i) data->columns.push_back({varied.distribution, i});
  }
  if (campaign.sensitivity) design_.inputs = sampled_;
  if (campaign.method == Method::sobol) data->sobol = SobolSequence(campaign.sensitivity ? 2 * sampled_ : sampled_);
  if (!campaign.correlate.empty()) data->copula = make_copula(campaign.correlate).value();
  samples_ = data->count * (campaign.sensitivity ? design_.parts() : 1);
  for (const Factor& factor : campaign.factors) {
    combinations_ *= factor.values.size();
    parameters_.push_back({factor.parameter, columns_.size(), 1});
    columns_.push_back(factor.parameter);
  }
  data_ = std::move(data);
}

Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

void Sampler::sample(std::uint64_t k, std::span<double> values) const {
  std::uint64_t combination = k % combinations_;
  for (std::size_t i = data_->factors.size(); i-- > 0;) {
    const std::vector<double>& list = data_->factors[i].values;
    values[sampled_ + i] = list[combination % list.size()];
    combination /= list.size();
  }

  const std::uint64_t sample = k / combinations_;
  const std::uint64_t parts = design_.inputs > 0 ? design_.parts() : 1;
  const std::uint64_t base = sample / parts, part = sample % parts;
  for (std::size_t j = 0; j < sampled_; ++j) {
    const bool of_b = part == 1 || part == 2 + j;  // (7)
    values[j] = data_->uniform(base, of_b ? sampled_ + j : j);
  }
  const std::vector<std::size_t>& correlated = data_->copula.columns;
  for (const std::size_t j : correlated) values[j] = normal_quantile(Probability::of(values[j]));
  data_->copula.apply(values);
  std::size_t next = 0;
  for (std::size_t j = 0; j < sampled_; ++j) {
    const auto& [distribution, component] = data_->columns[j];
    const bool scored = next < correlated.size() && correlated[next] == j;
    if (scored) ++next;
    if (const auto* table = std::get_if<Table>(&distribution)) {
      values[j] = table->rows[component][base];
    } else {
      constexpr double furthest = 37;  // beyond, the probability is no number any more
      values[j] = quantile(distribution, scored ? normal_probability(std::clamp(values[j], -furthest, furthest))
                                                : Probability::of(values[j]));
    }
  }
}

}  // namespace gyrostat::campaign
