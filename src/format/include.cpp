#include "gyrostat/format/include.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/text_file.h"

namespace gyrostat {

namespace {

namespace fs = std::filesystem;

void set_origin(YamlNode& node, std::uint32_t origin) {
  node.origin = origin;
  for (YamlNode& item : node.items) set_origin(item, origin);
}

/// Does the file system know the two names as one file?
fs::path identity(const fs::path& path) {
  std::error_code error;
  fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path : canonical;
}

constexpr std::string_view expected_names =
    "expected the name of a file, relative to this one, or a list of such names";

class Including {
 public:
  Including(Source& source, Problems& problems)
      : source_(source), problems_(problems), bytes_(source.text().size()), open_{source.file()} {
    read_.push_back(identity(source.file()));
  }

  /// The tree with what it includes. `folder` is that of its file.
  YamlNode completed(YamlNode own, const fs::path& folder) {
    const YamlNode* include = own.find("include");
    if (include == nullptr) return own;
    YamlNode whole;
    whole.kind = YamlNode::Kind::mapping;
    whole.line = own.line;
    whole.column = own.column;
    whole.origin = own.origin;
    if (include->kind == YamlNode::Kind::sequence && !include->items.empty()) {
      for (const YamlNode& name : include->items) add(name, folder, whole);
    } else if (include->kind == YamlNode::Kind::null) {
      error(*(include - 1), "include", std::string(expected_names));  // at the key
    } else {
      add(*include, folder, whole);
    }
    join(std::move(own), whole);
    return whole;
  }

 private:
  void error(const YamlNode& at, std::string path, std::string message) {
    problems_.error(std::move(path), std::move(message), place_in(at, source_, 0));
  }

  void add(const YamlNode& name, const fs::path& folder, YamlNode& whole) {
    if (name.kind != YamlNode::Kind::scalar || name.text.empty())
      return error(name, "include", std::string(expected_names));
    const fs::path path = (folder / name.text).lexically_normal();
    const fs::path known_as = identity(path);
    const auto open = std::ranges::find(open_, known_as, identity);
    if (open != open_.end()) {
      std::vector<std::string> chain;
      for (auto file = open; file != open_.end(); ++file) chain.push_back(file->string());
      return error(name, "include",
                   fmt::format("a file includes itself: {} -> {}", fmt::join(chain, " -> "), open->string()));
    }
    if (std::ranges::find(read_, known_as) != read_.end()) return;  // its sections are here already
    if (open_.size() > limits::include_depth)
      return error(name, "include", fmt::format("files include each other more than {} deep", limits::include_depth));
    if (read_.size() > limits::included_files)
      return error(name, "include", fmt::format("more than {} files are included", limits::included_files));
    read_.push_back(known_as);
    if (auto tree = read(name, path)) {
      open_.push_back(path);
      join(completed(std::move(*tree), path.parent_path()), whole);
      open_.pop_back();
    }
  }

  std::optional<YamlNode> read(const YamlNode& name, const fs::path& path) {
    const auto refuse = [&](std::string_view why) {
      error(name, "include", fmt::format("the file {} {}", path.string(), why));
      return std::nullopt;
    };
    std::error_code ignored;
    std::string why;
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored) && !fs::is_directory(path, ignored))
      return refuse("is not a file that can be included");
    auto text = text_of_file(path.string(), why);
    if (!text) return refuse(why);
    bytes_ += text->size();
    if (bytes_ > limits::file_bytes)
      return refuse(fmt::format("makes the model larger than {} MiB, the limit", limits::file_bytes >> 20U));
    const std::uint32_t file = source_.add_included(Source(path.string(), without_byte_order_mark(std::move(*text))));
    const std::size_t errors = problems_.errors_found();
    YamlNode tree = parse_yaml(source_.part(file), problems_);
    if (problems_.errors_found() > errors) return std::nullopt;
    set_origin(tree, source_.add_origin({file, 0}));
    if (tree.kind != YamlNode::Kind::mapping) {
      error(tree, "",
            tree.kind == YamlNode::Kind::null
                ? "the file is empty; a file that is included has sections like bodies, joints or templates"
                : "expected sections like bodies, joints or templates");
      return std::nullopt;
    }
    if (const YamlNode* version = tree.find("gyrostat"); version != nullptr && version->text != "1") {
      error(*version, "gyrostat",
            fmt::format("this program reads format version 1, not '{}'; a file that is included needs no version",
                        version->text));
      return std::nullopt;
    }
    return tree;
  }

  /// Adds the sections of a file to those of the files before it.
  void join(YamlNode tree, YamlNode& whole) {
    for (std::size_t i = 0; i + 1 < tree.items.size(); i += 2) {
      YamlNode &key = tree.items[i], &value = tree.items[i + 1];
      if (key.text == "include" || (key.text == "gyrostat" && file_of(key) != 0)) continue;
      YamlNode* there = whole.find(key.text);
      const bool of_another_file = there != nullptr && file_of(*(there - 1)) != file_of(key);
      if (!of_another_file) {  // the reader tells of a section that stands twice in one file
        whole.items.push_back(std::move(key));
        whole.items.push_back(std::move(value));
      } else if (there->kind == YamlNode::Kind::null) {
        *there = std::move(value);
      } else if (there->kind == YamlNode::Kind::mapping && value.kind == YamlNode::Kind::mapping) {
        join_entries(key.text, std::move(value), *there);
      } else if (there->kind == YamlNode::Kind::sequence && value.kind == YamlNode::Kind::sequence) {
        std::ranges::move(value.items, std::back_inserter(there->items));
      } else if (value.kind != YamlNode::Kind::null) {
        error(key, key.text, fmt::format("given in two files; also at {}", place_text(*(there - 1))));
      }
    }
  }

  void join_entries(const std::string& section, YamlNode entries, YamlNode& there) {
    std::unordered_map<std::string, const YamlNode*> known;  // with a copy of the key, which may move
    for (std::size_t i = 0; i + 1 < there.items.size(); i += 2) known.emplace(there.items[i].text, &there.items[i]);
    std::vector<YamlNode> added;
    for (std::size_t i = 0; i + 1 < entries.items.size(); i += 2) {
      YamlNode& key = entries.items[i];
      const auto before = known.find(key.text);
      if (before != known.end() && file_of(*before->second) != file_of(key)) {
        error(key, fmt::format("{}.{}", section, key.text),
              fmt::format("defined in two files; also at {}", place_text(*before->second)));
        continue;
      }
      added.push_back(std::move(key));
      added.push_back(std::move(entries.items[i + 1]));
    }
    std::ranges::move(added, std::back_inserter(there.items));
  }

  [[nodiscard]] std::uint32_t file_of(const YamlNode& node) const { return source_.origin(node.origin).file; }
  [[nodiscard]] std::string place_text(const YamlNode& node) const {
    return where(place_in(node, source_, 0), source_);
  }

  Source& source_;
  Problems& problems_;
  std::size_t bytes_;           // of all files
  std::vector<fs::path> open_;  // from the model file to the one that is being read
  std::vector<fs::path> read_;  // all of them, by identity
};

}  // namespace

YamlNode with_included(YamlNode own, Source& source, Problems& problems) {
  return Including(source, problems).completed(std::move(own), std::filesystem::path(source.file()).parent_path());
}

}  // namespace gyrostat
