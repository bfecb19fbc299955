#include "gyrostat/report/page.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/print.h"
#include "gyrostat/report/run.h"
#include "gyrostat/report/viewer_page.h"
#include "gyrostat/results/linear_reader.h"
#include "gyrostat/results/raw_file.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/same_file.h"
#include "gyrostat/results/target.h"
#include "gyrostat/results/version.h"

namespace gyrostat::report {

namespace {

constexpr std::string_view place = "<!-- gyrostat:data -->";

/// The files' names; with their folders where the names are the same, and numbered where all is.
std::vector<std::string> labels_of(const std::vector<std::string>& paths) {
  std::vector<std::string> labels;
  for (const std::string& path : paths) labels.push_back(std::filesystem::path(path).filename().string());
  if (labels.size() == 2 && labels[0] == labels[1]) labels = paths;
  if (labels.size() == 2 && labels[0] == labels[1]) labels[1] += " (again)";
  return labels;
}

/// Bytes one after the other into a file that takes its name when it is whole.
class PageFile {
 public:
  explicit PageFile(const std::string& path)
      : replacement_(results::without_link(path)), file_(replacement_.temporary(), path) {}

  void write(std::string_view text) {
    file_.write(bytes_, text.data(), text.size());
    bytes_ += text.size();
  }
  std::uint64_t finish() {
    file_.close();
    replacement_.put_in_place();
    return bytes_;
  }

 private:
  results::Replacement replacement_;
  results::RawFile file_;
  std::uint64_t bytes_ = 0;
};

std::string text_of_set(const std::vector<Override>& overrides) {
  std::vector<std::string> list;
  for (const Override& o : overrides) list.push_back(o.name + "=" + o.value);
  return list.empty() ? "nothing" : fmt::format("{}", fmt::join(list, ", "));
}

bool are_same(const std::vector<Override>& a, const std::vector<Override>& b) {
  return std::ranges::equal(
      a, b, [](const Override& x, const Override& y) { return x.name == y.name && x.value == y.value; });
}

std::string named(const std::string& name, const std::string& file) {
  return name.empty() ? fmt::format("{}", file) : fmt::format("'{}' ({})", name, file);
}

/// Is the linear model one of the model that the results are of? Throws ReportError.
void check_same_model(const std::string& path, const results::StoredLinearModel& linear, const std::string& other) {
  const results::ResultsReader results(other);
  const results::Header& header = results.header();
  const LinearOrigin& origin = linear.origin;
  if (origin.model_text != header.model_text) {
    const bool same_name = origin.model_name == header.model_name;
    throw ReportError(fmt::format(
        "{}: is of the model {}, and {} of {}{}: linearise the model that was run, or run the one that was linearised",
        path, named(origin.model_name, origin.model_file), other, named(header.model_name, header.model_file),
        same_name ? ", whose text is another" : ""));
  }
  const std::vector<Override> run_set = results::read_record(results).overrides;
  if (!are_same(linear.overrides(), run_set)) {
    throw ReportError(fmt::format("{}: was made with --set {}, and {} with --set {}: they are of different models",
                                  path, text_of_set(linear.overrides()), other, text_of_set(run_set)));
  }
}

Analysis stored_analysis(const std::string& path, const std::vector<std::string>& results, Blocks& blocks,
                         std::vector<std::string>& warnings) {
  const results::StoredLinearModel stored = results::read_linear_model(path);
  if (!results.empty()) check_same_model(path, stored, results.front());
  const std::vector<Override> overrides = stored.overrides();
  const Loaded loaded = load_text(stored.origin.model_file, stored.origin.model_text, overrides);
  if (!loaded.model) {
    throw ReportError(fmt::format("{}: the model in it cannot be read: {}", path,
                                  loaded.problems.all().empty() ? "" : loaded.problems.all().front().message));
  }
  try {
    LinearStudy study = study_of(stored.model, stored.origin, stored.period);
    study.label = std::filesystem::path(path).filename().string();
    return analysis_of(*loaded.model, study, blocks, warnings);
  } catch (const AnalysisError& error) {
    throw ReportError(fmt::format("{}: {}", path, error.what()));
  }
}

std::string equations_of(const std::string& results) {
  const Loaded loaded = results::stored_model(results::ResultsReader(results).header());
  if (!loaded.model) throw ReportError(results + ": the model in it cannot be read, and has no equations to show");
  if (const std::string why = derive::outside_domain_of_derivation(loaded.model->system); !why.empty()) {
    throw ReportError(fmt::format("{}: its equations cannot be derived: {}", results, why));
  }
  const Formulas formulas = read_formulas(loaded.source);
  return derive::print_html(derive::derive_equations(*loaded.model, &formulas), {.script = false});
}

/// Throws ReportError where it is among others.
bool is_of_campaign(const ReportContent& content) {
  for (const std::string& file : content.results) {
    if (!campaign::is_campaign(results::ResultsReader(file).header())) continue;
    if (content.results.size() > 1) throw ReportError(file + ": is a campaign, and has a report of its own");
    if (!content.linear_file.empty() || content.equations) {
      throw ReportError(file + ": is a campaign; --analysis and --equations are for runs: replay one of its flights");
    }
    return true;
  }
  return false;
}

}  // namespace

std::uint64_t write_page(const std::string& path, std::string_view page_template, const Payload& payload,
                         const Blocks& blocks, bool force) {
  const std::size_t at = page_template.find(place);
  if (at == std::string_view::npos || page_template.find(place, at + 1) != std::string_view::npos) {
    throw ReportError(fmt::format("{}: not written: the page does not have the line '{}' once", path, place));
  }
  try {
    results::check_target(path, results::FileKind::report, force);
    PageFile file(path);
    file.write(page_template.substr(0, at));
    file.write(results::report_mark);
    file.write(as_json(payload));
    file.write("</script>");
    for (std::size_t k = 0; k < blocks.texts().size(); ++k) {
      file.write(fmt::format("\n<script type=\"text/plain\" id=\"block-{}\">", k));
      file.write(blocks.texts()[k]);
      file.write("</script>");
    }
    file.write(page_template.substr(at + place.size()));
    return file.finish();
  } catch (const results::WriteError&) {
    throw;
  } catch (const results::ResultsError& error) {
    throw ReportError(error.what());
  }
}

std::string_view own_page() {
  if (!viewer_page().empty()) return viewer_page();
  throw ReportError(
      "this gyrostat was built without its viewer, so there are no reports: install Node.js and npm (apt-get install "
      "nodejs npm), then configure and build again");
}

Report write_report_of(const ReportContent& content, const std::string& path, std::string_view page_template,
                       bool force) {
  const std::vector<std::string>& results = content.results;
  for (const std::string& input : results) {
    if (results::same_file(path, input)) throw ReportError(path + ": is the results file, which would be lost");
  }
  if (!content.linear_file.empty() && results::same_file(path, content.linear_file)) {
    throw ReportError(path + ": is the linear model, which would be lost");
  }
  const bool of_campaign = is_of_campaign(content);
  Report report;
  Blocks blocks;
  Payload payload;
  payload.generator = fmt::format("gyrostat {}", version());
  const std::vector<std::string> labels = labels_of(results);
  if (of_campaign) {
    try {
      payload.campaign = campaign_page(results::ResultsReader(results.front()), results.front(), blocks);
    } catch (const campaign::CampaignError& error) {
      throw ReportError(error.what());
    }
    report.warnings = report.page_warnings = payload.campaign->warnings;
    report.bytes = write_page(path, page_template, payload, blocks, force);
    return report;
  }
  for (std::size_t k = 0; k < results.size(); ++k) {
    RunWithWarnings made = run_of(results::ResultsReader(results[k]), blocks);
    made.run.label = labels[k];
    const std::string which = results.size() > 1 ? labels[k] + ": " : "";
    for (const std::string& warning : made.run.warnings) report.warnings.push_back(which + warning);
    for (const std::string& warning : made.page_warnings) report.page_warnings.push_back(which + warning);
    payload.runs.push_back(std::move(made.run));
  }
  std::vector<std::string> of_analysis;
  if (!content.linear_file.empty()) {
    payload.analysis = stored_analysis(content.linear_file, results, blocks, of_analysis);
  } else if (content.study != nullptr) {
    payload.analysis = analysis_of(*content.model, *content.study, blocks, of_analysis);
  }
  for (const std::string& warning : of_analysis) {
    report.warnings.push_back(warning);
    report.page_warnings.push_back(warning);
  }
  if (content.equations && !results.empty()) payload.equations = equations_of(results.front());
  report.bytes = write_page(path, page_template, payload, blocks, force);
  return report;
}

Report write_report(const std::vector<std::string>& results, const std::string& path, std::string_view page_template,
                    bool force) {
  return write_report_of({results}, path, page_template, force);
}

}  // namespace gyrostat::report
