// The tree of bodies, which stands at the head of a page.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/model/system.h"

namespace gyrostat::derive {

struct Branch {
  std::string body, joint;
  std::string note;        // "revolute, 410 kg, wheel rw1"
  std::size_t parent = 0;  // its place in the list, counted from 1; 0: the world
};

/// All bodies but the world, a body after its parent.
std::vector<Branch> tree_of(const System& system);

/// A figure of nested lists; `chosen` is the body that the page is about, or empty.
std::string html_tree(const std::vector<Branch>& tree, const std::string& chosen = {});

}  // namespace gyrostat::derive
