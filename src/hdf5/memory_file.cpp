#include "gyrostat/hdf5/memory_file.h"

#include <algorithm>
#include <stdexcept>

namespace gyrostat::hdf5 {

namespace {

hid_t create(hid_t access) {
  H5Pset_fapl_core(access, 1U << 20U, 0);
  return H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access);
}

void require(bool done) {
  if (!done) throw std::runtime_error("HDF5: " + reason());
}

}  // namespace

MemoryFile::MemoryFile() : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(create(access_.id()), H5Fclose) {}

void MemoryFile::attribute(const char* name, const std::string& value) const {
  const std::string padded = value.empty() ? std::string(1, '\0') : value;
  const Handle type = string_type(padded.size()), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle id(H5Acreate2(file_.id(), name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  require(H5Awrite(id.id(), type.id(), padded.data()) >= 0);
}

void MemoryFile::group(const char* path) const {
  const Handle how(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(how.id(), false);
  const Handle id(H5Gcreate2(file_.id(), path, H5P_DEFAULT, how.id(), H5P_DEFAULT), H5Gclose);
  require(id.valid());
}

void MemoryFile::numbers(const char* path, const Shape& shape, const std::vector<double>& values) const {
  write(path, shape, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
}

void MemoryFile::names(const char* path, const std::vector<std::string>& list) const {
  std::size_t size = 1;
  for (const std::string& name : list) size = std::max(size, name.size());
  std::string all;
  for (const std::string& name : list) all += name + std::string(size - name.size(), '\0');
  const Handle type = string_type(size);
  write(path, {list.size()}, type.id(), type.id(), all.data());
}

std::string MemoryFile::bytes() const {
  H5Fflush(file_.id(), H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file_.id(), nullptr, 0);
  require(size > 0);
  std::string image(static_cast<std::size_t>(size), '\0');
  require(H5Fget_file_image(file_.id(), image.data(), image.size()) == size);
  return image;
}

void MemoryFile::write(const char* path, const Shape& shape, hid_t stored, hid_t given, const void* values) const {
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(how.id(), false);
  const Handle id(H5Dcreate2(file_.id(), path, stored, space.id(), H5P_DEFAULT, how.id(), H5P_DEFAULT), H5Dclose);
  require(H5Dwrite(id.id(), given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

}  // namespace gyrostat::hdf5
