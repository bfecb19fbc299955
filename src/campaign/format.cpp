#include "gyrostat/campaign/format.h"

#include <algorithm>
#include <array>

#include "gyrostat/campaign/description.h"

namespace gyrostat::campaign::format {

namespace {

constexpr FieldFormat required(std::string_view name, Form form, std::string_view note) {
  return {name, form, note, dimension::none, true};
}
constexpr FieldFormat optional(std::string_view name, Form form, std::string_view note,
                               Dimension dimension = dimension::none) {
  return {name, form, note, dimension};
}
constexpr FieldFormat nested(std::string_view name, Form form, const ObjectFormat& object, std::string_view note) {
  return {name, form, note, dimension::none, false, &object};
}
template <IsKind K>
constexpr FieldFormat kind() {
  return {K::kind, Form::object, K::note, dimension::none, false, &object_format<K>};
}

constexpr FieldFormat campaign_fields[] = {
    required(version_field, Form::integer, "format version: 1"),
    optional("name", Form::text, "free text"),
    required("model", Form::path, "the model file, relative to this one"),
    nested("vary", Form::object_map, varied, "parameters of the model: a distribution, or values"),
    optional("correlate", Form::matrix, "[A, B, r]: correlations of varied parameters"),
    nested("samples", Form::object, samples, "how many, and how they are chosen"),
    {"measure", Form::object_map, "numbers of a flight, by name", dimension::none, true, &measure},
    nested("require", Form::object_map, requirement, "what must hold of a measure, by its name"),
    nested("record", Form::object, record, "histories that are kept"),
};

constexpr FieldFormat varied_fields[] = {
    kind<Uniform>(),
    kind<Normal>(),
    kind<Truncated>(),
    kind<Lognormal>(),
    kind<Triangular>(),
    kind<Choice>(),
    kind<Table>(),
    optional("values", Form::constant_list, "each of these, with every sample of the others"),
    optional("size", Form::integer, "3 of a vector: its components are independent; default 1"),
};
constexpr std::string_view varied_kinds[] = {Uniform::kind,    Normal::kind, Truncated::kind, Lognormal::kind,
                                             Triangular::kind, Choice::kind, Table::kind,     "values"};

constexpr FieldFormat samples_fields[] = {
    optional("count", Form::whole_number, "how many samples; with sensitivity, base samples"),
    {"method", Form::choice, "default monte_carlo", dimension::none, false, nullptr, methods},
    optional("seed", Form::integer, "of the random numbers; default 0"),
    optional("sensitivity", Form::boolean, "true: the design of Saltelli, for Sobol indices"),
};

constexpr FieldFormat measure_fields[] = {
    optional("max", Form::dynamic, "the largest value of an expression"),
    optional("min", Form::dynamic, "the smallest value"),
    optional("final", Form::dynamic, "the value at the end"),
    optional("mean", Form::dynamic, "the mean over time"),
    optional("rms", Form::dynamic, "the root of the mean of the square"),
    optional("first_time", Form::dynamic, "when a condition first holds, s"),
    optional("integral", Form::dynamic, "over time"),
    optional(Measure::computed_kind, Form::text, "by the program that flies the campaign: what it is, in words"),
    optional("unit", Form::text, "of a computed one, like rad/s"),
    optional("after", Form::constant, "instants before this one do not count, s", dimension::time),
    optional("between", Form::constant_list, "[FROM, TO]: only these instants count, s", dimension::time),
    optional("for", Form::constant, "of first_time: how long it must hold, s; default 0", dimension::time),
    optional("required", Form::boolean, "of first_time: true: a flight in which it does not come has failed"),
};

constexpr auto measure_kind_fields = [] {
  std::array<std::string_view, Measure::kinds.size() + 1> all = {};
  std::ranges::copy(Measure::kinds, all.begin());
  all.back() = Measure::computed_kind;
  return all;
}();

constexpr FieldFormat requirement_fields[] = {
    optional("below", Form::constant, "the measure is below this"),
    optional("above", Form::constant, "the measure is above this"),
    optional("in", Form::constant, "in that fraction of the flights: 99.7 %; default 100 %, all that are flown"),
    optional("confidence", Form::constant, "with which that is to be shown: 90 %, the default"),
};

constexpr FieldFormat record_fields[] = {
    {"interval", Form::constant, "s between records", dimension::time, true},
    optional("columns", Form::names, "quantities; default those that the model records"),
    optional("of", Form::whole_number, "the first so many flights"),
    nested("worst", Form::object, worst, "those that are worst by a measure"),
};
constexpr FieldFormat worst_fields[] = {
    required("measure", Form::name, "which"),
    required("count", Form::whole_number, "how many flights"),
};

}  // namespace

const ObjectFormat campaign{"campaign", campaign_fields};
const ObjectFormat varied{"varied", varied_fields, varied_kinds};
const ObjectFormat samples{"samples", samples_fields};
const ObjectFormat measure{"measure", measure_fields, measure_kind_fields};
const ObjectFormat requirement{"requirement", requirement_fields};
const ObjectFormat record{"record", record_fields};
const ObjectFormat worst{"worst", worst_fields};

}  // namespace gyrostat::campaign::format
