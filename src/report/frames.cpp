#include "gyrostat/report/frames.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat::report {

namespace {

constexpr double most_from_centre = 1e30;  // of a position from the mass centre: it is a float in the page

/// Coordinates of joints by frame: one column of the matrix each.
std::optional<Eigen::MatrixXd> coordinates(const System& system, RecordedColumns& columns,
                                           const std::vector<std::size_t>& records,
                                           std::vector<std::string>& warnings) {
  const std::vector<StateEntry> entries = coordinate_entries(system);
  const std::size_t count = entries.size() - system.wheels.size();
  std::vector<std::string> missing;
  Eigen::MatrixXd q(count, records.size());
  for (std::size_t k = 0; k < count; ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    if (const auto column = columns.find_motion(entries[k].name)) {
      const std::vector<double>& values = columns.values(*column);
      for (std::size_t i = 0; i < records.size(); ++i) q(row, static_cast<Eigen::Index>(i)) = values[records[i]];
    } else if (entries[k].motion == Motion::locked) {
      q.row(row).setConstant(system.initial.q[row]);
    } else {
      missing.push_back(entries[k].name);
    }
  }
  if (missing.empty()) return q;
  constexpr std::size_t listed = 5;
  const std::size_t more = missing.size() - std::min(missing.size(), listed);
  missing.resize(std::min(missing.size(), listed));
  warnings.push_back(
      fmt::format("the motion cannot be shown: the file has no {}{}; record them too, or leave out output.record",
                  fmt::join(missing, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
  return std::nullopt;
}

/// Attitudes of unit length; false: they have none, or something is no number.
bool tidy(const System& system, Eigen::Ref<Eigen::VectorXd> q) {
  if (!q.allFinite()) return false;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) continue;
    auto e = q.segment<4>(joint.q + (joint.type == JointType::free ? 3 : 0));
    const double length = e.norm();
    if (!(length > 1e-3 && length < 1e3)) return false;
    e /= length;
  }
  return true;
}

/// Of two quaternions for a rotation, that nearer to the one of the frame before.
std::array<double, 4> continued(const Quaternion& q, const std::vector<float>& before) {
  double product = 1;
  if (before.size() >= 7) {
    const float* b = before.data() + before.size() - 4;
    product = q.w * b[0] + q.x * b[1] + q.y * b[2] + q.z * b[3];
  }
  const double sign = product < 0 ? -1 : 1;
  return {sign * q.w, sign * q.x, sign * q.y, sign * q.z};
}

bool can_be_shown(const std::vector<Pose>& poses, const Vector3& centre) {
  return std::ranges::all_of(poses.begin() + 1, poses.end(), [&](const Pose& X) {
    return X.R.allFinite() && (X.p - centre).cwiseAbs().maxCoeff() < most_from_centre;
  });
}

/// What deformation adds to mass times com, by flexible body: docs/theory/flexible.md. With `ruthless` it is nothing.
class DeformedMass {
 public:
  explicit DeformedMass(const System& system) : system_(system) {
    for (const FlexibleBody& body : system.flexible) {
      integrals_.push_back(modal_integrals(body.data, Vector3::Zero(), body.terms));
    }
  }

  [[nodiscard]] std::vector<Vector3> moments(const Eigen::VectorXd& q) const {
    std::vector<Vector3> list;
    for (std::size_t k = 0; k < integrals_.size(); ++k) {
      const FlexibleBody& body = system_.flexible[k];
      const ModalIntegrals& sums = integrals_[k];
      const double* eta = q.data() + body.q;
      Vector3 moment = Vector3::Zero();
      const std::size_t modes = body.terms == FlexibleTerms::ruthless ? 0 : body.data.modes();
      for (std::size_t a = 0; a < modes; ++a) {
        moment += eta[a] * sums.Ct0.col(static_cast<Eigen::Index>(a));
        for (std::size_t b = 0; sums.Gm.cols() > 0 && b < modes; ++b) {
          moment += 0.5 * eta[a] * eta[b] * sums.Gm.col(static_cast<Eigen::Index>(pair_index(a, b)));
        }
      }
      list.push_back(moment);
    }
    return list;
  }

 private:
  const System& system_;
  std::vector<ModalIntegrals> integrals_;
};

bool modes_can_be_shown(const System& system, const Eigen::VectorXd& q) {
  return std::ranges::all_of(system.flexible, [&](const FlexibleBody& body) {
    const auto eta = q.segment(body.q, static_cast<Eigen::Index>(body.data.modes()));
    return eta.size() == 0 || eta.cwiseAbs().maxCoeff() < most_from_centre;
  });
}

/// Angles of wheels by frame; nothing for one that is not recorded.
std::vector<std::optional<std::size_t>> wheel_columns(const System& system, const RecordedColumns& columns) {
  std::vector<std::optional<std::size_t>> list;
  for (const Wheel& wheel : system.wheels)
    list.push_back(columns.find_motion(system.bodies[wheel.body].name + "." + wheel.name + ".angle"));
  return list;
}

/// The mean angular momenta of bodies between two instants, about the mass centre: the sum of their magnitudes.
double sum_of_momenta(const System& system, const std::vector<Pose>& before, const Vector3& centre_before,
                      const std::vector<Pose>& now, const Vector3& centre, double interval) {
  double sum = 0;
  for (std::size_t i = 1; i < now.size(); ++i) {
    const MassProperties& m = system.bodies[i].mass_properties;
    const Vector3 from = before[i] * m.com - centre_before, to = now[i] * m.com - centre;
    const Eigen::AngleAxisd turn(Matrix3(before[i].R.transpose() * now[i].R));
    sum += (m.inertia * turn.axis() * (turn.angle() / interval)).norm() + m.mass * from.cross(to).norm() / interval;
  }
  return sum;
}

bool has_too_many_bodies(const System& system, std::vector<std::string>& warnings) {
  if (system.body_count() <= most_bodies) return false;
  warnings.push_back(fmt::format("the motion cannot be shown: there are {} bodies; at most {} can be shown",
                                 system.body_count(), most_bodies));
  return true;
}

Frames no_frames(const System& system) {
  Frames frames;
  frames.poses.resize(system.body_count());
  frames.modal.resize(system.flexible.size());
  return frames;
}

/// Where everything is at coordinates q, which have attitudes of unit length; nothing if it cannot be shown.
struct Instant {
  std::vector<Pose> poses;
  Vector3 centre;
};
std::optional<Instant> instant_at(const System& system, const DeformedMass& deformed, const Eigen::VectorXd& q) {
  Instant now{body_poses(system, q), {}};
  now.centre = mass_centre(system, now.poses, deformed.moments(q));
  const bool shown = now.centre.allFinite() && modes_can_be_shown(system, q) && can_be_shown(now.poses, now.centre);
  return shown ? std::optional(std::move(now)) : std::nullopt;
}

void append_frame(const System& system, double t, const Instant& now, const Eigen::VectorXd& q, Frames& frames) {
  frames.time.push_back(t);
  frames.centre.push_back(now.centre);
  for (std::size_t i = 1; i < now.poses.size(); ++i) {
    std::vector<float>& list = frames.poses[i - 1];
    const auto turn = continued(to_quaternion(now.poses[i].R), list);
    for (const double x : Vector3(now.poses[i].p - now.centre)) list.push_back(static_cast<float>(x));
    for (const double x : turn) list.push_back(static_cast<float>(x));
  }
  for (std::size_t f = 0; f < system.flexible.size(); ++f) {
    const FlexibleBody& body = system.flexible[f];
    for (std::size_t a = 0; a < body.data.modes(); ++a) {
      frames.modal[f].push_back(static_cast<float>(q[static_cast<Eigen::Index>(body.q + a)]));
    }
  }
  if (frames.first.empty()) frames.first = now.poses;
}

}  // namespace

std::vector<std::size_t> frame_records(std::size_t records, std::size_t bodies) {
  if (records == 0) return {};
  const std::size_t most = std::clamp<std::size_t>(most_poses / std::max<std::size_t>(bodies, 1), 2, most_frames);
  const std::size_t step = std::max<std::size_t>(1, (records - 1 + most - 2) / (most - 1));
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < records - 1; i += step) list.push_back(i);
  list.push_back(records - 1);
  return list;
}

Vector3 mass_centre(const System& system, const std::vector<Pose>& poses, const std::vector<Vector3>& moments) {
  Vector3 moment = Vector3::Zero();
  double mass = 0;
  for (std::size_t i = 1; i < poses.size(); ++i) {
    const MassProperties& m = system.bodies[i].mass_properties;
    moment += m.mass * (poses[i] * m.com - poses[1].p);
    mass += m.mass;
  }
  for (std::size_t k = 0; k < moments.size(); ++k) moment += poses[system.flexible[k].body].R * moments[k];
  return mass > 0 ? Vector3(poses[1].p + moment / mass) : poses[1].p;
}

Frames still_frame(const System& system, double t, Eigen::VectorXd q, std::vector<std::string>& warnings) {
  if (has_too_many_bodies(system, warnings)) return {};
  Frames frames = no_frames(system);
  const auto now = tidy(system, q) ? instant_at(system, DeformedMass(system), q) : std::nullopt;
  if (now) {
    append_frame(system, t, *now, q, frames);
  } else {
    warnings.emplace_back("the spacecraft cannot be shown: its coordinates are not finite");
  }
  return frames;
}

Frames frames_of(const System& system, RecordedColumns& columns, std::vector<std::string>& warnings) {
  const results::ResultsReader& results = columns.results();
  if (has_too_many_bodies(system, warnings)) return {};
  const std::vector<std::size_t> records = frame_records(results.records(), system.body_count());
  if (records.empty()) {
    warnings.emplace_back("the motion cannot be shown: the file has no records");
    return {};
  }
  auto q = coordinates(system, columns, records, warnings);
  if (!q) return {};

  Frames frames = no_frames(system);
  for (auto& poses : frames.poses) poses.reserve(7 * records.size());
  const DeformedMass deformed(system);
  const auto wheels = wheel_columns(system, columns);
  std::vector<Pose> before;
  std::size_t before_record = 0;
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < records.size(); ++k) {
    Eigen::VectorXd here = q->col(static_cast<Eigen::Index>(k));
    const double t = results.time()[records[k]];
    const bool later = std::isfinite(t) && (frames.time.empty() || t > frames.time.back());
    auto now = later && tidy(system, here) ? instant_at(system, deformed, here) : std::nullopt;
    if (!now) {
      ++left_out;
      continue;
    }
    if (!before.empty()) {
      const double interval = t - frames.time.back();
      double sum = sum_of_momenta(system, before, frames.centre.back(), now->poses, now->centre, interval);
      for (std::size_t w = 0; w < wheels.size(); ++w) {
        if (!wheels[w]) continue;
        const std::vector<double>& angles = columns.values(*wheels[w]);
        sum += system.wheels[w].inertia * std::abs(angles[records[k]] - angles[before_record]) / interval;
      }
      if (std::isfinite(sum)) frames.momentum = std::max(frames.momentum, sum);
    }
    append_frame(system, t, *now, here, frames);
    before = std::move(now->poses);
    before_record = records[k];
  }
  if (frames.time.empty()) {
    warnings.emplace_back("the motion cannot be shown: every record has non-finite coordinates");
  } else if (left_out > 0) {
    warnings.push_back(
        fmt::format("{} of {} frames are not shown: their time does not increase, or coordinates are not finite",
                    left_out, records.size()));
  }
  return frames;
}

}  // namespace gyrostat::report
