// Damage to a results file at the places that our own reader interprets. HDF5 is not what is fuzzed: its library is not
// instrumented, and version 1.10.8 is known to crash on files whose own structure is damaged. So a whole file is taken,
// and the input says what to do to it through HDF5's interface: which dataset, attribute or group, and whether to give
// it other values, another type, another shape, another name, a link in its place, or nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <hdf5.h>

namespace gyrostat::fuzz {

/// Bytes one by one; zeros after the last.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::vector<char> bytes(std::size_t count) {
    std::vector<char> list(count);
    for (char& c : list) c = static_cast<char>(byte());
    return list;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// All that hangs below the root, by path, in the order of the names.
inline std::vector<std::string> objects_in(hid_t file) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note, &names);
  return names;
}

inline std::vector<std::string> attributes_of(hid_t object) {
  std::vector<std::string> names;
  const auto note = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names);
  return names;
}

/// Any type that a file may have.
inline hid_t any_type(Input& input) {
  const std::uint8_t kind = input.byte();
  const std::size_t length = 1 + input.byte();
  switch (kind % 8) {
    case 0: return H5Tcopy(H5T_IEEE_F64LE);
    case 1: return H5Tcopy(H5T_IEEE_F32BE);
    case 2: return H5Tcopy(H5T_STD_U64LE);
    case 3: return H5Tcopy(H5T_STD_I16BE);
    case 4: {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE);
      return type;
    }
    case 5: return H5Tcreate(H5T_OPAQUE, length);
    default: {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, length);
      H5Tset_strpad(type, kind % 8 == 6 ? H5T_STR_NULLPAD : H5T_STR_SPACEPAD);
      return type;
    }
  }
}

/// No point, one, or a few in a row or a rectangle.
inline hid_t any_space(Input& input) {
  const std::uint8_t rank = input.byte() % 4;
  const hsize_t sizes[] = {input.byte() % 64U, input.byte() % 8U};
  if (rank == 3) return H5Screate(H5S_NULL);
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, sizes, nullptr);
}

inline std::vector<char> values_for(hid_t type, hid_t space, Input& input) {
  const hssize_t points = std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0);
  return input.bytes(std::min<std::size_t>(static_cast<std::size_t>(points) * H5Tget_size(type), 1 << 16));
}

inline bool holds_pointers(hid_t type) { return H5Tis_variable_str(type) != 0 || H5Tget_class(type) == H5T_VLEN; }

inline void give_values(hid_t file, const std::string& name, Input& input) {
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (dataset < 0) return;
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  const std::vector<char> values = values_for(type, space, input);
  const auto needed =
      static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0)) * H5Tget_size(type);
  if (!holds_pointers(type) && values.size() == needed)
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(dataset);
}

inline void give_another_dataset(hid_t file, const std::string& name, Input& input) {
  const std::uint8_t layout = input.byte() % 4;
  const hid_t type = any_type(input), space = any_space(input), how = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {4, 4};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (layout == 1) H5Pset_layout(how, H5D_COMPACT);
  if (layout >= 2 && rank > 0) H5Pset_chunk(how, rank, chunk);
  if (layout == 3 && rank > 0) H5Pset_deflate(how, 6);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  if (dataset >= 0) {
    H5Dclose(dataset);
    if (input.byte() % 4 != 0) give_values(file, name, input);  // else its values have no place in the file
  }
  H5Pclose(how);
  H5Sclose(space);
  H5Tclose(type);
}

inline void give_another_attribute(hid_t file, const std::string& name, Input& input) {
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  if (object < 0) return;
  const std::vector<std::string> names = attributes_of(object);
  if (!names.empty()) {
    const std::string& attribute = names[input.byte() % names.size()];
    H5Adelete(object, attribute.c_str());
    if (input.byte() % 4 != 0) {
      const hid_t type = any_type(input), space = any_space(input);
      const hid_t made = H5Acreate2(object, attribute.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
      std::vector<char> values = values_for(type, space, input);
      values.resize(values.size() + 1);
      if (made >= 0 && !holds_pointers(type)) H5Awrite(made, type, values.data());
      if (made >= 0) H5Aclose(made);
      H5Sclose(space);
      H5Tclose(type);
    }
  }
  H5Oclose(object);
}

/// The library loses count of the links of a group that has two names (it crashed when it listed them after some were
/// deleted).
inline bool is_group(hid_t file, const std::string& name) {
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  const bool group = object >= 0 && H5Iget_type(object) == H5I_GROUP;
  if (object >= 0) H5Oclose(object);
  return group;
}

inline void edit(hid_t file, Input& input) {
  const std::uint8_t what = input.byte(), which = input.byte();
  const std::vector<std::string> names = objects_in(file);
  if (names.empty()) return;
  const std::string& name = names[which % names.size()];
  switch (what % 8) {
    case 0: H5Ldelete(file, name.c_str(), H5P_DEFAULT); break;
    case 1: give_another_dataset(file, name, input); break;
    case 2: give_another_attribute(file, which % 3 == 0 ? "/" : name, input); break;
    case 3: {
      const std::string& target = names[input.byte() % names.size()];
      H5Ldelete(file, name.c_str(), H5P_DEFAULT);
      if (input.byte() % 2 == 0 || is_group(file, target)) {
        H5Lcreate_soft(("/" + target).c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      } else {
        H5Lcreate_hard(file, target.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
      }
      break;
    }
    case 4: {
      std::vector<char> other = input.bytes(1 + input.byte() % 12U);
      other.push_back('\0');
      H5Lmove(file, name.c_str(), file, other.data(), H5P_DEFAULT, H5P_DEFAULT);
      break;
    }
    default: give_values(file, name, input); break;
  }
}

/// Does to the file what the input says.
inline void damage(const std::string& path, std::span<const std::uint8_t> bytes) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) return;
  Input input(bytes);
  for (int edits = 0; edits < 20 && !input.empty(); ++edits) edit(file, input);
  H5Fclose(file);
}

}  // namespace gyrostat::fuzz
