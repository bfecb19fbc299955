// What HTML pages of equations are made of: text in them, head, style and script. They are well-formed XML too.
#pragma once

#include <string>
#include <string_view>

#include "gyrostat/derive/hidden_characters.h"

namespace gyrostat::derive {

/// Text that says itself and no markup.
inline std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : without_hidden(text, "")) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

/// A number with a minus sign, and powers of ten where it has them; `power` writes them.
template <class Power>
std::string typeset_number(std::string text, Power power) {
  const auto with_minus = [](std::string digits) {
    if (digits.starts_with('-')) digits.replace(0, 1, "−");
    return digits;
  };
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return with_minus(std::move(text));
  return power(with_minus(text.substr(0, e)), with_minus(std::to_string(std::stoi(text.substr(e + 1)))));
}

/// In text: "4.2·10<sup>−6</sup>" of "4.2e-06".
inline std::string html_number(std::string text) {
  return typeset_number(std::move(text), [](const std::string& digits, const std::string& exponent) {
    return digits + "·10<sup>" + exponent + "</sup>";
  });
}

/// In MathML; of a number that is not negative.
inline std::string mathml_number(std::string text) {
  if (text.find('e') == std::string::npos) return "<mn>" + text + "</mn>";
  return typeset_number(std::move(text), [](const std::string& digits, const std::string& exponent) {
    return "<mrow><mn>" + digits + "</mn><mo>·</mo><msup><mn>10</mn><mn>" + exponent + "</mn></msup></mrow>";
  });
}

/// Title and style are put in.
inline constexpr std::string_view html_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="generator" content="gyrostat derive"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{}</title>
<style>{}</style></head><body><main>
)";

inline constexpr std::string_view html_style = R"(
:root { --paper: #fdfcf9; --ink: #1c1b19; --soft: #6a655c; --rule: #ddd6c8; --accent: #8a3b12; --mark: #fbeecb; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16171a; --ink: #e6e2da; --soft: #a39d92; --rule: #3a3b40; --accent: #e8a06a; --mark: #4a3b1a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.55 "Latin Modern Roman", "Libertinus Serif", "STIX Two Text", Cambria, Georgia, "DejaVu Serif", serif; }
main { max-width: 56rem; margin: 0 auto; padding: 3rem 2rem 5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; font-weight: 600; margin: 0 0 .4rem; text-wrap: balance; }
h2 { font-size: 1.3rem; font-weight: 600; margin: 3rem 0 .6rem; padding-bottom: .2rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; font-weight: 600; font-style: italic; margin: 1.6rem 0 .3rem; break-after: avoid; }
.by, .note { color: var(--soft); margin: 0 0 1rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
nav { margin: 1.5rem 0 0; font-size: .9rem; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
math { font-size: 1.06em; }
sup { line-height: 0; font-size: .75em; }
mo.ring { padding-bottom: .14em; }
mo.dot { font-size: 1.35em; padding-bottom: .08em; margin-left: .1em; }
mi, mn, mtext { font-family: "Latin Modern Roman", "Libertinus Serif", "STIX Two Text", Cambria, Georgia, "DejaVu Serif", serif; }
mi { text-transform: none; font-style: italic;
  font-family: "Latin Modern Roman", "MathJax_Math", "Latin Modern Math", "Libertinus Serif", "STIX Two Text", Cambria, Georgia, "DejaVu Serif", serif; }
mi.v { font-weight: 700; }
mi.D, mi[mathvariant="normal"] { font-style: normal;
  font-family: "Latin Modern Roman", "MathJax_Main", "Latin Modern Math", "Libertinus Serif", "STIX Two Text", Cambria, Georgia, "DejaVu Serif", serif; }
mi.D { font-weight: 700; }
mtext { font-size: .92em; }
mtable.cases mtd { text-align: left; text-indent: 0; padding-left: 0; padding-right: .8em; }
.s { cursor: pointer; }
.s:hover { color: var(--accent); }
.craft { margin: 1.4rem 0; padding: 1rem 1.2rem; border: 1px solid var(--rule); border-radius: 6px; overflow-x: auto;
  font-size: .93rem; line-height: 1.3; }
.craft ul { list-style: none; margin: 0; padding-left: 1.7rem; }
.craft ul.deep { padding-left: .3rem; }
.craft li { position: relative; padding: .42rem 0 0; white-space: nowrap; }
.craft li::before { content: ""; position: absolute; left: -1.1rem; top: 0; width: .95rem; height: 1.15rem;
  border-left: 1.5px solid var(--soft); border-bottom: 1.5px solid var(--soft); border-bottom-left-radius: 5px; }
.craft li:not(:last-child)::after { content: ""; position: absolute; left: -1.1rem; top: 0; bottom: 0;
  border-left: 1.5px solid var(--soft); }
.body { display: inline-block; border: 1.5px solid var(--ink); border-radius: 4px; padding: .02rem .5rem; font-weight: 600; }
.body.world { border-style: dashed; font-weight: 400; }
.body.chosen { background: var(--mark); border-color: var(--accent); }
.joint { font-style: italic; color: var(--accent); margin-right: .5rem; }
.about { color: var(--soft); font-size: .85rem; margin-left: .6rem; }
table.symbols { border-collapse: collapse; width: 100%; font-size: .95rem; }
table.symbols td { padding: .22rem .8rem .22rem 0; vertical-align: baseline; border-bottom: 1px solid var(--rule); }
table.symbols td:first-child { white-space: nowrap; width: 1%; padding-right: 1.2rem; }
table.symbols td:last-child { text-align: right; padding-right: 0; font-variant-numeric: tabular-nums; max-width: 24rem; }
.value { white-space: nowrap; }
.uses, .frame { color: var(--soft); font-size: .85em; }
.unit { color: var(--soft); }
code { font: .82em/1.3 "DejaVu Sans Mono", Consolas, monospace; overflow-wrap: anywhere; }
.definition { margin: .75rem 0; break-inside: avoid; }
.definition .formula { padding-left: 2.2rem; text-indent: -2.2rem; }
.definition .meaning { margin: .05rem 0 0 2.2rem; color: var(--soft); font-size: .9rem; }
.formula { overflow-x: auto; overflow-y: hidden; padding: .12rem 0; line-height: 2.1; }
.hanging { padding-left: 3rem; text-indent: -2rem; }
.equation { display: grid; grid-template-columns: 1fr 3.2rem; align-items: center; margin: .5rem 0 .9rem; padding: .35rem 0; }
.equation.plain { margin: .1rem 0; padding: 0; }
.lines { min-width: 0; }
.line { display: grid; grid-template-columns: 7.2rem 1fr; column-gap: 1rem; align-items: baseline; }
.plain .line { grid-template-columns: 1.2rem 1fr; }
.line .formula { min-width: 0; padding-left: 1.4rem; text-indent: -1.4rem; }
.line.first .formula { padding-left: 2.6rem; }
.line.right .formula { padding-left: 4rem; }
.group { font-size: .78rem; line-height: 1.15; color: var(--soft); font-style: italic; text-align: right; }
.number { text-align: right; color: var(--soft); }
table.terms { font-size: .92rem; margin: 0 0 1.5rem 8.2rem; border-collapse: collapse; }
table.terms td { padding: .15rem .9rem .15rem 0; vertical-align: baseline; }
table.terms td:last-child { color: var(--soft); min-width: 20rem; }
.left-out { padding-left: 1.2rem; }
.left-out em { color: var(--soft); }
:target:not(section), .lit { background: var(--mark); border-radius: 3px; }
#tip { position: fixed; max-width: 26rem; padding: .35rem .7rem; background: var(--ink); color: var(--paper); border-radius: 4px;
  font-size: .85rem; line-height: 1.35; pointer-events: none; z-index: 2; }
@media (max-width: 44rem) {
  main { padding: 1.5rem 1rem 3rem; }
  .line { grid-template-columns: 1fr; }
  .group { text-align: left; }
  table.terms { margin-left: 0; }
  .value { white-space: normal; }
  table.symbols .meaning { overflow-wrap: anywhere; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb; --accent: #000; --mark: #fff; }
  @page { margin: 18mm 17mm; }
  html { font-size: 14px; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  nav, #tip, .uses { display: none; }
  h2, h2 + .note, h3 { break-after: avoid; }
  .equation, .craft, .note, tr { break-inside: avoid; }
  table.symbols tr:first-child { break-after: avoid; }
  .formula { overflow: visible; }
}
)";

/// Symbols tell what they mean, and lead to their definitions.
inline constexpr std::string_view html_script = R"(
const tip = document.getElementById("tip");
const row = (e) => { const s = e.target.closest?.(".s"); return s ? document.getElementById("s-" + s.dataset.s) : null; };
document.addEventListener("click", (e) => { const to = row(e); if (to) location.hash = to.id; });
document.addEventListener("mouseover", (e) => {
  const to = row(e);
  const meaning = to?.querySelector(".meaning");
  tip.hidden = !meaning;
  if (!meaning) return;
  const copy = meaning.cloneNode(true);
  copy.querySelectorAll(".uses").forEach((u) => u.remove());
  tip.textContent = copy.textContent.trim();
  const box = e.target.closest(".s").getBoundingClientRect();
  tip.style.left = Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + "px";
  tip.style.top = (box.top > tip.offsetHeight + 16 ? box.top - tip.offsetHeight - 8 : box.bottom + 8) + "px";
});
)";

}  // namespace gyrostat::derive
