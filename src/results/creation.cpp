#include "gyrostat/results/creation.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/math/checksum.h"

namespace gyrostat::results {

using hdf5::Handle;

namespace {

constexpr std::size_t longest_attribute = 60'000;  // HDF5 keeps attributes within 64 kB
constexpr std::size_t most_in_header = 60'000;     // and values of a dataset in its header, likewise
constexpr hsize_t block_bytes = 1U << 17U;
constexpr unsigned effort = 4;  // of deflate, 1 to 9

void check_name(const std::string& file, std::string_view kind, std::string_view name) {
  bool good = name.find('\0') == std::string_view::npos;
  for (std::size_t begin = 0; good && begin <= name.size();) {
    const std::string_view part = name.substr(begin, name.find('/', begin) - begin);
    good = !part.empty() && part != ".";
    begin += part.size() + 1;
  }
  if (!good) throw ResultsError(fmt::format("{}: '{}' cannot name a {}", file, name, kind));
}

void check_names(const std::string& file, const Contents& contents) {
  std::set<std::string> paths, groups;
  for (const Column& column : contents.columns) {
    check_name(file, "column", column.name);
    const std::string path = dataset_path(column.name);
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
      groups.insert(path.substr(0, slash));
    }
    if (!paths.insert(path).second) throw ResultsError(fmt::format("{}: two columns '{}'", file, column.name));
  }
  for (const std::string& path : paths) {
    if (groups.contains(path)) throw ResultsError(fmt::format("{}: '{}' is a column and a group", file, path));
  }
  paths.clear();
  for (const std::string& name : contents.statistics) {
    check_name(file, "statistic", name);
    if (name.find('/') != std::string::npos || !paths.insert(name).second)
      throw ResultsError(fmt::format("{}: '{}' cannot name a statistic", file, name));
  }
}

}  // namespace

/// Properties for things that do not note when they were made: equal runs make equal files.
Handle Creation::plain(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(properties.id(), 0);
  return properties;
}

Handle Creation::make_file() {
  const Handle creation = plain(H5P_FILE_CREATE), access = image_.access();
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  // All that is not numbers has checksums, so that damage is noticed: the format of HDF5 1.8, in which a file has no
  // mark of being open for writing; and of 1.10 where there are blocks, since what finds them has checksums from then
  // on.
  const H5F_libver_t format = storage_ == Storage::packed ? H5F_LIBVER_V110 : H5F_LIBVER_V18;
  H5Pset_libver_bounds(access.id(), format, format);
  return {H5Fcreate("image", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose};
}

Creation::Creation(std::string path, const Contents& contents, Storage storage)
    : path_(std::move(path)),
      storage_(storage),
      file_(make_file()),
      links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
      groups_(plain(H5P_GROUP_CREATE)),
      scalar_(H5Screate(H5S_SCALAR), H5Sclose) {
  check_names(path_, contents);
  must(file_.valid());
  H5Pset_char_encoding(links_.id(), H5T_CSET_UTF8);
  H5Pset_link_creation_order(groups_.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);

  const Header& header = contents.header;
  attribute(root(), "format", std::string(results_format));
  attribute(root(), "model_name", header.model_name);
  attribute(root(), "model_file", header.model_file);
  attribute(root(), "version", header.version);
  attribute(root(), "command", header.command);
  attribute(root(), "formulation", header.formulation);
  attribute(root(), "integrator", header.integrator);
  if (header.index != "time") attribute(root(), "index", header.index);
  for (const auto& [name, value] : header.more) attribute(root(), name, value);
  const Handle text = hdf5::string_type(header.model_text.size());
  write("model", text.id(), nullptr, header.model_text.c_str());
  names("columns", contents.columns);
  for (const auto& [name, value] : header.texts) {
    const Handle type = hdf5::string_type(value.size());
    write("texts/" + name, type.id(), nullptr, value.c_str());
  }
  for (const Table& table : header.tables) {
    const std::uint64_t count = table.values.size();
    const Column column{table.name, table.unit, "given with the campaign"};
    write("tables/" + table.name, H5T_NATIVE_DOUBLE, &count, table.values.data(), &column);
  }
}

void Creation::must(bool done) const {
  if (!done) fail(fmt::format("cannot be written: {}", hdf5::reason()));
}

void Creation::fail(const std::string& why) const { throw ResultsError(path_ + ": " + why); }

void Creation::attribute(hid_t object, const std::string& name, const std::string& value) {
  if (name.empty() || name.find('\0') != std::string::npos) fail(fmt::format("'{}' cannot name an attribute", name));
  if (value.size() > longest_attribute)
    fail(fmt::format("attribute '{}' is longer than {} bytes", name, longest_attribute));
  const Handle type = hdf5::string_type(value.size());
  const Handle made(H5Acreate2(object, name.c_str(), type.id(), scalar_.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  must(made.valid() && H5Awrite(made.id(), type.id(), value.c_str()) >= 0);
}

void Creation::group(const std::string& path) {
  if (!groups_made_.insert(path).second) return;
  const Handle made(H5Gcreate2(root(), path.c_str(), links_.id(), groups_.id(), H5P_DEFAULT), H5Gclose);
  must(made.valid());
}

void Creation::names(const std::string& name, const std::vector<Column>& columns) {
  std::size_t longest = 1;
  for (const Column& column : columns) longest = std::max(longest, column.name.size());
  std::string all;
  all.reserve(columns.size() * longest);
  for (const Column& column : columns) (all += column.name).resize(all.size() + longest - column.name.size());
  const Handle type = hdf5::string_type(longest);
  const std::uint64_t count = columns.size();
  write(name, type.id(), &count, all.c_str());
}

Handle Creation::properties(hid_t type, const std::uint64_t* count) const {
  Handle made = plain(H5P_DATASET_CREATE);
  const std::size_t value_bytes = H5Tget_size(type);
  if (storage_ == Storage::in_place || (count == nullptr && value_bytes > most_in_header)) {
    H5Pset_layout(made.id(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(made.id(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(made.id(), H5D_FILL_TIME_NEVER);
  } else if (count == nullptr) {
    H5Pset_layout(made.id(), H5D_COMPACT);
  } else if (*count > 0) {
    const hsize_t block = std::min<hsize_t>(*count, std::max<hsize_t>(1, block_bytes / value_bytes));
    H5Pset_chunk(made.id(), 1, &block);
    H5Pset_shuffle(made.id());
    H5Pset_deflate(made.id(), effort);
    H5Pset_fletcher32(made.id());
  }
  return made;
}

void Creation::groups_above(const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    group(path.substr(0, slash));
  }
}

void Creation::describe(hid_t dataset, const Column& column) {
  attribute(dataset, "unit", column.unit);
  attribute(dataset, "description", column.description);
  if (!column.states.empty()) attribute(dataset, "states", fmt::format("{}", fmt::join(column.states, "\n")));
  if (!column.note.empty()) attribute(dataset, "note", column.note);
}

Handle Creation::dataset(const std::string& path, hid_t type, const std::uint64_t* count, const Column* column) {
  groups_above(path);
  const hsize_t size = count == nullptr ? 1 : *count;
  const Handle space = count == nullptr ? Handle(H5Screate(H5S_SCALAR), H5Sclose)
                                        : Handle(H5Screate_simple(1, &size, nullptr), H5Sclose);
  Handle made(
      H5Dcreate2(root(), path.c_str(), type, space.id(), links_.id(), properties(type, count).id(), H5P_DEFAULT),
      H5Dclose);
  must(made.valid());
  if (column != nullptr) describe(made.id(), *column);
  return made;
}

std::uint64_t Creation::reserve(const std::string& path, hid_t type, const std::uint64_t* count, const Column* column) {
  const Handle made = dataset(path, type, count, column);
  if (count != nullptr && *count == 0) return 0;
  const haddr_t place = H5Dget_offset(made.id());
  must(place != HADDR_UNDEF);
  return place;
}

void Creation::write(const std::string& path, hid_t type, const std::uint64_t* count, const void* values,
                     const Column* column) {
  const Handle made = dataset(path, type, count, column);
  if (count != nullptr && *count == 0) return;
  if (storage_ == Storage::packed && count != nullptr) {
    // of the whole: HDF5's are of each block, and of a block that is lost it makes zeros
    const std::string_view bytes(static_cast<const char*>(values), *count * H5Tget_size(type));
    attribute(made.id(), "checksum", fmt::format("{:016x}", checksum(bytes)));
  }
  must(H5Dwrite(made.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

void Creation::write_matrix(const std::string& path, std::uint64_t rows, std::uint64_t columns, const Column& column,
                            const std::function<void(std::uint64_t first, std::span<double> into)>& read) {
  groups_above(path);
  const std::array<hsize_t, 2> size = {rows, columns};
  const Handle space(H5Screate_simple(2, size.data(), nullptr), H5Sclose), properties = plain(H5P_DATASET_CREATE);
  const std::uint64_t most = block_bytes / sizeof(double);
  const std::array<hsize_t, 2> block = {
      std::clamp<hsize_t>(most / std::max<hsize_t>(columns, 1), 1, std::max<hsize_t>(rows, 1)),
      std::min<hsize_t>(columns, most)};
  if (rows * columns > 0) {
    H5Pset_chunk(properties.id(), 2, block.data());
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), effort);
    H5Pset_fletcher32(properties.id());
  }
  const hid_t number = H5T_NATIVE_DOUBLE;
  const Handle made(H5Dcreate2(root(), path.c_str(), number, space.id(), links_.id(), properties.id(), H5P_DEFAULT),
                    H5Dclose);
  must(made.valid());
  describe(made.id(), column);
  std::uint64_t sum = empty_checksum;
  std::vector<double> some;
  for (std::uint64_t first = 0; first < rows && columns > 0; first += block[0]) {
    const std::array<hsize_t, 2> at = {first, 0}, part = {std::min<hsize_t>(block[0], rows - first), columns};
    some.resize(part[0] * columns);
    read(first, some);
    sum = checksum({reinterpret_cast<const char*>(some.data()), some.size() * sizeof(double)}, sum);  // NOLINT(*-cast)
    const Handle memory(H5Screate_simple(2, part.data(), nullptr), H5Sclose);
    must(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, at.data(), nullptr, part.data(), nullptr) >= 0 &&
         H5Dwrite(made.id(), number, memory.id(), space.id(), H5P_DEFAULT, some.data()) >= 0);
  }
  attribute(made.id(), "checksum", fmt::format("{:016x}", sum));
}

void Creation::save(RawFile& file) {
  must(file_.close());
  image_.save(file);
}

}  // namespace gyrostat::results
