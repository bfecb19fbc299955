// Any bytes as a mesh: the first says whether the others are an STL or an OBJ file. Whatever comes out can be drawn, or
// it is said what is wrong.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gyrostat/report/mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gyrostat::report;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const MeshAnswer answer = data[0] % 2 == 0 ? parse_stl(bytes) : parse_obj(bytes);
  if (const auto* problem = std::get_if<std::string>(&answer)) {
    if (!problem->starts_with("is ") && !problem->starts_with("has ")) std::abort();
    return 0;
  }
  const auto& corners = std::get<Triangles>(answer).corners;
  if (corners.size() % 9 != 0) std::abort();
  for (const float x : corners) {
    if (!std::isfinite(x)) std::abort();
  }
  return 0;
}
