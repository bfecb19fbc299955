// What the commands print alike.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gyrostat/model/problems_text.h"

#include "commands.h"
#include "exit_codes.h"

namespace gyrostat::app {

using Json = nlohmann::ordered_json;

/// Colour on a terminal that has it, unless the user said NO_COLOR.
bool wants_colour(std::FILE* stream);

/// What --set NAME=VALUE says. One without '=' is a usage error and throws CLI::ValidationError.
std::vector<Override> overrides_of(const std::vector<std::string>& set);

/// The model of the arguments. A --set without '=' is a usage error and throws CLI::ValidationError.
Loaded load(const ModelArguments& arguments);

/// Problems to stderr, the way compilers do it, with a count at the end.
void print_problems(const Loaded& loaded);

/// The same as data.
Json problems_as_json(const Loaded& loaded);

/// Of a model that is wrong: its problems, as text or as data. Returns the exit code.
int refuse_model(bool json, const Loaded& loaded);

/// Of a loaded model that cannot be used because of what is at a path in it: the same.
int refuse_at(bool json, const Loaded& loaded, const std::string& path, const std::string& message);

/// Of a loaded model whose constraints cannot be solved for: what is wrong with it, or with the state that it was
/// given.
int refuse_unsolvable(bool json, const Loaded& loaded, const std::exception& error);

/// 12345 as 12,345.
std::string grouped(std::uint64_t count);

/// To stdout. Bytes that are not text (in a file's name, say) are replaced.
void print_json(const Json& json);

/// An error: to stderr, or to stdout as JSON. Returns the exit code.
int refuse(bool json, const std::string& message, int code = exit_code::wrong_usage);

/// Of a command that ends with this error: a full disk is no wrong usage.
int exit_code_of(const std::exception& error);

/// A file that is complete or not there at all. One that was there is replaced in one step. Throws ResultsError.
void write_file(const std::string& path, const std::string& bytes);

}  // namespace gyrostat::app
