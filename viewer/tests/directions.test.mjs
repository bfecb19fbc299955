// Arrows, plumes, rings and wheels point and turn the way the physics does.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { go_to, gyrostat, keep, launch, open, output, report } from "./support.mjs";

// One body at rest but for a spinning wheel; the thruster fires from 1 to 2 s, torques act before and after 3 s, and a force
// along the world's x from 5 s on. Pulses are shorter than the time between records.
const model = `gyrostat: 1
name: directions
bodies:
  bus:
    mass: 1e6
    inertia: [1e6, 1e6, 1e6]
    points: {nozzle: [1, 0, 0]}
    wheels: {rw: {axis: [0, 1, 0], inertia: 0.01, rate: 1}}
    shape: [{box: [1, 1, 1]}]
joints: {base: {type: free, parent: world, child: bus, initial: {orientation: {axis: [0, 0, 1], angle: 90 deg}}}}
loads:
  - {thruster: {body: bus, point: nozzle, direction: [0, 0, 1], thrust: 2, command: "pulse(1, 2)"}}
  - {body: bus, torque: ["0", "0", "pulse(2.51, 2.52) - pulse(3.51, 3.52)"]}
  - {body: bus, force: ["3*step(5)", "0", "0"], axes: world}
simulation: {duration: 8}
output: {interval: 0.25}
`;

let browser, page;
before(async () => {
  writeFileSync(join(output, "directions.yaml"), model);
  gyrostat("run", "directions.yaml", "--quiet");
  browser = await launch();
  page = await open(browser, report("directions", join(output, "directions.h5")));
});
after(() => browser?.close());

/// Of an object by its name, if it is seen: its centre and its own y axis, world axes.
const seen = (name) =>
  page.evaluate((name) => {
    const { view } = window.gyrostat;
    let found = null;
    const look = (object, visible) => {
      visible &&= object.visible;
      if (visible && object.name === name) found = object;
      for (const child of object.children) look(child, visible);
    };
    look(view.craft.root, true);
    if (!found) return null;
    const m = found.matrixWorld.elements;
    const sphere =
      found.geometry && (found.geometry.computeBoundingSphere(), found.geometry.boundingSphere.center.clone());
    const centre = sphere ? sphere.applyMatrix4(found.matrixWorld) : { x: m[12], y: m[13], z: m[14] };
    return { centre: [centre.x, centre.y, centre.z], y: [m[4], m[5], m[6]], angle: found.rotation.z };
  }, name);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

test("a plume stands behind the nozzle while the thruster fires, and only then", async () => {
  await go_to(page, 0.5);
  assert.equal(await seen("plume"), null);
  await go_to(page, 1.6);
  await keep(page, "thruster");
  const { centre } = await seen("plume");
  // the nozzle is at x of the body, which is y of the world; the force is along z, so gas goes down
  assert.ok(Math.abs(centre[0]) < 0.01 && Math.abs(centre[1] - 1) < 0.01, centre.join());
  assert.ok(centre[2] < -0.05, centre.join());
  await go_to(page, 2.4);
  assert.equal(await seen("plume"), null);
});

test("a torque's ring turns by the right hand, and a short pulse is seen", async () => {
  for (const [t, sign] of [
    [2.6, 1],
    [3.6, -1],
  ]) {
    await go_to(page, t);
    const { centre, y } = await seen("head");
    assert.ok(cross(centre, y)[2] * sign > 0, `at ${t}`);
    assert.equal(await page.locator(".firing").textContent(), "torque on bus");
  }
  await go_to(page, 4.2);
  assert.equal(await seen("head"), null);
});

test("a wheel turns about its axis as recorded", async () => {
  for (const t of [1.1, 4.3]) {
    await go_to(page, t);
    const { angle } = await seen("bus.rw");
    assert.ok(Math.abs(Math.sin((angle - t) / 2)) < 1e-3, `${angle} at ${t}`);
  }
});

test("the momentum arrow points along the recorded momentum", async () => {
  await go_to(page, 0);
  const tip = await page.evaluate(() =>
    window.gyrostat.view.craft.directions.find(({ name }) => name === "H").tip.toArray(),
  );
  // the wheel's axis is y of the body, which is -x of the world
  assert.ok(
    tip[0] < 0 && Math.abs(tip[1]) < 1e-6 * Math.abs(tip[0]) && Math.abs(tip[2]) < 1e-6 * Math.abs(tip[0]),
    tip.join(),
  );
});

test("a force in world axes is drawn in world axes", async () => {
  await go_to(page, 6);
  const arrow = await page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    let found = null;
    craft.root.traverse((object) => object.name === "force" && (found = object));
    const m = found.matrixWorld.elements;
    return found.visible && [m[4], m[5], m[6]];
  });
  assert.ok(Math.hypot(arrow[0] - 1, arrow[1], arrow[2]) < 1e-3, arrow.join());
});
