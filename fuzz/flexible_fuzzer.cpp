// Any bytes as flexible data: the first says whether the others are JSON or what is done to a whole HDF5 file
// (results_edits.h). What is read is written and read back to the same; what is refused is said why.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

#include "gyrostat/flexible/beam_data.h"
#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/mode_table.h"

#include "results_edits.h"

namespace {

using namespace gyrostat;
namespace fs = std::filesystem;

/// A whole file of a beam, in memory; gone when the program ends.
struct WholeFlexible {
  fs::path folder, path;
  std::string bytes;

  WholeFlexible() {
    std::string name =
        (fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path().string()) + "/fuzz-flexible-XXXXXX";
    folder = mkdtemp(name.data());
    path = folder / "f.h5";
    BeamDescription beam;
    beam.to = Vector3(1, 0, 0);
    beam.mass_per_length = 1;
    beam.EI = {1, 2};
    bytes = flexible_hdf5(make_beam(beam, "root", {}, {ModeKind::cantilever, ModeCount{2}}));
  }
  ~WholeFlexible() { fs::remove_all(folder); }
};

void use(const FlexibleFile& file) {
  static_cast<void>(mode_table(file.data));
  if (file.data.frame_node != FlexibleData::floating && file.data.nodes.at(file.data.frame_node).name.empty())
    std::abort();
  const std::string text = flexible_json(file.data);
  if (flexible_json(read_flexible_json(text).data) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const WholeFlexible whole;
  if (size == 0) return 0;
  try {
    if (data[0] % 2 == 0) {
      use(read_flexible_json({reinterpret_cast<const char*>(data) + 1, size - 1}));
    } else {
      std::ofstream(whole.path, std::ios::binary | std::ios::trunc) << whole.bytes;
      gyrostat::fuzz::damage(whole.path.string(), {data + 1, size - 1});
      use(read_flexible_file(whole.path));
    }
  } catch (const FlexibleFileError& error) {
    if (error.text().empty()) std::abort();
  } catch (const std::invalid_argument& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
