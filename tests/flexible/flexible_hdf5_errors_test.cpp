// What is wrong with HDF5 files of flexible data, with exact messages: a whole file is changed through HDF5.
#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/hdf5/handle.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace flexible_hdf5_errors_test {

using hdf5::Handle;
using ::testing::StartsWith;

void replace(hid_t file, const char* path, const std::vector<hsize_t>& shape, const std::vector<double>& values) {
  H5Ldelete(file, path, H5P_DEFAULT);
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
  const Handle id(H5Dcreate2(file, path, H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  H5Dwrite(id.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void set_text(hid_t file, const char* attribute, const std::string& text) {
  H5Adelete(file, attribute);
  const Handle type = hdf5::string_type(text.size()), space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle id(H5Acreate2(file, attribute, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  H5Awrite(id.id(), type.id(), text.data());
}

/// Two modes, three nodes of the mesh and eight Gauss points.
std::string beam_file() {
  return flexible_hdf5(make_beam(unit_beam(2), "root", {}, first_modes(2, ModeKind::cantilever)));
}

std::string error_after(const std::function<void(hid_t)>& change) {
  std::string name = (std::filesystem::temp_directory_path() / "flexible-XXXXXX").string();
  close(mkstemp(name.data()));
  std::ofstream(name, std::ios::binary) << beam_file();
  {
    const hdf5::Quiet quiet;
    const Handle file(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    change(file.id());
  }
  std::string text = "none";
  try {
    read_flexible_file(name);
  } catch (const FlexibleFileError& error) {
    text = error.text();
  }
  std::filesystem::remove(name);
  return text;
}

struct Hdf5Case {
  const char* name;
  std::function<void(hid_t)> change;
  const char* message;
};

class WrongHdf5 : public ::testing::TestWithParam<Hdf5Case> {};

TEST_P(WrongHdf5, IsRefusedWithItsDataset) { EXPECT_EQ(error_after(GetParam().change), GetParam().message); }

const Hdf5Case hdf5_cases[] = {
    {"Nothing", [](hid_t) {}, "none"},
    {"NoFormat", [](hid_t f) { H5Adelete(f, "format"); }, "attribute format: is missing"},
    {"ResultsFile", [](hid_t f) { set_text(f, "format", "gyrostat results 3"); },
     "attribute format: expected \"gyrostat flexible 1\", the format that this version of Gyrostat reads"},
    {"NoFrame", [](hid_t f) { H5Adelete(f, "frame"); }, "attribute frame: is missing"},
    {"OtherFrame", [](hid_t f) { set_text(f, "frame", "foot"); }, "attribute frame: there is no node 'foot'"},
    {"FrameMoves", [](hid_t f) { set_text(f, "frame", "tip"); },
     "/nodes/translation, node 2: must be zero: the body's frame is at this node (or say that the frame is floating)"},
    {"NoStiffness", [](hid_t f) { H5Ldelete(f, "stiffness", H5P_DEFAULT); }, "/stiffness: the dataset is missing"},
    {"StiffnessIsAGroup",
     [](hid_t f) {
       H5Ldelete(f, "stiffness", H5P_DEFAULT);
       H5Lcreate_hard(f, "nodes", f, "stiffness", H5P_DEFAULT, H5P_DEFAULT);
     },
     "/stiffness: is not a dataset: not a dataset"},
    {"FlatStiffness",
     [](hid_t f) {
       replace(f, "/stiffness", {4}, {1, 0, 0, 2});
     },
     "/stiffness: expected a square matrix with a row for each mode"},
    {"ManyModes",
     [](hid_t f) {
       replace(f, "/stiffness", {501, 501}, std::vector<double>(251001));
     },
     "/stiffness: 501 modes are more than 500, the limit"},
    {"NegativeStiffness",
     [](hid_t f) {
       replace(f, "/stiffness", {2, 2}, {1, 0, 0, -2});
     },
     "/stiffness: mode 2 has no stiffness: rigid-body modes are no part of the data"},
    {"MassOfAnotherSize",
     [](hid_t f) {
       replace(f, "/mass", {1, 1}, {1});
     },
     "/mass: expected 2 x 2 numbers, got 1 x 1"},
    {"NoPositions", [](hid_t f) { H5Ldelete(f, "/nodes/position", H5P_DEFAULT); },
     "/nodes/position: the dataset is missing"},
    {"NoNodes", [](hid_t f) { H5Ldelete(f, "/nodes", H5P_DEFAULT); }, "/nodes/position: the dataset is missing"},
    {"FewerMasses",
     [](hid_t f) {
       replace(f, "/nodes/mass", {3}, {1, 2, 3});
     },
     "/nodes/mass: expected 11 numbers, got 3"},
    {"NotANumber",
     [](hid_t f) {
       replace(f, "/damping", {2, 2}, {1, 0, 0, std::nan("")});
     },
     "/damping, number 3: is not a finite number"},
    {"NamesAreNumbers", [](hid_t f) { replace(f, "/nodes/name", {11}, std::vector<double>(11)); },
     "/nodes/name: expected 11 texts of fixed length"},
    {"MassesAreNames",
     [](hid_t f) {
       H5Ldelete(f, "/nodes/mass", H5P_DEFAULT);
       H5Lcreate_hard(f, "/nodes/name", f, "/nodes/mass", H5P_DEFAULT, H5P_DEFAULT);
     },
     "/nodes/mass: expected numbers"},
    {"TooManyNodes",
     [](hid_t f) {
       replace(f, "/nodes/position", {20001, 3}, std::vector<double>(60003));
     },
     "/nodes/position: 20001 nodes are more than 20000, the limit"},
    {"UnitLoadsTwice",
     [](hid_t f) {
       const Handle group(H5Gcreate2(f, "geometric_stiffness", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
       replace(f, "/geometric_stiffness/acceleration", {3, 2, 2}, std::vector<double>(12));
       replace(f, "/geometric_stiffness/angular_acceleration", {3, 2, 2}, std::vector<double>(12));
       replace(f, "/geometric_stiffness/spin", {6, 2, 2}, std::vector<double>(24));
     },
     "/geometric_stiffness: the nodes have second-order shapes already; either these or geometric stiffness, not both"},
    {"UnitLoadsWithoutSpin",
     [](hid_t f) {
       const Handle group(H5Gcreate2(f, "geometric_stiffness", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
       replace(f, "/geometric_stiffness/acceleration", {3, 2, 2}, std::vector<double>(12));
       replace(f, "/geometric_stiffness/angular_acceleration", {3, 2, 2}, std::vector<double>(12));
     },
     "/geometric_stiffness/spin: the dataset is missing"},
};
INSTANTIATE_TEST_SUITE_P(Hdf5, WrongHdf5, ::testing::ValuesIn(hdf5_cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(WrongHdf5File, ThatIsCutShortIsRefused) {
  const std::string whole = beam_file();
  for (const std::size_t size : {whole.size() - 1, whole.size() / 2, std::size_t{100}}) {
    try {
      read_flexible_hdf5(whole.substr(0, size));
      FAIL() << size;
    } catch (const FlexibleFileError& error) {
      EXPECT_THAT(error.text(), StartsWith("is a damaged HDF5 file: ")) << size;
    }
  }
}

}  // namespace flexible_hdf5_errors_test
}  // namespace gyrostat
