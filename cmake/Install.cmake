# Three components: the Python module (python/CMakeLists.txt), the program with all that its users need (InstallProgram.cmake), and the library for find_package(Gyrostat)
# in other projects: static libraries, and headers under include/gyrostat.
include(InstallProgram)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)

install(TARGETS gyrostat_math gyrostat_expression gyrostat_hdf5 gyrostat_flexible gyrostat_format gyrostat_model gyrostat_dynamics gyrostat_constraints gyrostat_forces gyrostat_signals gyrostat_plant gyrostat_simulate gyrostat_analysis gyrostat_derive gyrostat_results gyrostat_campaign gyrostat_report gyrostat_import gyrostat
        EXPORT GyrostatTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gyrostat FILES_MATCHING PATTERN "*.h")

install(EXPORT GyrostatTargets NAMESPACE Gyrostat:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
configure_package_config_file(cmake/GyrostatConfig.cmake.in GyrostatConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
write_basic_package_version_file(GyrostatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/GyrostatConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/GyrostatConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
