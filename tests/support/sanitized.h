// Is this a build with sanitizers? It has an allocator of its own, and is too slow for limits of time.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GYROSTAT_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define GYROSTAT_SANITIZED 1
#endif
#endif

namespace gyrostat::testing {

#ifdef GYROSTAT_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace gyrostat::testing
