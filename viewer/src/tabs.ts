// Panels of which one is seen.
import { el } from "./dom";

export interface Tab {
  id: string;
  title: string;
  content: HTMLElement;
}

/// `seen` is told of the one that is seen, also at first.
export function tabs(list: Tab[], seen: (id: string) => void): { element: HTMLElement; select: (id: string) => void } {
  const buttons = list.map(({ id, title }) =>
    el(
      "button",
      {
        set: { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` },
        on: { click: () => select(id) },
      },
      title,
    ),
  );
  const panels = list.map(({ id, content }) =>
    el(
      "div",
      { class: "panel", set: { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` } },
      content,
    ),
  );
  const select = (id: string): void => {
    list.forEach((tab, k) => {
      const chosen = tab.id === id;
      buttons[k]!.setAttribute("aria-selected", String(chosen));
      buttons[k]!.tabIndex = chosen ? 0 : -1;
      panels[k]!.hidden = !chosen;
    });
    seen(id);
  };
  const row = el("div", { class: "tabs", set: { role: "tablist" } }, ...buttons);
  row.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (!by || now < 0) return;
    const next = (now + by + buttons.length) % buttons.length;
    select(list[next]!.id);
    buttons[next]!.focus();
  });
  select(list[0]!.id);
  return { element: el("section", { class: "side" }, row, ...panels), select };
}
