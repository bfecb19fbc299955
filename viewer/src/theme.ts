// Light and dark: as the system says, until the reader says otherwise.
import { Watchers } from "./watchers";

export const theme_changed = new Watchers();
const dark_system = matchMedia("(prefers-color-scheme: dark)");
let cache = new Map<string, string>();

export function is_dark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : dark_system.matches;
}

export function toggle_theme(): void {
  document.documentElement.dataset["theme"] = is_dark() ? "light" : "dark";
  changed();
}

/// The value of a custom property, such as --text.
export function theme_color(name: string): string {
  let color = cache.get(name);
  if (color === undefined) {
    color = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    cache.set(name, color);
  }
  return color;
}

function changed(): void {
  cache = new Map();
  theme_changed.tell();
}
dark_system.addEventListener("change", changed);
