// One mechanism has many descriptions and one motion: other bases, frames, directions of joints, pieces of bodies.
#include <functional>
#include <map>

#include "support/same_motion.h"

namespace gyrostat::testing {
namespace {

// --- another base ----------------------------------------------------------------------------------------------------

TEST(SameMechanism, SeenFromAnotherBase) {
  RandomModelOptions options = small_models();
  options.implicit_base = 1;
  options.least_bodies = 2;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    Description d = random_description(seed, options);
    Scene a(d);
    randomise(a, random);
    for (std::size_t k = 0; k < 6; ++k) a.forces.tau[k] = 0;  // of the base, which is another one in the other
    std::swap(d.bodies[0], d.bodies[1 + random.index(d.bodies.size() - 1)]);
    const std::string base = d.bodies[0].name;
    Scene b(std::move(d));
    ASSERT_EQ(b.system().bodies[1].name, base);
    copy_by_name(a, b);
    const std::uint32_t i = a.body(base);
    const Pose X = body_poses(a.system(), a.state.q)[i];
    const Velocity V = velocities(a.system(), a.state.q, a.state.u)[i];
    const Quaternion attitude = to_quaternion(X.R);
    b.state.q.head<7>() << X.p, attitude.w, attitude.x, attitude.y, attitude.z;
    b.state.u.head<6>() << X.R.transpose() * V.w, V.v;
    copy_wrenches(a, b);
    const Moved from_a(a), from_b(b);
    expect_same_motion(from_a, from_b);
    const double limit = limit_for(from_a);
    for_namesakes(a, b, [&](const Joint& x, const Joint& y) {
      if (x.name == "base") return;
      for (std::uint32_t k = 0; k < x.nu; ++k) {
        EXPECT_NEAR(from_a.udot[x.u + k], from_b.udot[y.u + k], limit) << x.name;
      }
    });
  });
}

// --- other frames ----------------------------------------------------------------------------------------------------

/// The joint with its parent's and its child's frame moved to X_PP' and X_CC'.
void move_frames(JointDescription& j, const Pose& X_P, const Pose& X_C) {
  j.parent_point = inverse(X_P) * j.parent_point;
  j.child_point = inverse(X_C) * j.child_point;
  for (auto* axes : {&j.translations, &j.rotations}) {
    for (Vector3& axis : *axes) axis = (X_P.R.transpose() * axis).normalized();
  }
  if (!has_quaternion(j.type)) {
    j.orientation = X_P.R.transpose() * j.orientation * X_C.R;
    return;
  }
  const std::size_t at = j.type == JointType::free ? 3 : 0;
  double* e = j.position.data() + at;
  const Quaternion turned = to_quaternion(X_P.R.transpose() * to_rotation({e[0], e[1], e[2], e[3]}) * X_C.R);
  const Quaternion unit = normalised(turned);
  if (at == 3) {
    const Vector3 p = X_P.R.transpose() * Vector3(j.position[0], j.position[1], j.position[2]);
    std::copy(p.begin(), p.end(), j.position.begin());
  }
  e[0] = unit.w, e[1] = unit.x, e[2] = unit.y, e[3] = unit.z;
}

/// omega is in the child's axes, velocity in the parent's.
Eigen::VectorXd speeds_in_moved_frames(JointType type, const Eigen::VectorXd& u, const Pose& X_P, const Pose& X_C) {
  Eigen::VectorXd turned = u;
  if (has_quaternion(type)) turned.head<3>() = X_C.R.transpose() * u.head<3>();
  if (type == JointType::free) turned.tail<3>() = X_P.R.transpose() * u.tail<3>();
  return turned;
}

void move_frame(BodyDescription& b, const Pose& X) {
  b.com = inverse(X) * b.com;
  b.inertia = X.R.transpose() * b.inertia * X.R;
  b.inertia = (b.inertia + b.inertia.transpose().eval()) / 2;
  for (NamedPoint& point : b.points) point.position = inverse(X) * point.position;
  for (WheelDescription& w : b.wheels) w.axis = (X.R.transpose() * w.axis).normalized();
}

TEST(SameMechanism, WithTheFrameOfEveryBodyElsewhere) {
  RandomModelOptions options = small_models();
  options.implicit_base = 0;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    Description d = random_description(seed, options);
    Scene a(d);
    randomise(a, random);
    std::map<std::string, Pose> X = {{"world", Pose{}}};
    for (BodyDescription& body : d.bodies) {
      X[body.name] = {random.rotation(), random.vector(2)};
      move_frame(body, X[body.name]);
    }
    std::map<std::string, std::function<Eigen::VectorXd(const Eigen::VectorXd&)>> speeds;
    for (JointDescription& j : d.joints) {
      const Pose X_P = X.at(j.parent), X_C = X.at(j.child);
      move_frames(j, X_P, X_C);
      speeds[j.name] = [=, type = j.type](const Eigen::VectorXd& u) {
        return speeds_in_moved_frames(type, u, X_P, X_C);
      };
    }
    Scene b(std::move(d));
    const State initial = b.state;
    copy_by_name(a, b);
    const auto list = [](std::vector<double>& v, const Joint& j) {
      return Eigen::Map<Eigen::VectorXd>(v.data() + j.u, j.nu);
    };
    for_namesakes(a, b, [&](const Joint& x, const Joint& y) {
      if (has_quaternion(x.type)) b.state.q.segment(y.q, y.nq) = initial.q.segment(y.q, y.nq);
      b.state.u.segment(y.u, y.nu) = speeds[x.name](a.state.u.segment(x.u, x.nu));
      list(b.forces.tau, y) = speeds[x.name](list(a.forces.tau, x));
      list(b.forces.udot, y) = speeds[x.name](list(a.forces.udot, x));
    });
    copy_wrenches(a, b);
    const Moved before(a), after(b);
    expect_same_motion(before, after);
    const double limit = limit_for(before);
    for_namesakes(a, b, [&](const Joint& x, const Joint& y) {
      const Eigen::VectorXd expected = speeds[x.name](before.udot.segment(x.u, x.nu));
      EXPECT_LT((after.udot.segment(y.u, y.nu) - expected).norm(), limit) << x.name;
    });
    for (std::uint32_t i = 1; i < before.X.size(); ++i) {
      const std::uint32_t j = b.body(a.system().bodies[i].name);
      const Pose there = before.X[i] * X.at(a.system().bodies[i].name);
      EXPECT_LT((there.R - after.X[j].R).norm() + (there.p - after.X[j].p).norm(), 1e-11);
    }
  });
}

// --- parent and child swapped ----------------------------------------------------------------------------------------

/// The same joint from its child to its parent, with the same coordinates: P from C turns about the opposite axis.
/// Several rotations come in the opposite order. False where coordinates do not map simply.
bool swap_bodies(JointDescription& j) {
  const bool turns_and_slides = !j.translations.empty() && !j.rotations.empty();
  if (j.type == JointType::free || (turns_and_slides && j.type != JointType::cylindrical)) return false;
  std::swap(j.parent, j.child);
  std::swap(j.parent_point, j.child_point);
  if (j.type == JointType::spherical) {
    for (std::size_t k = 1; k < 4; ++k) j.position[k] = -j.position[k];
    return true;
  }
  for (auto* axes : {&j.translations, &j.rotations}) {
    for (Vector3& axis : *axes) axis = (-(j.orientation.transpose() * axis)).normalized();
  }
  j.orientation.transposeInPlace();
  if (j.rotations.size() > 1) {
    std::reverse(j.rotations.begin(), j.rotations.end());
    std::reverse(j.position.begin(), j.position.end());
    std::reverse(j.stiffness.begin(), j.stiffness.end());
    std::reverse(j.damping.begin(), j.damping.end());
    std::reverse(j.rest.begin(), j.rest.end());
  }
  return true;
}

/// Speeds, or what is conjugate to them, of the joint after the swap. `q` are its coordinates before it.
Eigen::VectorXd speeds_after_swap(const Joint& joint, const double* q, const Eigen::VectorXd& u) {
  if (joint.type == JointType::spherical) return -(joint_pose(joint, q).R * u);
  return joint.rotations > 1 ? Eigen::VectorXd(u.reverse()) : u;
}

TEST(SameMechanism, WithParentsAndChildrenSwapped) {
  std::map<JointType, int> seen;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    Description d = random_description(seed, small_models());
    Scene a(d);
    randomise(a, random);
    std::vector<std::string> swapped;
    for (JointDescription& j : d.joints) {
      if (!random.chance(0.7) || !swap_bodies(j)) continue;
      swapped.push_back(j.name);
      ++seen[j.type];
    }
    Scene b(std::move(d));
    copy_by_name(a, b);
    const auto list = [](std::vector<double>& v, const Joint& j) {
      return Eigen::Map<Eigen::VectorXd>(v.data() + j.u, j.nu);
    };
    const auto is_swapped = [&](const Joint& x) { return std::ranges::find(swapped, x.name) != swapped.end(); };
    for_namesakes(a, b, [&](const Joint& x, const Joint& y) {
      if (!is_swapped(x)) return;
      EXPECT_NE(x.reversed, y.reversed);
      const double* q = a.state.q.data() + x.q;
      if (x.type == JointType::spherical) {
        b.state.q.segment<3>(y.q + 1) *= -1;
      } else if (x.rotations > 1) {
        b.state.q.segment(y.q, y.nq).reverseInPlace();
      }
      b.state.u.segment(y.u, y.nu) = speeds_after_swap(x, q, a.state.u.segment(x.u, x.nu));
      list(b.forces.tau, y) = speeds_after_swap(x, q, list(a.forces.tau, x));
      list(b.forces.udot, y) = speeds_after_swap(x, q, list(a.forces.udot, x));
    });
    copy_wrenches(a, b);
    const Moved before(a), after(b);
    expect_same_motion(before, after);
    const double limit = limit_for(before);
    for_namesakes(a, b, [&](const Joint& x, const Joint& y) {
      const Eigen::VectorXd udot = before.udot.segment(x.u, x.nu);
      const Eigen::VectorXd expected = is_swapped(x) ? speeds_after_swap(x, a.state.q.data() + x.q, udot) : udot;
      EXPECT_LT((after.udot.segment(y.u, y.nu) - expected).norm(), limit) << x.name;
    });
  });
  for (const JointType type : {JointType::weld, JointType::revolute, JointType::prismatic, JointType::cylindrical,
                               JointType::universal, JointType::gimbal, JointType::spherical, JointType::translation}) {
    EXPECT_GT(seen[type], 20) << type_name(type);
  }
}

// --- a body in two pieces --------------------------------------------------------------------------------------------

/// `d` has body number `n` and a piece welded to it; some of its joints go to the piece. Returns the body as one.
BodyDescription split(Description& d, std::size_t n, Random& random) {
  const Pose X{random.rotation(), random.vector()};  // X_AB of the piece
  BodyDescription& a = d.bodies[n];
  BodyDescription piece = rigid_body("piece", random.uniform(0.5, 2), {1, 1.2, 1.5}, random.vector());
  BodyDescription whole = a;
  const MassProperties total =
      combined({a.mass, a.com, a.inertia}, in_frame(X, {piece.mass, piece.com, piece.inertia}));
  whole.mass = total.mass;
  whole.com = total.com;
  whole.inertia = (total.inertia + total.inertia.transpose()) / 2;
  whole.point_mass = false;
  for (JointDescription& j : d.joints) {
    if (has_quaternion(j.type) || (j.parent != a.name && j.child != a.name) || random.chance(0.5)) continue;
    const bool parent = j.parent == a.name;
    move_frames(j, parent ? X : Pose{}, parent ? Pose{} : X);
    (parent ? j.parent : j.child) = piece.name;
  }
  JointDescription weld;
  weld.name = "weld", weld.parent = a.name, weld.child = piece.name;
  weld.orientation = X.R;
  weld.parent_point = random.vector();
  weld.child_point = inverse(X) * weld.parent_point;
  d.joints.insert(d.joints.begin() + static_cast<std::ptrdiff_t>(random.index(d.joints.size() + 1)), weld);
  d.bodies.push_back(piece);
  return whole;
}

TEST(SameMechanism, WithABodyInTwoWeldedPieces) {
  int moved_inboard = 0;
  for_seeds(500, [&](std::uint64_t seed, Random& random) {
    Description pieces = random_description(seed, small_models()), whole = pieces;
    const std::size_t n = random.index(pieces.bodies.size());
    whole.bodies[n] = split(pieces, n, random);
    Scene a(std::move(whole)), b(std::move(pieces));
    moved_inboard += b.joint("weld").reversed ? 1 : 0;
    randomise(a, random);
    copy_by_name(a, b);
    copy_wrenches(a, b);
    const Moved as_one(a), as_two(b);
    expect_same_motion(as_one, as_two);
    expect_same_udot(as_one, as_two);
  });
  EXPECT_GT(moved_inboard, 50);
}

}  // namespace
}  // namespace gyrostat::testing
