// Plots as files: all recorded numbers as CSV, or the picture with its title and legend as PNG.
import { theme_color } from "../theme";
import type { Entry } from "./entries";

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/// Every record, as it was recorded. Runs with other times have time columns of their own.
export function csv_of(entries: Entry[]): string {
  const tables = new Map<Float64Array, Entry[]>();
  for (const entry of entries) {
    const same = [...tables.keys()].find((time) => equal(time, entry.curve.time));
    if (same) tables.get(same)!.push(entry);
    else tables.set(entry.curve.time, [entry]);
  }
  const columns: { head: string; values: Float64Array }[] = [];
  for (const [time, list] of tables) {
    const of_run = tables.size > 1 ? ` (${list[0]!.data.short_label})` : "";
    columns.push({ head: `time${of_run} [s]`, values: time });
    for (const { label, column, curve } of list) {
      const unit = column.unit && column.unit !== "1" ? ` [${column.unit}]` : "";
      columns.push({ head: label + unit, values: curve.values });
    }
  }
  const rows = Math.max(0, ...columns.map(({ values }) => values.length));
  const lines = [columns.map(({ head }) => quoted(head)).join(",")];
  for (let i = 0; i < rows; ++i) lines.push(columns.map(({ values }) => written(values[i])).join(","));
  return lines.join("\n") + "\n";
}

/// As the program writes numbers: no digit is lost, nor the sign of zero.
function written(x: number | undefined): string {
  if (x === undefined) return "";
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  return Object.is(x, -0) ? "-0" : String(x);
}

function equal(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((x, k) => x === b[k]));
}

export function picture_of(plot: HTMLCanvasElement, title: string, entries: Entry[]): Promise<Blob | null> {
  const ratio = devicePixelRatio;
  const line = 18 * ratio;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const font = `${12 * ratio}px system-ui, sans-serif`;
  pen.font = font;
  const places: [x: number, y: number][] = [];
  let x = 14 * ratio;
  let y = line * 2.2;
  for (const { label } of entries) {
    const width = pen.measureText(label).width + 40 * ratio;
    if (x + width > plot.width && x > 14 * ratio) {
      x = 14 * ratio;
      y += line;
    }
    places.push([x, y]);
    x += width;
  }
  canvas.width = plot.width;
  canvas.height = plot.height + y + line * 0.6;
  pen.fillStyle = theme_color("--card");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = theme_color("--text");
  pen.font = `600 ${14 * ratio}px system-ui, sans-serif`;
  pen.fillText(title, 14 * ratio, line * 1.1);
  pen.font = font;
  entries.forEach((entry, k) => {
    const [left, base] = places[k]!;
    pen.strokeStyle = theme_color(`--curve-${entry.color}`);
    pen.lineWidth = 2 * ratio;
    pen.setLineDash((entry.dash ?? []).map((length) => length * ratio));
    pen.beginPath();
    pen.moveTo(left, base - 4 * ratio);
    pen.lineTo(left + 18 * ratio, base - 4 * ratio);
    pen.stroke();
    pen.fillStyle = theme_color("--text");
    pen.fillText(entry.label, left + 24 * ratio, base);
  });
  pen.drawImage(plot, 0, canvas.height - plot.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
