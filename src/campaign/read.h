// From a campaign file to its description, and what must hold of one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/campaign/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/load.h"
#include "gyrostat/results/results.h"

namespace gyrostat::campaign {

struct ReadCampaign {
  Source source;
  Problems problems;
  std::optional<CampaignDescription> campaign;  // nothing if there are errors
};

/// All problems are found in one pass, each with its place. Tables of samples are read as well.
ReadCampaign read_campaign(const std::string& path);

/// The same from a text; `file` is its name, and says where its tables of samples are. With `stored` these are taken
/// from there, by the names of the columns that are drawn, and no file is read.
ReadCampaign read_campaign_text(std::string file, std::string text,
                                const std::vector<results::Table>* stored = nullptr);

/// Is that the text of a campaign file? A line of it begins with `gyrostat_campaign:`.
bool looks_like_campaign(std::string_view text);

/// What must hold of a campaign, by itself. Problems have paths and no places.
void validate(const CampaignDescription& campaign, Problems& problems);

/// What must hold of it with its model: parameters, units, measures, columns to record. Paths are those of the campaign
/// file.
void check_against(const CampaignDescription& campaign, const ModelText& model, Problems& problems);

/// Puts the places into problems that `check_against` found.
void find_places(const Source& source, Problems& problems);

/// The name of the signal that has the values of a measure: "measure.NAME".
std::string measure_signal(const Measure& measure);

/// Adds each measure's expression to a model, as the signal `measure_signal`. So measures may say whatever expressions
/// of the model may, vectors included.
void add_measures(const CampaignDescription& campaign, ModelText& model);

/// The format as a JSON Schema, for editors.
std::string campaign_schema();

/// Where the model is, seen from where the program runs.
std::string model_path(const CampaignDescription& campaign, const std::string& campaign_file);

}  // namespace gyrostat::campaign
