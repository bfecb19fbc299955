// The model file's format as a JSON Schema (draft 2020-12), for editors that complete and check as one types.
#pragma once

#include <string>

namespace gyrostat {

/// Made from the tables of format.h. It checks structure, names of fields and choices; units, references and physics
/// are beyond a schema, and `gyrostat check` knows them.
std::string json_schema();

}  // namespace gyrostat
