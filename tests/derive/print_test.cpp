// Equations as text, LaTeX, HTML and JSON.
#include "gyrostat/derive/print.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "derive/derive_case.h"
#include "support/load.h"
#include "support/program.h"

namespace gyrostat {
namespace print_test {

using namespace derive;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string examples = GYROSTAT_SOURCE_DIR "/examples/";

Document example(const std::string& name) {
  const Loaded loaded = load_file(examples + name + ".yaml");
  EXPECT_TRUE(loaded.model) << name;
  return derive_equations(*loaded.model);
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Columns of a line: code points but for combining accents.
std::size_t columns(const std::string& line) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const auto c = static_cast<unsigned char>(line[k]);
    const bool accent = c == 0xCC || (c == 0xCD && static_cast<unsigned char>(line[k + 1]) < 0xB0);
    if ((c & 0xC0U) != 0x80U && !accent) ++count;
  }
  return count;
}

/// The small ones, as they stand beside this file. GYROSTAT_RENEW=1 stores them anew.
TEST(PrintText, IsTheStoredTextOfSmallSystems) {
  for (const char* name : {"dumbbell/dumbbell", "dual_spin/dual_spin"}) {
    const fs::path golden =
        fs::path(GYROSTAT_SOURCE_DIR "/tests/derive/golden") / (fs::path(name).filename().string() + ".txt");
    const std::string text = print_text(example(name));
    if (std::getenv("GYROSTAT_RENEW") != nullptr) std::ofstream(golden, std::ios::binary) << text;
    EXPECT_EQ(text, read(golden)) << golden;
  }
}

TEST(PrintText, HasAtMostEightyColumnsAndPlainCharactersOnRequest) {
  std::vector<Document> documents;
  for (const char* name : {"five_body/five_body", "ten_body/ten_body", "four_bar/four_bar", "stewart/stewart"})
    documents.push_back(example(name));
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    documents.push_back(testing::DeriveCase::make(seed, {.most_bodies = 10})->document);
  for (const Document& document : documents) {
    for (const bool ascii : {false, true}) {
      std::istringstream lines(print_text(document, {true, ascii}));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_LE(columns(line), 80U) << line;
        ASSERT_TRUE(line.empty() || line.back() != ' ') << "[" << line << "]";
        for (const char c : line) ASSERT_TRUE(!ascii || (c >= 0x20 && c < 0x7F)) << line;
      }
    }
  }
}

TEST(PrintText, ExplainsEachTermOnRequest) {
  const Document document = example("dual_spin/dual_spin");
  const std::string short_text = print_text(document), explained = print_text(document, {true, false});
  for (const Equation& e : document.equations) {
    for (const Term& term : e.left) {
      const std::string words = term.meaning.substr(0, 20);
      EXPECT_THAT(explained, HasSubstr(words));
    }
  }
  EXPECT_THAT(short_text, Not(HasSubstr("Torque that accelerates the wheel")));
}

TEST(Document, OfOneBodyHasItsEquationsAndWhatTheyNeed) {
  const Document whole = example("five_body/five_body"), part = for_body(whole, "platform");
  ASSERT_FALSE(part.equations.empty());
  for (const Equation& e : part.equations) EXPECT_EQ(e.body, "platform");
  EXPECT_LT(part.definitions.size(), whole.definitions.size());
  std::set<Symbol> known;
  for (const Definition& d : part.definitions) known.insert(d.symbol);
  std::vector<Symbol> used;
  for (const Equation& e : part.equations) {
    for (const auto* side : {&e.left, &e.right}) {
      for (const Term& term : *side) collect(term.value, used);
    }
  }
  for (const Definition& d : part.definitions) {
    if (d.value) collect(d.value, used);
  }
  for (const Symbol& symbol : used) EXPECT_TRUE(known.contains(symbol)) << name_of(symbol);
  try {
    for_body(whole, "platfrom");
    ADD_FAILURE();
  } catch (const std::out_of_range& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'platform'?"));
  }
}

/// All symbols in equations and definitions are defined, or vanish nowhere.
TEST(Document, DefinesEverySymbolThatItUses) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto c = testing::DeriveCase::make(seed, {.most_bodies = 8});
    std::set<Symbol> known;
    for (const Definition& d : c->document.definitions) known.insert(d.symbol);
    std::vector<Symbol> used;
    for (const Equation& e : c->document.equations) {
      for (const auto* side : {&e.left, &e.right}) {
        for (const Term& term : *side) collect(term.value, used);
      }
    }
    for (const Symbol& symbol : used) EXPECT_TRUE(known.contains(symbol)) << name_of(symbol) << ", seed " << seed;
  }
}

// --- JSON ------------------------------------------------------------------------------------------------------------

TEST(PrintJson, IsReadBackWholeAndEvaluatesToTheSame) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto c = testing::DeriveCase::make(seed, {.most_bodies = 6});
    const std::string json = print_json(c->document);
    const Eigen::VectorXd before = c->solved();
    c->document = read_json(json);
    EXPECT_EQ(print_json(c->document), json);
    EXPECT_EQ(print_text(c->document), print_text(read_json(json)));
    EXPECT_EQ((c->solved() - before).norm(), 0) << "seed " << seed;
  }
}

TEST(PrintJson, DamagedIsRefused) {
  const Json whole = Json::parse(print_json(example("dual_spin/dual_spin")));
  const auto refused = [](const Json& json) -> std::string {
    try {
      read_json(json.dump());
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_EQ(refused(whole), "read");
  Json damaged = whole;
  damaged["format"] = "something else";
  EXPECT_THAT(refused(damaged), HasSubstr("the format is not"));
  damaged = whole;
  damaged.erase("equations");
  EXPECT_THAT(refused(damaged), HasSubstr("equations"));
  damaged = whole;
  damaged["equations"][0]["left"][0]["value"]["op"] = "multiply";
  EXPECT_THAT(refused(damaged), HasSubstr("'multiply' is not known"));
  damaged = whole;
  damaged["equations"][0]["left"][0]["value"] = {
      {"op", "cross"}, {"type", "vector"}, {"of", {{{"op", "number"}, {"type", "scalar"}, {"value", 1}}}}};
  EXPECT_THAT(refused(damaged), HasSubstr("1 operands"));
  damaged["equations"][0]["left"][0]["value"]["of"].push_back({{"op", "number"}, {"type", "scalar"}, {"value", 1}});
  EXPECT_THAT(refused(damaged), HasSubstr("cross product of a scalar and a scalar"));
  EXPECT_THROW(read_json("{"), std::invalid_argument);
}

TEST(PrintJson, SchemaIsTheOneInTheGuide) {
  const fs::path file = GYROSTAT_SOURCE_DIR "/docs/guide/derive.schema.json";
  if (std::getenv("GYROSTAT_RENEW") != nullptr) std::ofstream(file, std::ios::binary) << equations_schema();
  EXPECT_EQ(read(file), equations_schema());
}

// --- names that want to be more than names ---------------------------------------------------------------------------

const std::vector<std::string> hostile = {"</title><script>alert(1)</script>",
                                          "\\input{/etc/passwd}",
                                          "$x_{1}$ & #1 %comment",
                                          "\\end{document}",
                                          "a\"b'c<d>e`f~g^h|i{j}k",
                                          "line\nbreak\x1b[2J",
                                          "ünïcödé ßtraße λ 卫星",
                                          "\\\\ \\verb|x| \\write18{ls}",
                                          "\u202Edesrever\u2066\u061C two\u2028lines\u0085"};

/// Has it characters that turn the direction of writing, or end a line?
bool turns_or_ends(const std::string& text) {
  for (const char* one : {"\u202E", "\u2066", "\u061C", "\u2028", "\u0085", "\x1b", "\x07"}) {
    if (text.find(one) != std::string::npos) return true;
  }
  return false;
}

/// A document whose every name is such a one.
Document with_names(const std::string& name) {
  Document document = example("dual_spin/damped_rotor");
  document.title = name;
  const auto rename = [&](const std::string& from) { return from == "world" || from.size() <= 1 ? from : from + name; };
  const std::function<void(Symbol&)> rename_symbol = [&](Symbol& symbol) {
    for (Index& index : symbol.indices) {
      if (!index.running) index.name = rename(index.name);
    }
  };
  const std::function<Expr(const Expr&)> renamed = [&](const Expr& e) -> Expr {
    if (!e) return e;
    derive::Node made = *e;
    rename_symbol(made.symbol);
    rename_symbol(made.range.set);
    for (std::string& member : made.range.members) member = rename(member);
    made.frame = rename(made.frame);
    for (Expr& operand : made.operands) operand = renamed(operand);
    return std::make_shared<const derive::Node>(std::move(made));
  };
  for (Branch& b : document.tree) b.body += name, b.joint += name, b.note += name;
  for (SetDefinition& s : document.sets) {
    rename_symbol(s.set);
    s.meaning += name;
    for (std::string& member : s.members) member = rename(member);
  }
  for (Definition& d : document.definitions) {
    rename_symbol(d.symbol);
    d.meaning += name;
    d.formula = name;
    d.value = renamed(d.value);
    if (d.constant && !d.constant->frame.empty()) d.constant->frame += name;
  }
  for (Equation& e : document.equations) {
    e.title += name;
    for (auto* side : {&e.left, &e.right}) {
      for (Term& term : *side) {
        term.value = renamed(term.value);
        term.meaning += name;
      }
    }
  }
  for (LeftOut& l : document.left_out) l.what += name, l.why += name;
  return document;
}

TEST(HostileNames, StayNamesInHtml) {
  const std::string plain = print_html(example("dual_spin/damped_rotor"), {true, false});
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  for (const std::string& name : hostile) {
    const std::string html = print_html(with_names(name), {true, false});
    for (const char* tag : {"<script", "</script", "</title", "<style", "<math", "</math", "<tr", "</tr", "<a ", "<li"})
      EXPECT_EQ(count(html, tag), count(plain, tag)) << tag << " with " << name;
    EXPECT_FALSE(turns_or_ends(html)) << name;
  }
}

TEST(HostileNames, StayNamesInText) {
  for (const std::string& name : hostile) {
    const std::string text = print_text(with_names(name));
    for (const char c : text) ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << name;
    EXPECT_FALSE(turns_or_ends(text)) << name;
  }
}

TEST(HostileNames, StayNamesInJson) {
  for (const std::string& name : hostile) EXPECT_EQ(read_json(print_json(with_names(name))).title, name);
}

/// Braces that are no names' stand in pairs, and no command comes from a name.
TEST(HostileNames, StayNamesInLatex) {
  for (const std::string& name : hostile) {
    const std::string latex = print_latex(with_names(name), {true, false});
    for (const char* command : {"\\input{", "\\verb", "\\write18"}) EXPECT_THAT(latex, Not(HasSubstr(command)));
    EXPECT_FALSE(turns_or_ends(latex)) << name;
    EXPECT_EQ(latex.find("\\end{document}"), latex.rfind("\\end{document}"));
    int depth = 0;
    for (std::size_t k = 0; k < latex.size(); ++k) {
      if (latex[k] == '\\') {
        ++k;
      } else if (latex[k] == '%') {
        while (k < latex.size() && latex[k] != '\n') ++k;
      } else {
        depth += latex[k] == '{' ? 1 : latex[k] == '}' ? -1 : 0;
      }
      ASSERT_GE(depth, 0) << name;
    }
    EXPECT_EQ(depth, 0) << name;
  }
}

TEST(PrintLatex, Compiles) {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is missing";
  const fs::path folder = fs::temp_directory_path() / ("gyrostat_latex_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::vector<Document> documents;
  for (const char* name : {"five_body/five_body", "four_bar/four_bar"}) documents.push_back(example(name));
  std::string all;
  for (const std::string& name : hostile) all += name;
  documents.push_back(with_names(all));
  for (std::size_t k = 0; k < documents.size(); ++k) {
    std::ofstream(folder / "equations.tex") << print_latex(documents[k], {true, false});
    const std::string command =
        "cd " + folder.string() + " && pdflatex -interaction=nonstopmode -halt-on-error equations.tex > log.txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << "document " << k << ":\n" << read(folder / "log.txt");
  }
  fs::remove_all(folder);
}

// --- HTML ------------------------------------------------------------------------------------------------------------

TEST(PrintHtml, IsOneFileWhoseLinksLeadSomewhere) {
  for (const char* name : {"five_body/five_body", "ten_body/ten_body", "stewart/stewart"}) {
    const std::string html = print_html(example(name), {true, false});
    EXPECT_THAT(html, Not(HasSubstr("http")));
    EXPECT_THAT(html, Not(HasSubstr("<link")));
    EXPECT_THAT(html, Not(HasSubstr("src=")));
    std::set<std::string> ids;
    const std::regex id("id=\"([^\"]+)\""), href("href=\"#([^\"]+)\""), use("data-s=\"([0-9]+)\"");
    const auto each = [&](const std::regex& what, auto act) {
      for (auto it = std::sregex_iterator(html.begin(), html.end(), what); it != std::sregex_iterator(); ++it)
        act((*it)[1].str());
    };
    each(id, [&](const std::string& one) { EXPECT_TRUE(ids.insert(one).second) << one << " twice"; });
    each(href, [&](const std::string& one) { EXPECT_TRUE(ids.contains(one)) << one; });
    each(use, [&](const std::string& one) { EXPECT_TRUE(ids.contains("s-" + one)) << one; });
    EXPECT_GT(ids.size(), 50U);
  }
}

/// Powers of ten, what is only rounding, brackets as tall as a fraction, names of frames as small as indices.
TEST(Printers, WriteNumbersAndSignsAsBooksDo) {
  const Loaded loaded = testing::load(R"yaml(gyrostat: 1
bodies: {bob: {mass: 2.5e-7, inertia: [1.0e-9, 2.0e-9, -cos(180 deg)*1.0e-9], com: [0.1, 0, 0]}, end: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pin: {type: revolute, parent: world, child: bob, axis: [cos(90 deg), 1, 0]}
  rope: {type: spherical, parent: bob, child: end, parent_point: [1, 0, 0]}
constraints:
  slot: {point: [end, com], of: bob, directions: [[0, 1, 0]]}
)yaml");
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Document document = derive_equations(*loaded.model);
  EXPECT_THAT(print_text(document), HasSubstr("(0, 1, 0) in world"));
  const std::string html = print_html(document), latex = print_latex(document);
  EXPECT_THAT(html, HasSubstr("<span class=\"value\">2.5·10<sup>−7</sup> <span class=\"unit\">kg</span></span>"));
  EXPECT_THAT(html, HasSubstr("<mtd><mrow><mn>2</mn><mo>·</mo><msup><mn>10</mn><mn>−9</mn></msup></mrow></mtd>"));
  EXPECT_THAT(html, HasSubstr("(0, 1, 0)"));
  EXPECT_THAT(html, HasSubstr("<mprescripts/><mrow></mrow><mrow><mtext>bob</mtext></mrow>"));
  EXPECT_THAT(html, HasSubstr("<mo stretchy=\"true\" form=\"prefix\">(</mo><mmultiscripts><mfrac>"));
  EXPECT_THAT(html, HasSubstr("<mrow><mspace width=\"0.1em\"/><mi mathvariant=\"normal\">c</mi></mrow>"));
  EXPECT_THAT(latex, HasSubstr("$2.5\\cdot 10^{-7}\\;\\mathrm{kg}$"));
  EXPECT_THAT(latex, HasSubstr("$(0,\\ 1,\\ 0)$ in world"));
  // JSON has the numbers as they are
  const Json json = Json::parse(print_json(document));
  const auto axis = std::ranges::find_if(json["symbols"], [](const Json& d) {
    return d["symbol"]["letter"] == "q" && d["symbol"]["indices"] == Json({"pin"});
  });
  ASSERT_NE(axis, json["symbols"].end());
  EXPECT_NE((*axis)["constant"]["components"][0].get<double>(), 0);
}

/// With all that a name can be; read by a parser of XML.
TEST(PrintHtml, IsWellFormed) {
  const testing::Scratch scratch;
  std::string all;
  for (const std::string& name : hostile) all += name;
  const std::vector<std::string> pages = {
      scratch.write("a.html", print_html(example("four_bar/four_bar"), {true, false})),
      scratch.write("b.html", print_html(example("leo_satellite/leo_satellite"))),
      scratch.write("c.html", print_html(with_names(all), {true, false}))};
  for (const std::string& page : pages) {
    const std::string log = (scratch.path() / "log").string();
    const std::string command = "python3 -I -c \"import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])\" '" +
                                page + "' >'" + log + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << read(log);
  }
}

}  // namespace print_test
}  // namespace gyrostat
