// Vectors and matrices of three against Eigen's.
#include "gyrostat/math/small.h"

#include <random>

#include <gtest/gtest.h>

#include "gyrostat/math/dual.h"
#include "gyrostat/math/pack.h"

namespace gyrostat {
namespace {

class Small : public ::testing::Test {
 protected:
  /// Everything anew, a hundred times.
  template <class Check>
  void repeat(Check check) {
    for (int i = 0; i < 100 && !HasFailure(); ++i) {
      a = vector();
      b = vector();
      M = matrix();
      L = matrix();
      S = matrix();
      S = (S + S.transpose()).eval();
      U = matrix();
      U = (U + U.transpose()).eval();
      s = number();
      check();
    }
  }

  static Vec3<double> small(const Vector3& v) { return cast<double>(v); }
  static Mat3<double> small(const Matrix3& m) { return cast<double>(m); }

  static void expect_same(const Vec3<double>& x, const Vector3& y) {
    EXPECT_LT((Vector3(x.x, x.y, x.z) - y).cwiseAbs().maxCoeff(), 1e-14);
  }
  static void expect_same(const Mat3<double>& x, const Matrix3& y) {
    expect_same(x.x, y.col(0));
    expect_same(x.y, y.col(1));
    expect_same(x.z, y.col(2));
  }
  static void expect_same(const Sym3<double>& x, const Matrix3& y) {
    Matrix3 m;
    m << x.xx, x.xy, x.xz, x.xy, x.yy, x.yz, x.xz, x.yz, x.zz;
    EXPECT_LT((m - y).cwiseAbs().maxCoeff(), 1e-14);
  }

  Vector3 a, b;
  Matrix3 M, L, S, U;  // S and U are symmetric
  double s = 0;

 private:
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  Vector3 vector() { return {number(), number(), number()}; }
  Matrix3 matrix() {
    Matrix3 m;
    m << vector(), vector(), vector();
    return m;
  }
  std::mt19937_64 random_{1};
};

TEST_F(Small, VectorsAddScaleAndTurnAround) {
  repeat([&] {
    expect_same(small(a) + small(b), a + b);
    expect_same(small(a) - small(b), a - b);
    expect_same(-small(a), -a);
    expect_same(s * small(a), s * a);
    Vec3<double> sum = small(a), rest = small(a);
    expect_same(sum += small(b), a + b);
    expect_same(sum, a + b);
    expect_same(rest -= small(b), a - b);
    expect_same(rest, a - b);
  });
}

TEST_F(Small, ProductsOfVectors) {
  repeat([&] {
    EXPECT_NEAR(dot(small(a), small(b)), a.dot(b), 1e-14);
    expect_same(cross(small(a), small(b)), a.cross(b));
  });
}

TEST_F(Small, MatricesAddAndMultiply) {
  repeat([&] {
    expect_same(small(M) + small(L), M + L);
    Mat3<double> sum = small(M);
    expect_same(sum += small(L), M + L);
    expect_same(sum, M + L);
    expect_same(small(M) * small(a), M * a);
    expect_same(small(M) * small(L), M * L);
    expect_same(transpose_times(small(M), small(a)), M.transpose() * a);
  });
}

TEST_F(Small, SymmetricMatricesAddAndMultiply) {
  repeat([&] {
    expect_same(symmetric(S), S);
    expect_same(symmetric(S) + symmetric(U), S + U);
    Sym3<double> sum = symmetric(S);
    expect_same(sum += symmetric(U), S + U);
    expect_same(sum, S + U);
    expect_same(symmetric(S) * small(a), S * a);
  });
}

TEST_F(Small, GoToEigenAndBackUnchanged) {
  repeat([&] {
    EXPECT_EQ(to_eigen(small(a)), a);
    EXPECT_EQ(to_eigen(small(M)), M);
    EXPECT_EQ(to_eigen(symmetric(S)), S);
  });
}

TEST_F(Small, ColumnsAreColumnsAndElementsHaveTheirPlaces) {
  Matrix3 m;
  m << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  const Mat3<double> x = cast<double>(m);
  EXPECT_EQ(to_eigen(x.y), Vector3(2, 5, 8));
  EXPECT_EQ(x.z.x, 3);
  EXPECT_EQ(x.x.z, 7);
  const Sym3<double> y = symmetric((Matrix3() << 1, 2, 3, 2, 5, 6, 3, 6, 9).finished());
  EXPECT_EQ(y.xx, 1);
  EXPECT_EQ(y.yy, 5);
  EXPECT_EQ(y.zz, 9);
  EXPECT_EQ(y.xy, 2);
  EXPECT_EQ(y.xz, 3);
  EXPECT_EQ(y.yz, 6);
}

TEST_F(Small, StartAtZero) {
  EXPECT_EQ(to_eigen(Vec3<double>{}), Vector3::Zero());
  EXPECT_EQ(to_eigen(Mat3<double>{}), Matrix3::Zero());
  EXPECT_EQ(to_eigen(Sym3<double>{}), Matrix3::Zero());
}

TEST_F(Small, CastsMakeConstantsOfOtherScalars) {
  repeat([&] {
    const Vec3<Pack<4>> p = cast<Pack<4>>(a), p2 = cast<Pack<4>>(small(a));
    const Mat3<Pack<4>> m = cast<Pack<4>>(M), m2 = cast<Pack<4>>(small(M));
    const Sym3<Pack<4>> y = cast<Pack<4>>(symmetric(S));
    for (std::size_t lane = 0; lane < Pack<4>::lanes; ++lane) {
      EXPECT_EQ(Vector3(p.x[lane], p.y[lane], p.z[lane]), a);
      EXPECT_EQ(Vector3(p2.x[lane], p2.y[lane], p2.z[lane]), a);
      EXPECT_EQ(Vector3(m.x.x[lane], m.x.y[lane], m.x.z[lane]), M.col(0));
      EXPECT_EQ(Vector3(m.y.x[lane], m.y.y[lane], m.y.z[lane]), M.col(1));
      EXPECT_EQ(Vector3(m2.z.x[lane], m2.z.y[lane], m2.z.z[lane]), M.col(2));
      EXPECT_EQ(Vector3(y.xx[lane], y.yy[lane], y.zz[lane]), S.diagonal());
      EXPECT_EQ(Vector3(y.xy[lane], y.xz[lane], y.yz[lane]), Vector3(S(0, 1), S(0, 2), S(1, 2)));
    }
    const Vec3<Dual<2>> d = cast<Dual<2>>(a);
    EXPECT_EQ(d.y.value, a.y());
    EXPECT_EQ(d.y.d, (std::array<double, 2>{}));
  });
}

TEST_F(Small, DerivativesGoThroughProducts) {
  using D = Dual<1>;
  const auto along = [](const Vector3& at, const Vector3& rate) {
    Vec3<D> x = cast<D>(at);
    x.x.d[0] = rate.x();
    x.y.d[0] = rate.y();
    x.z.d[0] = rate.z();
    return x;
  };
  const auto rate = [](const Vec3<D>& x) { return Vector3(x.x.d[0], x.y.d[0], x.z.d[0]); };
  repeat([&] {
    const Vector3 adot = M.col(0), bdot = M.col(1);
    const Vec3<D> x = along(a, adot), y = along(b, bdot);
    EXPECT_NEAR(dot(x, y).d[0], adot.dot(b) + a.dot(bdot), 1e-14);
    EXPECT_LT((rate(cross(x, y)) - (adot.cross(b) + a.cross(bdot))).norm(), 1e-14);
    EXPECT_LT((rate(cast<D>(M) * x) - M * adot).norm(), 1e-14);
  });
}

}  // namespace
}  // namespace gyrostat
