// An HDF5 file that is made in memory, since HDF5's writes to a full disk cannot be relied on. The same contents have
// the same bytes.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/hdf5/handle.h"

namespace gyrostat::hdf5 {

/// Throws std::runtime_error with HDF5's reason.
class MemoryFile {
 public:
  using Shape = std::vector<hsize_t>;

  MemoryFile();

  /// Of the root.
  void attribute(const char* name, const std::string& value) const;
  void group(const char* path) const;
  void numbers(const char* path, const Shape& shape, const std::vector<double>& values) const;
  void names(const char* path, const std::vector<std::string>& list) const;

  [[nodiscard]] std::string bytes() const;

 private:
  void write(const char* path, const Shape& shape, hid_t stored, hid_t given, const void* values) const;

  Quiet quiet_;
  Handle access_, file_;
};

}  // namespace gyrostat::hdf5
