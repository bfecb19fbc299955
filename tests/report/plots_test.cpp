// Which plots a page shows at first.
#include "gyrostat/report/plots.h"

#include <gmock/gmock.h>

#include "gyrostat/simulate/simulation.h"

#include "support/load.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace {

using report::PageColumn;
using report::PlotGroup;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

PageColumn column(const std::string& name, const std::string& unit, double least, double largest) {
  PageColumn c;
  c.name = name;
  c.unit = unit;
  c.least = least;
  c.largest = largest;
  return c;
}

std::vector<std::string> titles(const std::vector<PlotGroup>& plots) {
  std::vector<std::string> list;
  for (const PlotGroup& p : plots) list.push_back(p.title);
  return list;
}

std::vector<std::string> names(const std::vector<PageColumn>& columns, const PlotGroup& plot) {
  std::vector<std::string> list;
  for (const std::size_t i : plot.columns) list.push_back(columns[i].name);
  return list;
}

/// The columns a run of an example would record, all of which move alike.
std::vector<PageColumn> columns_of_example(const std::string& file, Loaded& loaded) {
  loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/" + file);
  RunSettings settings(*loaded.model);
  const Simulation simulation(*loaded.model, settings);
  std::vector<PageColumn> columns;
  for (const OutputColumn& c : simulation.columns()) columns.push_back(column(c.name, c.unit, -1, 1));
  return columns;
}

TEST(Plots, OfTheFiveBodies) {
  Loaded loaded;
  const auto columns = columns_of_example("five_body/five_body.yaml", loaded);
  const auto plots = report::default_plots(columns, &*loaded.model);
  const auto all = titles(plots);
  ASSERT_THAT(std::vector<std::string>(all.begin(), all.begin() + 5),
              ElementsAre("Attitude", "Body rates", "Joint angles", "Joint rates", "Control activity"));
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("theta1", "theta2", "theta3"));
  EXPECT_THAT(names(columns, plots[1]), ElementsAre("base.omega_x", "base.omega_y", "base.omega_z"));
  EXPECT_THAT(names(columns, plots[2]), ElementsAre("pan.angle", "tilt.angle", "boom_x.angle", "boom_z.angle"));
  EXPECT_THAT(names(columns, plots[4]), ElementsAre("pan_command", "tilt_command", "jet1", "jet2", "jet3"));
  EXPECT_THAT(all, Contains("Ledger [J]"));
}

TEST(Plots, OfTheTenBodies) {
  Loaded loaded;
  const auto columns = columns_of_example("ten_body/ten_body.yaml", loaded);
  const auto plots = report::default_plots(columns, &*loaded.model);
  EXPECT_THAT(titles(plots),
              ElementsAre("Attitude", "Body rates", "Joint angles 1-8", "Joint angles 9-11", "Joint displacements",
                          "Joint rates 1-8", "Joint rates 9-11", "Joint speeds", "Wheel speeds", "Signals", "Position",
                          "Velocity", "Angular momentum", "Energy", "Ledger [J]", "Ledger [N*s]", "Ledger [N*m*s]"));
  EXPECT_EQ(names(columns, plots[0])[0], "base.quaternion_w");  // nothing else says how it stands
}

TEST(Plots, OfAttitudesThatFollowFromOthers) {
  Loaded loaded;
  const auto columns = columns_of_example("gravity_gradient/full.yaml", loaded);
  const auto plots = report::default_plots(columns, &*loaded.model);
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("pitch", "roll", "yaw"));
}

TEST(Plots, HaveOneUnitAndAtMostEightCurves) {
  for (const char* file : {"five_body/five_body.yaml", "five_body/case1_prescribed.yaml", "ten_body/ten_body.yaml",
                           "dual_spin/dual_spin.yaml", "thermal_flutter/eclipse.yaml", "dumbbell/tether.yaml"}) {
    Loaded loaded;
    const auto columns = columns_of_example(file, loaded);
    for (const Model* model : {static_cast<const Model*>(&*loaded.model), static_cast<const Model*>(nullptr)}) {
      const auto plots = report::default_plots(columns, model);
      EXPECT_FALSE(plots.empty());
      std::vector<bool> shown(columns.size());
      for (const PlotGroup& p : plots) {
        EXPECT_FALSE(p.columns.empty());
        EXPECT_LE(p.columns.size(), 8U);
        for (const std::size_t i : p.columns) {
          EXPECT_EQ(columns[i].unit, columns[p.columns[0]].unit) << p.title;
          EXPECT_FALSE(shown[i]) << columns[i].name << " is shown twice";
          shown[i] = true;
        }
      }
    }
  }
}

TEST(Plots, LeaveOutWhatDoesNotMove) {
  const std::vector<PageColumn> columns = {column("a.angle", "rad", -1, 1),    column("b.angle", "rad", 2, 2),
                                           column("c.angle", "rad", 0, 1e-13), column("d.rate", "rad/s", 5, 5),
                                           column("system.energy", "J", 3, 3), column("ledger/energy", "J", 0, 0)};
  const auto plots = report::default_plots(columns, nullptr);
  EXPECT_THAT(titles(plots), ElementsAre("Joint angles", "Energy", "Ledger"));
  EXPECT_THAT(plots[0].columns, ElementsAre(0));
}

TEST(Plots, SeparateSmallMotionsFromLargeOnes) {
  const std::vector<PageColumn> columns = {column("a.angle", "rad", 0, 1),    column("b.angle", "rad", 0, 0.04),
                                           column("c.angle", "rad", 0, 0.03), column("d.angle", "rad", 0, 1e-3),
                                           column("e.angle", "rad", 0, 1e-5), column("f.angle", "rad", 0, 1e-9)};
  const auto plots = report::default_plots(columns, nullptr);
  EXPECT_THAT(titles(plots),
              ElementsAre("Joint angles", "Joint angles, small", "Joint angles, smaller", "Joint angles, smallest"));
  EXPECT_THAT(plots[0].columns, ElementsAre(0, 1));
  EXPECT_THAT(plots[1].columns, ElementsAre(2, 3));
  EXPECT_THAT(plots[2].columns, ElementsAre(4));
  EXPECT_THAT(plots[3].columns, ElementsAre(5));
}

TEST(Plots, AreNotEndless) {
  std::vector<PageColumn> columns;
  for (int i = 0; i < 5000; ++i) columns.push_back(column("j" + std::to_string(i) + ".angle", "rad", 0, 1));
  const auto plots = report::default_plots(columns, nullptr);
  EXPECT_EQ(plots.size(), 5U);
  EXPECT_EQ(plots.back().title, "Joint angles 33-40");
}

TEST(Plots, PassOverColumnsWithoutNumbersAndThoseOfThePicture) {
  std::vector<PageColumn> columns = {column("a.angle", "rad", 0, 1), column("motion/b.angle", "rad", 0, 1)};
  columns[0].least = columns[0].largest = std::nullopt;
  EXPECT_TRUE(report::default_plots(columns, nullptr).empty());
}

TEST(Plots, OfLoadsAreByUnit) {
  const std::vector<PageColumn> columns = {column("loads/0.torque_x", "N*m", 0, 1),
                                           column("loads/1.thrust", "N", 0, 1)};
  EXPECT_THAT(titles(report::default_plots(columns, nullptr)), ElementsAre("Loads [N*m]", "Loads [N]"));
}

}  // namespace
}  // namespace gyrostat::testing
