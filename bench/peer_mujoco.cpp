// MuJoCo. A body's frame is at its joint point, with the body's axes.
//
// Timed: mj_forward with every optional part disabled: kinematics, composite inertias, the mass matrix and its
// factorisation (cubic in the length of a chain), bias forces, the solution.
#include "peer.h"

#ifdef GYROSTAT_PEER_MUJOCO

#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

namespace gyrostat::bench {
namespace {

std::string text(const Vector3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

std::string text(const Matrix3& R) {
  const Quaternion q = normalised(to_quaternion(R));
  return fmt::format("{} {} {} {}", q.w, q.x, q.y, q.z);
}

/// Bodies come depth first in both numberings, so that theirs and ours are the same.
std::string mjcf(const System& system) {
  std::string xml =
      "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>"
      "<option gravity=\"0 0 0\"/>"
      "<default><joint armature=\"0\" damping=\"0\" stiffness=\"0\" frictionloss=\"0\" limited=\"false\"/></default>"
      "<worldbody>\n";
  std::vector<std::size_t> open;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const Joint& joint = system.joints[i];
    const std::size_t p = system.parent[i];
    while (!open.empty() && open.back() != p) {
      xml += "</body>\n";
      open.pop_back();
    }
    open.push_back(i);

    const MassProperties& body = system.bodies[i].mass_properties;
    const auto [X_BA, moments] = principal(body);
    const Vector3 position = i == 1 ? joint.parent_point : joint.parent_point - system.joints[p].child_point;
    xml += fmt::format("<body pos=\"{}\" quat=\"{}\">", text(position), i == 1 ? "1 0 0 0" : text(joint.R_0));
    xml += fmt::format("<inertial mass=\"{}\" pos=\"{}\" quat=\"{}\" diaginertia=\"{}\"/>", body.mass,
                       text(Vector3(body.com - joint.child_point)), text(X_BA.R), text(moments));
    xml += i == 1 ? "<freejoint/>\n"
                  : fmt::format("<joint type=\"hinge\" pos=\"0 0 0\" axis=\"{}\"/>\n",
                                text(Vector3(joint.R_0.transpose() * joint.a[0])));
  }
  for (std::size_t k = 0; k < open.size(); ++k) xml += "</body>\n";
  return xml + "</worldbody></mujoco>\n";
}

/// Bodies on the longest way out.
std::size_t depth(const System& system) {
  std::vector<std::size_t> level(system.bodies.size());
  for (std::size_t i = 1; i < level.size(); ++i) level[i] = level[system.parent[i]] + 1;
  return *std::max_element(level.begin(), level.end());
}

using ModelPointer = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using DataPointer = std::unique_ptr<mjData, decltype(&mj_deleteData)>;

ModelPointer load(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "peer.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  ModelPointer model(mj_loadXML("peer.xml", files.get(), error, sizeof error), &mj_deleteModel);
  mj_deleteVFS(files.get());
  if (!model) throw std::runtime_error(fmt::format("MuJoCo: {}", static_cast<const char*>(error)));
  return model;
}

class MuJoCo final : public Peer {
 public:
  explicit MuJoCo(const System& system) : base_(system.joints[1]), model_(load(mjcf(system))) {
    model_->opt.disableflags = (1 << mjNDISABLE) - 1;
    model_->opt.enableflags = 0;
    data_.reset(mj_makeData(model_.get()));
    for (std::size_t i = 2; i < system.bodies.size(); ++i)
      if (model_->body_parentid[i] != static_cast<int>(system.parent[i]))
        throw std::runtime_error("MuJoCo numbers the bodies in another way");
  }

  std::string name() const override { return "MuJoCo"; }

  /// A free joint of MuJoCo has the velocity in world axes first, then omega in the body's.
  void set_state(const State& state) override {
    Eigen::Map<Eigen::VectorXd> q(data_->qpos, model_->nq), u(data_->qvel, model_->nv);
    q = state.q;
    q.head<3>() += base_.parent_point;
    u << state.u.segment<3>(3), state.u.head<3>(), state.u.tail(model_->nv - 6);
  }

  void evaluate() override { mj_forward(model_.get(), data_.get()); }

  Eigen::VectorXd accelerations() const override {
    const Eigen::Map<const Eigen::VectorXd> from(data_->qacc, model_->nv);
    Eigen::VectorXd udot(model_->nv);
    udot << from.segment<3>(3), from.head<3>(), from.tail(model_->nv - 6);
    return udot;
  }

 private:
  Joint base_;
  ModelPointer model_;
  DataPointer data_{nullptr, &mj_deleteData};
};

}  // namespace

std::unique_ptr<Peer> mujoco_peer(const System& system) {
  require_only_hinges(system);
  if (depth(system) > 96) return nullptr;
  return std::make_unique<MuJoCo>(system);
}

}  // namespace gyrostat::bench

#else

std::unique_ptr<gyrostat::bench::Peer> gyrostat::bench::mujoco_peer(const System&) { return nullptr; }

#endif
