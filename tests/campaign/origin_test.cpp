// What the file of a campaign keeps of where its numbers come from: the samples of CSV files, long texts, what data
// files were; and other files that stand where parts of a campaign would.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/results/target.h"

#include "campaign/in_folder.h"
#include "flexible/beams.h"

namespace gyrostat::campaign::origin_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

constexpr const char* craft = R"yaml(gyrostat: 1
parameters: {x: 1, way: [0, 0, 1]}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
signals: {y: "x + dot(way, [1, 10, 100]) + 0*t"}
simulation: {duration: 1, integrator: {method: rk4, step: 0.5}}
)yaml";

constexpr const char* with_tables = R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary:
  x: {table: {file: samples/x.csv, column: x, unit: deg}}
  way: {table: {file: samples/x.csv, columns: [a, b, c]}, size: 3}
samples: {count: 3}
measure: {y: {final: y}}
)yaml";

class Origin : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    write("craft.yaml", craft);
    std::filesystem::create_directories(folder_ / "samples");
    write("samples/x.csv", "x,a,b,c\n1,2,3,4\n5,6,7,8\n9,10,11,12\n99,99,99,99\n");
  }
  /// Begun, with at most a few flights.
  void begin(const Campaign& c, const std::string& file) const {
    CampaignOptions options;
    options.threads = 1;
    options.go_on = [](const Progress&) { return false; };
    fly_campaign(c.read, *c.plan, file, options);
  }
  static CampaignOptions resumed() {
    CampaignOptions options;
    options.resume = true;
    return options;
  }
};

TEST_F(Origin, KeepsTheSamplesOfTables) {
  const Campaign c = campaign(with_tables);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5")).finished);
  const std::vector<double> y = columns_of(path("out.h5")).at("measures/y");
  // neither an edited file nor one that is gone changes what is flown again, shown or reported
  for (const bool gone : {false, true}) {
    if (gone) {
      std::filesystem::remove_all(path("samples"));
    } else {
      write("samples/x.csv", "x,a,b,c\n7,7,7,7\n7,7,7,7\n7,7,7,7\n");
    }
    const results::ResultsReader reader(path("out.h5"));
    ASSERT_EQ(reader.header().tables.size(), 4U);
    EXPECT_EQ(reader.header().tables[2].name, "way.y");
    EXPECT_EQ(reader.header().tables[2].values, (std::vector<double>{3, 7, 11})) << "as many rows as there are samples";
    ReadCampaign stored = stored_campaign(reader);
    ASSERT_TRUE(stored.campaign) << (stored.problems.all().empty() ? "" : stored.problems.all()[0].message);
    EXPECT_EQ(answers_of(reader, *stored.campaign).ended, 3U);
    const auto plan = stored_plan(reader, stored);
    ASSERT_TRUE(plan);
    std::vector<double> drawn(4);
    plan->sampler().sample(1, drawn);
    EXPECT_EQ(drawn, (std::vector<double>{5 * M_PI / 180, 6, 7, 8}));
    replay(*plan, 1, path("again.h5"), {});
    EXPECT_EQ(results::ResultsReader(path("again.h5")).column("y").back(), y[1]);
  }
}

TEST_F(Origin, DoesNotMixSamplesOfTwoTables) {
  std::string many = with_tables, rows = "x,a,b,c\n";
  many.replace(many.find("count: 3"), 8, "count: 30000");
  for (int k = 0; k < 30000; ++k) rows += std::to_string(k) + ",1,2,3\n";
  write("samples/x.csv", rows);
  const Campaign c = campaign(many);
  begin(c, path("out.h5"));
  ASSERT_EQ(results::ResultsReader(path("out.h5")).status(), "interrupted");
  rows.replace(rows.rfind("29999"), 5, "29998");
  write("samples/x.csv", rows);
  const Campaign edited = campaign(many);
  EXPECT_THAT([&] { fly_campaign(edited.read, *edited.plan, path("out.h5"), resumed()); },
              Throws<CampaignError>(Property(&CampaignError::what,
                                             HasSubstr("out.h5: the samples of 'x' in its CSV file were changed"))));
}

TEST_F(Origin, KeepsALongCampaign) {
  std::string text = with_tables;
  text += "#" + std::string(200'000, 'x') + "\n";
  const Campaign c = campaign(text);
  begin(c, path("part.h5"));
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5")).finished);
  for (const char* file : {"out.h5", "part.h5"}) {
    const ReadCampaign stored = stored_campaign(results::ResultsReader(path(file)));
    EXPECT_EQ(stored.source.text(), text);
    EXPECT_TRUE(stored.campaign);
  }
  EXPECT_TRUE(std::filesystem::exists(path("out.h5")));
}

TEST_F(Origin, RefusesOtherDataOfAFlexibleBody) {
  const auto data = [](double stiffness) {
    FlexibleData beam = make_beam(general_beam(3), "root", {"tip"}, first_modes(2, ModeKind::component));
    beam.stiffness *= stiffness;
    return flexible_json(beam);
  };
  write("boom.json", data(1));
  std::string model = craft;
  const std::string rigid = "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}";
  model.replace(model.find(rigid), rigid.size(),
                "bodies: {bus: {mass: 9, inertia: [1, 1, 1]}, b: {flexible: {file: boom.json}}}\n"
                "joints: {hinge: {type: weld, parent: bus, child: b.root}}");
  model.replace(model.find("method: rk4, step: 0.5"), 22, "method: dopri5");
  write("craft.yaml", model);
  const std::string text =
      "gyrostat_campaign: 1\nmodel: craft.yaml\nvary: {x: {uniform: {low: 1, high: 2}}}\nsamples: {count: 20000}\n"
      "measure: {y: {final: y}}\n";
  const Campaign c = campaign(text);
  begin(c, path("out.h5"));
  const auto replays = [&] {
    const results::ResultsReader reader(path("out.h5"));
    ReadCampaign stored = stored_campaign(reader);
    return stored_plan(reader, stored).has_value();
  };
  EXPECT_TRUE(replays());
  write("boom.json", " " + data(1));
  EXPECT_TRUE(replays()) << "the same numbers in another file";
  write("boom.json", data(1.001));
  const auto says = Throws<CampaignError>(
      Property(&CampaignError::what, AllOf(HasSubstr("out.h5: bodies.b.flexible: its file was changed since"),
                                           HasSubstr("put the file of then in its place"))));
  EXPECT_THAT(replays, says);
  const Campaign other = campaign(text);
  EXPECT_THAT([&] { fly_campaign(other.read, *other.plan, path("out.h5"), resumed()); }, says);
}

TEST_F(Origin, OfOtherResultsIsNeverRemoved) {
  const Campaign c = campaign(with_tables);
  // a part that an earlier attempt has left is removed
  begin(c, path("out.rank1.h5"));
  const std::string left = path("out.rank1.h5");
  if (results::ResultsReader(left).status() == "interrupted") {
    ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5")).finished);
    EXPECT_FALSE(std::filesystem::exists(left));
  }
  // results of a run, of another campaign, and a whole campaign are not
  replay(*c.plan, 0, path("run.h5"), {});
  std::string text = with_tables;
  text.replace(text.find("count: 3"), 8, "count: 2");
  const Campaign other = campaign(text);
  ASSERT_TRUE(fly_campaign(other.read, *other.plan, path("other.h5")).finished);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("whole.h5")).finished);
  write("text.h5", "no results");
  for (const auto& [name, why] : {std::pair{"run.h5", "is not the file of a campaign"},
                                  {"other.h5", "is of another campaign"},
                                  {"whole.h5", "has a whole campaign"},
                                  {"text.h5", "is not a results file that Gyrostat wrote"}}) {
    std::filesystem::copy(path(name), path("new.rank3.h5"));
    EXPECT_THAT([&] { fly_campaign(c.read, *c.plan, path("new.h5")); },
                Throws<CampaignError>(Property(
                    &CampaignError::what, AllOf(HasSubstr("new.rank3.h5: "), HasSubstr(why), HasSubstr("--force")))))
        << name;
    EXPECT_TRUE(std::filesystem::exists(path("new.rank3.h5"))) << name;
    EXPECT_FALSE(std::filesystem::exists(path("new.h5"))) << name;
    std::filesystem::remove(path("new.rank3.h5"));
  }
  std::filesystem::copy(path("other.h5"), path("new.rank3.h5"));
  CampaignOptions forced;
  forced.force = true;
  EXPECT_TRUE(fly_campaign(c.read, *c.plan, path("new.h5"), forced).finished);
  EXPECT_FALSE(std::filesystem::exists(path("new.rank3.h5")));
}

TEST_F(Origin, SaysWhyFlightsWereNotPacked) {
  std::string model = craft;
  model.replace(model.find("method: rk4, step: 0.5"), 22, "method: cvode_bdf");
  write("craft.yaml", model);
  const Campaign c = campaign(with_tables);
  ASSERT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5")).finished);
  const results::ResultsReader reader(path("out.h5"));
  EXPECT_EQ(not_packed_because(reader.header()), "integrator cvode_bdf is implicit");
  EXPECT_EQ(answers_of(reader, *c.read.campaign).not_packed, "integrator cvode_bdf is implicit");
}

}  // namespace
}  // namespace gyrostat::campaign::origin_test
