// Meshes: STL and OBJ as others write them, and damaged files.
#include "gyrostat/report/mesh.h"

#include <cstring>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <unistd.h>

#include "support/program.h"

namespace gyrostat::testing {
namespace {

using report::MeshAnswer;
using report::Triangles;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> corners(const MeshAnswer& answer) {
  if (const auto* problem = std::get_if<std::string>(&answer)) ADD_FAILURE() << *problem;
  return std::holds_alternative<Triangles>(answer) ? std::get<Triangles>(answer).corners : std::vector<float>();
}
std::string problem(const MeshAnswer& answer) {
  return std::holds_alternative<std::string>(answer) ? std::get<std::string>(answer) : "";
}

std::string binary_stl(const std::vector<std::array<float, 9>>& triangles, std::string head = "made here") {
  head.resize(80);
  const auto count = static_cast<std::uint32_t>(triangles.size());
  std::string bytes = head + std::string(reinterpret_cast<const char*>(&count), 4);
  for (const auto& t : triangles) {
    bytes += std::string(12, '\0') + std::string(reinterpret_cast<const char*>(t.data()), 36) + std::string(2, '\0');
  }
  return bytes;
}

const std::array<float, 9> triangle = {0, 0, 0, 1, 0, 0, 0, 2, 0};

TEST(Stl, BinaryIsRead) {
  EXPECT_EQ(corners(report::parse_stl(binary_stl({triangle, triangle}))).size(), 18U);
  EXPECT_THAT(corners(report::parse_stl(binary_stl({triangle}))), ElementsAre(0, 0, 0, 1, 0, 0, 0, 2, 0));
  // Some programs begin binary files with the word of the others.
  EXPECT_EQ(corners(report::parse_stl(binary_stl({triangle}, "solid facet"))).size(), 9U);
}

TEST(Stl, TextIsRead) {
  const std::string text =
      "solid a name\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex +1.0e0 0 0\r\n   vertex 0 2 0\n"
      "  endloop\n endfacet\nendsolid a name\n";
  EXPECT_THAT(corners(report::parse_stl(text)), ElementsAre(0, 0, 0, 1, 0, 0, 0, 2, 0));
}

TEST(Stl, DamageIsSaid) {
  EXPECT_THAT(problem(report::parse_stl("")), HasSubstr("no STL"));
  EXPECT_THAT(problem(report::parse_stl("solid x facet vertex 1 2")), HasSubstr("damaged"));
  EXPECT_THAT(problem(report::parse_stl("solid x facet vertex 1 2 three")), HasSubstr("damaged"));
  EXPECT_THAT(problem(report::parse_stl("solid x facet vertex 1 2 3 endfacet")), HasSubstr("damaged"));
  std::string bytes = binary_stl({triangle, triangle});
  bytes.resize(bytes.size() - 1);
  EXPECT_THAT(problem(report::parse_stl(bytes)), HasSubstr("room for 1 of its 2 triangles"));
  bytes = binary_stl({triangle});
  std::memset(bytes.data() + 80, 255, 4);
  EXPECT_THAT(problem(report::parse_stl(bytes)), HasSubstr("of its 4294967295 triangles"));
}

TEST(Stl, TrianglesWithoutAreaOrNumbersAreLeftOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto all = corners(report::parse_stl(binary_stl({{0, 0, 0, 1, 1, 1, 2, 2, 2},
                                                         {nan, 0, 0, 1, 0, 0, 0, 2, 0},
                                                         {0, 0, 0, inf, 0, 0, 0, 2, 0},
                                                         {0, 0, 0, 1e30F, 0, 0, 0, 2, 0},
                                                         triangle,
                                                         {5, 5, 5, 5, 5, 5, 5, 5, 5}})));
  EXPECT_THAT(all, ElementsAre(0, 0, 0, 1, 0, 0, 0, 2, 0));
}

TEST(Obj, FacesOfAnyKindAreRead) {
  const std::string square = "# a comment\no thing\nv 0 0 0 1.0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
  EXPECT_EQ(corners(report::parse_obj(square + "f 1 2 3 4\n")).size(), 18U);
  EXPECT_EQ(corners(report::parse_obj(square + "f 1/1 2/1 3/1\n")).size(), 9U);
  EXPECT_EQ(corners(report::parse_obj(square + "f 1/1/1 2/1/1 3/1/1\n")).size(), 9U);
  EXPECT_EQ(corners(report::parse_obj(square + "f 1//1 2//1 3//1 4//1\r\n")).size(), 18U);
  EXPECT_THAT(corners(report::parse_obj(square + "f -4 -3 -1")), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0));
}

TEST(Obj, DamageIsSaid) {
  const std::string some = "v 0 0 0\nv 1 0 0\nv 1 1 0\n";
  for (const std::string line : {"f 1 2 4", "f 1 2 0", "f 1 2 -4", "f 1 2", "f", "f 1 2 x", "f 1 2 /", "v 1 2",
                                 "v 1 2 z", "f 1 2 99999999999999999999", "f 1 2 -9223372036854775808"}) {
    EXPECT_THAT(problem(report::parse_obj(some + line + "\n")), HasSubstr("damaged: line 4")) << line;
  }
}

TEST(Obj, FacesBeyondCountingAreRefused) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf";
  for (int i = 0; i < 2'100'000; ++i) text += " 1";
  EXPECT_THAT(problem(report::parse_obj(text)), HasSubstr("more than 2000000 triangles"));
}

TEST(Meshes, OfRandomBytesAreNoTrouble) {
  std::mt19937 random(3);
  const std::string seeds[] = {binary_stl({triangle, triangle}), "solid a facet outer vertex 1 2 3 vertex 2 2 2 ",
                               "v 1 2 3\nv 1 1 1\nv 0 0 2\nf 1/2/3 2 -1\n"};
  for (int k = 0; k < 3000; ++k) {
    std::string bytes = seeds[k % 3];
    for (int i = 0; i < 5; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    bytes.resize(random() % (bytes.size() + 1));
    const MeshAnswer stl = report::parse_stl(bytes), obj = report::parse_obj(bytes);
    for (const MeshAnswer& answer : {stl, obj}) {
      if (std::holds_alternative<Triangles>(answer)) {
        EXPECT_EQ(std::get<Triangles>(answer).corners.size() % 9, 0U);
      }
    }
  }
}

TEST(Meshes, FromFilesSayWhatIsWrong) {
  const Scratch scratch;
  EXPECT_EQ(problem(report::read_mesh(scratch.path() / "no.stl")), "no such file");
  EXPECT_EQ(problem(report::read_mesh(scratch.write("a.step", "x"))), "is neither .stl nor .obj");
  EXPECT_EQ(problem(report::read_mesh(scratch.write("a.obj", "v 1 2 3\n"))), "has no triangles");
  EXPECT_EQ(problem(report::read_mesh(scratch.write("empty.obj", ""))), "has no triangles");
  EXPECT_EQ(corners(report::read_mesh(scratch.write("A.STL", binary_stl({triangle})))).size(), 9U);
  std::filesystem::create_directory(scratch.path() / "folder.obj");
  EXPECT_EQ(problem(report::read_mesh(scratch.path() / "folder.obj")), "is no file");
  const std::string large = scratch.write("large.obj", "v 1 2 3\n");
  ASSERT_EQ(truncate(large.c_str(), 50'000'001), 0);
  EXPECT_EQ(problem(report::read_mesh(large)), "is larger than 50 MB");
  EXPECT_EQ(problem(report::read_mesh("/dev/zero.obj")), "no such file");
}

}  // namespace
}  // namespace gyrostat::testing
