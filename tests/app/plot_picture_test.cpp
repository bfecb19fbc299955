// gyrostat plot -o: pictures that gnuplot draws.
#include <limits>
#include <set>

#include "app/head.h"
#include "support/curves_file.h"

namespace gyrostat::testing {
namespace {

namespace fs = std::filesystem;

class Picture : public ::testing::Test {
 protected:
  Scratch scratch;

  void SetUp() override {
    if (std::system("gnuplot --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "gnuplot is not installed";
  }

  std::string path(const std::string& name) const { return "'" + (scratch.path() / name).string() + "'"; }

  std::string sample() const {
    return curves_file(
        scratch, "a.h5", counting(9),
        {{"x", "m", counting(9)}, {"y", "m", {8, 7, 6, 5, 4, 3, 2, 1, 0}}, {"omega", "rad/s", counting(9)}});
  }

  /// The picture of all curves in the file.
  std::string picture(const std::string& results, const std::string& name, const std::string& options = "") const {
    const Outcome o = run("plot " + results + " '*' -o " + path(name) + options);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_EQ(o.out, "");
    return slurp(scratch.path() / name);
  }

  /// A program in gnuplot's place; returns the environment in which it is found.
  std::string stand_in(const std::string& script) const {
    fs::create_directory(scratch.path() / "bin");
    scratch.write("bin/gnuplot", "#!/bin/sh\n" + script);
    fs::permissions(scratch.path() / "bin/gnuplot", fs::perms::owner_all);
    return "PATH='" + (scratch.path() / "bin").string() + "'";
  }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(scratch.path())) names.insert(entry.path().filename().string());
    return names;
  }

  void expect_refused(const std::string& arguments, const std::string& said, const std::string& environment = "") {
    SCOPED_TRACE(arguments);
    const std::set<std::string> before = files();
    const Outcome o = run("plot " + arguments, environment);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr(said));
    EXPECT_EQ(files(), before);
  }
};

/// The width and height that a PNG says it has.
std::pair<unsigned, unsigned> size_of_png(const std::string& png) {
  const auto number = [&](std::size_t place) {
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8U | static_cast<unsigned char>(png.at(place + i));
    return value;
  };
  return {number(16), number(20)};
}

bool is_xml(const fs::path& path) {
  const std::string check = "python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' '";
  return std::system((check + path.string() + "' 2>/dev/null").c_str()) == 0;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_F(Picture, PngHasTheSizeAskedFor) {
  const std::string png = picture(sample(), "a.png");
  EXPECT_THAT(png, StartsWith("\x89PNG\r\n\x1a\n"));
  EXPECT_EQ(size_of_png(png), std::pair(1000U, 560U));
  EXPECT_EQ(size_of_png(picture(sample(), "b.PNG", " --size 640x480")), std::pair(640U, 480U));
  EXPECT_EQ(size_of_png(picture(sample(), "c.png", " --size 100x100")), std::pair(100U, 100U));
}

TEST_F(Picture, SvgHasTheCurves) {
  const std::string svg = picture(sample(), "a.svg");
  EXPECT_TRUE(is_xml(scratch.path() / "a.svg"));
  for (const char* text : {">x<", ">y<", ">omega<", ">[m]<", ">[rad/s]<", ">t [s]<"}) EXPECT_THAT(svg, HasSubstr(text));
  EXPECT_EQ(count(svg, "id=\"gnuplot_plot_"), 3U);
  EXPECT_EQ(count(svg, ">t [s]<"), 1U) << "under the last panel only";
}

TEST_F(Picture, PdfIsOnePage) {
  const std::string pdf = picture(sample(), "a.pdf");
  EXPECT_THAT(pdf, StartsWith("%PDF-"));
  EXPECT_THAT(pdf, HasSubstr("%%EOF"));
}

TEST_F(Picture, ANameExecutesNothing) {
  const std::string mark = (scratch.path() / "mark").string(), touch = "touch " + mark;
  const std::vector<std::string> names = {"'; system '" + touch + "'; print '",
                                          "\"; system \"" + touch + "\"",
                                          "`" + touch + "`",
                                          "$(" + touch + ")",
                                          "@GPVAL_TERMINALS",
                                          "a\n!" + touch + "\n",
                                          "{/Bold b}_2^3 \\n %g ~a{.5b}",
                                          "EOD",
                                          "<script>alert(1)</script>&amp;",
                                          "\xFF\xC0\xAF\xED\xA0\x80 grö\xC3"};
  std::vector<SampleCurve> curves;
  for (const std::string& name : names) {
    std::string allowed = name;  // a slash would be a group
    std::ranges::replace(allowed, '/', '|');
    curves.push_back({allowed, "[" + allowed + "]", counting(3)});
  }
  curves.push_back({"`" + std::string("touch mark") + "`", "'; system 'touch mark'; '", counting(3)});
  const Outcome o = run("plot " + curves_file(scratch, "a.h5", counting(3), curves) + " '*' -o " + path("a.svg"),
                        "cd '" + scratch.path().string() + "' &&");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(files(), (std::set<std::string>{"a.h5", "a.svg"}));
  EXPECT_TRUE(is_xml(scratch.path() / "a.svg"));
  const std::string svg = slurp(scratch.path() / "a.svg");
  for (const char* text : {">@GPVAL_TERMINALS<", ">EOD<", ">`touch mark`<", ">{|Bold b}_2^3 \\n %g ~a{.5b}<",
                           "&lt;script>alert(1)&lt;|script>&amp;amp;", ">?????? grö?<"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST_F(Picture, AFileNameExecutesNothing) {
  for (const std::string name : {"|touch mark.png", "`touch mark`.png", "a; touch mark;.png", "~.png"}) {
    const Outcome o = run("plot " + sample() + " x -o '" + name + "'", "cd '" + scratch.path().string() + "' &&");
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_EQ(files(), (std::set<std::string>{"a.h5", name}));
    fs::remove(scratch.path() / name);
  }
}

TEST_F(Picture, NumbersAtTheEdgeOfTheirRangeAreDrawn) {
  constexpr double most = std::numeric_limits<double>::max(), least = std::numeric_limits<double>::denorm_min(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  const std::string a = curves_file(scratch, "a.h5", {1e9, 1e9 + 0.001, 1e9 + 0.002},
                                    {{"huge", "m", {1e300, -1e300, 1e300}},
                                     {"most", "W", {most, -most, most}},
                                     {"least", "s", {0, 1e-310, least}},
                                     {"constant", "N", {most, most, most}},
                                     {"zero", "K", {0, 0, 0}},
                                     {"gap", "A", {1, nan, 2}}});
  const Outcome o = run("plot " + a + " '*' -o " + path("a.svg"));
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "gap: 1 of 3 values not finite; not drawn\nleast: changes by 1e-310 only; drawn as constant\n");
  EXPECT_TRUE(is_xml(scratch.path() / "a.svg"));
  EXPECT_THAT(slurp(scratch.path() / "a.svg"), HasSubstr(">−1×10³⁰⁰<"));
  picture(curves_file(scratch, "one.h5", {3}, {{"x", "m", {2}}}), "one.png");
}

TEST_F(Picture, TakesThePlaceOfAnOlderOne) {
  picture(sample(), "real.png");
  fs::create_symlink(scratch.path() / "real.png", scratch.path() / "link.png");
  EXPECT_THAT(picture(sample(), "link.png"), StartsWith("\x89PNG"));
  EXPECT_TRUE(fs::is_symlink(scratch.path() / "link.png"));
  EXPECT_THAT(slurp(scratch.path() / "real.png"), StartsWith("\x89PNG"));
  EXPECT_EQ(files(), (std::set<std::string>{"a.h5", "link.png", "real.png"}));
}

TEST_F(Picture, NothingIsLostWhereGnuplotFails) {
  const std::string a = sample();
  const std::string old = picture(a, "old.png");
  const std::string broken =
      stand_in("echo first line >&2\necho half a picture\necho >&2\necho '\033[31mbad' >&2\nexit 3\n");
  expect_refused(a + " x -o " + path("new.png"), "gnuplot failed:\n  first line\n  ?[31mbad\n", broken);
  expect_refused(a + " x -o " + path("old.png"), "gnuplot failed:", broken);
  expect_refused(a + " x -o " + path("old.png"), "gnuplot failed:", stand_in("exit 0\n"));
  expect_refused(a + " x -o " + path("old.png"), "gnuplot was ended by signal 9", stand_in("kill -9 $$\n"));
  EXPECT_TRUE(slurp(scratch.path() / "old.png") == old);
}

TEST_F(Picture, WithoutGnuplotItSaysHowToGetIt) {
  expect_refused(sample() + " x -o " + path("a.png"), "apt-get install gnuplot-nox", "PATH=/nowhere");
  expect_refused(sample() + " x -o " + path("a.png"), "Without -o the plot appears in the terminal", "PATH=/nowhere");
  EXPECT_EQ(run("plot " + sample() + " x", "PATH=/nowhere").exit_code, 0);
}

TEST_F(Picture, RefusesWhatItCannotDraw) {
  const std::string a = sample();
  expect_refused(a + " x -o a.jpg", "a.jpg: a picture's name ends with .png, .svg or .pdf");
  expect_refused(a + " x -o png", "png: a picture's name ends with .png, .svg or .pdf");
  for (const char* size : {"10x10", "1000", "1000x", "x1000", "-5x5", "1000x600px", "1e3x600", "99999x600", "a"})
    expect_refused(a + " x -o a.png --size=" + size, "expected WxH in pixels, each 100 to 20000, like 1000x600");
  expect_refused(a + " x -o a.png --width 50", "--width");
  expect_refused(a + " -o a.png", "plot needs the names of columns");
  expect_refused(a + " x -o " + path("nowhere/a.png"), "nowhere' does not exist");
  fs::create_directory(scratch.path() / "folder.png");
  expect_refused(a + " x -o " + path("folder.png"), "folder.png: is a directory");
  fs::create_symlink("/dev/null", scratch.path() / "null.png");
  expect_refused(a + " x -o " + path("null.png"), "null.png: is not a regular file");
  std::vector<SampleCurve> many;
  for (int i = 0; i < 50; ++i) many.push_back({"x" + std::to_string(i), "m" + std::to_string(i), {0}});
  expect_refused(curves_file(scratch, "many.h5", {0}, many) + " '*' -o " + path("a.png"),
                 "50 columns would need 50 panels, and a picture has at most 40: name fewer");
}

TEST_F(Picture, ResultsAreNotOverwritten) {
  const std::string a = sample();
  fs::create_symlink(scratch.path() / "a.h5", scratch.path() / "link.png");
  expect_refused(a + " x -o " + path("link.png"), "link.png: are the results; they are not replaced");
  fs::copy_file(scratch.path() / "a.h5", scratch.path() / "other.png");
  expect_refused(a + " x -o " + path("other.png"), "other.png: exists and is not a picture that Gyrostat wrote");
  expect_refused(path("other.png") + " x -o " + path("other.png"), "other.png: are the results");
}

}  // namespace
}  // namespace gyrostat::testing
