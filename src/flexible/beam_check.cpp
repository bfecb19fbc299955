#include "gyrostat/flexible/beam_check.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "gyrostat/flexible/beam.h"

namespace gyrostat {

namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("beam: " + message);
}

void require_positive(double value, const char* name) {
  require(std::isfinite(value) && value > 0, fmt::format("{} is {}; it must be positive", name, value));
}

void require_not_negative(double value, const char* name) {
  require(std::isfinite(value) && value >= 0, fmt::format("{} is {}; it must be zero or positive", name, value));
}

void check_line(const BeamDescription& beam) {
  require(beam.from.allFinite() && beam.to.allFinite(), "an end has a coordinate that is not a number");
  const Vector3 along = beam.to - beam.from;
  require(along.norm() > 0, "both ends are at the same place");
  if (!beam.up) return;
  require(beam.up->allFinite() && beam.up->norm() > 0, "'up' is not a direction");
  require(along.normalized().cross(beam.up->normalized()).norm() > 1e-6,
          "'up' lies along the beam; it must have a part perpendicular to it");
}

void check_section(const BeamDescription& beam) {
  require_not_negative(beam.mass_per_length, "mass_per_length");
  require_positive(beam.EI[0], "EI about y");
  require_positive(beam.EI[1], "EI about z");
  if (beam.GJ) require_positive(*beam.GJ, "GJ");
  if (beam.EA) require_positive(*beam.EA, "EA");
  if (beam.shear) {
    require_positive((*beam.shear)[0], "the shear stiffness along y");
    require_positive((*beam.shear)[1], "the shear stiffness along z");
  }
  require_not_negative(beam.rotary_inertia[0], "the rotary inertia about y");
  require_not_negative(beam.rotary_inertia[1], "the rotary inertia about z");
}

void check_distance(double distance, double length, const std::string& what) {
  require(distance >= -1e-10 * length && distance <= (1 + 1e-10) * length,
          fmt::format("the distance of {} is {} m; it must be between 0 and the length, {} m", what, distance, length));
}

void check_lump(const BeamLump& lump, double length) {
  const std::string what = lump.name.empty() ? "a lumped mass" : fmt::format("lumped mass '{}'", lump.name);
  check_distance(lump.distance, length, what);
  require(std::isfinite(lump.mass) && lump.mass >= 0,
          fmt::format("the mass of {} is {} kg; it must be zero or positive", what, lump.mass));
  const Matrix3& I = lump.inertia;
  const bool symmetric = I.allFinite() && (I - I.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * I.cwiseAbs().maxCoeff();
  require(symmetric, fmt::format("the inertia of {} is not a symmetric matrix", what));
  const double least = Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues().x();
  require(least >= -1e-12 * I.cwiseAbs().maxCoeff(),
          fmt::format("the inertia of {} has a negative principal moment, {} kg m^2", what, least));
}

void check_names(const BeamDescription& beam) {
  std::set<std::string> names;
  const auto add = [&](const std::string& name) {
    require(name != "root" && name != "tip", fmt::format("'{}' is the name of an end; choose another name", name));
    require(names.insert(name).second, fmt::format("two nodes have the name '{}'", name));
  };
  for (const auto& station : beam.stations) {
    require(!station.name.empty(), "a station has no name");
    add(station.name);
  }
  for (const auto& lump : beam.lumps) {
    if (!lump.name.empty()) add(lump.name);
  }
}

}  // namespace

void check_beam(const BeamDescription& beam) {
  check_line(beam);
  check_section(beam);
  require(beam.elements >= 1 && beam.elements < BeamDescription::most_nodes,
          fmt::format("{} elements; there must be 1 to {}", beam.elements, BeamDescription::most_nodes - 1));
  const double length = (beam.to - beam.from).norm();
  for (const auto& lump : beam.lumps) check_lump(lump, length);
  for (const auto& station : beam.stations)
    check_distance(station.distance, length, fmt::format("station '{}'", station.name));
  check_names(beam);
}

}  // namespace gyrostat
