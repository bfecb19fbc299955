// A campaign as a job of a cluster.
#pragma once

#include <cstdint>
#include <string>

#include "campaign.h"

namespace gyrostat::app {

/// A script for Slurm's sbatch that flies the campaign in arguments.slurm processes, of arguments.threads threads or of
/// all cores of a machine each. It goes on with a file that is there, and once more after a process was killed.
std::string slurm_script(const CampaignArguments& arguments, const std::string& output, std::uint64_t flights);

}  // namespace gyrostat::app
