// Reports of all sorts of runs: every example, hostile names, a run that stopped, a browser without WebGL, a long run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compare, fly, go_to, gyrostat, keep, launch, open, output, part, report, settle, source } from "./support.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const models = readdirSync(join(source, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "campaign") // campaign files, no models
  .flatMap((entry) =>
    readdirSync(join(source, "examples", entry.name))
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => `${entry.name}/${name}`),
  )
  .filter((name) => !/plugin/.test(readFileSync(join(source, "examples", name), "utf8")));

test("every example has a picture and plots", async () => {
  assert.ok(models.length > 15);
  for (const model of models) {
    const name = model.replace("/", "_").replace(".yaml", "");
    const page = await open(browser, report(name, fly(model, name)));
    await page.evaluate(() => window.gyrostat.clock.go_to(window.gyrostat.clock.end / 3));
    await settle(page);
    await keep(page, name);
    assert.deepEqual(page.complaints, [], model);
    assert.ok((await compare(browser, await part(page, ".canvas canvas"))).colors > 60, `${model}: blank`);
    assert.ok((await page.locator(".plot canvas").count()) >= 2, model);
    await page.context().close();
  }
});

test("orbit and sun: directions, and a frame of the orbit", async () => {
  const page = await open(browser, report("orbit", fly("gravity_gradient/full.yaml", "orbit")));
  assert.deepEqual(page.complaints, []);
  const labels = await page.locator(".tag").allTextContents();
  assert.ok(labels.includes("Nadir") && labels.includes("Along track"), labels.join());
  // seen from the orbit, nadir is always down
  await page.getByLabel("Frame of the camera").selectOption({ label: "Orbit" });
  for (const share of [0, 0.37, 0.8]) {
    await page.evaluate((share) => window.gyrostat.clock.go_to(window.gyrostat.clock.end * share), share);
    await settle(page);
    const nadir = await page.evaluate(() => {
      const { craft, viewpoint } = window.gyrostat.view;
      const { tip } = craft.directions.find(({ name }) => name === "Nadir");
      const turned = tip.clone().applyQuaternion(viewpoint.orientation).normalize();
      return [turned.x, turned.y, turned.z];
    });
    assert.ok(Math.hypot(nadir[0], nadir[1], nadir[2] + 1) < 1e-5, nadir.join());
  }
  await keep(page, "orbit_frame");
  await page.context().close();
});

const hostile = `"><img src=x onerror=alert(1)></script><script>alert(2)</script>&lt;b&gt;`;
test("names with markup in them are shown as text", async () => {
  const model = join(output, "hostile.yaml");
  writeFileSync(
    model,
    `gyrostat: 1
name: '${hostile}'
bodies: {bus: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {type: free, parent: world, child: bus, initial: {omega: [0.1, 0.2, 0.3]}}}
signals: {on: {switching_amplifier: {input: "t - 0.5", deadband: 0.1}}}
simulation: {duration: 1}
# ${hostile}
`,
  );
  gyrostat("run", model, "--quiet", "-o", "hostile.h5");
  // texts of the file that the program itself would never write
  execFileSync(
    "/usr/bin/python3",
    [
      "-c",
      `
import h5py, numpy, sys
with h5py.File("hostile.h5", "r+") as f:
    for name in ("command", "formulation", "integrator", "version"):
        f.attrs[name] = numpy.bytes_(sys.argv[1])
    for name in ("system.energy", "on"):
        for key in ("unit", "description"):
            f[name].attrs[key] = numpy.bytes_(sys.argv[1])
`,
      hostile,
    ],
    { cwd: output },
  );
  const page = await open(browser, report("hostile", join(output, "hostile.h5")));
  assert.equal(await page.locator("h1").textContent(), hostile);
  for (const tab of ["Model", "Run", "Events", "Plots"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settle(page);
  }
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  await page.locator("dialog .choice", { hasText: "system.energy" }).first().click();
  await page.locator("dialog .primary").click();
  await settle(page);
  assert.ok((await page.locator("#panel-run").textContent()).includes(hostile));
  assert.ok((await page.locator("#panel-model").textContent()).includes(hostile));
  assert.equal(await page.locator("img").count(), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a run that stopped says so", async () => {
  const model = join(output, "stops.yaml");
  writeFileSync(
    model,
    `gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: gimbal, parent: world, child: a, axes: [[1,0,0],[0,1,0],[0,0,1]], initial: {rates: [0, 1, 0]}}}
simulation: {duration: 5}
`,
  );
  try {
    gyrostat("run", model, "--quiet", "-o", "stops.h5");
    assert.fail("the gimbal passes lock");
  } catch (error) {
    assert.equal(error.status, 3);
  }
  const page = await open(browser, report("stops", join(output, "stops.h5")));
  assert.match(await page.locator(".top").textContent(), /not finished/);
  await page.getByRole("tab", { name: "Run" }).click();
  assert.match(await page.locator("#panel-run").textContent(), /stopped at t = .*gimbal lock/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("without WebGL there are still plots", async () => {
  const plain = await launch("--disable-gpu", "--disable-software-rasterizer", "--disable-3d-apis");
  const page = await open(plain, report("plain", fly("brick/brick.yaml", "plain")));
  assert.match(await page.locator(".view").textContent(), /no WebGL/);
  assert.ok((await page.locator(".plot canvas").count()) >= 2);
  await page.context().close();
  await plain.close();
});

test("one record is shown as points", async () => {
  const page = await open(browser, report("one", fly("brick/brick.yaml", "one", "--until", "1e-6", "--interval", "1")));
  assert.deepEqual(page.complaints, []);
  assert.ok((await compare(browser, await part(page, ".plot .area"))).colors > 5);
  await page.context().close();
});

test("springs to the world and a second run are where they are", async () => {
  const model = (x) => `gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {type: free, parent: world, child: a, initial: {position: [${x}, 0, 0], velocity: [0, 1, 0]}}}
loads: [{spring: {from: [world, [5, 0, 2]], to: [a, com], stiffness: 1e-9}}]
simulation: {duration: 2}
`;
  for (const x of [5, 8]) {
    writeFileSync(join(output, `spring${x}.yaml`), model(x));
    gyrostat("run", join(output, `spring${x}.yaml`), "--quiet", "-o", `spring${x}.h5`);
  }
  const page = await open(browser, report("springs", join(output, "spring5.h5"), join(output, "spring8.h5")));
  await go_to(page, 1);
  const { ends, ghost } = await page.evaluate(() => {
    const { craft, ghost } = window.gyrostat.view;
    let line = null;
    craft.root.traverse((object) => object.isLine && !object.isLineSegments && (line = object));
    return { ends: [...line.geometry.getAttribute("position").array], ghost: ghost.root.position.toArray() };
  });
  const near = (a, b) =>
    assert.ok(
      a.every((x, k) => Math.abs(x - b[k]) < 1e-3),
      `${a}`,
    );
  near(ends, [0, -1, 2, 0, 0, 0]); // from the mass centre, which is at (5, 1, 0)
  near(ghost, [3, 0, 0]);
  await page.context().close();
});

test("nothing but the page's own script runs", async () => {
  const page = await open(browser, report("policy", fly("brick/brick.yaml", "policy")));
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.broken_in = true";
    document.body.append(script);
  });
  assert.equal(await page.evaluate(() => window.broken_in), undefined);
  assert.match(page.complaints.join(), /Content Security Policy/);
  await page.context().close();
});

test("a damaged page says so", async () => {
  const file = report("damaged", fly("brick/brick.yaml", "damaged"));
  writeFileSync(file, readFileSync(file, "utf8").replace(/(id="block-0">)[^<]{10}/, "$1AAAAAAAAAA"));
  const page = await browser.newPage();
  await page.goto(`file://${file}`);
  await page.waitForSelector("h1");
  assert.match(await page.locator("h1").textContent(), /cannot be shown/);
  await page.close();
});

// Ten bodies, ten minutes at 100 Hz. The figure is printed; the bound is far below it, since machines without a graphics
// card that also do something else must pass.
test("a long run stays smooth", async () => {
  const began = performance.now();
  const results = fly("ten_body/ten_body.yaml", "long", "--until", "600", "--interval", "0.01");
  const flown = performance.now();
  const file = report("long", results);
  const written = performance.now();
  const page = await open(browser, file);
  const opened = performance.now();
  assert.deepEqual(page.complaints, []);
  const { pictures, slowest, points } = await page.evaluate(async () => {
    const { clock, view } = window.gyrostat;
    clock.set_speed(20);
    clock.play();
    const from = view.drawn;
    const start = performance.now();
    let slowest = 0;
    let last = start;
    const watch = () => {
      slowest = Math.max(slowest, performance.now() - last);
      last = performance.now();
    };
    view.painted.add(watch);
    await new Promise((done) => setTimeout(done, 5000));
    clock.pause();
    return { pictures: ((view.drawn - from) / (performance.now() - start)) * 1000, slowest, points: clock.t };
  });
  console.log(
    `600 s of ten bodies at 100 Hz: flown in ${((flown - began) / 1000).toFixed(1)} s, report written in ${((written - flown) / 1000).toFixed(1)} s, ` +
      `opened in ${((opened - written) / 1000).toFixed(1)} s; ${pictures.toFixed(1)} pictures a second, the slowest after ${slowest.toFixed(0)} ms`,
  );
  assert.ok(points > 10);
  assert.ok(pictures > 1, `${pictures} pictures a second`);
  // dragging a window open redraws all plots in sight
  const zoom = await page.evaluate(async () => {
    const start = performance.now();
    window.gyrostat.timeline.zoom(100, 400);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - start;
  });
  console.log(`zoomed in ${zoom.toFixed(0)} ms`);
  assert.ok(zoom < 5000);
  await keep(page, "long");
  await page.context().close();
});
