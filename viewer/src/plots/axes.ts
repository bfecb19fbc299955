// The choices about a plot's axes.
import type { RunData } from "../data";
import { el, icon, icons, menu } from "../dom";
import { all_columns } from "./picker";

export function axes_menu(runs: RunData[], change: (log: boolean, against: string | null) => void): HTMLElement {
  const log = el("input", { set: { type: "checkbox" } });
  const against = el(
    "select",
    { set: { "aria-label": "Horizontal axis" } },
    el("option", { set: { value: "" } }, "Time"),
  );
  const tell = (): void => change(log.checked, against.value === "" ? null : against.value.slice(1));
  log.addEventListener("change", tell);
  against.addEventListener("change", tell);
  const details = menu(
    icon(icons.axes),
    el("label", { class: "choice" }, "Horizontal axis", against),
    el("label", { class: "choice" }, log, "Logarithmic vertical axis"),
  );
  const summary = details.querySelector("summary")!;
  summary.title = "Axes";
  summary.setAttribute("aria-label", "Axes");
  details.addEventListener(
    "toggle",
    () => {
      const options = all_columns(runs).map(({ name }) => el("option", { set: { value: `=${name}` } }, name));
      against.append(...options); // when it is first opened: there may be many plots and many columns
    },
    { once: true },
  );
  return details;
}
