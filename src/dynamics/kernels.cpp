// Compiled once for each kind of processor, with GYROSTAT_PROCESSOR its name. Everything is inlined into the functions
// of this file and nothing in it is visible but `table`: no other part of a program may come to run this code
// (tests/architecture looks).
#include "gyrostat/dynamics/kernels.h"

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/closure_sweeps.h"
#include "gyrostat/dynamics/composite_body_sweeps.h"
#include "gyrostat/dynamics/derivative_sweeps.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"

#define GYROSTAT_STRING(name) #name
#define GYROSTAT_NAME(name) GYROSTAT_STRING(name)

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

namespace {

template <class T, class C>
[[GYROSTAT_WHOLE]] void update(const MechanismOf<C>& mechanism, const T* q, const T* u, Kinematics<T>& kinematics) {
  outward<T, false>(mechanism, q, u, nullptr, kinematics);
}

template <class T, class C>
[[GYROSTAT_WHOLE]] void accelerations(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                                      const Forces<T>& forces, ArticulatedBodyData<T>& workspace, T* udot) {
  articulated_body_accelerations(mechanism, kinematics, u, forces, workspace, udot);
}

template <class T, class C>
[[GYROSTAT_WHOLE]] void closed_accelerations(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics,
                                             const T* u, const Forces<T>& forces, Closures<T>& closures,
                                             ArticulatedBodyData<T>& workspace, T* udot) {
  closed_inward(mechanism, kinematics, u, forces, closures, workspace);
  closed_outward(mechanism, kinematics, forces, closures, workspace, udot);
}

template <class T, class C>
[[GYROSTAT_WHOLE]] void inverse_dynamics(const MechanismOf<C>& mechanism, const T* q, const T* u, const T* udot,
                                         const Forces<T>& forces, InverseDynamics<T>& workspace, T* tau) {
  inverse_dynamics_sweeps(mechanism, q, u, udot, forces, workspace, tau);
}

[[GYROSTAT_WHOLE]] void mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                    CompositeBodyData& workspace) {
  assemble_mass_matrix(mechanism, kinematics, workspace);
}

[[GYROSTAT_WHOLE]] void composite_body(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                       const double* u, const Forces<double>& forces, CompositeBodyData& workspace,
                                       double* udot) {
  composite_body_accelerations(mechanism, kinematics, u, forces, workspace, udot);
}

[[GYROSTAT_WHOLE]] void update_directional(const Mechanism& mechanism, const BodyRange& bodies, const Directional* q,
                                           const Directional* u, Kinematics<Directional>& kinematics) {
  outward<Directional, false>(mechanism, bodies, q, u, nullptr, kinematics);
}

[[GYROSTAT_WHOLE]] void find_composites(const Differentiated& at, const double* u, const Forces<double>& forces,
                                        Composites& composites) {
  compose_outboard(at, u, forces, composites);
}

[[GYROSTAT_WHOLE]] void differentiate(const Differentiated& at, const BodyRange& varied,
                                      const Kinematics<Directional>& kinematics, const Directional* u,
                                      const Forces<Directional>& forces, const Closures<Directional>& closures,
                                      DerivativesData& workspace, Directional* udot) {
  derivative_sweeps(at, varied, kinematics, u, forces, closures, workspace, udot);
}

template <class T, class C = double>
constexpr KernelsOf<T, C> kernels_of = {update<T, C>, accelerations<T, C>, closed_accelerations<T, C>,
                                        inverse_dynamics<T, C>};

using Lanes = Pack<native_lanes>;

}  // namespace

extern const Kernels table;
const Kernels table = {GYROSTAT_NAME(GYROSTAT_PROCESSOR),
                       kernels_of<double>,
                       PackKernels<native_lanes>{kernels_of<Lanes>, kernels_of<Lanes, Lanes>},
                       mass_matrix,
                       composite_body,
                       update_directional,
                       find_composites,
                       differentiate};

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
