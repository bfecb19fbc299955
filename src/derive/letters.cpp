#include "gyrostat/derive/letters.h"

#include <array>
#include <unordered_map>

namespace gyrostat::derive {

namespace {

constexpr auto scalar_type = Type::scalar, vector_type = Type::vector, dyadic_type = Type::dyadic;

constexpr std::array all_letters = {
    // bodies
    Letter{"m", scalar_type, 1, "m", "m", "m", "", false, "mass of a body"},
    Letter{"Phi", dyadic_type, 1, "Φ", "Phi", "\\Phi", "", false,
           "inertia dyadic of a body about its mass centre, wheels at rest in it included"},
    Letter{"alpha", vector_type, 1, "α", "alpha", "\\alpha", "", false,
           "from the joint point of a body to its mass centre"},
    Letter{"omega", vector_type, 1, "ω", "omega", "\\omega", "", false, "angular velocity of a body"},
    Letter{"kappa", vector_type, 1, "κ", "kappa", "\\kappa", "", false,
           "centripetal and Coriolis acceleration of the joint point of a body"},
    Letter{"C", vector_type, 1, "C", "C", "C", "", false,
           "mass of a body times the centripetal and Coriolis acceleration of its mass centre"},
    Letter{"L", vector_type, 1, "L", "L", "L", "", false, "angular momentum of a body about its mass centre"},
    Letter{"F", vector_type, 1, "F", "F", "F", "", false, "external force on a body"},
    Letter{"T", vector_type, 1, "T", "T", "T", "", false, "external torque on a body about its mass centre"},
    Letter{"F_load", vector_type, 2, "F", "F", "F", "", false, "force of a load on a body"},
    Letter{"T_load", vector_type, 2, "T", "T", "T", "", false, "torque of a load on a body about its mass centre"},
    Letter{"f_load", scalar_type, -1, "f", "f", "f", "a", false, "force or thrust given for a load"},
    Letter{"t_load", scalar_type, -1, "t", "t", "t", "a", false, "torque of a load"},
    Letter{"e_axes", vector_type, 2, "e", "e", "e", "", false, "an axis of a body or of the world"},
    Letter{"e_load", vector_type, 1, "e", "e", "e", "a", false, "direction or axis of a load"},
    Letter{"r_load", vector_type, 1, "r", "r", "r", "a", false, "line of a torsion spring in its first body"},
    Letter{"l_load", vector_type, 1, "l", "l", "l", "a", false, "line of a torsion spring in its second body"},
    Letter{"sin_load", scalar_type, 1, "S", "S", "S", "a", false, "sine of the angle of a torsion spring, scaled"},
    Letter{"cos_load", scalar_type, 1, "C", "C", "C", "a", false, "cosine of the angle of a torsion spring, scaled"},
    Letter{"theta_load", scalar_type, 1, "θ", "theta", "\\theta", "a", false, "angle of a torsion spring"},
    Letter{"rest_load", scalar_type, 1, "θ", "theta", "\\theta", "a0", false,
           "angle of a torsion spring without torque"},
    Letter{"p_load", vector_type, 1, "p", "p", "p", "a", false, "from one end of a spring to the other"},
    Letter{"n_load", vector_type, 1, "n", "n", "n", "a", false, "direction of the line of a spring"},
    Letter{"s_load", scalar_type, 1, "s", "s", "s", "a", false, "length of a spring"},
    Letter{"rest_s_load", scalar_type, 1, "s", "s", "s", "a0", false, "length of a spring without tension"},
    Letter{"tension", scalar_type, 1, "N", "N", "N", "a", false, "tension of a spring"},
    Letter{"K_load", scalar_type, 1, "K", "K", "K", "a", false, "stiffness of a load"},
    Letter{"D_load", scalar_type, 1, "D", "D", "D", "a", false, "damping of a load"},
    Letter{"r", vector_type, 1, "r", "r", "r", "", false, "from the origin of the world to the mass centre of a body"},
    Letter{"r_c", vector_type, 0, "r", "r", "r", "c", false,
           "from the origin of the world to the mass centre of the whole"},
    Letter{"sigma", vector_type, 1, "σ", "sigma", "\\sigma", "", false,
           "from the mass centre of the whole to that of a body"},
    Letter{"nu", scalar_type, 1, "ν", "nu", "\\nu", "", false, "mass of a body over that of the whole"},
    Letter{"mu_orbit", scalar_type, 0, "μ", "mu", "\\mu", "o", false, "gravity of the central body"},
    Letter{"n_orbit", vector_type, 0, "n", "n", "n", "o", false, "direction from the central body to the craft"},
    Letter{"k_orbit", scalar_type, 0, "k", "k", "k", "o", false,
           "mu over the cube of the distance from the central body"},
    Letter{"n_orbit_of", vector_type, 1, "n", "n", "n", "o", false,
           "direction from the centre of attraction to a body"},
    Letter{"c3", scalar_type, 1, "c", "c", "c", "3", false, "1 over the cube of the distance of a body"},
    Letter{"c4", scalar_type, 1, "c", "c", "c", "4", false, "1 over the fourth power of the distance of a body"},
    Letter{"trace", scalar_type, 1, "J", "J", "J", "", false, "sum of the principal moments of inertia of a body"},
    Letter{"g", vector_type, 0, "g", "g", "g", "", false, "uniform gravity"},
    // joints
    Letter{"beta", vector_type, 1, "β", "beta", "\\beta", "", false,
           "from the joint point of the inboard body to the joint"},
    Letter{"zeta", vector_type, 1, "ζ", "zeta", "\\zeta", "", false, "displacement of a joint"},
    Letter{"zeta1", vector_type, 1, "ζ°", "zeta'", "\\overset{\\circ}{\\zeta}", "", false,
           "velocity of sliding of a joint"},
    Letter{"zeta2", vector_type, 1, "ζ°°", "zeta''", "\\overset{\\circ\\circ}{\\zeta}", "", false,
           "acceleration of sliding of a joint"},
    Letter{"gamma", vector_type, 2, "γ", "gamma", "\\gamma", "", false,
           "from the pivot of a joint to the mass centre of a body"},
    Letter{"q", vector_type, -1, "q", "q", "q", "", false, "free coordinate vector of a rotation"},
    Letter{"d", vector_type, -1, "d", "d", "d", "", false, "free coordinate vector of a translation"},
    Letter{"theta", scalar_type, -1, "θ", "theta", "\\theta", "", false, "angle of a joint"},
    Letter{"x", scalar_type, -1, "x", "x", "x", "", false, "displacement of a joint along an axis"},
    Letter{"u", scalar_type, -1, "u", "u", "u", "", false, "rate of rotation of a joint"},
    Letter{"v", scalar_type, -1, "v", "v", "v", "", false, "speed of translation of a joint"},
    Letter{"omega_rel", vector_type, 1, "ω", "omega", "\\omega", "", true,
           "angular velocity of the body outboard of a joint relative to the one inboard of it"},
    Letter{"epsilon", vector_type, 1, "ε", "eps", "\\varepsilon", "", false,
           "part of the relative angular acceleration that is due to the turning of the axes"},
    Letter{"TH", vector_type, 1, "T", "T", "T", "H", false, "hinge torque on the outboard body"},
    Letter{"Tc", vector_type, 1, "T", "T", "T", "c", false, "constraint torque on the outboard body"},
    Letter{"FH", vector_type, 1, "F", "F", "F", "H", false, "hinge force on the outboard body"},
    Letter{"Fc", vector_type, 1, "F", "F", "F", "c", false, "constraint force on the outboard body"},
    Letter{"tau", scalar_type, -1, "τ", "tau", "\\tau", "", false, "hinge torque about an axis"},
    Letter{"f", scalar_type, -1, "f", "f", "f", "", false, "hinge force along an axis"},
    Letter{"K", scalar_type, -1, "K", "K", "K", "", false, "stiffness"},
    Letter{"D", scalar_type, -1, "D", "D", "D", "", false, "damping"},
    Letter{"rest", scalar_type, -1, "θ", "theta", "\\theta", "0", false, "angle without spring torque"},
    Letter{"rest_x", scalar_type, -1, "x", "x", "x", "0", false, "displacement without spring force"},
    Letter{"motor", scalar_type, -1, "τ", "tau", "\\tau", "m", false, "torque or force of the motor"},
    Letter{"motor_axis", scalar_type, -1, "τ", "tau", "\\tau", "a", false, "torque given along an axis"},
    Letter{"friction", scalar_type, -1, "τ", "tau", "\\tau", "f", false,
           "dry friction of a joint or wheel that slides"},
    Letter{"viscous", scalar_type, -1, "D", "D", "D", "f", false, "viscous part of a friction"},
    Letter{"Fn", vector_type, 1, "F", "F", "F", "n", false, "part of the constraint force of a joint across its axis"},
    Letter{"normal", scalar_type, 1, "N", "N", "N", "", false, "length of the constraint force across an axis"},
    Letter{"prescribed", scalar_type, -1, "a", "a", "a", "p", false, "acceleration that a prescribed joint is given"},
    Letter{"stop", scalar_type, -1, "τ", "tau", "\\tau", "s", false, "torque or force of compliant stops"},
    Letter{"drag", scalar_type, 1, "τ", "tau", "\\tau", "d", false, "drag torque of a wheel"},
    // nests
    Letter{"M", scalar_type, 1, "M", "M", "M", "", false, "mass of a nest"},
    Letter{"mu", vector_type, -1, "μ", "mu", "\\mu", "", false, "moment of mass of a nest about the pivot of a joint"},
    Letter{"X", dyadic_type, -1, "X", "X", "X", "", false, "inertia dyadic of a nest, or between two nests"},
    Letter{"etaC", vector_type, 1, "η", "eta", "\\eta", "C", false, "centripetal and Coriolis torque on a nest"},
    Letter{"etaG", vector_type, 1, "η", "eta", "\\eta", "G", false, "gyroscopic torque on a nest"},
    Letter{"etaE", vector_type, 1, "η", "eta", "\\eta", "E", false, "external torque on a nest"},
    Letter{"phiC", vector_type, 1, "φ", "phi", "\\varphi", "C", false, "centripetal and Coriolis force on a nest"},
    Letter{"phiE", vector_type, 1, "φ", "phi", "\\varphi", "E", false, "external force on a nest"},
    // wheels
    Letter{"I", scalar_type, 1, "I", "I", "I", "", false, "inertia of a wheel about its axis"},
    Letter{"h", vector_type, 1, "h", "h", "h", "", false, "axis of a wheel"},
    Letter{"Omega", scalar_type, 1, "Ω", "Omega", "\\Omega", "", false, "rate of a wheel relative to its body"},
    Letter{"psi", scalar_type, 1, "ψ", "psi", "\\psi", "", false, "angle of a wheel relative to its body"},
    Letter{"tau_w", scalar_type, 1, "τ", "tau", "\\tau", "", false, "torque on a wheel about its axis"},
    Letter{"Tcw", vector_type, 1, "T", "T", "T", "c", false,
           "constraint torque on a wheel: of its bearings, less what its transverse inertia, which counts to the "
           "body, takes"},
    // loops
    Letter{"lambda", scalar_type, -1, "λ", "lambda", "\\lambda", "", false, "multiplier of a constraint row"},
    Letter{"n", vector_type, 2, "n", "n", "n", "", false, "direction of a constraint row's force"},
    Letter{"a", vector_type, 2, "a", "a", "a", "", false, "vector of a constraint row fixed in its first body"},
    Letter{"b", vector_type, 2, "b", "b", "b", "", false, "vector of a constraint row fixed in its second body"},
    Letter{"p", vector_type, 1, "p", "p", "p", "", false, "from one point that a constraint connects to the other"},
    Letter{"rho", vector_type, 2, "ρ", "rho", "\\rho", "", false,
           "from the mass centre of a body to the point where a constraint or load attaches"},
    Letter{"Fl", vector_type, 1, "F", "F", "F", "λ", false, "force of the constraints on a body"},
    Letter{"Tl", vector_type, 1, "T", "T", "T", "λ", false,
           "torque of the constraints on a body about its mass centre"},
    Letter{"etaL", vector_type, 1, "η", "eta", "\\eta", "λ", false, "constraint torque of loops on a nest"},
    Letter{"phiL", vector_type, 1, "φ", "phi", "\\varphi", "λ", false, "constraint force of loops on a nest"},
    Letter{"coefficient", scalar_type, 2, "k", "k", "k", "", false, "coefficient of a coordinate in a constraint"},
    Letter{"given", scalar_type, -1, "s", "s", "s", "", false, "value that is given to a constraint row"},
    // sets; the type means nothing
    Letter{"S", scalar_type, 1, "S", "S", "\\mathcal{S}", "", false, "nest: the bodies outboard of a joint"},
    Letter{"Pr", scalar_type, 1, "P", "P", "\\mathcal{P}", "r", false, "the joints that turn inboard of a joint"},
    Letter{"Qr", scalar_type, 1, "Q", "Q", "\\mathcal{Q}", "r", false, "the joints that turn outboard of a joint"},
    Letter{"Pt", scalar_type, 1, "P", "P", "\\mathcal{P}", "t", false, "the joints that slide inboard of a joint"},
    Letter{"Qt", scalar_type, 1, "Q", "Q", "\\mathcal{Q}", "t", false, "the joints that slide outboard of a joint"},
    Letter{"P", scalar_type, 1, "P", "P", "\\mathcal{P}", "", false,
           "the joints that turn on the path from the world to a body"},
    Letter{"W", scalar_type, 1, "W", "W", "\\mathcal{W}", "", false, "the wheels in a nest"},
    Letter{"Wb", scalar_type, 1, "W", "W", "\\mathcal{W}", "b", false, "the wheels in a body"},
};

}  // namespace

std::span<const Letter> letters() { return all_letters; }

const Letter& letter(std::string_view id) {
  static const auto by_id = [] {
    std::unordered_map<std::string_view, const Letter*> map;
    for (const Letter& one : all_letters) map.emplace(one.id, &one);
    return map;
  }();
  const auto found = by_id.find(id);
  if (found == by_id.end()) throw AlgebraError("no letter '" + std::string(id) + "'");
  return *found->second;
}

}  // namespace gyrostat::derive
