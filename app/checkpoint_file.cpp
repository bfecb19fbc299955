#include "checkpoint_file.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "gyrostat/simulate/archive.h"

namespace gyrostat::app {

namespace {

constexpr char magic[8] = {'g', 'y', 'r', 'o', 'c', 'h', 'k', '2'};  // the last changes with what is saved

}  // namespace

std::string checkpoint_path(const std::string& results) { return results + ".checkpoint"; }

void write_checkpoint(const std::string& path, const CheckpointFile& checkpoint) {
  Archive archive;
  archive.put(checkpoint.t);
  archive.put(checkpoint.records);
  archive.put(checkpoint.events);
  archive.put(checksum(archive.bytes() + checkpoint.bytes));
  const std::string temporary = path + ".new";
  std::ofstream file(temporary, std::ios::binary);
  file.write(magic, sizeof magic);
  file << archive.bytes() << checkpoint.bytes;
  file.close();
  if (!file || std::rename(temporary.c_str(), path.c_str()) != 0) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw std::runtime_error(path + ": cannot be written");
  }
}

std::variant<CheckpointFile, std::string> read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return path + ": there is no checkpoint; run with --checkpoint SECONDS to have one";
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  constexpr std::size_t head = sizeof magic + 4 * sizeof(std::uint64_t);
  if (all.size() < head || !all.starts_with(std::string_view(magic, sizeof magic - 1))) {
    return path + ": is not a checkpoint";
  }
  if (all[sizeof magic - 1] != magic[sizeof magic - 1]) {
    return path + ": is of another version of Gyrostat; run the model anew";
  }
  Archive archive(all.substr(sizeof magic, head - sizeof magic));
  CheckpointFile checkpoint;
  checkpoint.t = archive.get<double>();
  checkpoint.records = archive.get<std::uint64_t>();
  checkpoint.events = archive.get<std::uint64_t>();
  const auto sum = archive.get<std::uint64_t>();
  checkpoint.bytes = all.substr(head);
  const std::string counted = all.substr(sizeof magic, head - sizeof magic - sizeof sum);
  if (checksum(counted + checkpoint.bytes) != sum) return path + ": is damaged";
  return checkpoint;
}

}  // namespace gyrostat::app
