// A button that copies a text.
import { el, icon, icons } from "../dom";

export function copy_button(text: () => string): HTMLButtonElement {
  const label = el("span", {}, "Copy");
  const copy = async (): Promise<void> => {
    label.textContent = (await copied(text())) ? "Copied" : "Select it";
    setTimeout(() => (label.textContent = "Copy"), 1500);
  };
  return el(
    "button",
    { class: "copy", set: { type: "button" }, on: { click: () => void copy() } },
    icon(icons.copy),
    label,
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "unseen" }); // where a page from a disk has no clipboard
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
