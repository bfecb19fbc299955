// A whole run by the installed library: a model file into a results file, stopped half way, resumed, and reported.
#include <cstdio>
#include <exception>
#include <string>

#include <gyrostat/gyrostat.h>

namespace {

int run(const std::string& model_file, const std::string& results_file) {
  const gyrostat::Loaded loaded = gyrostat::load_file(model_file);
  for (const auto& problem : loaded.problems.all()) std::fputs(render(problem, loaded.source, false).c_str(), stderr);
  if (!loaded.model) return 1;

  gyrostat::RunSettings settings(*loaded.model);
  settings.checkpoint_interval = settings.until / 10;
  gyrostat::results::RunCallbacks callbacks;
  callbacks.go_on = [&](double t) { return t < settings.until / 2; };
  gyrostat::results::RunResult result = gyrostat::results::run(loaded, settings, results_file, {}, callbacks);
  std::printf("%s\n", gyrostat::results::status_of(result.outcome).c_str());

  result = gyrostat::results::resume(results_file);  // all it needs is in the file and the checkpoint beside it
  std::printf("resumed at t = %g s, %s at t = %g s\n", result.from,
              gyrostat::results::status_of(result.outcome).c_str(), result.outcome.t);
  for (const auto& line : result.record.ledger.lines) {
    std::printf("%-18s residual %9.2e %s, relative %8.1e\n", line.name.c_str(), line.residual, line.unit.c_str(),
                line.ratio());
  }
  const gyrostat::results::ResultsReader reader(results_file);
  std::printf("%ju records of %zu quantities in %s\n", static_cast<std::uintmax_t>(reader.records()),
              reader.columns().size(), results_file.c_str());

  if (!gyrostat::report::viewer_page().empty()) gyrostat::report::write_report({results_file}, results_file + ".html");
  return result.outcome.kind == gyrostat::Outcome::Kind::finished ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: embed_run MODEL.yaml RESULTS.h5\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {  // RunError, ResultsError, ReportError
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
