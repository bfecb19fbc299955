// Linear or logarithmic axes.
import { el } from "../dom";
import type { AxisKind } from "./scale";

export function kind_choice(kind: AxisKind, choose: (kind: AxisKind) => void): HTMLElement {
  const box = el("input", { set: { type: "checkbox", checked: kind === "signed" } });
  box.addEventListener("change", () => choose(box.checked ? "signed" : "linear"));
  return el("label", { class: "choice", title: "Logarithmic on both sides of zero" }, box, "Logarithmic axes");
}
