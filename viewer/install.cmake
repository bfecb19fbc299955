# Fetches the packages that the lock file names. cmake -DNPM=.. -DFOLDER=.. -P install.cmake
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "npm could not fetch the packages of the viewer. To build without it, and so without reports: "
    "cmake -DGYROSTAT_VIEWER=OFF")
endif()
file(TOUCH ${FOLDER}/node_modules/.package-lock.json)
