// What the picture and the summary show of constraints: cut joints, distances, points held in frames, couplings.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fly, go_to, gyrostat, keep, launch, open, output, report, settle } from "./support.mjs";

let browser;
let page;

// A cart on a line, a puck in a plane, a post at a place, a pendulum on a rod without mass, two coupled arms, and a four-bar linkage.
const everything = `gyrostat: 1
bodies:
  base: {mass: 50, inertia: [9, 9, 9], shape: [{box: [2, 2, 0.2]}]}
  cart: {mass: 1, inertia: [0.01, 0.01, 0.01], shape: [{box: [0.2, 0.2, 0.2]}]}
  puck: {mass: 1, inertia: [0.01, 0.01, 0.01], shape: [{cylinder: [0.1, 0.1]}]}
  post: {mass: 1, inertia: [0.01, 0.01, 0.01], shape: [{sphere: 0.1}]}
  bob:  {mass: 1, inertia: [0.01, 0.01, 0.01], shape: [{sphere: 0.1}]}
  left:  {mass: 1, com: [0, 0, 0.4], inertia: [0.1, 0.1, 0.01], shape: [{box: [0.05, 0.05, 0.8], at: [0, 0, 0.4]}]}
  right: {mass: 1, com: [0, 0, 0.4], inertia: [0.1, 0.1, 0.01], shape: [{box: [0.05, 0.05, 0.8], at: [0, 0, 0.4]}]}
  top:   {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], shape: [{box: [1, 0.05, 0.05], at: [0.5, 0, 0]}]}
joints:
  base: {type: weld, parent: world, child: base}
  cart_free: {type: free, parent: base, child: cart, initial: {position: [0, -0.6, 0.6], velocity: [0.3, 0, 0]}}
  puck_free: {type: free, parent: base, child: puck, initial: {position: [0.4, 0, 0.8], velocity: [0.2, 0.1, 0]}}
  post_free: {type: free, parent: base, child: post, initial: {position: [-0.8, 0.8, 0.5], omega: [0, 0, 1]}}
  bob_free:  {type: free, parent: world, child: bob, initial: {position: [1.5, 0, 0], velocity: [0, 0.5, 0]}}
  pivot:  {type: revolute, parent: base, child: left, parent_point: [-0.5, 0.7, 0.1], axis: [0, 1, 0], initial: {angle: 0.2, rate: 0.4}}
  hinge:  {type: revolute, parent: base, child: right, parent_point: [0.5, 0.7, 0.1], axis: [0, 1, 0], initial: {angle: 0.2, rate: 0.4}}
  corner: {type: revolute, parent: left, child: top, parent_point: [0, 0, 0.8], axis: [0, 1, 0], initial: {angle: -0.2, rate: -0.4}}
  closure: {type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, 0, 0.8], axis: [0, 1, 0], cut: true}
constraints:
  rail:   {point: [cart, com], of: base, directions: [[0, 1, 0], [0, 0, 1]], equals: [-0.6, 0.6]}
  table:  {point: [puck, com], of: base, directions: [[0, 0, 1]], equals: 0.8}
  pin:    {point: [post, com], of: base, directions: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], equals: [-0.8, 0.8, 0.5]}
  tether: {distance: {from: [base, [1, 0, 0]], to: [bob, com]}, equals: 0.5}
  mirror: {coupling: {pivot.angle: 1, hinge.angle: -1}}
simulation: {duration: 3}
output: {interval: 0.05}
`;

before(async () => {
  browser = await launch();
  writeFileSync(join(output, "constraints.yaml"), everything);
  gyrostat("run", "constraints.yaml", "--quiet");
  page = await open(browser, report("constraints", join(output, "constraints.h5")));
});
after(() => browser?.close());

/// Where objects of a name are, from the mass centre, and how long.
const named = (name) =>
  page.evaluate((name) => {
    const found = [];
    window.gyrostat.view.craft.root.updateMatrixWorld(true);
    window.gyrostat.view.craft.root.traverse((object) => {
      if (object.name !== name) return;
      const at = object.position.clone();
      found.push({ at: [at.x, at.y, at.z], sizes: object.children.map((c) => c.geometry?.parameters ?? {}) });
    });
    return found;
  }, name);

test("a line, a plane and a place stay where they are, as long as the point's way", async () => {
  assert.deepEqual(page.complaints, []);
  for (const t of [0, 1.3, 3]) {
    await go_to(page, t);
    const [line] = await named("line");
    assert.ok(Math.hypot(line.at[0] - 0.45, line.at[1] + 0.6, line.at[2] - 0.6) < 1e-3, line.at.join());
    const [plane] = await named("plane");
    assert.ok(Math.hypot(plane.at[0] - 0.7, plane.at[1] - 0.15, plane.at[2] - 0.8) < 1e-3, plane.at.join());
    const [place] = await named("place");
    assert.ok(Math.hypot(place.at[0] + 0.8, place.at[1] - 0.8, place.at[2] - 0.5) < 1e-3, place.at.join());
  }
  const [line] = await named("line");
  const radius = await page.evaluate(() => window.gyrostat.view.craft.scene.radius);
  assert.ok(Math.abs(line.sizes[0].height - (0.9 + 0.3 * radius)) < 1e-3, `${line.sizes[0].height}`);
  await keep(page, "constraints");
});

test("a distance is a line between its points", async () => {
  await go_to(page, 2);
  const { ends, bob, centre } = await page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    const { object } = craft.markers.find(({ text }) => text === "tether: distance");
    const bob = craft.bodies[craft.scene.bodies.findIndex(({ name }) => name === "bob")].position;
    const centre = craft.motion.centre(bob.clone());
    return {
      ends: [...object.geometry.attributes.position.array],
      bob: [bob.x, bob.y, bob.z],
      centre: [centre.x, centre.y, centre.z],
    };
  });
  const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < 1e-5;
  assert.ok(near(ends.slice(3), bob), `${ends} ${bob}`);
  assert.ok(near(ends.slice(0, 3), [1 - centre[0], -centre[1], -centre[2]]), `${ends}`);
  assert.ok(Math.abs(Math.hypot(ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]) - 0.5) < 1e-5);
});

test("a cut joint has axes with a gap, at the joint point", async () => {
  const gaps = await page.evaluate(() => {
    const parts = [];
    window.gyrostat.view.craft.root.traverse((o) => o.name === "axis of a cut joint" && parts.push(o.geometry));
    const shares = parts.map((geometry) => {
      geometry.computeBoundingBox();
      return [geometry.boundingBox.min.y, geometry.boundingBox.max.y];
    });
    return { shares, radius: window.gyrostat.view.craft.scene.radius };
  });
  assert.equal(gaps.shares.length, 2);
  for (const [low, high] of gaps.shares) assert.ok(low > 0.01 * gaps.radius || high < -0.01 * gaps.radius);
});

/// What the pointer names where a point of a marker is.
async function name_at(text, pick) {
  const at = await page.evaluate(
    ({ text, pick }) => {
      const { craft, camera, canvas } = window.gyrostat.view;
      craft.root.updateWorldMatrix(true, true);
      const { object } = craft.markers.find((marker) => marker.text === text);
      const p = object.position.clone();
      if (pick === "line") {
        const a = object.geometry.attributes.position;
        p.set((a.getX(0) + a.getX(1)) / 2, (a.getY(0) + a.getY(1)) / 2, (a.getZ(0) + a.getZ(1)) / 2);
        object.localToWorld(p);
      } else {
        p.set(0, 0.06 * craft.scene.radius, 0);
        object.children[0].localToWorld(p);
      }
      p.project(camera);
      const box = canvas.getBoundingClientRect();
      return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    },
    { text, pick },
  );
  await page.mouse.move(at.x, at.y);
  await settle(page);
  return page.locator(".canvas .tip").textContent();
}

test("the pointer names joints and constraints", async () => {
  await go_to(page, 0);
  assert.equal(await name_at("closure: revolute, cut", "rod"), "closure: revolute, cut");
  assert.equal(await name_at("tether: distance", "line"), "tether: distance");
});

test("constraints can be hidden", async () => {
  const shown = () => page.evaluate(() => window.gyrostat.view.craft.is_visible("constraints"));
  assert.ok(await shown());
  await page.getByText("Show", { exact: true }).click();
  await page.getByLabel("Constraints").uncheck();
  assert.ok(!(await shown()));
  await page.getByLabel("Constraints").check();
  await page.keyboard.press("Escape");
});

test("the summary lists constraints, and the tree has cut joints dashed", async () => {
  await page.keyboard.press("2");
  await settle(page);
  const [cut] = await page.locator(".tree text.cut").allTextContents();
  assert.ok(cut.startsWith("closure: revolute, cut"), cut);
  assert.equal(await page.locator(".tree .body.cut text").textContent(), "right");
  assert.equal(await page.locator(".tree path.cut").count(), 1);
  const text = await page.locator("table", { hasText: "cut joint: revolute" }).textContent();
  for (const words of ["cut joint: revolute between top and right", "coupling of pivot.angle, hinge.angle"])
    assert.ok(text.includes(words), text);
  await keep(page, "constraints_summary");
  await page.keyboard.press("1");
});

test("the ledger has the largest violation of constraints", async () => {
  await page.keyboard.press("3");
  await settle(page);
  const row = await page.locator("tr", { hasText: "constraints" }).textContent();
  const found = /^constraints(\d[\d.e−-]*) m or rad(\d[\d.e−-]*) m\/s or rad\/sof 13 rows$/.exec(row);
  assert.ok(found, row);
  for (const number of found.slice(1)) {
    const value = Number(number.replaceAll("−", "-"));
    assert.ok(value > 0 && value < 1e-10, row);
  }
  await page.keyboard.press("1");
});

test("a mast of 41 loops has all of its cut joints", async () => {
  const mast = await open(browser, report("mast", fly("scissor/scissor.yaml", "mast", "--until", "5")));
  assert.deepEqual(mast.complaints, []);
  await mast.keyboard.press("2");
  await settle(mast);
  assert.equal(await mast.locator(".tree path.cut").count(), 41);
  await keep(mast, "mast_summary");
  await mast.context().close();
});
