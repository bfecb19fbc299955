// A kind of load or block as a list of its fields. A kind is a struct with
//   static constexpr std::string_view kind, note;   its name in the model file, and what it is
//   static constexpr auto fields();                 its fields: members, names, forms, dimensions, notes
//   void check(const Wrong&) const;                 what can be wrong beyond what the forms say
// and, of a block with one input and one output whose dimensions are related, output_dimension;
// in a file of its own, and a line in the list of its section (blocks.h, loads.h). The reader, the schema, the list of
// all expressions, the nodes of loads and the checks of names follow from the fields.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "gyrostat/expression/dimensions.h"
#include "gyrostat/format/format.h"
#include "gyrostat/format/parts.h"

namespace gyrostat {

/// A member of a kind, and what the model file says of it. The member's type and the form decide how it is read:
///   double          a constant; without a dimension, one of any unit
///   Vector3         a direction: of unit length when read
///   Expression      dynamic; several of them: dynamic_vector or dynamic_list
///   PointReference  attachment, or the two fields body_name and point
///   std::string     text, body_name or table_name
/// A required number that is missing becomes `unreadable`; an optional one keeps the value of its initialiser.
template <class Kind, class Member>
struct Field {
  Member Kind::*member;
  FieldFormat format;
};

template <class Kind, class Member>
constexpr Field<Kind, Member> required_field(Member Kind::*member, std::string_view name, Form form,
                                             std::string_view note, Dimension dimension = dimension::none) {
  return {member, {name, form, note, dimension, true}};
}

template <class Kind, class Member>
constexpr Field<Kind, Member> optional_field(Member Kind::*member, std::string_view name, Form form,
                                             std::string_view note, Dimension dimension = dimension::none) {
  return {member, {name, form, note, dimension}};
}

/// An enumeration, in the order of its choices.
template <class Kind, class Member>
constexpr Field<Kind, Member> choice_field(Member Kind::*member, std::string_view name,
                                           std::span<const std::string_view> choices, std::string_view note) {
  return {member, {name, Form::choice, note, dimension::none, false, nullptr, choices}};
}

/// Required: NAME: object.
template <class Kind, class Member>
constexpr Field<Kind, Member> map_field(Member Kind::*member, std::string_view name, const ObjectFormat& object,
                                        std::string_view note) {
  return {member, {name, Form::object_map, note, dimension::none, true, &object}};
}

/// The field; an empty list is an error.
template <class Kind, class Member>
constexpr Field<Kind, Member> filled(Field<Kind, Member> field) {
  field.format.filled = true;
  return field;
}

/// Reports what is wrong with the field of that name; an empty name means the kind as a whole.
using Wrong = std::function<void(std::string_view field, std::string message)>;

template <class K>
concept IsKind = requires {
  K::kind;
};

/// Do the kind's fields stand beside each other in the load or signal itself, not in a mapping of their own?
template <class K>
constexpr bool is_flat() {
  if constexpr (requires { K::flat; }) return K::flat;
  return false;
}

/// Where a field of the kind is, within the load or signal: "spring.length", or "force" where the kind is flat.
template <IsKind K>
std::string path_in(std::string_view field) {
  if (is_flat<K>()) return std::string(field);
  return field.empty() ? std::string(K::kind) : std::string(K::kind) + "." + std::string(field);
}

/// Calls `act(format, member)` for every field.
template <IsKind K, class Act>
void for_each_field(K& kind, Act act) {
  std::apply([&](const auto&... field) { (act(field.format, kind.*(field.member)), ...); },
             std::remove_const_t<K>::fields());
}

// --- as tables ---------------------------------------------------------------------------------------------------

template <IsKind K>
inline constexpr auto field_formats = std::apply([](const auto&... field) { return std::array{field.format...}; },
                                                 K::fields());

/// The name of the kind's mapping in the schema.
template <IsKind K>
constexpr std::string_view format_name() {
  if constexpr (requires { K::format_name; }) return K::format_name;
  return K::kind;
}

template <IsKind K>
inline constexpr ObjectFormat object_format{format_name<K>(), field_formats<K>};

}  // namespace gyrostat
