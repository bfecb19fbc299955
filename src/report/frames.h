// Where everything is, at some or all of the records of a run.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/load.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::report {

struct Frames {
  std::vector<double> time;               // [s]
  std::vector<Vector3> centre;            // mass centre, world axes [m]
  std::vector<std::vector<float>> poses;  // by body without the world: 7 numbers a frame, as in SceneBody::pose
  std::vector<Pose> first;                // X_NB of every body and the world in the first frame
};

inline constexpr std::size_t most_frames = 20'000, most_bodies = 2'000, most_poses = 4'000'000;

/// The records that become frames: every n-th, the first and the last among them.
std::vector<std::size_t> frame_records(std::size_t records, std::size_t bodies);

/// A column, or that of the same name in the group `motion`, which runs with output.record have.
std::optional<std::size_t> find_motion(const results::ResultsReader& results, const std::string& name);

/// No frames if there is nothing to see; a warning says why. Records with numbers that are not finite are left out.
Frames frames_of(const System& system, const results::ResultsReader& results, std::vector<std::string>& warnings);

}  // namespace gyrostat::report
