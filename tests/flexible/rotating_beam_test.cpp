// Frequencies of a cantilever that rotates about z at its root, from modal integrals: the modal stiffness is then
// K_ab - 1/2 w' J2_ab w.
#include <gtest/gtest.h>

#include "gyrostat/flexible/modal_integrals.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace {

struct Speed {
  double gamma, first, second;  // speed and published frequencies out of the plane, in units of sqrt(EI / m L^4)
};

FlexibleData flat_beam(bool in_plane) {
  BeamDescription beam = unit_beam(24);
  beam.EI = in_plane ? std::array{1e6, 1.0} : std::array{1.0, 1e6};
  return make_beam(beam, "root", {"tip"}, first_modes(30));
}

Eigen::VectorXd rotating_frequencies(const FlexibleData& data, double gamma) {
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::stiffened);
  Eigen::MatrixXd K = data.stiffness;
  for (std::size_t a = 0; a < data.modes(); ++a) {
    for (std::size_t b = 0; b < data.modes(); ++b) {
      K(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) -=
          0.5 * gamma * gamma * sums.J2[pair_index(a, b)](2, 2);
    }
  }
  return frequencies(K, data.mass);
}

// The error of the mesh is (beta h)^4 / 1440 = 1e-6 for the second mode without rotation; thirty modes leave out less.
TEST(RotatingBeam, OutOfThePlaneHasThePublishedFrequencies) {
  const FlexibleData data = flat_beam(false);
  for (const auto& [gamma, first, second] : {Speed{0, 3.51601527, 22.03449156}, Speed{2, 4.13731957, 22.61492196},
                                             Speed{6, 7.36037302, 26.80908168}, Speed{12, 13.17015049, 37.60311233}}) {
    const Eigen::VectorXd w = rotating_frequencies(data, gamma);
    EXPECT_NEAR(w(0) / first, 1, 2e-6) << gamma;
    EXPECT_NEAR(w(1) / second, 1, 2e-6) << gamma;
  }
}

TEST(RotatingBeam, InThePlaneHasThePublishedFrequency) {
  EXPECT_NEAR(rotating_frequencies(flat_beam(true), 6)(0) / 4.26322542, 1, 2e-6);
}

}  // namespace
}  // namespace gyrostat
