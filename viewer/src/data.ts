// The numbers of the page, unpacked when they are first asked for.
import { restore, type Numbers } from "./blocks";
import type { Block, Column, ModelSummary, Payload, Run } from "./payload";

async function unpack(block: Block): Promise<Numbers> {
  const element = document.getElementById(`block-${block.block}`);
  if (!element) throw new Error(`this page is damaged: block ${block.block} is missing`);
  const text = element.textContent ?? "";
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return restore(block, new Uint8Array(await new Response(stream).arrayBuffer()));
}

/// Blocks, each unpacked once.
export class PageNumbers {
  private readonly unpacked = new Map<number, Promise<Numbers>>();

  f64(block: Block): Promise<Float64Array> {
    return this.numbers_of(block) as Promise<Float64Array>;
  }
  f32(block: Block): Promise<Float32Array> {
    return this.numbers_of(block) as Promise<Float32Array>;
  }
  u32(block: Block): Promise<Uint32Array> {
    return this.numbers_of(block) as Promise<Uint32Array>;
  }

  private numbers_of(block: Block): Promise<Numbers> {
    let numbers = this.unpacked.get(block.block);
    if (!numbers) {
      numbers = unpack(block);
      this.unpacked.set(block.block, numbers);
    }
    return numbers;
  }
}

/// What a picture is made of: numbers, columns that were recorded if there was a run, and the model.
export class SceneData extends PageNumbers {
  time: Float64Array = new Float64Array(0); // of the records [s]

  constructor(
    readonly label: string,
    readonly columns: Column[],
    readonly model: ModelSummary | null,
  ) {
    super();
  }

  values(column: Column): Promise<Float64Array> {
    return this.f64(column.values);
  }
  get start(): number {
    return this.time[0] ?? 0;
  }
  get end(): number {
    return this.time[this.time.length - 1] ?? 0;
  }
}

export class RunData extends SceneData {
  private readonly numbers = new Map<string, number>();

  /// The end of a long one: two files of one name are told apart by their folders.
  readonly short_label: string;

  constructor(readonly run: Run) {
    super(run.label, run.columns, run.model);
    this.short_label = run.label.length > 28 ? `…${run.label.slice(-27)}` : run.label;
    run.columns.forEach((column, k) => this.numbers.set(column.name, k));
  }

  async open(): Promise<void> {
    this.time = await this.f64(this.run.time);
  }

  find(name: string): Column | undefined {
    const k = this.numbers.get(name);
    return k === undefined ? undefined : this.run.columns[k];
  }
}

export function read_payload(): Payload {
  const text = document.getElementById("payload")?.textContent;
  if (!text) throw new Error("this page has no data in it");
  const payload = JSON.parse(text) as Payload;
  if (payload.format !== 2) throw new Error(`this page has data of format ${payload.format}, and reads format 2`);
  return payload;
}

/// The last k with times[k] <= t; 0 before the first.
export function index_at(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function nearest(times: Float64Array, t: number): number {
  const k = index_at(times, t);
  return k + 1 < times.length && times[k + 1]! - t < t - times[k]! ? k + 1 : k;
}
