// How uPlot is to draw a plot.
import type uPlot from "uplot";
import { theme_color } from "../theme";
import { decade_labels, decades, room, tick_labels } from "./axis";
import type { Window } from "./curves";
import type { Entry } from "./entries";
import { range_of, type Path } from "./paths";

const few_points = 30; // so few are marked
const label_height = 18;

interface Wanted {
  size: { width: number; height: number };
  log: boolean;
  entries: (Entry & { shown: boolean })[];
  paths: Path[] | null; // drawn against a quantity, by ourselves; null: curves over time, which uPlot draws
  window: Window;
  across: string; // what stands under the horizontal axis
  drawn: (chart: uPlot) => void;
  selected: (chart: uPlot) => void;
}

export function chart_options(wanted: Wanted): uPlot.Options {
  const { size, log, paths, window } = wanted;
  return {
    width: size.width,
    height: size.height + (paths ? label_height : 0),
    padding: [8, 22, 0, 4],
    legend: { show: false },
    scales: {
      x: { time: false, ...(paths ? { range: () => room(...range_of(paths, window, "x")) } : {}) },
      y: {
        distr: log ? 3 : 1,
        range: (_, least, largest) => {
          const [from, to] = paths ? range_of(paths, window, "y") : [least, largest];
          return log ? decades(from, to) : room(from, to);
        },
      },
    },
    cursor: paths
      ? { show: false, drag: { x: false, y: false } }
      : {
          sync: { key: "time", scales: ["x", null] },
          drag: { x: true, y: false, setScale: false },
          points: { show: false },
          y: false,
        },
    axes: [horizontal_axis(wanted), vertical_axis(log)],
    series: [{}, ...(paths ? [] : wanted.entries.map(series_of))],
    hooks: { draw: [wanted.drawn], setSelect: [wanted.selected] },
  };
}

function axis(): Partial<uPlot.Axis> {
  return {
    stroke: () => theme_color("--quiet"),
    grid: { stroke: () => theme_color("--grid"), width: 1 },
    ticks: { stroke: () => theme_color("--grid"), width: 1, size: 4 },
    font: "11px system-ui, sans-serif",
  };
}

function horizontal_axis({ paths, across }: Wanted): uPlot.Axis {
  if (paths) {
    const font = "11px system-ui, sans-serif";
    const label = { label: across, labelSize: label_height, labelFont: font };
    return { ...axis(), ...label, size: 30, space: 60, values: (_, ticks) => tick_labels(ticks) };
  }
  const values = (_: uPlot, ticks: number[]) => tick_labels(ticks).map((label, k) => (k === 0 ? `${label} s` : label));
  return { ...axis(), size: 30, space: 60, values };
}

function vertical_axis(log: boolean): uPlot.Axis {
  return {
    ...axis(),
    size: (_, labels) => Math.max(66, 14 + 6.6 * Math.max(0, ...(labels ?? []).map((label) => label.length))),
    values: (_, ticks) => (log ? decade_labels(ticks) : tick_labels(ticks)),
  };
}

function series_of(entry: Entry & { shown: boolean }): uPlot.Series {
  return {
    show: entry.shown,
    stroke: () => theme_color(`--curve-${entry.color}`),
    width: 1.4,
    points: { show: (u, _, from, to) => to - from < few_points && u.data[0].length < few_points, size: 4 },
    ...(entry.dash ? { dash: entry.dash } : {}),
  };
}
