// The motion of a mode as it is drawn: scaled by the point that moves farthest.
#pragma once

#include "gyrostat/analysis/mode_motion.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// Finds the numbers of AnalysisMode::motion.
class ModeScale {
 public:
  /// `poses` are those of all bodies and the world at the operating point. Keeps pointing at all of them.
  ModeScale(const System& system, const Scene& scene, const std::vector<Pose>& poses);

  /// How many numbers a mode has.
  [[nodiscard]] std::size_t numbers() const { return numbers_; }

  struct Scaled {
    std::vector<float> numbers;  // as payload.ts says; empty: nothing that is drawn moves
    int body = -1;               // that with the point that moves farthest, as in the scene
    double rotation = 0;         // the largest of a body where the largest displacement is 1 m [rad]
  };
  [[nodiscard]] Scaled scaled(const ModeMotion& motion) const;

 private:
  /// The displacement of a point that is drawn.
  struct Moved {
    Eigen::Vector3cd by = Eigen::Vector3cd::Zero();  // world axes [m]
    std::size_t body = 0;                            // of the system
  };
  template <class See>
  void see_points(const ModeMotion& motion, const See& see) const;

  const System& system_;
  const Scene& scene_;
  const std::vector<Pose>& poses_;
  std::vector<std::vector<Vector3>> points_;   // by body: those drawn of it that are no nodes, body axes [m]
  std::vector<const FlexibleBody*> flexible_;  // as in the scene
  std::size_t numbers_ = 0;
};

}  // namespace gyrostat::report
