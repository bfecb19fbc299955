// The recursions compiled for one kind of processor. The same text (kernels.cpp) is compiled for several; which one
// runs is chosen once, when it is first asked for.
#pragma once

#include <span>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

namespace gyrostat {

template <class T>
struct KernelsOf {
  void (*update)(const Mechanism&, const T* q, const T* u, Kinematics<T>&);
  void (*accelerations)(const Mechanism&, const Kinematics<T>&, const T* u, const Forces<T>&, ArticulatedBody<T>&,
                        T* udot);
  void (*inverse_dynamics)(const Mechanism&, const T* q, const T* u, const T* udot, const Forces<T>&,
                           InverseDynamics<T>&, T* tau);
};

struct Kernels {
  const char* processor;
  KernelsOf<double> one;
  KernelsOf<Pack> eight;
  void (*mass_matrix)(const Mechanism&, const Kinematics<double>&, CompositeBody&);
  void (*composite_body)(const Mechanism&, const Kinematics<double>&, const double* u, const Forces<double>&,
                         CompositeBody&, double* udot);
  void (*differentiate)(const Mechanism&, const double* q, const double* u, const Forces<double>&, Derivatives&);
};

/// All that this processor can run, the plainest first.
std::span<const Kernels* const> available_kernels();

/// The last of those: the ones that are used.
const Kernels& kernels();

}  // namespace gyrostat
