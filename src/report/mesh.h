// Triangles from STL and OBJ files. A file may be anything: what is wrong with it is said, never fatal.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "gyrostat/report/blocks.h"

namespace gyrostat::report {

struct Triangles {
  std::vector<float> corners;  // nine numbers each [m]
};

/// The triangles, or what is wrong: "is damaged: ..". Those without an area, or with a corner that is no finite number,
/// are left out.
using MeshAnswer = std::variant<Triangles, std::string>;
MeshAnswer parse_stl(std::string_view bytes);
MeshAnswer parse_obj(std::string_view bytes);

/// By the ending of its name, .stl or .obj.
MeshAnswer read_mesh(const std::filesystem::path& path);

/// The meshes of a model, each read once.
class Meshes {
 public:
  /// Files are relative to `folder`.
  Meshes(std::filesystem::path folder, Blocks& blocks) : folder_(std::move(folder)), blocks_(blocks) {}

  struct Answer {
    std::string problem;  // with the file's name; or empty:
    Block block;
    double radius = 0;  // farthest corner from the origin [m]
  };
  const Answer& get(const std::string& file);

 private:
  std::filesystem::path folder_;
  Blocks& blocks_;
  std::size_t triangles_ = 0;  // of all
  std::unordered_map<std::string, Answer> known_;
};

}  // namespace gyrostat::report
