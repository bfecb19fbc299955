#include "gyrostat/flexible/tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "gyrostat/flexible/modal_integrals.h"
#include "gyrostat/flexible/reference_frame.h"

namespace gyrostat {

namespace {

constexpr double symmetric_to = 1e-9, vanishing = 1e-9, consistent_to = 1e-3;

bool is_orthonormal(const FlexibleData& data) {
  const Eigen::VectorXd K = data.stiffness.diagonal();
  return data.mass == Eigen::MatrixXd::Identity(data.mass.rows(), data.mass.cols()) &&
         data.stiffness == Eigen::MatrixXd(K.asDiagonal()) && std::is_sorted(K.data(), K.data() + K.size());
}

class TableReader {
 public:
  TableReader(const FlexibleTables& given, const FieldPlace& fields) : tables_(given), place_(fields) {}

  FlexibleFile read() {
    check_nodes();
    check_matrices();
    FlexibleData data = assembled();
    if (tables_.mass.size() == 0) data.mass = node_modal_mass(data);
    check_mass(data);
    check_frame(data);
    return {orthonormal(std::move(data)), std::move(warnings_)};
  }

 private:
  [[noreturn]] void fail(const std::string& field, std::optional<std::size_t> node, const std::string& message) const {
    throw FlexibleFileError(place_(field, node), message);
  }

  void check_nodes() {
    if (tables_.nodes.empty()) fail("nodes", std::nullopt, "a flexible body needs at least one node");
    std::set<std::string> names;
    for (std::size_t i = 0; i < tables_.nodes.size(); ++i) {
      const NodeTable& node = tables_.nodes[i];
      if (node.name.size() > flexible_limits::name_length) {
        fail("name", i, fmt::format("is longer than {} letters, the limit", flexible_limits::name_length));
      }
      if (!node.name.empty() && !is_name(node.name)) {
        fail("name", i,
             fmt::format("'{}' is not a name: a name is made of the letters a-z and A-Z, digits and _, and does not "
                         "begin with a digit",
                         printable(node.name)));
      }
      if (!node.name.empty() && !names.insert(node.name).second) {
        fail("name", i, fmt::format("'{}' is the name of an earlier node; names must differ", node.name));
      }
      if (node.mass < 0) fail("mass", i, fmt::format("{} kg is negative", node.mass));
      if (node.mass == 0 && !node.com.isZero(0)) fail("com", i, "the node has no mass, so it has no mass centre");
      check_inertia(node.inertia, i);
    }
  }

  static bool is_name(const std::string& text) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !digit(text[0]) && std::ranges::all_of(text, [&](char c) { return digit(c) || letter(c); });
  }

  static std::string printable(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, '?');
    return text;
  }

  void check_inertia(const Matrix3& I, std::size_t node) const {
    const double size = I.cwiseAbs().maxCoeff();
    if ((I - I.transpose()).cwiseAbs().maxCoeff() > symmetric_to * size) {
      fail("inertia", node, "is not symmetric; elements xy and yx must be equal");
    }
    const Vector3 moments = Eigen::SelfAdjointEigenSolver<Matrix3>(I, Eigen::EigenvaluesOnly).eigenvalues();
    if (moments(0) < -1e-12 * size) {
      fail("inertia", node, fmt::format("has the negative principal moment {:.6g} kg m^2", moments(0)));
    }
  }

  void check_symmetric(const Eigen::MatrixXd& matrix, const std::string& field) const {
    const double size = matrix.cwiseAbs().maxCoeff();
    for (Eigen::Index a = 0; a < matrix.rows(); ++a) {
      for (Eigen::Index b = 0; b < a; ++b) {
        if (!(std::abs(matrix(a, b) - matrix(b, a)) > symmetric_to * size)) continue;
        fail(field, std::nullopt,
             fmt::format("is not symmetric: row {} column {} is {:.6g}, row {} column {} is {:.6g}", a + 1, b + 1,
                         matrix(a, b), b + 1, a + 1, matrix(b, a)));
      }
    }
  }

  /// The least eigenvalue, where the diagonal is scaled to one.
  static double least_eigenvalue(const Eigen::MatrixXd& matrix) {
    const Eigen::VectorXd scale =
        matrix.diagonal().cwiseAbs().cwiseSqrt().unaryExpr([](double x) { return x > 0 ? 1 / x : 1; });
    const Eigen::MatrixXd scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues()(0);
  }

  void check_matrices() {
    check_symmetric(tables_.stiffness, "stiffness");
    for (Eigen::Index a = 0; a < tables_.stiffness.rows(); ++a) {
      if (tables_.stiffness(a, a) > 0) continue;
      fail("stiffness", std::nullopt,
           fmt::format("mode {} has no stiffness: rigid-body modes are no part of the data", a + 1));
    }
    if (!(least_eigenvalue(tables_.stiffness) > 1e-13)) {
      fail("stiffness", std::nullopt, "is not positive definite: rigid-body modes are no part of the data");
    }
    if (tables_.damping.size() > 0) {
      check_symmetric(tables_.damping, "damping");
      if (!(least_eigenvalue(tables_.damping) > -1e-9)) {
        fail("damping", std::nullopt, "is not positive semidefinite: the body would gain energy");
      }
    }
    if (tables_.mass.size() > 0) check_symmetric(tables_.mass, "mass");
    if (!tables_.unit_loads) return;
    const auto check = [&](const auto& list, const char* name) {
      for (std::size_t k = 0; k < list.size(); ++k) {
        check_symmetric(list[k], fmt::format("geometric_stiffness.{}[{}]", name, k));
      }
    };
    check(tables_.unit_loads->acceleration, "acceleration");
    check(tables_.unit_loads->angular_acceleration, "angular_acceleration");
    check(tables_.unit_loads->spin, "spin");
  }

  /// A mass that is beside its node: displaced by d, which turns with the node.
  static FlexibleNode mass_beside(const NodeTable& table, const FlexibleNode& node) {
    const Vector3& d = table.com;
    FlexibleNode beside = node;
    beside.name.clear();
    beside.position += d;
    beside.mass = table.mass;
    beside.inertia = table.inertia;
    beside.shape.translation -= skew(d) * node.shape.rotation;
    if (node.shape.translation2.cols() == 0) return beside;
    beside.shape.translation2 -= skew(d) * node.shape.rotation2;
    Eigen::Index pair = 0;
    for (Eigen::Index a = 0; a < node.shape.rotation.cols(); ++a) {
      for (Eigen::Index b = 0; b <= a; ++b) {
        const Vector3 psi_a = node.shape.rotation.col(a), psi_b = node.shape.rotation.col(b);
        beside.shape.translation2.col(pair++) += 0.5 * (psi_a.cross(psi_b.cross(d)) + psi_b.cross(psi_a.cross(d)));
      }
    }
    return beside;
  }

  FlexibleData assembled() const {
    FlexibleData data;
    data.mass = tables_.mass;
    data.stiffness = tables_.stiffness;
    data.damping = tables_.damping.size() > 0 ? tables_.damping : Eigen::MatrixXd(0 * tables_.stiffness);
    data.integrals = tables_.integrals;
    const bool shapes = tables_.nodes.front().shape.translation2.cols() > 0;
    std::vector<ForceStiffness> forces;
    for (std::size_t i = 0; i < tables_.nodes.size(); ++i) {
      const NodeTable& table = tables_.nodes[i];
      if ((table.shape.translation2.cols() > 0) != shapes) {
        fail("translation2", shapes ? i : 0, "second-order shapes are needed of all nodes or of none");
      }
      if (shapes && (tables_.unit_loads || table.force_stiffness)) {
        fail("geometric_stiffness", std::nullopt,
             "the nodes have second-order shapes already; either these or geometric stiffness, not both");
      }
      if (table.force_stiffness && !tables_.unit_loads) {
        fail("force_stiffness", i, "is of use with 'geometric_stiffness' only, which is missing");
      }
      FlexibleNode node{table.name, table.position, table.mass, table.inertia, table.shape};
      forces.push_back(table.force_stiffness.value_or(none()));
      if (table.name == tables_.frame && !table.name.empty()) data.frame_node = data.nodes.size();
      if (!table.com.isZero(0)) {
        node.mass = 0;
        node.inertia.setZero();
        data.nodes.push_back(node);
        data.nodes.push_back(mass_beside(table, node));
        forces.push_back(none());
        continue;
      }
      data.nodes.push_back(std::move(node));
    }
    data.second_order = shapes;
    return tables_.unit_loads ? with_unit_loads(data, *tables_.unit_loads, forces) : data;
  }

  ForceStiffness none() const {
    const Eigen::MatrixXd zero = 0 * tables_.stiffness;
    return {zero, zero, zero};
  }

  void check_mass(const FlexibleData& data) {
    const bool given = tables_.mass.size() > 0;
    for (Eigen::Index a = 0; a < data.mass.rows(); ++a) {
      if (data.mass(a, a) > 0) continue;
      fail("mass", std::nullopt,
           fmt::format("mode {} has no modal mass{}", a + 1, given ? "" : ": no node with mass moves in it"));
    }
    if (!(least_eigenvalue(data.mass) > 1e-13)) {
      fail("mass", std::nullopt, "is not positive definite: a combination of modes moves no mass");
    }
    if (!given || data.integrals) return;
    const Eigen::MatrixXd nodes = node_modal_mass(data);
    const double off =
        ((nodes - data.mass).array().abs() / (data.mass.diagonal() * data.mass.diagonal().transpose()).array().sqrt())
            .maxCoeff();
    if (off > consistent_to) {
      warnings_.push_back(fmt::format(
          "{}: differs from what the nodes' masses and shapes give, by {:.3g} % of the modal mass; both are used as "
          "they are",
          place_("mass", std::nullopt), 100 * off));
    }
  }

  void check_frame(const FlexibleData& data) const {
    if (tables_.frame.empty()) return;
    if (data.frame_node == FlexibleData::floating) {
      fail("frame", std::nullopt, fmt::format("there is no node '{}'", printable(tables_.frame)));
    }
    std::size_t table = 0;
    while (tables_.nodes[table].name != tables_.frame) ++table;
    const auto largest = [&](Eigen::Matrix3Xd NodeShape::*field) {
      double size = 0;
      for (const FlexibleNode& node : data.nodes) {
        if ((node.shape.*field).size() > 0) size = std::max(size, (node.shape.*field).cwiseAbs().maxCoeff());
      }
      return size;
    };
    const FlexibleNode& node = data.nodes[data.frame_node];
    const std::pair<const char*, Eigen::Matrix3Xd NodeShape::*> fields[] = {
        {"translation", &NodeShape::translation},
        {"rotation", &NodeShape::rotation},
        {data.unit_loads ? "force_stiffness" : "translation2", &NodeShape::translation2},
        {"rotation2", &NodeShape::rotation2}};
    for (const auto& [name, field] : fields) {
      const Eigen::Matrix3Xd& shape = node.shape.*field;
      if (shape.size() == 0 || shape.cwiseAbs().maxCoeff() <= vanishing * largest(field)) continue;
      fail(name, table, "must be zero: the body's frame is at this node (or say that the frame is floating)");
    }
  }

  FlexibleData orthonormal(FlexibleData data) const {
    if (is_orthonormal(data)) return data;
    const Orthonormal made = orthonormal_modes(data);
    if (made.massless > 0) {
      fail("mass", std::nullopt, fmt::format("{} combinations of modes move no mass", made.massless));
    }
    return made.data;
  }

  const FlexibleTables& tables_;
  const FieldPlace& place_;
  std::vector<std::string> warnings_;
};

}  // namespace

void check_number(double number, const std::string& where) {
  if (std::abs(number) <= flexible_limits::magnitude) return;
  if (!std::isfinite(number)) throw FlexibleFileError(where, "is not a finite number");
  throw FlexibleFileError(where, fmt::format("{:.6g} is beyond {:g}, the limit", number, flexible_limits::magnitude));
}

void check_writable(const FlexibleData& data) {
  if (!is_orthonormal(data)) throw std::invalid_argument("flexible data are written with orthonormal modes");
  if (data.frame_node != FlexibleData::floating && data.nodes.at(data.frame_node).name.empty()) {
    throw std::invalid_argument("flexible data are written with a name for the node of the frame");
  }
  if (data.integrals) {
    throw std::invalid_argument("modal integrals of mass that is not at nodes have no place in a file");
  }
}

FlexibleFile data_of(const FlexibleTables& tables, const FieldPlace& place) {
  return TableReader(tables, place).read();
}

}  // namespace gyrostat
