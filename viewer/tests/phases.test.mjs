// What the page shows of states over time: bands, the tree, and marks in the picture.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { go_to, gyrostat, keep, launch, open, output, report, settle } from "./support.mjs";

let browser;
let page;

// A panel that latches at 0.5 rad, a block that friction holds until 3 s, a ball that rests on its stop from 2 s on, and a machine of three states.
const everything = `gyrostat: 1
bodies:
  bus: {mass: 50, inertia: [9, 9, 9], shape: [{box: [1, 1, 1]}]}
  panel: {mass: 1, com: [0, 1, 0], inertia: [0.4, 0.1, 0.4], shape: [{box: [1, 2, 0.05], at: [0, 1, 0]}]}
  block: {mass: 2, inertia: [0.1, 0.1, 0.1], shape: [{box: [0.3, 0.3, 0.3]}]}
  ball: {mass: 2, inertia: [0.1, 0.1, 0.1], shape: [{sphere: 0.2}]}
joints:
  mount: {type: weld, parent: world, child: bus}
  hinge: {type: revolute, parent: bus, child: panel, parent_point: [0, 0.5, 0], axis: [1, 0, 0], initial: {rate: 0.5}, latch: {when: "hinge.angle > 0.5"}}
  slide: {type: prismatic, parent: bus, child: block, parent_point: [0, -0.8, 0], axis: [1, 0, 0], torque: t, friction: {coulomb: 3}}
  drop: {type: prismatic, parent: bus, child: ball, parent_point: [0, 0, 0.7], axis: [0, 0, 1], initial: {displacement: 2}, torque: -2, stops: {low: 0}}
signals:
  mode: {modes: {states: {stowed: {to: {deploying: {for: 0.5 s}}}, deploying: {to: {deployed: "hinge.angle >= 0.5"}}, deployed: }}}
simulation: {duration: 5}
output: {interval: 0.02}
`;

before(async () => {
  browser = await launch();
  writeFileSync(join(output, "phases.yaml"), everything);
  gyrostat("run", "phases.yaml", "--quiet");
  page = await open(browser, report("phases", join(output, "phases.h5")));
});
after(() => browser?.close());

const value_of = (name) => page.locator(`.phases[data-name="${name}"] .value`).textContent();
const joint = (name) =>
  page.evaluate((name) => {
    const texts = [...document.querySelectorAll(".tree text.joint")];
    const k = texts.findIndex((text) => text.textContent.endsWith(name));
    const type = texts[k + 1];
    const branch = document.querySelector(`.tree path[data-joint="${type.dataset.joint}"]`);
    return { text: type.textContent, held: branch.classList.contains("held") };
  }, name);
const balls = () =>
  page.evaluate(() => {
    let count = 0;
    window.gyrostat.view.craft.root.traverse((object) => (count += object.name === "held joint" && object.visible));
    return count;
  });

test("bands tell the state at the time shown", async () => {
  assert.deepEqual(page.complaints, []);
  for (const [t, mode, hinge, slide, drop] of [
    [0.2, "stowed", "free", "sticks", "free"],
    [0.9, "deploying", "free", "sticks", "free"],
    [1.5, "deployed", "latched", "sticks", "free"],
    [2.5, "deployed", "latched", "sticks", "on low stop"],
    [3.5, "deployed", "latched", "free", "on low stop"],
  ]) {
    await go_to(page, t);
    assert.equal(await value_of("mode"), mode, `mode at ${t}`);
    assert.equal(await value_of("hinge"), hinge, `hinge at ${t}`);
    assert.equal(await value_of("slide"), slide, `slide at ${t}`);
    assert.equal(await value_of("drop"), drop, `drop at ${t}`);
  }
  await keep(page, "phases");
});

test("a band has the colour of the state under each instant", async () => {
  const colors = await page.evaluate(() => {
    const canvas = document.querySelector('.phases[data-name="mode"] canvas');
    const pen = canvas.getContext("2d");
    const at = (t) => [...pen.getImageData(Math.round((t / 5) * canvas.width), canvas.height - 2, 1, 1).data].join();
    return [0.25, 0.75, 2, 4].map(at);
  });
  assert.equal(new Set(colors.slice(0, 3)).size, 3, colors.join(" "));
  assert.equal(colors[2], colors[3]);
});

test("a press on a band sets the time", async () => {
  const box = await page.locator('.phases[data-name="mode"] .band').boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 8);
  await settle(page);
  const t = await page.evaluate(() => window.gyrostat.clock.t);
  assert.ok(Math.abs(t - 2.5) < 0.02, `${t}`);
});

test("the picture marks joints that are held, and names them", async () => {
  const acting = () => page.locator(".firing").textContent();
  await go_to(page, 0.2);
  assert.equal(await balls(), 1);
  assert.equal(await acting(), "slide sticks");
  await go_to(page, 2.5);
  assert.equal(await balls(), 3);
  assert.equal(await acting(), "hinge latched, slide sticks, drop on low stop");
  await go_to(page, 3.5);
  assert.equal(await balls(), 2);
});

test("the tree marks joints that are held", async () => {
  await page.getByRole("tab", { name: "Model" }).click();
  await go_to(page, 0.2);
  assert.deepEqual(await joint("hinge"), { text: "revolute", held: false });
  assert.deepEqual(await joint("slide"), { text: "sticks", held: true });
  await go_to(page, 3.5);
  assert.deepEqual(await joint("hinge"), { text: "latched", held: true });
  assert.deepEqual(await joint("slide"), { text: "prismatic", held: false });
  assert.deepEqual(await joint("drop"), { text: "on low stop", held: true });
  await keep(page, "phases_tree");
});
