// The same mechanisms in this library and in the engines it is compared with: do all compute the same accelerations,
// and how long does each take? All in one process, taking turns, so that the ratios mean something on a noisy machine.
//
// Exit code 0: they agree; 1: they do not.
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <vector>

#include <fmt/format.h>

#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/kernels.h"

#include "limit.h"
#include "mechanisms.h"
#include "peer.h"

namespace gyrostat::bench {
namespace engines {

using Peers = std::vector<std::unique_ptr<Peer>>;

/// This library.
class Gyrostat : public Peer {
 public:
  explicit Gyrostat(const System& system)
      : mechanism_(system),
        kinematics_(mechanism_),
        workspace_(mechanism_),
        forces_(system),
        udot_(system.initial.u),
        constraints_(make_constraints(mechanism_)),
        closures_(make_closures<double>(constraints_)) {}

  [[nodiscard]] std::string name() const override { return "Gyrostat"; }
  void set_state(const State& state) override {
    state_ = &state;
    if (closures_.empty() || closures_.plan != nullptr) return;
    update(mechanism_, state.q.data(), state.u.data(), kinematics_);
    evaluate_closures(constraints_, mechanism_, kinematics_, state.q.data(), state.u.data(), forces_, {}, closures_);
    plan_ = plan_closures(mechanism_, kinematics_, forces_.free, closures_);
    closures_.plan = &plan_;
    closures_.whole = false;
    workspace_.closures.resize(plan_);
  }
  void evaluate() override {
    const double *q = state_->q.data(), *u = state_->u.data();
    update(mechanism_, q, u, kinematics_);
    if (closures_.empty()) {
      gyrostat::accelerations(mechanism_, kinematics_, u, forces_, workspace_, udot_.data());
    } else {
      evaluate_closures(constraints_, mechanism_, kinematics_, q, u, forces_, {}, closures_);
      gyrostat::accelerations(mechanism_, kinematics_, u, forces_, closures_, workspace_, udot_.data());
    }
  }
  [[nodiscard]] Eigen::VectorXd accelerations() const override { return udot_; }

 private:
  gyrostat::Mechanism mechanism_;
  Kinematics<double> kinematics_;
  ArticulatedBodyData<double> workspace_;
  Forces<double> forces_;
  Eigen::VectorXd udot_;
  Constraints constraints_;
  Closures<double> closures_;
  ClosurePlan plan_;  // of the first state
  const State* state_ = nullptr;
};

/// No engine: a bare loop that executes the operations which the recursion was counted to execute.
class Limit : public Peer {
 public:
  explicit Limit(const System& system) {
    const gyrostat::Mechanism mechanism(system);
    Kinematics<Counted> kinematics(mechanism);
    ArticulatedBodyData<Counted> workspace(mechanism);
    const Forces<Counted> forces(system);
    std::vector<Counted> q(mechanism.nq), u(mechanism.nu), udot(mechanism.nu);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = system.initial.q[static_cast<Eigen::Index>(k)];
    counter() = {};
    outward<Counted, false>(mechanism, q.data(), u.data(), nullptr, kinematics);
    articulated_body_accelerations(mechanism, kinematics, u.data(), forces, workspace, udot.data());
    operations = counter();
  }

  [[nodiscard]] std::string name() const override { return "bare flops"; }
  void set_state(const State&) override {}
  void evaluate() override { result_ = execute(operations, 1 + 1e-9 * result_); }
  [[nodiscard]] Eigen::VectorXd accelerations() const override { return {}; }

  Operations operations;

 private:
  double result_ = 0;
};

Peers peers_of(const System& system) {
  Peers all;
  all.push_back(std::make_unique<Gyrostat>(system));
  for (const auto make : {&bullet_peer, &simbody_peer, &mujoco_peer})
    if (auto peer = make(system)) all.push_back(std::move(peer));
  return all;
}

/// Largest difference relative to the largest value, of the worst of: base angular, base linear, hinges.
double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const auto part = [&](Eigen::Index begin, Eigen::Index count) {
    if (count == 0) return 0.0;
    const auto x = a.segment(begin, count), y = b.segment(begin, count);
    return (x - y).cwiseAbs().maxCoeff() / std::max(x.cwiseAbs().maxCoeff(), y.cwiseAbs().maxCoeff());
  };
  if (a.size() != b.size() || !a.allFinite() || !b.allFinite()) return INFINITY;
  return std::max({part(0, 3), part(3, 3), part(6, a.size() - 6)});
}

/// Prints the largest difference of each pair over all states; are all within tolerance?
bool agree(const Peers& peers, const std::vector<State>& states) {
  std::vector<std::vector<Eigen::VectorXd>> udot(peers.size());
  for (std::size_t k = 0; k < peers.size(); ++k) {
    for (const State& state : states) {
      peers[k]->set_state(state);
      peers[k]->evaluate();
      udot[k].push_back(peers[k]->accelerations());
    }
  }
  bool good = true;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    for (std::size_t j = i + 1; j < peers.size(); ++j) {
      double worst = 0;
      for (std::size_t s = 0; s < states.size(); ++s) worst = std::max(worst, difference(udot[i][s], udot[j][s]));
      const bool within = worst <= std::max(peers[i]->tolerance(), peers[j]->tolerance());
      fmt::print("  {:>17.1e}{}", worst, within ? ' ' : '!');
      good = good && within;
    }
  }
  return good;
}

/// Time of this thread on the processor [ns].
double now() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// Of one state among `states`, all visited `repetitions` times [ns].
template <class Work>
double time_per_state(const std::vector<State>& states, int repetitions, Work work) {
  const double start = now();
  for (int r = 0; r < repetitions; ++r)
    for (const State& state : states) work(state);
  return (now() - start) / (repetitions * static_cast<double>(states.size()));
}

/// An evaluation of each peer [ns]: median of rounds in which the peers take turns. Every evaluation is at another
/// state; what setting it takes is measured by itself and subtracted.
std::vector<double> evaluation_times(const Peers& peers, const std::vector<State>& states) {
  constexpr std::size_t rounds = 11;
  constexpr double block = 2e7;
  std::vector<std::array<double, rounds>> times(peers.size());
  std::vector<int> repetitions(peers.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < peers.size(); ++k) {
      Peer& peer = *peers[k];
      const auto set = [&](const State& state) { peer.set_state(state); };
      const auto both = [&](const State& state) {
        peer.set_state(state);
        peer.evaluate();
      };
      if (round == 0) {
        const double once = static_cast<double>(states.size()) * time_per_state(states, 1, both);
        repetitions[k] = 1 + static_cast<int>(block / once);
      }
      times[k][round] = time_per_state(states, repetitions[k], both) - time_per_state(states, repetitions[k], set);
    }
  }
  std::vector<double> medians;
  for (auto& all : times) {
    std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
    medians.push_back(all[rounds / 2]);
  }
  return medians;
}

struct Mechanism {
  std::string name;
  System system;
  std::vector<State> states;
};

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all;
  for (const bool branched : {false, true}) {
    for (const std::size_t count : {2U, 5U, 10U, 20U, 50U, 200U, 1000U}) {
      const std::uint64_t seed = 1000 + count;
      Mechanism one{fmt::format("{} {}", branched ? "tree" : "chain", count),
                    system_of(branched ? binary_tree(count, seed) : chain(count, seed)),
                    {}};
      for (std::uint64_t s = 0; s < (count > 100 ? 16 : 64); ++s) one.states.push_back(random_state(one.system, s));
      all.push_back(std::move(one));
    }
  }
  return all;
}

/// Towers of four-bars: with their loops closed, in Simbody, and as trees, that is with the closing hinges left out.
bool compare_towers() {
  fmt::print("\n\ntowers of four-bars, us per evaluation\n{:<12}  {:>10}  {:>10}  {:>10}  {:>10}  {:>16}  {:>10}\n", "",
             "Gyrostat", "as a tree", "ratio", "per loop", "Simbody", "difference");
  bool good = true;
  for (const std::size_t bays : {1U, 10U, 40U, 160U}) {
    const System closed = system_of(tower(bays, 1)), open = system_of(tower(bays, 1, false));
    std::vector<State> states;
    for (std::uint64_t s = 0; s < 16; ++s) states.push_back(tower_state(closed, s));
    Peers peers;
    peers.push_back(std::make_unique<Gyrostat>(closed));
    peers.push_back(std::make_unique<Gyrostat>(open));
    if (auto simbody = simbody_peer(closed); simbody && bays <= 40) peers.push_back(std::move(simbody));
    std::string theirs, apart;
    double worst = 0;
    if (peers.size() > 2) {
      for (const State& state : states) {
        for (const std::size_t k : {0U, 2U}) {
          peers[k]->set_state(state);
          peers[k]->evaluate();
        }
        worst = std::max(worst, difference(peers[0]->accelerations(), peers[2]->accelerations()));
      }
      good = good && worst <= 1e-7;  // Simbody's factorisation decides ranks by a tolerance of its own
      apart = fmt::format("{:.1e}", worst);
    }
    const std::vector<double> times = evaluation_times(peers, states);
    if (peers.size() > 2) theirs = fmt::format("{:.1f} ({:.4f})", times[2] / 1e3, times[0] / times[2]);
    fmt::print("{:<12}  {:>10.2f}  {:>10.2f}  {:>10.2f}  {:>10.3f}  {:>16}  {:>10}\n", fmt::format("{} loops", bays),
               times[0] / 1e3, times[1] / 1e3, times[0] / times[1], times[0] / 1e3 / static_cast<double>(bays), theirs,
               apart);
  }
  return good;
}

/// What one more hinge costs.
void print_count() {
  const Limit shorter(system_of(chain(10, 1))), longer(system_of(chain(11, 1)));
  const Operations &a = shorter.operations, &b = longer.operations;
  fmt::print(
      "\none more hinge: {} multiplications, {} additions, {} division, {} sine and cosine (counted by running it)\n",
      b.multiplications - a.multiplications, b.additions - a.additions, b.divisions - a.divisions, b.sincos - a.sincos);
}

int run() {
  const std::vector<Mechanism> all = mechanisms();
  const Peers names = peers_of(all[0].system);
  fmt::print("kernels for {}\n", kernels().processor);

  fmt::print("\nlargest relative difference of accelerations (! where it is too large)\n{:<12}", "");
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      fmt::print("  {:>17} ", names[i]->name() + "/" + names[j]->name());
  bool good = true;
  for (const Mechanism& one : all) {
    fmt::print("\n{:<12}", one.name);
    good = agree(peers_of(one.system), one.states) && good;
  }

  fmt::print("\n\nforward dynamics, ns per body, and in brackets our time over theirs\n{:<12}", "");
  for (const auto& peer : names) fmt::print("  {:>16}", peer->name());
  fmt::print("  {:>16}", "bare flops");
  for (const Mechanism& one : all) {
    fmt::print("\n{:<12}", one.name);
    Peers engines = peers_of(one.system);
    engines.push_back(std::make_unique<Limit>(one.system));
    const std::vector<double> times = evaluation_times(engines, one.states);
    std::size_t column = 0;
    for (std::size_t k = 0; k < engines.size(); ++k, ++column) {
      while (column + 1 < names.size() && k + 1 < engines.size() && engines[k]->name() != names[column]->name()) {
        fmt::print("  {:>16}", "");  // an engine that cannot hold this mechanism
        ++column;
      }
      if (k + 1 == engines.size()) {
        for (; column < names.size(); ++column) fmt::print("  {:>16}", "");
      }
      const double body = times[k] / static_cast<double>(one.system.body_count());
      fmt::print("  {:>16}",
                 k == 0 ? fmt::format("{:.0f}", body) : fmt::format("{:.0f} ({:.2f})", body, times[0] / times[k]));
    }
  }
  print_count();
  good = compare_towers() && good;
  if (names.size() < 2) fmt::print("no other engine is built in: nothing was compared\n");
  return good ? 0 : 1;
}

}  // namespace engines
}  // namespace gyrostat::bench

int main() { return gyrostat::bench::engines::run(); }
