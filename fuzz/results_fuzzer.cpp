// Results files that are whole as HDF5 files and anything as results: read, or refused with a reason. What is done to
// them is in results_edits.h.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "gyrostat/results/histories.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"

#include "results_edits.h"

namespace {

using namespace gyrostat::results;
namespace fs = std::filesystem;

/// Two files, their bytes, and the way there; gone when the program ends.
struct Whole {
  fs::path folder, path;
  std::string run, campaign;  // the latter with histories of two of its records

  Whole() {
    std::string name =
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/fuzz-results-XXXXXX";
    folder = mkdtemp(name.data());
    path = folder / "r.h5";
    run = bytes_of("time", nullptr);
    const Histories histories{"flight", {0, 2}, {0, 0.5, 1}, {{"a.x", "m", "a place"}, {"flight", "", ""}}, read};
    campaign = bytes_of("flight", &histories);
  }
  ~Whole() { fs::remove_all(folder); }

  static void read(std::size_t column, std::uint64_t first, std::span<double> into) {
    for (double& x : into) x = static_cast<double>(column + first);
  }

  [[nodiscard]] std::string bytes_of(const std::string& index, const Histories* histories) const {
    Header header = {"m", "m.yaml", "gyrostat: 1\n", "0.1.0", "run m.yaml", "kane", "rk4", {{"until", "10"}}};
    header.index = index;
    ResultsWriter writer(path.string(), header,
                         {{"a.x", "m", "a place"}, {"b/y", "rad", "an angle"}, {"ledger/z", "", ""}}, 4,
                         {"steps", "tries"}, true);
    for (int k = 0; k < 4; ++k) writer.append(k, std::vector<double>{k + 0.5, k * 2.0, -1.0 * k});
    writer.add_event({1, "jet", "on"});
    writer.add_event({2, "jet", "off"});
    writer.set_statistic(0, 17);
    writer.set_status("finished");
    writer.finish(histories);
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Whole whole;
  // The highest bit of the first byte says which file it is; the edits do not look at it.
  const bool campaign = size > 0 && data[0] >= 128;
  std::ofstream(whole.path, std::ios::binary | std::ios::trunc) << (campaign ? whole.campaign : whole.run);
  gyrostat::fuzz::damage(whole.path.string(), {data, size});
  try {
    const ResultsReader reader(whole.path.string());
    for (const auto& column : reader.columns()) {
      if (reader.column(column.name).size() != reader.records()) std::abort();
      if (!reader.find(column.name)) std::abort();
    }
    if (reader.time().size() != reader.records()) std::abort();
    const StoredHistories histories(reader.path(), reader.header().index);
    for (std::size_t k = 0; k < histories.columns().size(); ++k) {
      if (histories.values(k).size() != histories.records().size() * histories.time().size()) std::abort();
    }
  } catch (const ResultsError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
