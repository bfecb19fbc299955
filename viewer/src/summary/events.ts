// Events in a table, those of the same name and kind in one row that opens; a press on a time goes to it.
import type { Clock } from "../clock";
import { index_at, type RunData } from "../data";
import { el } from "../dom";
import { count } from "../units";
import { card } from "./table";

const page = 300; // rows or times at a time

export interface EventList {
  time: Float64Array;
  name: Uint32Array;
  what: Uint32Array;
  texts: string[];
}

export async function events_of(data: RunData): Promise<EventList> {
  const { events } = data.run;
  const [time, name, what] = await Promise.all([data.f64(events.time), data.u32(events.name), data.u32(events.what)]);
  return { time, name, what, texts: events.texts };
}

/// Events with the same texts, by number; groups and their events in the order of time.
export function folded(events: EventList, kept: number[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const k of kept) {
    const key = `${events.name[k]} ${events.what[k]}`;
    const group = groups.get(key);
    if (group) group.push(k);
    else groups.set(key, [k]);
  }
  return [...groups.values()];
}

export function events_panel(events: EventList, clock: Clock): HTMLElement {
  const { time } = events;
  if (!time.length)
    return card("Events", el("p", { class: "quiet" }, "Nothing switched, jumped or was reached during this run."));
  const table = new EventTable(events, clock);
  const filter = el("input", {
    set: { type: "search", placeholder: "Filter: jet1, on", "aria-label": "Filter events" },
  });
  const fold = el("input", { set: { type: "checkbox", checked: true } });
  const renew = (): void => table.show(filter.value, fold.checked);
  filter.addEventListener("input", renew);
  fold.addEventListener("change", renew);
  clock.moved.add(() => !clock.playing && table.mark());
  clock.changed.add(() => table.mark());
  renew();
  return card(
    `Events: ${count(time.length)}`,
    filter,
    el("label", { class: "choice fold" }, fold, "One row for the same event at many times"),
    table.element,
    table.more,
  );
}

class EventTable {
  readonly element: HTMLElement;
  readonly more = el("button", { set: { type: "button" }, on: { click: () => this.show_more() } }, "More");
  private readonly head = el("thead", {});
  private readonly body = el("tbody", {});
  private groups: number[][] = [];
  private shown = 0;

  constructor(
    private readonly events: EventList,
    private readonly clock: Clock,
  ) {
    this.element = el("div", { class: "scroll" }, el("table", { class: "events" }, this.head, this.body));
  }

  show(filter: string, fold: boolean): void {
    const { time, name, what, texts } = this.events;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = [...time.keys()].filter((k) => {
      const text = `${texts[name[k]!]} ${texts[what[k]!]}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    this.groups = fold ? folded(this.events, kept) : kept.map((k) => [k]);
    const heads = fold ? ["name", "what", "times", "first [s]", "last [s]"] : ["name", "what", "t [s]"];
    this.head.replaceChildren(el("tr", {}, ...heads.map((text) => el("th", { set: { scope: "col" } }, text))));
    this.body.replaceChildren();
    this.shown = 0;
    this.show_more(fold);
  }

  /// The latest event so far, if it is seen, and the row that holds it.
  mark(): void {
    const { time } = this.events;
    const k = time[0]! <= this.clock.t ? index_at(time, this.clock.t) : -1;
    for (const old of this.body.querySelectorAll(".latest")) old.classList.remove("latest");
    if (k < 0) return;
    const row = this.groups.findIndex((group) => group.includes(k));
    this.body.querySelector(`tr[data-row="${row}"]`)?.classList.add("latest");
    this.body.querySelector(`.times button[data-event="${k}"]`)?.classList.add("latest");
  }

  private show_more(fold = this.head.querySelectorAll("th").length > 3): void {
    const end = Math.min(this.shown + page, this.groups.length);
    for (let k = this.shown; k < end; ++k) this.body.append(this.row(k, fold));
    this.shown = end;
    this.more.hidden = this.shown >= this.groups.length;
    this.mark();
  }

  private row(k: number, fold: boolean): HTMLElement {
    const group = this.groups[k]!;
    const { name, what, texts } = this.events;
    const first = group[0]!;
    const last = group[group.length - 1]!;
    const cells = [el("td", {}, texts[name[first]!] ?? ""), el("td", {}, texts[what[first]!] ?? "")];
    if (fold) {
      const many = group.length > 1;
      cells.push(el("td", {}, many ? this.opener(k) : "1"));
      cells.push(el("td", {}, this.time_button(first)), el("td", {}, many && this.time_button(last)));
    } else cells.push(el("td", {}, this.time_button(first)));
    return el("tr", { set: { "data-row": k } }, ...cells);
  }

  private time_button(k: number): HTMLButtonElement {
    const go = (): void => {
      this.clock.pause();
      this.clock.go_to(this.events.time[k]!);
    };
    return el(
      "button",
      { class: "link", title: "Go to this instant", set: { type: "button", "data-event": k }, on: { click: go } },
      this.events.time[k]!.toFixed(6),
    );
  }

  /// A button that shows all times of a group in a row below, or takes them away.
  private opener(k: number): HTMLButtonElement {
    const group = this.groups[k]!;
    const button = el(
      "button",
      { class: "opener", title: "All times", set: { type: "button", "aria-expanded": "false" } },
      count(group.length),
    );
    button.addEventListener("click", () => {
      const row = button.closest("tr")!;
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) row.nextElementSibling?.remove();
      else row.after(this.times_row(group));
      this.mark();
    });
    return button;
  }

  private times_row(group: number[]): HTMLElement {
    const list = el("div", { class: "times" });
    let shown = 0;
    const more = el("button", { set: { type: "button" } }, "More");
    const show = (): void => {
      more.before(...group.slice(shown, shown + page).map((k) => this.time_button(k)));
      shown += page;
      more.hidden = shown >= group.length;
    };
    more.addEventListener("click", show);
    list.append(more);
    show();
    return el("tr", { class: "opened" }, el("td", { set: { colspan: 5 } }, list));
  }
}
