// Numbers in the System of what the Description lists.
#pragma once

#include <string_view>
#include <unordered_map>

#include "gyrostat/model/system.h"

namespace gyrostat {

/// Keeps pointing at the system.
class Numbers {
 public:
  explicit Numbers(const System& system) {
    for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
      bodies_[system.bodies[i].name] = i;
      joints_[system.joints[i].name] = i;
    }
    for (std::uint32_t k = 0; k < system.wheels.size(); ++k) {
      const Wheel& wheel = system.wheels[k];
      wheels_[system.bodies[wheel.body].name + "." + wheel.name] = k;
    }
  }

  [[nodiscard]] std::uint32_t body(std::string_view name) const { return name == "world" ? 0 : bodies_.at(name); }

  /// 0 for joints that are not in the tree.
  [[nodiscard]] std::uint32_t joint(std::string_view name) const {
    const auto found = joints_.find(name);
    return found == joints_.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint32_t wheel(const std::string& body, const std::string& name) const {
    return wheels_.at(body + "." + name);
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> bodies_, joints_;
  std::unordered_map<std::string, std::uint32_t> wheels_;
};

}  // namespace gyrostat
