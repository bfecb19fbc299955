// What all plots share: the stretch of time they show, and the instant under the pointer.
import { Watchers } from "../watchers";
import type { Window } from "./curves";

export class Timeline {
  window: Window;
  hover: number | null = null; // [s]
  readonly zoomed = new Watchers();
  readonly hovered = new Watchers();

  constructor(readonly whole: Window) {
    this.window = whole;
  }

  get is_zoomed(): boolean {
    return this.window !== this.whole;
  }
  zoom(from: number, to: number): void {
    const { whole } = this;
    const least = (whole.to - whole.from) * 1e-9;
    const window = { from: Math.max(whole.from, Math.min(from, to)), to: Math.min(whole.to, Math.max(from, to)) };
    if (window.to - window.from < least) return;
    this.window = window.from <= whole.from && window.to >= whole.to ? whole : window;
    this.zoomed.tell();
  }
  /// By a factor about an instant: more than one shows more.
  scale(factor: number, about: number): void {
    this.zoom(about - (about - this.window.from) * factor, about + (this.window.to - about) * factor);
  }
  reset(): void {
    this.zoom(this.whole.from, this.whole.to);
  }
  point_at(t: number | null): void {
    if (t === this.hover) return;
    this.hover = t;
    this.hovered.tell();
  }
}
