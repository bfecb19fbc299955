# Our own code compiles without a warning; third-party headers are system headers and are not judged.
add_library(gyrostat_warnings INTERFACE)
target_compile_options(gyrostat_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Werror)
# Where sources are compiled together, a constant of one may be a local name in another; `./dev lint` looks at them one
# by one.
if(NOT GYROSTAT_UNITY)
  target_compile_options(gyrostat_warnings INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(gyrostat_warnings INTERFACE -Wshadow=local)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees an overlap in "text" + std::string that is not there (GCC bug 105651).
  # With sanitizers it takes matrices that Eigen is about to fill for uninitialised.
  target_compile_options(gyrostat_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(gyrostat_warnings INTERFACE -Wno-overlength-strings)  # the page of reports is one string
endif()
