#include "gyrostat/analysis/linearize.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/analysis/held_channels.h"
#include "gyrostat/analysis/independent.h"
#include "gyrostat/analysis/points.h"
#include "gyrostat/analysis/tangent.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/plant/run.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;
Index as_index(std::size_t n) { return static_cast<Index>(n); }

/// Everything that is differentiated, by direction.
struct Derivatives {
  Eigen::MatrixXd speeds, signal_states, outputs, channels;  // rates of speeds and states; outputs; inputs of channels
  Eigen::MatrixXd residuals, rates;                          // of constraints
  Eigen::MatrixXd guards;                                    // of switches
};

class Linearization {
 public:
  Linearization(const Model& model, const OperatingPoint& point, const LinearizeSettings& settings)
      : point_(point), settings_(settings), closed_(model, "articulated_body") {
    find_points();
    plant_.emplace(model, "articulated_body", std::vector<PluginFunction>{}, points_);
    run_.emplace(*plant_);
    tangent_.emplace(*plant_, point.y, point.discrete.free);
    result_.t = point.t;
    result_.opened = settings.open;
    set_operating_point();
    HeldChannels found = find_channels(*plant_, settings);
    channels_ = std::move(found.list);
    result_.notes = std::move(found.notes);
  }

  LinearModel linearize() {
    Derivatives d = differentiate();
    check_held(d);
    const Eigen::MatrixXd guards = d.guards;
    reduce(d);
    if (!settings_.keep_idle_states) drop_idle_states();
    check_switches(guards);
    describe_point();
    return std::move(result_);
  }

 private:
  void find_points() {
    for (const std::string& name : settings_.inputs) add_input(find_input(closed_, name), name);
    for (const std::string& name : settings_.open) {
      NamedInput input = find_input(closed_, name);
      auto* signal = std::get_if<SignalInput>(&input.point);
      if (signal == nullptr) {
        throw AnalysisError(fmt::format("a loop is opened at a signal, and '{}' is a force", name));
      }
      signal->opened = true;
      input.variable.description = "in place of the signal";
      add_input(std::move(input), name);
    }
    for (const std::string& text : settings_.outputs) {
      if (std::ranges::find(settings_.open, text) != settings_.open.end()) continue;  // what computes it is an output
      NamedOutput output = find_output(closed_, text);
      points_.outputs.push_back(std::move(output.expression));
      result_.outputs.push_back(std::move(output.variable));
    }
    for (std::size_t k = 0; k < points_.inputs.size(); ++k) {
      const auto* signal = std::get_if<SignalInput>(&points_.inputs[k]);
      if (signal == nullptr || !signal->opened) continue;
      result_.outputs.push_back(result_.inputs[k]);
      result_.outputs.back().description = "the signal, before what reads it";
      opened_.push_back(k);
    }
  }

  void add_input(NamedInput input, const std::string& name) {
    const auto same_place = [&](const InputPoint& other) {
      const auto *a = std::get_if<SignalInput>(&other), *b = std::get_if<SignalInput>(&input.point);
      if (a != nullptr && b != nullptr) return a->signal == b->signal && a->part == b->part;
      return other == input.point;
    };
    if (std::ranges::any_of(points_.inputs, same_place)) throw AnalysisError(fmt::format("'{}' is given twice", name));
    points_.inputs.push_back(input.point);
    result_.inputs.push_back(std::move(input.variable));
  }

  /// Values of the closed loop where loops are opened; switches where their guards say.
  void set_operating_point() {
    PlantRun run(closed_);
    run.set_discrete(point_.discrete);
    run.evaluate(point_.t, point_.y.data(), Stage::signals);
    DiscreteState discrete = run_->discrete();
    discrete.held = point_.discrete.held;
    discrete.memory = point_.discrete.memory;
    discrete.free = point_.discrete.free;
    discrete.latched = point_.discrete.latched;
    discrete.sliding = point_.discrete.sliding;
    discrete.stopped = point_.discrete.stopped;
    discrete.closures = point_.discrete.closures;
    result_.at_inputs.setZero(as_index(points_.inputs.size()));
    for (const std::size_t k : opened_) {
      const auto& signal = std::get<SignalInput>(points_.inputs[k]);
      const double value = run.value(closed_.signals().outputs[signal.signal][signal.part]);
      result_.at_inputs[as_index(k)] = value;
      run_->set_input(k, value);
    }
    discrete.end = point_.discrete.end;
    set_by_guards(*run_, point_.t, point_.y.data(), discrete);
    run_->evaluate(point_.t, point_.y.data(), Stage::acceleration);
    if (const auto failure = run_->find_failure()) throw AnalysisError(*failure);
    result_.state = run_->state();
  }

  Derivatives differentiate() {
    const Layout& layout = plant_->layout();
    const SignalProgram& signals = plant_->signals();
    std::vector<PlantRun::Direction> directions;
    tangent_->append_directions(directions);
    for (std::size_t k = 0; k < layout.nx; ++k) {
      directions.push_back({std::vector<double>(layout.size), {}, {}});
      directions.back().y[layout.x + k] = 1;
    }
    for (std::uint32_t k = 0; k < points_.inputs.size(); ++k) directions.push_back({{}, k, {}});
    for (const HeldChannel& held : channels_) directions.push_back({{}, {}, held.held});

    outputs_ = signals.measured;
    for (const std::size_t k : opened_) outputs_.push_back(signals.computed[k]);
    const std::size_t rows = run_->kept_rows(), moving = tangent_->speeds().size();
    const Index columns = as_index(directions.size());
    Derivatives d;
    d.speeds.resize(as_index(moving), columns);
    d.signal_states.resize(as_index(layout.nx), columns);
    d.outputs.resize(as_index(outputs_.size()), columns);
    d.channels.resize(as_index(channels_.size()), columns);
    d.residuals.resize(as_index(rows), columns);
    d.rates.resize(as_index(rows), columns);
    d.guards.resize(as_index(signals.program.switches.size()), columns);
    run_->differentiate_along(
        point_.t, point_.y.data(), directions,
        [&](std::size_t first, std::size_t count, const PlantData<Directional>& data, const Directional* ydot) {
          const auto take = [&](Eigen::MatrixXd& into, std::size_t row, const Directional& x) {
            for (std::size_t lane = 0; lane < count; ++lane) into(as_index(row), as_index(first + lane)) = x.d[lane];
          };
          for (std::size_t k = 0; k < moving; ++k) take(d.speeds, k, ydot[layout.u + tangent_->speeds()[k]]);
          for (std::size_t k = 0; k < layout.nx; ++k) take(d.signal_states, k, ydot[layout.x + k]);
          for (std::size_t k = 0; k < outputs_.size(); ++k) take(d.outputs, k, data.values[outputs_[k]]);
          for (std::size_t k = 0; k < channels_.size(); ++k) take(d.channels, k, data.values[channels_[k].input]);
          for (std::size_t k = 0; k < rows; ++k) {
            const auto& row = data.closures.values.rows[data.closures.plan->kept[k]];
            take(d.residuals, k, row.residual);
            take(d.rates, k, row.rate);
          }
          for (std::size_t k = 0; k < signals.program.switches.size(); ++k) {
            take(d.guards, k, data.values[signals.program.switches[k].guard]);
          }
        });
    return d;
  }

  /// Switches that something of the linear model depends on.
  [[nodiscard]] std::vector<bool> switches_of_model() const {
    const SignalProgram& signals = plant_->signals();
    std::vector<Slot> roots = signals.forces.used;
    roots.insert(roots.end(), outputs_.begin(), outputs_.end());
    for (const GivenAcceleration& given : signals.forces.given) roots.push_back(given.value);
    for (const std::size_t k : kept_states_) roots.push_back(signals.states[k].rate);
    for (const HeldChannel& held : channels_) roots.push_back(held.input);
    std::vector<bool> matters(signals.program.switches.size());
    for (const Slot slot : roots) {
      if (slot == no_slot) continue;
      for (const std::uint32_t k : signals.dependence_of(slot).switches) matters[k] = true;
    }
    return matters;
  }

  /// A switch exactly at its threshold has no derivative.
  void check_switches(const Eigen::MatrixXd& guards) const {
    using Kind = expression::Switch::Kind;
    constexpr double nearest = 1e-9;  // in units of the states
    const SignalProgram& signals = plant_->signals();
    const std::vector<double>& values = run_->data().values;
    const std::vector<bool> matters = switches_of_model();
    for (std::uint32_t k = 0; k < signals.program.switches.size(); ++k) {
      const expression::Switch& s = signals.program.switches[k];
      if (s.fixed || s.time || !matters[k] || s.cause.empty()) continue;
      const double slope = guards.cols() == 0 ? 0 : guards.row(k).cwiseAbs().maxCoeff();
      if (slope == 0) continue;
      double distance = values[s.guard];
      if (s.kind == Kind::branch_cut && values[s.other] >= 0) continue;
      if (s.kind == Kind::knots) {
        const Table& table = signals.program.tables[s.table];
        if (table.interpolation() == Interpolation::cubic) continue;  // its slope is continuous
        distance = table.distance_from_knots(values[s.guard], run_->discrete().positions[k]);
      }
      if (s.kind == Kind::steps)
        distance = expression::distance_from_steps(values[s.guard], run_->discrete().positions[k]);
      if (std::abs(distance) > nearest * slope) continue;
      throw AnalysisError(fmt::format(
          "{}: {} is at its threshold at the operating point, where it has no derivative; linearise at another "
          "one (--at, --state), or open the loop before it (--open)",
          signals.owners[k], s.cause));
    }
  }

  /// Switches that matter have no derivative either: their input varies, and something follows their output.
  void check_held(const Derivatives& d) const {
    const auto any = [](const auto& block) { return block.size() > 0 && block.cwiseAbs().maxCoeff() > 0; };
    for (std::size_t k = 0; k < channels_.size(); ++k) {
      if (channels_[k].differentiable) continue;
      const Index row = as_index(k), column = d.channels.cols() - as_index(channels_.size()) + row;
      const bool followed = any(d.speeds.col(column)) || any(d.signal_states.col(column)) ||
                            any(d.outputs.col(column)) || any(d.channels.col(column));
      if (followed && any(d.channels.row(row))) throw AnalysisError(why_not_differentiable(*plant_, channels_[k]));
    }
  }

  /// From all coordinates that move to those that the constraints leave independent.
  void reduce(Derivatives& d) {
    const std::size_t moving = tangent_->speeds().size();
    const Index n = as_index(moving), signal_states = d.signal_states.rows();
    const Index given = d.speeds.cols() - 2 * n;  // columns of signal states, inputs and channels
    const Eigen::MatrixXd turn = tangent_->frame();
    const auto turned = [&](Eigen::MatrixXd& matrix) {
      matrix.leftCols(n) = (matrix.leftCols(n) * turn).eval();
      matrix.middleCols(n, n) = (matrix.middleCols(n, n) * turn).eval();
    };
    for (Eigen::MatrixXd* each : {&d.speeds, &d.signal_states, &d.outputs, &d.channels, &d.residuals, &d.rates}) {
      turned(*each);
    }
    d.speeds = (turn.transpose() * d.speeds).eval();
    const Eigen::MatrixXd turning = tangent_->turning_coordinates();
    d.speeds.middleCols(n, n) += tangent_->turning_speeds();

    const Independent independent =
        choose_independent(tangent_->speeds(), point_.discrete.free, d.residuals.leftCols(n), d.rates.leftCols(n));
    const Index m = as_index(independent.chosen.size());
    const Eigen::MatrixXd &N = independent.basis, &P = independent.by_coordinates;
    const auto on_states = [&](const Eigen::MatrixXd& rows) {
      Eigen::MatrixXd reduced(rows.rows(), 2 * m + given);
      reduced << rows.leftCols(n) * N + rows.middleCols(n, n) * P, rows.middleCols(n, n) * N, rows.rightCols(given);
      return reduced;
    };
    const Index states = 2 * m + signal_states, inputs = given - signal_states;
    Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(states, states + inputs);
    const Eigen::MatrixXd speeds = on_states(d.speeds), coordinates = turning * N;
    for (Index k = 0; k < m; ++k) {
      const Index which = as_index(independent.chosen[static_cast<std::size_t>(k)]);
      rates.row(k).head(m) = coordinates.row(which);
      rates(k, m + k) = 1;
      rates.row(m + k) = speeds.row(which);
    }
    rates.bottomRows(signal_states) = on_states(d.signal_states);
    Eigen::MatrixXd seen(d.outputs.rows() + d.channels.rows(), states + inputs);
    seen << on_states(d.outputs), on_states(d.channels);
    result_.A = rates.leftCols(states);
    result_.B = rates.rightCols(inputs);
    result_.C = seen.leftCols(states);
    result_.D = seen.rightCols(inputs);
    result_.coordinates = static_cast<std::size_t>(m);
    for (const HeldChannel& held : channels_) result_.channels.push_back(held.channel);
    name_states(independent);
    find_second_order(independent);
    find_rates_of_point(independent);
  }

  void name_states(const Independent& independent) {
    for (const std::size_t k : independent.chosen) result_.speeds.push_back(tangent_->speeds()[k]);
    for (const std::size_t k : independent.chosen) result_.states.push_back(tangent_->coordinate(k));
    for (const std::size_t k : independent.chosen) result_.states.push_back(tangent_->speed(k));
    const auto& states = plant_->signals().states;
    for (std::size_t k = 0; k < states.size(); ++k) {
      kept_states_.push_back(k);
      const auto same = [&](const ExpressionCompiler::State& s) { return s.owner == states[k].owner; };
      const auto several = std::ranges::count_if(states, same);
      const auto before = std::count_if(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(k), same);
      result_.states.push_back({several > 1 ? fmt::format("{}.x{}", states[k].owner, before + 1) : states[k].owner, "",
                                std::string(signal_state)});
    }
    const auto by_speed = [&](const Eigen::MatrixXd& of_moving) {
      const Eigen::MatrixXd turned = tangent_->frame() * of_moving;
      Eigen::MatrixXd all = Eigen::MatrixXd::Zero(as_index(plant_->layout().nu), turned.cols());
      for (std::size_t k = 0; k < tangent_->speeds().size(); ++k) {
        all.row(as_index(tangent_->speeds()[k])) = turned.row(as_index(k));
      }
      return all;
    };
    result_.basis = by_speed(independent.basis);
    result_.speeds_by_coordinates = by_speed(independent.by_coordinates);
    if (plant_->constraints().rows() == 0) return;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < result_.coordinates; ++k) names.push_back(result_.states[k].name);
    result_.notes.push_back(fmt::format("the constraints leave {} of {} coordinates independent: {}",
                                        independent.chosen.size(), tangent_->speeds().size(), fmt::join(names, ", ")));
  }

  /// (7) of the theory: u = q' - W q.
  void find_second_order(const Independent& independent) {
    const Mechanism& mechanism = plant_->mechanism();
    CompositeBodyData composite(mechanism);
    mass_matrix(mechanism, run_->data().kinematics, composite);
    const std::vector<std::uint32_t>& speeds = tangent_->speeds();
    const Index n = as_index(speeds.size()), m = as_index(result_.coordinates);
    Eigen::MatrixXd M(n, n);
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) {
        const std::uint32_t a = speeds[static_cast<std::size_t>(r)], b = speeds[static_cast<std::size_t>(c)];
        M(r, c) = composite.mass_matrix.row(std::max(a, b))[std::min(a, b)];
      }
    }
    const Eigen::MatrixXd& N = independent.basis;
    const Eigen::MatrixXd frame = tangent_->frame();
    SecondOrder& s = result_.second_order;
    s.M = N.transpose() * (frame.transpose() * M * frame) * N;
    const auto A21 = result_.A.block(m, 0, m, m), A22 = result_.A.block(m, m, m, m);
    const Eigen::MatrixXd W = result_.A.topLeftCorner(m, m);
    const Eigen::MatrixXd by_rates = -s.M * (A22 + W);
    s.G = 0.5 * (by_rates - by_rates.transpose());
    s.D = 0.5 * (by_rates + by_rates.transpose());
    s.K = -s.M * (A21 - A22 * W);
    s.F = s.M * result_.A.block(m, 2 * m, m, result_.A.cols() - 2 * m);
    s.H = s.M * result_.B.middleRows(m, m);
  }

  void find_rates_of_point(const Independent& independent) {
    const Layout& layout = plant_->layout();
    Eigen::VectorXd ydot(as_index(layout.size));
    run_->derivative(point_.t, point_.y.data(), ydot.data());
    result_.rates.setZero(result_.A.rows());
    const Eigen::VectorXd speeds = tangent_->steady_rates(ydot);
    for (std::size_t k = 0; k < independent.chosen.size(); ++k) {
      result_.rates[as_index(independent.chosen.size() + k)] = speeds[as_index(independent.chosen[k])];
    }
    for (std::size_t k = 0; k < layout.nx; ++k) {
      result_.rates[as_index(2 * independent.chosen.size() + k)] = ydot[as_index(layout.x + k)];
    }
    result_.at_outputs.resize(as_index(outputs_.size()));
    run_->evaluate(point_.t, point_.y.data(), Stage::signals);
    for (std::size_t k = 0; k < outputs_.size(); ++k) result_.at_outputs[as_index(k)] = run_->value(outputs_[k]);
  }

  /// States of blocks that nothing follows: an integral that is only recorded, what a pid without a derivative does not
  /// filter.
  void drop_idle_states() {
    const Index first = as_index(2 * result_.coordinates);
    std::vector<std::string> dropped;
    for (bool again = true; again;) {
      again = false;
      for (Index k = first; k < result_.A.cols(); ++k) {
        Eigen::VectorXd column = result_.A.col(k);
        column[k] = 0;
        if (column.cwiseAbs().maxCoeff() > 0) continue;
        if (result_.C.rows() > 0 && result_.C.col(k).cwiseAbs().maxCoeff() > 0) continue;
        dropped.push_back(result_.states[static_cast<std::size_t>(k)].name);
        remove_state(k);
        again = true;
        break;
      }
    }
    if (!dropped.empty()) {
      result_.notes.push_back(fmt::format("left out, since nothing follows them: {}", fmt::join(dropped, ", ")));
    }
  }

  void remove_state(Index k) {
    const auto without_row = [k](Eigen::MatrixXd& matrix) {
      const Eigen::MatrixXd below = matrix.bottomRows(matrix.rows() - k - 1);
      matrix.middleRows(k, below.rows()) = below;
      matrix.conservativeResize(matrix.rows() - 1, Eigen::NoChange);
    };
    const auto without_column = [](Eigen::MatrixXd& matrix, Index at) {
      const Eigen::MatrixXd right = matrix.rightCols(matrix.cols() - at - 1);
      matrix.middleCols(at, right.cols()) = right;
      matrix.conservativeResize(Eigen::NoChange, matrix.cols() - 1);
    };
    without_row(result_.A);
    without_column(result_.A, k);
    without_row(result_.B);
    without_column(result_.C, k);
    without_column(result_.second_order.F, k - as_index(2 * result_.coordinates));
    Eigen::MatrixXd rates = result_.rates;
    without_row(rates);
    result_.rates = rates;
    result_.states.erase(result_.states.begin() + k);
    kept_states_.erase(kept_states_.begin() + k - as_index(2 * result_.coordinates));
  }

  void describe_point() {
    for (std::string& note : tangent_->notes()) result_.notes.push_back(std::move(note));
    Index worst = 0;
    if (result_.rates.size() == 0 || result_.rates.cwiseAbs().maxCoeff(&worst) < 1e-9) return;
    const LinearVariable& state = result_.states[static_cast<std::size_t>(worst)];
    result_.notes.push_back(fmt::format(
        "the operating point is not steady: {} changes by {:.3g}{} in a second; what is linear about it holds "
        "for a time in which that is little",
        state.name, result_.rates[worst], state.unit.empty() ? "" : " " + state.unit));
  }

  const OperatingPoint& point_;
  const LinearizeSettings& settings_;
  Plant closed_;  // the closed loop
  AnalysisPoints points_;
  std::vector<std::size_t> opened_;  // inputs
  std::optional<Plant> plant_;
  std::optional<PlantRun> run_;
  std::optional<Tangent> tangent_;
  std::vector<HeldChannel> channels_;
  std::vector<Slot> outputs_;
  std::vector<std::size_t> kept_states_;  // of signals: those that are states of the linear model
  LinearModel result_;
};

}  // namespace

LinearModel linearize(const Model& model, const OperatingPoint& point, const LinearizeSettings& settings) {
  return Linearization(model, point, settings).linearize();
}

}  // namespace gyrostat
