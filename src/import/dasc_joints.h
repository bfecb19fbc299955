// The joints of a deck as joints of a model: axes, coordinates and rates that give the initial poses of the bodies.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/import/dasc_deck.h"

namespace gyrostat::dasc {

struct ModelJoint {
  std::string name, type;
  int parent = 0, child = 0;  // bodies, 0 for the world
  Vector3 parent_point, child_point;
  std::vector<Vector3> axes;                  // parent's axes, at zero coordinates
  Matrix3 orientation = Matrix3::Identity();  // at zero coordinates; of a free or spherical one, at the start
  std::vector<double> coordinates, speeds;    // at the start, where it has axes
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero(),
          omega = Vector3::Zero();  // of a free or spherical one
  std::string acceleration;         // prescribed, or empty
  double gap = 0;                   // between the two joint points [m]
  double lean = 0;                  // of the two axes from where they should be [rad]
};

/// Joint k of the deck, with the name joint<k>.
ModelJoint model_joint(const Deck& deck, std::size_t k);

/// A free joint for the first body of everything that no joint connects with a ground, and a weld for every ground.
std::vector<ModelJoint> base_joints(const Deck& deck);

/// 0 for the ground that is no body of the deck.
int model_body(const Deck& deck, int body);

/// "sin(t)" of DASC's functions, "table(curve3, t)", or the constant; of time.
std::string of_time(const Deck& deck, int curve, double constant);

}  // namespace gyrostat::dasc
