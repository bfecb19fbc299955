// Which plots a page shows at first.
#include "gyrostat/report/plots.h"

#include <gmock/gmock.h>

#include "gyrostat/report/titles.h"
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
              ElementsAre("Attitude", "Body rates", "Joint angles", "Joint rates", "jet1, jet2, jet3"));
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("theta1", "theta2", "theta3"));
  EXPECT_THAT(names(columns, plots[1]), ElementsAre("bus.omega_x", "bus.omega_y", "bus.omega_z"));
  EXPECT_THAT(names(columns, plots[2]), ElementsAre("pan.angle", "tilt.angle", "boom_x.angle", "boom_z.angle"));
  EXPECT_THAT(names(columns, plots[4]), ElementsAre("jet1", "jet2", "jet3"));
  EXPECT_EQ(all[5], "pan_command, tilt_command");
  EXPECT_THAT(all, Contains("Ledger [J]"));
}

TEST(Plots, OfTheTenBodies) {
  Loaded loaded;
  const auto columns = columns_of_example("ten_body/ten_body.yaml", loaded);
  const auto plots = report::default_plots(columns, &*loaded.model);
  EXPECT_THAT(titles(plots),
              ElementsAre("Attitude", "Body rates", "Joint angles: hinge_1.angle1 .. hinge_8.angle1",
                          "Joint angles: hinge_8.angle2, hinge_9.angle1, hinge_9.angle2", "Joint displacements",
                          "Joint rates: hinge_1.rate1 .. hinge_8.rate1",
                          "Joint rates: hinge_8.rate2, hinge_9.rate1, hinge_9.rate2", "Joint speeds", "Wheel speeds",
                          "mast_heat, head_heat and 4 more", "heat, balance", "Position", "Velocity",
                          "Angular momentum", "Energy", "Ledger [J]", "Ledger [N*s]", "Ledger [N*m*s]"));
  // nothing else says how it stands; the joint's own rates are the same as the body's
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("body_1.roll", "body_1.pitch", "body_1.yaw"));
  EXPECT_THAT(names(columns, plots[1]), ElementsAre("body_1.omega_x", "body_1.omega_y", "body_1.omega_z"));
}

TEST(Plots, OfAttitudesThatFollowFromOthers) {
  Loaded loaded;
  const auto columns = columns_of_example("gravity_gradient/full.yaml", loaded);
  const auto plots = report::default_plots(columns, &*loaded.model);
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("pitch", "roll", "yaw"));
}

/// Signals of a model; all its columns move alike.
std::vector<PlotGroup> plots_of_signals(const std::string& signals, std::vector<PageColumn>& columns,
                                        const std::vector<std::pair<std::string, std::string>>& units = {}) {
  const Loaded loaded = load_text("m.yaml", R"(gyrostat: 1
bodies:
  bus: {mass: 1, inertia: [1, 1, 1], wheels: {w1: {axis: [1, 0, 0], inertia: 0.1, torque: t1},
    w2: {axis: [0, 1, 0], inertia: 0.1, torque: -t2}}}
signals:
)" + signals);
  EXPECT_TRUE(loaded.model);
  for (const SignalDescription& signal : loaded.model->description.signals) {
    columns.push_back(column(signal.name, "", -1, 1));
    for (const auto& [start, unit] : units) {
      if (signal.name.starts_with(start)) columns.back().unit = unit;
    }
  }
  return report::default_plots(columns, &*loaded.model);
}

const std::string flight = R"yaml(
  b_x: "bus.C11*2e-5"
  b_y: "bus.C21*2e-5"
  b_z: "bus.C31*2e-5"
  heading: "2*atan2(bus.quaternion_z, bus.quaternion_w)"
  heading_error: "heading - 0.3"
  rate_error_x: "bus.omega_x"
  rate_error_y: "bus.omega_y"
  rate_error_z: "bus.omega_z"
  t1: "-heading_error - rate_error_z"
  t2: "0"
  heater: {switching_amplifier: {input: "sin(t)", deadband: 0.1}}
  height: "t"
  mode: "t > 5"
)yaml";

TEST(Plots, OfSignalsAreGroupedAndCalledByName) {
  std::vector<PageColumn> columns;
  const auto plots = plots_of_signals(flight, columns);
  EXPECT_THAT(titles(plots), ElementsAre("Attitude", "Wheel torques", "heater", "b_x, _y, _z", "rate_error_x, _y, _z",
                                         "height, mode"));
  EXPECT_THAT(names(columns, plots[0]), ElementsAre("heading", "heading_error"));
  EXPECT_THAT(names(columns, plots[1]), ElementsAre("t1", "t2"));
}

TEST(Plots, OfSignalsGoByTheirUnits) {
  std::vector<PageColumn> columns;
  const auto plots = plots_of_signals(
      flight, columns, {{"b_", "T"}, {"rate_", "rad/s"}, {"height", "m"}, {"heading", "rad"}, {"b_z", "G"}});
  EXPECT_THAT(titles(plots), ElementsAre("Attitude", "Wheel torques", "heater", "b_x, _y", "rate_error_x, _y, _z",
                                         "b_z", "height", "mode"));
  // A signal of direction cosines is an attitude if it is an angle, whatever its expression looks like, and none if
  // not.
  columns.clear();
  EXPECT_THAT(titles(plots_of_signals(flight, columns, {{"b_", "rad"}, {"heading", "T"}})),
              ElementsAre("Attitude", "Wheel torques", "heater", "rate_error_x, _y, _z", "heading, heading_error",
                          "height, mode"));
  EXPECT_EQ(columns[0].name, "b_x");
}

TEST(Plots, OfAVectorShowAllItsComponents) {
  std::vector<PageColumn> columns;
  // A load takes b_y alone, so that this one is control; the field is a signal all the same.
  const auto plots = plots_of_signals(
      "  b_x: \"bus.C11\"\n  b_y: \"bus.C21\"\n  t1: \"t\"\n  t2: \"t\"\n"
      "loads: [{body: bus, torque: [\"2*b_y\", 0, 0]}]\n",
      columns);
  EXPECT_THAT(titles(plots), ElementsAre("Wheel torques", "b_x, _y"));
}

TEST(Plots, OfSignalsAreNotEndless) {
  std::vector<PageColumn> columns;
  for (int i = 0; i < 5000; ++i)
    columns.push_back(column(std::string("s") + static_cast<char>('a' + i % 26) + "_" + std::to_string(i), "", 0, 1));
  EXPECT_EQ(report::default_plots(columns, nullptr).size(), 12U);
}

TEST(Titles, AreFewWordsForNamesThatBelongTogether) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(report::listed(Names{"rate_error_x", "rate_error_y", "rate_error_z"}), "rate_error_x, _y, _z");
  EXPECT_EQ(report::listed(Names{"jet1", "jet2"}), "jet1, jet2");
  EXPECT_EQ(report::listed(Names{"jet1", "jet2", "jet3", "jet4", "jet12"}), "jet1 .. jet12");
  EXPECT_EQ(report::listed(Names{"pan.angle", "tilt.angle"}), "pan, tilt");
  EXPECT_EQ(report::listed(Names{"pan.angle"}), "pan.angle");
  EXPECT_EQ(report::listed(Names{"a", "b", "c", "d", "e"}), "a, b and 3 more");
  EXPECT_EQ(report::listed(Names{"h1.angle1", "h1.angle2", "h2.angle1", "h2.angle2"}), "h1.angle1 .. h2.angle2");
  EXPECT_EQ(report::listed(Names{"loads/0.torque_x", "loads/0.torque_y"}), "0.torque_x, _y");
  EXPECT_EQ(report::listed(Names{"bus.rw1.rate", "bus.rw2.rate"}), "bus.rw1, bus.rw2");
  EXPECT_EQ(report::listed(Names{"12", "13"}), "12, 13");
  EXPECT_EQ(report::listed(Names{"_x", "_y"}), "_x, _y");
  EXPECT_EQ(report::listed(Names{}), "");
  EXPECT_EQ(report::stem_of("u_w"), "u_");
  EXPECT_EQ(report::stem_of("max"), "max");
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
  EXPECT_THAT(titles(plots), ElementsAre("Joint angles: a, b", "Joint angles: c, d", "Joint angles: e.angle",
                                         "Joint angles: f.angle"));
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
  EXPECT_EQ(plots.back().title, "Joint angles: j32 .. j39");
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
