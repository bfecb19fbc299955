// Makes the page of reports: one HTML file that holds everything but the data, and a C++ file that holds it.
//   node build.mjs OUT.html [OUT.cpp]
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [html_file, cpp_file] = process.argv.slice(2);
if (!html_file) throw new Error("usage: node build.mjs OUT.html [OUT.cpp]");

const bundle = async (entry) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
};

/// Dark colours are written once and serve the reader's choice and the system's.
const with_dark = (css) => {
  const dark = css.match(/:root\[data-theme=("?)dark\1\]\{--[^}]*\}/);
  if (!dark) throw new Error("style.css has no dark colours");
  const rule = dark[0].replace(/:root\[data-theme=("?)dark\1\]/, ":root:not([data-theme=light])");
  return css.replace(dark[0], `${dark[0]}@media (prefers-color-scheme:dark){${rule}}`);
};

const licences = await Promise.all(
  ["three", "uplot"].map(async (name) => {
    const { version } = JSON.parse(await readFile(join(here, "node_modules", name, "package.json"), "utf8"));
    const text = await readFile(join(here, "node_modules", name, "LICENSE"), "utf8");
    return `${name} ${version}\n${text.trim()}`;
  }),
);
const notice = `This page contains these libraries.\n\n${licences.join("\n\n")}`.replaceAll("--", "- -");

const script = await bundle("src/main.ts");
const style = with_dark(await bundle("src/style.css"));
// nothing runs but the bundle itself
const hash = createHash("sha256").update(script).digest("base64");
const page = (await readFile(join(here, "src/index.html"), "utf8"))
  .replace("'gyrostat:script'", `'sha256-${hash}'`)
  .replace("<!-- gyrostat:style -->", () => `<style>${style}</style>`)
  .replace("<!-- gyrostat:script -->", () => `<!--\n${notice}\n-->\n<script>${script}</script>`);
await writeFile(html_file, page);

if (cpp_file) {
  const pieces = page.match(/[^]{1,8000}/gu).map((piece) => JSON.stringify(piece).replaceAll("?", "\\?"));
  await writeFile(
    cpp_file,
    `// Made by viewer/build.mjs.
#include "gyrostat/report/viewer_page.h"

namespace gyrostat::report {
std::string_view viewer_page() {
  static constexpr char page[] =
${pieces.join("\n")};
  return {page, sizeof page - 1};
}
}  // namespace gyrostat::report
`,
  );
}
console.log(`${html_file}: ${Math.round(page.length / 1024)} kB`);
