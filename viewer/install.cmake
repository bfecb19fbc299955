# Fetches the packages that the lock file names. cmake -DNPM=.. -DFOLDER=.. -P install.cmake
# Node.js has certificates of its own; behind a proxy that signs for others, those of the system are what counts.
set(certificates /etc/ssl/certs/ca-certificates.crt)
if(NOT DEFINED ENV{NODE_EXTRA_CA_CERTS} AND EXISTS ${certificates})
  set(ENV{NODE_EXTRA_CA_CERTS} ${certificates})
endif()
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "npm could not fetch the packages of the viewer. To build without it, and so without reports: "
    "cmake -DGYROSTAT_VIEWER=OFF")
endif()
file(TOUCH ${FOLDER}/node_modules/.package-lock.json)
