// Flexible data as JSON and HDF5: written and read back to the same bits, and what they mean.
#include "gyrostat/flexible/flexible_file.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gyrostat/flexible/modal_integrals.h"
#include "gyrostat/flexible/reference_frame.h"
#include "gyrostat/flexible/select_modes.h"
#include "gyrostat/flexible/unit_loads.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace flexible_file_test {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FlexibleData some_beam(ModeKind kind = ModeKind::component) {
  BeamDescription beam = general_beam(3);
  beam.stations.push_back({"middle", 1.1});
  FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(4, kind));
  data.damping = 0.01 * data.stiffness;
  data.damping(0, 1) = data.damping(1, 0) = 1e-3;
  return data;
}

FlexibleData unit_load_beam() {
  FlexibleData data = some_beam();
  const UnitLoads loads = unit_loads_of(data);
  std::vector<ForceStiffness> forces;
  for (FlexibleNode& node : data.nodes) {
    forces.push_back(force_stiffness(node));
    node.shape.translation2.resize(3, 0);
    node.shape.rotation2.resize(3, 0);
  }
  data.second_order = false;
  return with_unit_loads(data, loads, forces);
}

/// The same bits, zeros with their signs.
void expect_bits(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  EXPECT_EQ(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)), 0) << what;
}

void expect_same(const FlexibleData& a, const FlexibleData& b) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  expect_bits(a.mass, b.mass, "mass");
  expect_bits(a.stiffness, b.stiffness, "stiffness");
  expect_bits(a.damping, b.damping, "damping");
  EXPECT_EQ(a.frame_node, b.frame_node);
  EXPECT_EQ(a.second_order, b.second_order);
  ASSERT_EQ(a.unit_loads.has_value(), b.unit_loads.has_value());
  for (std::size_t k = 0; a.unit_loads && k < 6; ++k) {
    expect_bits(a.unit_loads->spin[k], b.unit_loads->spin[k], "spin");
    if (k > 2) continue;
    expect_bits(a.unit_loads->acceleration[k], b.unit_loads->acceleration[k], "acceleration");
    expect_bits(a.unit_loads->angular_acceleration[k], b.unit_loads->angular_acceleration[k], "angular");
  }
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    const FlexibleNode &x = a.nodes[i], &y = b.nodes[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.mass, y.mass);
    expect_bits(x.position, y.position, "position");
    expect_bits(x.inertia, y.inertia, "inertia");
    expect_bits(x.shape.translation, y.shape.translation, "translation");
    expect_bits(x.shape.rotation, y.shape.rotation, "rotation");
    EXPECT_EQ(x.shape.translation2, y.shape.translation2);  // of forces: -0 becomes 0
    EXPECT_EQ(x.shape.rotation2, y.shape.rotation2);
  }
}

void expect_round_trip(const FlexibleData& data) {
  const FlexibleFile from_json = read_flexible_json(flexible_json(data));
  EXPECT_THAT(from_json.warnings, IsEmpty());
  expect_same(data, from_json.data);
  const FlexibleFile from_hdf5 = read_flexible_hdf5(flexible_hdf5(data));
  EXPECT_THAT(from_hdf5.warnings, IsEmpty());
  expect_same(data, from_hdf5.data);
  EXPECT_EQ(flexible_json(from_hdf5.data), flexible_json(data));
  EXPECT_EQ(flexible_hdf5(from_json.data), flexible_hdf5(data));
}

TEST(FlexibleFile, IsReadBackToTheSameBits) {
  expect_round_trip(some_beam());
  expect_round_trip(some_beam(ModeKind::free_free));
  expect_round_trip(unit_load_beam());
  FlexibleData plain = some_beam();
  plain.second_order = false;
  for (FlexibleNode& node : plain.nodes) {
    node.shape.translation2.resize(3, 0);
    node.shape.rotation2.resize(3, 0);
  }
  expect_round_trip(plain);
}

class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "flexible-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(FlexibleFile, IsKnownByItsContent) {
  const Directory directory;
  const FlexibleData data = some_beam();
  expect_same(data, read_flexible_file(directory.write("a.dat", flexible_json(data))).data);
  expect_same(data, read_flexible_file(directory.write("b.dat", flexible_hdf5(data))).data);
}

/// A pair of masses on springs along z, with a node that joints use: two modes that are not orthonormal.
json two_masses() {
  return {{"format", "gyrostat flexible 1"},
          {"frame", "root"},
          {"mass", {{2, 1}, {1, 3}}},
          {"stiffness", {{30, -5}, {-5, 20}}},
          {"nodes",
           {{{"name", "root"}, {"position", {0, 0, 0}}},
            {{"name", "a"}, {"position", {1, 0, 0}}, {"mass", 1}, {"translation", {{0, 0}, {0, 0}, {1, 1}}}},
            {{"name", "b"}, {"position", {2, 0, 0}}, {"mass", 1}, {"translation", {{0, 0}, {0, 0}, {1, 0}}}},
            {{"name", "c"}, {"position", {3, 0, 0}}, {"mass", 2}, {"translation", {{0, 0}, {0, 0}, {0, 1}}}}}}};
}

TEST(FlexibleFile, HasItsModesMadeOrthonormal) {
  const FlexibleFile file = read_flexible_json(two_masses().dump());
  EXPECT_THAT(file.warnings, IsEmpty());
  const FlexibleData& data = file.data;
  EXPECT_EQ(data.mass, Eigen::MatrixXd::Identity(2, 2));
  EXPECT_TRUE(node_modal_mass(data).isIdentity(1e-14));
  Eigen::Matrix2d K, M;
  K << 30, -5, -5, 20;
  M << 2, 1, 1, 3;
  EXPECT_TRUE(frequencies(data).isApprox(frequencies(K, M), 1e-13));
  json without = two_masses();
  without.erase("mass");
  EXPECT_TRUE(read_flexible_json(without.dump()).data.stiffness.isApprox(data.stiffness, 1e-13));
}

TEST(FlexibleFile, WarnsWhereTheModalMassIsNotThatOfTheNodes) {
  json file = two_masses();
  file["mass"] = {{2.2, 1}, {1, 3}};
  EXPECT_THAT(
      read_flexible_json(file.dump()).warnings,
      ElementsAre("mass: differs from what the nodes' masses and shapes give, by 9.09 % of the modal mass; both "
                  "are used as they are"));
}

TEST(FlexibleFile, TakesDiagonalsAndNodesByName) {
  json file = two_masses();
  file["mass"] = {2, 3};
  file["stiffness"] = {30, 20};
  json named = json::object();
  for (json node : file["nodes"]) {
    const std::string name = node["name"];
    node.erase("name");
    named[name] = node;
  }
  file["nodes"] = named;
  const FlexibleData data = read_flexible_json(file.dump()).data;
  EXPECT_EQ(data.nodes[node_named(data, "c")].mass, 2);
  EXPECT_NEAR(data.stiffness(0, 0), 20.0 / 3, 1e-14);
  EXPECT_NEAR(data.stiffness(1, 1), 15, 1e-13);
}

/// A mass beside its node moves as the node turns: seen in the integrals up to second order.
TEST(FlexibleFile, MovesAnOffsetMassCentreToANodeOfItsOwn) {
  FlexibleData data = some_beam();
  json file = json::parse(flexible_json(data));
  const std::size_t tip = node_named(data, "tip");
  file["nodes"][tip]["mass"] = 0.7;
  file["nodes"][tip]["com"] = {0.3, -0.2, 0.1};
  file["nodes"][tip]["inertia"] = {0.1, 0.2, 0.3};
  file.erase("mass");
  const FlexibleData offset = read_flexible_json(file.dump()).data;
  ASSERT_EQ(offset.nodes.size(), data.nodes.size() + 1);
  EXPECT_EQ(offset.nodes[tip].mass, 0);
  EXPECT_EQ(offset.nodes[tip].name, "tip");
  const FlexibleNode& node = offset.nodes[tip + 1];
  EXPECT_EQ(node.name, "");
  EXPECT_EQ(node.mass, 0.7);
  const Vector3 d(0.3, -0.2, 0.1);
  EXPECT_TRUE(node.position.isApprox(offset.nodes[tip].position + d));
  for (const double size : {1e-2, 1e-3}) {
    const Eigen::VectorXd eta = size * Eigen::VectorXd::Ones(static_cast<Eigen::Index>(offset.modes()));
    const Vector3 expected = deformed_position(offset.nodes[tip], eta) + deformed_rotation(offset.nodes[tip], eta) * d;
    EXPECT_LT((deformed_position(node, eta) - expected).norm(), 10 * size * size * size);
  }
}

TEST(FlexibleFile, SelectsModes) {
  const FlexibleData data = some_beam();
  const Vector3 point = data.nodes[data.frame_node].position;
  const Eigen::VectorXd all = frequencies(data);
  EXPECT_EQ(frequencies(selected_modes(data, ModeCount{3}, point)), all.head(3));
  const FlexibleData two = selected_modes(data, ModeNumbers{{4, 2}}, point);
  EXPECT_EQ(frequencies(two), (Eigen::VectorXd(2) << all(1), all(3)).finished());
  EXPECT_EQ(two.nodes[5].shape.translation.col(1), data.nodes[5].shape.translation.col(3));
  EXPECT_EQ(two.nodes[5].shape.translation2.col(1),
            data.nodes[5].shape.translation2.col(Eigen::Index(pair_index(1, 3))));
  const double between = (all(2) + all(3)) / 2 / (2 * 3.14159265358979);
  EXPECT_EQ(selected_modes(data, ModesBelow{between}, point).modes(), 3U);
  EXPECT_EQ(selected_modes(data, EffectiveMassFraction{1}, point).modes(), data.modes());
  EXPECT_LT(selected_modes(data, EffectiveMassFraction{0.5}, point).modes(), data.modes());
}

/// What the fuzzer starts from and has found; its HDF5 inputs are edits that need the fuzzer.
TEST(FlexibleFile, OfTheCorpusIsReadOrRefusedWithAReason) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GYROSTAT_SOURCE_DIR "/fuzz/corpus/flexible")) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    if (bytes.empty() || bytes[0] % 2 != 0) continue;
    SCOPED_TRACE(entry.path());
    ++files;
    try {
      const FlexibleData data = read_flexible_json(bytes.substr(1)).data;
      expect_same(data, read_flexible_json(flexible_json(data)).data);
    } catch (const FlexibleFileError& error) {
      EXPECT_FALSE(error.text().empty());
    }
  }
  EXPECT_GE(files, 4U);
}

}  // namespace flexible_file_test
}  // namespace gyrostat
