// A file that HDF5 builds in memory. If HDF5 writes to a full disk itself, it crashes at the end of the program. Here
// its writes cannot fail; the finished image is then written by RawFile, which reports errors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include "gyrostat/hdf5/handle.h"
#include "gyrostat/results/raw_file.h"

namespace gyrostat::results::hdf5 {

using gyrostat::hdf5::Handle;
using gyrostat::hdf5::Quiet;
using gyrostat::hdf5::reason;
using gyrostat::hdf5::string_type;

class Image {
 public:
  /// For H5Fcreate, once. The image must outlive the file.
  Handle access();

  void write(std::uint64_t place, const void* data, std::size_t bytes);
  /// Zeros where nothing was written.
  void read(std::uint64_t place, void* into, std::size_t bytes) const;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  void resize(std::uint64_t size) { size_ = size; }

  /// Everything that was written, and the full size with its holes.
  void save(RawFile& file) const;

 private:
  static constexpr std::size_t page_bytes = 1U << 14U;
  using Page = std::array<std::byte, page_bytes>;

  std::map<std::uint64_t, Page> pages_;  // by their number; pages that were not written to do not exist
  std::uint64_t size_ = 0;
};

}  // namespace gyrostat::results::hdf5
