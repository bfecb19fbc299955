#include "gyrostat/results/layout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "gyrostat/results/hdf5.h"
#include "gyrostat/results/image.h"

namespace gyrostat::results {

namespace {

using hdf5::Handle;

constexpr std::array<std::string_view, 7> own_names = {"time",   "model",  "columns",   "records",
                                                       "events", "status", "statistics"};
constexpr std::array<std::string_view, 5> groups_of_runs = {"motion", "reactions", "driving", "loads", "ledger"};
constexpr std::size_t longest_attribute = 60'000;  // HDF5 keeps attributes within 64 kB

class Creation {
 public:
  explicit Creation(std::string path);

  void attribute(hid_t object, const std::string& name, const std::string& value);
  void text(const std::string& name, const std::string& value);
  void names(const std::string& name, const std::vector<Column>& columns);
  void group(const std::string& path);

  /// A dataset of numbers or strings with its place reserved. `count` is absent for a single value.
  std::uint64_t numbers(const std::string& path, hid_t type, const std::uint64_t* count,
                        const Column* column = nullptr);

  void save(RawFile& file);
  [[nodiscard]] hid_t root() const { return file_.id(); }

 private:
  void must(bool done) const {
    if (!done) fail(fmt::format("cannot be written: {}", hdf5::reason()));
  }
  [[noreturn]] void fail(const std::string& why) const { throw ResultsError(path_ + ": " + why); }
  Handle dataset(const std::string& path, hid_t type, hid_t space);
  Handle make_file();
  static Handle plain(hid_t kind);

  std::string path_;
  hdf5::Image image_;
  Handle file_, links_, values_, groups_, scalar_;
  std::set<std::string> groups_made_;
};

/// Properties for things that do not note when they were made: equal runs make equal files.
Handle Creation::plain(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(properties.id(), 0);
  return properties;
}

Handle Creation::make_file() {
  const Handle creation = plain(H5P_FILE_CREATE), access = image_.access();
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  // The format of HDF5 1.8: all that is not numbers has checksums, so that damage is noticed, and the file has no mark
  // of being open for writing.
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  return {H5Fcreate("image", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose};
}

Creation::Creation(std::string path)
    : path_(std::move(path)),
      file_(make_file()),
      links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
      values_(plain(H5P_DATASET_CREATE)),
      groups_(plain(H5P_GROUP_CREATE)),
      scalar_(H5Screate(H5S_SCALAR), H5Sclose) {
  must(file_.valid());
  H5Pset_char_encoding(links_.id(), H5T_CSET_UTF8);
  H5Pset_link_creation_order(groups_.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_layout(values_.id(), H5D_CONTIGUOUS);
  H5Pset_alloc_time(values_.id(), H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(values_.id(), H5D_FILL_TIME_NEVER);
}

void Creation::attribute(hid_t object, const std::string& name, const std::string& value) {
  if (name.empty() || name.find('\0') != std::string::npos) fail(fmt::format("'{}' cannot name an attribute", name));
  if (value.size() > longest_attribute)
    fail(fmt::format("attribute '{}' is longer than {} bytes", name, longest_attribute));
  const Handle type = hdf5::string_type(value.size());
  const Handle made(H5Acreate2(object, name.c_str(), type.id(), scalar_.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  must(made.valid() && H5Awrite(made.id(), type.id(), value.c_str()) >= 0);
}

Handle Creation::dataset(const std::string& path, hid_t type, hid_t space) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    group(path.substr(0, slash));
  }
  return {H5Dcreate2(root(), path.c_str(), type, space, links_.id(), values_.id(), H5P_DEFAULT), H5Dclose};
}

void Creation::group(const std::string& path) {
  if (!groups_made_.insert(path).second) return;
  const Handle made(H5Gcreate2(root(), path.c_str(), links_.id(), groups_.id(), H5P_DEFAULT), H5Gclose);
  must(made.valid());
}

void Creation::text(const std::string& name, const std::string& value) {
  const Handle type = hdf5::string_type(value.size());
  const Handle made = dataset(name, type.id(), scalar_.id());
  must(made.valid() && H5Dwrite(made.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()) >= 0);
}

void Creation::names(const std::string& name, const std::vector<Column>& columns) {
  std::size_t longest = 1;
  for (const Column& column : columns) longest = std::max(longest, column.name.size());
  std::string all;
  all.reserve(columns.size() * longest);
  for (const Column& column : columns) (all += column.name).resize(all.size() + longest - column.name.size());
  const Handle type = hdf5::string_type(longest);
  const hsize_t count = columns.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle made = dataset(name, type.id(), space.id());
  must(made.valid() && H5Dwrite(made.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.c_str()) >= 0);
}

std::uint64_t Creation::numbers(const std::string& path, hid_t type, const std::uint64_t* count, const Column* column) {
  const hsize_t size = count == nullptr ? 1 : *count;
  const Handle space = count == nullptr ? Handle(H5Screate(H5S_SCALAR), H5Sclose)
                                        : Handle(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle made = dataset(path, type, space.id());
  must(made.valid());
  if (column != nullptr) {
    attribute(made.id(), "unit", column->unit);
    attribute(made.id(), "description", column->description);
  }
  if (size == 0) return 0;
  const haddr_t place = H5Dget_offset(made.id());
  must(place != HADDR_UNDEF);
  return place;
}

void Creation::save(RawFile& file) {
  must(file_.close());
  image_.save(file);
}

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

void add_header(Creation& creation, const Header& header) {
  const hid_t root = creation.root();
  creation.attribute(root, "format", std::string(results_format));
  creation.attribute(root, "model_name", header.model_name);
  creation.attribute(root, "model_file", header.model_file);
  creation.attribute(root, "version", header.version);
  creation.attribute(root, "command", header.command);
  creation.attribute(root, "formulation", header.formulation);
  creation.attribute(root, "integrator", header.integrator);
  for (const auto& [name, value] : header.more) creation.attribute(root, name, value);
  creation.text("model", header.model_text);
}

void mark_missing(RawFile& file, std::uint64_t place, std::uint64_t count) {
  const std::vector<double> missing(std::min<std::uint64_t>(count, 1U << 17U),
                                    std::numeric_limits<double>::quiet_NaN());
  for (std::uint64_t done = 0; done < count; done += missing.size()) {
    const std::size_t piece = std::min<std::uint64_t>(missing.size(), count - done);
    file.write(place + done * sizeof(double), missing.data(), piece * sizeof(double));
  }
}

}  // namespace

std::string dataset_path(std::string_view column_name) {
  const std::string_view first = column_name.substr(0, column_name.find('/'));
  const bool alone = first.size() == column_name.size();  // in no group
  const bool taken = std::ranges::find(own_names, first) != own_names.end() ||
                     (alone && std::ranges::find(groups_of_runs, first) != groups_of_runs.end());
  return fmt::format("{}{}{}", first, taken ? "_" : "", column_name.substr(first.size()));
}

Layout create_results_file(RawFile& file, const Contents& contents, Capacity capacity) {
  const hdf5::Quiet quiet;
  check_names(file.shown_path(), contents);
  Creation creation(file.shown_path());
  const Handle event_text = hdf5::string_type(event_text_bytes), status_text = hdf5::string_type(status_bytes);
  const hid_t number = H5T_NATIVE_DOUBLE, count = H5T_NATIVE_UINT64;

  add_header(creation, contents.header);
  creation.names("columns", contents.columns);
  Layout layout;
  layout.capacity = capacity;
  layout.status = creation.numbers("status", status_text.id(), nullptr);
  layout.records = creation.numbers("records", count, nullptr);
  creation.group("statistics");
  for (const std::string& name : contents.statistics)
    layout.statistics.push_back(creation.numbers("statistics/" + name, number, nullptr));
  layout.event_count = creation.numbers("events/count", count, nullptr);
  layout.event_time = creation.numbers("events/time", number, &capacity.events);
  layout.event_name = creation.numbers("events/name", event_text.id(), &capacity.events);
  layout.event_what = creation.numbers("events/what", event_text.id(), &capacity.events);
  const Column time{"time", "s", "time of the record; NaN where none is written yet"};
  layout.time = creation.numbers("time", number, &capacity.records, &time);
  layout.columns.reserve(contents.columns.size());
  for (const Column& column : contents.columns)
    layout.columns.push_back(creation.numbers(dataset_path(column.name), number, &capacity.records, &column));
  creation.save(file);
  mark_missing(file, layout.time, capacity.records);
  return layout;
}

}  // namespace gyrostat::results
