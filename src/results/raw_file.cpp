#include "gyrostat/results/raw_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "gyrostat/results/results.h"

namespace gyrostat::results {

namespace fs = std::filesystem;

namespace {

template <class Error = ResultsError>
[[noreturn]] void cannot_be_written(const std::string& path, const std::string& why) {
  throw Error(fmt::format("{}: cannot be written: {}", path, why));
}

}  // namespace

RawFile::RawFile(const std::string& path, std::string shown_path)
    : stream_(std::fopen(path.c_str(), "wb")), shown_path_(std::move(shown_path)) {
  if (!stream_) cannot_be_written(shown_path_, std::strerror(errno));
  std::setvbuf(stream_.get(), nullptr, _IONBF, 0);
}

void RawFile::write(std::uint64_t place, const void* data, std::size_t bytes) {
  errno = 0;
  if (std::fseek(stream_.get(), static_cast<long>(place), SEEK_SET) != 0 ||
      std::fwrite(data, 1, bytes, stream_.get()) != bytes) {
    const int why = errno;
    std::clearerr(stream_.get());
    cannot_be_written<WriteError>(shown_path_, why == 0 ? "unknown reason" : std::strerror(why));
  }
}

void RawFile::close() {
  errno = 0;
  if (stream_ && std::fclose(stream_.release()) != 0) cannot_be_written<WriteError>(shown_path_, std::strerror(errno));
}

Replacement::Replacement(std::string path) : path_(std::move(path)), temporary_(path_ + ".partial") {}

Replacement::~Replacement() {
  std::error_code ignored;
  if (!in_place_) fs::remove(temporary_, ignored);
}

void Replacement::put_in_place() {
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) cannot_be_written(path_, error.message());
  in_place_ = true;
}

std::string without_link(const std::string& path) {
  constexpr int most_links = 40;  // one after the other, as Linux allows
  std::error_code error;
  fs::path at = path;
  for (int k = 0; k < most_links && fs::is_symlink(at, error); ++k) {
    const fs::path target = fs::read_symlink(at, error);
    if (error) return path;
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return at.string();
}

}  // namespace gyrostat::results
