# At installation: what gyrostat_program prints goes below gyrostat_share. gyrostat_made is a folder to work in.
file(REMOVE_RECURSE "${gyrostat_made}")
file(MAKE_DIRECTORY "${gyrostat_made}")

function(made_by file)
  execute_process(COMMAND ${gyrostat_program} ${ARGN} OUTPUT_FILE "${gyrostat_made}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
made_by(gyrostat completion bash)
made_by(_gyrostat completion zsh)
made_by(gyrostat.fish completion fish)
made_by(gyrostat.1 man)
configure_file("${gyrostat_changelog}" "${gyrostat_made}/changelog" COPYONLY)
execute_process(COMMAND gzip -9n "${gyrostat_made}/gyrostat.1" "${gyrostat_made}/changelog" COMMAND_ERROR_IS_FATAL ANY)

file(INSTALL "${gyrostat_made}/gyrostat" DESTINATION "${gyrostat_share}/bash-completion/completions")
file(INSTALL "${gyrostat_made}/_gyrostat" DESTINATION "${gyrostat_share}/zsh/vendor-completions")
file(INSTALL "${gyrostat_made}/gyrostat.fish" DESTINATION "${gyrostat_share}/fish/vendor_completions.d")
file(INSTALL "${gyrostat_made}/gyrostat.1.gz" DESTINATION "${gyrostat_share}/man/man1")
file(INSTALL "${gyrostat_made}/changelog.gz" DESTINATION "${gyrostat_share}/doc/gyrostat")
