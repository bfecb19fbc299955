// The module: each source binds its part.
#include "module.h"

PYBIND11_MODULE(_gyrostat, module) {
  module.doc() = "The compiled part of gyrostat; use the package.";
  gyrostat::python::bind_errors(module);
  gyrostat::python::bind_models(module);
  gyrostat::python::bind_batches(module);
  gyrostat::python::bind_runs(module);
  gyrostat::python::bind_results(module);
  gyrostat::python::bind_simulations(module);
  gyrostat::python::bind_campaigns(module);
}
