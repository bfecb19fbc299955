// Files that are about to be written: nothing that Gyrostat did not write is replaced.
#pragma once

#include <chrono>
#include <string>

namespace gyrostat::results {

/// What Gyrostat writes, and knows again by its content.
enum class FileKind { results, csv, report, picture, state, model, flexible, linear, equations };

/// May a file of this kind be written at `path`? One that exists is replaced only if it is of the same kind and
/// Gyrostat wrote it, or empty, or with `force` if it is any file; a model, which may have been changed since, never.
/// Throws ResultsError if not, or if it cannot be made there.
void check_target(const std::string& path, FileKind kind, bool force = false);

/// In a picture's bytes: that Gyrostat made it. For the formats PNG, SVG and PDF; others remain as they are.
std::string with_picture_mark(std::string picture);

/// At the beginning of the data in a report.
inline constexpr const char* report_mark = "<script type=\"application/json\" id=\"payload\">";

/// The first name in a state file.
inline constexpr const char* state_mark = "gyrostat_state";

/// While it lives, no other process has the same lock. It ends with the process, however that ends.
class OutputLock {
 public:
  OutputLock() = default;
  /// For writing to `path`, which need not exist; a pipe or a device has no lock. Throws ResultsError, naming the
  /// process, where another has it and keeps it for as long as `patience`.
  explicit OutputLock(const std::string& path, std::chrono::milliseconds patience = {});
  OutputLock(OutputLock&& other) noexcept;
  OutputLock& operator=(OutputLock&&) = delete;
  ~OutputLock();

 private:
  std::string file_;
  int descriptor_ = -1;
};

}  // namespace gyrostat::results
