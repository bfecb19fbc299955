// What is wrong with files of flexible data, with exact messages.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/unit_loads.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace flexible_file_errors_test {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

json whole() {
  return {{"format", "gyrostat flexible 1"},
          {"frame", "root"},
          {"mass", {{2, 1}, {1, 3}}},
          {"stiffness", {{30, -5}, {-5, 20}}},
          {"damping", {0.1, 0.2}},
          {"nodes",
           {{{"name", "root"}, {"position", {0, 0, 0}}},
            {{"name", "a"}, {"position", {1, 0, 0}}, {"mass", 1}, {"translation", {{0, 0}, {0, 0}, {1, 1}}}},
            {{"name", "b"}, {"position", {2, 0, 0}}, {"mass", 1}, {"translation", {{0, 0}, {0, 0}, {1, 0}}}},
            {{"name", "c"}, {"position", {3, 0, 0}}, {"mass", 2}, {"translation", {{0, 0}, {0, 0}, {0, 1}}}}}}};
}

std::string error_of(const std::string& text) {
  try {
    read_flexible_json(text);
  } catch (const FlexibleFileError& error) {
    return error.text();
  }
  return "none";
}

struct FileCase {
  const char* name;
  std::function<void(json&)> change;
  const char* message;
};

class WrongFile : public ::testing::TestWithParam<FileCase> {};

TEST_P(WrongFile, IsRefusedWithItsPlace) {
  json file = whole();
  GetParam().change(file);
  EXPECT_EQ(error_of(file.dump()), GetParam().message);
}

const json unit_loads = {{"acceleration", {{0, 0}, {0, 0}, {0, 0}}},
                         {"angular_acceleration", {{0, 0}, {0, 0}, {0, 0}}},
                         {"spin", {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}}};
const json pairs = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};

const FileCase file_cases[] = {
    {"List", [](json& f) { f = json::array({1}); }, "expected an object with fields"},
    {"NoFormat", [](json& f) { f.erase("format"); }, "the field 'format' is missing"},
    {"OtherVersion", [](json& f) { f["format"] = "gyrostat flexible 2"; },
     "format: expected \"gyrostat flexible 1\", the format that this version of Gyrostat reads"},
    {"UnknownField", [](json& f) { f["stifness"] = 1; },
     "unknown field 'stifness'; the fields are format, frame, mass, stiffness, damping, nodes, geometric_stiffness"},
    {"NoStiffness", [](json& f) { f.erase("stiffness"); }, "the field 'stiffness' is missing"},
    {"NoModes", [](json& f) { f["stiffness"] = json::array(); },
     "stiffness: expected a matrix with a row for each mode, or a list of the elements of its diagonal"},
    {"TooManyModes", [](json& f) { f["stiffness"] = std::vector<double>(501, 1.0); },
     "stiffness: 501 modes are more than 500, the limit"},
    {"NoFrame", [](json& f) { f.erase("frame"); },
     "the field 'frame' is missing: the name of the node at which all shapes vanish, or null if it floats"},
    {"FrameIsANumber", [](json& f) { f["frame"] = 3; }, "frame: expected the name of a node, or null"},
    {"FrameIsNoNode", [](json& f) { f["frame"] = "rot"; }, "frame: there is no node 'rot'"},
    {"MassOfAnotherSize",
     [](json& f) {
       f["mass"] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
     },
     "mass: expected 2 rows, or as many numbers of the diagonal, got 3"},
    {"RowOfAnotherSize",
     [](json& f) {
       f["damping"] = {{1, 0}, {0, 1, 0}};
     },
     "damping[1]: expected 2 numbers, got 3"},
    {"TextForANumber", [](json& f) { f["stiffness"][1][0] = "5"; }, "stiffness[1][0]: expected a number"},
    {"NullForANumber", [](json& f) { f["nodes"][1]["position"][2] = nullptr; },
     "nodes[1].position[2]: expected a number"},
    {"EnormousNumber", [](json& f) { f["nodes"][1]["mass"] = 1e31; },
     "nodes[1].mass: 1e+31 is beyond 1e+30, the limit"},
    {"UnsymmetricStiffness", [](json& f) { f["stiffness"][0][1] = -4; },
     "stiffness: is not symmetric: row 2 column 1 is -5, row 1 column 2 is -4"},
    {"ModeWithoutStiffness",
     [](json& f) {
       f["stiffness"] = {0, 20};
     },
     "stiffness: mode 1 has no stiffness: rigid-body modes are no part of the data"},
    {"IndefiniteStiffness",
     [](json& f) {
       f["stiffness"] = {{1, 2}, {2, 1}};
     },
     "stiffness: is not positive definite: rigid-body modes are no part of the data"},
    {"IndefiniteMass",
     [](json& f) {
       f["mass"] = {{1, 2}, {2, 1}};
     },
     "mass: is not positive definite: a combination of modes moves no mass"},
    {"NegativeModalMass",
     [](json& f) {
       f["mass"] = {2, -1};
     },
     "mass: mode 2 has no modal mass"},
    {"NoMassMoves",
     [](json& f) {
       f.erase("mass");
       for (json& node : f["nodes"]) node["mass"] = 0;
     },
     "mass: mode 1 has no modal mass: no node with mass moves in it"},
    {"NegativeDamping",
     [](json& f) {
       f["damping"] = {0.1, -0.2};
     },
     "damping: is not positive semidefinite: the body would gain energy"},
    {"NoNodes", [](json& f) { f["nodes"] = json::array(); }, "nodes: a flexible body needs at least one node"},
    {"NodesAreANumber", [](json& f) { f["nodes"] = 3; }, "nodes: expected a list of nodes, or nodes by name"},
    {"NodeIsAList", [](json& f) { f["nodes"][2] = json::array(); }, "nodes[2]: expected an object with fields"},
    {"NodeWithUnknownField", [](json& f) { f["nodes"][2]["weight"] = 1; },
     "nodes[2]: unknown field 'weight'; the fields are name, position, mass, com, inertia, translation, rotation, "
     "translation2, rotation2, force_stiffness"},
    {"NodeWithoutPosition", [](json& f) { f["nodes"][2].erase("position"); },
     "nodes[2]: the field 'position' is missing"},
    {"PositionOfTwoNumbers",
     [](json& f) {
       f["nodes"][2]["position"] = {1, 2};
     },
     "nodes[2].position: expected 3 numbers, got 2"},
    {"NegativeMass", [](json& f) { f["nodes"][2]["mass"] = -1; }, "nodes[2].mass: -1 kg is negative"},
    {"ComWithoutMass",
     [](json& f) {
       f["nodes"][0]["com"] = {0, 0, 1};
     },
     "nodes[0].com: the node has no mass, so it has no mass centre"},
    {"UnsymmetricInertia",
     [](json& f) {
       f["nodes"][1]["inertia"] = {{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}};
     },
     "nodes[1].inertia: is not symmetric; elements xy and yx must be equal"},
    {"NegativeInertia",
     [](json& f) {
       f["nodes"][1]["inertia"] = {1, -2, 1};
     },
     "nodes[1].inertia: has the negative principal moment -2 kg m^2"},
    {"NameTwice", [](json& f) { f["nodes"][2]["name"] = "a"; },
     "nodes[2].name: 'a' is the name of an earlier node; names must differ"},
    {"NameWithADot", [](json& f) { f["nodes"][2]["name"] = "a.b"; },
     "nodes[2].name: 'a.b' is not a name: a name is made of the letters a-z and A-Z, digits and _, and does not begin "
     "with a digit"},
    {"NameIsANumber", [](json& f) { f["nodes"][2]["name"] = 7; }, "nodes[2].name: expected a text"},
    {"LongName", [](json& f) { f["nodes"][2]["name"] = std::string(101, 'a'); },
     "nodes[2].name: is longer than 100 letters, the limit"},
    {"ShapeOfTwoRows",
     [](json& f) {
       f["nodes"][1]["translation"] = {{0, 0}, {0, 0}};
     },
     "nodes[1].translation: expected 3 rows, got 2"},
    {"FrameNodeMoves",
     [](json& f) {
       f["nodes"][0]["translation"] = {{0, 0}, {0, 0.1}, {0, 0}};
     },
     "nodes[0].translation: must be zero: the body's frame is at this node (or say that the frame is floating)"},
    {"SecondOrderOfSomeNodes", [](json& f) { f["nodes"][2]["translation2"] = pairs; },
     "nodes[0].translation2: second-order shapes are needed of all nodes or of none"},
    {"PairsOfAnotherSize",
     [](json& f) {
       f["nodes"][0]["rotation2"] = {{0}, {0}, {0}};
     },
     "nodes[0].rotation2[0]: expected 3 numbers, got 1"},
    {"BothKindsOfStiffening",
     [](json& f) {
       f["geometric_stiffness"] = unit_loads;
       for (json& node : f["nodes"]) node["translation2"] = pairs;
     },
     "geometric_stiffness: the nodes have second-order shapes already; either these or geometric stiffness, not both"},
    {"ForcesWithoutUnitLoads",
     [](json& f) {
       f["nodes"][1]["force_stiffness"] = {{1, 1}, {1, 1}, {1, 1}};
     },
     "nodes[1].force_stiffness: is of use with 'geometric_stiffness' only, which is missing"},
    {"UnitLoadsWithoutSpin",
     [](json& f) {
       f["geometric_stiffness"] = unit_loads;
       f["geometric_stiffness"].erase("spin");
     },
     "geometric_stiffness: the field 'spin' is missing"},
    {"ThreeProductsOfSpin",
     [](json& f) {
       f["geometric_stiffness"] = unit_loads;
       f["geometric_stiffness"]["spin"] = {{0, 0}, {0, 0}, {0, 0}};
     },
     "geometric_stiffness.spin: expected 6 matrices, got 3"},
    {"UnsymmetricUnitLoad",
     [](json& f) {
       f["geometric_stiffness"] = unit_loads;
       f["geometric_stiffness"]["spin"][3] = {{0, 1}, {2, 0}};
     },
     "geometric_stiffness.spin[3]: is not symmetric: row 2 column 1 is 2, row 1 column 2 is 1"},
};
INSTANTIATE_TEST_SUITE_P(Json, WrongFile, ::testing::ValuesIn(file_cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(WrongFlexibleText, IsRefused) {
  EXPECT_THAT(error_of(""), StartsWith("is not JSON: parse error"));
  EXPECT_THAT(error_of("{\"format\": "), StartsWith("is not JSON: parse error at line 1, column 12"));
  EXPECT_THAT(error_of("{\"frame\": null, \"frame\": null}"), HasSubstr("frame: the field is given twice"));
  EXPECT_THAT(error_of("{\"stiffness\": [1e999]}"), StartsWith("is not JSON: number overflow"));
  EXPECT_THAT(error_of(std::string(100'000, '[')), StartsWith("is not JSON"));
  EXPECT_THAT(error_of("{\"a\": {\"a\": {\"a\": {\"a\": {\"a\": {\"a\": {\"a\": {\"a\": {\"a\": 1}}}}}}}}}"),
              HasSubstr("nested too deeply"));
  try {
    read_flexible_file("/nowhere/panel.json");
    FAIL();
  } catch (const FlexibleFileError& error) {
    EXPECT_EQ(error.text(), "does not exist");
  }
  EXPECT_THROW(read_flexible_file("/dev/null"), FlexibleFileError);
}

TEST(WrongFlexibleData, AreNotWritten) {
  FlexibleData data = make_beam(general_beam(2), "root", {}, first_modes(3));
  data.nodes[data.frame_node].name.clear();
  EXPECT_THROW(flexible_json(data), std::invalid_argument);
  data.frame_node = FlexibleData::floating;
  data.mass(0, 1) = 0.1;
  EXPECT_THROW(flexible_hdf5(data), std::invalid_argument);
}

}  // namespace flexible_file_errors_test
}  // namespace gyrostat
