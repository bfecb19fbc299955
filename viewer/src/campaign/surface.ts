// Canvases one over the other, as sharp as the screen, drawn anew when their size, the theme or the units change.
import { el } from "../dom";
import { theme_changed } from "../theme";
import { units_changed } from "../units";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number; // of the area between the axes [px]
}

/// Thousands of lines are drawn sooner by the processor than handed to a graphics card, and not every machine has one.
const in_memory: CanvasRenderingContext2DSettings = { willReadFrequently: true };

export class Surface {
  readonly element: HTMLElement;
  width = 0;
  height = 0; // [px]
  private readonly canvases: HTMLCanvasElement[];

  /// `height`: null fills what is there.
  constructor(
    label: string,
    layers: number,
    height: number | null,
    private readonly draw: () => void,
  ) {
    this.canvases = Array.from({ length: layers }, () => el("canvas"));
    this.element = el("div", { class: "surface", set: { role: "img", "aria-label": label } }, ...this.canvases);
    if (height !== null) this.element.style.height = `${height}px`;
    new ResizeObserver(() => this.fit()).observe(this.element);
    theme_changed.add(() => this.width && this.draw());
    units_changed.add(() => this.width && this.draw());
  }

  /// A layer without anything on it.
  pen(layer: number): CanvasRenderingContext2D {
    const canvas = this.canvases[layer]!;
    const pen = canvas.getContext("2d", in_memory)!;
    const sharp = window.devicePixelRatio || 1;
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.globalAlpha = 1;
    pen.font = "11px system-ui, sans-serif";
    return pen;
  }

  place(event: PointerEvent): { x: number; y: number } {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === this.width && clientHeight === this.height) return;
    this.width = clientWidth;
    this.height = clientHeight;
    if (!clientWidth || !clientHeight) return;
    const sharp = window.devicePixelRatio || 1;
    for (const canvas of this.canvases) {
      canvas.width = Math.round(clientWidth * sharp);
      canvas.height = Math.round(clientHeight * sharp);
    }
    this.draw();
  }
}

const least_drag = 4; // less is a press [px]

export interface Gesture {
  /// While it goes on, and once more at its end; from where it began.
  drag?: (from: { x: number; y: number }, to: { x: number; y: number }) => void;
  press?: (at: { x: number; y: number }) => void;
  clear?: () => void; // a double click
  hover?: (at: { x: number; y: number } | null) => void;
  drags?: (at: { x: number; y: number }) => boolean; // may a drag begin there?
}

export function listen(surface: Surface, gesture: Gesture): void {
  const { element } = surface;
  let from: { x: number; y: number } | null = null;
  let dragged = false;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    from = surface.place(event);
    dragged = false;
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    const at = surface.place(event);
    const may = from && gesture.drag && (gesture.drags?.(from) ?? true);
    if (from && may && (dragged || Math.hypot(at.x - from.x, at.y - from.y) > least_drag)) {
      dragged = true;
      gesture.drag!(from, at);
    } else if (!from) gesture.hover?.(at);
  });
  element.addEventListener("pointerup", (event) => {
    if (from && !dragged) gesture.press?.(surface.place(event));
    from = null;
  });
  element.addEventListener("pointercancel", () => (from = null));
  element.addEventListener("pointerleave", () => gesture.hover?.(null));
  element.addEventListener("dblclick", () => gesture.clear?.());
}
