# The program, its manual page, completion for shells, documents and examples; and the Debian package of them.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/gyrostat)
install(TARGETS gyrostat_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES README.md NOTATION.md DESTINATION ${doc} COMPONENT program)
install(DIRECTORY docs examples DESTINATION ${doc} COMPONENT program PATTERN expected EXCLUDE)

# What the program itself prints: where Debian's man and shells look.
install(CODE "
  set(gyrostat_program \"$<TARGET_FILE:gyrostat_app>\")
  set(gyrostat_made \"${PROJECT_BINARY_DIR}/made_by_program\")
  set(gyrostat_share \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
  set(gyrostat_changelog \"${PROJECT_SOURCE_DIR}/CHANGELOG.md\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/MadeByProgram.cmake\")
" COMPONENT program)
install(FILES cmake/debian_copyright DESTINATION ${doc} RENAME copyright COMPONENT program)

# cpack -G DEB: the program, and the Python module where there is one; `./dev package`.
set(CPACK_PACKAGE_NAME gyrostat)
set(CPACK_PACKAGE_CONTACT "The Gyrostat authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "attitude dynamics of spacecraft made of many bodies")
set(CPACK_PACKAGE_DESCRIPTION
"Gyrostat simulates trees of rigid bodies, wheels and point masses with the
control system that flies them. A spacecraft is one readable YAML file; what is
wrong with it is said with line, column and remedy. Every run checks itself
against the conservation of energy and momentum, and a report shows the motion
in a browser.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
if(TARGET gyrostat_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gyrostat)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gyrostat)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-scipy")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"attitude dynamics of spacecraft, for Python
Models, runs, results, linear models and batches of states of Gyrostat as
numpy arrays: import gyrostat.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox | gnuplot")
include(CPack)
