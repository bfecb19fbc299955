// Which flights are selected, by intervals of columns and perhaps one group of flights; and the one that is looked at.
import { Watchers } from "../watchers";
import type { CampaignData } from "./data";

export interface Interval {
  from: number;
  to: number; // places on the axis of a column
}

/// Flights that have something in common, such as violating a requirement.
export interface Group {
  label: string;
  holds: (k: number) => boolean;
}

export class Selection {
  readonly mask: Uint8Array;
  count: number;
  chosen = -1; // place of a flight; -1: none
  group: Group | null = null;
  readonly changed = new Watchers();
  readonly chosen_changed = new Watchers();
  private readonly intervals = new Map<number, Interval>();
  private asked = false;

  constructor(private readonly data: CampaignData) {
    this.mask = new Uint8Array(data.size).fill(1);
    this.count = data.size;
  }

  get everything(): boolean {
    return this.intervals.size === 0 && !this.group;
  }
  interval(column: number): Interval | null {
    return this.intervals.get(column) ?? null;
  }
  get columns(): number[] {
    return [...this.intervals.keys()];
  }

  /// null: all of the column.
  set(...list: [column: number, interval: Interval | null][]): void {
    for (const [column, interval] of list) {
      if (interval) this.intervals.set(column, interval);
      else this.intervals.delete(column);
    }
    this.find();
  }
  set_group(group: Group | null): void {
    this.group = group;
    this.find();
  }
  clear(): void {
    this.intervals.clear();
    this.group = null;
    this.find();
  }

  choose(k: number): void {
    this.chosen = k >= 0 && k < this.data.size ? k : -1;
    this.chosen_changed.tell();
  }
  /// The next one that is selected.
  step(by: 1 | -1): void {
    const { size } = this.data;
    if (this.count === 0) return;
    let k = this.chosen < 0 ? (by > 0 ? -1 : size) : this.chosen;
    do k = (k + by + size) % size;
    while (!this.mask[k]);
    this.choose(k);
  }

  private find(): void {
    const { mask, group } = this;
    mask.fill(1);
    for (const [column, { from, to }] of this.intervals) {
      const { places } = this.data.columns[column]!;
      for (let k = 0; k < mask.length; ++k) if (!(places[k]! >= from && places[k]! <= to)) mask[k] = 0;
    }
    if (group) for (let k = 0; k < mask.length; ++k) if (mask[k] && !group.holds(k)) mask[k] = 0;
    this.count = 0;
    for (let k = 0; k < mask.length; ++k) this.count += mask[k]!;
    this.tell();
  }

  /// Once a frame, however often it changes.
  private tell(): void {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.changed.tell();
    });
  }
}
