// Code compiled for one processor must not be taken for code that runs on all: every symbol that the linker may share
// between the versions of src/dynamics/kernels.cpp has the processor in its name.
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) text += buffer;
  return text;
}

TEST(Kernels, ShareNoCodeBetweenProcessors) {
  std::istringstream objects(GYROSTAT_KERNEL_OBJECTS);
  std::string object;
  int looked_at = 0;
  while (std::getline(objects, object, '|')) {
    const std::string symbols = output_of("nm -C --defined-only '" + object + "'");
    const std::size_t at = object.find("gyrostat_kernels_") + std::string("gyrostat_kernels_").size();
    const std::string processor = object.substr(at, object.find(".dir", at) - at);
    std::istringstream lines(symbols);
    std::string line;
    while (std::getline(lines, line)) {
      const std::string kind = line.size() > 17 ? line.substr(17, 1) : "";
      if (kind.empty() || std::string("TWVuD").find(kind) == std::string::npos) continue;
      EXPECT_NE(line.find("gyrostat::" + processor + "::"), std::string::npos) << object << "\n" << line;
      ++looked_at;
    }
  }
  EXPECT_GE(looked_at, GYROSTAT_KERNEL_COUNT);
}

}  // namespace
