// Campaigns as text and as JSON: how far they have come, and what they answer.
#pragma once

#include <chrono>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/campaign/campaign.h"
#include "gyrostat/results/histories.h"

#include "output.h"

namespace gyrostat::app {

/// Flights so far, rate, time left, failures: a bar on a terminal; elsewhere a line now and then.
class FlightProgress {
 public:
  explicit FlightProgress(bool quiet);
  ~FlightProgress();
  FlightProgress(const FlightProgress&) = delete;
  FlightProgress& operator=(const FlightProgress&) = delete;

  void show(const campaign::Progress& progress);

 private:
  void draw(const std::string& line);
  bool visible_, terminal_, drawn_ = false;
  double next_line_ = 10, between_lines_ = 10;  // [s]
};

/// "10,000 flights in 83.1 s, 120 a second, 3 failed; in out.h5"
std::string outcome_text(const campaign::CampaignOutcome& outcome, const std::string& path,
                         const std::string& campaign);

std::string text_of(const campaign::Answers& answers);
Json as_json(const campaign::Answers& answers);

/// "histories of 120 flights: 6 quantities at 61 instants"
std::string text_of(const results::StoredHistories& histories);
Json as_json(const results::StoredHistories& histories);

}  // namespace gyrostat::app
