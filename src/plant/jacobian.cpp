#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/plant/plant.h"

namespace gyrostat {

namespace {

constexpr std::size_t lanes = 8;
using Number = Dual<lanes>;

}  // namespace

/// The whole right-hand side in dual numbers. Accelerations are those of the articulated bodies, which any exact
/// formulation agrees with; to a linearised one they are near enough for an iteration.
struct Plant::JacobianWorkspace {
  Kinematics<Number> kinematics;
  ArticulatedBodyData<Number> articulated;
  Forces<Number> forces;
  std::vector<BasePoint<Number>> base_points;
  std::vector<Number> y, ydot, q, u, qdot, udot, values;

  explicit JacobianWorkspace(Plant& plant)
      : kinematics(plant.mechanism()),
        articulated(plant.mechanism()),
        forces(plant.model().system),
        y(plant.size()),
        ydot(plant.size()),
        q(plant.layout().nq),
        u(plant.layout().nu),
        qdot(q.size()),
        udot(u.size()),
        values(plant.signals().values().size()) {
    expression::prepare<Number>(plant.signals().program().program, values);
  }
};

void Plant::Delete::operator()(JacobianWorkspace* workspace) const { delete workspace; }

void Plant::jacobian(double t, const double* y, double* by_columns) {
  if (!jacobian_) jacobian_.reset(new JacobianWorkspace(*this));
  JacobianWorkspace& w = *jacobian_;
  look(t, y);  // for the values of what is prescribed
  for (std::size_t first = 0; first < layout_.size; first += lanes) {
    for (std::size_t k = 0; k < layout_.size; ++k) {
      w.y[k] = k >= first && k < first + lanes ? Number::variable(y[k], k - first) : Number(y[k]);
    }
    layout_.scatter(w.y.data(), w.q.data(), w.u.data());
    for (const PrescribedMotion::Target& target : prescribed_.targets()) {
      w.u[target.u] = Number(state_.u[target.u]);
      w.forces.udot[target.u] = Number(forces_.udot[target.u]);
      if (!target.speed) w.q[target.q] = Number(state_.q[target.q]);
    }
    outward<Number, false>(mechanism(), w.q.data(), w.u.data(), nullptr, w.kinematics);
    find_base_points(mechanism(), w.kinematics, w.u.data(), w.base_points);
    const Instant<Number> instant{mechanism(),   w.q.data(), w.u.data(),         w.kinematics,
                                  w.base_points, t,          signals_.segments()};
    Shared<Number> shared;
    signals_.evaluate(instant, w.y.data() + layout_.x, w.values, shared);
    apply<Number>(signals_.actions(), instant, w.values, w.forces);
    articulated_body_accelerations(mechanism(), w.kinematics, w.u.data(), w.forces, w.articulated, w.udot.data());
    layout_.gather_rates(model_.system, w.y.data(), w.q.data(), w.u.data(), w.qdot.data(), w.ydot.data());
    std::copy_n(w.udot.data(), layout_.nu, w.ydot.data() + layout_.u);
    for (std::size_t k = 0; k < layout_.nx; ++k) w.ydot[layout_.x + k] = w.values[signals_.program().rates[k]];
    for (std::size_t j = first; j < std::min(first + lanes, layout_.size); ++j) {
      for (std::size_t k = 0; k < layout_.size; ++k) by_columns[j * layout_.size + k] = w.ydot[k].d[j - first];
    }
  }
}

}  // namespace gyrostat
