// The flights of a campaign: what was drawn for each, what came of it, and where its numbers stand on axes.
import { PageNumbers } from "../data";
import type { Campaign, CampaignRequirement, Correlation, Real } from "../payload";
import { brief, display_of } from "../units";
import { Axis } from "./axis";

export type Kind = "input" | "measure" | "number";

export interface FlightColumn {
  name: string;
  unit: string;
  description: string;
  kind: Kind;
  values: Float64Array; // by flight
  axis: Axis;
  places: Float32Array; // on the axis, 0 to 1; NaN: no number
}

export const fulfils = 0;
export const violates = 1; // a requirement
export const failed = 2;

export const real = (x: Real): number => (x === null ? NaN : x === "inf" ? Infinity : x === "-inf" ? -Infinity : x);

export class CampaignData extends PageNumbers {
  number = new Uint32Array(0);
  end_time = new Float64Array(0);
  reason = new Uint32Array(0);
  columns: FlightColumn[] = []; // inputs, measures, and the number of the flight
  standing = new Uint8Array(0); // by flight: it fulfils all requirements, violates one, or failed

  constructor(readonly campaign: Campaign) {
    super();
  }

  async open(): Promise<void> {
    const { campaign } = this;
    this.number = (await this.u32(campaign.number)) as Uint32Array<ArrayBuffer>;
    this.end_time = (await this.f64(campaign.end_time)) as Float64Array<ArrayBuffer>;
    this.reason = (await this.u32(campaign.reason)) as Uint32Array<ArrayBuffer>;
    for (const [k, column] of campaign.columns.entries()) {
      const values = await this.f64(column.values);
      this.add_column(column, k < campaign.inputs ? "input" : "measure", values);
    }
    const description = "the number of the flight";
    this.add_column({ name: "flight", unit: "", description }, "number", Float64Array.from(this.number));
    this.standing = new Uint8Array(this.size);
    for (const requirement of campaign.requirements) {
      const { values } = this.measure(requirement.measure);
      for (let k = 0; k < this.size; ++k) if (!is_fulfilled(requirement, values[k]!)) this.standing[k] = violates;
    }
    for (let k = 0; k < this.size; ++k) if (this.reason[k]! > 0) this.standing[k] = failed;
  }

  get size(): number {
    return this.number.length;
  }
  get inputs(): FlightColumn[] {
    return this.columns.filter(({ kind }) => kind === "input");
  }
  get measures(): FlightColumn[] {
    return this.columns.filter(({ kind }) => kind === "measure");
  }
  measure(k: number): FlightColumn {
    return this.columns[this.campaign.inputs + k]!;
  }

  get by_combination(): boolean {
    return this.campaign.combinations[0]!.values.length > 0;
  }
  /// "gain = 2, mode = 1"
  combination_name(c: number): string {
    const { combinations, sampled } = this.campaign;
    return combinations[c]!.values.map((x, f) => {
      const { name, unit } = this.columns[sampled + f]!;
      const shown = display_of(unit);
      return `${name} = ${brief(x * shown.factor)}${shown.unit ? ` ${shown.unit}` : ""}`;
    }).join(", ");
  }
  /// What each input has to do with a measure: of those that are sampled, in the combination where that is most.
  influences(measure: number): Correlation[] {
    const of = this.campaign.measures[measure];
    const { sampled } = this.campaign;
    const size = (c: Correlation | undefined) => Math.abs(real(c?.value ?? null)) || 0;
    return this.inputs.map((_, k) => {
      if (k >= sampled) return of?.factors[k - sampled] ?? { value: null, chance: null };
      const all = of?.statistics.map(({ correlations }) => correlations[k]!) ?? [];
      return all.reduce((best, c) => (size(c) > size(best) ? c : best), all[0] ?? { value: null, chance: null });
    });
  }

  /// Where a flight stands in the columns; -1: it is not shown.
  place_of(flight: number): number {
    let [low, high] = [0, this.size - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.number[middle]! < flight) low = middle + 1;
      else high = middle;
    }
    return this.number[low] === flight ? low : -1;
  }

  private add_column(of: { name: string; unit: string; description: string }, kind: Kind, values: Float64Array): void {
    const axis = new Axis(values, of.unit);
    const places = Float32Array.from(values, (x) => axis.place(x));
    const { name, unit, description } = of;
    this.columns.push({ name, unit, description, kind, values, axis, places });
  }
}

export function is_fulfilled({ below, above }: CampaignRequirement, x: number): boolean {
  return !Number.isNaN(x) && (below === null || x < below) && (above === null || x > above);
}
