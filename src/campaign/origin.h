// What the file of a campaign says of where its numbers come from: the campaign's text, the samples of its tables, the
// model, the data files of that; and whether they are still the same.
#pragma once

#include <string>

#include "gyrostat/campaign/flight.h"
#include "gyrostat/campaign/read.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {

/// Of the file of a campaign that is to be flown.
results::Header header_of(const ReadCampaign& read, const FlightPlan& plan, const std::string& command);

/// Throws CampaignError where a file is not of this campaign, with these tables, this model and its data files.
void check_same_campaign(const results::ResultsReader& reader, const ReadCampaign& read, const FlightPlan& plan);

/// Throws CampaignError where a file was begun on a processor of another kind.
void check_same_processor(const results::ResultsReader& reader);

/// Throws CampaignError where a data file that the model refers to, or the library of a plugin, is another one than
/// when the file was begun.
void check_same_data(const results::ResultsReader& reader, const FlightPlan& plan);

}  // namespace gyrostat::campaign
