// Where everything is, at some or all of the records of a run.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/load.h"
#include "gyrostat/report/recorded_columns.h"

namespace gyrostat::report {

struct Frames {
  std::vector<double> time;               // [s]
  std::vector<Vector3> centre;            // mass centre, world axes [m]
  std::vector<std::vector<float>> poses;  // by body without the world: 7 numbers a frame, as in SceneBody::pose
  std::vector<std::vector<float>> modal;  // by flexible body: its modal coordinates, one after another, frame by frame
  std::vector<Pose> first;                // X_NB of every body and the world in the first frame
  double momentum = 0;  // largest sum of magnitudes of the bodies' and wheels' angular momenta about the mass centre,
                        // from one frame to the next [N m s]
};

inline constexpr std::size_t most_frames = 20'000, most_bodies = 2'000, most_poses = 4'000'000;

/// The records that become frames: every n-th, the first and the last among them.
std::vector<std::size_t> frame_records(std::size_t records, std::size_t bodies);

/// In world axes [m]. Computed relative to the first body, so that it is precise far from the world's origin.
/// `moments`: by flexible body what its deformation adds to mass times com, body axes [kg m]; none: nothing is
/// deformed.
Vector3 mass_centre(const System& system, const std::vector<Pose>& poses, const std::vector<Vector3>& moments = {});

/// One frame, at coordinates q; none if they are not finite or there are too many bodies: a warning says so.
Frames still_frame(const System& system, double t, Eigen::VectorXd q, std::vector<std::string>& warnings);

/// No frames if nothing can be shown; a warning says why. Records with non-finite values are left out.
Frames frames_of(const System& system, RecordedColumns& columns, std::vector<std::string>& warnings);

}  // namespace gyrostat::report
