#include "gyrostat/analysis/tangent.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace gyrostat {

namespace {

Matrix3 cross_matrix(const Vector3& v) {
  Matrix3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

}  // namespace

Tangent::Tangent(const Plant& plant, const Eigen::VectorXd& y, const std::vector<Truth>& free)
    : plant_(plant), y_(y), q_(plant.layout().nq), u_(plant.layout().nu) {
  const System& system = plant.system();
  plant.layout().scatter(y.data(), q_.data(), u_.data());
  std::vector<bool> is_state(u_.size(), true);
  const auto entries = speed_entries(system);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    is_state[k] = entries[k].motion == Motion::prescribed || free[k];
  }
  for (const PrescribedMotion& motion : plant.signals().prescribed) {
    if (motion.equal == no_equal) is_state[motion.u] = false;
  }
  std::vector<Eigen::Index> place(u_.size(), -1);
  for (std::uint32_t k = 0; k < u_.size(); ++k) {
    if (!is_state[k]) continue;
    place[k] = static_cast<Eigen::Index>(speeds_.size());
    speeds_.push_back(k);
  }
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type) || place[joint.u] < 0) continue;
    const Vector3 w(u_[joint.u], u_[joint.u + 1], u_[joint.u + 2]);
    triples_.push_back({place[joint.u], i, w, Matrix3::Identity(), true});
    if (joint.type == JointType::free && !w.isZero(0)) {
      triples_.push_back({place[joint.u + 3], i, w, joint_pose(joint, q_.data() + joint.q).R, false});
    }
  }
}

void Tangent::move_to(const Eigen::VectorXd& y) {
  y_ = y;
  plant_.layout().scatter(y.data(), q_.data(), u_.data());
  for (Triple& triple : triples_) {
    const Joint& joint = plant_.system().joints[triple.joint];
    triple.w = Vector3(u_[joint.u], u_[joint.u + 1], u_[joint.u + 2]);
    if (!triple.rotation) triple.R = joint_pose(joint, q_.data() + joint.q).R;
  }
}

void Tangent::append_directions(std::vector<PlantRun::Direction>& directions) const {
  const Layout& layout = plant_.layout();
  std::vector<double> unit(u_.size());
  for (const std::uint32_t k : speeds_) {
    directions.push_back({std::vector<double>(layout.size), {}, {}});
    unit[k] = 1;
    layout.gather_rates(y_.data(), q_.data(), unit.data(), directions.back().y.data());
    unit[k] = 0;
  }
  for (const std::uint32_t k : speeds_) {
    directions.push_back({std::vector<double>(layout.size), {}, {}});
    directions.back().y[layout.u + k] = 1;
  }
}

LinearVariable Tangent::coordinate(std::size_t k) const {
  const System& system = plant_.system();
  const std::uint32_t u = speeds_[k];
  for (const Triple& triple : triples_) {
    const auto component = static_cast<Eigen::Index>(k) - triple.first;
    if (component < 0 || component > 2) continue;
    const Joint& joint = system.joints[triple.joint];
    const char axis = "xyz"[component];
    if (triple.rotation) {
      return {fmt::format("{}.rotation_{}", joint.name, axis), "rad",
              "small rotation from the operating point, about the child's axis"};
    }
    return {fmt::format("{}.position_{}", joint.name, axis), "m", "position, in the child's axes, which turn"};
  }
  const auto coordinates = coordinate_entries(system);
  for (const Layout::Run& run : plant_.layout().runs) {
    if (u >= run.u && u < run.u + run.count) {
      const StateEntry& entry = coordinates[run.q + (u - run.u)];
      return {entry.name, std::string(entry.unit), "coordinate"};
    }
  }
  return {speed_entries(system)[u].name, "", "coordinate"};
}

LinearVariable Tangent::speed(std::size_t k) const {
  const StateEntry entry = speed_entries(plant_.system())[speeds_[k]];
  LinearVariable variable{entry.name, std::string(entry.unit), "speed"};
  for (const Triple& triple : triples_) {
    const auto component = static_cast<Eigen::Index>(k) - triple.first;
    if (component < 0 || component > 2) continue;
    variable.description =
        triple.rotation ? "angular velocity, child axes" : "velocity, in the child's axes, which turn";
  }
  return variable;
}

Eigen::MatrixXd Tangent::frame() const {
  const auto n = static_cast<Eigen::Index>(speeds_.size());
  Eigen::MatrixXd frame = Eigen::MatrixXd::Identity(n, n);
  for (const Triple& triple : triples_) frame.block<3, 3>(triple.first, triple.first) = triple.R;
  return frame;
}

Eigen::MatrixXd Tangent::turning_coordinates() const {
  const auto n = static_cast<Eigen::Index>(speeds_.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (const Triple& triple : triples_) W.block<3, 3>(triple.first, triple.first) = -cross_matrix(triple.w);
  return W;
}

Eigen::MatrixXd Tangent::turning_speeds() const {
  const auto n = static_cast<Eigen::Index>(speeds_.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(n, n);
  for (const Triple& triple : triples_) {
    if (!triple.rotation) W.block<3, 3>(triple.first, triple.first) = -cross_matrix(triple.w);
  }
  return W;
}

Eigen::VectorXd Tangent::steady_rates(const Eigen::VectorXd& ydot) const {
  const auto first = static_cast<Eigen::Index>(plant_.layout().u);
  Eigen::VectorXd rates(static_cast<Eigen::Index>(speeds_.size()));
  for (std::size_t k = 0; k < speeds_.size(); ++k) {
    rates[static_cast<Eigen::Index>(k)] = ydot[first + static_cast<Eigen::Index>(speeds_[k])];
  }
  for (const Triple& triple : triples_) {
    if (triple.rotation) continue;
    const auto u = static_cast<std::size_t>(speeds_[static_cast<std::size_t>(triple.first)]);
    const Vector3 v = triple.R.transpose() * Vector3(u_[u], u_[u + 1], u_[u + 2]);
    rates.segment<3>(triple.first) = triple.R.transpose() * rates.segment<3>(triple.first) - triple.w.cross(v);
  }
  return rates;
}

Eigen::VectorXd Tangent::moved(const Eigen::VectorXd& coordinates, const Eigen::VectorXd& speeds) const {
  const Layout& layout = plant_.layout();
  State state{Eigen::Map<const Eigen::VectorXd>(q_.data(), static_cast<Eigen::Index>(q_.size())),
              Eigen::Map<const Eigen::VectorXd>(u_.data(), static_cast<Eigen::Index>(u_.size()))};
  Eigen::VectorXd along = Eigen::VectorXd::Zero(state.u.size());
  for (std::size_t k = 0; k < speeds_.size(); ++k) {
    along[speeds_[k]] = coordinates[static_cast<Eigen::Index>(k)];
    state.u[speeds_[k]] += speeds[static_cast<Eigen::Index>(k)];
  }
  for (const Layout::Run& run : layout.runs) {
    for (std::size_t k = 0; k < run.count; ++k) {
      state.q[static_cast<Eigen::Index>(run.q + k)] += along[static_cast<Eigen::Index>(run.u + k)];
    }
  }
  for (const Layout::Rotation& r : layout.rotations) {
    const Vector3 turn = along.segment<3>(static_cast<Eigen::Index>(r.u));
    const double angle = turn.norm();
    if (angle == 0) continue;
    const auto q = state.q.segment<4>(static_cast<Eigen::Index>(r.q));
    const Eigen::Quaterniond after =
        Eigen::Quaterniond(q[0], q[1], q[2], q[3]) * Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle));
    state.q.segment<4>(static_cast<Eigen::Index>(r.q)) << after.w(), after.x(), after.y(), after.z();
  }
  Eigen::VectorXd y = y_;
  layout.gather(state, y.data());
  return y;
}

Tangent::Perturbation Tangent::perturbation_to(const Eigen::VectorXd& y) const {
  const Layout& layout = plant_.layout();
  std::vector<double> q(q_.size()), u(u_.size()), along(u_.size());
  layout.scatter(y.data(), q.data(), u.data());
  for (const Layout::Run& run : layout.runs) {
    for (std::size_t k = 0; k < run.count; ++k) along[run.u + k] = q[run.q + k] - q_[run.q + k];
  }
  for (const Layout::Rotation& r : layout.rotations) {
    const auto quaternion = [&](const std::vector<double>& of) {
      return Eigen::Quaterniond(of[r.q], of[r.q + 1], of[r.q + 2], of[r.q + 3]);
    };
    const Eigen::AngleAxisd turn(quaternion(q_).conjugate() * quaternion(q));  // by pi at most
    const Vector3 vector = turn.angle() * turn.axis();
    for (std::size_t k = 0; k < 3; ++k) along[r.u + k] = vector[static_cast<Eigen::Index>(k)];
  }
  const auto n = static_cast<Eigen::Index>(speeds_.size());
  Perturbation result{Eigen::VectorXd(n), Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::uint32_t speed = speeds_[static_cast<std::size_t>(k)];
    result.coordinates[k] = along[speed];
    result.speeds[k] = u[speed] - u_[speed];
  }
  return result;
}

Eigen::VectorXd Tangent::carried(double time) const {
  const auto n = static_cast<Eigen::Index>(speeds_.size());
  Eigen::VectorXd coordinates(n), speeds = Eigen::VectorXd::Zero(n);
  for (Eigen::Index k = 0; k < n; ++k) coordinates[k] = time * u_[speeds_[static_cast<std::size_t>(k)]];
  for (const Triple& triple : triples_) {  // v turns, and p is its integral
    if (triple.rotation) continue;
    const double rate = triple.w.norm(), angle = rate * time;
    const Vector3 axis = triple.R * triple.w / rate;
    const std::uint32_t u = plant_.system().joints[triple.joint].u + 3;
    const Vector3 v(u_[u], u_[u + 1], u_[u + 2]), along = axis * axis.dot(v), across = v - along;
    speeds.segment<3>(triple.first) = along + std::cos(angle) * across + std::sin(angle) * axis.cross(v) - v;
    coordinates.segment<3>(triple.first) =
        along * time + std::sin(angle) / rate * across + (1 - std::cos(angle)) / rate * axis.cross(v);
  }
  return moved(coordinates, speeds);
}

std::vector<std::string> Tangent::notes() const {
  std::vector<std::string> list;
  for (const Triple& triple : triples_) {
    if (!triple.rotation || triple.w.isZero(0)) continue;
    const System& system = plant_.system();
    const Joint& joint = system.joints[triple.joint];
    list.push_back(fmt::format(
        "{} turns at {:.6g} rad/s about [{:.6g}, {:.6g}, {:.6g}], its own axes: the small rotations of joint {}{} are "
        "relative to axes that go on turning so",
        system.bodies[triple.joint].name, triple.w.norm(), triple.w.x() / triple.w.norm(),
        triple.w.y() / triple.w.norm(), triple.w.z() / triple.w.norm(), joint.name,
        joint.type == JointType::free ? " and the components of its position" : ""));
  }
  return list;
}

}  // namespace gyrostat
