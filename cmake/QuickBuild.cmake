# Less to compile: what nearly every source file includes from elsewhere is compiled once per set of flags, and the sources of
# a target are compiled several at a time. Our own headers are not among the precompiled: a folder must not see those it
# does not link. Nothing of this is installed. Without: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DGYROSTAT_UNITY=OFF.
option(GYROSTAT_UNITY "Compile several sources of a target at a time" ON)
set(GYROSTAT_UNITY_SIZE 8 CACHE STRING "How many sources to compile at a time")

# Where speed matters little; after -O3 it wins.
set(GYROSTAT_COLD $<$<CONFIG:Release>:-O1>)

# g++ collects garbage in its own memory, which takes a fifth of its time at the size it has by default (128 MB, for what
# grows to 1 to 3 GB here); in kB.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=4000000>)

function(gyrostat_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LINKS;OPTIONS" ${ARGN})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE Eigen3::Eigen fmt::fmt gyrostat_warnings ${ARG_LINKS})
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <charconv> <cmath> <cstdint> <filesystem> <limits> <numbers> <optional> <span> <string> <string_view>
    <unordered_map> <utility> <variant> <vector> <Eigen/Core> <Eigen/Geometry> <fmt/format.h> ${ARG_HEADERS})
endfunction()

# For a target whose flags are those of the precompiled headers.
function(gyrostat_quick_build target precompiled)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GYROSTAT_UNITY} UNITY_BUILD_BATCH_SIZE ${GYROSTAT_UNITY_SIZE})
  target_compile_definitions(${target} PRIVATE $<BUILD_INTERFACE:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>>)
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
  # g++ 12 takes what it inlines from a precompiled header for our own code and warns about std::string there.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
endfunction()
