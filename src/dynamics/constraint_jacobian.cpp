#include "gyrostat/dynamics/constraint_jacobian.h"

#include <algorithm>

#include "gyrostat/dynamics/inertia.h"

namespace gyrostat {

RowStructure::RowStructure() = default;
RowStructure::RowStructure(const RowStructure& other) = default;
RowStructure::RowStructure(RowStructure&& other) noexcept = default;
RowStructure& RowStructure::operator=(const RowStructure& other) = default;
RowStructure& RowStructure::operator=(RowStructure&& other) noexcept = default;
RowStructure::~RowStructure() = default;

void find_jacobian(const Mechanism& mechanism, const Kinematics<double>& kinematics, const RowStructure& structure,
                   const ConstraintRows<double>& values, std::span<const std::uint32_t> rows,
                   Eigen::Ref<Eigen::MatrixXd> J) {
  J.setZero();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    for (std::size_t side = 0; side < 2; ++side) {
      Wrench<double> F = values.rows[rows[k]].on_bodies[side];
      for (std::uint32_t i = structure.bodies[rows[k]][side]; i != 0; i = mechanism.links[i].parent) {
        const Link& link = mechanism.links[i];
        Twist<double> only;
        const Twist<double>* S = subspace_of(link, kinematics, kinematics.bodies[i], only);
        for (std::uint32_t j = 0; j < link.nu; ++j) J(row, link.u + j) += product(S[j], F);
        F = moved(F, kinematics.bodies[i].r);
      }
    }
    auto term = std::ranges::lower_bound(structure.terms, rows[k], {}, &RowStructure::SpeedTerm::row);
    for (; term != structure.terms.end() && term->row == rows[k]; ++term) {
      J(row, term->u) += values.coefficients[static_cast<std::size_t>(term - structure.terms.begin())];
    }
  }
}

}  // namespace gyrostat
