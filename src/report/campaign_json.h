// The results of a campaign, as they stand in the JSON of a page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gyrostat/report/campaign.h"

namespace gyrostat::report {

nlohmann::ordered_json json_of(const CampaignPage& page);

}  // namespace gyrostat::report
