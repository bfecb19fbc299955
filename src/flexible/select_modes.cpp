#include "gyrostat/flexible/select_modes.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/flexible/reference_frame.h"

namespace gyrostat {

namespace {

struct DataSelector {
  const FlexibleData& data;
  const Vector3& point;

  [[nodiscard]] static std::vector<Eigen::Index> first_of(std::size_t count) {
    std::vector<Eigen::Index> list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(static_cast<Eigen::Index>(i));
    return list;
  }

  std::vector<Eigen::Index> operator()(const ModeCount& wanted) const {
    if (wanted.count > data.modes()) {
      throw std::invalid_argument(fmt::format("{} modes are wanted, the data have {}", wanted.count, data.modes()));
    }
    return first_of(wanted.count);
  }

  std::vector<Eigen::Index> operator()(const ModesBelow& limit) const {
    if (!(limit.frequency > 0)) {
      throw std::invalid_argument(fmt::format("modes below {} Hz are wanted; it must be positive", limit.frequency));
    }
    std::size_t count = 0;
    for (const double k : Eigen::VectorXd(data.stiffness.diagonal())) {
      count += std::sqrt(k) < 2 * std::numbers::pi * limit.frequency;
    }
    return first_of(count);
  }

  std::vector<Eigen::Index> operator()(const ModeNumbers& wanted) const {
    std::vector<bool> chosen(data.modes(), false);
    for (const std::size_t number : wanted.numbers) {
      if (number < 1 || number > data.modes()) {
        throw std::invalid_argument(fmt::format("mode {} is wanted, the data have 1 to {}", number, data.modes()));
      }
      if (chosen[number - 1]) throw std::invalid_argument(fmt::format("mode {} is wanted twice", number));
      chosen[number - 1] = true;
    }
    std::vector<Eigen::Index> list;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) list.push_back(static_cast<Eigen::Index>(i));
    }
    return list;
  }

  std::vector<Eigen::Index> operator()(const EffectiveMassFraction& wanted) const {
    if (!(wanted.fraction > 0 && wanted.fraction <= 1)) {
      throw std::invalid_argument(fmt::format(
          "the fraction {} of the effective mass is wanted; it must be above 0 and at most 1", wanted.fraction));
    }
    if (data.frame_node == FlexibleData::floating && !data.integrals) {
      throw std::invalid_argument(
          "modes of a free structure have no effective mass; select them by count, frequency or number");
    }
    const EffectiveMasses masses = effective_masses(data, point);
    const Vector6 all = masses.modes.rowwise().sum();
    Vector6 sum = Vector6::Zero();
    std::size_t count = 0;
    const auto done = [&] {
      for (Eigen::Index i = 0; i < 6; ++i) {
        const double largest = all.segment<3>(i < 3 ? 0 : 3).maxCoeff();
        if (all(i) > 1e-12 * largest && sum(i) < wanted.fraction * (1 - 1e-12) * all(i)) return false;
      }
      return true;
    };
    while (count < data.modes() && !done()) sum += masses.modes.col(static_cast<Eigen::Index>(count++));
    return first_of(count);
  }
};

}  // namespace

FlexibleData selected_modes(const FlexibleData& data, const ModeSelection& selection, const Vector3& point) {
  const std::vector<Eigen::Index> chosen = std::visit(DataSelector{data, point}, selection);
  if (chosen.empty()) throw std::invalid_argument("no mode is selected");
  if (chosen.size() == data.modes()) return data;
  const auto m = static_cast<Eigen::Index>(data.modes());
  Eigen::MatrixXd combination = Eigen::MatrixXd::Zero(m, static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) combination(chosen[i], static_cast<Eigen::Index>(i)) = 1;
  return combined_modes(data, combination);
}

}  // namespace gyrostat
