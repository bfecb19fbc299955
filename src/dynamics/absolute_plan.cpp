#include "gyrostat/dynamics/absolute_plan.h"

#include <algorithm>
#include <numeric>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace gyrostat {

namespace {

/// Below this part of the largest principal moment a smaller one counts as none: its inverse would dominate the rest.
constexpr double least_inertia = 1e-6;

void find_speeds(const System& system, std::vector<AbsoluteSpeed>& speeds) {
  speeds.resize(static_cast<std::size_t>(system.initial.u.size()));
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    const bool floats = joint.type == JointType::free && system.parent[i] == 0;
    for (std::uint32_t k = 0; k < joint.nu; ++k) {
      speeds[joint.u + k] = {false, 6 * i + k, floats ? joint.u : joint.u + k};
    }
  }
  for (const FlexibleBody& body : system.flexible) {
    for (std::uint32_t u = body.u; u < body.u + body.data.modes(); ++u) speeds[u].decided = u;
  }
  for (std::uint32_t k = 0; k < system.wheels.size(); ++k) {
    speeds[system.wheels[k].u] = {true, k, system.wheels[k].u};
  }
}

}  // namespace

Absolute::Absolute(const System& system, const DynamicsSettings& settings)
    : model(system, settings),
      constraints(system),
      inertia_inverse(model.bodies.size(), Matrix3::Zero()),
      singular(model.bodies.size(), false),
      as_built(system) {
  find_speeds(system, speeds);
  double mass = 0, inertia = 0, lever = 0;
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteBody& body = model.bodies[i];
    if (body.node != AbsoluteBody::none) continue;
    const Vector3 moments = principal_moments(body.inertia);
    // Deformed, a flexible body may by itself be lighter than nothing in some motion.
    const bool bends =
        body.flexible != AbsoluteBody::none && model.flexible[body.flexible].terms != FlexibleTerms::ruthless;
    singular[i] = bends || !(body.mass > 0) || !(moments[0] > least_inertia * moments[2]);
    if (!singular[i]) inertia_inverse[i] = body.inertia.inverse();
    mass = std::max(mass, body.mass);
    inertia = std::max(inertia, moments[2]);
    lever = std::max({lever, body.base.norm(), model.joints[i].p_P.norm()});
  }
  mass_scale = mass > 0 ? mass : 1;
  const double about_joints = mass_scale * lever * lever;
  inertia_scale = inertia > 0 ? inertia : about_joints > 0 ? about_joints : mass_scale;
}

std::uint32_t wheel_within(const Absolute& constants, const AbsolutePart& part) {
  const AbsoluteBody& body = constants.model.bodies[part.body[0]];
  return body.own + part.number - body.wheel;
}

namespace {

std::array<std::uint32_t, 2> bodies_of(const Absolute& constants, const AbsolutePart& part) {
  if (part.of_wheel) return {constants.model.wheels[part.number].body, 0};
  if (part.number < constants.joint_rows()) {
    const AbsoluteJoint& joint = constants.model.joints[part.number / 6];
    return {joint.P, joint.C};
  }
  const std::uint32_t row = part.number - constants.joint_rows();
  const auto& closures = constants.constraints.closures;
  const auto next = std::upper_bound(closures.begin(), closures.end(), row,
                                     [](std::uint32_t r, const AbsoluteClosure& c) { return r < c.first_row; });
  return {(next - 1)->joint.P, (next - 1)->joint.C};
}

void list_equations(const Absolute& constants, const Forces<double>& forces, AbsolutePlan& plan) {
  const auto open = [&](AbsoluteEquation::Given given, std::uint32_t index) {
    const auto first = static_cast<std::uint32_t>(plan.parts.size());
    plan.equations.push_back({first, first, given, index, 0, false});
  };
  const auto add = [&](bool of_wheel, std::uint32_t number, double coefficient) {
    AbsolutePart part{of_wheel, number, coefficient};
    part.body = bodies_of(constants, part);
    plan.parts.push_back(part);
    ++plan.equations.back().end;
  };
  using Given = AbsoluteEquation::Given;
  for (std::uint32_t i = 1; i < constants.model.bodies.size(); ++i) {
    const AbsoluteJoint& joint = constants.model.joints[i];
    for (std::uint32_t k = 0; k < joint.speeds() + joint.locked(); ++k) {
      const bool locked = k >= joint.speeds();
      if (!locked && !is_given(constants, forces, joint.u + k)) continue;
      open(locked ? Given::nothing : Given::speed, joint.u + k);
      add(false, 6 * i + k, 1);
    }
  }
  for (std::uint32_t k = 0; k < constants.model.wheels.size(); ++k) {
    if (!is_given(constants, forces, constants.model.wheels[k].u)) continue;
    open(Given::speed, constants.model.wheels[k].u);
    add(true, k, 1);
  }
  plan.first_constraint = static_cast<std::uint32_t>(plan.equations.size());
  for (const AbsoluteClosure& closure : constants.constraints.closures) {
    for (std::uint32_t k = 0; k < closure.rows(); ++k) {
      const bool value = closure.kind != AbsoluteClosure::Kind::joint;
      open(value ? Given::value : Given::nothing, closure.first_equal + k);
      add(false, constants.joint_rows() + closure.first_row + k, 1);
    }
  }
  for (const AbsoluteCoupling& coupling : constants.constraints.couplings) {
    open(Given::value, coupling.first_equal);
    for (const AbsoluteCoupling::Term& term : coupling.terms) {
      const AbsoluteSpeed& speed = constants.speeds[term.u];
      add(speed.of_wheel, speed.number, term.coefficient);
    }
  }
  for (std::uint32_t e = plan.first_constraint; e < plan.equations.size(); ++e) {
    plan.equations[e].constraint = e - plan.first_constraint;
  }
}

/// Calls `with(body)` for every body that an equation acts on; repeated where several parts do.
template <class With>
void for_bodies(const AbsolutePlan& plan, const AbsoluteEquation& equation, With with) {
  for (std::uint32_t p = equation.first; p < equation.end; ++p) {
    for (const std::uint32_t body : plan.parts[p].body) {
      if (body != 0) with(body);
    }
  }
}

/// Numbers the blocks by `block_of`, one for each body.
std::vector<std::uint32_t> make_blocks(const Absolute& constants, AbsolutePlan& plan) {
  const auto count = static_cast<std::uint32_t>(constants.model.bodies.size());
  std::vector<std::uint32_t> leader(count);
  std::iota(leader.begin(), leader.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (const AbsoluteNode& node : constants.model.nodes) leader[node.body] = constants.model.carrier(node.body);
  for (AbsoluteEquation& equation : plan.equations) {
    for_bodies(plan, equation,
               [&](std::uint32_t i) { equation.stiff |= constants.singular[constants.model.carrier(i)]; });
    if (!equation.stiff) continue;
    std::uint32_t one = 0;
    for_bodies(plan, equation, [&](std::uint32_t i) {
      if (one != 0) leader[std::max(find(i), find(one))] = std::min(find(i), find(one));
      one = i;
    });
  }
  std::vector<std::uint32_t> block_of(count, 0);
  std::vector<std::vector<std::uint32_t>> members;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (find(i) == i) {
      block_of[i] = static_cast<std::uint32_t>(members.size());
      members.emplace_back();
    }
    block_of[i] = block_of[find(i)];  // the leader has the smallest number
    members[block_of[i]].push_back(i);
  }
  plan.x.assign(count, 0);
  for (const std::vector<std::uint32_t>& list : members) {
    AbsoluteBlock block;
    block.first_body = static_cast<std::uint32_t>(plan.block_bodies.size());
    block.x = plan.coordinates;
    block.dense = list.size() > 1 || constants.singular[list[0]] ||
                  constants.model.bodies[list[0]].flexible != AbsoluteBody::none;
    for (const std::uint32_t i : list) {
      plan.block_bodies.push_back(i);
      plan.x[i] = plan.coordinates;
      plan.coordinates += constants.model.bodies[i].own + constants.model.bodies[i].wheels;
    }
    block.end_body = static_cast<std::uint32_t>(plan.block_bodies.size());
    block.size = plan.coordinates - block.x;
    if (block.dense) {
      block.matrix = plan.matrix_size;
      plan.matrix_size += block.size * block.size;
    }
    plan.largest_block = std::max(plan.largest_block, block.size);
    plan.blocks.push_back(block);
  }
  return block_of;
}

void place_columns(const Absolute& constants, const std::vector<std::uint32_t>& block_of, AbsolutePlan& plan) {
  std::vector<std::vector<std::uint32_t>> acting(plan.blocks.size());
  for (std::uint32_t e = 0; e < plan.equations.size(); ++e) {
    for_bodies(plan, plan.equations[e], [&](std::uint32_t i) {
      std::vector<std::uint32_t>& list = acting[block_of[i]];
      if (list.empty() || list.back() != e) list.push_back(e);
    });
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    AbsoluteBlock& block = plan.blocks[b];
    block.first_column = static_cast<std::uint32_t>(plan.columns.size());
    plan.columns.insert(plan.columns.end(), acting[b].begin(), acting[b].end());
    block.end_column = static_cast<std::uint32_t>(plan.columns.size());
    block.D = plan.D_size;
    plan.D_size += block.size * static_cast<std::uint32_t>(acting[b].size());
    for (std::size_t k = 0; k < acting[b].size(); ++k) {
      for (std::size_t j = 0; j < k; ++j) pairs.emplace_back(acting[b][j], acting[b][k]);
    }
  }
  plan.factors = SymmetricFactors(static_cast<std::uint32_t>(plan.equations.size()), pairs);
  for (AbsoluteBlock& block : plan.blocks) {
    block.slots = static_cast<std::uint32_t>(plan.slots.size());
    for (std::uint32_t k = block.first_column; k < block.end_column; ++k) {
      for (std::uint32_t j = block.first_column; j <= k; ++j) {
        plan.slots.push_back(plan.factors.slot(plan.columns[j], plan.columns[k]));
      }
    }
  }
  for (std::uint32_t e = 0; e < plan.equations.size(); ++e) {
    for (std::uint32_t p = plan.equations[e].first; p < plan.equations[e].end; ++p) {
      AbsolutePart& part = plan.parts[p];
      const auto at = [&](std::uint32_t body) {
        const AbsoluteBlock& block = plan.blocks[block_of[body]];
        const auto first = plan.columns.begin() + block.first_column, last = plan.columns.begin() + block.end_column;
        const auto column = static_cast<std::uint32_t>(std::lower_bound(first, last, e) - first);
        return block.D + column * block.size + plan.x[body] - block.x;
      };
      for (std::size_t side = 0; side < 2; ++side) {
        if (part.body[side] != 0) part.place[side] = at(constants.model.carrier(part.body[side]));
      }
      if (part.of_wheel) part.place[1] = at(part.body[0]) + wheel_within(constants, part);
    }
  }
}

}  // namespace

AbsolutePlan::AbsolutePlan(const Absolute& constants, const Forces<double>& forces) {
  for (std::size_t k = 0; k < constants.speeds.size(); ++k) given.push_back(is_given(constants, forces, k));
  list_equations(constants, forces, *this);
  place_columns(constants, make_blocks(constants, *this), *this);
}

bool AbsolutePlan::fits(const Absolute& constants, const Forces<double>& forces) const {
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k] != is_given(constants, forces, k)) return false;
  }
  return true;
}

}  // namespace gyrostat
