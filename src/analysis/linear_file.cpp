#include "gyrostat/analysis/linear_file.h"

namespace gyrostat {

std::optional<LinearFileKind> linear_file_kind(const std::string& path) {
  if (path.ends_with(".json")) return LinearFileKind::json;
  if (path.ends_with(".h5") || path.ends_with(".hdf5")) return LinearFileKind::hdf5;
  if (path.ends_with(".mat")) return LinearFileKind::mat;
  if (path.ends_with(".m")) return LinearFileKind::m;
  if (path.ends_with(".csv")) return LinearFileKind::csv;
  return std::nullopt;
}

std::string linear_file(LinearFileKind kind, const LinearModel& model, const StateSpace& space,
                        const LinearOrigin& origin) {
  switch (kind) {
    case LinearFileKind::json: return linear_json(model, space, origin.model_name);
    case LinearFileKind::hdf5: return linear_hdf5(model, space, origin);
    case LinearFileKind::mat: return linear_mat(model, space);
    case LinearFileKind::m: return linear_m(model, space, origin.model_name);
    case LinearFileKind::csv: break;
  }
  return linear_csv(space);
}

}  // namespace gyrostat
