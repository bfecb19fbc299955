// Under all views: how many flights are selected, and the one that is chosen with the command that flies it again.
import { el, icon_button, icons } from "../dom";
import { count } from "../units";
import { copy_button } from "./copy";
import type { CampaignData } from "./data";
import { command_of } from "./flights";
import type { Selection } from "./selection";

export function selection_bar(data: CampaignData, selection: Selection, details: () => void): HTMLElement {
  const number = el("b", { class: "count", set: { role: "status" } });
  const group = el("span", { class: "group quiet" });
  const clear = el("button", { set: { type: "button" }, on: { click: () => selection.clear() } }, "Clear");
  const name = el("button", { class: "link which", set: { type: "button" }, on: { click: details } });
  const code = el("code");
  const command = el(
    "div",
    { class: "command" },
    code,
    copy_button(() => code.textContent ?? ""),
  );
  const back = icon_button(icons.back, "Previous flight (←)", () => selection.step(-1));
  const forward = icon_button(icons.forward, "Next flight (→)", () => selection.step(1));
  const show_selection = (): void => {
    const all = selection.everything;
    number.textContent = all
      ? `${count(data.size)} flights`
      : `${count(selection.count)} of ${count(data.size)} flights selected`;
    group.textContent = selection.group ? selection.group.label : "";
    group.title = group.textContent;
    clear.hidden = all;
  };
  const show_chosen = (): void => {
    const k = selection.chosen;
    name.textContent = k < 0 ? "Choose a flight" : `Flight ${data.number[k]}`;
    name.disabled = k < 0;
    command.hidden = k < 0;
    code.textContent = k < 0 ? "" : command_of(data, k);
    code.title = code.textContent;
  };
  selection.changed.add(show_selection);
  selection.chosen_changed.add(show_chosen);
  show_selection();
  show_chosen();
  return el(
    "footer",
    { class: "transport selection", set: { role: "toolbar", "aria-label": "Selection" } },
    number,
    group,
    clear,
    el("span", { class: "spring" }),
    command,
    back,
    name,
    forward,
  );
}
