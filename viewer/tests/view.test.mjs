// What the picture draws, and how large: momentum, wheels, joint axes, and the place of the camera.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { go_to, gyrostat, keep, launch, open, output, report } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

async function show(name, model, options = {}) {
  writeFileSync(join(output, `${name}.yaml`), model);
  gyrostat("run", `${name}.yaml`, "--quiet");
  const page = await open(browser, report(name, join(output, `${name}.h5`)), options);
  assert.deepEqual(page.complaints, []);
  return page;
}

/// Length of the arrow of H relative to the size of the spacecraft; 0: it is not drawn.
const momentum = (page) =>
  page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    const direction = craft.directions.find(({ name }) => name === "H");
    return direction.is_shown() ? direction.tip.length() / craft.scene.radius : 0;
  });

const swinging = `gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 1, 1], shape: [{box: [1, 1, 1]}]}
  left: {mass: 1, com: [0, 1, 0], inertia: [0.3, 0.1, 0.3], shape: [{box: [0.5, 1, 0.05], at: [0, 1, 0]}]}
  right: {mass: 1, com: [0, -1, 0], inertia: [0.3, 0.1, 0.3], shape: [{box: [0.5, 1, 0.05], at: [0, -1, 0]}]}
joints:
  l: {type: revolute, parent: bus, child: left, axis: [1, 0, 0], stiffness: 2, initial: {angle: 1}}
  r: {type: revolute, parent: bus, child: right, axis: [1, 0, 0], stiffness: 2, initial: {angle: -1}}
loads: [{body: bus, torque: ["0.05*step(8)", "0", "0"]}]
simulation: {duration: 12}
output: {interval: 0.05}
`;

test("an angular momentum that is rounding only is not drawn, and a small one is short", async () => {
  const page = await show("swinging", swinging);
  for (const t of [0, 2.5, 7.5]) {
    await go_to(page, t);
    assert.equal(await momentum(page), 0, `at ${t}`);
    assert.equal(await page.locator(".tag:visible", { hasText: "H" }).count(), 0);
  }
  await go_to(page, 9); // 0.05 N m s, of some 3
  const short = await momentum(page);
  assert.ok(short > 0.005 && short < 0.05, `${short}`);
  await go_to(page, 12);
  assert.ok(Math.abs((await momentum(page)) / short - 4) < 0.1);
  await keep(page, "swinging");
  await page.context().close();
});

test("the momentum of a body that spins alone is as long as the picture allows", async () => {
  const page = await show(
    "spinning",
    `gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1.5]}}
joints: {base: {initial: {omega: [0, 0, 0.3]}}}
simulation: {duration: 5}
`,
  );
  assert.ok(Math.abs((await momentum(page)) - 0.9) < 0.01);
  await page.context().close();
});

test("joint axes are slim", async () => {
  const page = await show("slim", swinging);
  const { rods, radius } = await page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    const rods = [];
    craft.root.traverse((object) => object.name === "joint axis" && rods.push(object.geometry.parameters));
    return { rods, radius: craft.scene.radius };
  });
  assert.equal(rods.length, 2);
  for (const rod of rods) {
    assert.ok(rod.radiusTop < 0.003 * radius);
    assert.ok(rod.height > 50 * rod.radiusTop, "long enough to be seen");
  }
  await page.context().close();
});

/// Of all corners of all bodies: how far from the middle of the picture, which is 1 wide and high to each side.
const farthest = (page) =>
  page.evaluate(() => {
    const { craft, camera } = window.gyrostat.view;
    let far = 0;
    for (const body of craft.bodies) {
      body.traverse((object) => {
        if (!object.isMesh) return;
        object.geometry.computeBoundingBox();
        const { min, max } = object.geometry.boundingBox;
        for (let k = 0; k < 8; ++k) {
          const corner = min.clone().set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
          corner.applyMatrix4(object.matrixWorld).project(camera);
          far = Math.max(far, Math.abs(corner.x), Math.abs(corner.y));
        }
      });
    }
    return far;
  });

// Two panels of three leaves each open from a stack beside the bus within five seconds.
const leaf = (side, k) => `
  ${side}${k}: {mass: 1, com: [0, ${side === "l" ? 1 : -1}, 0], inertia: [0.4, 0.1, 0.4],
    shape: [{box: [1, 2, 0.04], at: [0, ${side === "l" ? 1 : -1}, 0]}]}`;
const fold = (side, k) => {
  const sign = side === "l" ? 1 : -1;
  const parent = k === 1 ? "bus" : `${side}${k - 1}`;
  const closed = sign * (k === 1 ? Math.PI / 2 : k % 2 === 0 ? -Math.PI : Math.PI);
  return `
  h${side}${k}: {type: revolute, parent: ${parent}, child: ${side}${k}, axis: [1, 0, 0],
    parent_point: [0, ${sign * (k === 1 ? 0.5 : 2)}, 0], prescribed: {position: "${closed}*(1 - clamp(t/5, 0, 1))"}}`;
};
const deploying = (velocity) => `gyrostat: 1
bodies:
  bus: {mass: 50, inertia: [8, 8, 8], shape: [{box: [1, 1, 1]}]}${["l", "r"].map((s) => [1, 2, 3].map((k) => leaf(s, k)).join("")).join("")}
joints:
  base: {initial: {velocity: [${velocity}, 0, 0]}}${["l", "r"].map((s) => [1, 2, 3].map((k) => fold(s, k)).join("")).join("")}
simulation: {duration: 8}
output: {interval: 0.05}
`;

test("panels that deploy stay in the picture, on a desk and on a phone", async () => {
  for (const [name, viewport] of [
    ["desk", { width: 1400, height: 900 }],
    ["phone", { width: 390, height: 844 }],
  ]) {
    const page = await show(`deploying_${name}`, deploying(0), { viewport });
    let largest = 0;
    for (const t of [0, 1, 2, 3, 4, 5, 8]) {
      await go_to(page, t);
      const far = await farthest(page);
      assert.ok(far < 0.95, `${name} at ${t}: ${far}`);
      largest = Math.max(largest, far);
    }
    assert.ok(largest > 0.6, `${name}: the picture is filled, by ${largest}`);
    await keep(page, `deploying_${name}`);
    await page.context().close();
  }
});

test("a spacecraft that flies away is framed as one that stays", async () => {
  const distance = (page) =>
    page.evaluate(() => window.gyrostat.view.camera.position.distanceTo(window.gyrostat.view.controls.target));
  const stays = await show("stays", deploying(0));
  const flies = await show("flies", deploying(1000));
  assert.ok(Math.abs((await distance(flies)) / (await distance(stays)) - 1) < 0.01);
  await go_to(flies, 8);
  assert.ok((await farthest(flies)) < 0.95);
  // not followed, it is gone; the camera finds it again
  await flies.getByLabel("Follow").uncheck();
  await go_to(flies, 8);
  assert.ok((await farthest(flies)) > 1);
  await flies.getByRole("button", { name: "Camera back to its place" }).click();
  await go_to(flies, 8);
  assert.ok((await farthest(flies)) < 0.95);
  await stays.context().close();
  await flies.context().close();
});

test("wheels are where the model says and as large, else small and within their body", async () => {
  const page = await show(
    "wheels",
    `gyrostat: 1
bodies:
  bus:
    mass: 100
    inertia: [10, 10, 10]
    shape: [{box: [1, 1, 1]}]
    wheels:
      placed: {axis: [0, 0, 1], inertia: 0.01, at: [0.1, 0.2, 30 cm], radius: 120 mm}
      x: {axis: [1, 0, 0], inertia: 0.01, rate: 3}
      y: {axis: [0, 1, 0], inertia: 0.01}
simulation: {duration: 5}
`,
  );
  const wheels = await page.evaluate(() =>
    Object.fromEntries(
      ["placed", "x", "y"].map((name) => {
        const rotor = window.gyrostat.view.craft.root.getObjectByName(`bus.${name}`);
        const { radiusTop, height } = rotor.children[0].geometry.parameters;
        return [name, { at: rotor.parent.position.toArray(), radius: radiusTop, height }];
      }),
    ),
  );
  assert.deepEqual(wheels.placed.at, [0.1, 0.2, 0.3]);
  assert.equal(wheels.placed.radius, 0.12);
  for (const name of ["x", "y"]) {
    const { at, radius, height } = wheels[name];
    assert.ok(radius > 0.08 && radius < 0.25, `${radius}`);
    const axis = name === "x" ? 0 : 1;
    assert.ok(
      at.every((x, k) => Math.abs(x) + (k === axis ? height : radius) < 0.5),
      at.join(),
    );
  }
  await keep(page, "wheels");
  await page.context().close();
});
