// The commands of the program. Each returns the exit code: 0 done, 1 the model is wrong, 2 the usage is wrong.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/load.h"

namespace gyrostat::app {

struct ModelArguments {
  std::string file;
  std::vector<std::string> set;  // NAME=VALUE
  bool json = false;
};

int check(const ModelArguments& arguments);
int info(const ModelArguments& arguments);
int schema();

}  // namespace gyrostat::app
