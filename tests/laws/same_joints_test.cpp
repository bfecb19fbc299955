// One mechanism with other joints: chains for one joint, welds for locked ones, drives for what moves by itself.
#include <map>

#include "gyrostat/dynamics/reactions.h"

#include "support/same_motion.h"

namespace gyrostat::testing {
namespace {

/// `description` changed by `change`, with the same coordinates, speeds and forces under the same names.
template <class Change>
void expect_unchanged_by(std::uint64_t seed, Random& random, const RandomModelOptions& options, Change change) {
  Description d = random_description(seed, options);
  Scene a(d);
  randomise(a, random);
  change(d);
  Scene b(std::move(d));
  copy_by_name(a, b);
  copy_wrenches(a, b);
  const Moved before(a), after(b);
  expect_same_motion(before, after);
  expect_same_udot(before, after);
}

// --- chains of simple joints -----------------------------------------------------------------------------------------

/// The joint as prismatic joints, then revolute ones, with bodies without mass between them. Names are those of the
/// joint and a number.
std::vector<JointDescription> chain_of(const JointDescription& j, Description& d) {
  std::vector<JointDescription> chain;
  const std::size_t t = j.translations.size(), r = j.rotations.size();
  const bool angle_first = j.type == JointType::cylindrical;
  for (std::size_t k = 0; k < t + r; ++k) {
    const bool slides = k < t;
    const std::size_t entry = slides ? (angle_first ? r + k : k) : (angle_first ? k - t : k);
    JointDescription link =
        one_axis(j.name + "_" + std::to_string(entry), slides ? JointType::prismatic : JointType::revolute,
                 k == 0 ? j.parent : d.bodies.back().name, j.child, slides ? j.translations[k] : j.rotations[k - t],
                 j.position[entry], j.speed[entry]);
    link.locked = j.locked;
    link.prescribed.kind = j.prescribed.kind;
    if (!j.prescribed.motion.empty()) link.prescribed.motion = {j.prescribed.motion[entry]};
    if (k == 0) link.parent_point = j.parent_point;
    if (k + 1 == t + r) {
      link.child_point = j.child_point;
      link.orientation = j.orientation;
    } else {
      BodyDescription between;
      between.name = link.name + "_body";
      link.child = between.name;
      d.bodies.push_back(between);
    }
    chain.push_back(link);
  }
  return chain;
}

TEST(SameMechanism, WithJointsAsChainsOfSimpleOnes) {
  int replaced = 0;
  for_seeds(400, [&](std::uint64_t seed, Random& random) {
    Description d = random_description(seed, small_models());
    Scene a(d);
    randomise(a, random);
    std::vector<JointDescription> joints;
    for (const JointDescription& j : d.joints) {
      if (j.translations.size() + j.rotations.size() < 2) {
        joints.push_back(j);
        continue;
      }
      for (const JointDescription& link : chain_of(j, d)) joints.push_back(link);
      ++replaced;
    }
    d.joints = joints;
    Scene b(std::move(d));
    copy_by_name(a, b);
    std::map<std::uint32_t, std::uint32_t> speeds;  // of b by those of a
    for (std::size_t i = 1; i < a.system().joints.size(); ++i) {
      const Joint& x = a.system().joints[i];
      for (std::uint32_t k = 0; k < x.nu; ++k) {
        const std::string name = x.name + "_" + std::to_string(k);
        if (!has_joint(b, name)) continue;
        const Joint& y = b.joint(name);
        speeds[x.u + k] = y.u;
        b.state.q[y.q] = a.state.q[x.q + k];
        b.state.u[y.u] = a.state.u[x.u + k];
        b.forces.tau[y.u] = a.forces.tau[x.u + k];
        b.forces.udot[y.u] = a.forces.udot[x.u + k];
      }
    }
    copy_wrenches(a, b);
    const Moved before(a), after(b);
    expect_same_motion(before, after);
    expect_same_udot(before, after);
    for (const auto& [x, y] : speeds) EXPECT_NEAR(before.udot[x], after.udot[y], limit_for(before));
  });
  EXPECT_GT(replaced, 500);
}

// --- locked and prescribed -------------------------------------------------------------------------------------------

TEST(SameMechanism, WithLockedJointsAsWelds) {
  RandomModelOptions options = small_models();
  options.locked = 0.4;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    expect_unchanged_by(seed, random, options, [](Description& d) {
      for (JointDescription& j : d.joints) {
        if (!j.locked) continue;
        const Pose X_PC = joint_pose(make_joint(j), j.position.data());
        JointDescription weld;
        weld.name = j.name, weld.parent = j.parent, weld.child = j.child;
        weld.orientation = X_PC.R;
        weld.child_point = j.child_point;
        weld.parent_point = X_PC * j.child_point;
        j = weld;
      }
    });
  });
}

/// To make a joint do what it does by itself takes no force.
TEST(SameMechanism, WithJointsAndWheelsDrivenAsTheyMoveByThemselves) {
  RandomModelOptions options = small_models();
  options.prescribed = 0;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    Description d = random_description(seed, options);
    for (BodyDescription& body : d.bodies) {
      for (WheelDescription& w : body.wheels) w.speed = {};
    }
    Scene a(d);
    randomise(a, random);
    const Moved by_itself(a);
    for (JointDescription& j : d.joints) {
      if (j.locked || j.speed.empty() || random.chance(0.5)) continue;
      prescribe(j);
    }
    for (BodyDescription& body : d.bodies) {
      for (WheelDescription& w : body.wheels) {
        if (random.chance(0.5)) w.speed = expression::constant(w.rate);
      }
    }
    Scene b(std::move(d));
    copy_by_name(a, b);
    copy_wrenches(a, b);
    for (std::size_t k = 0; k < b.forces.udot.size(); ++k) {
      b.forces.udot[k] = by_itself.udot[static_cast<Eigen::Index>(k)];
    }
    const Moved driven(b);
    expect_same_motion(by_itself, driven);
    expect_same_udot(by_itself, driven);
    Reactions reactions(b.mechanism);
    find_reactions(b.mechanism, b.state.q.data(), b.state.u.data(), driven.udot.data(), b.forces, reactions);
    for (std::uint32_t i = 1; i < b.mechanism.links.size(); ++i) {
      const Link& link = b.mechanism.links[i];
      if (b.system().joints[i].motion == Motion::locked) continue;
      for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
        EXPECT_NEAR(reactions.driving[k], 0, limit_for(by_itself)) << b.system().joints[i].name;
      }
    }
    for (const WheelLink& w : b.mechanism.wheels) EXPECT_NEAR(reactions.driving[w.u], 0, limit_for(by_itself));
  });
}

}  // namespace
}  // namespace gyrostat::testing
