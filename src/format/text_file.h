// The text of a file that a user wrote.
#pragma once

#include <optional>
#include <string>

namespace gyrostat {

/// Nothing, and why ("cannot be read: ..."), if it cannot be had. Of a file beyond the limit, one byte more than that.
std::optional<std::string> text_of_file(const std::string& path, std::string& why);

/// Some editors put one at the beginning of a file.
std::string without_byte_order_mark(std::string text);

}  // namespace gyrostat
