// What is printed is evaluated, and compared with formulations of the equations of motion and with the laws of motion.
#include "gyrostat/derive/equations.h"

#include <cstdio>
#include <ctime>
#include <set>

#include <Eigen/QR>
#include <gmock/gmock.h>

#include "gyrostat/derive/print.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

#include "derive/derive_case.h"
#include "support/load.h"
#include "support/sanitized.h"

namespace gyrostat::derive {
namespace equations_test {

using ::gyrostat::testing::DeriveCase;

/// Rounding is multiplied by the condition of the matrix; beyond 1e5 it shows.
double tolerance(const DeriveCase& c, const Eigen::VectorXd& udot) {
  return (c.condition < 1e5 ? 1e-10 : 1e-15 * c.condition) * (1 + udot.norm());
}

TEST(Equations, GiveTheAccelerationsOfNestedAndArticulatedBodies) {
  std::set<std::pair<JointType, bool>> types;
  for (std::uint64_t seed = 0; seed < 150 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const auto c = DeriveCase::make(seed, {.most_bodies = seed % 10 == 0 ? 12U : 6U});
    for (const Joint& j : c->system().joints) {
      if (j.motion == Motion::free && !j.name.empty()) types.emplace(j.type, j.reversed);
    }
    const Eigen::VectorXd printed = c->solved(), nested = c->nested(), articulated = c->random.accelerations();
    ASSERT_LT((printed - nested).norm(), tolerance(*c, nested));
    ASSERT_LT((printed - articulated).norm(), tolerance(*c, articulated));
  }
  EXPECT_EQ(types.size(), 22U) << "every type of joint, in both directions";
}

TEST(Equations, GiveTheAccelerationsOfTheExamples) {
  for (const char* file :
       {"five_body/five_body", "five_body/case1_prescribed", "ten_body/ten_body", "dual_spin/dual_spin",
        "dual_spin/damped_platform", "dual_spin/damped_rotor", "dumbbell/dumbbell", "dzhanibekov/dzhanibekov"}) {
    SCOPED_TRACE(file);
    const auto c = DeriveCase::from(load_file(GYROSTAT_SOURCE_DIR "/examples/" + std::string(file) + ".yaml"), 7);
    const Eigen::VectorXd printed = c->solved(), nested = c->nested(), articulated = c->random.accelerations();
    EXPECT_LT((printed - nested).norm(), tolerance(*c, nested));
    EXPECT_LT((printed - articulated).norm(), tolerance(*c, articulated));
  }
}

/// The gyroscopic torques that the model drops are not printed, and the equations are those without them.
TEST(Equations, LeaveOutGyroscopicTorquesThatTheModelDrops) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Description d = testing::with_loads(testing::random_description(seed, {.most_bodies = 5, .wheels = 0.8}));
    for (std::size_t k = 0; k < d.bodies.size(); k += 2) d.simulation.gyroscopic_dropped.push_back(d.bodies[k].name);
    const auto c = DeriveCase::from(load_description(d), seed);
    const Eigen::VectorXd printed = c->solved(), nested = c->nested();
    EXPECT_LT((printed - nested).norm(), tolerance(*c, nested)) << "seed " << seed;
  }
}

TEST(Equations, RefuseBodiesThatBendByName) {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/solar_arrays/solar_arrays.yaml");
  ASSERT_TRUE(loaded.model);
  EXPECT_THAT(outside_domain_of_derivation(loaded.model->system), ::testing::HasSubstr("bends"));
}

/// A chain, or with `star` a hub with arms; every joint revolute but the base.
Description fifty_bodies(bool star) {
  Description d;
  testing::Random random(50);
  for (std::size_t k = 0; k < 50; ++k) {
    BodyDescription body;
    body.name = "body_" + std::to_string(k);
    body.mass = random.uniform(1, 2);
    body.com = random.vector();
    body.inertia = Vector3(2, 3, 4).asDiagonal();
    d.bodies.push_back(body);
    if (k == 0) continue;
    JointDescription joint;
    joint.name = "joint_" + std::to_string(k);
    joint.type = JointType::revolute;
    joint.parent = "body_" + std::to_string(star ? 0 : k - 1);
    joint.child = body.name;
    joint.parent_point = random.vector();
    joint.rotations = {random.direction()};
    joint.position = {random.uniform(-1, 1)};
    joint.speed = {random.uniform(-1, 1)};
    d.joints.push_back(joint);
  }
  return testing::with_loads(d);
}

TEST(Equations, OfFiftyBodiesTakeLessThanTwoSeconds) {
  for (const bool star : {false, true}) {
    const Loaded loaded = load_description(fifty_bodies(star));
    ASSERT_TRUE(loaded.model);
    const std::clock_t begin = std::clock();
    const Document document = derive_equations(*loaded.model);
    const std::string text = print_text(document), html = print_html(document), latex = print_latex(document),
                      json = print_json(document);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%s: %.2f s, %zu equations, %zu symbols; %zu kB of text, %zu of HTML, %zu of LaTeX, %zu of JSON\n",
                star ? "star" : "chain", seconds, document.equations.size(), document.definitions.size(),
                text.size() / 1000, html.size() / 1000, latex.size() / 1000, json.size() / 1000);
    EXPECT_LT(seconds, testing::sanitized ? 20 : 2) << "derived and printed in four forms";
  }
}

/// Both sides of an equation, and the size of its largest term.
struct Sides {
  Value left, right;
  double scale = 0;

  Sides(const Equation& e, Evaluator& evaluate)
      : left(evaluate(total(e.left, e.type))), right(evaluate(total(e.right, e.type))) {
    for (const auto* side : {&e.left, &e.right}) {
      for (const Term& term : *side) scale = std::max(scale, evaluate(term.value).norm());
    }
  }
  [[nodiscard]] double difference() const {
    return std::abs(left.scalar - right.scalar) + (left.vector - right.vector).norm() +
           (left.dyadic - right.dyadic).norm();
  }
};

/// The torque or force with the components `along` on the vectors, of least size.
Vector3 with_components(const std::vector<Vector3>& vectors, const std::vector<double>& along) {
  Eigen::MatrixXd A(static_cast<Eigen::Index>(vectors.size()), 3);
  Eigen::VectorXd b(A.rows());
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    A.row(k) = vectors[static_cast<std::size_t>(k)].transpose();
    b[k] = along[static_cast<std::size_t>(k)];
  }
  return A.completeOrthogonalDecomposition().solve(b);
}

/// What joints transmit according to inverse dynamics, as hinge and constraint torques and forces.
void set_reactions(const DeriveCase& c, const Eigen::VectorXd& udot, Values& values) {
  const System& system = c.system();
  InverseDynamics<double> inverse(*c.random.mechanism);
  Eigen::VectorXd tau(udot.size());
  const State& state = c.random.state;
  inverse_dynamics(*c.random.mechanism, state.q.data(), state.u.data(), udot.data(), c.random.forces, inverse,
                   tau.data());
  const std::vector<Pose> X_N = body_poses(system, state.q);
  for (std::uint32_t k = 1; k < system.joints.size(); ++k) {
    const Joint& j = system.joints[k];
    const Vector3 F = to_eigen(inverse.transmitted[k].force);
    Vector3 T = to_eigen(inverse.transmitted[k].torque);
    std::vector<Vector3> turns, slides;
    std::vector<double> torques, forces;
    Vector3 zeta = Vector3::Zero();
    for (const auto& [symbol, jet] : values.given) {
      if (symbol.indices.empty() || symbol.indices[0].name != j.name) continue;
      const auto with = [&, symbol = symbol](const char* letter) {
        Symbol other = symbol;
        other.letter = letter;
        return values.given.at(other).front().scalar;
      };
      if (symbol.letter == "q") {
        turns.push_back(jet.front().vector);
        torques.push_back(with("tau"));
      } else if (symbol.letter == "d") {
        slides.push_back(jet.front().vector);
        forces.push_back(with("f"));
        zeta += with("x") * jet.front().vector;
      }
    }
    if (j.reversed) T += zeta.cross(F);  // from the base point to the pivot
    const Vector3 TH = turns.empty() ? Vector3(Vector3::Zero()) : with_components(turns, torques);
    const Vector3 FH = slides.empty() ? Vector3(Vector3::Zero()) : with_components(slides, forces);
    values.set({"TH", {{j.name, false}}}, TH);
    values.set({"Tc", {{j.name, false}}}, Vector3(T - TH));
    values.set({"FH", {{j.name, false}}}, FH);
    values.set({"Fc", {{j.name, false}}}, Vector3(F - FH));
  }
  std::vector<Vector3> w(X_N.size(), Vector3::Zero());  // angular velocities
  for (std::size_t k = 1; k < w.size(); ++k) {
    const Joint& j = system.joints[k];
    const Vector6 V = tree_subspace(j, state.q.data() + j.q) * state.u.segment(j.u, j.nu);
    w[k] = w[system.parent[k]] + X_N[k].R * V.head<3>();
  }
  for (const Wheel& wheel : system.wheels) {  // what keeps the momentum about its axis turning with the body
    const auto same_name = std::ranges::count(system.wheels, wheel.name, &Wheel::name);
    const std::string name = same_name == 1 ? wheel.name : system.bodies[wheel.body].name + "." + wheel.name;
    const Vector3 h = values.given.at({"h", {{name, false}}}).front().vector, &of = w[wheel.body];
    values.set({"Tcw", {{name, false}}}, Vector3(of.cross(wheel.inertia * (state.u[wheel.u] + h.dot(of)) * h)));
  }
}

/// With the accelerations and reactions of other formulations, every equation holds: of nests, wheels and kinematics.
TEST(Equations, HoldWithTheAccelerationsAndReactionsOfOtherFormulations) {
  std::map<EquationKind, int> seen;
  for (std::uint64_t seed = 0; seed < 150 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const auto c = DeriveCase::make(seed, {.most_bodies = seed % 10 == 0 ? 12U : 6U});
    const Eigen::VectorXd udot = c->random.accelerations();
    Values values = c->values(udot);
    set_reactions(*c, udot, values);
    Evaluator evaluate(values);
    double largest = 1;  // of all equations: what is rounded in one comes from others
    for (const Equation& e : c->document.equations) largest = std::max(largest, Sides(e, evaluate).scale);
    for (const Equation& e : c->document.equations) {
      const Sides sides(e, evaluate);
      EXPECT_LT(sides.difference(), 1e-10 * largest) << e.id << ": " << e.title;
      ++seen[e.kind];
    }
  }
  for (const EquationKind kind : {EquationKind::kinematics, EquationKind::rotation, EquationKind::translation,
                                  EquationKind::wheel, EquationKind::elimination, EquationKind::reduced}) {
    EXPECT_GT(seen[kind], 100) << kind_name(kind);
  }
}

}  // namespace equations_test
}  // namespace gyrostat::derive
