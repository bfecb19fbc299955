// Commands about campaigns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gyrostat/campaign/campaign.h"

namespace gyrostat::app {

struct CampaignArguments {
  std::string file;      // a campaign file; to replay a flight, also the results of a campaign
  std::string model;     // for a flight that is replayed: instead of the campaign's own; or empty
  std::string output;    // results file; empty: the campaign's name with .h5, and the number of a flight
  unsigned threads = 0;  // 0: all cores
  bool resume = false;
  bool allow_plugins = false;
  unsigned slurm = 0;                   // print a job script for so many processes, and fly nothing; 0: fly
  std::optional<std::uint64_t> replay;  // a flight
  bool report = false;                  // of that, or of the campaign
  std::string page;                     // a file to take for it instead of the program's own page
  bool force = false, quiet = false, json = false;
};

/// A campaign by its own file or by its results, and how it is flown.
struct FoundCampaign {
  campaign::ReadCampaign read;
  std::optional<campaign::FlightPlan> plan;  // nothing if there are problems
  std::shared_ptr<const Loaded> model;       // the model, where it is what is wrong
};
/// With its own model, or with that file for a model. Throws CampaignError or ResultsError where it cannot be read.
FoundCampaign find_campaign(const std::string& file, const std::string& model = {});
/// Prints what is wrong with it, and returns the exit code.
int refuse_campaign(bool json, const FoundCampaign& found);

/// `check` of a campaign file.
int check_campaign(const std::string& file, bool json);
int fly(const CampaignArguments& arguments, const std::string& command_line);
/// What the results of a campaign say, as text or as JSON. After a flight: the page that was made of them, or empty;
/// the text does not say again why flights were not packed.
struct JustFlown {
  std::string report;
};
int show_campaign(const results::ResultsReader& reader, bool json, const JustFlown* flown = nullptr);

}  // namespace gyrostat::app
