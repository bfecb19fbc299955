#include "gyrostat/dynamics/nested_body.h"

#include <algorithm>
#include <cmath>

namespace gyrostat {

namespace {

using Vector = NestedBody::Vector;
using Rotation = NestedBody::Rotation;
using Dyadic = NestedBody::Dyadic;
using Hinge = NestedBody::Hinge;
using MovingBody = NestedBody::MovingBody;
using Nest = NestedBody::Nest;

constexpr Rotation identity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

Rotation transposed(const Rotation& R) { return {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}}; }

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

/// `unknown`: how many unknowns stand before those of this joint.
void set_free_coordinate_vectors(const Joint& joint, std::uint32_t unknown, Hinge& hinge) {
  std::uint32_t turns = joint.rotations, slides = joint.translations;
  if (has_quaternion(joint.type)) {
    hinge.ball = true;
    turns = 3;
    slides = joint.type == JointType::free ? 3 : 0;
    hinge.d = {Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
    hinge.turns = {turns, joint.q + slides, joint.u, unknown};
    hinge.slides = {slides, joint.q, joint.u + turns, unknown + turns};
    return;
  }
  for (std::size_t i = 0; i < turns; ++i) hinge.a[i] = cast<double>(joint.a[i]);
  for (std::size_t i = 0; i < slides; ++i) hinge.d[i] = cast<double>(joint.d[i]);
  const std::uint32_t before_turns = joint.rotation_first ? 0 : slides;
  const std::uint32_t before_slides = joint.rotation_first ? turns : 0;
  hinge.turns = {turns, joint.q + before_turns, joint.u + before_turns, unknown + before_turns};
  hinge.slides = {slides, joint.q + before_slides, joint.u + before_slides, unknown + before_slides};
}

Hinge make_hinge(const System& system, std::uint32_t k, std::size_t unknowns, const DynamicsSettings& settings) {
  const Joint& joint = system.joints[k];
  const MassProperties& body = system.bodies[k].mass_properties;
  Hinge hinge;
  hinge.inboard = system.parent[k];
  hinge.nest_end = k + 1;
  hinge.reversed = joint.reversed;
  hinge.sign = joint.reversed ? -1 : 1;
  hinge.free = joint.motion == Motion::free;
  hinge.R_0 = cast<double>(joint.R_0);
  set_free_coordinate_vectors(joint, static_cast<std::uint32_t>(unknowns), hinge);
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
    : hinges(system.bodies.size()), q(static_cast<std::size_t>(system.initial.u.size())), bodies(hinges.size()) {
  const auto is = [this](Motion motion, std::uint32_t speed) {
    if (motion == Motion::free) unknowns.push_back(speed);
    if (motion == Motion::prescribed) given.push_back(speed);
  };
  for (std::uint32_t k = 1; k < hinges.size(); ++k) {
    const Joint& joint = system.joints[k];
    hinges[k] = make_hinge(system, k, unknowns.size(), settings);
    for (std::uint32_t i = 0; i < joint.nu; ++i) is(joint.motion, joint.u + i);
  }
  for (std::size_t k = hinges.size(); k-- > 1;) {  // nests within nests
    Hinge& inboard = hinges[hinges[k].inboard];
    inboard.nest_end = std::max(inboard.nest_end, hinges[k].nest_end);
    inboard.nest_mass += hinges[k].nest_mass;
  }
  for (const Wheel& wheel : system.wheels) {
    wheel_unknown.push_back(wheel.speed_prescribed ? -1 : static_cast<int>(unknowns.size()));
    is(wheel.speed_prescribed ? Motion::prescribed : Motion::free, wheel.u);
  }
  bodies[0].R = identity;
  const auto n = static_cast<Eigen::Index>(unknowns.size());
  A = Eigen::MatrixXd::Zero(n, n);
  b = solution = Eigen::VectorXd::Zero(n);
  factors.compute(Eigen::MatrixXd::Identity(n, n));  // sizes it; unused values are values all the same
}

std::string outside_domain_of_nested_body(const System& system, const DynamicsSettings&) {
  if (system.constraints.empty()) return {};
  return "joint '" + system.constraints.front().name + "' closes a loop, and nested_body takes trees only";
}

namespace {

// --- the motion, from the world outward ------------------------------------------------------------------------------

/// R_PC, and the axes that C turns about, in P's axes.
Rotation turn(const Hinge& hinge, const double* coordinates, std::array<Vector, 3>& axes) {
  if (hinge.ball) {
    const Rotation R_PC = direction_cosines({coordinates[0], coordinates[1], coordinates[2], coordinates[3]});
    axes = {R_PC.x, R_PC.y, R_PC.z};  // C's own axes
    return R_PC;
  }
  if (hinge.turns.count == 0) return hinge.R_0;
  Quaternion so_far;
  for (std::size_t i = 0; i < hinge.turns.count; ++i) {
    axes[i] = i == 0 ? hinge.a[0] : turned(so_far, hinge.a[i]);
    so_far = so_far * turn_about(hinge.a[i], coordinates[i]);
  }
  return direction_cosines(so_far) * hinge.R_0;  // (1)
}

/// Orientation of body k, or of the world where body k is the computing frame, and the free coordinate vectors of
/// hinge k.
void orient(const Hinge& hinge, const State& state, MovingBody& inboard, MovingBody& body, std::vector<Vector>& q) {
  std::array<Vector, 3> axes;
  const Rotation R_PC = turn(hinge, state.q.data() + hinge.turns.coordinate, axes);
  const Rotation R_Jk = hinge.reversed ? transposed(R_PC) : R_PC;
  if (hinge.computing) inboard.R = transposed(R_Jk);  // (2)
  body.R = hinge.computing ? identity : inboard.R * R_Jk;
  const Rotation& R_P = hinge.reversed ? body.R : inboard.R;
  for (std::size_t i = 0; i < hinge.turns.count; ++i) q[hinge.turns.speed + i] = hinge.sign * (R_P * axes[i]);  // (3)
  for (std::size_t i = 0; i < hinge.slides.count; ++i) q[hinge.slides.speed + i] = hinge.sign * (R_P * hinge.d[i]);
}

/// Angular velocity and acceleration of body k.
void rotate(const Hinge& hinge, const double* u, const double* udot, const MovingBody& inboard, const Vector* q,
            MovingBody& body) {
  body.w = inboard.w;
  for (std::size_t m = hinge.turns.speed; m < hinge.turns.speed + hinge.turns.count; ++m) body.w += u[m] * q[m];  // (4)
  Vector w_q = inboard.w;  // of the vector's frame, but for what cancels in the sum
  body.w_dot = inboard.w_dot;
  for (std::size_t m = hinge.turns.speed; m < hinge.turns.speed + hinge.turns.count; ++m) {
    body.w_dot += udot[m] * q[m] + u[m] * cross(w_q, q[m]);  // (5), (6)
    if (!hinge.ball) w_q += (hinge.sign * u[m]) * q[m];
  }
}

/// Places of body k, and the acceleration of its base point.
void translate(const Hinge& hinge, const State& state, const double* udot, const MovingBody& inboard, const Vector* q,
               MovingBody& body) {
  Vector slide, slide_rate, slide_accel;  // within P
  for (std::size_t i = 0; i < hinge.slides.count; ++i) {
    const std::size_t m = hinge.slides.speed + i;
    slide += state.q.data()[hinge.slides.coordinate + i] * q[m];
    slide_rate += state.u.data()[m] * q[m];
    slide_accel += udot[m] * q[m];
  }
  const Vector beta = inboard.R * hinge.beta, alpha = body.R * hinge.alpha;
  const MovingBody& P = hinge.reversed ? body : inboard;
  if (hinge.inboard != 0) body.base = inboard.base + beta + slide;  // (7)
  body.pivot = hinge.reversed ? body.base - slide : body.base;
  body.com = body.base + alpha;
  body.base_accel = inboard.base_accel + cross(inboard.w_dot, beta) + cross(inboard.w, cross(inboard.w, beta)) +
                    cross(P.w_dot, slide) + cross(P.w, cross(P.w, slide) + 2.0 * slide_rate) + slide_accel;  // (8)
}

void move_wheels(const System& system, const State& state, const Eigen::VectorXd& udot, NestedBody& n) {
  for (MovingBody& body : n.bodies) body.wheel_momentum = body.wheel_torque = {};
  for (const Wheel& wheel : system.wheels) {
    MovingBody& body = n.bodies[wheel.body];
    const Vector axis = n.q[wheel.u] = body.R * cast<double>(wheel.axis);  // (3)
    body.wheel_momentum += (wheel.inertia * state.u[wheel.u]) * axis;
    body.wheel_torque += (wheel.inertia * udot[wheel.u]) * axis;
  }
}

/// What acts on a body, from its base point to its mass centre and less what its motion takes.
void load(const Hinge& hinge, MovingBody& body) {
  const Vector T = body.torque, F = body.force;
  const Vector alpha = body.com - body.base;
  const Vector accel = body.base_accel + cross(body.w_dot, alpha) + cross(body.w, cross(body.w, alpha));  // (9)
  body.inertia = turned(body.R, hinge.inertia);
  body.force = F - hinge.mass * accel;                                                              // (12)
  body.torque = T - cross(alpha, F) - body.inertia * body.w_dot - body.wheel_torque;                // (13)
  if (hinge.gyroscopic) body.torque -= cross(body.w, body.inertia * body.w + body.wheel_momentum);  // (11)
}

// --- the nests -------------------------------------------------------------------------------------------------------

Nest sum(std::size_t k, const NestedBody& n) {
  Nest nest;
  for (std::size_t i = k; i < n.hinges[k].nest_end; ++i) {
    const MovingBody& body = n.bodies[i];
    const double mass = n.hinges[i].mass;
    const Vector gamma = body.com - n.bodies[k].pivot;  // (10)
    nest.moment += mass * gamma;                        // (14)
    nest.inertia += body.inertia + of_mass(mass, gamma);
    nest.force += body.force;  // (15)
    nest.torque += body.torque + cross(gamma, body.force);
  }
  return nest;
}

/// The row of an unknown whose unit acceleration takes `force` from nest i and, about the nest's pivot, `torque`.
void fill_row(std::size_t row, std::size_t i, const Vector& torque, const Vector& force, NestedBody& n) {
  const auto A = [&](std::size_t column) -> double& {
    return n.A(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
  };
  for (std::size_t k = i; k != 0; k = n.hinges[k].inboard) {  // the nests that contain nest i
    if (!n.hinges[k].free) continue;
    const NestedBody::Vectors &turns = n.hinges[k].turns, &slides = n.hinges[k].slides;
    const Vector about_k = torque + cross(n.bodies[i].pivot - n.bodies[k].pivot, force);                      // (17)
    for (std::size_t j = 0; j < turns.count; ++j) A(turns.unknown + j) = dot(n.q[turns.speed + j], about_k);  // (18)
    for (std::size_t j = 0; j < slides.count; ++j) A(slides.unknown + j) = dot(n.q[slides.speed + j], force);
  }
}

/// The equations of the free coordinate vectors of hinge k.
void fill_hinge(std::size_t k, const Forces<double>& forces, NestedBody& n) {
  const Hinge& hinge = n.hinges[k];
  if (!hinge.free) return;
  const Nest nest = sum(k, n);
  for (std::size_t j = 0; j < hinge.turns.count; ++j) {
    const std::size_t row = hinge.turns.unknown + j, m = hinge.turns.speed + j;
    fill_row(row, k, nest.inertia * n.q[m], cross(n.q[m], nest.moment), n);          // (16)
    n.b[static_cast<Eigen::Index>(row)] = forces.tau[m] + dot(n.q[m], nest.torque);  // (20)
  }
  for (std::size_t j = 0; j < hinge.slides.count; ++j) {
    const std::size_t row = hinge.slides.unknown + j, m = hinge.slides.speed + j;
    fill_row(row, k, cross(nest.moment, n.q[m]), hinge.nest_mass * n.q[m], n);      // (16)
    n.b[static_cast<Eigen::Index>(row)] = forces.tau[m] + dot(n.q[m], nest.force);  // (20)
  }
}

/// The equation of a wheel about its axis: it takes a torque and no force from the nests around it.
void fill_wheel(const Wheel& wheel, std::size_t row, const Forces<double>& forces, NestedBody& n) {
  const Vector torque = wheel.inertia * n.q[wheel.u];
  const auto at = static_cast<Eigen::Index>(row);
  fill_row(row, wheel.body, torque, {}, n);  // (19)
  n.A(at, at) = wheel.inertia;
  n.b[at] = forces.tau[wheel.u] - dot(torque, n.bodies[wheel.body].w_dot);  // (20)
}

}  // namespace

void accelerations(const System& system, const State& state, const Forces<double>& forces, NestedBody& n,
                   Eigen::VectorXd& udot) {
  udot.setZero(state.u.size());  // until they are known: the bodies move as if the unknown accelerations were zero
  for (const std::uint32_t speed : n.given) udot[speed] = forces.udot[speed];

  for (std::size_t k = 1; k < n.hinges.size(); ++k) {
    const Hinge& hinge = n.hinges[k];
    MovingBody &inboard = n.bodies[hinge.inboard], &body = n.bodies[k];
    orient(hinge, state, inboard, body, n.q);
    rotate(hinge, state.u.data(), udot.data(), inboard, n.q.data(), body);
    translate(hinge, state, udot.data(), inboard, n.q.data(), body);
    body.torque = n.bodies[0].R * forces.wrench[k].torque;
    body.force = n.bodies[0].R * forces.wrench[k].force;
  }
  move_wheels(system, state, udot, n);
  for (std::size_t k = 1; k < n.hinges.size(); ++k) load(n.hinges[k], n.bodies[k]);

  for (std::size_t k = 1; k < n.hinges.size(); ++k) fill_hinge(k, forces, n);
  for (std::size_t i = 0; i < system.wheels.size(); ++i) {
    if (n.wheel_unknown[i] >= 0) fill_wheel(system.wheels[i], static_cast<std::size_t>(n.wheel_unknown[i]), forces, n);
  }
  if (n.unknowns.empty()) return;
  n.factors.compute(n.A);
  n.solution = n.factors.solve(n.b);  // (21)
  for (std::size_t i = 0; i < n.unknowns.size(); ++i) udot[n.unknowns[i]] = n.solution[static_cast<Eigen::Index>(i)];
}

}  // namespace gyrostat
