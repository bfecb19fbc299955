// The kinds of signal block.
#pragma once

#include <variant>

#include "gyrostat/format/blocks/counter.h"
#include "gyrostat/format/blocks/dead_zone.h"
#include "gyrostat/format/blocks/delay.h"
#include "gyrostat/format/blocks/edge.h"
#include "gyrostat/format/blocks/hold.h"
#include "gyrostat/format/blocks/integral.h"
#include "gyrostat/format/blocks/largest.h"
#include "gyrostat/format/blocks/latch.h"
#include "gyrostat/format/blocks/low_pass.h"
#include "gyrostat/format/blocks/modes.h"
#include "gyrostat/format/blocks/noise.h"
#include "gyrostat/format/blocks/pid.h"
#include "gyrostat/format/blocks/plugin_block.h"
#include "gyrostat/format/blocks/quantize.h"
#include "gyrostat/format/blocks/random_walk.h"
#include "gyrostat/format/blocks/rate_limit.h"
#include "gyrostat/format/blocks/relay.h"
#include "gyrostat/format/blocks/sample.h"
#include "gyrostat/format/blocks/saturate.h"
#include "gyrostat/format/blocks/state_space.h"
#include "gyrostat/format/blocks/switching_amplifier.h"
#include "gyrostat/format/blocks/table_block.h"
#include "gyrostat/format/blocks/transfer_function.h"
#include "gyrostat/format/blocks/unwrap.h"

namespace gyrostat {

/// A signal: an expression, or a block.
using Block = std::variant<Expression,               //
                           IntegralBlock,            //
                           TransferFunctionBlock,    //
                           StateSpaceBlock,          //
                           SwitchingAmplifierBlock,  //
                           SaturateBlock,            //
                           DelayBlock,               //
                           SampleBlock,              //
                           HoldBlock,                //
                           LatchBlock,               //
                           LargestBlock,             //
                           UnwrapBlock,              //
                           PidBlock,                 //
                           TableBlock,               //
                           DeadZoneBlock,            //
                           QuantizeBlock,            //
                           LowPassBlock,             //
                           RateLimitBlock,           //
                           RelayBlock,               //
                           EdgeBlock,                //
                           CounterBlock,             //
                           ModesBlock,               //
                           RandomWalkBlock,          //
                           NoiseBlock,               //
                           PluginBlock>;

}  // namespace gyrostat
