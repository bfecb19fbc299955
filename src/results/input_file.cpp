#include "gyrostat/results/input_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "gyrostat/math/checksum.h"
#include "gyrostat/results/results.h"

namespace gyrostat::results::hdf5 {

namespace fs = std::filesystem;

namespace {

/// No more than this many bytes come out of one that HDF5's filters have packed (deflate reaches 1030).
constexpr std::uint64_t most_packed = 1100;

H5T_class_t class_of(Kind kind) {
  return kind == Kind::number ? H5T_FLOAT : kind == Kind::whole_number ? H5T_INTEGER : H5T_STRING;
}

/// Strings of one fixed length are the only ones we write.
bool has_kind(hid_t type, Kind kind) {
  return H5Tget_class(type) == class_of(kind) && (kind != Kind::text || H5Tis_variable_str(type) == 0);
}

/// Are all its blocks there? One that is not would be read as zeros.
bool has_all_blocks(hid_t dataset, std::uint64_t length) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  hsize_t block = 0, blocks = 0;
  if (H5Pget_layout(properties.id()) != H5D_CHUNKED) return true;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  return H5Pget_chunk(properties.id(), 1, &block) == 1 && block > 0 &&
         H5Dget_num_chunks(dataset, space.id(), &blocks) >= 0 && blocks == (length + block - 1) / block;
}

/// How many bytes of values a dataset may claim to have.
std::uint64_t most_bytes(hid_t dataset, std::uint64_t file_bytes) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes);
  switch (H5Pget_layout(properties.id())) {
    case H5D_COMPACT: return stored;
    case H5D_CONTIGUOUS: return H5Pget_external_count(properties.id()) == 0 ? stored : 0;
    case H5D_CHUNKED: return stored * most_packed;  // the file was compressed by another program
    default: return 0;
  }
}

std::string without_padding(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return std::string(text);
}

std::optional<std::string> attribute_text(hid_t object, const char* name, std::uint64_t most) {
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) return std::nullopt;
  const Handle type(H5Aget_type(attribute.id()), H5Tclose), space(H5Aget_space(attribute.id()), H5Sclose);
  const std::size_t bytes = H5Tget_size(type.id());
  if (!has_kind(type.id(), Kind::text) || H5Sget_simple_extent_npoints(space.id()) != 1 || bytes > most)
    return std::nullopt;
  std::string text(bytes, '\0');
  if (H5Aread(attribute.id(), type.id(), text.data()) < 0) return std::nullopt;
  return without_padding(text);
}

/// In whatever order HDF5 has them, which for an index by creation is that of creation. To give them in order it would
/// make a table, and of one that a damaged file leaves half made it frees what was never there (1.10.8).
constexpr H5_iter_order_t as_stored = H5_ITER_NATIVE;

herr_t note_attribute(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

herr_t note_link(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

Dataset::Dataset(const InputFile& file, const std::string& path, Kind kind, int rank)
    : file_(file), path_(path), id_(H5Dopen2(file.id(), path.c_str(), H5P_DEFAULT), H5Dclose), rank_(rank) {
  if (!id_.valid()) file_.damaged(fmt::format("'{}' is missing", path_));
  const Handle type(H5Dget_type(id_.id()), H5Tclose), space(H5Dget_space(id_.id()), H5Sclose);
  if (!has_kind(type.id(), kind) || H5Sget_simple_extent_ndims(space.id()) != rank)
    file_.damaged(fmt::format("'{}' is of another kind than it should be", path_));
  const hssize_t points = H5Sget_simple_extent_npoints(space.id());
  length_ = points < 0 ? 0 : static_cast<std::uint64_t>(points);
  value_bytes_ = H5Tget_size(type.id());
  if (points < 0 || (rank == 0 && points != 1) || value_bytes_ == 0 ||
      length_ > most_bytes(id_.id(), file_.bytes()) / value_bytes_ ||
      (rank == 1 && !has_all_blocks(id_.id(), length_))) {
    file_.damaged(fmt::format("the values of '{}' are missing", path_));
  }
}

std::uint64_t Dataset::columns() const {
  const Handle space(H5Dget_space(id_.id()), H5Sclose);
  std::array<hsize_t, 2> sizes{};
  if (rank_ != 2 || H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr) != 2) return 0;
  return sizes[1];
}

void Dataset::read(hid_t type, std::uint64_t count, void* into) const {
  if (count > length_ || (rank_ == 2 && count != length_))
    file_.damaged(fmt::format("'{}' has {} values instead of {}", path_, length_, count));
  if (count == 0) return;
  const Handle space(H5Dget_space(id_.id()), H5Sclose);
  const hsize_t begin = 0, size = count;
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
  if (rank_ == 1) H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &begin, nullptr, &size, nullptr);
  if (H5Dread(id_.id(), type, memory.id(), space.id(), H5P_DEFAULT, into) < 0)
    file_.damaged(fmt::format("'{}' cannot be read: {}", path_, reason()));
  const auto expected = attribute_text(id_.id(), "checksum", file_.bytes());
  if (!expected || count != length_) return;
  const std::string_view bytes(static_cast<const char*>(into), count * H5Tget_size(type));
  if (fmt::format("{:016x}", checksum(bytes)) != *expected)
    file_.damaged(fmt::format("'{}' has another checksum than when it was written", path_));
}

std::vector<double> Dataset::numbers(std::uint64_t count) const {
  std::vector<double> values(std::min(count, length_));
  read(H5T_NATIVE_DOUBLE, count, values.data());
  return values;
}

std::vector<std::string> Dataset::texts(std::uint64_t count) const {
  const Handle type(H5Dget_type(id_.id()), H5Tclose);
  std::string all(std::min(count, length_) * value_bytes_, '\0');
  read(type.id(), count, all.data());
  std::vector<std::string> list;
  list.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i)
    list.push_back(without_padding(std::string_view(all).substr(i * value_bytes_, value_bytes_)));
  return list;
}

std::uint64_t Dataset::whole_number() const {
  std::uint64_t value = 0;
  read(H5T_NATIVE_UINT64, 1, &value);
  return value;
}

std::vector<std::uint64_t> Dataset::whole_numbers(std::uint64_t count) const {
  std::vector<std::uint64_t> values(std::min(count, length_));
  read(H5T_NATIVE_UINT64, count, values.data());
  return values;
}

std::string Dataset::bytes() const {
  std::string values(length_, '\0');
  read(H5T_NATIVE_UINT8, length_, values.data());
  return values;
}

std::string Dataset::attribute(const char* name) const {
  if (auto text = attribute_text(id_.id(), name, file_.bytes())) return std::move(*text);
  file_.damaged(fmt::format("the attribute '{}' of '{}' is missing", name, path_));
}

std::string Dataset::attribute_if_any(const char* name) const {
  return attribute_text(id_.id(), name, file_.bytes()).value_or("");
}

Handle InputFile::open(const std::string& path, const std::string& kind) {
  std::error_code error;
  if (!fs::exists(path, error)) throw ResultsError(path + ": no such file");
  if (fs::is_directory(path, error)) throw ResultsError(path + ": is a directory");
  if (!fs::is_regular_file(path, error)) throw ResultsError(path + ": is not a regular file");
  if (std::FILE* stream = std::fopen(path.c_str(), "rb")) {
    static_cast<void>(std::fclose(stream));
  } else {
    throw ResultsError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  if (H5Fis_hdf5(path.c_str()) <= 0) throw ResultsError(fmt::format("{}: is not a Gyrostat {}", path, kind));
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.id(), 0, 1);  // the writer needs no lock
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (file.valid()) return file;
  const std::string why = reason();
  throw ResultsError(why.starts_with("truncated file") ? path + ": is damaged: its end is missing"
                                                       : fmt::format("{}: is damaged: {}", path, why));
}

InputFile::InputFile(std::string path, const std::string& kind) : path_(std::move(path)), id_(open(path_, kind)) {
  std::error_code error;
  bytes_ = fs::file_size(path_, error);
}

void InputFile::damaged(const std::string& what) const {
  throw ResultsError(fmt::format("{}: is damaged: {}", path_, what));
}

bool InputFile::has(const std::string& path) const { return H5Lexists(id(), path.c_str(), H5P_DEFAULT) > 0; }

double InputFile::number(const std::string& path) const { return Dataset(*this, path, Kind::number, 0).numbers(1)[0]; }

std::uint64_t InputFile::whole_number(const std::string& path) const {
  return Dataset(*this, path, Kind::whole_number, 0).whole_number();
}

std::string InputFile::text(const std::string& path) const { return Dataset(*this, path, Kind::text, 0).texts(1)[0]; }

std::string InputFile::bytes_of(const std::string& path) const {
  return has(path) ? whole_numbers(path).bytes() : std::string();
}

std::vector<std::pair<std::string, std::string>> InputFile::attributes() const {
  std::vector<std::string> names;
  if (H5Aiterate2(id(), H5_INDEX_NAME, as_stored, nullptr, note_attribute, &names) < 0)
    damaged(fmt::format("its attributes cannot be read: {}", reason()));
  std::ranges::sort(names);
  std::vector<std::pair<std::string, std::string>> list;
  for (const std::string& name : names) {
    if (auto text = attribute_text(id(), name.c_str(), bytes_)) list.emplace_back(name, std::move(*text));
  }
  return list;
}

std::vector<std::string> InputFile::names_in(const char* group) const {
  const Handle opened(H5Gopen2(id(), group, H5P_DEFAULT), H5Gclose);
  std::vector<std::string> names;
  if (!opened.valid()) damaged(fmt::format("'{}' is missing", group));
  if (H5Literate(opened.id(), H5_INDEX_CRT_ORDER, as_stored, nullptr, note_link, &names) >= 0) return names;
  names.clear();
  if (H5Literate(opened.id(), H5_INDEX_NAME, as_stored, nullptr, note_link, &names) < 0)
    damaged(fmt::format("'{}' cannot be read: {}", group, reason()));
  std::ranges::sort(names);
  return names;
}

}  // namespace gyrostat::results::hdf5
