#include "gyrostat/dynamics/kernels.h"
#include "gyrostat/dynamics/singular_closures.h"

namespace gyrostat {

namespace baseline {
extern const Kernels table;
}
#ifdef GYROSTAT_PROCESSORS
namespace haswell {
extern const Kernels table;
}
namespace avx512 {
extern const Kernels table;
}
#endif

std::span<const Kernels* const> available_kernels() {
  static const std::vector<const Kernels*> available = [] {
    std::vector<const Kernels*> list = {&baseline::table};
#ifdef GYROSTAT_PROCESSORS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2")) {
      list.push_back(&haswell::table);
    }
    if (list.size() > 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd")) {
      list.push_back(&avx512::table);
    }
#endif
    return list;
  }();
  return available;
}

const Kernels& kernels() {
  static const Kernels& best = *available_kernels().back();
  return best;
}

void update(const Mechanism& mechanism, const double* q, const double* u, Kinematics<double>& kinematics) {
  kernels().one.update(mechanism, q, u, kinematics);
}

void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, ArticulatedBodyData<double>& workspace, double* udot) {
  kernels().one.accelerations(mechanism, kinematics, u, forces, workspace, udot);
}

void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, ArticulatedBodyData<double>& workspace,
                   double* udot) {
  kernels().one.closed_accelerations(mechanism, kinematics, u, forces, closures, workspace, udot);
  if (closures.whole && !(closures.health > closures.weak)) {
    accelerations_near_singularity(mechanism, kinematics, u, forces, closures, udot);
  }
}

void inverse_dynamics(const Mechanism& mechanism, const double* q, const double* u, const double* udot,
                      const Forces<double>& forces, InverseDynamics<double>& workspace, double* tau) {
  kernels().one.inverse_dynamics(mechanism, q, u, udot, forces, workspace, tau);
}

void mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics, CompositeBodyData& workspace) {
  kernels().mass_matrix(mechanism, kinematics, workspace);
}
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, CompositeBodyData& workspace, double* udot) {
  kernels().composite_body(mechanism, kinematics, u, forces, workspace, udot);
}

void update(const Mechanism& mechanism, const Directional* q, const Directional* u,
            Kinematics<Directional>& kinematics) {
  kernels().update_directional(mechanism, all_bodies(mechanism), q, u, kinematics);
}
void differentiate(const Differentiated& at, const Kinematics<Directional>& kinematics, const Directional* u,
                   const Forces<Directional>& forces, const Closures<Directional>& closures, DerivativesData& workspace,
                   Directional* udot) {
  if (at.closures != nullptr) {
    workspace.exerted.resize(at.mechanism.links.size());
    workspace.reached.resize(at.closures->structure->rows());
    workspace.y.resize(at.closures->plan->kept.size());
    workspace.lambda.resize(at.closures->plan->kept.size());
  }
  kernels().differentiate(at, all_bodies(at.mechanism), kinematics, u, forces, closures, workspace, udot);
}

}  // namespace gyrostat
