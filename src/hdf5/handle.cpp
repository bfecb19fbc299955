#include "gyrostat/hdf5/handle.h"

#include <algorithm>
#include <string_view>

namespace gyrostat::hdf5 {

namespace {

struct Reasons {
  std::string system, innermost;
};

herr_t note(unsigned, const H5E_error2_t* error, void* data) {
  auto& reasons = *static_cast<Reasons*>(data);
  const std::string_view text = error->desc == nullptr ? "" : error->desc;
  constexpr std::string_view key = "error message = '";
  const std::size_t begin = text.find(key);
  if (reasons.system.empty() && begin != std::string_view::npos) {
    const std::string_view rest = text.substr(begin + key.size());
    reasons.system = rest.substr(0, rest.find('\''));
  }
  if (reasons.innermost.empty()) reasons.innermost = text;
  return 0;
}

}  // namespace

std::string reason() {
  Reasons reasons;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &reasons);
  if (!reasons.system.empty()) return reasons.system;
  return reasons.innermost.empty() ? "unknown reason" : reasons.innermost;
}

Handle string_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(size, 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

}  // namespace gyrostat::hdf5
