// Includes point one way: a folder of src/ may use those before it in this list, and no others.
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> folders = {"math",     "expression",  "hdf5",    "flexible", "format", "model",
                                          "dynamics", "constraints", "forces",  "signals",  "plant",  "simulate",
                                          "analysis", "derive",      "results", "campaign", "report", "import"};

std::size_t rank(const std::string& folder) {
  return static_cast<std::size_t>(std::find(folders.begin(), folders.end(), folder) - folders.begin());
}

std::vector<std::string> included_by(const fs::path& file) {
  static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::ifstream stream(file);
  std::vector<std::string> found;
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (std::regex_search(line, match, include)) found.push_back(match[1]);
  }
  return found;
}

bool is_source(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cpp"; }

TEST(Includes, PointFromLaterFoldersToEarlierOnes) {
  std::size_t seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GYROSTAT_SOURCE_DIR) / "src")) {
    const bool umbrella = entry.path().filename() == "gyrostat.h";  // for users of the library; belongs to no folder
    if (!is_source(entry.path()) || umbrella) continue;
    const std::string folder = fs::relative(entry.path(), fs::path(GYROSTAT_SOURCE_DIR) / "src").begin()->string();
    ASSERT_LT(rank(folder), folders.size()) << "src/" << folder << " is not in the list of folders";
    for (const std::string& name : included_by(entry.path())) {
      if (!name.starts_with("gyrostat/")) continue;
      const std::string other = (++fs::path(name).begin())->string();
      EXPECT_LE(rank(other), rank(folder)) << entry.path() << " includes " << name;
      ++seen;
    }
  }
  EXPECT_GT(seen, 50U);
}

TEST(Includes, OfOurHeadersAreWrittenWithTheirFolder) {
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(GYROSTAT_SOURCE_DIR) / "src")) {
    if (!is_source(entry.path())) continue;
    for (const std::string& name : included_by(entry.path())) {
      const bool system = name.find('/') == std::string::npos && name.find(".h") == std::string::npos;
      const bool ours = name.starts_with("gyrostat/");
      const bool library = name.starts_with("Eigen/") || name.starts_with("unsupported/Eigen/") ||
                           name.starts_with("fmt/") || name.starts_with("yaml-cpp/") || name.starts_with("nlohmann/") ||
                           name.starts_with("cvode/") || name.starts_with("ida/") || name.starts_with("kinsol/") ||
                           name.starts_with("nvector/") || name.starts_with("sun") || name == "hdf5.h" ||
                           name == "zlib.h" || name == "mpi.h" || name.starts_with("boost/context/");
      const bool posix = name == "dlfcn.h" || name == "unistd.h" || name == "fcntl.h" || name.starts_with("sys/");
      EXPECT_TRUE(system || ours || library || posix) << entry.path() << " includes " << name;
    }
  }
}

TEST(Includes, KeepMathFreeOfInputAndOutput) {
  for (const std::string folder : {"math", "expression"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(GYROSTAT_SOURCE_DIR) / "src" / folder)) {
      for (const std::string& name : included_by(entry.path())) {
        EXPECT_FALSE(name == "iostream" || name == "fstream" || name.starts_with("yaml-cpp/"))
            << entry.path() << " includes " << name;
      }
    }
  }
}

}  // namespace
