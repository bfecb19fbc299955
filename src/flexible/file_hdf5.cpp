// Flexible data as HDF5. Files are made and read in memory: HDF5's writes to a full disk cannot be relied on.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/tables.h"
#include "gyrostat/hdf5/memory_file.h"

namespace gyrostat {

namespace {

using hdf5::Handle;
using Shape = std::vector<hsize_t>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::size_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// A matrix of the numbers from a place on, by rows.
Eigen::MatrixXd matrix_at(const std::vector<double>& numbers, std::size_t place, Eigen::Index rows,
                          Eigen::Index columns) {
  return Eigen::Map<const RowMajor>(numbers.data() + place, rows, columns);
}

class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::string_view bytes)
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(open(bytes), H5Fclose) {
    if (!file_.valid()) throw FlexibleFileError("", "is a damaged HDF5 file: " + hdf5::reason());
  }

  FlexibleTables tables() {
    FlexibleTables tables;
    const std::string format = attribute("format");
    if (format != flexible_format) {
      throw FlexibleFileError("attribute format", fmt::format("expected \"{}\", the format that this version of "
                                                              "Gyrostat reads",
                                                              flexible_format));
    }
    tables.frame = attribute("frame");
    const Shape square = shape_of("/stiffness");
    if (square.size() != 2 || square[0] != square[1] || square[0] == 0) {
      throw FlexibleFileError("/stiffness", "expected a square matrix with a row for each mode");
    }
    if (square[0] > flexible_limits::modes) {
      throw FlexibleFileError("/stiffness",
                              fmt::format("{} modes are more than {}, the limit", square[0], flexible_limits::modes));
    }
    modes_ = square[0];
    tables.stiffness = this->square("/stiffness");
    if (exists("/mass")) tables.mass = this->square("/mass");
    if (exists("/damping")) tables.damping = this->square("/damping");
    if (exists("/geometric_stiffness")) {
      tables.unit_loads =
          UnitLoads{squares<3>("/geometric_stiffness/acceleration"),
                    squares<3>("/geometric_stiffness/angular_acceleration"), squares<6>("/geometric_stiffness/spin")};
    }
    read_nodes(tables);
    return tables;
  }

 private:
  hid_t open(std::string_view bytes) const {
    H5Pset_fapl_core(access_.id(), 1U << 20U, 0);
    H5Pset_file_image(access_.id(), const_cast<char*>(bytes.data()), bytes.size());  // NOLINT: HDF5 copies it
    return H5Fopen("flexible data", H5F_ACC_RDONLY, access_.id());
  }

  [[nodiscard]] bool exists(const std::string& path) const {
    for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      if (H5Lexists(file_.id(), path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
      if (end == std::string::npos) return true;
    }
  }

  [[nodiscard]] std::string attribute(const char* name) const {
    const std::string where = fmt::format("attribute {}", name);
    const Handle id(H5Aopen(file_.id(), name, H5P_DEFAULT), H5Aclose);
    if (!id.valid()) throw FlexibleFileError(where, "is missing");
    const Handle type(H5Aget_type(id.id()), H5Tclose), space(H5Aget_space(id.id()), H5Sclose);
    const std::size_t size = H5Tget_size(type.id());
    const bool text = H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) == 0 && size < 1000;
    if (!text || H5Sget_simple_extent_npoints(space.id()) != 1) {
      throw FlexibleFileError(where, "expected a text of fixed length");
    }
    std::string value(size, '\0');
    if (H5Aread(id.id(), type.id(), value.data()) < 0) throw FlexibleFileError(where, hdf5::reason());
    return value.substr(0, value.find('\0'));
  }

  [[nodiscard]] Handle dataset(const std::string& path) const {
    if (!exists(path)) throw FlexibleFileError(path, "the dataset is missing");
    Handle id(H5Dopen2(file_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!id.valid()) throw FlexibleFileError(path, "is not a dataset: " + hdf5::reason());
    return id;
  }

  [[nodiscard]] static Shape shape_of(const Handle& id, const std::string& path) {
    const Handle space(H5Dget_space(id.id()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 0 || H5Sget_simple_extent_type(space.id()) == H5S_NULL) throw FlexibleFileError(path, "has no values");
    Shape shape(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
    for (const hsize_t size : shape) {
      if (size > flexible_limits::numbers) throw FlexibleFileError(path, "is too large");
    }
    return shape;
  }
  [[nodiscard]] Shape shape_of(const std::string& path) const { return shape_of(dataset(path), path); }

  static std::string text_of(const Shape& shape) {
    return shape.empty() ? "one number" : fmt::format("{}", fmt::join(shape, " x "));
  }

  [[nodiscard]] std::vector<double> numbers(const std::string& path, const Shape& expected) const {
    const Handle id = dataset(path);
    const Shape shape = shape_of(id, path);
    if (shape != expected) {
      throw FlexibleFileError(path, fmt::format("expected {} numbers, got {}", text_of(expected), text_of(shape)));
    }
    const Handle type(H5Dget_type(id.id()), H5Tclose);
    if (const auto kind = H5Tget_class(type.id()); kind != H5T_FLOAT && kind != H5T_INTEGER) {
      throw FlexibleFileError(path, "expected numbers");
    }
    const Handle how(H5Dget_create_plist(id.id()), H5Pclose);
    if (H5Pget_external_count(how.id()) != 0 || H5Pget_layout(how.id()) == H5D_VIRTUAL) {
      throw FlexibleFileError(path, "has its numbers in other files, which is not allowed");
    }
    if (count_of(shape) > flexible_limits::numbers) {
      throw FlexibleFileError(path, fmt::format("has more than {} numbers, the limit", flexible_limits::numbers));
    }
    std::vector<double> values(count_of(shape));
    if (H5Dread(id.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      throw FlexibleFileError(path, "cannot be read: " + hdf5::reason());
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!(std::abs(values[i]) <= flexible_limits::magnitude))
        check_number(values[i], fmt::format("{}, number {}", path, i));
    }
    return values;
  }

  [[nodiscard]] Eigen::MatrixXd square(const std::string& path) const {
    const auto m = static_cast<Eigen::Index>(modes_);
    return matrix_at(numbers(path, {modes_, modes_}), 0, m, m);
  }

  template <std::size_t N>
  [[nodiscard]] std::array<Eigen::MatrixXd, N> squares(const std::string& path) const {
    const std::vector<double> values = numbers(path, {N, modes_, modes_});
    std::array<Eigen::MatrixXd, N> list;
    const auto m = static_cast<Eigen::Index>(modes_);
    for (std::size_t k = 0; k < N; ++k) list[k] = matrix_at(values, k * modes_ * modes_, m, m);
    return list;
  }

  [[nodiscard]] std::vector<std::string> names(std::size_t count) const {
    const std::string path = "/nodes/name";
    const Handle id = dataset(path);
    const Handle type(H5Dget_type(id.id()), H5Tclose);
    const std::size_t size = H5Tget_size(type.id());
    if (shape_of(id, path) != Shape{count} || H5Tget_class(type.id()) != H5T_STRING ||
        H5Tis_variable_str(type.id()) != 0 || size > 4 * flexible_limits::name_length) {
      throw FlexibleFileError(path, fmt::format("expected {} texts of fixed length", count));
    }
    std::string all(count * size, '\0');
    if (H5Dread(id.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0) {
      throw FlexibleFileError(path, "cannot be read: " + hdf5::reason());
    }
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string padded = all.substr(i * size, size);
      list.push_back(padded.substr(0, padded.find('\0')));
    }
    return list;
  }

  void read_nodes(FlexibleTables& tables) {
    const Shape shape = shape_of("/nodes/position");
    const hsize_t count = shape.empty() ? 0 : shape[0], pairs = modes_ * (modes_ + 1) / 2;
    if (count > flexible_limits::nodes) {
      throw FlexibleFileError("/nodes/position",
                              fmt::format("{} nodes are more than {}, the limit", count, flexible_limits::nodes));
    }
    const auto optional = [&](const char* name, const Shape& expected) {
      const std::string path = fmt::format("/nodes/{}", name);
      return exists(path) ? numbers(path, expected) : std::vector<double>();
    };
    const std::vector<double> position = numbers("/nodes/position", {count, 3}), mass = optional("mass", {count}),
                              com = optional("com", {count, 3}), inertia = optional("inertia", {count, 3, 3}),
                              translation = optional("translation", {count, 3, modes_}),
                              rotation = optional("rotation", {count, 3, modes_}),
                              translation2 = optional("translation2", {count, 3, pairs}),
                              rotation2 = optional("rotation2", {count, 3, pairs}),
                              force = optional("force_stiffness", {count, 3, modes_, modes_});
    const std::vector<std::string> names = exists("/nodes/name") ? this->names(count) : std::vector<std::string>(count);
    const auto m = static_cast<Eigen::Index>(modes_), p = static_cast<Eigen::Index>(pairs);
    const auto part = [](const std::vector<double>& all, std::size_t node, Eigen::Index rows, Eigen::Index columns) {
      const auto size = static_cast<std::size_t>(rows * columns);
      return all.empty() ? Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, columns))
                         : matrix_at(all, node * size, rows, columns);
    };
    const bool second = !translation2.empty() || !rotation2.empty();
    for (std::size_t i = 0; i < count; ++i) {
      NodeTable node;
      node.name = names[i];
      node.position = part(position, i, 3, 1);
      if (!mass.empty()) node.mass = mass[i];
      node.com = part(com, i, 3, 1);
      node.inertia = part(inertia, i, 3, 3);
      node.shape.translation = part(translation, i, 3, m);
      node.shape.rotation = part(rotation, i, 3, m);
      if (second) {
        node.shape.translation2 = part(translation2, i, 3, p);
        node.shape.rotation2 = part(rotation2, i, 3, p);
      }
      if (!force.empty()) {
        node.force_stiffness.emplace();
        for (std::size_t k = 0; k < 3; ++k) (*node.force_stiffness)[k] = part(force, 3 * i + k, m, m);
      }
      tables.nodes.push_back(std::move(node));
    }
  }

  hdf5::Quiet quiet_;
  Handle access_, file_;
  hsize_t modes_ = 0;
};

/// By rows.
template <class Matrix>
void append(const Matrix& matrix, std::vector<double>& numbers) {
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) numbers.push_back(matrix(i, j));
  }
}

template <class List>
std::vector<double> all_of(const List& matrices) {
  std::vector<double> numbers;
  for (const Eigen::MatrixXd& matrix : matrices) append(matrix, numbers);
  return numbers;
}

void write_nodes(const FlexibleData& data, const hdf5::MemoryFile& writer) {
  const hsize_t n = data.nodes.size(), m = data.modes(), p = pair_count(data.modes());
  const auto write = [&](const char* path, const Shape& shape, auto&& field) {
    std::vector<double> numbers;
    for (const FlexibleNode& node : data.nodes) append(field(node), numbers);
    writer.numbers(path, shape, numbers);
  };
  std::vector<std::string> names;
  for (const FlexibleNode& node : data.nodes) names.push_back(node.name);
  writer.group("/nodes");
  writer.names("/nodes/name", names);
  write("/nodes/position", {n, 3}, [](const FlexibleNode& node) { return node.position; });
  write("/nodes/mass", {n}, [](const FlexibleNode& node) { return Eigen::Matrix<double, 1, 1>(node.mass); });
  write("/nodes/inertia", {n, 3, 3}, [](const FlexibleNode& node) { return node.inertia; });
  write("/nodes/translation", {n, 3, m}, [](const FlexibleNode& node) { return node.shape.translation; });
  write("/nodes/rotation", {n, 3, m}, [](const FlexibleNode& node) { return node.shape.rotation; });
  if (data.unit_loads) {
    std::vector<double> forces;
    for (const FlexibleNode& node : data.nodes) {
      for (const Eigen::MatrixXd& K : force_stiffness(node)) append(K, forces);
    }
    writer.numbers("/nodes/force_stiffness", {n, 3, m, m}, forces);
  } else if (data.second_order) {
    write("/nodes/translation2", {n, 3, p}, [](const FlexibleNode& node) { return node.shape.translation2; });
    write("/nodes/rotation2", {n, 3, p}, [](const FlexibleNode& node) { return node.shape.rotation2; });
  }
}

}  // namespace

FlexibleFile read_flexible_hdf5(std::string_view bytes) {
  const FlexibleTables tables = Hdf5Reader(bytes).tables();
  return data_of(tables, [](std::string field, std::optional<std::size_t> node) {
    if (field == "frame") return std::string("attribute frame");
    std::ranges::replace(field, '.', '/');
    return node ? fmt::format("/nodes/{}, node {}", field, *node) : "/" + field;
  });
}

std::string flexible_hdf5(const FlexibleData& data) {
  check_writable(data);
  hdf5::MemoryFile writer;
  const hsize_t m = data.modes();
  writer.attribute("format", std::string(flexible_format));
  writer.attribute("frame", data.frame_node == FlexibleData::floating ? "" : data.nodes[data.frame_node].name);
  writer.numbers("/mass", {m, m}, all_of(std::array{data.mass}));
  writer.numbers("/stiffness", {m, m}, all_of(std::array{data.stiffness}));
  writer.numbers("/damping", {m, m}, all_of(std::array{data.damping}));
  if (data.unit_loads) {
    writer.group("/geometric_stiffness");
    writer.numbers("/geometric_stiffness/acceleration", {3, m, m}, all_of(data.unit_loads->acceleration));
    writer.numbers("/geometric_stiffness/angular_acceleration", {3, m, m},
                   all_of(data.unit_loads->angular_acceleration));
    writer.numbers("/geometric_stiffness/spin", {6, m, m}, all_of(data.unit_loads->spin));
  }
  write_nodes(data, writer);
  return writer.bytes();
}

}  // namespace gyrostat
