// Reads datasets and attributes of an HDF5 file that may be damaged or hostile.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/hdf5/handle.h"

namespace gyrostat::results::hdf5 {

using gyrostat::hdf5::Handle;
using gyrostat::hdf5::Quiet;
using gyrostat::hdf5::reason;
using gyrostat::hdf5::string_type;

enum class Kind { number, whole_number, text };

class InputFile;

/// A dataset of the kind and rank asked for, whose values are known to be in the file.
class Dataset {
 public:
  Dataset(const InputFile& file, const std::string& path, Kind kind, int rank);

  [[nodiscard]] std::uint64_t length() const { return length_; }
  /// Of rank 2: how many values a row has.
  [[nodiscard]] std::uint64_t columns() const;
  /// The first `count` values. A dataset of rank 0 has one.
  [[nodiscard]] std::vector<double> numbers(std::uint64_t count) const;
  [[nodiscard]] std::vector<std::string> texts(std::uint64_t count) const;
  [[nodiscard]] std::uint64_t whole_number() const;
  [[nodiscard]] std::vector<std::uint64_t> whole_numbers(std::uint64_t count) const;
  [[nodiscard]] std::string bytes() const;
  [[nodiscard]] std::string attribute(const char* name) const;
  /// Empty if there is none.
  [[nodiscard]] std::string attribute_if_any(const char* name) const;

 private:
  void read(hid_t type, std::uint64_t count, void* into) const;

  const InputFile& file_;
  std::string path_;
  Handle id_;
  int rank_;
  std::size_t value_bytes_ = 0;
  std::uint64_t length_ = 0;
};

class InputFile {
 public:
  /// `kind` is what the file should be, for messages.
  explicit InputFile(std::string path, const std::string& kind = "results file");

  [[nodiscard]] Dataset numbers(const std::string& path) const { return {*this, path, Kind::number, 1}; }
  /// Row by row.
  [[nodiscard]] Dataset matrix(const std::string& path) const { return {*this, path, Kind::number, 2}; }
  [[nodiscard]] Dataset texts(const std::string& path) const { return {*this, path, Kind::text, 1}; }
  [[nodiscard]] Dataset whole_numbers(const std::string& path) const { return {*this, path, Kind::whole_number, 1}; }
  [[nodiscard]] bool has(const std::string& path) const;
  [[nodiscard]] double number(const std::string& path) const;
  [[nodiscard]] std::uint64_t whole_number(const std::string& path) const;
  [[nodiscard]] std::string text(const std::string& path) const;
  /// Of a dataset of whole numbers of one byte; empty if there is none.
  [[nodiscard]] std::string bytes_of(const std::string& path) const;

  /// Those of the root that are text, in the order of their names.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> attributes() const;
  /// The names in a group, in the order they were made.
  [[nodiscard]] std::vector<std::string> names_in(const char* group) const;

  [[nodiscard]] hid_t id() const { return id_.id(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  static Handle open(const std::string& path, const std::string& kind);

  std::string path_;
  Handle id_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gyrostat::results::hdf5
