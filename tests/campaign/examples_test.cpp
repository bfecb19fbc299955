// Every example as a campaign of a few flights: in lanes that are shared with others, in a lane of its own and outside
// of packs a flight comes to the same.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/lanes.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/plant/batch.h"

namespace gyrostat::campaign::examples_test {
namespace {

namespace fs = std::filesystem;

constexpr double part_flown = 1.0 / 50;  // of the duration of the example
constexpr std::size_t most_bodies = 3;   // that are measured

/// Models, by their names: "cat/cat". Files in the folder `campaign` are campaigns.
std::map<std::string, fs::path> examples() {
  std::map<std::string, fs::path> found;
  for (const auto& folder : fs::directory_iterator(fs::path(GYROSTAT_SOURCE_DIR) / "examples")) {
    if (!folder.is_directory() || folder.path().filename() == "campaign") continue;
    for (const auto& file : fs::directory_iterator(folder.path())) {
      if (file.path().extension() != ".yaml") continue;
      found[(folder.path().filename() / file.path().stem()).string()] = file.path();
    }
  }
  return found;
}

/// The first part of the example.
ModelText shortened(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const ModelText whole(path.string(), text.str());
  const Loaded loaded = whole.load();
  const double until = RunSettings(loaded.model.value()).until;
  const std::regex duration(R"(duration: [^,}\n]+)");
  return {path.string(), std::regex_replace(text.str(), duration, fmt::format("duration: {}", until * part_flown),
                                            std::regex_constants::format_first_only)};
}

/// All parameters vary by one in a thousand; the rates of a few bodies are measured.
CampaignDescription campaign_of(const ModelText& model, std::uint64_t flights) {
  const Loaded loaded = model.load();
  CampaignDescription campaign;
  campaign.count = flights;
  campaign.method = Method::sobol;
  campaign.seed = 3;
  const bool loops = !loaded.model->system.constraints.empty();  // which other lengths may not close
  for (const ParameterDescription& p : model.as_read().parameters) {
    const double value = p.value.value, width = 1e-3 * std::abs(value);
    const bool vector = p.name.ends_with(".x") || p.name.ends_with(".y") || p.name.ends_with(".z");
    if (loops || value == 0 || vector || value == std::floor(value)) continue;  // a whole number may be a count
    campaign.vary.push_back({p.name, 1, Uniform{value - width, value + width}, {}});
  }
  const auto add = [&](const std::string& name, MeasureKind kind, const std::string& expression) {
    Measure measure;
    measure.name = fmt::format("{}{}", name, campaign.measures.size());
    measure.kind = kind;
    measure.expression = expression;
    campaign.measures.push_back(measure);
  };
  for (const BodyDescription& body : loaded.model->description.bodies) {
    if (body.name == "world" || campaign.measures.size() == 3 * most_bodies) continue;
    const std::string rate = fmt::format("{0}.omega_x - 2*{0}.omega_y + 3*{0}.omega_z", body.name);
    add("final", MeasureKind::final, rate);
    add("rms", MeasureKind::rms, rate);
    add("max", MeasureKind::max, rate);
  }
  return campaign;
}

class Silent : public Observer {
  void record(double, std::span<const double>) override {}
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

/// Alone, as `run` flies it.
std::vector<double> flown_alone(const FlightPlan& plan, std::uint64_t flight, bool as_lane) {
  const Loaded loaded = plan.load(flight);
  RunSettings settings = plan.settings(flight);
  settings.as_lane = as_lane;
  settings.keeps_ledger = settings.records = true;
  Simulation simulation(loaded.model.value(), settings);
  Silent silent;
  const Outcome outcome = simulation.run(silent);
  EXPECT_EQ(outcome.kind, Outcome::Kind::finished) << outcome.failure;
  return simulation.measured();
}

/// Of examples that packs do not take, why.
const std::map<std::string, std::string> outside = {
    {"boom_magnetometer/boom_magnetometer", "integrator cvode_bdf is implicit"},
    {"boom_magnetometer/snap", "integrator cvode_bdf is implicit"},
    {"five_body/case1_boom", "formulation linear_partial; packs have articulated_body"},
    {"five_body/case2_linear", "formulation linear_total; packs have articulated_body"},
    {"five_body/case2_linear_fixed", "formulation linear_total_fixed; packs have articulated_body"},
    {"flight_code/flight_code", "signals.control is a plugin"},
    {"flexible_slider_crank/flexible_slider_crank", "integrator cvode_bdf is implicit"},
    {"four_bar/four_bar", "loops, of which each flight may solve for other rows"},
    {"scissor/scissor", "loops, of which each flight may solve for other rows"},
    {"slider_crank/driven", "loops, of which each flight may solve for other rows"},
    {"slider_crank/slider_crank", "loops, of which each flight may solve for other rows"},
    {"stewart/stewart", "integrator cvode_bdf is implicit"},
};

TEST(LanesOfExamples, GiveWhatSingleFlightsGive) {
  const std::uint64_t flights = PlantBatch::lanes() + 2;
  std::map<std::string, std::string> alone;
  for (const auto& [name, path] : examples()) {
    SCOPED_TRACE(name);
    const ModelText model = shortened(path);
    const FlightPlan plan(campaign_of(model, flights), model);
    if (!plan.alone_because().empty()) alone[name] = plan.alone_because();
    if (name == "flight_code/flight_code") continue;  // its library is not there: app/campaign_test flies plugins
    std::vector<FlightResult> results(flights);
    std::uint64_t next = 0;
    const std::atomic<bool> stop = false;
    fly_all(
        plan, [&] { return next < flights ? std::optional(next++) : std::nullopt; },
        [&](FlightResult&& result) { results[result.number] = std::move(result); }, stop);
    for (const FlightResult& result : results) ASSERT_EQ(result.outcome, Outcome::Kind::finished) << result.failure;
    for (const std::uint64_t k : {std::uint64_t{1}, flights - 1}) {
      EXPECT_EQ(results[k].measures, flown_alone(plan, k, plan.alone_because().empty())) << "bit by bit, as replayed";
      const std::vector<double> single = flown_alone(plan, k, false);
      for (std::size_t i = 0; i < single.size(); ++i) {
        EXPECT_NEAR(results[k].measures[i], single[i], 1e-7 * std::abs(single[i]) + 1e-9) << i;
      }
    }
  }
  EXPECT_EQ(alone, outside);
}

}  // namespace
}  // namespace gyrostat::campaign::examples_test
