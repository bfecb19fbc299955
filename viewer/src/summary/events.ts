// Events in a table; a press on one goes to its instant.
import type { Clock } from "../clock";
import { index_at, type RunData } from "../data";
import { el } from "../dom";
import { count } from "../units";
import { card } from "./table";

const page = 300; // rows at a time

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

export function events_panel(events: EventList, clock: Clock): HTMLElement {
  const { time, name, what, texts } = events;
  const filter = el("input", {
    set: { type: "search", placeholder: "Filter: jet1, on", "aria-label": "Filter events" },
  });
  const body = el("tbody", {});
  const more = el("button", { set: { type: "button" } }, "More");
  let kept: number[] = [];
  let shown = 0;

  const row = (k: number): HTMLElement => {
    const go = el(
      "button",
      {
        class: "link",
        title: "Go to this instant",
        set: { type: "button" },
        on: {
          click: () => {
            clock.pause();
            clock.go_to(time[k]!);
          },
        },
      },
      time[k]!.toFixed(6),
    );
    return el(
      "tr",
      { set: { "data-event": k } },
      el("td", {}, go),
      el("td", {}, texts[name[k]!] ?? ""),
      el("td", {}, texts[what[k]!] ?? ""),
    );
  };
  const show_more = (): void => {
    for (const k of kept.slice(shown, shown + page)) body.appendChild(row(k));
    shown = Math.min(shown + page, kept.length);
    more.hidden = shown >= kept.length;
  };
  const renew = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    kept = [...time.keys()].filter((k) => {
      const text = `${texts[name[k]!]} ${texts[what[k]!]}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    body.replaceChildren();
    shown = 0;
    show_more();
    mark();
  };
  const mark = (): void => {
    const k = time.length && time[0]! <= clock.t ? index_at(time, clock.t) : -1;
    body.querySelector("tr.latest")?.classList.remove("latest");
    if (k >= 0) body.querySelector(`tr[data-event="${k}"]`)?.classList.add("latest");
  };
  filter.addEventListener("input", renew);
  more.addEventListener("click", () => {
    show_more();
    mark();
  });
  clock.moved.add(() => !clock.playing && mark());
  clock.changed.add(mark);
  renew();
  if (!time.length)
    return card("Events", el("p", { class: "quiet" }, "Nothing switched, jumped or was reached during this run."));
  return card(
    `Events: ${count(time.length)}`,
    filter,
    el(
      "div",
      { class: "scroll" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...["t [s]", "name", "what"].map((text) => el("th", {}, text)))),
        body,
      ),
    ),
    more,
  );
}
