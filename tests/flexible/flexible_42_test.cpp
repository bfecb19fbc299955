// 42's Flex and Nodes files.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "gyrostat/flexible/flexible_file.h"
#include "gyrostat/flexible/modal_integrals.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace flexible_42_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string nodes_text = R"(<<<<<<<<<<<<<<<<  Body Node Inputs for 42  >>>>>>>>>>>>>>>>>>>>>
Two nodes                       ! Description
2                               ! Number of Nodes
******************* Node Location, Comment *********************
 1.0  0.0  0.5        "Wheels"
 3.0 -1.0  1.5        "Star tracker"
)";

const std::string flex_text = R"(<<<<<<<<<<<<<<  Flexible Body Inputs for 42  >>>>>>>>>>>>>>>>>>>
A panel                              ! Description
2                                    ! Number of Flex Modes
****************** Initial Modal States x, u  ******************
1.0E-6  0.0                          ! Mode 0  x, u
1.0E-6  0.0                          ! Mode 1  x, u
****************** Joint Node Mode Shapes *********************
*******  Non-zero Translation Mode Shape (PSI) Elements ********
0                                    ! Number of non-zero elements
*******  Non-zero Rotation Mode Shape (THETA) Elements ********
0                                    ! Number of non-zero elements
**************** Analysis Node Mode Shapes *********************
*******  Non-zero Translation Mode Shape (PSI) Elements ********
2                                    ! Number of non-zero elements
  0  0  2  0.1                       ! [Mode] [Node] [Axis] Value
  1  1  1 -0.2                       ! [Mode] [Node] [Axis] Value
*******  Non-zero Rotation Mode Shape (THETA) Elements ********
1                                    ! Number of non-zero elements
  0  1  0  0.1E-2                    ! [Mode] [Node] [Axis] Value
****************  Non-zero Mass Matrix Elements ******************
2                                    ! Number of non-zero elements
0 0    1.0                           ! [Row] [Col] Value
1 1    1.0                           ! [Row] [Col] Value
*************  Non-zero Stiffness Matrix Elements ****************
2                                    ! Number of non-zero elements
0 0    39.478                        ! [Row] [Col] Value (1 Hz)
1 1    3947.8                        ! [Row] [Col] Value (10 Hz)
*************  Non-zero Damping Matrix Elements ****************
2                                    ! Number of non-zero elements
0 0    0.012566                      ! [Row] [Col] Value (0.1%)
1 1    0.12566                       ! [Row] [Col] Value (0.1%)
*********  Linear Momentum Modal Integral, Pf, 3 x Nf  *********
0.0 0.0 1.5                          ! Mode 0, [x y z]
0.0 0.5 0.0                          ! Mode 1, [x y z]
********  Angular Momentum Modal Integral, Hf, 3 x Nf  *********
0.0 -3.0 0.0                         ! Mode 0, [x y z]
0.0 0.0 1.0                          ! Mode 1, [x y z]
**********  Linear Modal Integral, L, 3 x 3 x Nf  **************
2                                    ! Number of non-zero elements
0 2 0  3.0                           ! [Row] [Col] [Mode] Value
0 1 1  1.0                           ! [Row] [Col] [Mode] Value
*********  Angular Modal Integral, N, 3 x 3 x Nf x Nf  *********
2                                    ! Number of non-zero elements
2 1 0 1  0.25                        ! [Row] [Col] [Mode] [Mode] Value
1 2 1 0  0.25                        ! [Row] [Col] [Mode] [Mode] Value
[EOF]
)";

class Files42 : public ::testing::Test {
 protected:
  Files42() {
    std::string name = (std::filesystem::temp_directory_path() / "files42-XXXXXX").string();
    folder = mkdtemp(name.data());
    write("Flex_Panel.txt", flex_text);
    write("Nodes_Panel.txt", nodes_text);
  }
  ~Files42() override { std::filesystem::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  /// The Flex file with a part changed.
  [[nodiscard]] std::string refusal(const std::string& from, const std::string& to) const {
    std::string text = flex_text;
    text.replace(text.find(from), from.size(), to);
    write("Flex_Panel.txt", text);
    return refusal();
  }
  [[nodiscard]] std::string refusal() const {
    try {
      read_flexible_file(folder);
    } catch (const FlexibleFileError& error) {
      return error.text();
    }
    return "none";
  }

  std::filesystem::path folder;
};

TEST_F(Files42, HaveShapesMatricesAndIntegrals) {
  const FlexibleFile file = read_flexible_file(folder);
  const FlexibleData& data = file.data;
  ASSERT_EQ(data.nodes.size(), 2U);
  EXPECT_EQ(data.nodes[0].name, "Wheels");
  EXPECT_EQ(data.nodes[1].name, "node1");  // "Star tracker" is no name
  EXPECT_EQ(data.nodes[1].position, Vector3(3, -1, 1.5));
  EXPECT_EQ(data.nodes[0].shape.translation.col(0), Vector3(0, 0, 0.1));
  EXPECT_EQ(data.nodes[1].shape.translation.col(1), Vector3(0, -0.2, 0));
  EXPECT_EQ(data.nodes[1].shape.rotation.col(0), Vector3(0.001, 0, 0));
  EXPECT_NEAR(frequencies(data)(0) / (2 * 3.14159265358979), 1, 1e-5);
  EXPECT_EQ(data.damping(1, 1), 0.12566);
  EXPECT_EQ(data.frame_node, FlexibleData::floating);
  EXPECT_FALSE(data.second_order);
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::linear);
  EXPECT_EQ(sums.Ct0.col(0), Vector3(0, 0, 1.5));
  EXPECT_EQ(sums.Cr0.col(1), Vector3(0, 0, 1));
  // c = (2, 0, 0) with 0.75 kg moving along z: J1 = S(c, phi) m has -2 * 0.75 * phi_z in xz
  EXPECT_EQ(sums.J1[0](0, 2), -3);
  EXPECT_EQ(sums.J1[0](0, 0), 0);
  // phi_0 along z, phi_1 along y: phi_0 x phi_1 is along -x
  EXPECT_EQ(sums.Cr1.col(1), Vector3(-0.25, 0, 0));
  EXPECT_EQ(sums.Cr1.col(2), Vector3(0.25, 0, 0));
}

TEST_F(Files42, OfOlderVersionsHaveThePlacesOfNodesThemselves) {
  std::filesystem::remove(folder / "Nodes_Panel.txt");
  EXPECT_EQ(refusal(), "the directory has no file Nodes*.txt of 42");
  const std::string heading = "****************** Joint Node Mode Shapes";
  std::string text = flex_text;
  text.insert(text.find(heading),
              "****************** Analysis Node Locations *********************\n2  ! Number of Analysis Nodes\n"
              "500001     1.0 -1.0  1.5             ! Node ID, location, m\n"
              "500002    -1.0  0.0  2.5             ! Node ID, location, m\n");
  write("Flex_Panel.txt", text);
  const FlexibleData data = read_flexible_file(folder).data;
  ASSERT_EQ(data.nodes.size(), 2U);
  EXPECT_EQ(data.nodes[1].position, Vector3(-1, 0, 2.5));
  EXPECT_EQ(data.nodes[0].name, "node0");
}

TEST_F(Files42, LeaveOutShapesAtJointsWithAWarning) {
  std::string text = flex_text;
  const std::string none = "0                                    ! Number of non-zero elements\n";
  text.replace(text.find(none), none.size(), "1 ! Number\n0 0 1 0.3 ! [Mode] [Joint] [Axis] Value\n");
  write("Flex_Panel.txt", text);
  EXPECT_THAT(read_flexible_file(folder).warnings,
              ElementsAre("Flex_Panel.txt: the mode shapes at joints are left out: where joints are is not in these "
                          "files; attach to nodes"));
}

TEST_F(Files42, AreRefusedWithTheLine) {
  EXPECT_EQ(refusal("2                                    ! Number of Flex", "two ! Number of Flex"),
            "Flex_Panel.txt:3: expected the number of modes, number 1 of 1 is none");
  EXPECT_EQ(refusal("2                                    ! Number of Flex", "501 ! Number of Flex"),
            "Flex_Panel.txt:3: the number of modes: expected a whole number from 0 to 500, got 501");
  EXPECT_EQ(refusal("2                                    ! Number of Flex", "0 ! Number of Flex"),
            "Flex_Panel.txt:3: the body has no modes");
  EXPECT_EQ(refusal("  0  0  2  0.1 ", "  0  2  2  0.1 "),
            "Flex_Panel.txt:15: node: expected a whole number from 0 to 1, got 2");
  EXPECT_EQ(refusal("  0  0  2  0.1 ", "  0  0  3  0.1 "),
            "Flex_Panel.txt:15: axis: expected a whole number from 0 to 2, got 3");
  EXPECT_EQ(refusal("  0  0  2  0.1 ", "  5  0  2  0.1 "),
            "Flex_Panel.txt:15: mode: expected a whole number from 0 to 1, got 5");
  EXPECT_EQ(refusal("  0  0  2  0.1 ", "  0  0  2  nan "), "Flex_Panel.txt:15: is not a finite number");
  EXPECT_EQ(refusal("  0  0  2  0.1 ", "  0  0  2  0,1 "),
            "Flex_Panel.txt:15: expected mode, node, axis and value, number 4 of 4 is none");
  EXPECT_EQ(refusal("1 1    1.0 ", "1 0    1.0 "),
            "Flex_Panel.txt, mass matrix: is not symmetric: row 2 column 1 is 1, "
            "row 1 column 2 is 0");
  EXPECT_EQ(refusal("Damping Matrix", "Dumping Matrix"), "Flex_Panel.txt:28: expected the heading 'Damping Matrix'");
  EXPECT_EQ(refusal("1 2 1 0  0.25                        ! [Row] [Col] [Mode] [Mode] Value\n[EOF]\n", ""),
            "Flex_Panel.txt:45: the file ends here; a part is missing");
  write("Flex_Panel.txt", flex_text);
  write("Flex_Other.txt", flex_text);
  EXPECT_EQ(refusal(), "the directory has several files Flex*.txt; one is expected");
  std::filesystem::remove(folder / "Flex_Panel.txt");
  std::filesystem::remove(folder / "Flex_Other.txt");
  EXPECT_EQ(refusal(), "the directory has no file Flex*.txt of 42");
}

}  // namespace flexible_42_test
}  // namespace gyrostat
