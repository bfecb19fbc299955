#include "gyrostat/dynamics/nested_body.h"

#include <algorithm>
#include <cmath>

namespace gyrostat {

namespace {

using Vector = NestedBody::Vector;
using Rotation = NestedBody::Rotation;
using Dyadic = NestedBody::Dyadic;
using Hinge = NestedBody::Hinge;
using MovingBody = NestedBodyData::MovingBody;
using Nest = NestedBodyData::Nest;

constexpr Rotation identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/// R D R^T.
Dyadic turned(const Rotation& R, const Dyadic& D) {
  const Vector x = D * Vector{R.x.x, R.y.x, R.z.x}, y = D * Vector{R.x.y, R.y.y, R.z.y},
               z = D * Vector{R.x.z, R.y.z, R.z.z};
  const Vector Rx = R * x, Ry = R * y, Rz = R * z;
  return {Rx.x, Ry.y, Rz.z, Rx.y, Rx.z, Ry.z};
}

/// m (r.r 1 - r r): the inertia of a mass at r.
Dyadic of_mass(double m, const Vector& r) {
  const double xx = m * r.x * r.x, yy = m * r.y * r.y, zz = m * r.z * r.z;
  return {yy + zz, xx + zz, xx + yy, -m * r.x * r.y, -m * r.x * r.z, -m * r.y * r.z};
}

Quaternion operator*(const Quaternion& p, const Quaternion& q) {
  return {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
          p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

Quaternion turn_about(const Vector& axis, double angle) {
  const double c = std::cos(angle / 2), s = std::sin(angle / 2);
  return {c, s * axis.x, s * axis.y, s * axis.z};
}

Vector turned(const Quaternion& q, const Vector& v) {
  const Vector e = {q.x, q.y, q.z}, t = 2.0 * cross(e, v);
  return v + q.w * t + cross(e, t);
}

Rotation direction_cosines(const Quaternion& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
          {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
          {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)}};
}

// --- constants -----------------------------------------------------------------------------------------------------

void set_free_coordinate_vectors(const Joint& joint, Hinge& hinge) {
  std::uint32_t rotations = joint.rotations, translations = joint.translations;
  if (has_quaternion(joint.type)) {
    hinge.ball = true;
    rotations = 3;
    translations = joint.type == JointType::free ? 3 : 0;
    hinge.d = {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
    hinge.rotations = {rotations, joint.q + translations, joint.u};
    hinge.translations = {translations, joint.q, joint.u + rotations};
    return;
  }
  for (std::size_t i = 0; i < rotations; ++i) hinge.a[i] = cast<double>(joint.a[i]);
  for (std::size_t i = 0; i < translations; ++i) hinge.d[i] = cast<double>(joint.d[i]);
  const std::uint32_t before_rotations = joint.rotation_first ? 0 : translations;
  const std::uint32_t before_translations = joint.rotation_first ? rotations : 0;
  hinge.rotations = {rotations, joint.q + before_rotations, joint.u + before_rotations};
  hinge.translations = {translations, joint.q + before_translations, joint.u + before_translations};
}

Hinge make_hinge(const System& system, std::uint32_t k, const DynamicsSettings& settings) {
  const Joint& joint = system.joints[k];
  const MassProperties& body = system.bodies[k].mass_properties;
  Hinge hinge;
  hinge.inboard = system.parent[k];
  hinge.nest_end = k + 1;
  hinge.reversed = joint.reversed;
  hinge.sign = joint.reversed ? -1 : 1;
  hinge.R_0 = cast<double>(joint.R_0);
  set_free_coordinate_vectors(joint, hinge);
  const Vector3& inboard_point = joint.reversed ? joint.child_point : joint.parent_point;
  hinge.beta = cast<double>(inboard_point);
  if (hinge.inboard != 0) hinge.beta -= cast<double>(base_point(system.joints[hinge.inboard]));
  hinge.alpha = cast<double>(body.com) - cast<double>(base_point(joint));
  hinge.mass = hinge.nest_mass = body.mass;
  hinge.inertia = symmetric(body.inertia);
  hinge.gyroscopic = settings.gyroscopic[k];
  hinge.computing = hinge.inboard == 0 && settings.computing_frame == ComputingFrame::body;
  return hinge;
}

}  // namespace

NestedBody::NestedBody(const System& system, const DynamicsSettings& settings)
    : hinges(system.bodies.size()), speeds(static_cast<std::size_t>(system.initial.u.size())) {
  for (std::uint32_t k = 1; k < hinges.size(); ++k) hinges[k] = make_hinge(system, k, settings);
  for (std::size_t k = hinges.size(); k-- > 1;) {  // nests within nests
    Hinge& inboard = hinges[hinges[k].inboard];
    inboard.nest_end = std::max(inboard.nest_end, hinges[k].nest_end);
    inboard.nest_mass += hinges[k].nest_mass;
  }
  for (const gyrostat::Wheel& wheel : system.wheels) {
    wheels.push_back({wheel.body, wheel.u, cast<double>(wheel.axis), wheel.inertia});
  }
}

NestedBodyData::NestedBodyData(const NestedBody& constants) : q(constants.speeds), bodies(constants.hinges.size()) {
  bodies[0].R_Xk = identity;
  const auto n = static_cast<Eigen::Index>(constants.speeds);
  A = Eigen::MatrixXd::Zero(n, n);
  b = solution = Eigen::VectorXd::Zero(n);
  factors.compute(Eigen::MatrixXd::Identity(n, n));  // sizes it
}

std::string outside_domain_of_nested_body(const System& system, const DynamicsSettings&) {
  if (system.constraints.empty()) return {};
  return beyond_a_tree(system.constraints.front()) + ", and nested_body takes trees only";
}

namespace {

// --- the motion, from the world outward ------------------------------------------------------------------------------

/// R_PC, and the axes that C turns about, in P's axes.
Rotation rotate_child(const Hinge& hinge, const double* coordinates, std::array<Vector, 3>& axes) {
  if (hinge.ball) {
    const Rotation R_PC = direction_cosines({coordinates[0], coordinates[1], coordinates[2], coordinates[3]});
    axes = {R_PC.x, R_PC.y, R_PC.z};  // C's own axes
    return R_PC;
  }
  if (hinge.rotations.count == 0) return hinge.R_0;
  Quaternion so_far;
  for (std::size_t i = 0; i < hinge.rotations.count; ++i) {
    axes[i] = i == 0 ? hinge.a[0] : turned(so_far, hinge.a[i]);
    so_far = so_far * turn_about(hinge.a[i], coordinates[i]);
  }
  return direction_cosines(so_far) * hinge.R_0;  // (1)
}

/// Orientation of body k, or of the world where body k is the computing frame, and the free coordinate vectors of
/// hinge k.
void orient(const Hinge& hinge, const double* coordinates, MovingBody& inboard, MovingBody& body,
            std::vector<Vector>& q) {
  std::array<Vector, 3> axes;
  const Rotation R_PC = rotate_child(hinge, coordinates + hinge.rotations.coordinate, axes);
  const Rotation R_Jk = hinge.reversed ? transposed(R_PC) : R_PC;
  if (hinge.computing) inboard.R_Xk = transposed(R_Jk);  // (2)
  body.R_Xk = hinge.computing ? identity : inboard.R_Xk * R_Jk;
  const Rotation& R_P = hinge.reversed ? body.R_Xk : inboard.R_Xk;
  for (std::size_t i = 0; i < hinge.rotations.count; ++i)
    q[hinge.rotations.speed + i] = hinge.sign * (R_P * axes[i]);  // (3)
  for (std::size_t i = 0; i < hinge.translations.count; ++i)
    q[hinge.translations.speed + i] = hinge.sign * (R_P * hinge.d[i]);
}

/// Angular velocity and acceleration of body k.
void rotate(const Hinge& hinge, const double* u, const double* udot, const MovingBody& inboard, const Vector* q,
            MovingBody& body) {
  body.w = inboard.w;
  for (std::size_t m = hinge.rotations.speed; m < hinge.rotations.speed + hinge.rotations.count; ++m)
    body.w += u[m] * q[m];  // (4)
  Vector w_q = inboard.w;   // of the vector's frame, but for what cancels in the sum
  body.w_dot = inboard.w_dot;
  for (std::size_t m = hinge.rotations.speed; m < hinge.rotations.speed + hinge.rotations.count; ++m) {
    body.w_dot += udot[m] * q[m] + u[m] * cross(w_q, q[m]);  // (5), (6)
    if (!hinge.ball) w_q += (hinge.sign * u[m]) * q[m];
  }
}

/// Places of body k, and the acceleration of its base point.
void translate(const Hinge& hinge, const double* coordinates, const double* u, const double* udot,
               const MovingBody& inboard, const Vector* q, MovingBody& body) {
  Vector displacement, displacement_rate, displacement_accel;  // displacement within P and its rates
  for (std::size_t i = 0; i < hinge.translations.count; ++i) {
    const std::size_t m = hinge.translations.speed + i;
    displacement += coordinates[hinge.translations.coordinate + i] * q[m];
    displacement_rate += u[m] * q[m];
    displacement_accel += udot[m] * q[m];
  }
  const Vector beta = inboard.R_Xk * hinge.beta, alpha = body.R_Xk * hinge.alpha;
  const MovingBody& P = hinge.reversed ? body : inboard;
  if (hinge.inboard != 0) body.base = inboard.base + beta + displacement;  // (7)
  body.pivot = hinge.reversed ? body.base - displacement : body.base;
  body.com = body.base + alpha;
  body.base_accel = inboard.base_accel + cross(inboard.w_dot, beta) + cross(inboard.w, cross(inboard.w, beta)) +
                    cross(P.w_dot, displacement) + cross(P.w, cross(P.w, displacement) + 2.0 * displacement_rate) +
                    displacement_accel;  // (8)
}

void move_wheels(const NestedBody& c, const double* u, const double* udot, NestedBodyData& n) {
  for (MovingBody& body : n.bodies) body.wheel_momentum = body.wheel_torque = {};
  for (const NestedBody::Wheel& wheel : c.wheels) {
    MovingBody& body = n.bodies[wheel.body];
    const Vector axis = n.q[wheel.speed] = body.R_Xk * wheel.axis;  // (3)
    body.wheel_momentum += (wheel.inertia * u[wheel.speed]) * axis;
    body.wheel_torque += (wheel.inertia * udot[wheel.speed]) * axis;
  }
}

/// What acts on a body, from its base point to its mass centre and less what its motion takes.
void load(const Hinge& hinge, MovingBody& body) {
  const Vector T = body.torque, F = body.force;
  const Vector alpha = body.com - body.base;
  const Vector accel = body.base_accel + cross(body.w_dot, alpha) + cross(body.w, cross(body.w, alpha));  // (9)
  body.inertia = turned(body.R_Xk, hinge.inertia);
  body.force = F - hinge.mass * accel;                                                              // (12)
  body.torque = T - cross(alpha, F) - body.inertia * body.w_dot - body.wheel_torque;                // (13)
  if (hinge.gyroscopic) body.torque -= cross(body.w, body.inertia * body.w + body.wheel_momentum);  // (11)
}

// --- the nests -------------------------------------------------------------------------------------------------------

Nest sum(std::size_t k, const NestedBody& c, const NestedBodyData& n) {
  Nest nest;
  for (std::size_t i = k; i < c.hinges[k].nest_end; ++i) {
    const MovingBody& body = n.bodies[i];
    const double mass = c.hinges[i].mass;
    const Vector gamma = body.com - n.bodies[k].pivot;  // (10)
    nest.moment += mass * gamma;                        // (14)
    nest.inertia += body.inertia + of_mass(mass, gamma);
    nest.force += body.force;  // (15)
    nest.torque += body.torque + cross(gamma, body.force);
  }
  return nest;
}

/// The row of a free speed whose unit acceleration takes `force` from nest i and, about the nest's pivot, `torque`.
/// Columns of given speeds are zero: what they do is in the motion already.
void fill_row(std::size_t row, std::size_t i, const Vector& torque, const Vector& force, const NestedBody& c,
              const Forces<double>& forces, NestedBodyData& n) {
  const auto set = [&](std::size_t column, double value) {
    n.A(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = forces.free[column] ? value : 0;
  };
  for (std::size_t k = i; k != 0; k = c.hinges[k].inboard) {  // the nests that contain nest i
    const NestedBody::Vectors &rotations = c.hinges[k].rotations, &translations = c.hinges[k].translations;
    const Vector about_k = torque + cross(n.bodies[i].pivot - n.bodies[k].pivot, force);  // (17)
    for (std::size_t m = rotations.speed; m < rotations.speed + rotations.count; ++m)
      set(m, dot(n.q[m], about_k));  // (18)
    for (std::size_t m = translations.speed; m < translations.speed + translations.count; ++m)
      set(m, dot(n.q[m], force));
  }
}

/// The equation of a given speed: its acceleration is no unknown.
void fill_given(std::size_t row, NestedBodyData& n) {
  const auto at = static_cast<Eigen::Index>(row);
  n.A.row(at).head(at).setZero();
  n.A(at, at) = 1;
  n.b[at] = 0;
}

/// The equations of the free coordinate vectors of hinge k.
void fill_hinge(std::size_t k, const NestedBody& c, const Forces<double>& forces, NestedBodyData& n) {
  const Hinge& hinge = c.hinges[k];
  const Nest nest = sum(k, c, n);
  const auto fill = [&](const NestedBody::Vectors& vectors, auto torque, auto force, const Vector& driving) {
    for (std::size_t m = vectors.speed; m < vectors.speed + vectors.count; ++m) {
      if (!forces.free[m]) {
        fill_given(m, n);
        continue;
      }
      fill_row(m, k, torque(n.q[m]), force(n.q[m]), c, forces, n);               // (16)
      n.b[static_cast<Eigen::Index>(m)] = forces.tau[m] + dot(n.q[m], driving);  // (20)
    }
  };
  fill(
      hinge.rotations, [&](const Vector& q) { return nest.inertia * q; },
      [&](const Vector& q) { return cross(q, nest.moment); }, nest.torque);
  fill(
      hinge.translations, [&](const Vector& q) { return cross(nest.moment, q); },
      [&](const Vector& q) { return hinge.nest_mass * q; }, nest.force);
}

/// The equation of a wheel about its axis: it takes a torque and no force from the nests around it.
void fill_wheel(const NestedBody::Wheel& wheel, const NestedBody& c, const Forces<double>& forces, NestedBodyData& n) {
  if (!forces.free[wheel.speed]) return fill_given(wheel.speed, n);
  const Vector torque = wheel.inertia * n.q[wheel.speed];
  const auto at = static_cast<Eigen::Index>(wheel.speed);
  fill_row(wheel.speed, wheel.body, torque, {}, c, forces, n);  // (19)
  n.A(at, at) = wheel.inertia;
  n.b[at] = forces.tau[wheel.speed] - dot(torque, n.bodies[wheel.body].w_dot);  // (20)
}

}  // namespace

void accelerations(const NestedBody& c, const double* q, const double* u, const Forces<double>& forces,
                   NestedBodyData& n, double* udot) {
  // Until they are known, the bodies move as if the unknown accelerations were zero.
  for (std::size_t m = 0; m < c.speeds; ++m) udot[m] = forces.free[m] ? 0 : forces.udot[m];

  for (std::size_t k = 1; k < c.hinges.size(); ++k) {
    const Hinge& hinge = c.hinges[k];
    MovingBody &inboard = n.bodies[hinge.inboard], &body = n.bodies[k];
    orient(hinge, q, inboard, body, n.q);
    rotate(hinge, u, udot, inboard, n.q.data(), body);
    translate(hinge, q, u, udot, inboard, n.q.data(), body);
    body.torque = n.bodies[0].R_Xk * forces.wrench[k].torque;
    body.force = n.bodies[0].R_Xk * forces.wrench[k].force;
  }
  move_wheels(c, u, udot, n);
  for (std::size_t k = 1; k < c.hinges.size(); ++k) load(c.hinges[k], n.bodies[k]);

  for (std::size_t k = 1; k < c.hinges.size(); ++k) fill_hinge(k, c, forces, n);
  for (const NestedBody::Wheel& wheel : c.wheels) fill_wheel(wheel, c, forces, n);
  if (c.speeds == 0) return;
  n.factors.compute(n.A);
  n.solution = n.factors.solve(n.b);  // (21)
  for (std::size_t m = 0; m < c.speeds; ++m) {
    if (forces.free[m]) udot[m] = n.solution[static_cast<Eigen::Index>(m)];
  }
}

}  // namespace gyrostat
