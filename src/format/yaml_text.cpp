#include "gyrostat/format/yaml_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace gyrostat {

namespace {

constexpr std::size_t line_width = 120;

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// Can the text stand without quotes, in brackets too? Some that could are quoted.
bool is_safe(std::string_view text) {
  constexpr std::string_view inside = "_.+-*/^()<>= ", at_start = "_.(";
  if (text.empty() || text.back() == ' ') return false;
  const bool number = text.size() > 1 && (text[0] == '-' || text[0] == '+') && text[1] != ' ';
  if (!is_alphanumeric(text[0]) && at_start.find(text[0]) == std::string_view::npos && !number) return false;
  return std::ranges::all_of(text,
                             [&](char c) { return is_alphanumeric(c) || inside.find(c) != std::string_view::npos; });
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool two_bytes = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (byte == '"' || byte == '\\') {
      result += '\\';
      result += text[i];
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02X}", byte);
    } else if (two_bytes) {  // a control character
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[++i]));
    } else {
      result += text[i];
    }
  }
  return result + '"';
}

/// On one line; the whole of it may be long.
std::string flow(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::null: return "~";
    case YamlNode::Kind::scalar: return node.plain && is_safe(node.text) ? node.text : in_quotes(node.text);
    case YamlNode::Kind::sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ", ") + flow(item);
      return "[" + text + "]";
    case YamlNode::Kind::mapping:
      for (std::size_t i = 0; i + 1 < node.items.size(); i += 2)
        text += (text.empty() ? "" : ", ") + flow(node.items[i]) + ": " + flow(node.items[i + 1]);
      return "{" + text + "}";
  }
  return text;
}

/// What follows "key:" or "-", from the space on, with the end of the line.
void write_value(const YamlNode& node, std::size_t indent, bool on_lines, std::string& text) {
  const bool is_scalar = node.kind == YamlNode::Kind::null || node.kind == YamlNode::Kind::scalar;
  const std::size_t line_begin = text.rfind('\n') + 1;
  const std::string line = flow(node);
  const bool fits = text.size() - line_begin + line.size() < line_width;
  if (is_scalar || node.items.empty() || (fits && !on_lines)) {
    text += fmt::format(" {}\n", line);
    return;
  }
  text += '\n';
  const std::string blanks(indent, ' ');
  const bool mapping = node.kind == YamlNode::Kind::mapping;
  for (std::size_t i = 0; i < node.items.size(); i += mapping ? 2 : 1) {
    text += mapping ? fmt::format("{}{}:", blanks, flow(node.items[i])) : blanks + "-";
    write_value(node.items[mapping ? i + 1 : i], indent + 2, false, text);
  }
}

}  // namespace

std::string yaml_text(const YamlNode& root) {
  if (root.kind != YamlNode::Kind::mapping) return flow(root) + "\n";
  std::string text;
  for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
    text += flow(root.items[i]) + ":";
    write_value(root.items[i + 1], 2, true, text);
  }
  return text;
}

}  // namespace gyrostat
