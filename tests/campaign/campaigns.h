// Campaigns for tests.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/campaign/sampler.h"

namespace gyrostat::campaign {

/// One number with that distribution.
inline CampaignDescription with(Distribution distribution, Method method, std::uint64_t count, std::uint64_t seed) {
  CampaignDescription campaign;
  campaign.vary.push_back({"a", 1, std::move(distribution), {}});
  campaign.method = method;
  campaign.count = count;
  campaign.seed = seed;
  return campaign;
}

/// Several numbers, uniform from 0 to 1.
inline CampaignDescription uniform_numbers(std::size_t numbers, Method method, std::uint64_t count,
                                           std::uint64_t seed) {
  CampaignDescription campaign = with(Uniform{0, 1}, method, count, seed);
  campaign.vary.clear();
  for (std::size_t i = 0; i < numbers; ++i) campaign.vary.push_back({"a" + std::to_string(i), 1, Uniform{0, 1}, {}});
  return campaign;
}

/// All flights, by row.
inline std::vector<std::vector<double>> table(const CampaignDescription& campaign) {
  const Sampler sampler(campaign);
  std::vector<std::vector<double>> rows(sampler.count(), std::vector<double>(sampler.columns().size()));
  for (std::uint64_t k = 0; k < sampler.count(); ++k) sampler.sample(k, rows[k]);
  return rows;
}

inline std::vector<double> column(const CampaignDescription& campaign, std::size_t which) {
  std::vector<double> values;
  for (const auto& row : table(campaign)) values.push_back(row[which]);
  return values;
}

}  // namespace gyrostat::campaign
