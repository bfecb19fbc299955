// Makes the structure of a results file with HDF5, in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/hdf5/handle.h"
#include "gyrostat/results/image.h"
#include "gyrostat/results/layout.h"

namespace gyrostat::results {

/// How datasets keep their values. `in_place`: one after the other at a known place, to be written later. `packed`:
/// compressed, in blocks with checksums; single values within their header, which has one.
enum class Storage { in_place, packed };

class Creation {
 public:
  /// Begins a file with everything that is known before a run: attributes, the model, the names of columns. Throws
  /// ResultsError, naming `path`, where a name cannot be used.
  Creation(std::string path, const Contents& contents, Storage storage);

  void group(const std::string& path);

  /// A dataset of numbers or strings with its place reserved, which is returned. `count` is absent for a single value.
  std::uint64_t reserve(const std::string& path, hid_t type, const std::uint64_t* count,
                        const Column* column = nullptr);

  /// A dataset with its values.
  void write(const std::string& path, hid_t type, const std::uint64_t* count, const void* values,
             const Column* column = nullptr);

  /// A matrix of numbers, some rows at a time: `read` is given the number of the first and room for the rows.
  void write_matrix(const std::string& path, std::uint64_t rows, std::uint64_t columns, const Column& column,
                    const std::function<void(std::uint64_t first, std::span<double> into)>& read);
  /// The names of columns.
  void names(const std::string& path, const std::vector<Column>& columns);

  void save(RawFile& file);

 private:
  void must(bool done) const;
  [[noreturn]] void fail(const std::string& why) const;
  [[nodiscard]] hid_t root() const { return file_.id(); }
  void attribute(hid_t object, const std::string& name, const std::string& value);
  void describe(hid_t dataset, const Column& column);
  void groups_above(const std::string& path);
  hdf5::Handle dataset(const std::string& path, hid_t type, const std::uint64_t* count, const Column* column);
  [[nodiscard]] hdf5::Handle properties(hid_t type, const std::uint64_t* count) const;
  hdf5::Handle make_file();
  static hdf5::Handle plain(hid_t kind);

  std::string path_;
  Storage storage_;
  hdf5::Image image_;
  hdf5::Handle file_, links_, groups_, scalar_;
  std::set<std::string> groups_made_;
};

}  // namespace gyrostat::results
