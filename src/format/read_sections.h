// The sections of a model file, each read by a function of its own.
#pragma once

#include <span>

#include "gyrostat/format/read.h"
#include "gyrostat/format/read_fields.h"

namespace gyrostat::reading {

/// Resolves the parameters, in whatever order they are written, into the context and the list. `value` may be null.
std::vector<ParameterDescription> read_parameters(const Value* value, std::span<const Override> overrides,
                                                  Context& context);
TableDescription read_table(const Value& value, std::string_view name);
FlexibleDescription read_flexible(const Value& value);
BodyDescription read_body(const Value& value, std::string_view name);
/// `first_body` is what the joint `base` carries unless it says otherwise.
JointDescription read_joint(const Value& value, std::string_view name, std::string_view first_body);
// What holds joints and wheels in a run. Dimensions are those of a rotation or of a translation.
LatchDescription read_joint_latch(const Value& value);
FrictionDescription read_friction(const Value& value, const ObjectFormat& format, bool rotational);
StopsDescription read_stops(const Value& value, bool rotational);
SignalDescription read_signal(const Value& value, std::string_view name);
ConstraintDescription read_constraint(const Value& value, std::string_view name, const JointsByName& joints);
std::optional<LoadDescription> read_load(const Value& value);
EnvironmentDescription read_environment(const Value& value);
/// The joints say what the coordinates of `about` measure.
SimulationDescription read_simulation(const Value& value, const std::vector<JointDescription>& joints);
OutputDescription read_output(const Value& value);

}  // namespace gyrostat::reading
