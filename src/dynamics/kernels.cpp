// Compiled once for each kind of processor, with GYROSTAT_PROCESSOR its name. Everything is inlined into the functions
// of this file and nothing in it is visible but `table`: no other part of a program may come to run this code
// (tests/architecture looks).
#include "gyrostat/dynamics/kernels.h"

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/composite_body_sweeps.h"
#include "gyrostat/dynamics/derivative_sweeps.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"

#define GYROSTAT_STRING(name) #name
#define GYROSTAT_NAME(name) GYROSTAT_STRING(name)

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

namespace {

template <class T>
[[GYROSTAT_WHOLE]] void update(const Mechanism& mechanism, const T* q, const T* u, Kinematics<T>& kinematics) {
  outward<T, false>(mechanism, q, u, nullptr, kinematics);
}

template <class T>
[[GYROSTAT_WHOLE]] void accelerations(const Mechanism& mechanism, const Kinematics<T>& kinematics, const T* u,
                                      const Forces<T>& forces, ArticulatedBody<T>& workspace, T* udot) {
  gather(mechanism, kinematics, u, forces, workspace);
  scatter(mechanism, kinematics, forces, workspace, udot);
}

template <class T>
[[GYROSTAT_WHOLE]] void inverse_dynamics(const Mechanism& mechanism, const T* q, const T* u, const T* udot,
                                         const Forces<T>& forces, InverseDynamics<T>& workspace, T* tau) {
  inverse_dynamics_sweeps(mechanism, q, u, udot, forces, workspace, tau);
}

[[GYROSTAT_WHOLE]] void mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                    CompositeBody& workspace) {
  assemble_mass_matrix(mechanism, kinematics, workspace);
}

[[GYROSTAT_WHOLE]] void composite_body(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                       const double* u, const Forces<double>& forces, CompositeBody& workspace,
                                       double* udot) {
  composite_body_accelerations(mechanism, kinematics, u, forces, workspace, udot);
}

[[GYROSTAT_WHOLE]] void differentiate(const Mechanism& mechanism, const double* q, const double* u,
                                      const Forces<double>& forces, Derivatives& derivatives) {
  derivative_sweeps(mechanism, q, u, forces, derivatives);
}

template <class T>
constexpr KernelsOf<T> kernels_of = {update<T>, accelerations<T>, inverse_dynamics<T>};

}  // namespace

extern const Kernels table;
const Kernels table = {GYROSTAT_NAME(GYROSTAT_PROCESSOR),
                       kernels_of<double>,
                       kernels_of<Pack>,
                       mass_matrix,
                       composite_body,
                       differentiate};

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
