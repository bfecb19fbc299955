// The analysis of a page with its numbers.
import { SceneData } from "../data";
import type { Analysis, Locus, Margins, Mode } from "../payload";

export interface BodeCurve {
  title: string;
  unit: string;
  frequency: Float64Array; // [rad/s]
  gain: Float64Array; // [dB]
  phase: Float64Array; // [deg]
  margins: Margins | null;
}

export interface LocusCurves {
  locus: Locus;
  values: Float64Array; // of the parameter
  branches: { real: Float64Array; imaginary: Float64Array }[];
}

export class AnalysisData extends SceneData {
  bodes: BodeCurve[] = [];
  locus: LocusCurves | null = null;

  constructor(readonly analysis: Analysis) {
    super(analysis.label, [], analysis.model);
  }

  async open(): Promise<void> {
    const { responses, locus, scene } = this.analysis;
    if (scene) this.time = await this.f64(scene.time);
    for (const { title, unit, margins, ...blocks } of responses.filter(({ kind }) => kind === "bode")) {
      const [frequency, gain, phase] = await Promise.all(
        [blocks.frequency, blocks.gain, blocks.phase].map((block) => this.f64(block)),
      );
      this.bodes.push({ title, unit, margins, frequency: frequency!, gain: gain!, phase: phase! });
    }
    if (!locus) return;
    const branches = await Promise.all(locus.branches.map((block) => this.f64(block)));
    this.locus = {
      locus,
      values: await this.f64(locus.values),
      branches: branches.map((both) => ({
        real: both.filter((_, k) => k % 2 === 0),
        imaginary: both.filter((_, k) => k % 2 === 1),
      })),
    };
  }

  motion_of(mode: Mode): Promise<Float32Array> | null {
    return mode.motion && this.f32(mode.motion);
  }
}

/// As the command `modes` counts them; neutral ones, which are the first, have numbers of their own: "N1".
export function mode_number(modes: Mode[], k: number): string {
  const neutral = modes.filter((mode) => mode.neutral).length;
  return k < neutral ? `N${k + 1}` : String(k - neutral + 1);
}
export const mode_name = (modes: Mode[], k: number) => `Mode ${mode_number(modes, k)}`;

export function has_motion(mode: Mode): boolean {
  return mode.motion !== null;
}
