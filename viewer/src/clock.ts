// The instant that plots and picture show, and its motion while playing.

import { Watchers } from "./watchers";

export class Clock {
  t: number;
  playing = false;
  speed: number; // simulated seconds each second
  readonly speeds: number[]; // to choose from
  readonly moved = new Watchers<[t: number]>(); // to another instant
  readonly changed = new Watchers(); // playing or not, or the speed
  private last = 0; // instant of the last picture [ms]

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.t = start;
    const { list, first } = speeds_for(end - start);
    this.speeds = list;
    this.speed = first;
  }

  go_to(t: number): void {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.moved.tell(this.t);
  }

  play(): void {
    if (this.playing || this.end <= this.start) return;
    if (this.t >= this.end) this.go_to(this.start);
    this.playing = true;
    this.last = performance.now();
    this.changed.tell();
    requestAnimationFrame(this.tick);
  }
  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.changed.tell();
  }
  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  set_speed(speed: number): void {
    this.speed = speed;
    this.changed.tell();
  }
  /// The next speed of the list, or the one before.
  faster(by: 1 | -1): void {
    const next = this.speeds[this.speeds.indexOf(this.speed) + by];
    if (next !== undefined) this.set_speed(next);
  }

  private readonly tick = (now: number): void => {
    if (!this.playing) return;
    const passed = Math.max(0, Math.min(now - this.last, 250)) / 1000; // a sleeping tab does not jump ahead
    this.last = now;
    this.go_to(this.t + passed * this.speed);
    if (this.t >= this.end) this.pause();
    else requestAnimationFrame(this.tick);
  };
}

const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 1e5];

/// Speeds to choose from for a run of this length, and the one to begin with: real time where the whole then takes
/// between five seconds and half a minute, else what brings it there.
function speeds_for(length: number): { list: number[]; first: number } {
  const wanted = length > 30 ? length / 30 : length < 5 ? length / 5 : 1;
  const far = (speed: number) => Math.abs(Math.log(speed / wanted));
  const k = speeds.reduce((best, speed, i) => (far(speed) < far(speeds[best]!) ? i : best), 0);
  return { list: speeds.slice(Math.max(0, k - 7), k + 6), first: speeds[k]! };
}
