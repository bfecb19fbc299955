#include "gyrostat/format/yaml_tree.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "gyrostat/format/limits.h"

namespace gyrostat {

namespace {

struct Refused {
  YAML::Mark mark;
  std::string message;
};

/// Builds the tree from yaml-cpp's events, with a stack of its own. Throws Refused through the parser, which is ours
/// to catch again in parse_yaml.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(YamlNode& root, std::string_view text) : root_(root), text_(text) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) throw Refused{mark, "a model file holds one YAML document, and a second begins here"};
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const bool dashed = !open_.empty() && open_.back()->kind == YamlNode::Kind::sequence && open_.back()->plain;
    add(dashed ? dash_before(mark) : mark, "", anchor, YamlNode::Kind::null);
    ends_quoted_ = false;
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark, "YAML aliases are not part of the format; use parameters for values used twice"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    YamlNode& node = add(mark, tag, anchor, YamlNode::Kind::scalar);
    node.plain = tag == "?";
    node.text = text;
    if (!node.plain) last_quoted_mark_ = mark;
    ends_quoted_ = !node.plain;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    push(mark, tag, anchor, YamlNode::Kind::sequence);
    open_.back()->plain = style != YAML::EmitterStyle::Flow;
  }
  void OnSequenceEnd() override { open_.pop_back(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    push(mark, tag, anchor, YamlNode::Kind::mapping);
  }
  void OnMapEnd() override { open_.pop_back(); }

  /// Where the document's last scalar begins, if it has quotes.
  [[nodiscard]] std::optional<YAML::Mark> last_quoted() const {
    return ends_quoted_ ? std::optional(last_quoted_mark_) : std::nullopt;
  }

 private:
  void push(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    if (open_.size() >= limits::nesting_depth) {
      throw Refused{mark, fmt::format("lists and mappings nested more than {} deep", limits::nesting_depth)};
    }
    open_.push_back(&add(mark, tag, anchor, kind));
  }

  /// An entry of a list that is left out is noticed only at what follows; it stands at its dash.
  [[nodiscard]] YAML::Mark dash_before(YAML::Mark mark) const {
    constexpr std::size_t near = 200;  // further back it is not looked for
    const auto here = static_cast<std::size_t>(mark.pos), from = here > near ? here - near : 0;
    const std::size_t offset = text_.substr(from, here - from).rfind('-');
    if (offset == std::string_view::npos) return mark;
    const std::size_t dash = from + offset;
    const std::string_view between = text_.substr(dash, static_cast<std::size_t>(mark.pos) - dash);
    const std::size_t line_end = text_.rfind('\n', dash);
    mark.line -= static_cast<int>(std::count(between.begin(), between.end(), '\n'));
    mark.column = static_cast<int>(line_end == std::string_view::npos ? dash : dash - line_end - 1);
    return mark;
  }

  YamlNode& add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Kind kind) {
    if (anchor != YAML::NullAnchor) throw Refused{mark, "YAML anchors are not part of the format; use parameters"};
    if (!tag.empty() && tag != "?" && tag != "!") throw Refused{mark, "YAML tags are not part of the format"};
    if (++nodes_ > limits::yaml_nodes) throw Refused{mark, fmt::format("more than {} values", limits::yaml_nodes)};
    // A node that is open does not move: only the innermost open node's list grows, and it holds no open node then.
    YamlNode* node = &root_;
    if (!open_.empty()) node = &open_.back()->items.emplace_back();
    node->kind = kind;
    node->line = static_cast<std::uint32_t>(mark.line);
    node->column = static_cast<std::uint32_t>(mark.column);
    return *node;
  }

  YamlNode& root_;
  std::string_view text_;
  std::vector<YamlNode*> open_;
  std::size_t documents_ = 0, nodes_ = 0;
  YAML::Mark last_quoted_mark_;
  bool ends_quoted_ = false;
};

/// Is there an end to the quote that begins at a byte of the text? yaml-cpp takes the end of the file for one.
bool quote_is_closed(std::string_view text, std::size_t begin) {
  const char quote = begin < text.size() ? text[begin] : ' ';
  if (quote != '"' && quote != '\'') return true;  // a block scalar
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    const bool escaped = quote == '"' && text[i] == '\\';
    const bool doubled = quote == '\'' && text.substr(i, 2) == "''";
    if (!escaped && !doubled && text[i] == quote) return true;
    if (escaped || doubled) ++i;
  }
  return false;
}

/// A tab among the first blanks of a line is what YAML forbids and editors hide.
bool tab_in_indentation(std::string_view line, std::size_t& column) {
  const std::size_t first = line.find_first_not_of(" \t");
  column = line.substr(0, first).find('\t');
  return column != std::string_view::npos;
}

/// What YAML takes for something else in an expression: the colon of `c ? a : b`, and a bar.
std::string_view remedy(std::string_view line, std::size_t column) {
  const std::size_t choice = line.find(" ? ");
  const bool colon = choice < column && column < line.size() && line[column] == ':';
  return colon ? "; an expression with '?' and ':' stands in quotes" : "";
}

Problem syntax_problem(const YAML::Exception& exception, const Source& source) {
  const std::size_t line = exception.mark.is_null() ? 0 : static_cast<std::size_t>(exception.mark.line);
  const std::size_t column = exception.mark.is_null() ? 0 : static_cast<std::size_t>(exception.mark.column);
  for (std::size_t back = 0; back < 2 && back <= line; ++back) {  // the tab may be noticed a line late
    std::size_t tab = 0;
    if (tab_in_indentation(source.line(line - back), tab)) {
      return {Severity::error, "", "a tab in the indentation; YAML indents with spaces", source.place(line - back, tab),
              0};
    }
  }
  return {Severity::error, "", fmt::format("not valid YAML: {}{}", exception.msg, remedy(source.line(line), column)),
          source.place(line, column), 0};
}

/// Position of the first byte that is not UTF-8 text, or npos. Control characters other than tab, line feed and
/// carriage return are not text.
std::size_t first_bad_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned c = byte(i);
    if (c < 0x80) {
      if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) return i;
      ++i;
      continue;
    }
    const std::size_t length = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    if (length == 0) return i;
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(i + k) & 0xC0U) != 0x80U) return i;
    }
    const unsigned second = byte(i + 1);
    const bool overlong = (c == 0xE0 && second < 0xA0) || (c == 0xF0 && second < 0x90);
    if (c == 0xC2 && second < 0xA0) return i;  // a control character
    const bool surrogate = c == 0xED && second >= 0xA0, too_large = c == 0xF4 && second >= 0x90;
    if (overlong || surrogate || too_large) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  if (kind != Kind::mapping) return nullptr;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i].text == key) return &items[i + 1];
  }
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view key) {
  return const_cast<YamlNode*>(std::as_const(*this).find(key));  // NOLINT(*-const-cast): of a tree that is not const
}

YamlNode parse_yaml(const Source& source, Problems& problems) {
  YamlNode root;
  const std::string_view text = source.text();
  if (const std::size_t bad = first_bad_byte(text); bad != std::string_view::npos) {
    std::size_t line = 0, start = 0;
    for (std::size_t i = 0; i < bad; ++i) {
      if (text[i] == '\n') {
        ++line;
        start = i + 1;
      }
    }
    problems.error("", fmt::format("the byte 0x{:02X} is not UTF-8 text", static_cast<unsigned char>(text[bad])),
                   source.place(line, bad - start));
    return root;
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder builder(root, text);
    while (parser.HandleNextDocument(builder)) {
    }
    if (const auto quoted = builder.last_quoted();
        quoted && !quote_is_closed(text, static_cast<std::size_t>(quoted->pos))) {
      throw Refused{*quoted, "the quote that begins here is never closed"};
    }
  } catch (const Refused& refused) {
    problems.error(
        "", refused.message,
        source.place(static_cast<std::size_t>(refused.mark.line), static_cast<std::size_t>(refused.mark.column)));
  } catch (const YAML::Exception& exception) {
    problems.add(syntax_problem(exception, source));
  }
  return root;
}

namespace {

/// A byte of the text that is read, in the text that the file has.
std::size_t written_offset(const Origin& origin, std::size_t offset) {
  std::size_t written = offset;
  for (const Origin::Replacement& r : origin.replaced) {
    if (offset < r.begin) break;
    written = offset < r.end ? r.written_begin : r.written_end + (offset - r.end);
  }
  return written;
}

}  // namespace

Place place_in(const YamlNode& node, const Source& source, std::size_t offset) {
  const Origin& origin = source.origin(node.origin);
  const Source& file = source.part(origin.file);
  const std::string_view line = file.line(node.line);
  const std::string_view text = origin.replaced.empty() ? node.text : origin.written;
  offset = written_offset(origin, offset);
  const std::size_t start = node.column + (node.plain ? 0U : 1U);
  const bool as_written = start + offset <= line.size() && line.substr(start, offset) == text.substr(0, offset);
  Place place = file.place(node.line, offset > 0 && as_written ? start + offset : node.column);
  place.instance = origin.instance;
  return place;
}

namespace {

/// The value whose key a path begins with, and the key's length. Names made by templates and the coordinates of
/// couplings have dots; the longest key is meant.
std::pair<const YamlNode*, std::size_t> value_at_start(const YamlNode& mapping, std::string_view path) {
  const std::string_view name = path.substr(0, path.find_first_of(".["));
  std::pair<const YamlNode*, std::size_t> found = {mapping.find(name), name.size()};
  if (found.first != nullptr || mapping.kind != YamlNode::Kind::mapping) return found;
  for (std::size_t i = 0; i + 1 < mapping.items.size(); i += 2) {
    const std::string& key = mapping.items[i].text;
    if (key.size() <= name.size() || !path.starts_with(key)) continue;
    const bool ends = path.size() == key.size() || path[key.size()] == '[' || path[key.size()] == '.';
    if (ends && (found.first == nullptr || key.size() > found.second)) found = {&mapping.items[i + 1], key.size()};
  }
  return found;
}

}  // namespace

Place place_of(const YamlNode& root, const Source& source, std::string_view path, std::size_t offset) {
  const YamlNode* node = &root;
  const YamlNode* shown = &root;  // a value, or its key where the value spreads over the lines below or is missing
  while (!path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      const char* const end = std::from_chars(path.data() + 1, path.data() + path.size(), index).ptr;
      path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
      if (node->kind != YamlNode::Kind::sequence || index >= node->items.size()) break;
      node = shown = &node->items[index];
      continue;
    }
    if (path.front() == '.') path.remove_prefix(1);
    const auto [value, length] = value_at_start(*node, path);
    path.remove_prefix(length);
    if (value == nullptr) break;  // a missing field is reported where the thing that lacks it stands
    const YamlNode* key = value - 1;
    const bool elsewhere = value->line != key->line && value->origin == key->origin;  // not given to a template
    const bool below = value->kind == YamlNode::Kind::null || elsewhere;
    node = value;
    shown = below ? key : value;
  }
  return place_in(*shown, source, offset);
}

}  // namespace gyrostat
