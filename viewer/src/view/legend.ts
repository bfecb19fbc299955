// The scale of colours of flexible bodies, in the picture and in what is saved of it.
import { el } from "../dom";
import { theme_color } from "../theme";
import { brief, display_of, units_changed } from "../units";
import { color_stops } from "./color_scale";
import type { Coloring } from "./deformation";

const shown = {
  displacement: { name: "Displacement", unit: "m" },
  strain: { name: "Curvature and twist", unit: "rad/m" },
};

export class Legend {
  private readonly title = el("div", { class: "title" });
  private readonly numbers = [0, 0.5, 1].map(() => el("span"));
  readonly element = el(
    "div",
    { class: "legend", set: { hidden: true, role: "img" } },
    this.title,
    el("div", { class: "scale", set: { style: `background: linear-gradient(to right, ${color_stops.join(", ")})` } }),
    el("div", { class: "numbers" }, ...this.numbers),
  );
  private coloring: Coloring = "none";
  private largest = 0;

  constructor() {
    units_changed.add(() => this.write());
  }

  show(coloring: Coloring, largest: number): void {
    this.coloring = coloring;
    this.largest = largest;
    this.element.hidden = coloring === "none";
    this.write();
  }

  private write(): void {
    if (this.coloring === "none") return;
    const { name, unit } = shown[this.coloring];
    const display = display_of(unit);
    this.title.textContent = `${name} [${display.unit}]`;
    this.numbers.forEach((number, k) => {
      number.textContent = brief((this.largest * display.factor * k) / 2, 3);
    });
    const top = this.numbers[2]!.textContent;
    this.element.setAttribute("aria-label", `Colours: ${name} from 0 to ${top} ${display.unit}`);
  }

  /// On a canvas that has a copy of a picture of this size, as large as this ratio makes it.
  paint(pen: CanvasRenderingContext2D, ratio: number, width: number, height: number): void {
    if (this.coloring === "none") return;
    const [long, thick] = [180, 10];
    pen.save();
    pen.scale(ratio, ratio);
    pen.translate(width - long - 24, height - 52);
    const gradient = pen.createLinearGradient(0, 0, long, 0);
    color_stops.forEach((color, k) => gradient.addColorStop(k / (color_stops.length - 1), color));
    pen.fillStyle = gradient;
    pen.fillRect(0, 6, long, thick);
    pen.fillStyle = theme_color("--text");
    pen.font = "600 12.5px system-ui, sans-serif";
    pen.textAlign = "left";
    pen.textBaseline = "alphabetic";
    pen.fillText(this.title.textContent, 0, 0);
    pen.font = "12px system-ui, sans-serif";
    this.numbers.forEach((number, k) => {
      pen.textAlign = (["left", "center", "right"] as const)[k]!;
      pen.fillText(number.textContent, (long * k) / 2, thick + 20);
    });
    pen.restore();
  }
}
