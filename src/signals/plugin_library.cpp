#include "gyrostat/signals/plugin_library.h"

#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

namespace gyrostat {

PluginFunction open_plugin(const PluginBlock& block, const std::string& directory) {
  const std::filesystem::path path = std::filesystem::absolute(std::filesystem::path(directory) / block.library);
  PluginFunction plugin;
  plugin.library = std::shared_ptr<void>(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
    if (handle != nullptr) dlclose(handle);
  });
  if (!plugin.library) throw PluginError(fmt::format("the library cannot be opened: {}", dlerror()));
  plugin.function = reinterpret_cast<gyrostat_function>(dlsym(plugin.library.get(), block.function.c_str()));
  if (plugin.function == nullptr) {
    throw PluginError(fmt::format("{} has no function '{}' (in C++ it must be declared extern \"C\")", path.string(),
                                  block.function));
  }
  const void* memory = dlsym(plugin.library.get(), (block.function + "_memory").c_str());
  if (memory != nullptr) plugin.memory = *static_cast<const unsigned long*>(memory);
  constexpr std::size_t most = std::size_t{1} << 30;
  if (plugin.memory > most) {
    throw PluginError(
        fmt::format("'{}_memory' asks for {} bytes; no more than {} are given", block.function, plugin.memory, most));
  }
  return plugin;
}

}  // namespace gyrostat
