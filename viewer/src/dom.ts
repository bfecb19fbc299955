// Elements of the page. Whatever comes from a file goes in as text nodes or attributes: nothing here parses markup.

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Options {
  class?: string;
  title?: string;
  on?: Listeners;
  set?: Record<string, string | number | boolean>; // attributes; false leaves one out
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (options.class) element.className = options.class;
  if (options.title) element.title = options.title;
  for (const [name, value] of Object.entries(options.set ?? {})) {
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [name, listener] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, listener as EventListener);
  }
  add(element, ...children);
  return element;
}

export function add(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child) parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

export function svg(tag: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  add(element, ...children);
  return element;
}

/// A button with a picture: the path of an icon in a square of 24.
export function icon_button(path: string, label: string, press: () => void): HTMLButtonElement {
  return el(
    "button",
    { class: "icon", title: label, set: { type: "button", "aria-label": label }, on: { click: press } },
    icon(path),
  );
}

export function icon(path: string): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

export function set_icon(button: HTMLElement, path: string, label: string): void {
  button.replaceChildren(icon(path));
  button.title = label;
  button.setAttribute("aria-label", label);
}

/// What opens under a word or an icon; a press elsewhere or Escape closes it.
export function menu(label: Node | string, ...items: HTMLElement[]): HTMLElement {
  const details = el("details", { class: "menu" }, el("summary", {}, label), el("div", { class: "sheet" }, ...items));
  document.addEventListener("pointerdown", (event) => {
    if (!details.contains(event.target as Node)) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    details.open = false;
    details.querySelector("summary")?.focus();
  });
  return details;
}

export const icons = {
  axes: "M5 3h2v14h14v2H5zM9 13l4-5 3 3 4-6 1.6 1.1-5.3 8-3.1-3.1L10.6 14z",
  play: "M8 5v14l11-7z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  start: "M6 6h2v12H6zM9.5 12l8.5 6V6z",
  theme: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 18V4a8 8 0 0 1 0 16z",
  help: "M11 18h2v-2h-2zM12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16zm0-14a4 4 0 0 0-4 4h2a2 2 0 1 1 4 0c0 2-3 1.8-3 5h2c0-2.2 3-2.5 3-5a4 4 0 0 0-4-4z",
  close: "M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4l5.6 5.6L5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6z",
  plus: "M19 13h-6v6h-2v-6H5v-2h6V5h2v6h6z",
  edit: "M3 17.25V21h3.75L17.8 9.94l-3.75-3.75zM20.7 7a1 1 0 0 0 0-1.4l-2.3-2.3a1 1 0 0 0-1.4 0l-1.8 1.8 3.75 3.75z",
  table: "M3 3v18h18V3zm8 16H5v-6h6zm0-8H5V5h6zm8 8h-6v-6h6zm0-8h-6V5h6z",
  picture: "M21 19V5a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v14c0 1.1.9 2 2 2h14a2 2 0 0 0 2-2zM8.5 13.5l2.5 3 3.5-4.5 4.5 6H5z",
  back: "M15.4 7.4 14 6l-6 6 6 6 1.4-1.4-4.6-4.6z",
  forward: "M10 6 8.6 7.4l4.6 4.6-4.6 4.6L10 18l6-6z",
  copy: "M16 1H4a2 2 0 0 0-2 2v14h2V3h12zm3 4H8a2 2 0 0 0-2 2v14c0 1.1.9 2 2 2h11a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm0 16H8V7h11z",
  unzoom: "M12 5V1L7 6l5 5V7a6 6 0 1 1-6 6H4a8 8 0 1 0 8-8z",
};

export function download(name: string, content: Blob): void {
  const link = el("a", { set: { href: URL.createObjectURL(content), download: name } });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/// A name that every file system takes.
export function file_name(text: string): string {
  return (
    text
      .replace(/[^\w.-]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 80) || "gyrostat"
  );
}
