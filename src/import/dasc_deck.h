// A data deck of DASC, the program of Tsai's thesis for dynamic analysis and system control (University of Arizona):
// the records that its subroutine DINPUT reads. Everything is in SI; bodies, joints, curves and spring-damper-actuators
// are numbered from 1.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gyrostat/format/problem.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat::dasc {

struct Body {
  Place place;
  Vector3 position;  // of the mass centre, world axes [m]
  Matrix3 R_NB;
  Vector3 velocity;  // world axes [m/s]
  Vector3 omega;     // body axes [rad/s]
  double mass = 0;   // [kg]
  Vector3 inertia;   // principal, body axes [kg m^2]
};

enum class JointKind { translational = 1, revolute, spherical, gear, universal };

struct Joint {
  Place place;
  int i = 0, j = 0;  // bodies
  JointKind kind = JointKind::revolute;
  Vector3 p_i, p_j;  // the joint point, in the axes of either body [m]
  Vector3 q_i, q_j;  // a second one: the axis is from p to q
  int drive_curve = 0;
  double drive = 0;  // of a gear: the relative acceleration that is imposed [rad/s^2]
};

struct Force {
  Place place;
  int body = 0;
  bool moment = false, off_centre = false, local = false;
  int curve = 0;             // of the magnitude over time
  double magnitude = 0;      // [N, N m]
  Vector3 point, direction;  // body axes [m]; world or body axes
};

/// A spring-damper-actuator.
struct Sda {
  Place place;
  int i = 0, j = 0, joint = 0;
  bool rotational = false;
  std::array<int, 3> curves{};  // of stiffness, damping and actuator
  double stiffness = 0, damping = 0, actuator = 0;
  double rest = 0;           // [m, rad]
  Vector3 point_i, point_j;  // attachments; of a rotational one, the lines are from the joint point to them
  Vector3 axis_i = Vector3::Zero(), axis_j = Vector3::Zero();  // of the moments on i and j
};

struct Curve {
  Place place;
  std::vector<double> x, y;
};

/// The two-stage decentralised control of section 4.3.
struct Control {
  struct Independent {
    int system = 0, body = 0;
    double weight = 0, target = 0;                                // target [rad]
    double stiffness = 0, damping = 0, amplitude = 0, limit = 0;  // [N m/rad, N m s/rad, N m, N m]
  };
  struct Dependent {
    int system = 0, related = 0;
    double ratio = 0;
  };
  Place place;
  double switch_index = 0, final_index = 0;  // of performance
  std::vector<Independent> independent;
  std::vector<Dependent> dependent;
  // stage 2
  int adjusted_system = 0, adjusted_body = 0, steering_x = 0, steering_y = 0;
  double target_x = 0, target_y = 0;  // [rad]
  double limit = 0;                   // [N m]
};

struct Deck {
  double gravity_ratio = 0;            // to 9.8066 m/s^2, along -z
  std::vector<int> grounds;            // bodies; none: body number count + 1 stands for the ground
  double t0 = 0, t_end = 0, step = 0;  // [s]
  int steps_per_report = 1;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Force> forces;
  std::vector<Sda> sdas;
  std::vector<Curve> curves;
  std::optional<Control> control;

  [[nodiscard]] bool is_ground(int body) const;
};

/// Nothing if there are errors, each with its line.
std::optional<Deck> read_deck(const Source& source, Problems& problems);

}  // namespace gyrostat::dasc
