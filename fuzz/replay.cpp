// In place of libFuzzer: gives a fuzz target the files of its corpus, one by one. With this every build compiles, links
// and runs the targets, whatever the compiler.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// The arguments are folders; an empty one is an error.
int main(int count, char** folders) {
  namespace fs = std::filesystem;
  for (int k = 1; k < count; ++k) {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folders[k])) {
      if (!entry.is_regular_file()) continue;
      std::printf("%s\n", entry.path().c_str());  // before it is tried
      std::fflush(stdout);
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      const std::string bytes = text.str();
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++files;
    }
    if (files == 0) {
      std::fprintf(stderr, "%s: no files\n", folders[k]);
      return 1;
    }
  }
  return count > 1 ? 0 : 1;
}
