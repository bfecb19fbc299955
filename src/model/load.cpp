#include "gyrostat/model/load.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/model/determinacy.h"
#include "gyrostat/model/limits.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

void check_determinacy(const System& system, Problems& problems) {
  const MasslessMotions massless = find_massless_motions(system);
  for (const MasslessMotion& motion : massless.motions) {
    std::vector<std::string_view> names;
    for (const std::uint32_t joint : motion.joints) names.push_back(system.joints[joint].name);
    constexpr std::ptrdiff_t most = 8;
    const auto end = names.begin() + std::min(most, std::ssize(names));
    const bool one = names.size() == 1;
    problems.error(
        "joints." + std::string(names.front()),
        fmt::format("{} {}{} {} leave all mass at rest, so nothing determines the motion: give mass or inertia to "
                    "what {} carr{}, or lock {}",
                    one ? "a motion of" : "a motion of the joints", fmt::join(names.begin(), end, ", "),
                    std::ssize(names) > most ? ", ..." : "", one ? "would" : "together would", one ? "it" : "they",
                    one ? "ies" : "y", one ? "it" : "one of them"));
  }
  if (massless.count > massless.motions.size()) {
    problems.error("joints", fmt::format("and {} more motions that leave all mass at rest",
                                         massless.count - massless.motions.size()));
  }
}

/// Validates what has been read and builds the system if nothing is wrong.
void finish(Description description, Loaded& loaded) {
  add_base(description, loaded.problems);
  std::optional<System> system;
  {
    const Names names(description);
    validate(description, names, loaded.problems);
    const Topology topology = find_topology(description, names, loaded.problems);
    if (loaded.problems.errors() > 0) return;
    system = build(description, names, topology);
  }
  check_determinacy(*system, loaded.problems);
  if (loaded.problems.errors() > 0) return;
  loaded.model = Model{std::move(description), std::move(*system)};
}

/// The text of a file; nothing, and why, if it cannot be had.
std::optional<std::string> file_text(const std::string& path, std::string& why) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    why = "is a directory, not a model file";
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text, piece(1U << 16U, '\0');
  // In pieces: a pipe's size is not known beforehand. One byte beyond the limit is enough to know.
  while (stream && text.size() <= limits::file_bytes) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    why = fmt::format("cannot be read: {}", std::strerror(errno));
    return std::nullopt;
  }
  return text;
}

}  // namespace

Loaded load_text(std::string file, std::string text, std::span<const Override> overrides) {
  Loaded loaded;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  const bool too_large = text.size() > limits::file_bytes;
  if (too_large) text.clear();
  loaded.source = Source(std::move(file), std::move(text));
  if (too_large) {
    loaded.problems.error("", fmt::format("the file is larger than {} MiB, the limit", limits::file_bytes >> 20U));
    return loaded;
  }
  const YamlNode root = parse_yaml(loaded.source, loaded.problems);
  // A file that is not YAML to its end is judged no further: what it lacks may stand in the part that was not read.
  if (loaded.problems.errors() == 0) {
    Description description = read_description(loaded.source, root, overrides, loaded.problems);
    if (loaded.problems.errors() == 0 || !description.bodies.empty()) finish(std::move(description), loaded);
  }
  for (Problem& problem : loaded.problems.all()) {
    const bool in_file = !problem.path.starts_with("--set");
    if (problem.place.line == 0 && in_file && !loaded.source.text().empty())
      problem.place = place_of(root, loaded.source, problem.path, problem.offset);
  }
  loaded.problems.sort();
  return loaded;
}

Loaded load_file(const std::string& path, std::span<const Override> overrides) {
  std::string why;
  if (auto text = file_text(path, why)) return load_text(path, std::move(*text), overrides);
  Loaded loaded;
  loaded.source = Source(path, "");
  loaded.problems.error("", why);
  return loaded;
}

Loaded load_description(Description description) {
  Loaded loaded;
  loaded.source = Source(description.name.empty() ? "model" : description.name, "");
  finish(std::move(description), loaded);
  return loaded;
}

}  // namespace gyrostat
