#include "derive.h"
#include "output.h"

namespace gyrostat::app {

int derive_scalar(const DeriveArguments& arguments) {
  return refuse(arguments.model.json, "--form scalar: this build has the vector form only");
}

}  // namespace gyrostat::app
