// Axes and differences: logarithms, one quantity against another, one run less another; by keys too.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compare, go_to, gyrostat, keep, launch, now, open, output, part, report, settle } from "./support.mjs";

// Signals with simple forms: what is drawn can be told.
const model = (shift) => `gyrostat: 1
parameters: {shift: ${shift}}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {initial: {omega: [0.1, 0, 0]}}}
signals:
  decay: "exp(-t)"
  ring_x: "cos(t) + shift"
  ring_y: "sin(t)"
  straight: "2*t + shift*t"
simulation: {duration: 6}
`;

let browser, one, both;
before(async () => {
  browser = await launch();
  for (const [name, shift, interval] of [
    ["first", 0, 0.01],
    ["other", 0.5, 0.025],
  ]) {
    writeFileSync(join(output, `${name}.yaml`), model(shift));
    gyrostat("run", `${name}.yaml`, "--quiet", "--interval", String(interval));
  }
  one = report("axes", join(output, "first.h5"));
  both = report("difference", join(output, "first.h5"), join(output, "other.h5"));
});
after(() => browser?.close());

/// A plot of these quantities, first of the list.
async function plot_of(page, ...names) {
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  for (const name of names) {
    await page.locator("dialog input[type=search]").fill(name);
    await page.locator("dialog .choice:visible", { has: page.locator(`span:text-is("${name}")`) }).click();
  }
  await page.locator("dialog .primary").click();
  await settle(page);
  return page.locator(".plot").first();
}
const values = async (plot) =>
  (await plot.locator(".chip .value").allTextContents()).map((text) => Number(text.replaceAll("−", "-")));
const saved = async (page, plot) => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    plot.getByRole("button", { name: "Save the numbers (CSV)" }).click(),
  ]);
  const [head, ...rows] = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return { head, rows: rows.map((row) => row.map(Number)) };
};

/// Where a curve is seen: for columns of pixels the mean height of those that are blue, 0 at the top and 1 at the bottom.
async function traced(page, plot) {
  const box = await plot.locator(".u-over").boundingBox();
  const png = await page.screenshot({ clip: box });
  const helper = await browser.newPage();
  const heights = await helper.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    pen.drawImage(bitmap, 0, 0);
    const { data, width, height } = pen.getImageData(0, 0, bitmap.width, bitmap.height);
    return Array.from({ length: width }, (_, x) => {
      let [sum, n] = [0, 0];
      for (let y = 0; y < height; ++y) {
        const at = 4 * (y * width + x);
        if (data[at + 2] - data[at] > 50) [sum, n] = [sum + y, n + 1];
      }
      return n ? sum / n / height : null;
    });
  }, png.toString("base64"));
  await helper.close();
  return heights;
}

test("an exponential is straight on a logarithmic axis, and only there", async () => {
  const page = await open(browser, one);
  const plot = await plot_of(page, "decay");
  const bend = async () => {
    const heights = await traced(page, plot);
    const at = (share) => heights[Math.round(share * heights.length)];
    return Math.abs((at(0.1) + at(0.7)) / 2 - at(0.4));
  };
  assert.ok((await bend()) > 0.1, "linear");
  await plot.getByLabel("Axes").click();
  await plot.getByLabel("Logarithmic vertical axis").check();
  await page.keyboard.press("Escape");
  await settle(page);
  assert.ok((await bend()) < 0.02, "logarithmic");
  assert.match(await plot.locator("header small").textContent(), /magnitude/);
  await keep(page, "logarithmic");
  await plot.getByLabel("Axes").click();
  await plot.getByLabel("Logarithmic vertical axis").uncheck();
  await settle(page);
  assert.ok((await bend()) > 0.1, "linear again");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("one quantity against another is a path, and a press on it sets the time", async () => {
  const page = await open(browser, one);
  const plot = await plot_of(page, "ring_y");
  await plot.getByLabel("Axes").click();
  await plot.getByLabel("Horizontal axis").selectOption("ring_x");
  await page.keyboard.press("Escape");
  await go_to(page, 0.5);
  assert.equal(await plot.locator("h3").textContent(), "ring_y against ring_x");
  await keep(page, "against");
  // a circle: as high as it is deep on both sides, and seen over the whole width
  const heights = await traced(page, plot);
  const seen = heights.filter((y) => y !== null).length / heights.length;
  assert.ok(seen > 0.85, `${seen} of the width`);
  // the dot is at (cos 0.5, sin 0.5)
  const box = await plot.locator(".u-over").boundingBox();
  const place = async () => {
    const dot = await plot.locator(".dot").boundingBox();
    return [(dot.x + dot.width / 2 - box.x) / box.width, (dot.y + dot.height / 2 - box.y) / box.height];
  };
  const wanted = (t) => [0.5 + (Math.cos(t) / 2) * (1 / 1.12), 0.5 - (Math.sin(t) / 2) * (1 / 1.12)];
  const near = (a, b) => assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.02, `${a} ${b}`);
  near(await place(), wanted(0.5));
  const [x, y] = wanted(2.2);
  await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
  await settle(page);
  assert.ok(Math.abs((await now(page)) - 2.2) < 0.05, `${await now(page)}`);
  near(await place(), wanted(2.2));
  // a stretch of time is a stretch of the path
  await page.evaluate(() => window.gyrostat.timeline.zoom(0, 1.5));
  await settle(page);
  const { head, rows } = await saved(page, plot);
  assert.deepEqual(head, ["time [s]", "ring_x", "ring_y"]);
  for (const [t, cx, cy] of rows.slice(0, 600)) assert.ok(Math.hypot(Math.cos(t) - cx, Math.sin(t) - cy) < 1e-12);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a difference is the second run less the first, at the first one's instants", async () => {
  const page = await open(browser, both);
  const plot = await plot_of(page, "ring_x", "straight");
  await go_to(page, 3);
  assert.equal((await values(plot)).length, 4);
  const runs = await part(page, ".plot .area");
  await page.getByLabel("Difference").check();
  await go_to(page, 3);
  const [ring, straight] = await values(plot);
  assert.ok(Math.abs(ring - 0.5) < 1e-3 && Math.abs(straight - 1.5) < 1e-9, `${ring} ${straight}`);
  assert.deepEqual(await plot.locator(".chip span:not(.value)").allTextContents(), [
    "ring_x · other.h5 − first.h5",
    "straight · other.h5 − first.h5",
  ]);
  assert.ok((await compare(browser, runs, await part(page, ".plot .area"))).different > 0.002);
  await keep(page, "difference");
  const { rows } = await saved(page, plot);
  assert.equal(rows.length, 601);
  for (const [t, a, b] of rows) {
    assert.ok(Math.abs(a - 0.5) < 1e-3, `${t}: ${a}`); // straight lines between records of 0.025 s
    assert.ok(Math.abs(b - 0.5 * t) < 1e-12, `${t}: ${b}`);
  }
  await page.getByLabel("Difference").uncheck();
  await go_to(page, 3);
  assert.equal((await values(plot)).length, 4);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("axes and differences are chosen by keys alone", async () => {
  const page = await open(browser, both);
  const plot = await plot_of(page, "ring_y");
  await plot.getByLabel("Axes").focus();
  await page.keyboard.press("Enter");
  await settle(page);
  await page.keyboard.press("Tab");
  await page.keyboard.type("ring_x");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await settle(page);
  assert.equal(await plot.locator("h3").textContent(), "ring_y against ring_x");
  assert.match(await plot.locator("header small").textContent(), /magnitude/);
  assert.ok(await plot.getByLabel("Axes").evaluate((e) => e === document.activeElement && !e.parentElement.open));
  await page.getByLabel("Difference").focus();
  await page.keyboard.press("Space");
  await settle(page);
  assert.equal(await plot.locator(".chip").count(), 1);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
