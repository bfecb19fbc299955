// Flexible data that a file states, and what is suspicious about the modes of flexible bodies.
#pragma once

#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"

namespace gyrostat {

/// Makes `data` of `given`: seen from the node `inboard`, at which the body's inboard joint attaches, or as they are if
/// that is empty; with the modes that are selected. `path` is that of the body's field `flexible`. False if it is
/// reported why not.
bool take_given_data(BodyDescription& body, const std::string& inboard, const std::string& path, Problems& problems);

/// Warnings about frequencies, damping, and what the modes leave out.
void warn_of_modes(const Description& description, const BodyDescription& body, const std::string& path,
                   Problems& problems);

}  // namespace gyrostat
