#include "gyrostat/report/mesh.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

namespace gyrostat::report {

namespace {

constexpr std::uintmax_t most_bytes = 50'000'000;
constexpr std::size_t most_triangles = 2'000'000;  // of all meshes of a model
constexpr float farthest_corner = 1e9F;

const std::string too_many = fmt::format("has more than {} triangles", most_triangles);

using Corner = std::array<float, 3>;

/// If it has an area and its corners are numbers.
void add(Triangles& mesh, const Corner& a, const Corner& b, const Corner& c) {
  std::array<double, 3> u{}, v{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (const Corner* p : {&a, &b, &c}) {
      if (!(std::abs((*p)[k]) < farthest_corner)) return;
    }
    u[k] = double{b[k]} - a[k];
    v[k] = double{c[k]} - a[k];
  }
  const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
  if (x == 0 && y == 0 && z == 0) return;
  for (const Corner* p : {&a, &b, &c}) mesh.corners.insert(mesh.corners.end(), p->begin(), p->end());
}

/// Words between blanks, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// Empty at the end.
  std::string_view next() {
    while (!text_.empty() && is_blank(text_.front())) text_.remove_prefix(1);
    const auto end = std::ranges::find_if(text_, is_blank);
    const std::string_view word = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(word.size());
    return word;
  }

  std::optional<Corner> corner() {
    Corner c{};
    for (float& x : c) {
      const auto value = number(next());
      if (!value) return std::nullopt;
      x = static_cast<float>(*value);
    }
    return c;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }
  static std::optional<double> number(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || word.empty()) return std::nullopt;
    return error == std::errc::result_out_of_range ? HUGE_VAL : value;
  }

  std::string_view text_;
};

std::uint32_t count_at(std::string_view bytes, std::size_t at) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + at, sizeof count);
  return count;
}

constexpr std::size_t stl_header = 84, stl_facet = 50;

MeshAnswer parse_binary_stl(std::string_view bytes) {
  const std::size_t count = count_at(bytes, 80);
  if ((bytes.size() - stl_header) / stl_facet < count) {
    return fmt::format("is damaged: it has room for {} of its {} triangles", (bytes.size() - stl_header) / stl_facet,
                       count);
  }
  if (count > most_triangles) return too_many;
  Triangles mesh;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<Corner, 3> corners{};
    std::memcpy(corners.data(), bytes.data() + stl_header + i * stl_facet + sizeof(Corner), sizeof corners);
    add(mesh, corners[0], corners[1], corners[2]);
  }
  return mesh;
}

MeshAnswer parse_text_stl(std::string_view text) {
  Triangles mesh;
  Words words(text);
  std::array<Corner, 3> corners{};
  std::size_t known = 0, seen = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "facet" || word == "endfacet") {
      if (known != 0) return "is damaged: a facet without three corners";
    } else if (word == "vertex") {
      const auto corner = words.corner();
      if (!corner) return "is damaged: a vertex that is not three numbers";
      corners[known++] = *corner;
      if (known < 3) continue;
      known = 0;
      if (++seen > most_triangles) return too_many;
      add(mesh, corners[0], corners[1], corners[2]);
    }
  }
  if (known != 0) return "is damaged: a facet without three corners";
  return mesh;
}

/// The corner that "7", "7/1", "7//3" or "-1" means.
std::optional<std::size_t> corner_number(std::string_view word, std::size_t count) {
  const std::string_view digits = word.substr(0, word.find('/'));
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  const auto all = static_cast<std::int64_t>(count);
  const std::int64_t index = n < 0 ? all + n : n - 1;
  if (n == 0 || index < 0 || index >= all) return std::nullopt;
  return static_cast<std::size_t>(index);
}

}  // namespace

MeshAnswer parse_stl(std::string_view bytes) {
  const bool whole = bytes.size() >= stl_header;
  if (whole && bytes.size() == stl_header + stl_facet * std::size_t{count_at(bytes, 80)})
    return parse_binary_stl(bytes);
  if (bytes.starts_with("solid") && bytes.find("facet") != std::string_view::npos) return parse_text_stl(bytes);
  if (!whole) return "is no STL file";
  return parse_binary_stl(bytes);
}

MeshAnswer parse_obj(std::string_view bytes) {
  Triangles mesh;
  std::vector<Corner> corners;
  std::size_t seen = 0, line_number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    Words words(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++line_number;
    const std::string_view kind = words.next();
    if (kind == "v") {
      const auto corner = words.corner();
      if (!corner) return fmt::format("is damaged: line {}: a corner that is not three numbers", line_number);
      corners.push_back(*corner);
    } else if (kind == "f") {
      std::array<std::size_t, 2> edge{};  // the first corner and the last
      std::size_t known = 0;
      for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto corner = corner_number(word, corners.size());
        if (!corner) return fmt::format("is damaged: line {}: a face with a corner that is not there", line_number);
        if (known >= 2) {
          if (++seen > most_triangles) return too_many;
          add(mesh, corners[edge[0]], corners[edge[1]], corners[*corner]);
        }
        edge[known == 0 ? 0 : 1] = *corner;
        ++known;
      }
      if (known < 3) return fmt::format("is damaged: line {}: a face of fewer than three corners", line_number);
    }
  }
  return mesh;
}

MeshAnswer read_mesh(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj") return "is neither .stl nor .obj";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "no such file";
  if (!std::filesystem::is_regular_file(path, error)) return "is no file";
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return "cannot be read";
  if (size > most_bytes) return fmt::format("is larger than {} MB", most_bytes / 1'000'000);
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return "cannot be read";
  MeshAnswer answer = ending == ".stl" ? parse_stl(bytes) : parse_obj(bytes);
  const auto* mesh = std::get_if<Triangles>(&answer);
  if (mesh != nullptr && mesh->corners.empty()) return "has no triangles";
  return answer;
}

const Meshes::Answer& Meshes::get(const std::string& file) {
  const auto [entry, is_new] = known_.try_emplace(file);
  Answer& answer = entry->second;
  if (!is_new) return answer;
  const std::filesystem::path path = folder_ / file;
  const auto shown = [&](const std::string& problem) {
    return fmt::format("{}: {}; the body is shown without it", path.string(), problem);
  };
  const MeshAnswer read = read_mesh(path);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    answer.problem = shown(*problem);
    return answer;
  }
  const std::vector<float>& corners = std::get<Triangles>(read).corners;
  if (triangles_ + corners.size() / 9 > most_triangles) {
    answer.problem = shown(fmt::format("with it the model has more than {} triangles", most_triangles));
    return answer;
  }
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    answer.radius =
        std::max(answer.radius, std::hypot(double{corners[i]}, double{corners[i + 1]}, double{corners[i + 2]}));
  }
  triangles_ += corners.size() / 9;
  answer.block = blocks_.add(std::span<const float>(corners));
  return answer;
}

}  // namespace gyrostat::report
