# At installation: what `program` prints goes below `share`. `made` is a folder to work in.
file(REMOVE_RECURSE "${made}")
file(MAKE_DIRECTORY "${made}")

function(made_by file)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_FILE "${made}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
made_by(gyrostat completion bash)
made_by(_gyrostat completion zsh)
made_by(gyrostat.fish completion fish)
made_by(gyrostat.1 man)
configure_file("${changelog}" "${made}/changelog" COPYONLY)
execute_process(COMMAND gzip -9n "${made}/gyrostat.1" "${made}/changelog" COMMAND_ERROR_IS_FATAL ANY)

file(INSTALL "${made}/gyrostat" DESTINATION "${share}/bash-completion/completions")
file(INSTALL "${made}/_gyrostat" DESTINATION "${share}/zsh/vendor-completions")
file(INSTALL "${made}/gyrostat.fish" DESTINATION "${share}/fish/vendor_completions.d")
file(INSTALL "${made}/gyrostat.1.gz" DESTINATION "${share}/man/man1")
file(INSTALL "${made}/changelog.gz" DESTINATION "${share}/doc/gyrostat")
