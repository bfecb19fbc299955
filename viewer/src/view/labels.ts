// Names over the picture: of directions at their arrows, of the world's axes in their corner, of the body under the
// pointer.
import { PerspectiveCamera, Quaternion, Vector3 } from "three";
import { el } from "../dom";
import type { Craft } from "./craft";

interface Label {
  element: HTMLElement;
  x: number;
  y: number; // of its middle [px]
}

export class Labels {
  private readonly directions: Label[];
  private readonly letters: Label[];
  private readonly tip = el("div", { class: "tip", set: { hidden: true } });
  private readonly point = new Vector3();

  constructor(private readonly craft: Craft) {
    const label = (element: HTMLElement): Label => ({ element, x: 0, y: 0 });
    this.directions = craft.directions.map(({ name, color }) =>
      label(el("span", { class: "tag", set: { style: `--tag: ${color}` } }, name)),
    );
    this.letters = ["x", "y", "z"].map((letter) => label(el("span", { class: "letter" }, letter)));
  }

  get elements(): HTMLElement[] {
    return [...this.directions, ...this.letters].map(({ element }) => element).concat(this.tip);
  }

  /// Beside the tips of the arrows, which stand in a scene that is turned and moved so.
  place_directions(camera: PerspectiveCamera, turned: Quaternion, moved: Vector3, width: number, height: number): void {
    this.craft.directions.forEach((direction, k) => {
      const label = this.directions[k]!;
      this.point.copy(direction.tip).multiplyScalar(1.12).applyQuaternion(turned).add(moved).project(camera);
      label.element.hidden = !direction.is_shown() || this.point.z > 1;
      put(label, ((this.point.x + 1) / 2) * width, ((1 - this.point.y) / 2) * height);
    });
  }

  /// At the axes in the corner at the bottom left, a square of `edge` with this margin.
  place_letters(camera: PerspectiveCamera, turned: Quaternion, edge: number, margin: number, height: number): void {
    this.letters.forEach((label, k) => {
      this.point
        .set(k === 0 ? 1.2 : 0, k === 1 ? 1.2 : 0, k === 2 ? 1.2 : 0)
        .applyQuaternion(turned)
        .project(camera);
      put(label, margin + ((this.point.x + 1) / 2) * edge, height - margin - ((this.point.y + 1) / 2) * edge);
    });
  }

  show_tip(text: string | null, x = 0, y = 0): void {
    this.tip.hidden = text === null;
    if (text === null) return;
    this.tip.textContent = text;
    this.tip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
  }

  /// On a canvas that has a copy of the picture, as large as this ratio makes it.
  paint(pen: CanvasRenderingContext2D, ratio: number): void {
    pen.font = `600 ${13 * ratio}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const { element, x, y } of [...this.directions, ...this.letters]) {
      if (element.hidden) continue;
      pen.fillStyle = getComputedStyle(element).color;
      pen.fillText(element.textContent, x * ratio, y * ratio);
    }
  }
}

function put(label: Label, x: number, y: number): void {
  label.x = x;
  label.y = y;
  label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
}
