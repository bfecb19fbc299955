// Random mechanisms with loops, cut at one joint of a loop and at another: one mechanism, one motion. Among them are
// point masses on joints that turn, whose rotation moves no mass but for rounding.
#include <map>
#include <optional>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"

#include "support/closed_loops.h"
#include "support/loop_checks.h"
#include "support/motion.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace cut_elsewhere_test {

bool can_be_cut(const JointDescription& j) {
  return j.name != "base" && j.type != JointType::free && !is_loop_constraint(j.type) && !j.locked &&
         j.prescribed.kind == Prescribed::Kind::none && j.stiffness.empty() && j.damping.empty() && j.torque.empty() &&
         j.axis_torque.empty() && !j.thermal;
}

/// Joints of the tree on the way between the two bodies of joint number `cut`, that can be cut as well.
std::vector<std::size_t> others_of_the_loop(const Description& d, const System& system, std::size_t cut) {
  std::vector<std::uint32_t> ends;
  for (const std::string& name : {d.joints[cut].parent, d.joints[cut].child}) {
    std::uint32_t body = 0;
    while (body < system.bodies.size() && system.bodies[body].name != name) ++body;
    ends.push_back(name == "world" ? 0 : body);
  }
  std::vector<std::size_t> list;
  while (ends[0] != ends[1]) {
    std::uint32_t& deeper = ends[0] > ends[1] ? ends[0] : ends[1];
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (d.joints[j].name == system.joints[deeper].name && can_be_cut(d.joints[j])) list.push_back(j);
    }
    deeper = system.parent[deeper];
  }
  return list;
}

/// Angular velocities, and velocities of the mass centres, of all bodies in the order of their names.
Eigen::VectorXd velocities_of(const Scene& s, const Eigen::VectorXd& u) {
  const std::vector<Velocity> V = velocities(s.system(), s.state.q, u);
  const std::vector<Pose> X = body_poses(s.system(), s.state.q);
  std::map<std::string, std::pair<Vector3, Vector3>> by_name;
  for (std::size_t i = 1; i < V.size(); ++i) {
    const Body& body = s.system().bodies[i];
    by_name[body.name] = {V[i].w, V[i].v + V[i].w.cross(X[i].R * body.mass_properties.com)};
  }
  Eigen::VectorXd all(static_cast<Eigen::Index>(6 * by_name.size() + s.system().wheels.size()));
  Eigen::Index at = 0;
  for (const auto& [name, motion] : by_name) {
    all.segment<3>(at) = motion.first;
    all.segment<3>(at + 3) = motion.second;
    at += 6;
  }
  std::map<std::string, double> wheels;
  for (const Wheel& w : s.system().wheels) wheels[s.system().bodies[w.body].name + "." + w.name] = u[w.u];
  for (const auto& [name, rate] : wheels) all[at++] = rate;
  return all;
}

/// Speeds at which all bodies move as those of another description of the same mechanism.
Eigen::VectorXd speeds_for(const Scene& s, const Eigen::VectorXd& wanted, double& missed) {
  Eigen::MatrixXd by_speeds(wanted.size(), s.state.u.size());
  for (Eigen::Index k = 0; k < by_speeds.cols(); ++k)
    by_speeds.col(k) = velocities_of(s, Eigen::VectorXd::Unit(by_speeds.cols(), k));
  const Eigen::VectorXd u = by_speeds.colPivHouseholderQr().solve(wanted);
  missed = (by_speeds * u - wanted).cwiseAbs().maxCoeff();
  return u;
}

/// Accelerations of the bodies, world axes: angular, and of the mass centres; by name.
std::map<std::string, std::pair<Vector3, Vector3>> accelerations_of(const Scene& s, double& size) {
  Dynamics dynamics(s.system(), DynamicsSettings(*s.loaded.model));
  dynamics.update(s.state);
  Eigen::VectorXd udot;
  dynamics.accelerations(s.state, s.forces, udot);
  size = std::max(size, udot.cwiseAbs().maxCoeff());
  const Kinematics<double> k = s.motion(udot);
  const std::vector<Pose> X = body_poses(s.system(), s.state.q);
  std::map<std::string, std::pair<Vector3, Vector3>> list;
  for (std::uint32_t i = 1; i < X.size(); ++i) {
    const Body& body = s.system().bodies[i];
    const Vector3 lever = X[i].R * (body.mass_properties.com - base_point(s.system().joints[i]));
    list[body.name] = {to_eigen(k.bodies[i].alpha), to_eigen(k.bodies[i].a) + to_eigen(k.bodies[i].W) * lever};
  }
  return list;
}

bool same_places(const Scene& a, const Scene& b) {
  const std::vector<Pose> X = body_poses(a.system(), a.state.q), Y = body_poses(b.system(), b.state.q);
  for (std::size_t i = 1; i < X.size(); ++i) {
    const Pose& other = Y[b.body(a.system().bodies[i].name)];
    if ((X[i].p - other.p).norm() > 1e-9 || (X[i].R - other.R).norm() > 1e-9) return false;
  }
  return true;
}

struct Seen {
  int compared = 0, refused = 0;
  std::map<JointType, int> cut;
};

void check(const Description& one, const Description& other, JointType type, Random& random, Seen& seen) {
  std::optional<Scene> a, b;
  try {
    a.emplace(one), b.emplace(other);
  } catch (const std::runtime_error&) {
    return;  // not valid: coordinates are at a pole, or redundant by the text
  }
  ASSERT_TRUE(same_places(*a, *b));
  LoopCase c(a->system());
  if (c.constraints.rows() == 0 || !c.has_clear_rank() || !LoopCase(b->system()).has_clear_rank()) return;
  for (double& u : c.state.u) u = random.uniform(-1, 1);
  // rows that depend on each other in this configuration alone contradict each other at accelerations
  if (c.make_speeds_consistent() > 1e-10 || !c.is_possible()) return;
  a->state = c.state;
  double missed = 0;
  b->state.u = speeds_for(*b, velocities_of(*a, a->state.u), missed);
  ASSERT_LT(missed, 1e-8) << "the bodies can move alike";
  for (std::uint32_t i = 1; i < a->system().bodies.size(); ++i) {
    const Vector3 at = body_poses(a->system(), a->state.q)[i].p, force = random.vector(5), torque = random.vector(5);
    a->act(i, force, torque, at);
    b->act(b->body(a->system().bodies[i].name), force, torque, at);
  }
  double size = 1;
  std::map<std::string, std::pair<Vector3, Vector3>> expected, found;
  try {
    expected = accelerations_of(*a, size), found = accelerations_of(*b, size);
  } catch (const ClosureError&) {
    ++seen.refused;  // what is inboard of a point mass moves no mass before its loop is closed
    return;
  }
  if (size > 1e5) return;  // hardly any inertia in some direction
  for (const auto& [name, motion] : expected) {
    EXPECT_LT((found.at(name).first - motion.first).norm(), 1e-8 * size) << name;
    EXPECT_LT((found.at(name).second - motion.second).norm(), 1e-8 * size) << name;
  }
  ++seen.compared;
  ++seen.cut[type];
}

TEST(CutElsewhere, ARandomMechanismHasTheSameMotion) {
  Seen seen;
  RandomModelOptions options{
      .least_bodies = 3, .most_bodies = 8, .massless = 0, .locked = 0, .prescribed = 0, .springs = 0};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed ^ 0xc07);
    Description d = with_loops(seed, random_description(seed, options));
    const Assembled tree = assemble(d);
    for (std::size_t j = 0; j < d.joints.size(); ++j) {
      if (!d.joints[j].cut || !can_be_cut(d.joints[j])) continue;
      const std::vector<std::size_t> others = others_of_the_loop(d, tree.system, j);
      if (others.empty()) continue;
      Description elsewhere = d;
      const std::size_t k = others[random.index(others.size())];
      elsewhere.joints[j].cut = false;
      elsewhere.joints[k].cut = true;
      SCOPED_TRACE(d.joints[j].name + " and " + d.joints[k].name);
      check(d, elsewhere, d.joints[k].type, random, seen);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(seen.compared, 200);
  EXPECT_LT(seen.refused, seen.compared / 4);
  EXPECT_GE(seen.cut.size(), 8U) << "types of joints";
}

}  // namespace cut_elsewhere_test
}  // namespace gyrostat::testing
