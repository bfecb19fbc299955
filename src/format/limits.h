// What a model may be at most. Larger input is refused with a message; no input makes the reader hang or take memory
// without bound.
#pragma once

#include <cstddef>

namespace gyrostat::limits {

inline constexpr std::size_t file_bytes = 32U << 20U;  // 32 MiB, a chain of some 200,000 bodies
inline constexpr std::size_t nesting_depth = 24;       // mappings and lists inside each other; the format needs 8
inline constexpr std::size_t yaml_nodes = 8'000'000;   // keys, values, lists and mappings
inline constexpr double largest = 1e30,
                        smallest = 1e-30;  // of a number in SI units other than zero: squares stay finite
inline constexpr std::size_t bodies = 250'000;
inline constexpr std::size_t parts = 1'000;   // points or wheels of a body, inputs or outputs of a signal
inline constexpr std::size_t elements = 500;  // of a beam
inline constexpr std::size_t modes = 500;     // of a flexible body
inline constexpr std::size_t signals = 100'000;
inline constexpr std::size_t name_length = 100;       // letters
inline constexpr std::size_t state_name_length = 30;  // letters; "A -> B" fits into the text of an event
inline constexpr std::size_t included_files = 1'000;
inline constexpr std::size_t include_depth = 20;          // files that include files
inline constexpr std::size_t instances = 100'000;         // of templates
inline constexpr std::size_t template_depth = 20;         // templates that use templates
inline constexpr std::size_t expanded_nodes = 4'000'000;  // keys, values, lists and mappings that templates make
inline constexpr std::size_t problems = 200;              // reported; further ones are counted

}  // namespace gyrostat::limits
