#include "gyrostat/campaign/description.h"

#include <algorithm>

namespace gyrostat::campaign {

bool CampaignDescription::has_computed() const { return std::ranges::any_of(measures, &Measure::computed); }

bool CampaignDescription::more_is_worse(std::string_view measure) const {
  const auto found = std::ranges::find(require, measure, &Requirement::measure);
  return found == require.end() || found->below.has_value();
}

std::vector<std::string> sampled_columns(const CampaignDescription& campaign) {
  std::vector<std::string> columns;
  for (const Varied& varied : campaign.vary) {
    if (varied.size == 1) columns.push_back(varied.parameter);
    for (std::size_t i = 0; varied.size > 1 && i < varied.size; ++i)
      columns.push_back(varied.parameter + std::string(component_suffixes[i]));
  }
  return columns;
}

}  // namespace gyrostat::campaign
