// The table of modes. One is chosen by a press anywhere in its row.
import { el } from "../dom";
import type { Mode } from "../payload";
import { brief } from "../units";
import { has_motion, mode_name, mode_number } from "./data";
import type { ModePlayer } from "./player";

const heads = ["", "frequency [Hz]", "damping ratio", "time constant [s]", "what moves"];

export function modes_table(modes: Mode[], player: ModePlayer): HTMLElement {
  const rows = modes.map((_, k) => row(modes, k, player));
  const mark = (): void =>
    rows.forEach((element, k) => {
      const chosen = k === player.chosen;
      element.classList.toggle("chosen", chosen);
      element.querySelector("button")!.setAttribute("aria-pressed", String(chosen));
      if (chosen) scroll_to(element);
    });
  player.changed.add(mark);
  return el(
    "div",
    { class: "scroll modes" },
    el(
      "table",
      { class: "numbers" },
      el("thead", {}, el("tr", {}, ...heads.map((text) => el("th", { set: { scope: "col" } }, text)))),
      el("tbody", {}, ...rows),
    ),
  );
}

function row(modes: Mode[], k: number, player: ModePlayer): HTMLElement {
  const mode = modes[k]!;
  const cell = (head: number, ...content: (string | HTMLElement | false)[]) =>
    el("td", { set: { "data-head": heads[head]! } }, ...content);
  const still = has_motion(mode) ? "" : "Nothing that is drawn moves in it";
  return el(
    "tr",
    { title: still, on: { click: () => void player.choose(k) } },
    el(
      "th",
      { set: { scope: "row" } },
      el("button", { set: { type: "button", "aria-label": mode_name(modes, k) } }, mode_number(modes, k)),
    ),
    cell(1, mode.neutral ? "0" : mode.frequency === null ? "–" : brief(mode.frequency, 5)),
    cell(2, mode.damping === null ? "–" : brief(mode.damping, 4)),
    cell(3, mode.time === null ? "–" : brief(mode.time, 4)),
    cell(
      4,
      mode.neutral && el("span", { class: "badge" }, mode.rigid ? "rigid body" : "neutral"),
      mode.grows && el("span", { class: "badge bad" }, "grows"),
      mode.what,
    ),
  );
}

/// Within its list, not the page.
function scroll_to(element: HTMLElement): void {
  const list = element.closest<HTMLElement>(".modes");
  if (!list) return;
  const top = element.offsetTop;
  if (top < list.scrollTop + 24) list.scrollTop = Math.max(0, top - 30);
  else if (top + element.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top + element.offsetHeight - list.clientHeight;
}
