#include "gyrostat/derive/equations.h"

#include <algorithm>

#include "gyrostat/derive/builder.h"
#include "gyrostat/derive/document.h"

namespace gyrostat::derive {

std::string outside_domain_of_derivation(const System& system) {
  for (const Body& body : system.bodies) {
    if (body.flexible != Body::none)
      return "body '" + body.name + "' bends, and the vector-dyadic form is that of rigid bodies";
  }
  return {};
}

Document derive_equations(const Model& model, const Formulas* formulas) {
  Builder builder(model);
  builder.describe_tree();
  builder.define_bodies();
  builder.define_joints();
  builder.define_wheels();
  builder.define_motion();
  builder.define_loads();
  builder.define_loops();
  builder.define_hinges();
  builder.define_gammas();
  builder.define_nests();
  builder.add_kinematics();
  builder.add_nests();
  builder.add_wheels();
  builder.add_loops();
  builder.add_eliminations();
  builder.define_resultants();
  builder.add_reduced();
  if (formulas != nullptr) builder.name_parameters(*formulas);
  builder.say_what_is_left_out();
  builder.keep_what_is_used();
  return std::move(builder.document);
}

void Builder::keep_what_is_used() {
  for (const Symbol& symbol : order) document.definitions.push_back(std::move(defined[symbol]));
  for (auto& [symbol, set] : sets) document.sets.push_back(std::move(set));
  keep_used(document);
  std::ranges::stable_sort(document.definitions, {}, &Definition::section);
}

}  // namespace gyrostat::derive
