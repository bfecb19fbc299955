// The recursions compiled for one kind of processor. The same text (kernels.cpp) is compiled for several; which one
// runs is chosen once, when it is first asked for.
#pragma once

#include <span>
#include <variant>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

/// T: what is computed with; C: the mechanism's numbers.
template <class T, class C = double>
struct KernelsOf {
  void (*update)(const MechanismOf<C>&, const T* q, const T* u, Kinematics<T>&);
  void (*accelerations)(const MechanismOf<C>&, const Kinematics<T>&, const T* u, const Forces<T>&,
                        ArticulatedBodyData<T>&, T* udot);
  void (*closed_accelerations)(const MechanismOf<C>&, const Kinematics<T>&, const T* u, const Forces<T>&, Closures<T>&,
                               ArticulatedBodyData<T>&, T* udot);
  void (*inverse_dynamics)(const MechanismOf<C>&, const T* q, const T* u, const T* udot, const Forces<T>&,
                           InverseDynamics<T>&, T* tau);
};

/// N systems at once: those of one mechanism, or each lane one of its own.
template <std::size_t N>
struct PackKernels {
  static constexpr std::size_t lanes = N;
  KernelsOf<Pack<N>> of_one;
  KernelsOf<Pack<N>, Pack<N>> of_each;
};

struct Kernels {
  const char* processor;
  KernelsOf<double> one;
  std::variant<PackKernels<2>, PackKernels<4>, PackKernels<8>> packed;  // of as many lanes as a register holds
  void (*mass_matrix)(const Mechanism&, const Kinematics<double>&, CompositeBodyData&);
  void (*composite_body)(const Mechanism&, const Kinematics<double>&, const double* u, const Forces<double>&,
                         CompositeBodyData&, double* udot);
  void (*update_directional)(const Mechanism&, const BodyRange&, const Directional* q, const Directional* u,
                             Kinematics<Directional>&);
  void (*find_composites)(const Differentiated&, const double* u, const Forces<double>&, Composites&);
  void (*differentiate)(const Differentiated&, const BodyRange& varied, const Kinematics<Directional>&,
                        const Directional* u, const Forces<Directional>&, const Closures<Directional>&,
                        DerivativesData&, Directional* udot);
};

/// All that this processor can run, the plainest first.
std::span<const Kernels* const> available_kernels();

/// The last of those: the ones that are used.
const Kernels& kernels();

/// `differentiate` (derivatives.h) by the recursions of one kind of processor.
void differentiate(const Kernels& kernels, const Mechanism& mechanism, const double* q, const double* u,
                   const Forces<double>& forces, Derivatives& derivatives);

}  // namespace gyrostat
