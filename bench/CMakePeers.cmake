# Other engines, for comparison: those that are found. A peer that is not found is a function that returns nothing.
add_library(gyrostat_peers STATIC)
target_include_directories(gyrostat_peers PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(gyrostat_peers PUBLIC gyrostat PRIVATE fmt::fmt gyrostat_warnings)

# gyrostat_peer(name HEADER header PATH suffix LIBRARIES ..): peer_<name>.cpp, and the engine if all of it is there.
function(gyrostat_peer name)
  cmake_parse_arguments(ARG "" "HEADER;PATH" "LIBRARIES;DEFINITIONS" ${ARGN})
  string(TOUPPER ${name} NAME)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/peer_${name}.cpp)
  target_sources(gyrostat_peers PRIVATE ${source})
  find_path(GYROSTAT_${NAME}_INCLUDE ${ARG_HEADER} PATH_SUFFIXES ${ARG_PATH})
  mark_as_advanced(GYROSTAT_${NAME}_INCLUDE)
  set(found ${GYROSTAT_${NAME}_INCLUDE})
  set(libraries)
  foreach(library ${ARG_LIBRARIES})
    find_library(GYROSTAT_LIB_${library} ${library})
    mark_as_advanced(GYROSTAT_LIB_${library})
    list(APPEND libraries ${GYROSTAT_LIB_${library}})
    if(NOT GYROSTAT_LIB_${library})
      set(found FALSE)
    endif()
  endforeach()
  if(found)
    set_source_files_properties(${source} PROPERTIES
      COMPILE_DEFINITIONS "GYROSTAT_PEER_${NAME};${ARG_DEFINITIONS}")
    target_include_directories(gyrostat_peers SYSTEM PRIVATE ${GYROSTAT_${NAME}_INCLUDE})
    target_link_libraries(gyrostat_peers PRIVATE ${libraries})
  endif()
  set(GYROSTAT_${NAME}_FOUND ${found} PARENT_SCOPE)
endfunction()

# Debian has Bullet twice; the libraries in double precision have a suffix.
find_library(GYROSTAT_BULLET_DOUBLE BulletDynamics-float64)
mark_as_advanced(GYROSTAT_BULLET_DOUBLE)
if(GYROSTAT_BULLET_DOUBLE)
  gyrostat_peer(bullet HEADER BulletDynamics/Featherstone/btMultiBody.h PATH bullet DEFINITIONS BT_USE_DOUBLE_PRECISION
    LIBRARIES BulletDynamics-float64 BulletCollision-float64 LinearMath-float64)
else()
  gyrostat_peer(bullet HEADER BulletDynamics/Featherstone/btMultiBody.h PATH bullet
    LIBRARIES BulletDynamics BulletCollision LinearMath)
endif()
gyrostat_peer(simbody HEADER SimTKsimbody.h PATH simbody LIBRARIES SimTKsimbody SimTKmath SimTKcommon)
gyrostat_peer(mujoco HEADER mujoco/mujoco.h LIBRARIES mujoco)

foreach(peer BULLET SIMBODY MUJOCO)
  if(NOT GYROSTAT_${peer}_FOUND)
    message(STATUS "${peer} was not found: no comparison with it")
  endif()
endforeach()

add_executable(bench_engines ${CMAKE_CURRENT_LIST_DIR}/engines.cpp)
target_link_libraries(bench_engines PRIVATE gyrostat_peers fmt::fmt gyrostat_warnings)
