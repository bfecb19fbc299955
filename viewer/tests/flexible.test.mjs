// Bodies that bend: where the page draws their nodes and what is attached to them, exaggeration and colours.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compare, fly, go_to, gyrostat, keep, launch, open, output, part, report, settle } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

// A panel with a shape; a boom without one, whose tip carries a probe.
const model = `gyrostat: 1
name: A bus with a panel and a boom
bodies:
  bus: {mass: 400, inertia: [90, 70, 80], shape: [{box: [1.2, 1.6, 1.4]}]}
  panel:
    shape: [{box: [1.6, 6, 0.04], at: [0, 3, 0], color: "#2b4c7e"}]
    flexible:
      beam: {to: [0, 6, 0], elements: 8, mass_per_length: 2, EI: [1200, 9000], GJ: 500, rotary_inertia: 0.4}
      modes: {count: 4}
  boom:
    flexible: {beam: {to: [0, -6, 0], elements: 8, mass_per_length: 1, EI: 1200}, modes: {count: 4}}
  probe: {mass: 2, inertia: [0.05, 0.05, 0.05], shape: [{sphere: 0.25}]}
joints:
  l: {type: weld, parent: bus, child: panel.root, parent_point: [0, 0.8, 0]}
  r: {type: weld, parent: bus, child: boom.root, parent_point: [0, -0.8, 0]}
  p: {type: revolute, parent: boom.tip, child: probe, child_point: [0, 0.25, 0], axis: [1, 0, 0], stiffness: 20}
loads: [{body: bus, torque: ["20*(step(1) - step(3))", "5*step(1)", "0"]}]
simulation: {duration: 6}
output: {interval: 0.05}
`;
let file;
async function show(options = {}) {
  if (!file) {
    writeFileSync(join(output, "bending.yaml"), model);
    gyrostat("run", "bending.yaml", "--quiet", "--force");
    file = report("bending", join(output, "bending.h5"));
  }
  const page = await open(browser, file, options);
  assert.deepEqual(page.complaints, []);
  return page;
}

async function choose(page, label, value) {
  if (!(await page.getByLabel(label).isVisible())) await page.locator("summary", { hasText: "Deformation" }).click();
  await page.getByLabel(label).selectOption(value);
  await settle(page);
}
const exaggerate = (page, factor) => choose(page, "Exaggeration of deformations", String(factor));
const color_by = (page, what) => choose(page, "Colour of flexible bodies", what);

/// Places, world axes from the mass centre: nodes of flexible bodies as drawn, bodies by name, and the joint between boom
/// and probe as seen from both.
const places = (page) =>
  page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    craft.root.updateMatrixWorld(true);
    const number = (name) => craft.scene.bodies.findIndex((body) => body.name === name);
    const world = (body, at) => {
      const group = craft.bodies[number(body)];
      return group.position
        .clone()
        .set(...at)
        .applyQuaternion(group.quaternion)
        .add(group.position)
        .toArray();
    };
    const nodes = craft.flexible.map((solid) => {
      const { array } = solid.node_lines.children[0].geometry.getAttribute("position");
      return Array.from({ length: array.length / 3 }, (_, k) => [...array.slice(3 * k, 3 * k + 3)]);
    });
    const names = craft.flexible.map(({ name }) => name);
    const tip = craft.scene.flexible[1].attached[0].node;
    return {
      nodes: Object.fromEntries(names.map((name, k) => [name, nodes[k]])),
      rest: Object.fromEntries(names.map((name, k) => [name, [...craft.motion.deformations[k].nodes]])),
      tip: world("boom", nodes[1][tip]),
      node_body: world("boom.tip", [0, 0, 0]),
      joint: [world("boom.tip", [0, 0, 0]), world("probe", [0, 0.25, 0])],
      bus: world("bus", [0, 0, 0]),
    };
  });
/// To the frame in which the panel is bent most.
async function go_to_most_bent(page) {
  const t = await page.evaluate(() => {
    const { motion } = window.gyrostat.view.craft;
    const [{ modal, scene }] = motion.deformations;
    let most = 0;
    for (let k = 0; k < motion.frames; ++k)
      if (Math.abs(modal[k * scene.modes]) > Math.abs(modal[most * scene.modes])) most = k;
    return motion.time[most];
  });
  await go_to(page, t);
}
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const displacements = ({ nodes, rest }, name) =>
  nodes[name].map((node, k) => node.map((x, c) => x - rest[name][3 * k + c]));

test("nodes are drawn where the run recorded them", async () => {
  const page = await show();
  for (const t of [0, 1.4, 2.5, 2.525, 6]) {
    await go_to(page, t);
    const { tip, node_body, joint } = await places(page);
    // whose pose is recorded; between records both are interpolated, in their own ways
    const allowed = t === 2.525 ? 1e-3 : 1e-5;
    assert.ok(apart(tip, node_body) < allowed, `${t}: ${apart(tip, node_body)}`);
    assert.ok(apart(...joint) < allowed);
  }
  await go_to_most_bent(page);
  const bent = Math.max(...displacements(await places(page), "panel").map((u) => Math.hypot(...u)));
  assert.ok(bent > 0.02 && bent < 0.6, `${bent}`);
  await page.context().close();
});

test("exaggeration multiplies displacements, and what is attached moves along", async () => {
  const page = await show();
  await go_to_most_bent(page);
  const plain = await places(page);
  await exaggerate(page, 5);
  const far = await places(page);
  for (const name of ["panel", "boom"]) {
    const [u, v] = [displacements(plain, name), displacements(far, name)];
    u.forEach((one, k) =>
      assert.ok(
        apart(
          one.map((x) => 5 * x),
          v[k],
        ) < 1e-4,
        `${name} ${k}`,
      ),
    );
  }
  assert.ok(apart(far.tip, plain.tip) > 0.05);
  assert.ok(apart(far.tip, far.node_body) < 1e-4, "the node is a body too");
  assert.ok(apart(...far.joint) < 1e-4, "the probe stays on the tip");
  assert.deepEqual(far.bus, plain.bus);
  await page.locator("summary", { hasText: "Deformation 5 ×" }).waitFor();
  await exaggerate(page, 1);
  assert.deepEqual(await places(page), plain);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

/// Corners of the drawn mesh of a flexible body: how far from the root, where, and their colours.
const corners = (page, name) =>
  page.evaluate((name) => {
    const mesh = window.gyrostat.view.craft.flexible.find((solid) => solid.name === name).children[0];
    const { position, color } = mesh.geometry.attributes;
    return Array.from({ length: position.count }, (_, k) => ({
      at: [position.getX(k), position.getY(k), position.getZ(k)],
      color: color && mesh.material.vertexColors ? [color.getX(k), color.getY(k), color.getZ(k)] : null,
    }));
  }, name);

test("shapes bend with the nodes and keep their thickness", async () => {
  const page = await show();
  await go_to_most_bent(page);
  await exaggerate(page, 5);
  const { nodes } = await places(page);
  const all = await corners(page, "panel");
  assert.ok(all.length > 500);
  // a corner is as far from the nearest node line as half the width and half the thickness say
  const farthest = (points) => {
    let most = 0;
    for (const { at } of points) {
      const order = [...nodes.panel].sort((a, b) => a[1] - b[1]);
      let least = Infinity;
      for (let k = 0; k + 1 < order.length; ++k) {
        const [a, b] = [order[k], order[k + 1]];
        const d = b.map((x, c) => x - a[c]);
        const s = d.reduce((sum, x, c) => sum + x * (at[c] - a[c]), 0) / d.reduce((sum, x) => sum + x * x, 0);
        const clamped = Math.min(Math.max(s, 0), 1);
        least = Math.min(
          least,
          apart(
            at,
            a.map((x, c) => x + clamped * d[c]),
          ),
        );
      }
      most = Math.max(most, least);
    }
    return most;
  };
  const reach = farthest(all);
  assert.ok(Math.abs(reach - Math.hypot(0.8, 0.02)) < 0.01, `${reach}`);
  const high = Math.max(...all.map(({ at }) => Math.abs(at[2])));
  assert.ok(high > 0.2, `it is bent: ${high}`);
  await keep(page, "bending");
  await page.context().close();
});

test("colours run from the root to where the value is largest, and the legend says it", async () => {
  const page = await show();
  await go_to_most_bent(page);
  const legend = page.locator(".legend");
  assert.equal(await legend.isVisible(), false);
  assert.ok((await corners(page, "panel")).every(({ color }) => color === null));

  await color_by(page, "displacement");
  assert.match(await legend.textContent(), /Displacement \[m\]/);
  const largest = await page.evaluate(() =>
    Math.max(...window.gyrostat.view.craft.scene.flexible.map((body) => body.largest.displacement)),
  );
  const shown = Number((await legend.locator(".numbers span").last().textContent()).replace("−", "-"));
  assert.ok(Math.abs(shown / largest - 1) < 0.01, `${shown} ${largest}`);
  const green = (list, far) => {
    const at = list.filter(({ at }) => (far ? at[1] > 5.8 : at[1] < 0.05));
    return at.reduce((sum, { color }) => sum + color[1], 0) / at.length;
  };
  let all = await corners(page, "panel");
  assert.ok(green(all, true) > 3 * green(all, false), "displacement is largest at the tip");

  await color_by(page, "strain");
  assert.match(await legend.textContent(), /Curvature and twist \[rad\/m\]/);
  all = await corners(page, "panel");
  assert.ok(green(all, false) > 2 * green(all, true), "curvature is largest at the root");
  await page.getByLabel("Degrees").check();
  assert.match(await legend.textContent(), /deg\/m/);
  await keep(page, "bending_strain");

  await color_by(page, "none");
  assert.equal(await legend.isVisible(), false);
  assert.ok((await corners(page, "panel")).every(({ color }) => color === null));
  await page.context().close();
});

test("the picture shows bending and colours, in the dark too", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await show({ colorScheme });
    await go_to_most_bent(page);
    const plain = await part(page, ".canvas");
    await exaggerate(page, 5);
    await page.keyboard.press("Escape");
    await settle(page);
    const bent = await part(page, ".canvas");
    assert.ok((await compare(browser, plain, bent)).different > 0.01);
    await color_by(page, "displacement");
    await page.keyboard.press("Escape");
    await settle(page);
    assert.ok((await compare(browser, bent, await part(page, ".canvas"))).different > 0.005);
    await keep(page, `bending_${colorScheme}`);
    await page.context().close();
  }
});

test("nodes are slim in the tree, and not in the table of masses", async () => {
  const page = await show();
  await page.getByRole("tab", { name: "Model" }).click();
  assert.deepEqual(await page.locator(".tree .node text").allTextContents(), ["tip"]);
  assert.equal(await page.locator("table.numbers th", { hasText: "boom.tip" }).count(), 0);
  assert.ok(await page.getByText(/modes of flexible bodies/).isVisible());
  const axes = await page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    return craft.scene.bodies.filter((_, k) => craft.is_node(k)).map(({ name }) => name);
  });
  assert.deepEqual(axes, ["boom.tip"]);
  await page.context().close();
});

test("the camera frames what is exaggerated", async () => {
  const page = await show();
  const distance = () =>
    page.evaluate(() => window.gyrostat.view.camera.position.distanceTo(window.gyrostat.view.controls.target));
  const near = await distance();
  await exaggerate(page, 50);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Camera back to its place" }).click();
  assert.ok((await distance()) > 1.3 * near);
  await page.context().close();
});

test("rigid reports have none of it", async () => {
  const page = await open(browser, report("rigid", fly("five_body/five_body.yaml", "rigid", "--until", "5")));
  assert.equal(await page.locator("summary", { hasText: "Deformation" }).count(), 0);
  assert.equal(await page.locator(".legend").count(), 0);
  assert.equal(await page.getByText("Nodes of flexible bodies").count(), 0);
  const payload = await page.evaluate(() => document.getElementById("payload").textContent);
  assert.ok(!payload.includes('"flexible"') && !payload.includes('"nodes"') && !payload.includes('"modes"'));
  await page.context().close();
});
