// Perturbations of a configuration: one for each speed. A coordinate's is its own change. Of a rotation R_PC they are
// three small angles about the axes of the child. Where the child of a free joint turns at the operating point, its
// position and velocity are perturbed in its axes too: in those, a steady spin and a motion that is fixed in an orbit
// have a linear model with constant coefficients.
#pragma once

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/plant/run.h"

namespace gyrostat {

class Tangent {
 public:
  /// Keeps pointing at the plant. `free` are the speeds that are, at the operating point.
  Tangent(const Plant& plant, const Eigen::VectorXd& y, const std::vector<Truth>& free);

  /// Speeds that are states, with the coordinates that belong to them: not those of joints that are locked or held, and
  /// of motions that are given functions of time.
  [[nodiscard]] const std::vector<std::uint32_t>& speeds() const { return speeds_; }

  /// Of coordinates, then of speeds, in the axes of the plant.
  void append_directions(std::vector<PlantRun::Direction>& directions) const;

  [[nodiscard]] LinearVariable coordinate(std::size_t k) const;
  [[nodiscard]] LinearVariable speed(std::size_t k) const;

  /// Columns: the perturbations of this class in those of append_directions; orthogonal.
  [[nodiscard]] Eigen::MatrixXd frame() const;
  /// W in q' = W q + u, and what it adds to the derivatives of speeds by speeds.
  [[nodiscard]] Eigen::MatrixXd turning_coordinates() const;
  [[nodiscard]] Eigen::MatrixXd turning_speeds() const;

  /// Rates of the speeds in these axes, from those of y; zero in a steady motion.
  [[nodiscard]] Eigen::VectorXd steady_rates(const Eigen::VectorXd& ydot) const;

  /// The state moved by perturbations that need not be small, in the axes of the plant: a rotation by its vector.
  [[nodiscard]] Eigen::VectorXd moved(const Eigen::VectorXd& coordinates, const Eigen::VectorXd& speeds) const;

  /// The same backwards: what moves the state to y.
  struct Perturbation {
    Eigen::VectorXd coordinates, speeds;
  };
  [[nodiscard]] Perturbation perturbation_to(const Eigen::VectorXd& y) const;

  /// Where the state is after a time in which all speeds stay as they are, in the axes of this class: coordinates go on
  /// at their rates, and the velocity of what turns is turned.
  [[nodiscard]] Eigen::VectorXd carried(double time) const;

  /// Another state with the same speeds: perturbations are of that one.
  void move_to(const Eigen::VectorXd& y);

  /// In words: what spins at the operating point.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  /// Three perturbations that are the components of a vector in axes that turn.
  struct Triple {
    Eigen::Index first = 0;  // among speeds
    std::uint32_t joint = 0;
    Vector3 w;                        // of the axes, in these axes [rad/s]
    Matrix3 R = Matrix3::Identity();  // from these axes to those of the plant
    bool rotation = false;
  };

  const Plant& plant_;
  Eigen::VectorXd y_;
  std::vector<double> q_, u_;
  std::vector<std::uint32_t> speeds_;
  std::vector<Triple> triples_;
};

}  // namespace gyrostat
