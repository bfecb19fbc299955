// Flexible bodies against what they tend to and against other descriptions of the same body, from the eigenvalues of
// the linearised right-hand side and from runs.
#include <numbers>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace flexible_limits_test {

/// Angular frequencies of a model about its initial state, ascending; rigid-body motion left out.
std::vector<double> frequencies_of(const std::string& text) {
  const Loaded loaded = load(text);
  if (!loaded.model) throw std::runtime_error(loaded.problems.all().at(0).message);
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  const auto n = static_cast<Eigen::Index>(plant.size());
  Eigen::MatrixXd jacobian(n, n);
  run.jacobian(0, y.data(), jacobian.data());
  std::vector<double> list;
  const Eigen::VectorXcd eigenvalues = jacobian.eigenvalues();
  for (const std::complex<double>& value : eigenvalues) {
    if (value.imag() > 1e-2) list.push_back(value.imag());
  }
  std::ranges::sort(list);
  return list;
}

void expect_equal(const std::vector<double>& a, const std::vector<double>& b, std::size_t count, double tolerance) {
  ASSERT_GE(a.size(), count);
  ASSERT_GE(b.size(), count);
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(a[k] / b[k], 1, tolerance) << "frequency " << k + 1;
}

std::string rotating(double gamma, const char* EI) {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1]}}
  blade: {{flexible: {{beam: {{to: [1, 0, 0], elements: 24, mass_per_length: 1, EI: {}}}, modes: {{count: 30}}}}}}
joints:
  shaft: {{type: revolute, parent: world, child: hub, axis: [0, 0, 1], prescribed: {{position: "{} * t"}}}}
  root: {{type: weld, parent: hub, child: blade.root}}
simulation: {{duration: 1}})yaml",
                     EI, gamma);
}

/// Published for a hub without radius. The mesh leaves 1e-6.
TEST(FlexibleLimit, RotatingBeamHasThePublishedFrequencies) {
  struct Speed {
    double gamma, first, second;
  };
  for (const auto& [gamma, first, second] : {Speed{0, 3.51601527, 22.03449156}, Speed{2, 4.13731957, 22.61492196},
                                             Speed{6, 7.36037302, 26.80908168}, Speed{12, 13.17015049, 37.60311233}}) {
    const std::vector<double> w = frequencies_of(rotating(gamma, "[1, 1e6]"));
    ASSERT_GE(w.size(), 2U);
    EXPECT_NEAR(w[0] / first, 1, 2e-6) << gamma;
    EXPECT_NEAR(w[1] / second, 1, 2e-6) << gamma;
  }
  EXPECT_NEAR(frequencies_of(rotating(6, "[1e6, 1]"))[0] / 4.26322542, 1, 2e-6) << "in the plane";
}

/// A hub with a beam on a hinge with a spring, in given axes: a craft that all of its motion couples.
std::string craft(const std::string& beam, const std::string& more = "", const std::string& along = "[1, 0, 0]",
                  const std::string& axis = "[0, 1, 0]", const std::string& inertia = "[8, 10, 12]",
                  const std::string& omega = "[0.02, 0.3, 0.2]") {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 20, inertia: {}}}
  panel: {{flexible: {}}}
joints:
  base: {{type: free, parent: world, child: hub, initial: {{omega: {}}}}}
  hinge: {{type: revolute, parent: hub, child: panel, child_node: root, parent_point: {}, axis: {}, stiffness: 300, initial: {{rate: 0.1}}}}
{})yaml",
                     inertia, beam, omega, along, axis, more);
}

std::string beam_of(int elements, const std::string& modes, const std::string& more = "") {
  return fmt::format(
      "{{beam: {{to: [4, 0, 0], elements: {}, mass_per_length: 2, EI: [300, 500], GJ: 200, EA: 1e5, rotary_inertia: "
      "0.05{}}}, modes: {}}}",
      elements, more, modes);
}

const std::string at_rest = "[0, 0, 0]";

TEST(FlexibleLimit, FreeAndClampedModesOfOneBodyAgree) {
  const auto of = [](const char* kind) {
    std::string text = craft(beam_of(4, fmt::format("{{below: 1e9 Hz, kind: {}}}", kind)));
    return frequencies_of(
        text.replace(text.find("[0.02, 0.3, 0.2]"), 16, at_rest).replace(text.find("rate: 0.1"), 9, "rate: 0"));
  };
  const std::vector<double> clamped = of("cantilever"), free = of("free_free"), component = of("component");
  ASSERT_EQ(clamped.size(), 25U);  // 24 of the elements, and the hinge
  expect_equal(free, clamped, clamped.size(), 1e-8);
  expect_equal(component, clamped, clamped.size(), 1e-8);
}

/// Both are descriptions of one body; as far as second order goes their motions are the same. What differs is of third
/// order in the deflection, here 1 per cent of the length.
TEST(FlexibleLimit, FreeAndClampedModesOfOneBodyMoveAlike) {
  const std::string settings = R"yaml(simulation: {duration: 4, integrator: {method: cvode_adams, tolerance: 1e-9}}
output: {interval: 1, record: [hinge.angle, hub.omega_y, panel.tip.position_z]})yaml";
  const std::string modes = "{below: 1e9 Hz, kind: ";
  const Flight clamped(craft(beam_of(2, modes + "cantilever}"), settings), {}, Flight::Expect::finish),
      free(craft(beam_of(2, modes + "free_free}"), settings), {}, Flight::Expect::finish);
  for (const char* name : {"hinge.angle", "hub.omega_y", "panel.tip.position_z"}) {
    const double a = clamped.rows.back()[clamped.column(name)], b = free.rows.back()[free.column(name)];
    EXPECT_NEAR(a, b, 2e-4) << name;
    EXPECT_GT(std::abs(a), 1e-3) << name;
  }
}

TEST(FlexibleLimit, OneLongBeamIsTwoHalvesWelded) {
  const auto halves = [](int elements) {
    const auto half = [&] {
      return fmt::format(
          "{{flexible: {{beam: {{to: [2, 0, 0], elements: {}, mass_per_length: 2, EI: [300, 500], GJ: 200, EA: 1e5, "
          "rotary_inertia: 0.05}}, modes: {{below: 1e9 Hz}}}}}}",
          elements / 2);
    };
    return fmt::format(R"yaml(gyrostat: 1
bodies:
  first: {}
  second: {}
joints:
  root: {{type: weld, parent: world, child: first.root}}
  middle: {{type: weld, parent: first.tip, child: second.root}}
simulation: {{duration: 1}})yaml",
                       half(), half());
  };
  const std::string whole = fmt::format(R"yaml(gyrostat: 1
bodies: {{panel: {{flexible: {}}}}}
joints: {{root: {{type: weld, parent: world, child: panel.root}}}}
simulation: {{duration: 1}})yaml",
                                        beam_of(4, "{below: 1e9 Hz}"));
  const std::vector<double> one = frequencies_of(whole), two = frequencies_of(halves(4));
  ASSERT_EQ(one.size(), 24U);
  expect_equal(two, one, one.size(), 1e-8);
}

/// Segments on hinges with springs EI / h; the first spring stands for half a segment.
std::string chain(int segments, double length, double mass_per_length, double EI) {
  const double h = length / segments, m = mass_per_length * h;
  std::string bodies, joints;
  for (int k = 0; k < segments; ++k) {
    bodies += fmt::format("  s{}: {{mass: {}, com: [{}, 0, 0], inertia: [0, {}, {}]}}\n", k, m, h / 2, m * h * h / 12,
                          m * h * h / 12);
    joints += fmt::format(
        "  j{}: {{type: revolute, parent: {}, child: s{}, parent_point: [{}, 0, 0], axis: [0, 0, 1], stiffness: {}}}\n",
        k, k == 0 ? "world" : fmt::format("s{}", k - 1), k, k == 0 ? 0 : h, (k == 0 ? 2 : 1) * EI / h);
  }
  return "gyrostat: 1\nbodies:\n" + bodies + "joints:\n" + joints + "simulation: {duration: 1}\n";
}

TEST(FlexibleLimit, ChainOfRigidSegmentsTendsToTheBeamWithTheSquareOfTheirLength) {
  const double exact = 3.516015269;
  std::array<double, 3> errors{};
  for (const std::size_t k : {0U, 1U, 2U}) errors[k] = frequencies_of(chain(5 << k, 1, 1, 1))[0] / exact - 1;
  EXPECT_LT(std::abs(errors[2]), 2e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 4, 0.1);
}

TEST(FlexibleLimit, StiffBodyTendsToTheRigidOneInProportionToItsCompliance) {
  const std::string settings = R"yaml(simulation: {duration: 2, integrator: {method: cvode_bdf, tolerance: 1e-11}}
output: {interval: 1, record: [hinge.angle, hub.omega_y, hub.omega_z]})yaml";
  std::string text = craft("{}", settings);
  // A rod of 8 kg, 4 m: about its middle m L^2 / 12, and 0.05 kg m for each section.
  const std::string rod = "{mass: 8, com: [2, 0, 0], inertia: [0.4, 10.866666666666667, 10.866666666666667]}";
  text.replace(text.find("{flexible: {}}"), 14, rod).replace(text.find(", child_node: root"), 18, "");
  const Flight rigid(text, {}, Flight::Expect::finish);
  const auto difference = [&](double stiffer) {
    const std::string beam = fmt::format(
        "{{beam: {{to: [4, 0, 0], elements: 4, mass_per_length: 2, EI: [{}, {}], GJ: {}, rotary_inertia: 0.05}}, "
        "modes: "
        "{{count: 4}}, damping: 0.2}}",
        300 * stiffer, 500 * stiffer, 200 * stiffer);
    const Flight flight(craft(beam, settings), {}, Flight::Expect::finish);
    double most = 0;
    for (const char* name : {"hinge.angle", "hub.omega_y", "hub.omega_z"}) {
      most = std::max(most, std::abs(flight.rows.back()[flight.column(name)] - rigid.rows.back()[rigid.column(name)]));
    }
    return most;
  };
  const double soft = difference(1e3), stiff = difference(1e4);
  EXPECT_LT(soft, 1e-3);
  EXPECT_NEAR(soft / stiff, 10, 1.5) << soft << " and " << stiff;
}

TEST(FlexibleLimit, CraftInOtherAxesMovesTheSame) {
  const std::string settings = R"yaml(simulation: {duration: 2, integrator: {method: cvode_adams, tolerance: 1e-11}}
output: {interval: 1, record: [hinge.angle, panel.mode1, panel.mode2]})yaml";
  const std::string modes = "modes: {count: 4}}";
  // x, y, z of the one are y, z, x of the other.
  const Flight one(
      craft("{beam: {to: [4, 0, 0], up: [0, 0, 1], elements: 4, mass_per_length: 2, EI: [300, 500], GJ: 200, "
            "rotary_inertia: 0.05}, " +
                modes,
            settings),
      {}, Flight::Expect::finish),
      other(craft("{beam: {to: [0, 4, 0], up: [1, 0, 0], elements: 4, mass_per_length: 2, EI: [300, 500], GJ: 200, "
                  "rotary_inertia: 0.05}, " +
                      modes,
                  settings, "[0, 1, 0]", "[0, 0, 1]", "[12, 8, 10]", "[0.2, 0.02, 0.3]"),
            {}, Flight::Expect::finish);
  for (const char* name : {"hinge.angle", "panel.mode1", "panel.mode2"}) {
    const double a = one.rows.back()[one.column(name)], b = other.rows.back()[other.column(name)];
    EXPECT_NEAR(std::abs(a), std::abs(b), 1e-9) << name;
    EXPECT_GT(std::abs(a), 1e-5) << name;
  }
}

/// The panel carries the hub in the model file: the tree runs the other way.
TEST(FlexibleLimit, BodyThatTheTreeReachesAtItsTipIsTheSameBody) {
  const std::string both = R"yaml(
bodies:
  hub: {mass: 20, inertia: [8, 10, 12]}
  load: {mass: 3, inertia: [0.1, 0.2, 0.3]}
  panel: {flexible: {beam: {to: [4, 0, 0], elements: 4, mass_per_length: 2, EI: [300, 500], GJ: 200, rotary_inertia: 0.05}, modes: {below: 1e9 Hz}}}
joints:
  base: {type: free, parent: world, child: hub}
simulation: {duration: 1})yaml";
  const auto with = [&](const std::string& joints) {
    std::string text = "gyrostat: 1" + both;
    return text.replace(text.find("simulation"), 0, joints);
  };
  const std::vector<double> outward = frequencies_of(with("  tip: {type: weld, parent: hub, child: panel.tip}\n"
                                                          "  root: {type: weld, parent: panel.root, child: load}\n")),
                            inward = frequencies_of(with("  root: {type: weld, parent: load, child: panel.root}\n"
                                                         "  tip: {type: weld, parent: panel.tip, child: hub}\n"));
  ASSERT_GT(outward.size(), 10U);
  expect_equal(inward, outward, outward.size(), 1e-7);
}

TEST(FlexibleRange, IsLeftWithAWarningOrAFailureThatNamesTheBody) {
  const auto spun = [](const char* terms, double rate, double initial, const char* hub) {
    return fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {}
  panel: {{flexible: {{beam: {{to: [4, 0, 0], elements: 4, mass_per_length: 2, EI: [300, 500]}}, modes: {{count: 2}}, terms: {}, initial: [{}, 0]}}}}
joints:
  base: {{type: free, parent: world, child: hub, initial: {{omega: [0, 0, {}]}}}}
  root: {{type: weld, parent: hub, child: panel.root}}
simulation: {{duration: 0.2, integrator: {{method: cvode_adams, tolerance: 1e-8}}}}
output: {{interval: 0.1}})yaml",
                       hub, terms, initial, rate);
  };
  const char* heavy = "{mass: 200, inertia: [80, 100, 120]}";
  EXPECT_LT(Flight(spun("linear", 0.3, 0, heavy), {}, Flight::Expect::finish).simulation.ledger().spin.value, 0.3);
  const Flight fast(spun("linear", 1.5, 0, heavy), {}, Flight::Expect::finish);
  EXPECT_NEAR(fast.simulation.ledger().spin.value, 1.5 / 2.691, 0.02) << "the first frequency is 2.69 rad/s";
  EXPECT_EQ(Flight(spun("stiffened", 1.5, 0, heavy), {}, Flight::Expect::finish).simulation.ledger().spin.value, 0);
  const Flight bent(spun("stiffened", 0.1, 1, heavy), {}, Flight::Expect::finish);
  EXPECT_GT(bent.simulation.ledger().deflection.value, 0.1);
  const Flight indefinite(spun("stiffened", 0.1, 1, "{mass: 0.01, inertia: [1e-4, 1e-4, 1e-4]}"));
  EXPECT_EQ(indefinite.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_NE(indefinite.outcome.failure.find("flexible body 'panel' is deflected by"), std::string::npos)
      << indefinite.outcome.failure;
}

}  // namespace flexible_limits_test
}  // namespace gyrostat::testing
