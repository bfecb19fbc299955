// A dialog in which the reader chooses quantities.
import type { RunData } from "../data";
import { el } from "../dom";
import type { Column } from "../payload";
import { display_of } from "../units";

/// All columns, of whatever run, each once.
export function all_columns(runs: RunData[]): Column[] {
  const found = new Map<string, Column>();
  for (const { run } of runs)
    for (const column of run.columns) if (!found.has(column.name)) found.set(column.name, column);
  return [...found.values()];
}

/// The columns chosen, or null if the reader thinks better of it.
export function pick_columns(runs: RunData[], chosen: readonly string[]): Promise<Column[] | null> {
  const columns = all_columns(runs);
  const boxes = new Map(
    columns.map((column) => {
      const box = el("input", { set: { type: "checkbox", checked: chosen.includes(column.name) } });
      return [column, box] as const;
    }),
  );
  const rows = columns.map((column) =>
    el(
      "label",
      { class: "choice", title: column.description },
      boxes.get(column)!,
      el("span", {}, column.name),
      el("small", {}, display_of(column.unit).unit),
    ),
  );
  const filter = el("input", {
    set: { type: "search", placeholder: "Filter: omega, pan, ledger/..", "aria-label": "Filter" },
  });
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    columns.forEach((column, k) => {
      const text = `${column.name} ${column.unit} ${column.description}`.toLowerCase();
      rows[k]!.hidden = !words.every((word) => text.includes(word));
    });
  });
  const dialog = el(
    "dialog",
    { class: "picker", set: { "aria-label": "Choose quantities" } },
    el(
      "form",
      { set: { method: "dialog" } },
      el("h2", {}, "Quantities"),
      filter,
      el("div", { class: "list" }, ...rows),
      el(
        "footer",
        {},
        el("span", { class: "quiet" }, "Each unit gets a plot of its own"),
        el("span", { class: "spring" }),
        el("button", { set: { type: "button" }, on: { click: () => dialog.close("") } }, "Cancel"),
        el("button", { class: "primary", set: { value: "plot" } }, "Plot"),
      ),
    ),
  );
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    dialog.close("plot");
  });
  document.body.appendChild(dialog);
  dialog.showModal();
  filter.focus();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "plot" ? columns.filter((column) => boxes.get(column)!.checked) : null);
    });
  });
}
