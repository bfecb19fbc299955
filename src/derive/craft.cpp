#include "gyrostat/derive/craft.h"

#include <fmt/format.h>

#include "gyrostat/derive/html_page.h"

namespace gyrostat::derive {

namespace {

std::string note_of(const System& system, std::uint32_t k) {
  const Joint& joint = system.joints[k];
  const MassProperties& body = system.bodies[k].mass_properties;
  std::string note(type_name(joint.type));
  if (joint.motion != Motion::free) note += fmt::format(", {}", motion_name(joint.motion));
  note += body.mass == 0 ? ", massless" : fmt::format(", {:.6g} kg", body.mass);
  if (body.mass != 0 && body.inertia.isZero(0)) note += ", point mass";
  for (const Wheel& wheel : system.wheels) {
    if (wheel.body == k) note += ", wheel " + wheel.name;
  }
  return note;
}

constexpr std::size_t most_indented = 40;  // deeper bodies stand below their parents

class HtmlTree {
 public:
  HtmlTree(const std::vector<Branch>& tree, const std::string& chosen)
      : tree_(tree), chosen_(chosen), children_(tree.size() + 1) {
    for (std::size_t k = 1; k <= tree.size(); ++k) children_[tree[k - 1].parent].push_back(k);
  }

  std::string print() {
    out_ = "<figure class=\"craft\" aria-label=\"The tree of bodies\">\n<span class=\"body world\">world</span>";
    branches(0, 0);
    return out_ + "</figure>\n";
  }

 private:
  void branches(std::size_t at, std::size_t depth) {
    if (children_[at].empty()) return;
    out_ += depth < most_indented ? "<ul>\n" : "<ul class=\"deep\">\n";
    for (const std::size_t k : children_[at]) {
      const Branch& b = tree_[k - 1];
      out_ += fmt::format(
          "<li><span class=\"joint\">{}</span><span class=\"body{}\">{}</span><span class=\"about\">{}</span>",
          html_text(b.joint), b.body == chosen_ ? " chosen" : "", html_text(b.body), html_text(b.note));
      branches(k, depth + 1);
      out_ += "</li>\n";
    }
    out_ += "</ul>\n";
  }

  const std::vector<Branch>& tree_;
  const std::string& chosen_;
  std::vector<std::vector<std::size_t>> children_;
  std::string out_;
};

}  // namespace

std::vector<Branch> tree_of(const System& system) {
  std::vector<Branch> tree;
  for (std::uint32_t k = 1; k < system.bodies.size(); ++k)
    tree.push_back({system.bodies[k].name, system.joints[k].name, note_of(system, k), system.parent[k]});
  return tree;
}

std::string html_tree(const std::vector<Branch>& tree, const std::string& chosen) {
  return HtmlTree(tree, chosen).print();
}

}  // namespace gyrostat::derive
