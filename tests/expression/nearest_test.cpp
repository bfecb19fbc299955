#include "gyrostat/expression/nearest.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

using Names = std::vector<std::string>;

TEST(Nearest, AnEditIsAnInsertionADeletionAReplacementOrASwapOfNeighbours) {
  EXPECT_EQ(edit_distance("inertia", "inertia"), 0U);
  EXPECT_EQ(edit_distance("inertia", "inerta"), 1U);
  EXPECT_EQ(edit_distance("inertia", "innertia"), 1U);
  EXPECT_EQ(edit_distance("inertia", "inertis"), 1U);
  EXPECT_EQ(edit_distance("inertia", "inetria"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("", ""), 0U);
}

TEST(Nearest, CapitalsCountAsSmallLetters) {
  EXPECT_EQ(edit_distance("Mass", "mASS"), 0U);
  EXPECT_EQ(edit_distance("Amss", "mass"), 1U) << "a swap, whatever the capitals";
}

TEST(Nearest, TheDistanceIsSymmetricAndAtMostTheNumberOfEditsMade) {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int i = 0; i < 2000; ++i) {
    std::string a;
    for (std::size_t k = 0; k < 1 + below(12); ++k) a += static_cast<char>('a' + below(4));
    std::string b = a;
    const std::size_t edits = below(4);
    for (std::size_t k = 0; k < edits; ++k) {
      const std::size_t at = below(b.size() + 1);
      if (at == b.size()) {
        b += 'x';
      } else if (below(2) == 0) {
        b[at] = 'y';
      } else if (b.size() > 1) {
        b.erase(at, 1);
      }
    }
    EXPECT_LE(edit_distance(a, b), edits) << a << " " << b;
    EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
  }
}

TEST(Nearest, TheCandidateWithTheFewestEditsWinsAndTheFirstOfEquals) {
  EXPECT_EQ(nearest("stifness", Names{"damping", "stillness", "stiffness"}), "stiffness");
  EXPECT_EQ(nearest("joint3", Names{"joint1", "joint2"}), "joint1");
}

TEST(Nearest, NothingIsSuggestedThatDiffersByMoreThanAThird) {
  EXPECT_EQ(nearest("mass", Names{"torque", "orientation"}), std::nullopt);
  EXPECT_EQ(nearest("abcdef", Names{"abcxyz"}), std::nullopt) << "half its letters differ";
  EXPECT_EQ(nearest("abcdef", Names{"abcdxy"}), "abcdxy");
  EXPECT_EQ(nearest("q", Names{"m", "s"}), std::nullopt) << "no letter in common";
  EXPECT_EQ(nearest("mass", Names{}), std::nullopt);
}

TEST(Nearest, TheNameItselfIsNoSuggestion) {
  EXPECT_EQ(nearest("mass", Names{"mass"}), std::nullopt);
  EXPECT_EQ(nearest("Mass", Names{"mass"}), "mass");
}

TEST(Nearest, VeryLongNamesAreNobodysTypingErrors) {
  const std::string longest(nearest_longest, 'a'), longer(nearest_longest + 1, 'a'), enormous(100'000, 'a');
  EXPECT_EQ(nearest(longest, Names{longer, longest.substr(1)}), longest.substr(1));
  EXPECT_EQ(nearest(longer, Names{longest}), std::nullopt);
  EXPECT_EQ(nearest("a", Names{enormous}), std::nullopt);
  EXPECT_EQ(nearest(enormous, Names{"a"}), std::nullopt);
  EXPECT_EQ(edit_distance(longest, longest), 0U);
}

TEST(Nearest, TheSearchStopsAfterManyCandidates) {
  Names many(nearest_candidates, "zzzzzz");
  many.back() = "stiffness";
  EXPECT_EQ(nearest("stifness", many), "stiffness");
  many.insert(many.begin(), "zzzzzz");
  EXPECT_EQ(nearest("stifness", many), std::nullopt);
}

TEST(Nearest, DidYouMeanIsTheEndOfASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("stifness", Names{"stiffness"}), "; did you mean 'stiffness'?");
  EXPECT_EQ(did_you_mean("mass", Names{"stiffness"}), "");
}

}  // namespace
}  // namespace gyrostat
