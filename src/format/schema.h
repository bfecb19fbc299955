// The formats of files as JSON Schemas (draft 2020-12), for editors that complete and check as one types.
#pragma once

#include <string>
#include <string_view>

#include "gyrostat/format/format.h"

namespace gyrostat {

/// Of model files. Made from the tables of format.h. It checks structure, names of fields and choices; units,
/// references and physics are beyond a schema, and `gyrostat check` knows them.
std::string json_schema();

/// Of another kind of file, made from its own table. `version` is the field with the format version, 1.
std::string json_schema_of(const ObjectFormat& file, std::string_view version, std::string_view title);

}  // namespace gyrostat
