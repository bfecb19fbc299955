#include "gyrostat/analysis/state_batch.h"

#include <algorithm>
#include <cmath>

#include "gyrostat/analysis/operating_point.h"
#include "gyrostat/analysis/points.h"

namespace gyrostat {

namespace {

State scattered_state(const Layout& layout, const double* y) {
  State state{Eigen::VectorXd(static_cast<Eigen::Index>(layout.nq)),
              Eigen::VectorXd(static_cast<Eigen::Index>(layout.nu))};
  layout.scatter(y, state.q.data(), state.u.data());
  return state;
}

/// Where the model's orbit is, if its bodies fly there.
State placed_state(const Plant& plant, const double* q, const double* u) {
  State state{Eigen::Map<const Eigen::VectorXd>(q, static_cast<Eigen::Index>(plant.layout().nq)),
              Eigen::Map<const Eigen::VectorXd>(u, static_cast<Eigen::Index>(plant.layout().nu))};
  place_on_orbit(plant.model().description, plant.system(), state);
  return state;
}

}  // namespace

StateBatch::StateBatch(const Model& model, const std::vector<std::string>& inputs) {
  AnalysisPoints points;
  {
    const Plant plain(model, "articulated_body");
    for (const std::string& name : inputs) {
      NamedInput input = find_input(plain, name);
      if (auto* signal = std::get_if<SignalInput>(&input.point)) signal->opened = true;
      points.inputs.push_back(input.point);
      inputs_.push_back(std::move(input.variable));
    }
  }
  plant_ = std::make_unique<Plant>(model, "articulated_body", std::vector<PluginFunction>{}, points);
  run_ = std::make_unique<PlantRun>(*plant_);
  run_->start(start_);
  discrete_ = run_->discrete();
  not_packed_ = find_memory();
  if (!not_packed_.empty()) return;
  const Plant* const one = plant_.get();
  packed_ = std::make_unique<PlantBatch>(std::span(&one, 1));
  for (std::size_t lane = 0; lane < lanes(); ++lane) packed_->set_discrete(lane, discrete_);
  t_.resize(lanes());
  y_.resize(lanes() * plant_->size());
  ydot_.resize(y_.size());
  input_.resize(lanes());
}

std::string StateBatch::find_memory() const {
  const SignalProgram& signals = plant_->signals();
  if (!plant_->system().constraints.empty()) return "the model has constraints";
  if (!signals.prescribed.empty()) return "a motion is prescribed: " + signals.prescribed[0].path;
  if (run_->restrained()) return "joints latch, stick or stop";
  if (!signals.held.empty()) return "the block '" + signals.held[0].name + "' remembers";
  if (signals.switches.size() > 0) return signals.owners[0] + " has a switch";
  if (!signals.starts_at.empty()) return "states of blocks begin where their inputs are";
  return {};
}

void StateBatch::set_inputs(const double* inputs) {
  for (std::size_t k = 0; k < inputs_.size(); ++k) run_->set_input(k, inputs[k]);
}

/// `gather(row, y of lane l at [k * lanes + l], t)` and `scatter(row, ydot likewise)`.
template <class Gather, class Scatter>
void StateBatch::for_packs(std::size_t count, const double* inputs, const Gather& gather, const Scatter& scatter) {
  const std::size_t width = lanes();
  for (std::size_t first = 0; first < count; first += width) {
    const auto row_of = [&](std::size_t lane) { return std::min(first + lane, count - 1); };  // the last one fills up
    for (std::size_t lane = 0; lane < width; ++lane) t_[lane] = gather(row_of(lane), y_.data() + lane, width);
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      for (std::size_t lane = 0; lane < width; ++lane) input_[lane] = inputs[row_of(lane) * inputs_.size() + k];
      packed_->set_input(k, input_.data());
    }
    packed_->derivative(t_.data(), y_.data(), ydot_.data());
    for (std::size_t lane = 0; lane < width && first + lane < count; ++lane) {
      scatter(first + lane, ydot_.data() + lane, width);
    }
  }
}

void StateBatch::derivative(std::size_t count, const double* t, const double* y, const double* inputs, double* ydot) {
  const std::size_t size = plant_->size();
  if (packed_) {
    for_packs(
        count, inputs,
        [&](std::size_t row, double* lane, std::size_t width) {
          for (std::size_t k = 0; k < size; ++k) lane[k * width] = y[row * size + k];
          return t[row];
        },
        [&](std::size_t row, const double* lane, std::size_t width) {
          for (std::size_t k = 0; k < size; ++k) ydot[row * size + k] = lane[k * width];
        });
    return;
  }
  Eigen::VectorXd started;
  for (std::size_t row = 0; row < count; ++row) {
    set_inputs(inputs + row * inputs_.size());
    run_->start(started, scattered_state(plant_->layout(), y + row * size));
    DiscreteState discrete = run_->discrete();
    set_by_guards(*run_, t[row], y + row * size, discrete);
    run_->derivative(t[row], y + row * size, ydot + row * size);
  }
}

void StateBatch::accelerations(std::size_t count, const double* q, const double* u, const double* inputs,
                               double* udot) {
  const Layout& layout = plant_->layout();
  if (packed_) {
    std::vector<double> one(start_.begin(), start_.end());
    for_packs(
        count, inputs,
        [&](std::size_t row, double* lane, std::size_t width) {
          layout.gather(placed_state(*plant_, q + row * layout.nq, u + row * layout.nu), one.data());
          for (std::size_t k = 0; k < one.size(); ++k) lane[k * width] = one[k];
          return 0.0;
        },
        [&](std::size_t row, const double* lane, std::size_t width) {
          for (std::size_t k = 0; k < layout.nu; ++k) udot[row * layout.nu + k] = lane[(layout.u + k) * width];
        });
    return;
  }
  Eigen::VectorXd y;
  for (std::size_t row = 0; row < count; ++row) {
    set_inputs(inputs + row * inputs_.size());
    run_->start_as_given(y, placed_state(*plant_, q + row * layout.nq, u + row * layout.nu));
    run_->evaluate(0, y.data(), Stage::acceleration);
    std::ranges::copy(run_->udot(), udot + row * layout.nu);
  }
}

std::size_t StateBatch::find_non_finite(std::size_t count, std::size_t size, const double* rates) {
  for (std::size_t row = 0; row < count; ++row) {
    if (!std::all_of(rates + row * size, rates + (row + 1) * size, [](double x) { return std::isfinite(x); })) {
      return row;
    }
  }
  return count;
}

}  // namespace gyrostat
