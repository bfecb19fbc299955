// A folder in which tests fly campaigns.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {

/// Campaigns that are flown in a folder of their own.
class InFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("campaign_") + test.test_suite_name() + "_" + test.name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  struct Campaign {
    ReadCampaign read;
    std::optional<FlightPlan> plan;
  };
  [[nodiscard]] Campaign read(const std::string& text) const {
    write("campaign.yaml", text);
    Campaign made{read_campaign(path("campaign.yaml")), {}};
    if (made.read.campaign) made.plan = make_plan(made.read);
    return made;
  }
  [[nodiscard]] Campaign campaign(const std::string& text) const {
    Campaign made = read(text);
    for (const Problem& problem : made.read.problems.all()) ADD_FAILURE() << problem.path << ": " << problem.message;
    if (!made.plan) throw std::runtime_error("no plan");
    return made;
  }

  /// All columns of the file by name, in the order of the flights.
  static std::map<std::string, std::vector<double>> columns_of(const std::string& file) {
    const results::ResultsReader reader(file);
    EXPECT_EQ(reader.status(), "finished");
    std::map<std::string, std::vector<double>> all{{"flight", reader.time()}};
    for (const results::Column& column : reader.columns()) all[column.name] = reader.column(column.name);
    return all;
  }

  std::filesystem::path folder_;
};

}  // namespace gyrostat::campaign
