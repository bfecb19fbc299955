#include "gyrostat/analysis/linear_motion.h"

#include <algorithm>

#include <Eigen/LU>
#include <fmt/format.h>

#include "gyrostat/analysis/held_channels.h"
#include "gyrostat/analysis/random_response.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;

constexpr double tolerance = 1e-10;  // of the integration: much less than what linear models leave out

/// The model, with noise as inputs and what channels give as outputs.
LinearModel model_beside(const Model& model, const Plant& plant, const LinearMotionSettings& settings) {
  LinearizeSettings wanted = settings.model;
  wanted.inputs.clear();
  wanted.outputs.clear();
  wanted.open.clear();
  wanted.keep_idle_states = true;
  for (const RandomSource& noise : noise_of(model)) wanted.inputs.push_back(noise.input);
  for (const HeldChannel& held : find_channels(plant, wanted).list) wanted.outputs.push_back(held.channel.signal);
  return linearize(model, settings.about, wanted);
}

/// After the inputs come as many as there are channels, each added to what its channel takes.
LinearModel with_channel_inputs(const LinearModel& model) {
  LinearModel result = model;
  const auto v = static_cast<Index>(model.inputs.size()), c = static_cast<Index>(model.channels.size());
  for (const Channel& channel : model.channels) result.inputs.push_back({channel.signal + ".input", "", ""});
  result.B.setZero(model.B.rows(), v + 2 * c);
  result.B << model.B.leftCols(v), Eigen::MatrixXd::Zero(model.B.rows(), c), model.B.rightCols(c);
  result.D.setZero(model.D.rows(), v + 2 * c);
  result.D << model.D.leftCols(v), Eigen::MatrixXd::Zero(model.D.rows(), c), model.D.rightCols(c);
  result.D.block(model.D.rows() - c, v, c, c).setIdentity();
  return result;
}

}  // namespace

LinearMotion::LinearMotion(const Model& model, LinearMotionSettings settings)
    : settings_(std::move(settings)),
      plant_(model, "articulated_body"),
      run_(plant_),
      at_start_(plant_, settings_.about.y, settings_.about.discrete.free),
      tangent_(at_start_),
      linear_(model_beside(model, plant_, settings_)),
      space_(state_space(with_channel_inputs(linear_), settings_.pade_order)),
      ledger_(run_),
      outputs_(run_),
      row_(outputs_.columns().size()),
      discrete_(settings_.about.discrete) {
  const SignalProgram& signals = plant_.signals();
  for (const PrescribedMotion& motion : signals.prescribed) {
    if (motion.equal == no_equal) continue;
    throw AnalysisError(fmt::format(
        "{} is a function of time: there is no linear motion about an operating point that it moves", motion.path));
  }
  const auto n = static_cast<Index>(at_start_.speeds().size()), m = static_cast<Index>(linear_.coordinates);
  Eigen::MatrixXd basis(n, m), by_coordinates(n, m);
  for (Index k = 0; k < n; ++k) {
    basis.row(k) = linear_.basis.row(at_start_.speeds()[static_cast<std::size_t>(k)]);
    by_coordinates.row(k) = linear_.speeds_by_coordinates.row(at_start_.speeds()[static_cast<std::size_t>(k)]);
  }
  basis_ = at_start_.frame().transpose() * basis;
  speeds_by_coordinates_ = at_start_.frame().transpose() * by_coordinates;
  for (const std::uint32_t speed : linear_.speeds) {
    independent_.push_back(std::ranges::find(at_start_.speeds(), speed) - at_start_.speeds().begin());
  }
  const auto held_of = [&](const std::string& name) {
    const auto block = std::ranges::find(signals.held, name, &HeldBlock::name);
    return HeldOutput{static_cast<std::uint32_t>(block - signals.held.begin()), block->first, 0, 0};
  };
  for (const LinearVariable& input : linear_.inputs) noise_.push_back(held_of(input.name).held);
  for (std::size_t k = 0; k < linear_.outputs.size(); ++k) {
    channels_.push_back(held_of(linear_.outputs[k].name));
    channels_.back().value = linear_.at_outputs[static_cast<Index>(k)];
  }
  for (std::size_t k = 0; k < outputs_.columns().size(); ++k) {
    const OutputColumn& column = outputs_.columns()[k];
    if (column.name.find('/') != std::string::npos) continue;  // a group
    columns_.push_back(column);
    recorded_.push_back(k);
  }
  v_.setZero(space_.B.cols());
  run_.set_discrete(discrete_);
  run_.evaluate(settings_.about.t, settings_.about.y.data(), Stage::signals);
  for (HeldOutput& channel : channels_) channel.input = run_.value(signals.held[channel.block].inputs[0]);
  reference_rates_.resize(static_cast<Index>(plant_.size()));
}

LinearMotion::~LinearMotion() = default;

void LinearMotion::start(const Eigen::VectorXd& y, const DiscreteState& simulated) {
  const Layout& layout = plant_.layout();
  const auto m = static_cast<Index>(linear_.coordinates);
  const Tangent::Perturbation to = at_start_.perturbation_to(y);
  const Eigen::MatrixXd frame = at_start_.frame();
  const Eigen::VectorXd coordinates = frame.transpose() * to.coordinates, speeds = frame.transpose() * to.speeds;
  x_.setZero(space_.A.rows());
  for (Index k = 0; k < m; ++k) {
    x_[k] = coordinates[independent_[static_cast<std::size_t>(k)]];
    x_[m + k] = speeds[independent_[static_cast<std::size_t>(k)]];
  }
  for (std::size_t k = 0; k < layout.nx; ++k) {
    const auto i = static_cast<Index>(layout.x + k);
    x_[2 * m + static_cast<Index>(k)] = y[i] - settings_.about.y[i];
  }
  // what has been in delays and samples for long, so that they give what they do in the simulation
  Index first = linear_.A.rows();
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    const Channel& channel = linear_.channels[k];
    if (channel.kind == Channel::Kind::gain) continue;
    const bool sample = channel.kind == Channel::Kind::sample;
    const double gives =
        sample ? simulated.held[channels_[k].held] : simulated.memory[channels_[k].block].history.at(0);
    const PadeDelay delay = pade_delay(sample ? 0.5 * channel.time : channel.time, settings_.pade_order);
    x_.segment(first, settings_.pade_order) = -delay.A.partialPivLu().solve(delay.B) * (gives - channels_[k].value);
    first += settings_.pade_order;
  }
  t_ = 0;
  Ode ode;
  ode.context = this;
  ode.size = static_cast<std::size_t>(x_.size());
  ode.rates = [](void* self, double t, const double* x, double* rates) {
    static_cast<LinearMotion*>(self)->find_rates(t, x, rates);
  };
  integrator_ = std::make_unique<Integrator>(ode, IntegratorSettings{"dopri5", tolerance, 0, 0});
}

void LinearMotion::evaluate_reference(double t) {
  reference_ = at_start_.carried(t - settings_.about.t);
  tangent_.move_to(reference_);
  set_by_guards(run_, t, reference_.data(), discrete_);
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    const double input = run_.value(plant_.signals().held[channels_[k].block].inputs[0]);
    v_[static_cast<Index>(noise_.size() + k)] = input - channels_[k].input;
  }
}

/// (10)
void LinearMotion::find_rates(double t, const double* x, double* rates) {
  const Layout& layout = plant_.layout();
  const auto n = static_cast<Index>(space_.A.rows()), m = static_cast<Index>(linear_.coordinates);
  evaluate_reference(t);
  run_.derivative(t, reference_.data(), reference_rates_.data());
  Eigen::Map<Eigen::VectorXd> result(rates, n);
  result = space_.A * Eigen::Map<const Eigen::VectorXd>(x, n) + space_.B * v_;
  const Eigen::VectorXd speeds = tangent_.steady_rates(reference_rates_);
  for (Index k = 0; k < m; ++k) result[m + k] += speeds[independent_[static_cast<std::size_t>(k)]];
  for (std::size_t k = 0; k < layout.nx; ++k) {
    result[2 * m + static_cast<Index>(k)] += reference_rates_[static_cast<Index>(layout.x + k)];
  }
}

void LinearMotion::advance(double t) {
  if (t <= t_ || x_.size() == 0) return;
  integrator_->restart(t_, x_);
  while (t_ < t) {
    const Step step = integrator_->step(t);
    if (!step.failure.empty()) throw AnalysisError("the linear model cannot be integrated: " + step.failure);
    t_ = step.to;
  }
  integrator_->interpolate(t, x_);
  t_ = t;
}

void LinearMotion::follow(const DiscreteState& simulated) {
  for (std::size_t k = 0; k < noise_.size(); ++k) {
    v_[static_cast<Index>(k)] = simulated.held[noise_[k]] - settings_.about.discrete.held[noise_[k]];
  }
}

void LinearMotion::fill(std::span<double> row) {
  const Layout& layout = plant_.layout();
  const auto m = static_cast<Index>(linear_.coordinates);
  evaluate_reference(t_);
  const Eigen::MatrixXd frame = tangent_.frame();
  const auto coordinates = x_.head(m), speeds = x_.segment(m, m);
  Eigen::VectorXd y =
      tangent_.moved(frame * (basis_ * coordinates), frame * (basis_ * speeds + speeds_by_coordinates_ * coordinates));
  for (std::size_t k = 0; k < layout.nx; ++k) {
    y[static_cast<Index>(layout.x + k)] += x_[2 * m + static_cast<Index>(k)];
  }
  DiscreteState discrete = discrete_;
  for (std::size_t k = 0; k < noise_.size(); ++k) discrete.held[noise_[k]] += v_[static_cast<Index>(k)];
  const Eigen::VectorXd given = space_.C * x_ + space_.D * v_;
  for (std::size_t k = 0; k < channels_.size(); ++k) {
    const double value = channels_[k].value + given[static_cast<Index>(k)];
    discrete.held[channels_[k].held] = value;
    discrete.memory[channels_[k].block].history.begin(t_, value);
  }
  set_by_guards(run_, t_, y.data(), discrete);
  run_.evaluate(t_, y.data(), outputs_.stage());
  outputs_.fill(ledger_, row_);
  for (std::size_t k = 0; k < recorded_.size(); ++k) row[k] = row_[recorded_[k]];
}

}  // namespace gyrostat
