#include "gyrostat/signals/history.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void add(History& history, double from, double to, const std::function<double(double)>& f) {
  std::array<double, 5> values{};
  for (std::size_t k = 0; k < 5; ++k) values[k] = f(from + history_nodes[k] * (to - from));
  history.add_step(from, to, values);
}

double quartic(double t) { return 1 + t * (2 - t * (3 - t * (0.5 + 0.25 * t))); }

/// As a run does when t is asked for.
void move_to(History& history, double t) {
  while (history.next_piece() <= t) history.move_on();
  history.forget_before(t);
}

TEST(History, IsConstantBeforeItBegins) {
  History history;
  history.begin(0, 7);
  EXPECT_EQ(history.at(-100), 7);
  EXPECT_EQ(history.at(-1), 7);
  EXPECT_EQ(history.next_piece(), 0);
}

TEST(History, StaysAtItsInitialValueUntilItIsToldToMoveOn) {
  History history;
  history.begin(0, 7);
  add(history, 0, 1, [](double) { return 3; });
  EXPECT_EQ(history.at(0.5), 7);
  move_to(history, -1e-9);
  EXPECT_EQ(history.at(0.5), 7);
  move_to(history, 0);
  EXPECT_NEAR(history.at(0.5), 3, 1e-15);
  EXPECT_EQ(history.next_piece(), infinity);
}

TEST(History, ReproducesAPolynomialOfFourthDegree) {
  History history;
  history.begin(0, 1);
  move_to(history, 0);
  for (int k = 0; k < 5; ++k) add(history, 0.4 * k, 0.4 * (k + 1), quartic);
  for (double t = 0; t <= 2; t += 0.01) EXPECT_NEAR(history.at(t), quartic(t), 1e-14) << t;
}

TEST(History, KeepsAConstantExactly) {  // whatever is compared with it later
  History history;
  history.begin(0, 1);
  move_to(history, 0);
  add(history, 0, 0.3, [](double) { return 1; });
  for (double t = 0; t <= 0.3; t += 0.001) EXPECT_EQ(history.at(t), 1) << t;
}

TEST(History, GoesOnAsAConstantBeyondTheLastStep) {
  History history;
  history.begin(0, 1);
  move_to(history, 0);
  add(history, 0, 1, quartic);
  EXPECT_NEAR(history.at(1.5), quartic(1), 1e-15);
}

TEST(History, ShowsAPieceToItsEndAndTheNextFromItsBeginning) {
  History history;
  history.begin(0, 0);
  move_to(history, 0);
  add(history, 0, 1, [](double t) { return t; });
  history.begin_piece(1);
  add(history, 1, 2, [](double t) { return 10 + t; });
  EXPECT_EQ(history.next_piece(), 1);
  EXPECT_NEAR(history.at(1), 1, 1e-15);
  EXPECT_NEAR(history.at(1.5), 1, 1e-15) << "not yet told to move on";
  move_to(history, 1);
  EXPECT_NEAR(history.at(1), 11, 1e-14);
  EXPECT_NEAR(history.at(1.5), 11.5, 1e-14);
  EXPECT_EQ(history.next_piece(), infinity);
}

TEST(History, MovesOverSeveralPiecesAtOnce) {
  History history;
  history.begin(0, 0);
  for (int k = 0; k < 10; ++k) {
    add(history, k, k + 1, [=](double) { return 100 + k; });
    history.begin_piece(k + 1);
  }
  move_to(history, 6.5);
  EXPECT_NEAR(history.at(6.5), 106, 1e-12);
  EXPECT_EQ(history.next_piece(), 7);
}

TEST(History, TwoBreaksWithoutAStepBetweenAreOne) {
  History history;
  history.begin(0, 0);
  move_to(history, 0);
  add(history, 0, 1, [](double) { return 1; });
  history.begin_piece(1);
  history.begin_piece(1 + 1e-13);
  add(history, 1 + 1e-13, 2, [](double) { return 2; });
  EXPECT_EQ(history.next_piece(), 1 + 1e-13);
  move_to(history, 1.5);
  EXPECT_NEAR(history.at(1.5), 2, 1e-15);
  EXPECT_EQ(history.next_piece(), infinity);
}

TEST(History, ForgetsWhatIsOverAndKeepsTheRest) {
  History history;
  history.begin(0, 0);
  move_to(history, 0);
  for (int k = 0; k < 5000; ++k) {
    add(history, k, k + 1, quartic);
    if (k >= 10) {
      move_to(history, k - 10);
      const double t = k - 9.7;
      ASSERT_NEAR(history.at(t) / quartic(t), 1, 1e-12) << k;
    }
  }
  EXPECT_LT(history.save().size(), 7u * 1100) << "a thousand steps or so are kept";
}

TEST(History, ComesBackFromWhatItSaved) {
  for (const double moved : {-1.0, 0.5, 1.5, 2.5}) {
    History history, copy;
    history.begin(0, -3);
    add(history, 0, 1, quartic);
    history.begin_piece(1);
    add(history, 1, 1.5, [](double t) { return 5 + t; });
    add(history, 1.5, 2, [](double t) { return 5 + t; });
    history.begin_piece(2);
    move_to(history, moved);
    ASSERT_TRUE(copy.restore(history.save()));
    for (double t = -1; t < 3; t += 0.1) EXPECT_EQ(copy.at(t), history.at(t)) << moved << " " << t;
    EXPECT_EQ(copy.next_piece(), history.next_piece());
    for (History* h : {&history, &copy}) {
      add(*h, 2, 3, quartic);
      move_to(*h, 2.9);
    }
    for (double t = 2; t < 3; t += 0.1) EXPECT_EQ(copy.at(t), history.at(t));
  }
}

TEST(History, DoesNotComeBackFromPartOfWhatItSaved) {
  History history;
  history.begin(0, -3);
  add(history, 0, 1, quartic);
  history.begin_piece(1);
  add(history, 1, 1.5, quartic);
  const std::vector<double> saved = history.save();
  for (std::size_t count = 0; count < saved.size(); ++count) {
    if (count == 2 || count == 2 + 2 + 7) continue;  // a whole number of pieces
    EXPECT_FALSE(History().restore({saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(count)})) << count;
  }
  for (const double steps : {-1.0, 0.0, 2.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> damaged = saved;
    damaged[3] = steps;
    EXPECT_FALSE(History().restore(damaged)) << steps;
  }
}

}  // namespace
}  // namespace gyrostat
