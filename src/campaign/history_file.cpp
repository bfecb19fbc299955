#include "gyrostat/campaign/history_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "gyrostat/math/checksum.h"

namespace gyrostat::campaign {

namespace {

constexpr std::string_view magic = "gyrohis1";
constexpr std::size_t sum_bytes = sizeof(std::uint64_t);
constexpr std::size_t head_bytes =
    magic.size() + sum_bytes;  // magic, fingerprint; then a checksum and numbers by flight

std::uint64_t checksum_of(std::span<const double> values) {
  return checksum({reinterpret_cast<const char*>(values.data()), values.size_bytes()});  // NOLINT(*-reinterpret-cast)
}

std::uint64_t with(std::uint64_t sum, std::uint64_t value) {
  return checksum({reinterpret_cast<const char*>(&value), sizeof value}, sum);  // NOLINT(*-reinterpret-cast)
}

}  // namespace

std::string history_path_beside(const std::string& results_path) { return results_path + ".histories"; }

HistoryFile::HistoryFile(std::string path, std::uint64_t origin, std::vector<std::uint64_t> flights, std::size_t size)
    : path_(std::move(path)), flights_(std::move(flights)), size_(size), has_(flights_.size()) {
  origin = with(origin, size_);
  for (const std::uint64_t flight : flights_) origin = with(origin, flight);
  if (!go_on(origin)) begin(origin);
}

std::uint64_t HistoryFile::place(std::size_t k) const { return head_bytes + k * (sum_bytes + size_ * sizeof(double)); }

bool HistoryFile::get(std::uint64_t place, void* into, std::size_t bytes) {
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(place));
  stream_.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes));
  return stream_.good();
}

void HistoryFile::put(std::uint64_t place, const void* data, std::size_t bytes) {
  errno = 0;
  stream_.clear();
  stream_.seekp(static_cast<std::streamoff>(place));
  stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  stream_.flush();
  if (!stream_) {
    const int why = errno;
    throw results::WriteError(
        fmt::format("{}: cannot be written: {}", path_, why == 0 ? "unknown reason" : std::strerror(why)));
  }
}

bool HistoryFile::go_on(std::uint64_t origin) {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return false;
  stream_.open(path_, std::ios::binary | std::ios::in | std::ios::out);
  std::array<char, magic.size()> found{};
  std::uint64_t of = 0;
  const bool empty = std::filesystem::file_size(path_, ignored) == 0;
  if (!empty && (!get(0, found.data(), found.size()) || std::string_view(found.data(), found.size()) != magic)) {
    throw results::ResultsError(path_ +
                                ": exists, and Gyrostat did not write it; it is needed for histories of flights");
  }
  if (empty || !get(magic.size(), &of, sizeof of) || of != origin) {
    stream_.close();
    return false;
  }
  std::vector<double> values(size_);
  for (std::size_t k = 0; k < flights_.size(); ++k) {
    std::uint64_t expected = 0;
    if (!get(place(k), &expected, sizeof expected) ||
        !get(place(k) + sum_bytes, values.data(), size_ * sizeof(double))) {
      continue;
    }
    if (checksum_of(values) != expected) continue;
    has_[k] = 1;
    ++recorded_;
  }
  return true;
}

void HistoryFile::begin(std::uint64_t origin) {
  errno = 0;
  stream_.open(path_, std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
  if (!stream_) {
    throw results::ResultsError(
        fmt::format("{}: cannot be written: {}", path_, errno == 0 ? "unknown reason" : std::strerror(errno)));
  }
  put(0, magic.data(), magic.size());
  put(magic.size(), &origin, sizeof origin);
}

void HistoryFile::write(std::size_t k, std::span<const double> values) {
  const std::uint64_t sum = checksum_of(values);
  put(place(k) + sum_bytes, values.data(), values.size_bytes());
  put(place(k), &sum, sizeof sum);
  has_[k] = 1;
  ++recorded_;
}

void HistoryFile::read(std::size_t k, std::size_t first, std::span<double> into) {
  if (!get(place(k) + sum_bytes + first * sizeof(double), into.data(), into.size_bytes())) {
    throw results::ResultsError(path_ + ": cannot be read");
  }
}

void HistoryFile::forget() {
  has_.assign(flights_.size(), 0);
  recorded_ = 0;
}

void HistoryFile::remove() {
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace gyrostat::campaign
