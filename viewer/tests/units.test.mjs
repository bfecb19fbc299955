// The parts of the page that need no browser: what curves are drawn by, ticks, times, the motion between frames.
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const load = async (file) => {
  const { outputFiles } = await build({
    entryPoints: [join(here, "../src", file)],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
};
const { thin } = await load("plots/curves.ts");
const { room, tick_labels } = await load("plots/axis.ts");
const { decimals_for } = await load("units.ts");
const { Motion, Signal } = await load("view/motion.ts");
const { divided_triangles } = await load("view/divide.ts");
const { restore } = await load("blocks.ts");
const { difference_of, magnitudes } = await load("plots/entries.ts");
const { decades, decade_labels } = await load("plots/axis.ts");
const { folded } = await load("summary/events.ts");

const curve = (time, values) => ({ time: Float64Array.from(time), values: Float64Array.from(values) });
const range = (n) => [...Array(n).keys()];
/// A reproducible sequence in [0, 1).
const random = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

test("few records are drawn as they are, and one beyond each end", () => {
  const c = curve(
    range(11),
    range(11).map((t) => t * t),
  );
  const [x, y] = thin([c], { from: 2.5, to: 6.5 }, 100, 2);
  assert.deepEqual(x, [2, 3, 4, 5, 6, 7]);
  assert.deepEqual(y, [8, 18, 32, 50, 72, 98]);
});

test("of many records the least and the largest of every pixel stay, the first and the last record among them", () => {
  const next = random(7);
  for (let trial = 0; trial < 20; ++trial) {
    const n = 2000 + Math.floor(next() * 5000);
    const values = range(n).map(() => (next() < 0.01 ? 100 * (next() - 0.5) : next()));
    values[0] = 60;
    values[n - 1] = -60;
    const time = range(n).map((k) => k / (n - 1));
    const buckets = 50 + Math.floor(next() * 400);
    const [x, y] = thin([curve(time, values)], { from: 0, to: 1 }, buckets, 1);
    assert.ok(x.length <= 2 * buckets);
    assert.ok(x.every((t, k) => k === 0 || t > x[k - 1]));
    for (let b = 0; b < buckets; ++b) {
      const width = 1 / buckets;
      const inside = (t) => (b === 0 || t >= b * width) && (b === buckets - 1 || t < (b + 1) * width);
      const recorded = values.filter((_, k) => inside(time[k]));
      const drawn = y.filter((_, k) => Math.floor(x[k] * buckets) === b);
      if (!recorded.length) continue;
      assert.equal(Math.max(...drawn), Math.max(...recorded));
      assert.equal(Math.min(...drawn), Math.min(...recorded));
    }
    assert.ok(y.includes(60) && y.includes(-60));
  }
});

test("what is no number is a gap, drawn by records or thinned", () => {
  const values = range(10000).map((k) => (k >= 5000 && k < 5003 ? NaN : Math.sin(k)));
  for (const window of [
    { from: 0, to: 9999 },
    { from: 4990, to: 5010 },
  ]) {
    const [, y] = thin([curve(range(10000), values)], window, 300, 1);
    assert.ok(y.includes(null), `${window.from}`);
    assert.ok(y.every((v) => v === null || Number.isFinite(v)));
  }
});

test("a run with few records is drawn rightly beside one with many", () => {
  const dense = curve(
    range(10001).map((k) => k / 10),
    range(10001),
  );
  const sparse = curve([0, 500, 1000], [0, 500, 1000]);
  const [x, , y] = thin([dense, sparse], { from: 600, to: 800 }, 100, 1);
  const own = x.flatMap((t, k) => (y[k] === undefined ? [] : [[t, y[k]]]));
  assert.deepEqual(own, [
    [500, 500],
    [1000, 1000],
  ]);
});

test("equal times shift nothing", () => {
  const c = curve([0, 1, 1, 2, 3], [10, 11, 12, 13, 14]);
  assert.deepEqual(thin([c], { from: 0, to: 3 }, 50, 1), [
    [0, 1, 2, 3],
    [10, 12, 13, 14],
  ]);
  const other = curve([0, 1.5, 3], [0, 1, 2]);
  const [x, y, z] = thin([c, other], { from: 0, to: 3 }, 50, 1);
  assert.deepEqual(x, [0, 1, 1.5, 2, 3]);
  assert.deepEqual(y, [10, 12, undefined, 13, 14]);
  assert.deepEqual(z, [0, undefined, 1, undefined, 2]);
});

test("ticks can be told apart, whatever their size", () => {
  const next = random(3);
  for (let trial = 0; trial < 500; ++trial) {
    const step = 10 ** Math.floor(next() * 30 - 15) * [1, 2, 2.5, 5][Math.floor(next() * 4)];
    const first = Math.round((next() - 0.5) * 10 ** Math.floor(next() * 7)) * step;
    const ticks = range(6).map((k) => first + k * step);
    const labels = tick_labels(ticks);
    assert.equal(new Set(labels).size, ticks.length, `${ticks}: ${labels}`);
    labels.forEach((label, k) => {
      const back = Number(label.replaceAll("−", "-"));
      assert.ok(Math.abs(back - ticks[k]) < 0.1 * step, `${ticks}: ${labels}`);
    });
  }
  assert.deepEqual(tick_labels([-0.005, -0.0025, 0, 0.0025, 0.005]), ["−0.005", "−0.0025", "0", "0.0025", "0.005"]);
  assert.deepEqual(tick_labels([0, 10, 20]), ["0", "10", "20"]);
});

test("an axis has room for every value", () => {
  for (const [least, largest] of [
    [0, 0],
    [1, 1],
    [-1e300, 1e300],
    [1e-300, 2e-300],
    [5, 5 + 1e-15],
    [-1.7e308, 1.7e308],
  ]) {
    const [from, to] = room(least, largest);
    assert.ok(
      from < to && Number.isFinite(from) && Number.isFinite(to) && Number.isFinite(to - from),
      `${least} ${largest}`,
    );
  }
});

test("times have the decimals of the records", () => {
  const decimals = (step) => decimals_for(Float64Array.from([0, step, 2 * step]));
  assert.deepEqual([1, 0.25, 0.06, 0.1, 0.001, 1 / 64, 30, 1 / 3].map(decimals), [0, 2, 2, 1, 3, 6, 0, 6]);
  assert.equal(decimals_for(Float64Array.from([0])), 0);
});

const motion = (time, centres, poses) =>
  Motion.of(
    {
      f64: (block) => Promise.resolve(Float64Array.from(block)),
      f32: (block) => Promise.resolve(Float32Array.from(block)),
    },
    { time, centre: centres.flat(), bodies: poses.map((pose) => ({ pose: pose.flat() })), orbit: null },
  );
const vector = () => ({
  x: 0,
  y: 0,
  z: 0,
  set(x, y, z) {
    Object.assign(this, { x, y, z });
    return this;
  },
});

test("uniform motion is uniform between uneven frames, and parabolas are nearly so", async () => {
  const time = [0, 1, 2, 2.5, 9, 10, 10.01];
  const m = await motion(
    time,
    time.map((t) => [3 * t, 1 - t, t * t]),
    [],
  );
  const to = vector();
  for (let t = 0; t <= 10.01; t += 0.0173) {
    m.go_to(t);
    m.centre(to);
    assert.ok(Math.abs(to.x - 3 * t) < 1e-12 && Math.abs(to.y - 1 + t) < 1e-12, `${t}: ${to.x} ${to.y}`);
    if (t > 1 && t < 10) assert.ok(Math.abs(to.z - t * t) < 1e-9, `${t}: ${to.z}`);
  }
  m.go_to_frame(4);
  assert.equal(m.centre(to).z, 81);
});

test("one frame is enough", async () => {
  const m = await motion([5], [[1, 2, 3]], []);
  m.go_to(7);
  const { x, y, z } = m.centre(vector());
  assert.deepEqual([x, y, z], [1, 2, 3]);
});

test("loads show the largest since the record before, and nothing after the end", () => {
  const s = new Signal(Float64Array.from([0, 1, 2]), Float64Array.from([0, 5, 0]));
  assert.deepEqual(
    [0, 0.2, 1, 1.2, 2, 2.5].map((t) => s.upcoming(t)),
    [0, 5, 5, 0, 0, 0],
  );
  assert.deepEqual(
    [0, 0.5, 1.5, 9].map((t) => s.between(t)),
    [0, 2.5, 2.5, 0],
  );
});

/// The bytes of a block, by big integers.
function packed(numbers, order, parts) {
  const width = numbers.BYTES_PER_ELEMENT;
  const bits = BigInt(8 * width);
  const wide = (x) => BigInt.asUintN(Number(bits), x);
  const sign = 1n << (bits - 1n);
  const raw = width === 8 ? new BigUint64Array(numbers.buffer) : Array.from(new Uint32Array(numbers.buffer), BigInt);
  let list = range(parts).flatMap((part) => [...raw].filter((_, k) => k % parts === part));
  if (order > 0) {
    if (!(numbers instanceof Uint32Array)) list = list.map((x) => (x & sign ? wide(~x) : x | sign));
    for (let k = 0; k < order; ++k) list = list.map((x, i) => (i ? wide(x - list[i - 1]) : x));
    list = list.map((x) => (x & sign ? wide(~(x << 1n)) : x << 1n));
  }
  return Uint8Array.from(range(width).flatMap((k) => list.map((x) => Number((x >> BigInt(8 * k)) & 255n))));
}

test("numbers come out of blocks bit by bit, whatever the order of their differences", () => {
  const next = random(11);
  const smooth = range(200).map((k) => 1e-3 * Math.sin(k / 30) - 2e-4);
  const wild = range(50).map(() => (next() - 0.5) * 10 ** Math.floor(600 * (next() - 0.5)));
  const odd = [0, -0, Infinity, -Infinity, NaN, 5e-324, -1.7e308, 1.7e308];
  for (const order of [0, 1, 2, 3, 5]) {
    for (const parts of [1, 3, 7]) {
      for (const numbers of [
        Float64Array.from([...smooth, ...wild, ...odd]),
        Float32Array.from([...odd, ...smooth]),
        Uint32Array.from([0, 4294967295, 7, 7, 2147483648, 5]),
        new Float64Array(0),
      ]) {
        const type = { Float64Array: "f64", Float32Array: "f32", Uint32Array: "u32" }[numbers.constructor.name];
        const block = { block: 0, count: numbers.length, type, order, parts };
        const back = restore(block, packed(numbers, order, parts));
        assert.equal(back.constructor, numbers.constructor);
        assert.deepEqual(new Uint8Array(back.buffer), new Uint8Array(numbers.buffer), `${type} ${order} ${parts}`);
      }
    }
  }
  assert.throws(() => restore({ block: 4, count: 2, type: "f64", order: 0, parts: 1 }, new Uint8Array(8)), /damaged/);
});

test("a difference is b less a at a's instants, and nothing where b is not", () => {
  const a = curve([0, 1, 2, 3, 4], [1, 1, 1, NaN, 1]);
  const b = curve([0.5, 1, 3, 3.5], [10, 20, 40, 50]);
  const { time, values } = difference_of(a, b);
  assert.equal(time, a.time);
  assert.deepEqual([...values], [NaN, 19, 29, NaN, NaN]);
  assert.deepEqual([...difference_of(b, b).values], [0, 0, 0, 0]);
  assert.deepEqual([...difference_of(a, curve([], [])).values], [NaN, NaN, NaN, NaN, NaN]);
});

test("a logarithmic axis has whole decades about the magnitudes", () => {
  assert.deepEqual([...magnitudes(curve([0, 1, 2], [-2, 0, 3])).values], [2, NaN, 3]);
  const near = (range, wanted) => range.forEach((x, k) => assert.ok(Math.abs(x / wanted[k] - 1) < 1e-9, `${range}`));
  near(decades(0.003, 40), [1e-3, 100]);
  near(decades(5, 5), [1, 10]);
  near(decades(10, 10), [1, 10]);
  near(decades(1e-300, 1), [1e-16, 1]);
  near(decades(null, null), [0.1, 10]);
  for (const [least, largest] of [
    [5e-324, 5e-324],
    [1e-320, 1.7e308],
    [1.7e308, 1.7e308],
  ]) {
    const [from, to] = decades(least, largest);
    assert.ok(from > 0 && from < to && Number.isFinite(to), `${least} ${largest}: ${from} ${to}`);
  }
  assert.deepEqual(decade_labels([1e-7, null, 0.01, 1, 1e9]), ["1e−7", "", "0.01", "1", "1e9"]);
});

test("events of the same name and kind are one group, in the order of time", () => {
  const events = {
    time: [1, 2, 3, 4, 5],
    name: [0, 0, 1, 0, 1],
    what: [2, 3, 2, 2, 2],
    texts: ["a", "b", "on", "off"],
  };
  assert.deepEqual(folded(events, [0, 1, 2, 3, 4]), [[0, 3], [1], [2, 4]]);
  assert.deepEqual(folded(events, [1, 3]), [[1], [3]]);
});

test("triangles are divided until their edges are short, and neighbours still fit together", () => {
  const corners = [
    [0, 0, 0],
    [7, 0, 0],
    [1, 2, 0],
    [2, 1, 3],
  ]; // of a tetrahedron
  const faces = [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [2, 0, 3],
  ];
  const flat = new Float32Array(faces.flat().flatMap((k) => corners[k]));
  const fine = divided_triangles(flat, 0.6, 1e5);
  const edges = new Map();
  let longest = 0;
  for (let at = 0; at < fine.length; at += 9) {
    const three = [0, 1, 2].map((k) => [...fine.slice(at + 3 * k, at + 3 * k + 3)]);
    three.forEach((a, k) => {
      const b = three[(k + 1) % 3];
      longest = Math.max(longest, Math.hypot(...a.map((x, c) => x - b[c])));
      edges.set(`${a} ${b}`, (edges.get(`${a} ${b}`) ?? 0) + 1);
    });
  }
  assert.ok(longest <= 0.6, `${longest}`);
  for (const [edge, count] of edges) {
    assert.equal(count, 1);
    assert.equal(edges.get(edge.split(" ").reverse().join(" ")), 1, `no neighbour at ${edge}`);
  }
  assert.deepEqual(divided_triangles(flat, 100, 1e5), flat);
  assert.deepEqual(divided_triangles(flat, 0.6, 4), flat);
});

test("axes of diagrams give back the value of a place", async () => {
  const { Scale } = await load("linear/scale.ts");
  for (const scale of [
    new Scale("linear", -3, 7),
    new Scale("logarithmic", 1e-3, 1e4),
    new Scale("signed", -20, 5, 0.01),
  ]) {
    for (const place of [0, 0.1, 0.5, 0.77, 1]) {
      assert.ok(Math.abs(scale.place(scale.value(place)) - place) < 1e-12, `${scale.kind} ${place}`);
    }
    assert.equal(scale.place(scale.from), 0);
    assert.equal(scale.place(scale.to), 1);
  }
});

test("ticks of diagrams are few, within the axis, and told apart", async () => {
  const { Scale } = await load("linear/scale.ts");
  const cases = [
    [new Scale("linear", -0.42, 0.37), ["−0.4", "−0.2", "0", "0.2"]],
    [new Scale("linear", -400, 40, 1, 45), ["−360", "−270", "−180", "−90", "0"]],
    [new Scale("logarithmic", 0.03, 300), ["0.1", "1", "10", "100"]],
    [new Scale("logarithmic", 2, 5), ["2.0", "3.0", "4.0", "5.0"]],
    [new Scale("signed", -20, 0.05, 0.01), ["−10", "−1", "−0.1", "−0.01", "0", "0.01"]],
  ];
  for (const [scale, expected] of cases) {
    const ticks = scale.ticks(6);
    for (const { at } of ticks) assert.ok(at >= scale.from - 1e-9 && at <= scale.to + 1e-9, `${at}`);
    const labels = ticks.map(({ label }) => label);
    assert.equal(new Set(labels).size, labels.length);
    for (const label of expected) assert.ok(labels.includes(label), `${label} in ${labels.join()}`);
    assert.ok(labels.length <= 13);
  }
});

test("a response between its points lies on a line over the logarithm of frequency", async () => {
  const { value_at, critical_phase } = await load("linear/chosen_curves.ts");
  const frequency = Float64Array.of(0.1, 1, 100);
  const values = Float64Array.of(40, 20, -20);
  assert.equal(value_at(frequency, values, 0.1), 40);
  assert.ok(Math.abs(value_at(frequency, values, 10)) < 1e-12);
  assert.ok(Number.isNaN(value_at(frequency, values, 0.05)));
  assert.ok(Number.isNaN(value_at(frequency, values, 200)));
  assert.equal(critical_phase(-133.7, 46.3), -180);
  assert.equal(critical_phase(-500, 40), -540);
  assert.equal(critical_phase(170, -10), 180);
});
