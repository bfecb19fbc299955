// Sets of modes: convergence of component modes, selection, effective masses.
#include "gyrostat/flexible/component_modes.h"

#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "flexible/beams.h"

namespace gyrostat {
namespace {

/// Frequencies of a beam with a body welded to the tip, from the beam's modes.
Eigen::VectorXd with_tip_body(const FlexibleData& data, double mass, double inertia) {
  const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
  const Eigen::MatrixXd M = data.mass + mass * tip.translation.transpose() * tip.translation +
                            inertia * tip.rotation.transpose() * tip.rotation;
  return frequencies(data.stiffness, M);
}

/// The largest relative error of the first two frequencies.
double largest_error(const Eigen::VectorXd& found, const Eigen::VectorXd& exact) {
  return (found.head(2).array() / exact.head(2).array() - 1).abs().maxCoeff();
}

TEST(ComponentModes, ConvergeFarFasterThanCantileverModesWithABodyAtTheTip) {
  // Largest error of the first two frequencies with 3, 4, 6 and 10 modes, against all modes of the mesh. Bounds are
  // those of a prototype in another language, of which one digit is known.
  struct Case {
    double mass, inertia;
    std::array<double, 4> component, cantilever;
  };
  const std::array<Case, 2> cases{{{1, 0.02, {5e-4, 3e-5, 8e-7, 1e-8}, {1e-1, 8e-2, 5e-2, 3e-2}},
                                   {10, 0.2, {2e-5, 2e-6, 7e-8, 2e-9}, {3e-1, 2e-1, 1e-1, 7e-2}}}};
  const std::array<std::size_t, 4> counts{3, 4, 6, 10};
  const std::size_t elements = 40;
  for (const Case& known : cases) {
    BeamDescription whole = unit_beam(elements);
    whole.lumps.push_back({"body", 1, known.mass, known.inertia * Matrix3::Identity()});
    const Eigen::VectorXd exact = frequencies(make_beam(whole, "root", {}, first_modes(4)));
    const auto error = [&](const FlexibleData& data) {
      return largest_error(with_tip_body(data, known.mass, known.inertia), exact);
    };
    for (std::size_t i = 0; i < 4; ++i) {
      // Two of the static modes are in the plane of bending; the others have much higher frequencies.
      const double component = error(make_beam(unit_beam(elements), "root", {"tip"}, first_modes(counts[i] - 2)));
      const double cantilever = error(make_beam(unit_beam(elements), "root", {}, first_modes(counts[i])));
      EXPECT_NEAR(std::log2(component / known.component[i]), 0, 1) << component;
      EXPECT_NEAR(std::log2(cantilever / known.cantilever[i]), 0, 1) << cantilever;
    }
  }
}

TEST(ComponentModes, OfAllModesAreTheFreeOnes) {
  const BeamDescription beam = general_beam(3);
  ModeReport report;
  const FlexibleData cantilever = make_beam(beam, "root", {}, first_modes(18), &report);
  EXPECT_EQ(report.available, 18U);
  const FlexibleData component = make_beam(beam, "root", {"tip"}, first_modes(12), &report);
  EXPECT_EQ(report.static_modes, 6U);
  EXPECT_EQ(report.normal_modes, 12U);
  // Both span all deformations of the mesh; the highest frequencies are 100 times the lowest.
  EXPECT_TRUE(frequencies(component).isApprox(frequencies(cantilever), 1e-11));
  for (Eigen::Index k = 0; k < 18; ++k) EXPECT_NEAR(frequencies(component)(k) / frequencies(cantilever)(k), 1, 1e-10);
}

TEST(ComponentModes, WithoutMassAreLeftOutAndCounted) {
  BeamDescription beam = unit_beam(4);
  beam.GJ = 1;
  ModeReport report;
  const FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(2), &report);
  EXPECT_EQ(report.static_modes, 5U);
  EXPECT_EQ(report.massless, 3U);         // torsion of the nodes between
  EXPECT_EQ(report.massless_static, 1U);  // torsion of the tip
  EXPECT_EQ(data.modes(), 6U);
  beam.lumps.push_back({"disc", 0.5, 0, Vector3(0.1, 0, 0).asDiagonal()});
  // A disc in the middle moves in the static and in a normal mode; one combination moves no mass.
  const FlexibleData disc = make_beam(beam, "root", {"tip"}, first_modes(12), &report);
  EXPECT_EQ(report.massless, 2U);
  EXPECT_EQ(report.available, 13U);
  const FlexibleData all = make_beam(beam, "root", {"tip"}, first_modes(13), &report);
  EXPECT_EQ(report.massless_static, 1U);
  EXPECT_EQ(all.modes(), 17U);
}

TEST(ModeSelection, ByFrequencyTakesThoseBelow) {
  const FlexibleData all = make_beam(unit_beam(10), "root", {}, first_modes(6));
  const double f3 = std::sqrt(all.stiffness(2, 2)) / (2 * std::numbers::pi);
  const auto below = [&](double f) {
    return make_beam(unit_beam(10), "root", {}, {ModeKind::cantilever, ModesBelow{f}}).modes();
  };
  EXPECT_EQ(below(f3 * (1 + 1e-9)), 3U);
  EXPECT_EQ(below(f3 * (1 - 1e-9)), 2U);
}

TEST(ModeSelection, ByNumberTakesThoseInAscendingOrder) {
  const FlexibleData all = make_beam(unit_beam(10), "root", {}, first_modes(6));
  const FlexibleData some = make_beam(unit_beam(10), "root", {}, {ModeKind::component, ModeNumbers{{5, 2}}});
  ASSERT_EQ(some.modes(), 2U);
  EXPECT_NEAR(some.stiffness(0, 0) / all.stiffness(1, 1), 1, 1e-11);
  EXPECT_NEAR(some.stiffness(1, 1) / all.stiffness(4, 4), 1, 1e-11);
}

TEST(EffectiveMasses, OfACantileverAreTheKnownOnes) {
  BeamDescription beam = unit_beam(20);
  const FlexibleData data = make_beam(beam, "root", {}, first_modes(3));
  const EffectiveMasses masses = effective_masses(data, Vector3::Zero());
  // Parts of the mass (Blevins' table: the integrals of the mode shapes are 0.7830, 0.4339, 0.2544), four digits.
  const std::array<double, 3> exact{0.7830 * 0.7830, 0.4339 * 0.4339, 0.2544 * 0.2544};
  for (Eigen::Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(masses.modes(2, k), exact[static_cast<std::size_t>(k)], 1e-4);
    EXPECT_EQ(masses.modes(0, k), 0);
    EXPECT_EQ(masses.modes(1, k), 0);
    // The moment about the root of a cantilever's mode is 2 / (beta L)^2 of length and root of mass.
    EXPECT_NEAR(masses.modes(4, k), 4 / data.stiffness(k, k), 1e-5);
  }
  EXPECT_NEAR(masses.total(2), 1, 1e-12);
  EXPECT_NEAR(masses.total(4), 1.0 / 3, 1e-12);
}

TEST(EffectiveMasses, OfAllModesTendToTheTotals) {
  // What is missing is near the root: the first element moves its neighbour less than a rigid motion would.
  const auto missing = [](std::size_t elements) {
    const BeamDescription beam = general_beam(elements);
    const FlexibleData data = make_beam(beam, "root", {}, first_modes(6 * elements));
    const EffectiveMasses masses = effective_masses(data, beam.from);
    return Vector6(1 - masses.modes.rowwise().sum().array() / masses.total.array());
  };
  const Vector6 coarse = missing(4), fine = missing(8);
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_GT(fine(i), 0);
    EXPECT_LT(fine(i), 0.1);
    EXPECT_LT(fine(i), 0.6 * coarse(i));
  }
}

TEST(ModeSelection, ByEffectiveMassTakesAsManyAsAreNeeded) {
  BeamDescription beam = general_beam(6);
  beam.EA.reset();
  beam.stations = {{"middle", 1.2}};
  const std::vector<std::vector<std::string>> boundaries{{}, {"tip"}, {"middle", "tip"}};
  for (const std::string inboard : {"root", "middle"}) {
    for (const auto& boundary : boundaries) {
      if (boundary.size() == 2 && inboard == "middle") continue;
      const Vector3 point = beam.from + (inboard == "root" ? 0 : 1.2) * (beam.to - beam.from).normalized();
      ModeReport report;
      make_beam(beam, inboard, boundary, first_modes(1), &report);
      // In section axes: with 'up' along them, body axes are section axes.
      BeamDescription straight = beam;
      straight.from = Vector3::Zero();
      straight.to = 2.5 * Vector3::UnitX();
      straight.up.reset();
      const Vector3 origin(inboard == "root" ? 0 : 1.2, 0, 0);
      const auto sums = [&](std::size_t modes) {
        const FlexibleData data = make_beam(straight, inboard, boundary, first_modes(modes));
        return Vector6(effective_masses(data, origin).modes.rowwise().sum());
      };
      const Vector6 all = sums(report.available);
      EXPECT_EQ(all(0), 0);  // inextensible: not looked at
      for (const double fraction : {0.5, 0.8, 0.95, 0.999}) {
        std::size_t needed = boundary.empty() ? 1 : 0;
        const auto enough = [&](std::size_t modes) {
          return ((sums(modes) - fraction * all).tail<5>().array() > -1e-11 * all.tail<5>().array()).all();
        };
        while (!enough(needed)) ++needed;
        make_beam(beam, inboard, boundary, {ModeKind::component, EffectiveMassFraction{fraction}}, &report);
        EXPECT_EQ(report.normal_modes, needed) << inboard << " " << boundary.size() << " " << fraction << point;
      }
    }
  }
}

TEST(ModeSelection, ByAllOfTheEffectiveMassTakesAllThatHaveAny) {
  ModeReport report;
  make_beam(unit_beam(5), "root", {}, {ModeKind::cantilever, EffectiveMassFraction{1}}, &report);
  EXPECT_EQ(report.normal_modes, report.available);
}

}  // namespace
}  // namespace gyrostat
