#include "gyrostat/analysis/trim.h"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <fmt/format.h>
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "gyrostat/analysis/tangent.h"
#include "gyrostat/expression/nearest.h"

namespace gyrostat {

namespace {

using Index = Eigen::Index;

/// The rates that are to vanish, as a function of the perturbations of all coordinates, speeds and states of signals.
class SteadyRates {
 public:
  SteadyRates(const Model& model, const OperatingPoint& from, const TrimSettings& settings)
      : plant_(model, "articulated_body"),
        run_(plant_),
        from_(from),
        tangent_(plant_, from.y, from.discrete.free),
        settings_(settings) {
    run_.set_discrete(from.discrete);
    find_reference();
    name_states();
    choose_equations();
    choose_unknowns();
  }

  [[nodiscard]] const std::vector<LinearVariable>& states() const { return states_; }
  [[nodiscard]] const std::vector<std::size_t>& unknowns() const { return unknowns_; }
  [[nodiscard]] const std::vector<std::size_t>& equations() const { return equations_; }
  PlantRun& run() { return run_; }
  [[nodiscard]] double t() const { return from_.t; }

  /// The state there, on the constraints.
  Eigen::VectorXd at(const Eigen::VectorXd& z) {
    const auto n = static_cast<Index>(tangent_.speeds().size());
    Eigen::VectorXd all = Eigen::VectorXd::Zero(static_cast<Index>(states_.size()));
    for (std::size_t k = 0; k < unknowns_.size(); ++k) all[static_cast<Index>(unknowns_[k])] = z[static_cast<Index>(k)];
    Eigen::VectorXd y = tangent_.moved(all.head(n), all.segment(n, n));
    for (Index k = 2 * n; k < all.size(); ++k) y[static_cast<Index>(plant_.layout().x) + k - 2 * n] += all[k];
    if (run_.constrained()) run_.project(from_.t, y.data(), 1e-14);
    return y;
  }

  /// Rates of all states in the axes that turn; of those that are no equations too.
  Eigen::VectorXd all_rates(const Eigen::VectorXd& y) {
    const Layout& layout = plant_.layout();
    const System& system = plant_.system();
    Eigen::VectorXd ydot(y.size());
    set_channels_steady(run_, from_.t, y.data());
    // switches that are no events follow, those that are stay
    run_.evaluate(from_.t, y.data(), Stage::acceleration);
    run_.derivative(from_.t, y.data(), ydot.data());
    const auto n = static_cast<Index>(tangent_.speeds().size());
    Eigen::VectorXd rates(static_cast<Index>(states_.size()));
    for (Index k = 0; k < n; ++k) {
      const auto u = static_cast<Index>(layout.u + tangent_.speeds()[static_cast<std::size_t>(k)]);
      rates[k] = y[u];
      rates[n + k] = ydot[u];
    }
    rates.tail(static_cast<Index>(layout.nx)) = ydot.tail(static_cast<Index>(layout.nx));
    const State state = run_.state();
    Vector3 w = w_ref_;
    if (settings_.motion == SteadyMotion::spin) w = rotation_of(*spinning_, state) * speed_of(*spinning_, state);
    for (const std::uint32_t i : roots_) {
      const Joint& joint = system.joints[i];
      const Index first = place_of(joint.u);
      rates.segment<3>(first) = speed_of(i, state) - rotation_of(i, state).transpose() * w;
      if (joint.type != JointType::free) continue;
      const Vector3 p = state.q.segment<3>(joint.q), v = state.u.segment<3>(joint.u + 3);
      rates.segment<3>(first + 3) = v - w.cross(p);
      rates.segment<3>(n + first + 3) -= w.cross(v);
    }
    return rates;
  }

  Eigen::VectorXd operator()(const Eigen::VectorXd& z) {
    const Eigen::VectorXd all = all_rates(at(z));
    Eigen::VectorXd chosen(static_cast<Index>(equations_.size()));
    for (std::size_t k = 0; k < equations_.size(); ++k) {
      chosen[static_cast<Index>(k)] = all[static_cast<Index>(equations_[k])];
    }
    return chosen;
  }

  /// At rest a speed that is zero to the tolerance is zero: else the axes of a body would turn by what rounding left.
  void stop(Eigen::VectorXd& z) const {
    if (settings_.motion != SteadyMotion::rest) return;
    const std::size_t n = tangent_.speeds().size();
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      if (unknowns_[k] < n || unknowns_[k] >= 2 * n) continue;
      const std::size_t coordinate = unknowns_[k] - n;
      const double start = from_.y[static_cast<Index>(plant_.layout().u + tangent_.speeds()[coordinate])];
      double& change = z[static_cast<Index>(k)];
      if (std::ranges::binary_search(equations_, coordinate) && std::abs(start + change) < trim_tolerance)
        change = -start;
    }
  }

  /// By central differences.
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& z) {
    Eigen::MatrixXd J(static_cast<Index>(equations_.size()), z.size());
    for (Index k = 0; k < z.size(); ++k) {
      const double h = 1e-6 * (1 + std::abs(z[k]));
      J.col(k) =
          ((*this)(z + h * Eigen::VectorXd::Unit(z.size(), k)) - (*this)(z - h * Eigen::VectorXd::Unit(z.size(), k))) /
          (2 * h);
    }
    return J;
  }

 private:
  [[nodiscard]] Index place_of(std::uint32_t u) const {
    return std::ranges::find(tangent_.speeds(), u) - tangent_.speeds().begin();
  }
  [[nodiscard]] Matrix3 rotation_of(std::uint32_t i, const State& state) const {
    const Joint& joint = plant_.system().joints[i];
    return joint_pose(joint, state.q.data() + joint.q).R;
  }
  [[nodiscard]] Vector3 speed_of(std::uint32_t i, const State& state) const {
    return state.u.segment<3>(plant_.system().joints[i].u);
  }

  /// Bodies that turn freely in the world, and what they are to turn with.
  void find_reference() {
    const System& system = plant_.system();
    for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      const bool moves = place_of(joint.u) < static_cast<Index>(tangent_.speeds().size());
      if (system.parent[i] == 0 && has_quaternion(joint.type) && moves) roots_.push_back(i);
    }
    if (settings_.motion == SteadyMotion::orbit) {
      const auto& orbit = plant_.model().description.environment.orbit;
      if (!orbit) throw AnalysisError("there is no orbit in the model that a motion could be fixed to");
      const OrbitState at = Orbit(*orbit).at(from_.t);
      w_ref_ = at.position.cross(at.velocity) / at.position.squaredNorm();
    }
    if (settings_.motion == SteadyMotion::spin) {
      if (roots_.empty()) throw AnalysisError("no body turns freely in the world: there is nothing that could spin");
      spinning_ = roots_.front();
    }
  }

  void name_states() {
    for (std::size_t k = 0; k < tangent_.speeds().size(); ++k) states_.push_back(tangent_.coordinate(k));
    for (std::size_t k = 0; k < tangent_.speeds().size(); ++k) states_.push_back(tangent_.speed(k));
    for (const ExpressionCompiler::State& state : plant_.signals().states) {
      states_.push_back({state.owner, "", "state of the signal"});
    }
  }

  void choose_unknowns() {
    const std::size_t n = tangent_.speeds().size();
    std::vector<bool> held(states_.size());
    for (const std::string& name : settings_.hold) {
      bool any = false;
      for (std::size_t k = 0; k < states_.size(); ++k) {
        const std::string& state = states_[k].name;
        if (state != name && !state.starts_with(name + ".") && !state.starts_with(name + "_")) continue;
        held[k] = any = true;
      }
      if (any) continue;
      std::vector<std::string> names;
      for (const LinearVariable& state : states_) names.push_back(state.name);
      throw AnalysisError(fmt::format("--hold {}: no state has this name{}", name, did_you_mean(name, names)));
    }
    for (const Wheel& wheel : plant_.system().wheels) {
      if (place_of(wheel.u) < static_cast<Index>(n)) held[n + static_cast<std::size_t>(place_of(wheel.u))] = true;
    }
    std::vector<double> q(plant_.layout().nq), u(plant_.layout().nu);
    plant_.layout().scatter(from_.y.data(), q.data(), u.data());
    if (spinning_) {
      const std::uint32_t first = plant_.system().joints[*spinning_].u;
      const auto larger = [&](std::uint32_t a, std::uint32_t b) { return std::abs(u[a]) < std::abs(u[b]); };
      const std::array<std::uint32_t, 3> three = {first, first + 1, first + 2};
      const std::uint32_t largest = *std::ranges::max_element(three, larger);
      if (u[largest] == 0) {
        throw AnalysisError(fmt::format("'{}' does not turn: a steady spin needs the angular velocity to begin with",
                                        plant_.system().bodies[*spinning_].name));
      }
      held[n + static_cast<std::size_t>(place_of(largest))] = true;
    }
    for (std::size_t k = 0; k < states_.size(); ++k) {
      if (!held[k]) unknowns_.push_back(k);
    }
    // what goes on turning has no rate that is to vanish
    std::erase_if(equations_, [&](std::size_t k) {
      return k < n && held[n + k] && u[tangent_.speeds()[k]] != 0 && !is_root(tangent_.speeds()[k]);
    });
  }

  [[nodiscard]] bool is_root(std::uint32_t u) const {
    return std::ranges::any_of(roots_, [&](std::uint32_t i) {
      const Joint& joint = plant_.system().joints[i];
      return u >= joint.u && u < joint.u + joint.nu;
    });
  }

  /// All rates but those of positions in a spin, which turn about an axis that is not known, and of wheels' angles.
  void choose_equations() {
    const std::size_t n = tangent_.speeds().size();
    for (std::size_t k = 0; k < states_.size(); ++k) {
      const bool coordinate = k < n;
      const std::uint32_t u = coordinate ? tangent_.speeds()[k] : 0;
      if (coordinate && std::ranges::any_of(plant_.system().wheels, [&](const Wheel& w) { return w.u == u; })) continue;
      if (coordinate && settings_.motion == SteadyMotion::spin && is_root(u)) continue;
      equations_.push_back(k);
    }
  }

  Plant plant_;
  PlantRun run_;
  const OperatingPoint& from_;
  Tangent tangent_;
  const TrimSettings& settings_;
  std::vector<LinearVariable> states_;
  std::vector<std::uint32_t> roots_;
  std::optional<std::uint32_t> spinning_;
  Vector3 w_ref_ = Vector3::Zero();  // of the axes in which all stands still, world axes [rad/s]
  std::vector<std::size_t> unknowns_, equations_;
};

/// As many unknowns as the rates can tell apart: z = V c, and the rates U^T f(z), from the singular value decomposition
/// of the derivatives. What is left of f beside U is looked at in the end.
struct Reduced {
  SteadyRates& rates;
  Eigen::VectorXd start;
  Eigen::MatrixXd U, V;
};

int reduced_rates(N_Vector c, N_Vector f, void* context) {
  const Reduced& r = *static_cast<const Reduced*>(context);
  const Eigen::Map<const Eigen::VectorXd> at(N_VGetArrayPointer_Serial(c), r.V.cols());
  Eigen::Map<Eigen::VectorXd> out(N_VGetArrayPointer_Serial(f), r.U.cols());
  out = r.U.transpose() * r.rates(r.start + r.V * at);
  return out.allFinite() ? 0 : 1;
}

void silent(int, const char*, const char*, char*, void*) {}

struct Solved {
  Eigen::VectorXd z;
  std::string failure;
  long iterations = 0;
};

/// By KINSOL, with a line search.
Solved solve(Reduced& reduced) {
  const auto size = static_cast<sunindextype>(reduced.V.cols());
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector c = N_VNew_Serial(size, context), ones = N_VNew_Serial(size, context);
  N_VConst(0, c);
  N_VConst(1, ones);
  SUNMatrix matrix = SUNDenseMatrix(size, size, context);
  SUNLinearSolver solver = SUNLinSol_Dense(c, matrix, context);
  void* memory = KINCreate(context);
  KINSetErrHandlerFn(memory, silent, nullptr);
  KINInit(memory, reduced_rates, c);
  KINSetUserData(memory, &reduced);
  KINSetLinearSolver(memory, solver, matrix);
  KINSetMaxSetupCalls(memory, 1);
  KINSetFuncNormTol(memory, 0.01 * trim_tolerance);
  KINSetScaledStepTol(memory, 1e-15);
  KINSetNumMaxIters(memory, 200);
  const int flag = KINSol(memory, c, KIN_LINESEARCH, ones, ones);
  Solved solved;
  KINGetNumNonlinSolvIters(memory, &solved.iterations);
  const Eigen::Map<const Eigen::VectorXd> at(N_VGetArrayPointer_Serial(c), reduced.V.cols());
  solved.z = reduced.start + reduced.V * at;
  if (flag < 0) {
    char* name = KINGetReturnFlagName(flag);
    solved.failure = name;
    free(name);  // NOLINT: KINSOL allocates it so
  }
  KINFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(ones);
  N_VDestroy(c);
  SUNContext_Free(&context);
  return solved;
}

/// States that the null space may choose freely.
std::vector<std::string> neutral_states(const Eigen::MatrixXd& null_space, const SteadyRates& rates) {
  std::vector<std::string> names;
  if (null_space.cols() == 0) return names;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(null_space.transpose());
  std::vector<std::size_t> chosen;
  for (Index k = 0; k < null_space.cols(); ++k) {
    chosen.push_back(rates.unknowns()[static_cast<std::size_t>(qr.colsPermutation().indices()[k])]);
  }
  std::ranges::sort(chosen);
  for (const std::size_t k : chosen) names.push_back(rates.states()[k].name);
  return names;
}

}  // namespace

Trim trim(const Model& model, const OperatingPoint& from, const TrimSettings& settings) {
  SteadyRates rates(model, from, settings);
  const auto size = static_cast<Index>(rates.unknowns().size());
  Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
  Trim result;
  {
    const Eigen::VectorXd f = rates(z);
    result.residual_before = f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff();
    if (!f.allFinite()) throw AnalysisError("the rates at the state to begin with are not finite");
  }
  const auto decomposed = [&] {
    return Eigen::JacobiSVD<Eigen::MatrixXd>(rates.jacobian(z), Eigen::ComputeFullU | Eigen::ComputeFullV);
  };
  constexpr double negligible = 1e-7;  // of the largest singular value: differences are known to 1e-9
  const auto rank_of = [](const Eigen::JacobiSVD<Eigen::MatrixXd>& svd) {
    return svd.singularValues().size() == 0
               ? Index{0}
               : static_cast<Index>((svd.singularValues().array() > negligible * svd.singularValues()[0]).count());
  };
  for (int pass = 0; pass < 3 && size > 0; ++pass) {  // what the rates tell apart may change on the way
    const auto svd = decomposed();
    const Index rank = rank_of(svd);
    if (rank == 0) break;
    Reduced reduced{rates, z, svd.matrixU().leftCols(rank), svd.matrixV().leftCols(rank)};
    Solved solved = solve(reduced);
    z = solved.z;
    result.iterations += solved.iterations;
    result.failure = std::move(solved.failure);
    if (rates(z).cwiseAbs().maxCoeff() < trim_tolerance) break;
  }
  rates.stop(z);
  result.point = {from.t, rates.at(z), from.discrete};
  const Eigen::VectorXd f = rates(z);
  result.residual = f.size() == 0 ? 0 : f.cwiseAbs().maxCoeff();
  for (Index k = 0; k < f.size(); ++k) {
    if (std::abs(f[k]) < trim_tolerance) continue;
    const LinearVariable& state = rates.states()[rates.equations()[static_cast<std::size_t>(k)]];
    result.left.push_back({state.name, state.unit, f[k]});
  }
  std::ranges::stable_sort(
      result.left, [](const TrimResidual& a, const TrimResidual& b) { return std::abs(a.rate) > std::abs(b.rate); });
  if (size > 0) {
    const auto svd = decomposed();
    result.neutral = neutral_states(svd.matrixV().rightCols(size - rank_of(svd)), rates);
  }
  PlantRun& run = rates.run();
  run.evaluate(from.t, from.y.data(), Stage::velocity);
  result.from = run.state();
  set_channels_steady(run, from.t, result.point.y.data());
  run.evaluate(from.t, result.point.y.data(), Stage::velocity);
  result.to = run.state();
  result.point.discrete = run.discrete();
  return result;
}

}  // namespace gyrostat
