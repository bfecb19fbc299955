// The mode that the picture shows, and its motion: amplitude, decay, phase.
import type { Mode } from "../payload";
import type { ModePoses } from "../view/mode_poses";
import type { View } from "../view/view";
import { Watchers } from "../watchers";
import type { AnalysisData } from "./data";

const seconds_a_period = 2.4; // that a period takes on the screen; of what does not oscillate, a swing
const seconds_a_time_constant = 1.2; // the same for the time constant of what does not oscillate
const faint = 0.04; // of the amplitude: then it begins anew
const rest = 0.6; // before that [s]
const most_rotation = 0.7; // of any body [rad]

export const largest_share = 0.15;

export class ModePlayer {
  chosen = -1; // in Analysis.modes; -1: none
  playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  decays = true;
  share = 0.05; // displacement of the point that moves farthest, of the size of the spacecraft
  readonly changed = new Watchers(); // of all that, and of what is shown
  private motion: Float32Array | null = null;
  private is_shown = false; // in the picture, in place of the run
  private time = 0; // since the amplitude was full [s on the screen]
  private last = 0; // instant of the last picture [ms]

  constructor(
    readonly data: AnalysisData,
    private readonly view: View | null,
    private readonly poses: ModePoses | null,
  ) {}

  get mode(): Mode | null {
    return this.data.analysis.modes[this.chosen] ?? null;
  }
  /// The mode is seen in the picture.
  get shown(): boolean {
    return this.is_shown && this.motion !== null && this.view !== null && this.poses !== null;
  }
  /// Of the spacecraft: the diameter of the sphere that holds it [m].
  get size(): number {
    return 2 * (this.data.analysis.scene?.radius ?? 0);
  }
  /// Displacement of the point that moves farthest, as it is drawn where the amplitude is full [m].
  get amplitude(): number {
    const wanted = this.share * this.size;
    const turned = this.mode?.rotation ?? 0;
    return turned > 0 ? Math.min(wanted, most_rotation / turned) : wanted;
  }
  /// Seconds of the mode's time in one on the screen; of what is neither, null.
  get speed(): number | null {
    const mode = this.mode;
    if (!mode || mode.neutral) return null;
    const [real, imaginary] = mode.eigenvalue;
    if (imaginary !== 0) return (2 * Math.PI) / Math.abs(imaginary) / seconds_a_period;
    return this.decays && real !== 0 ? 1 / Math.abs(real) / seconds_a_time_constant : null;
  }

  async choose(k: number): Promise<void> {
    if (k === this.chosen) return;
    this.chosen = k;
    this.time = 0;
    const mode = this.mode;
    const motion = (mode && (await this.data.motion_of(mode))) || null;
    if (this.chosen !== k) return; // another one was chosen meanwhile
    this.motion = motion;
    this.tell();
  }
  /// Whether the picture is to show the chosen mode.
  show(on: boolean): void {
    if (on === this.is_shown) return;
    this.is_shown = on;
    this.tell();
  }
  toggle(): void {
    this.playing = !this.playing;
    this.tell();
  }
  set_share(share: number): void {
    this.share = share;
    this.tell();
  }
  set_decays(on: boolean): void {
    this.decays = on;
    this.time = 0;
    this.tell();
  }
  /// For tests: so many seconds on the screen after the amplitude was full.
  go_to(time: number): void {
    this.time = time;
    this.tell();
  }

  private tell(): void {
    this.draw();
    this.changed.tell();
    if (this.shown && this.playing && this.last === 0) {
      this.last = performance.now();
      requestAnimationFrame(this.tick);
    }
  }

  /// Amplitude and phase now.
  private state(): { size: number; phase: number } {
    const mode = this.mode;
    const { speed, time } = this;
    const swing = (2 * Math.PI * time) / seconds_a_period;
    if (!mode || speed === null) return { size: 1, phase: swing };
    const [real, imaginary] = mode.eigenvalue;
    const phase = imaginary * speed * time;
    if (!this.decays || real === 0) return { size: 1, phase };
    const length = Math.log(1 / faint) / (Math.abs(real) * speed); // until it is faint, on the screen
    const since = time % (length + rest);
    const at = Math.min(since, length);
    // what grows begins faint and ends with the full amplitude
    const size = real < 0 ? Math.exp(real * speed * at) : faint * Math.exp(real * speed * at);
    return { size: since > length && real < 0 ? 0 : size, phase: imaginary * speed * at };
  }

  private draw(): void {
    if (!this.view || !this.poses) return;
    if (!this.shown) return this.view.show_mode(null, false);
    const { size, phase } = this.state();
    const amplitude = this.amplitude * size;
    this.poses.set(this.motion, amplitude * Math.cos(phase), amplitude * Math.sin(phase));
    this.view.show_mode(this.poses, this.playing);
  }

  private readonly tick = (now: number): void => {
    if (!this.shown || !this.playing) {
      this.last = 0;
      return;
    }
    this.time += Math.max(0, Math.min(now - this.last, 100)) / 1000;
    this.last = now;
    this.draw();
    requestAnimationFrame(this.tick);
  };
}
