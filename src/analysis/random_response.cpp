#include "gyrostat/analysis/random_response.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/format/blocks/blocks.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;
using Complex = std::complex<double>;
using std::numbers::pi;

double density(const WhiteSpectrum& s, double /*frequency*/) { return s.density; }

/// (11): 2 std^2 T (sin(pi f T)/(pi f T))^2.
double density(const HeldSpectrum& s, double frequency) {
  const double angle = pi * frequency * s.period, factor = angle == 0 ? 1 : std::sin(angle) / angle;
  return 2 * s.std * s.std * s.period * factor * factor;
}

double density(const TabulatedSpectrum& s, double frequency) {
  if (s.frequency.empty() || frequency < s.frequency.front() || frequency > s.frequency.back()) return 0;
  const auto above = std::ranges::lower_bound(s.frequency, frequency);
  const auto k = static_cast<std::size_t>(above - s.frequency.begin());
  if (k == 0 || *above == frequency) return s.density[k];
  const double part = std::log(frequency / s.frequency[k - 1]) / std::log(s.frequency[k] / s.frequency[k - 1]);
  if (s.density[k - 1] == 0 || s.density[k] == 0) return (1 - part) * s.density[k - 1] + part * s.density[k];
  return s.density[k - 1] * std::pow(s.density[k] / s.density[k - 1], part);
}

/// The mean over the lobes of what is held, for frequencies with many of them.
double smooth_density_of(const Spectrum& spectrum, double frequency) {
  if (const auto* held = std::get_if<HeldSpectrum>(&spectrum)) {
    const double angle = pi * frequency * held->period;
    return 2 * held->std * held->std * held->period * std::min(1.0, 0.5 / (angle * angle));
  }
  return density_of(spectrum, frequency);
}

/// Frequencies [Hz] at which a spectrum has corners, or that part its lobes.
std::vector<double> corners_of(const Spectrum& spectrum) {
  if (const auto* table = std::get_if<TabulatedSpectrum>(&spectrum)) return table->frequency;
  std::vector<double> corners;
  if (const auto* held = std::get_if<HeldSpectrum>(&spectrum)) {
    for (int k = 1; k <= 50; ++k) corners.push_back(k / held->period);
  }
  return corners;
}

using Integrand = std::function<Eigen::VectorXd(double)>;

/// Gauss's rule with five points.
Eigen::VectorXd gauss(const Integrand& f, double a, double b) {
  constexpr std::array<double, 3> x = {0, 0.53846931010568309104, 0.90617984593866399280};
  constexpr std::array<double, 3> w = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
  const double centre = 0.5 * (a + b), half = 0.5 * (b - a);
  Eigen::VectorXd sum = w[0] * f(centre);
  for (std::size_t k = 1; k < 3; ++k) sum += w[k] * (f(centre - half * x[k]) + f(centre + half * x[k]));
  return half * sum;
}

/// Halves the interval until that changes little: relative to what `size` has, by component.
Eigen::VectorXd integrate(const Integrand& f, double a, double b, const Eigen::VectorXd& whole, Eigen::VectorXd& size,
                          int depth = 0) {
  constexpr double accuracy = 1e-10;
  constexpr int deepest = 25;
  const double middle = 0.5 * (a + b);
  const Eigen::VectorXd left = gauss(f, a, middle), right = gauss(f, middle, b);
  Eigen::VectorXd halves = left + right;
  size = size.cwiseMax(halves.cwiseAbs());
  if (((halves - whole).cwiseAbs().array() <= accuracy * size.array()).all() || depth == deepest) return halves;
  return integrate(f, a, middle, left, size, depth + 1) + integrate(f, middle, b, right, size, depth + 1);
}

class RandomAnalysis {
 public:
  RandomAnalysis(const LinearModel& model, const std::vector<RandomSource>& sources, int pade_order)
      : sources_(sources), exact_(model), outputs_(static_cast<Index>(model.outputs.size())) {
    for (const RandomSource& source : sources) {
      const auto input = std::ranges::find(model.inputs, source.input, &LinearVariable::name);
      columns_.push_back(input - model.inputs.begin());
    }
    StateSpace space = state_space(model, pade_order);
    result_.modes = find_modes(space.A);
    find_residues(space);
    result_.states = std::move(space.states);
  }

  RandomResponse find(std::optional<double> from, std::optional<double> to) {
    if (from == 0.0) from.reset();
    check_range(from, to);
    check_modes(from, to);
    const auto angular = [](std::optional<double> f) { return f ? std::optional(2 * pi * *f) : std::nullopt; };
    std::vector<double> grid = frequency_grid(result_.modes, angular(from), angular(to));
    for (double& w : grid) w /= 2 * pi;
    // without limits, as far as the spectra tell something
    for (const RandomSource& source : sources_) {
      for (const double f : corners_of(source.spectrum)) {
        if (f >= from.value_or(0) && f <= to.value_or(f)) grid.push_back(f);
      }
    }
    std::ranges::sort(grid);
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    result_.frequency = grid;
    find_densities();
    find_mean_squares(grid, from, to);
    return std::move(result_);
  }

 private:
  /// (12): of each mode that is not rigid, what it has in each response is residue/(s - lambda), and of a pair its
  /// conjugate too.
  void find_residues(const StateSpace& space) {
    for (const Mode& mode : result_.modes.modes) {
      if (mode.rigid) continue;
      lambda_.push_back(mode.eigenvalue);
      pair_.push_back(mode.oscillates());
      Eigen::MatrixXcd residue(outputs_, static_cast<Index>(columns_.size()));
      const Eigen::VectorXcd seen = space.C.topRows(outputs_).cast<Complex>() * mode.shape;
      for (std::size_t s = 0; s < columns_.size(); ++s) {
        const Complex driven = (mode.left.transpose() * space.B.col(columns_[s]).cast<Complex>()).value();
        residue.col(static_cast<Index>(s)) = seen * driven;
      }
      residues_.push_back(std::move(residue));
    }
  }

  static void check_range(std::optional<double> from, std::optional<double> to) {
    const bool wrong =
        (from && !(*from > 0 && std::isfinite(*from))) || (to && !(*to > from.value_or(0) && std::isfinite(*to)));
    if (wrong) throw AnalysisError("frequencies go from one that is not negative to a larger one, in Hz");
  }

  void check_modes(std::optional<double> from, std::optional<double> to) const {
    for (std::size_t k = 0; k < lambda_.size(); ++k) {
      const double frequency = std::abs(lambda_[k]) / (2 * pi);
      if (lambda_[k].real() > 1e-9 * std::abs(lambda_[k])) {
        throw AnalysisError(fmt::format(
            "the closed loop is unstable: a mode at {:.6g} Hz grows, and the response to noise with it", frequency));
      }
      const bool undamped = lambda_[k].real() > -1e-9 * std::abs(lambda_[k]);
      const bool outside = frequency < from.value_or(0) || (to && frequency > *to);
      if (!undamped || outside || !excited(k)) continue;
      throw AnalysisError(fmt::format(
          "the mode at {:.6g} Hz has no damping, and its response to noise grows for ever; give it damping, "
          "or leave its frequency out of --range",
          frequency));
    }
  }

  /// By more than rounding explains.
  [[nodiscard]] bool excited(std::size_t k) const {
    double largest = 0;
    for (const Eigen::MatrixXcd& residue : residues_) largest = std::max(largest, residue.cwiseAbs().maxCoeff());
    return residues_[k].size() > 0 && residues_[k].cwiseAbs().maxCoeff() > 1e-10 * largest;
  }

  void find_densities() {
    result_.outputs.resize(static_cast<std::size_t>(outputs_));
    for (const double f : result_.frequency) {
      const Eigen::MatrixXcd H = exact_.at(2 * pi * f);
      for (Index y = 0; y < outputs_; ++y) {
        double sum = 0;
        for (std::size_t s = 0; s < sources_.size(); ++s) {
          sum += std::norm(H(y, columns_[s])) * density_of(sources_[s].spectrum, f);
        }
        result_.outputs[static_cast<std::size_t>(y)].density.push_back(sum);
      }
    }
  }

  using Density = double (*)(const Spectrum&, double);

  /// By output: by source, then by mode (13).
  [[nodiscard]] Eigen::VectorXd integrand(double f, Density density_at = density_of) const {
    const auto sources = static_cast<Index>(sources_.size()), modes = static_cast<Index>(lambda_.size());
    const Eigen::MatrixXcd H = exact_.at(2 * pi * f);
    const Complex s(0, 2 * pi * f);
    Eigen::VectorXd values = Eigen::VectorXd::Zero(outputs_ * (sources + modes));
    for (Index j = 0; j < sources; ++j) {
      const double level = density_at(sources_[static_cast<std::size_t>(j)].spectrum, f);
      if (level == 0) continue;
      for (Index y = 0; y < outputs_; ++y) {
        const Complex h = H(y, columns_[static_cast<std::size_t>(j)]);
        values[y * (sources + modes) + j] += std::norm(h) * level;
        for (Index k = 0; k < modes; ++k) {
          const auto i = static_cast<std::size_t>(k);
          Complex part = residues_[i](y, j) / (s - lambda_[i]);
          if (pair_[i]) part += std::conj(residues_[i](y, j)) / (s - std::conj(lambda_[i]));
          values[y * (sources + modes) + sources + k] += (std::conj(h) * part).real() * level;
        }
      }
    }
    return values;
  }

  /// The largest factor by which frequency times density grows from f to f times `factor`, of all outputs and sources.
  [[nodiscard]] double growth(double f, double factor) const {
    const Eigen::VectorXd here = integrand(f, smooth_density_of), there = integrand(f * factor, smooth_density_of);
    double largest = 0;
    const auto sources = static_cast<Index>(sources_.size()), stride = sources + static_cast<Index>(lambda_.size());
    for (Index y = 0; y < outputs_; ++y) {
      for (Index j = 0; j < sources; ++j) {
        const double a = here[y * stride + j] * f, b = there[y * stride + j] * f * factor;
        if (b > 0) largest = std::max(largest, a > 0 ? b / a : std::numeric_limits<double>::infinity());
      }
    }
    return largest;
  }

  void find_mean_squares(const std::vector<double>& grid, std::optional<double> from, std::optional<double> to) {
    const Integrand f = [this](double x) { return integrand(x); };
    const auto sources = static_cast<Index>(sources_.size()), modes = static_cast<Index>(lambda_.size());
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(outputs_ * (sources + modes));
    std::vector<Eigen::VectorXd> first;
    for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
      first.push_back(gauss(f, grid[k], grid[k + 1]));
      sum += first.back().cwiseAbs();
    }
    Eigen::VectorXd size = sum.cwiseMax(std::numeric_limits<double>::min());
    level_with_sources(size);
    sum.setZero();
    for (std::size_t k = 0; k + 1 < grid.size(); ++k) sum += integrate(f, grid[k], grid[k + 1], first[k], size);
    result_.from = grid.front();
    result_.to = grid.back();
    // below and beyond the grid, where frequency times density falls by more than ten in three decades
    if (!from) {
      if (growth(grid.front(), 1e-3) < 0.1) {
        sum += integrate(f, 0, grid.front(), gauss(f, 0, grid.front()), size);
        result_.from = 0;
      } else {
        result_.notes.push_back(fmt::format(
            "the density does not fall towards low frequencies: rms counts from {:.6g} Hz; --range says where "
            "to begin",
            grid.front()));
      }
    }
    if (!to) {
      if (growth(grid.back(), 1e3) < 0.1) {
        const double b = grid.back();
        const Integrand tail = [&](double x) {
          return Eigen::VectorXd(integrand(b / x, smooth_density_of) * (b / (x * x)));
        };
        sum += integrate(tail, 0, 1, gauss(tail, 0, 1), size);
        result_.to = std::numeric_limits<double>::infinity();
      } else {
        result_.notes.push_back(fmt::format(
            "the density does not fall towards high frequencies: rms counts to {:.6g} Hz; --range says where "
            "to end",
            grid.back()));
      }
    }
    store(sum);
  }

  /// Modes need no more accuracy than the whole that they are parts of.
  void level_with_sources(Eigen::VectorXd& size) const {
    const auto sources = static_cast<Index>(sources_.size()), modes = static_cast<Index>(lambda_.size());
    for (Index y = 0; y < outputs_; ++y) {
      auto part = size.segment(y * (sources + modes), sources + modes);
      part.tail(modes) = part.tail(modes).cwiseMax(part.head(sources).sum());
    }
  }

  void store(const Eigen::VectorXd& sum) {
    const auto sources = static_cast<Index>(sources_.size()), modes = static_cast<Index>(lambda_.size());
    for (Index y = 0; y < outputs_; ++y) {
      RandomOutput& output = result_.outputs[static_cast<std::size_t>(y)];
      const auto part = sum.segment(y * (sources + modes), sources + modes);
      const double square = part.head(sources).sum();
      output.rms = std::sqrt(square);
      for (Index j = 0; j < sources; ++j) output.by_source.push_back(std::sqrt(part[j]));
      output.rest = square;
      for (Index k = 0; k < modes; ++k) {
        output.by_mode.push_back(part[sources + k]);
        output.rest -= part[sources + k];
      }
    }
  }

  const std::vector<RandomSource>& sources_;
  TransferMatrix exact_;
  Index outputs_ = 0;
  std::vector<Index> columns_;  // by source: its input
  std::vector<Complex> lambda_;
  std::vector<bool> pair_;
  std::vector<Eigen::MatrixXcd> residues_;  // by mode: outputs by sources
  RandomResponse result_;
};

}  // namespace

double density_of(const Spectrum& spectrum, double frequency) {
  return std::visit([&](const auto& s) { return density(s, frequency); }, spectrum);
}

std::vector<RandomSource> noise_of(const Model& model) {
  std::vector<RandomSource> sources;
  for (const SignalDescription& signal : model.description.signals) {
    if (const auto* noise = std::get_if<NoiseBlock>(&signal.block)) {
      sources.push_back({signal.name, HeldSpectrum{noise->std, noise->period}});
    }
  }
  return sources;
}

RandomResponse random_response(const LinearModel& model, const std::vector<RandomSource>& sources,
                               std::optional<double> from, std::optional<double> to, int pade_order) {
  return RandomAnalysis(model, sources, pade_order).find(from, to);
}

}  // namespace gyrostat
