// Code compiled for one processor must not be taken for code that runs on all, and the recursions must be whole: what
// the linker may share between the versions of src/dynamics/kernels.cpp, src/constraints/rows_kernel.cpp and
// src/plant/batch_kernel.cpp has the processor or its own width of packs in its name; and the recursions call no
// operator and no small function.
#include <array>
#include <cstdio>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) text += buffer;
  return text;
}

struct Object {
  std::string path, folder, processor, pack;  // pack: the type that no other version has
};

std::vector<Object> objects() {
  std::vector<Object> list;
  std::istringstream paths(GYROSTAT_KERNEL_OBJECTS);
  std::string path;
  while (std::getline(paths, path, '|')) {
    std::smatch match;
    if (!std::regex_search(path, match, std::regex("gyrostat_([a-z]+)_([a-z0-9]+)\\.dir"))) continue;
    const std::string processor = match[2];
    list.push_back({path, match[1], processor, processor == "avx512" ? "Pack<8ul>" : "Pack<4ul>"});
  }
  return list;
}

TEST(Kernels, ShareNoCodeBetweenProcessors) {
  int looked_at = 0;
  for (const Object& object : objects()) {
    std::istringstream lines(output_of("nm -C --defined-only '" + object.path + "'"));
    std::string line;
    while (std::getline(lines, line)) {
      const std::string kind = line.size() > 17 ? line.substr(17, 1) : "";
      if (kind.empty() || std::string("TWVuD").find(kind) == std::string::npos) continue;
      const bool own = line.find("gyrostat::" + object.processor + "::") != std::string::npos ||
                       line.find(object.pack) != std::string::npos ||
                       line.find("DW.ref.__gxx_personality") != std::string::npos;  // an address, no code
      EXPECT_TRUE(own) << object.path << "\n" << line;
      ++looked_at;
    }
  }
  EXPECT_GE(looked_at, GYROSTAT_KERNEL_COUNT);
}

/// But functions of the C library, those of the formulations that are called once in an evaluation, and those of
/// flexible bodies (GYROSTAT_APART), which are called once for each.
TEST(Kernels, CallNoSmallFunction) {
  const std::regex called("R_X86_64_(PLT32|PC32|GOTPCRELX)\\s+([^\\s].*?)[+-]0x[0-9a-f]+");
  const std::regex allowed(
      "sincos|sin|cos|sqrt|memset|memcpy|memmove|gyrostat::set_given\\(.*|gyrostat::number_free_speeds\\(.*");
  const std::regex of_flexible_bodies(
      "<(void )?gyrostat::[a-z0-9]+::(deform|deform_body|deform_node|node_outboard|add_velocity_terms|add_flexible|"
      "add_loaded_nodes|accelerate_modes|need_of_modes|reduce_modes|solve_modes|pass_modal|drive_modes|add_modal_rows)"
      "\\b");
  for (const Object& object : objects()) {
    if (object.folder != "dynamics") continue;
    std::istringstream lines(output_of("objdump -dr -C --no-show-raw-insn '" + object.path + "'"));
    std::string line;
    bool after_call = false;
    int instructions = 0;
    while (std::getline(lines, line)) {
      if (line.find("R_X86_64_") != std::string::npos) {
        std::smatch match;
        if (after_call && std::regex_search(line, match, called)) {
          EXPECT_TRUE(std::regex_match(match[2].str(), allowed)) << object.processor << " calls " << match[2];
        }
        continue;
      }
      ++instructions;
      after_call = line.find("call ") != std::string::npos;
      const bool into_itself = after_call && line.find('<') != std::string::npos &&
                               line.find("+0x") == std::string::npos && !std::regex_search(line, of_flexible_bodies);
      EXPECT_FALSE(into_itself) << object.processor << " calls " << line;
    }
    EXPECT_GT(instructions, 1000) << object.path;
  }
}

}  // namespace
