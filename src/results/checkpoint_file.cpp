#include "gyrostat/results/checkpoint_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "gyrostat/math/checksum.h"
#include "gyrostat/results/raw_file.h"
#include "gyrostat/results/results.h"
#include "gyrostat/simulate/archive.h"

namespace gyrostat::results {

namespace {

/// The last character is the version of what is saved.
constexpr std::string_view magic = "gyrochk3";

constexpr std::size_t head_bytes = magic.size() + 4 * sizeof(std::uint64_t);  // magic, t, records, events, checksum

}  // namespace

std::string checkpoint_path(const std::string& results_path) { return results_path + ".checkpoint"; }

std::string bytes_of(const CheckpointFile& checkpoint) {
  Archive head;
  head.put(checkpoint.t);
  head.put(checkpoint.records);
  head.put(checkpoint.events);
  head.put(checksum(checkpoint.bytes, checksum(head.bytes())));
  return std::string(magic) + head.bytes() + checkpoint.bytes;
}

CheckpointFile checkpoint_of(const std::string& path, const std::string& bytes) {
  if (bytes.size() < head_bytes || !bytes.starts_with(magic.substr(0, magic.size() - 1))) {
    throw ResultsError(path + ": is not a checkpoint");
  }
  if (!bytes.starts_with(magic)) {
    throw ResultsError(path + ": is of another version of Gyrostat; run the model again from the beginning");
  }
  Archive head(bytes.substr(magic.size(), head_bytes - magic.size()));
  CheckpointFile checkpoint;
  checkpoint.t = head.get<double>();
  checkpoint.records = head.get<std::uint64_t>();
  checkpoint.events = head.get<std::uint64_t>();
  const auto sum = head.get<std::uint64_t>();
  checkpoint.bytes = bytes.substr(head_bytes);
  const std::string_view counted(head.bytes().data(), head.bytes().size() - sizeof sum);
  if (checksum(checkpoint.bytes, checksum(counted)) != sum) throw ResultsError(path + ": is damaged");
  return checkpoint;
}

void write_checkpoint(const std::string& path, const CheckpointFile& checkpoint) {
  Replacement replacement(path);
  RawFile file(replacement.temporary(), path);
  const std::string all = bytes_of(checkpoint);
  file.write(0, all.data(), all.size());
  file.close();
  replacement.put_in_place();
}

CheckpointFile read_checkpoint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ResultsError(path + ": there is no checkpoint; run with --checkpoint SECONDS to have one");
  std::ostringstream text;
  text << file.rdbuf();
  return checkpoint_of(path, text.str());
}

void remove_checkpoint(const std::string& results_path) {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(results_path), ignored);
}

}  // namespace gyrostat::results
