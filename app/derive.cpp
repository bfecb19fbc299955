#include "derive.h"

#include "output.h"

namespace gyrostat::app {

int derive(const DeriveArguments& arguments) {
  if (arguments.form == "scalar") return derive_scalar(arguments);
  return refuse(arguments.model.json, "--form: expected scalar");
}

}  // namespace gyrostat::app
