# find_package(Gyrostat) for other projects: static libraries, headers under include/gyrostat, the program.
include(CMakePackageConfigHelpers)

install(TARGETS gyrostat_math gyrostat_expression gyrostat_format gyrostat_model gyrostat_dynamics gyrostat_constraints gyrostat_forces gyrostat_signals gyrostat_plant gyrostat_simulate gyrostat_results gyrostat_report gyrostat
        EXPORT GyrostatTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gyrostat_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gyrostat FILES_MATCHING PATTERN "*.h")

install(EXPORT GyrostatTargets NAMESPACE Gyrostat:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
configure_package_config_file(cmake/GyrostatConfig.cmake.in GyrostatConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
write_basic_package_version_file(GyrostatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/GyrostatConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/GyrostatConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Gyrostat)
