// What is said of descriptions and options that make no sense.
#include <limits>

#include <gtest/gtest.h>

#include "flexible/beams.h"

namespace gyrostat {
namespace {

const double nan_value = std::numeric_limits<double>::quiet_NaN();

struct WrongBeam {
  std::string message;
  std::function<void(BeamDescription&)> change;
};

std::string why_not(const BeamDescription& beam, const std::string& inboard, const std::vector<std::string>& boundary,
                    const ModeOptions& options) {
  try {
    make_beam(beam, inboard, boundary, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(BeamErrors, OfDescriptionsSayWhatIsWrongAndWhatWouldBeRight) {
  const auto lump = [](double distance, double mass, const Matrix3& I) {
    return [=](BeamDescription& beam) { beam.lumps.push_back({"ball", distance, mass, I}); };
  };
  const Matrix3 none = Matrix3::Zero();
  Matrix3 skewed = Matrix3::Identity();
  skewed(0, 1) = 0.1;
  const std::vector<WrongBeam> cases{
      {"beam: an end has a coordinate that is not a number", [](auto& b) { b.to.x() = nan_value; }},
      {"beam: both ends are at the same place", [](auto& b) { b.to = b.from; }},
      {"beam: 'up' is not a direction", [](auto& b) { b.up = Vector3::Zero(); }},
      {"beam: 'up' lies along the beam; it must have a part perpendicular to it",
       [](auto& b) { b.up = Vector3(-2, 0, 0); }},
      {"beam: mass_per_length is -1; it must be zero or positive", [](auto& b) { b.mass_per_length = -1; }},
      {"beam: EI about y is 0; it must be positive", [](auto& b) { b.EI[0] = 0; }},
      {"beam: EI about z is inf; it must be positive",
       [](auto& b) { b.EI[1] = std::numeric_limits<double>::infinity(); }},
      {"beam: GJ is 0; it must be positive", [](auto& b) { b.GJ = 0; }},
      {"beam: EA is nan; it must be positive", [](auto& b) { b.EA = nan_value; }},
      {"beam: the shear stiffness along y is 0; it must be positive",
       [](auto& b) {
         b.shear = {{0, 1}};
       }},
      {"beam: the shear stiffness along z is -1; it must be positive",
       [](auto& b) {
         b.shear = {{1, -1}};
       }},
      {"beam: the rotary inertia about y is -1; it must be zero or positive",
       [](auto& b) { b.rotary_inertia[0] = -1; }},
      {"beam: the rotary inertia about z is -1; it must be zero or positive",
       [](auto& b) { b.rotary_inertia[1] = -1; }},
      {"beam: 0 elements; there must be 1 to 500", [](auto& b) { b.elements = 0; }},
      {"beam: 501 elements; there must be 1 to 500", [](auto& b) { b.elements = 501; }},
      {"beam: the mesh has 502 nodes, at most 501 are allowed",
       [](auto& b) {
         b.elements = 500;
         b.stations = {{"odd", 0.00123}};
       }},
      {"beam: the distance of lumped mass 'ball' is 1.5 m; it must be between 0 and the length, 1 m",
       lump(1.5, 1, none)},
      {"beam: the distance of a lumped mass is nan m; it must be between 0 and the length, 1 m",
       [](auto& b) {
         b.lumps.push_back({"", nan_value, 1, Matrix3::Zero()});
       }},
      {"beam: the mass of lumped mass 'ball' is -2 kg; it must be zero or positive", lump(1, -2, none)},
      {"beam: the inertia of lumped mass 'ball' is not a symmetric matrix", lump(1, 2, skewed)},
      {"beam: the inertia of lumped mass 'ball' has a negative principal moment, -1 kg m^2",
       lump(1, 2, -Matrix3::Identity())},
      {"beam: the distance of station 'far' is -0.1 m; it must be between 0 and the length, 1 m",
       [](auto& b) {
         b.stations = {{"far", -0.1}};
       }},
      {"beam: a station has no name",
       [](auto& b) {
         b.stations = {{"", 0.5}};
       }},
      {"beam: 'tip' is the name of an end; choose another name",
       [](auto& b) {
         b.stations = {{"tip", 1}};
       }},
      {"beam: two nodes have the name 'ball'",
       [&](auto& b) {
         b.stations = {{"ball", 0.5}};
         b.lumps.push_back({"ball", 0.5, 1, Matrix3::Zero()});
       }},
  };
  for (const auto& [message, change] : cases) {
    BeamDescription beam = unit_beam(2);
    change(beam);
    EXPECT_EQ(why_not(beam, "root", {}, first_modes(1)), message);
  }
}

TEST(BeamErrors, OfNodesNameThoseThatThereAre) {
  BeamDescription beam = unit_beam(2);
  beam.stations = {{"middle", 0.5}, {"start", 0}};
  EXPECT_EQ(why_not(beam, "centre", {}, first_modes(1)),
            "beam: there is no node 'centre'; its nodes are root, tip, middle, start");
  EXPECT_EQ(why_not(beam, "root", {"end"}, first_modes(1)),
            "beam: there is no node 'end'; its nodes are root, tip, middle, start");
  EXPECT_EQ(why_not(beam, "root", {"tip", "start"}, first_modes(1)),
            "beam: boundary node 'start' is the inboard node, which is clamped");
  EXPECT_EQ(why_not(beam, "", {}, first_modes(1, ModeKind::free_free)), "no error");
}

TEST(BeamErrors, OfSelectionsSayWhatThereIs) {
  const BeamDescription beam = unit_beam(2);  // two free nodes with two displacements and two rotations
  const auto why = [&](const ModeSelection& selection, ModeKind kind = ModeKind::component) {
    return why_not(beam, "root", {}, {kind, selection});
  };
  EXPECT_EQ(why(ModeCount{8}), "no error");
  EXPECT_EQ(why(ModeCount{9}), "9 modes are wanted, the mesh has 8");
  EXPECT_EQ(why(ModeCount{0}), "no mode is selected, and there are no static modes");
  EXPECT_EQ(why(ModesBelow{0.1}), "no mode is selected, and there are no static modes");
  EXPECT_EQ(why(ModesBelow{-1}), "modes below -1 Hz are wanted; it must be positive");
  EXPECT_EQ(why(ModesBelow{nan_value}), "modes below nan Hz are wanted; it must be positive");
  EXPECT_EQ(why(ModeNumbers{{1, 9}}), "mode 9 is wanted, the mesh has 1 to 8");
  EXPECT_EQ(why(ModeNumbers{{0}}), "mode 0 is wanted, the mesh has 1 to 8");
  EXPECT_EQ(why(ModeNumbers{{2, 1, 2}}), "mode 2 is wanted twice");
  EXPECT_EQ(why(ModeNumbers{}), "no mode is selected, and there are no static modes");
  EXPECT_EQ(why(EffectiveMassFraction{0}),
            "the fraction 0 of the effective mass is wanted; it must be above 0 and at most 1");
  EXPECT_EQ(why(EffectiveMassFraction{1.01}),
            "the fraction 1.01 of the effective mass is wanted; it must be above 0 and at most 1");
  EXPECT_EQ(why(EffectiveMassFraction{0.9}, ModeKind::free_free),
            "modes of a free structure have no effective mass; select them by count, frequency or number");
  BeamDescription light = beam;
  light.mass_per_length = 0;
  EXPECT_EQ(why_not(light, "root", {}, first_modes(1)), "1 modes are wanted, the mesh has 0");
  EXPECT_EQ(why_not(light, "root", {"tip"}, first_modes(0)), "no mode is left: none of those selected moves any mass");
}

}  // namespace
}  // namespace gyrostat
