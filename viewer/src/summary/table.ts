// Tables of facts.
import { el } from "../dom";

export type Cell = string | HTMLElement;

/// On a narrow window one of more than three columns is folded: a row becomes a few lines, each value under its head.
export function table(head: string[], rows: Cell[][], options: { numbers?: boolean } = {}): HTMLElement {
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: [options.numbers && "numbers", head.length > 3 && "folding"].filter(Boolean).join(" ") },
      el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { set: { scope: "col" } }, text)))),
      el(
        "tbody",
        {},
        ...rows.map((row) =>
          el(
            "tr",
            {},
            ...row.map((cell, k) =>
              k === 0
                ? el("th", { set: { scope: "row" } }, cell)
                : el("td", { set: { "data-head": head[k] ?? "" } }, cell),
            ),
          ),
        ),
      ),
    ),
  );
}

/// Names and values; those without a value are left out.
export function facts(entries: [name: string, value: Cell][]): HTMLElement {
  return el(
    "dl",
    { class: "facts" },
    ...entries
      .filter(([, value]) => value !== "")
      .flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
  );
}

export function card(title: string, ...content: (HTMLElement | SVGElement | null)[]): HTMLElement {
  return el("section", { class: "card" }, el("h2", {}, title), ...content);
}
