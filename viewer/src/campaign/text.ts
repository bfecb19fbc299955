// Names, units and numbers of columns as they are written.
import type { HistoryColumn } from "../payload";
import { brief, display_of } from "../units";
import type { FlightColumn } from "./data";

export function title_of({ name, unit }: { name: string; unit: string }): string {
  const shown = display_of(unit).unit;
  return shown ? `${name} [${shown}]` : name;
}

export function shown(x: number, { unit }: FlightColumn | HistoryColumn | { unit: string }, digits = 4): string {
  return brief(x * display_of(unit).factor, digits);
}

export const percent = (fraction: number, digits = 4) => `${brief(100 * fraction, digits)} %`;

/// As much of a text as has room.
export function fitting(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > width) --end;
  return `${text.slice(0, end)}…`;
}
