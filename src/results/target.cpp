#include "gyrostat/results/target.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gyrostat/hdf5/handle.h"
#include "gyrostat/results/results.h"

namespace gyrostat::results {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

constexpr std::string_view png_begin = "\x89PNG\r\n\x1a\n";
constexpr std::string_view png_end = "\0\0\0\0IEND\xae\x42\x60\x82"sv;
/// A text chunk: its length, "tEXt", Software = Gyrostat, and the CRC of that.
constexpr std::string_view png_mark = "\0\0\0\x11tEXtSoftware\0Gyrostat\x2e\x64\xee\x30"sv;
constexpr std::string_view svg_mark = "<!-- Gyrostat -->\n";
constexpr std::string_view pdf_mark = "%Gyrostat\n";

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::results: return "a results file";
    case FileKind::csv: return "a CSV file of records";
    case FileKind::report: return "a report";
    case FileKind::state: return "a state file";
    case FileKind::model: return "a model";
    case FileKind::flexible: return "a file of flexible data";
    case FileKind::linear: return "a linear model";
    case FileKind::equations: return "a file of equations";
    case FileKind::picture: break;
  }
  return "a picture";
}

/// Is `text` in the file?
bool contains(const std::string& path, std::string_view text) {
  std::ifstream file(path, std::ios::binary);
  std::string window;
  for (std::vector<char> piece(1U << 20U); file;) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    window.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (window.find(text) != std::string::npos) return true;
    window.erase(0, window.size() - std::min(window.size(), text.size()));
  }
  return false;
}

/// Is `mark` in its first lines?
bool begins_with_mark(const std::string& path, std::string_view mark) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(8192, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  return begin.find(mark) != std::string::npos;
}

/// An HDF5 file of ours whose format begins so.
bool is_hdf5_of(const std::string& path, std::string_view begin) {
  const hdf5::Quiet quiet;
  if (H5Fis_hdf5(path.c_str()) <= 0) return false;
  const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), 0, 1);
  const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file.valid()) return contains(path, begin);  // damaged, but ours
  const hdf5::Handle format(H5Aopen(file.id(), "format", H5P_DEFAULT), H5Aclose);
  if (!format.valid()) return false;
  const hdf5::Handle type(H5Aget_type(format.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0) return false;
  std::string value(H5Aget_storage_size(format.id()), '\0');
  return value.size() > begin.size() && H5Aread(format.id(), type.id(), value.data()) >= 0 && value.starts_with(begin);
}

/// The columns of every run are followed by those of the ledger.
bool is_csv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string names;
  std::getline(file, names);
  return names.starts_with("time,") && names.find(",ledger/energy,ledger/momentum,") != std::string::npos;
}

bool is_own(const std::string& path, FileKind kind) {
  switch (kind) {
    case FileKind::results: return is_hdf5_of(path, "gyrostat results ");
    case FileKind::csv: return is_csv(path);
    case FileKind::report: return contains(path, report_mark);
    case FileKind::state: return contains(path, fmt::format("\"{}\"", state_mark));
    case FileKind::model: return false;  // it may have been edited since
    case FileKind::flexible:
      return is_hdf5_of(path, "gyrostat flexible ") || contains(path, "\"format\": \"gyrostat flexible ");
    case FileKind::linear: return is_hdf5_of(path, "gyrostat linear ") || begins_with_mark(path, "gyrostat linear ");
    case FileKind::equations: return begins_with_mark(path, "gyrostat derive");
    case FileKind::picture: break;
  }
  return std::ranges::any_of(std::array{png_mark, svg_mark, pdf_mark},
                             [&](std::string_view mark) { return contains(path, mark); });
}

std::string read_line(int descriptor) {
  std::string text(200, '\0');
  const ssize_t count = pread(descriptor, text.data(), text.size(), 0);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.substr(0, text.find('\n'));
}

}  // namespace

void check_target(const std::string& path, FileKind kind, bool force) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (path.empty()) throw ResultsError(fmt::format("{} needs a name", name_of(kind)));
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw ResultsError(fmt::format("{}: directory '{}' does not exist", path, folder.string()));
  if (!fs::exists(path, error)) return;
  if (fs::is_directory(path, error)) throw ResultsError(path + ": is a directory");
  if (!fs::is_regular_file(path, error)) {
    if (kind == FileKind::csv) return;  // a pipe or a terminal, where nothing is lost
    throw ResultsError(path + ": is not a regular file");
  }
  // A file that may not be changed is not replaced either.
  if (std::FILE* stream = std::fopen(path.c_str(), "r+b")) {
    static_cast<void>(std::fclose(stream));
  } else {
    throw ResultsError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
  if (force || fs::file_size(path, error) == 0 || is_own(path, kind)) return;
  if (kind == FileKind::model)
    throw ResultsError(path + ": exists; it is not replaced: choose another name, or say --force");
  throw ResultsError(fmt::format(
      "{}: exists and is not {} that Gyrostat wrote; it is not replaced: choose another name, or say --force", path,
      name_of(kind)));
}

std::string with_picture_mark(std::string picture) {
  if (picture.starts_with(png_begin) && picture.ends_with(png_end)) {
    picture.insert(picture.size() - png_end.size(), png_mark);
  } else if (picture.starts_with("%PDF")) {
    picture.append(picture.ends_with('\n') ? "" : "\n").append(pdf_mark);
  } else if (const std::size_t end = picture.rfind("</svg>"); end != std::string::npos) {
    picture.insert(end, svg_mark);
  }
  return picture;
}

OutputLock::OutputLock(const std::string& path, std::chrono::milliseconds patience) : file_(path + ".lock") {
  constexpr auto between_attempts = std::chrono::milliseconds(20);
  const auto until = std::chrono::steady_clock::now() + patience;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return;
  for (;;) {
    descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw ResultsError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return;  // a file system without locks
      const std::string owner = read_line(descriptor_);
      close(descriptor_);
      if (std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(between_attempts);
        continue;
      }
      throw ResultsError(fmt::format("{}: is being written by {}; wait for it, or choose another name", path,
                                     owner.empty() ? "another process" : owner));
    }
    // Between opening and locking, the one who had it may have removed the file.
    struct stat mine {
    }, there{};
    if (fstat(descriptor_, &mine) == 0 && stat(file_.c_str(), &there) == 0 && mine.st_ino == there.st_ino) break;
    close(descriptor_);
  }
  const std::string owner = fmt::format("process {}\n", getpid());
  if (ftruncate(descriptor_, 0) != 0 || pwrite(descriptor_, owner.data(), owner.size(), 0) < 0) {
    return;  // a full disk: the lock holds without a name
  }
}

OutputLock::OutputLock(OutputLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputLock::~OutputLock() {
  if (descriptor_ < 0) return;
  unlink(file_.c_str());
  close(descriptor_);
}

}  // namespace gyrostat::results
