#include "gyrostat/campaign/read.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "gyrostat/campaign/format.h"
#include "gyrostat/campaign/samples_file.h"
#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_fields.h"
#include "gyrostat/format/schema.h"
#include "gyrostat/format/text_file.h"

namespace gyrostat::campaign {

using namespace reading;  // NOLINT(google-build-using-namespace): this file is one of that kind

namespace {

/// The version comes first: a file of another version may differ in every other field.
bool is_campaign(const Value& root) {
  constexpr std::string_view first = format::version_field;
  const YamlNode* node = root.node.find(first);
  if (node == nullptr && root.node.find("gyrostat") != nullptr) {
    root.error("this is a model file; a campaign file begins with 'gyrostat_campaign: 1' and names its model");
    return false;
  }
  if (node == nullptr) {
    root.error("missing the first line of a campaign file: 'gyrostat_campaign: 1'");
    return false;
  }
  const Value version{*node, {&root.path, first, {}}, root.context};
  if (version.is_scalar() && node->text == "1") return true;
  if (version.is_scalar()) version.error(fmt::format("this program reads format version 1, not '{}'", node->text));
  if (!version.is_scalar()) version.expected("the format version, 1");
  return false;
}

/// Numbers that are all of one parameter: units must agree.
class NumbersOf {
 public:
  double read(const Value& value) {
    const expression::Constant constant = read_measured(value);
    if (constant.dimension && !dimension) dimension = constant.dimension;
    if (constant.dimension && !compatible_but_for_angle(*constant.dimension, *dimension)) {
      value.error(fmt::format("is in {}, but another number here is in {}", unit_text(*constant.dimension),
                              unit_text(*dimension)));
      return unreadable;
    }
    return within_limits(value, constant.value);
  }

  std::vector<double> read_list(const Value& value) {
    std::vector<double> list;
    if (!value.is_list()) {
      value.expected("a list of numbers");
      return {unreadable};
    }
    if (value.node.items.size() > limits::values) {
      value.error(fmt::format("{} values; the limit is {}", value.node.items.size(), limits::values));
      return {unreadable};
    }
    for (std::size_t i = 0; i < value.node.items.size(); ++i) list.push_back(read(value.item(i)));
    return list;
  }

  std::optional<Dimension> dimension;
};

/// Reads the fields of a distribution, each as its type says.
struct DistributionReader {
  const Fields& fields;
  NumbersOf& numbers;
  std::string_view plain;

  void operator()(const FieldFormat& format, double& x) const {
    const auto value = fields.find(format.name);
    x = !value ? unreadable : format.name == plain ? read_constant(*value, dimension::none) : numbers.read(*value);
  }
  void operator()(const FieldFormat& format, std::vector<double>& list) const {
    const auto value = fields.find(format.name);
    if (value && format.name == plain) list = read_constant_list(*value, dimension::none);
    if (value && format.name != plain) list = numbers.read_list(*value);
    if (!value && format.required) list = {unreadable};  // reported as missing
  }
  void operator()(const FieldFormat& format, std::string& text) const { text = fields.text(format.name); }
  void operator()(const FieldFormat& format, std::vector<std::string>& names) const {
    names = fields.names(format.name);
  }
};

template <std::size_t Index = 0>
Distribution read_distribution(const Fields& varied, std::string_view kind, NumbersOf& numbers) {
  using K = std::variant_alternative_t<Index, Distribution>;
  if (kind == K::kind) {
    K distribution;
    const Value value = *varied.find(kind);
    const Fields fields(value, object_format<K>);
    std::string_view plain;
    if constexpr (requires { K::plain; }) plain = K::plain;
    for_each_field(distribution, DistributionReader{fields, numbers, plain});
    return distribution;
  }
  if constexpr (Index + 1 < std::variant_size_v<Distribution>) {
    return read_distribution<Index + 1>(varied, kind, numbers);
  } else {
    return {};
  }
}

class Reader {
 public:
  Reader(std::filesystem::path folder, const std::vector<results::Table>* stored)
      : folder_(std::move(folder)), stored_(stored) {}

  CampaignDescription read(const Value& root) {
    const Fields fields(root, format::campaign);
    campaign_.name = fields.text("name");
    campaign_.model = fields.text("model");
    if (const auto model = fields.find("model"); model && model->is_scalar() && campaign_.model.empty())
      model->expected("the path of a model file");
    if (const auto vary = fields.find("vary"))
      for_each_entry(*vary, [&](std::string_view name, const Value& value) { read_varied(name, value); });
    read_samples(fields);
    if (const auto correlate = fields.find("correlate")) read_correlations(*correlate);
    if (const auto measure = fields.find("measure")) {
      if (measure->node.items.empty() && !measure->is_scalar())
        measure->error("at least one measure is needed, like peak: {max: norm(error)}");
      for_each_entry(
          *measure, [&](std::string_view name, const Value& entry) { read_measure(name, entry); }, Dots::refused);
    }
    if (const auto require = fields.find("require"))
      for_each_entry(*require, [&](std::string_view name, const Value& value) { read_requirement(name, value); });
    if (const auto record = fields.find("record")) read_record(*record);
    return std::move(campaign_);
  }

 private:
  void read_varied(std::string_view name, const Value& value) {
    const Fields fields(value, format::varied);
    const auto kind = fields.kind();
    if (!kind) {
      unread_.emplace_back(name);  // reported
      return;
    }
    NumbersOf numbers;
    const auto size = fields.find("size");
    if (*kind == "values") {
      Factor factor{std::string(name), {}, {}};
      factor.values = numbers.read_list(*fields.find("values"));
      factor.dimension = numbers.dimension;
      if (size) size->error("values are numbers; of a vector, give the components to parameters of their own");
      campaign_.factors.push_back(std::move(factor));
      return;
    }
    Varied varied{std::string(name), 1, read_distribution(fields, *kind, numbers), numbers.dimension};
    if (size) {
      const long number = read_integer(*size);
      if (number != 1 && number != 3) size->error("is 1 for a number or 3 for a vector");
      if (number == 3) varied.size = 3;
    }
    if (auto* table = std::get_if<Table>(&varied.distribution)) {
      const Value at = *fields.find("table");
      read_table(at, varied, *table);
    }
    campaign_.vary.push_back(std::move(varied));
  }

  void read_table(const Value& value, Varied& varied, Table& table) {
    const auto field = [&](std::string_view name) {
      return Value{*value.node.find(name), {&value.path, name, {}}, value.context};
    };
    double factor = 1;
    if (!table.unit.empty()) {
      const UnitParsed parsed = parse_unit(table.unit);
      if (parsed.complaint) field("unit").error_at(parsed.complaint->offset, parsed.complaint->message);
      factor = parsed.unit.factor;
      if (!parsed.complaint) varied.dimension = parsed.unit.dimension;
    }
    const std::vector<std::string> names =
        table.columns.empty() ? std::vector<std::string>(table.column.empty() ? 0 : 1, table.column) : table.columns;
    if (table.file.empty() || !(table.column.empty() || table.columns.empty())) return;  // reported, now or later
    if (stored_ != nullptr) return take_stored(field("file"), varied, table);
    const std::string path = (folder_ / table.file).lexically_normal().string();
    for (const std::string& name : names) {
      auto read = files_.column(path, name);
      if (const auto* why = std::get_if<std::string>(&read)) {
        return field("file").error(*why);
      }
      table.rows.push_back(std::get<std::vector<double>>(std::move(read)));
      for (double& number : table.rows.back()) number *= factor;
    }
  }

  /// The rows as they were when the campaign was begun [SI].
  void take_stored(const Value& file, const Varied& varied, Table& table) {
    for (std::size_t i = 0; i < varied.size; ++i) {
      const std::string name =
          varied.size == 1 ? varied.parameter : varied.parameter + std::string(component_suffixes[i]);
      const auto found = std::ranges::find(*stored_, name, &results::Table::name);
      if (found == stored_->end()) return file.error("its samples are not in the results");
      table.rows.push_back(found->values);
    }
  }

  void read_samples(const Fields& root) {
    const auto value = root.find("samples");
    if (!value) {
      if (!campaign_.vary.empty() || campaign_.factors.empty())
        root.missing("samples", "say how many flights: samples: {count: 1000}");
      if (campaign_.vary.empty()) campaign_.method = Method::factorial;  // of factors only
      return;
    }
    const Fields fields(*value, format::samples);
    campaign_.method = fields.choice_as("method", Method::monte_carlo);
    campaign_.sensitivity = fields.boolean("sensitivity");
    if (const auto seed = fields.find("seed")) {
      const long number = read_integer(*seed);
      if (number < 0) seed->error("must not be negative");
      campaign_.seed = static_cast<std::uint64_t>(std::max(number, 0L));
    }
    const auto count = fields.find("count");
    if (campaign_.method == Method::factorial) {
      if (count) count->error("factorial flies every combination of values once; it has no count");
      return;
    }
    if (!count) return fields.missing("count", "say how many samples");
    campaign_.count = read_count(*count, "sample");
  }

  static std::uint64_t read_count(const Value& value, std::string_view what) {
    const std::size_t errors = value.context.problems.errors_found();
    const long number = read_integer(value);
    if (value.context.problems.errors_found() > errors) return 1;
    if (number < 1) value.error(fmt::format("at least 1 {} is needed", what));
    const bool too_many = number > static_cast<long>(limits::flights);
    if (too_many) value.error(fmt::format("{} {}s; the limit is {}", number, what, limits::flights));
    return number < 1 || too_many ? 1 : static_cast<std::uint64_t>(number);
  }

  void read_correlations(const Value& value) {
    if (value.is_null()) return;
    if (!value.is_list()) return value.expected("a list of correlations like [bus_mass, boom_length, 0.6]");
    const std::vector<std::string> columns = sampled_columns(campaign_);
    for (std::size_t i = 0; i < value.node.items.size(); ++i)
      campaign_.correlate.push_back(read_correlation(value.item(i), columns));
  }

  /// One that cannot be read keeps its place, so that paths like correlate[3] stay true: its value is NaN.
  Correlation read_correlation(const Value& value, const std::vector<std::string>& columns) {
    Correlation correlation{0, 0, unreadable};
    constexpr std::string_view wanted = "two varied parameters and a number, like [bus_mass, boom_length, 0.6]";
    if (!value.is_list()) {
      value.expected(wanted);
      return correlation;
    }
    if (value.node.items.size() != 3) {
      value.error(fmt::format("expected {}, got a list of {}", wanted, value.node.items.size()));
      return correlation;
    }
    const auto a = read_column(value.item(0), columns), b = read_column(value.item(1), columns);
    const double number = read_constant(value.item(2), dimension::none);
    if (a && b) correlation = {*a, *b, number};
    return correlation;
  }

  std::optional<std::size_t> read_column(const Value& value, const std::vector<std::string>& columns) {
    const std::string name = read_name(value);
    if (name.empty()) return std::nullopt;
    const auto found = std::ranges::find(columns, name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
    const bool vector = std::ranges::find(columns, name + ".x") != columns.end();
    const bool factor = std::ranges::find(campaign_.factors, name, &Factor::parameter) != campaign_.factors.end();
    const bool reported = std::ranges::find(unread_, name) != unread_.end();
    const std::string whole = name.substr(0, name.rfind('.'));
    if (whole != name && std::ranges::find(columns, whole) != columns.end()) {
      value.error(fmt::format("'{}' is varied as a number; of a vector, add size: 3 to it", whole));
    } else if (vector) {
      value.error(fmt::format("'{}' is a vector; write {}.x, {}.y or {}.z", name, name, name, name));
    } else if (factor) {
      value.error(fmt::format("'{}' has values, not a distribution: nothing can be correlated with it", name));
    } else if (!reported) {
      value.error(fmt::format("'{}' is not varied{}", name, did_you_mean(name, columns)));
    }
    return std::nullopt;
  }

  void read_measure(std::string_view name, const Value& value) {
    const Fields fields(value, format::measure);
    const auto kind = fields.kind();
    Measure measure;
    measure.name = name;
    measure.computed = kind == Measure::computed_kind;
    if (measure.computed) {
      read_computed(fields, measure);
    } else if (kind) {
      const auto found = std::ranges::find(Measure::kinds, *kind);
      measure.kind = static_cast<Measure::Kind>(found - std::begin(Measure::kinds));
      const Value expression = *fields.find(*kind);
      static_cast<void>(read_dynamic(expression, std::nullopt));
      measure.expression = expression.node.text;
      measure.place = place_in(expression.node, expression.context.source, 0);
      if (expression.is_scalar() && measure.expression.empty()) expression.expected("an expression");
    }
    measure.after = fields.constant("after", 0);
    measure.hold = fields.constant("for", 0);
    measure.required = fields.boolean("required");
    if (const auto between = fields.find("between")) {
      if (!between->is_list() || between->node.items.size() != 2) {
        between->expected("two instants, like [100, 200]");
      } else {
        const std::vector<double> ends = fields.constant_list("between");
        if (ends[0] >= ends[1]) between->error("the second instant must be after the first");
        if (fields.has("after")) between->error("after is given as well; only one of them can be");
        measure.after = ends[0];
        measure.before = ends[1];
      }
    }
    if (const auto unit = fields.find("unit"); unit && kind && !measure.computed)
      unit->error("belongs to computed; of an expression it is known");
    if (const auto hold = fields.find("for"); hold && kind && measure.kind != Measure::Kind::first_time)
      hold->error("belongs to first_time");
    if (const auto required = fields.find("required"); required && kind && measure.kind != Measure::Kind::first_time)
      required->error(
          "belongs to first_time: a flight in which that does not come has failed; of other measures, "
          "`require` says what must hold");
    for (const std::string_view field : {"after", "between"}) {
      if (const auto window = fields.find(field); window && kind && measure.kind == Measure::Kind::final)
        window->error("does not go with final, which is the value at the end");
    }
    campaign_.measures.push_back(std::move(measure));
  }

  static void read_computed(const Fields& fields, Measure& measure) {
    measure.expression = fields.text(Measure::computed_kind);
    measure.unit = fields.text("unit");
    if (const Value words = *fields.find(Measure::computed_kind); words.is_scalar() && measure.expression.empty())
      words.expected("what is computed, in words");
    if (!measure.unit.empty()) {
      const UnitParsed parsed = parse_unit(measure.unit);
      if (parsed.complaint) fields.find("unit")->error_at(parsed.complaint->offset, parsed.complaint->message);
      if (!parsed.complaint && parsed.unit.factor != 1)
        fields.find("unit")->error("numbers are in SI units: " + unit_text(parsed.unit.dimension));
    }
    for (const std::string_view field : {"after", "between"}) {
      if (const auto window = fields.find(field)) window->error("does not go with computed: the program sees all");
    }
  }

  /// "99.7 %" or 0.997.
  static double read_fraction(const Value& value) {
    const std::string& text = value.node.text;
    if (value.is_scalar() && text.ends_with('%')) {
      const std::size_t end = text.find_last_not_of(" %");
      double number = 0;
      const char* const stop = text.data() + (end == std::string::npos ? 0 : end + 1);
      const auto result = std::from_chars(text.data(), stop, number);
      if (result.ec == std::errc{} && result.ptr == stop && std::isfinite(number)) return number / 100;
      value.expected("a fraction, like 99.7 %");
      return unreadable;
    }
    const double number = read_constant(value, dimension::none);
    if (number <= 1 || std::isnan(number)) return number;
    value.error(fmt::format("a fraction is at most 1; is {} % meant?", number));
    return unreadable;
  }

  void read_requirement(std::string_view name, const Value& value) {
    const Fields fields(value, format::requirement);
    Requirement requirement;
    requirement.measure = name;
    NumbersOf numbers;
    if (const auto below = fields.find("below")) requirement.below = numbers.read(*below);
    if (const auto above = fields.find("above")) requirement.above = numbers.read(*above);
    requirement.dimension = numbers.dimension;
    if (const auto in = fields.find("in")) requirement.fraction = read_fraction(*in);
    if (const auto confidence = fields.find("confidence")) requirement.confidence = read_fraction(*confidence);
    campaign_.require.push_back(std::move(requirement));
  }

  void read_record(const Value& value) {
    const Fields fields(value, format::record);
    Recording recording;
    recording.interval = fields.constant("interval", unreadable);
    recording.columns = fields.names("columns");
    if (const auto of = fields.find("of")) recording.of = read_count(*of, "flight");
    if (const auto worst = fields.find("worst")) {
      const Fields of_worst(*worst, format::worst);
      recording.worst = of_worst.text("measure");
      if (const auto count = of_worst.find("count")) recording.worst_count = read_count(*count, "flight");
    } else if (!fields.has("of") && value.is_mapping()) {
      value.error("says no flights; give of: 100 for the first hundred, or worst: {measure: NAME, count: 10}");
    }
    campaign_.record = std::move(recording);
  }

  std::filesystem::path folder_;
  const std::vector<results::Table>* stored_;  // or none
  SamplesFiles files_;
  CampaignDescription campaign_;
  std::vector<std::string> unread_;  // varied parameters without a distribution that can be read
};

}  // namespace

ReadCampaign read_campaign_text(std::string file, std::string text, const std::vector<results::Table>* stored) {
  ReadCampaign read;
  text = without_byte_order_mark(std::move(text));
  const bool too_large = text.size() > gyrostat::limits::file_bytes;
  if (too_large) text.clear();
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  read.source = Source(std::move(file), std::move(text));
  if (too_large) {
    read.problems.error("",
                        fmt::format("the file is larger than {} MiB, the limit", gyrostat::limits::file_bytes >> 20U));
    return read;
  }
  const YamlNode tree = parse_yaml(read.source, read.problems);
  Context context{read.source, read.problems, {}, {}};
  const Value root{tree, {}, context};
  if (read.problems.errors() > 0) {  // what the file lacks may stand in the part that was not read
  } else if (root.is_null()) {
    root.error("the file is empty; a campaign file begins with 'gyrostat_campaign: 1'");
  } else if (!root.is_mapping()) {
    root.expected("a campaign: 'gyrostat_campaign: 1', 'model:' and so on");
  } else if (is_campaign(root)) {
    CampaignDescription campaign = Reader(folder, stored).read(root);
    validate(campaign, read.problems);
    if (read.problems.errors() == 0) read.campaign = std::move(campaign);
  }
  find_places(read.source, read.problems);
  return read;
}

bool looks_like_campaign(std::string_view text) {
  const std::string first = std::string(format::version_field) + ":";
  return text.starts_with(first) || text.find("\n" + first) != std::string_view::npos;
}

std::string campaign_schema() {
  return json_schema_of(format::campaign, format::version_field, "Gyrostat campaign file");
}

ReadCampaign read_campaign(const std::string& path) {
  std::error_code ignored;
  std::string why = "is a directory, not a campaign file";
  if (!std::filesystem::is_directory(path, ignored)) {
    if (auto text = text_of_file(path, why)) return read_campaign_text(path, std::move(*text));
  }
  ReadCampaign read;
  read.source = Source(path, "");
  read.problems.error("", why);
  return read;
}

void find_places(const Source& source, Problems& problems) {
  if (!source.text().empty()) {
    Problems ignored;
    const YamlNode tree = parse_yaml(source, ignored);
    for (Problem& problem : problems.all()) {
      if (problem.place.line == 0) problem.place = place_of(tree, source, problem.path, problem.offset);
    }
  }
  problems.sort();
}

}  // namespace gyrostat::campaign
