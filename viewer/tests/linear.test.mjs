// The linear analysis in a real browser: modes that move, pole map, root locus, Bode and Nichols diagrams with margins.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compare, fly, gyrostat, keep, launch, open, output, part, reference, settle, source } from "./support.mjs";

const example = (name) => join(source, "examples", name);
const jets = ["--gain", "jet1=100,jet2=100,jet3=100"];
let browser, five, locus, arrays, servo, both;
before(async () => {
  browser = await launch();
  const page = (name, ...args) => {
    const file = join(output, `${name}.html`);
    gyrostat(...args, "--report", file);
    return file;
  };
  five = page("linear_five_body", "modes", example("five_body/five_body.yaml"), ...jets);
  const range = ["--vary", "rate_gain=0:6"];
  locus = page("linear_locus", "rootlocus", example("five_body/five_body.yaml"), ...jets, ...range);
  const gains = ["--gain", "jet_x=50,jet_y=50,jet_z=50", "--set", "drift_x=0"];
  arrays = page("linear_arrays", "bode", example("solar_arrays/solar_arrays.yaml"), ...gains, "--open", "jet_x");
  writeFileSync(
    join(output, "servo.yaml"),
    `gyrostat: 1
name: <b>servo</b>
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque}}
signals:
  command: "-4*pin.angle - 2.8*pin.rate"
  torque: {delay: {input: command, time: 50 ms}}
simulation: {duration: 10}
`,
  );
  servo = page("linear_servo", "margins", "servo.yaml", "--open", "command");
  const results = fly("five_body/five_body.yaml", "linear_run", "--until", "10");
  gyrostat("linearize", example("five_body/five_body.yaml"), ...jets, "-o", "linear_run_model.h5", "--open", "jet1");
  both = join(output, "linear_both.html");
  gyrostat("report", results, "--analysis", "linear_run_model.h5", "-o", both);
});
after(() => browser?.close());

/// Nothing moves by itself: instants are chosen.
const still = (file, options = {}) => open(browser, file, { reducedMotion: "reduce", ...options });
const at_time = async (page, time) => {
  await page.evaluate((time) => window.gyrostat.player.go_to(time), time);
  await settle(page);
};
const choose = async (page, name) => {
  await page.getByRole("button", { name, exact: true }).click();
  await settle(page);
};
/// Origins and orientations of bodies as they are drawn, by name.
const poses = (page) =>
  page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    return Object.fromEntries(
      craft.scene.bodies.map(({ name }, k) => [
        name,
        { at: craft.bodies[k].position.toArray(), turn: craft.bodies[k].quaternion.toArray() },
      ]),
    );
  });
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const angle = (p, q) => 2 * Math.acos(Math.min(1, Math.abs(p.reduce((sum, x, k) => sum + x * q[k], 0))));
const data_of = (page) => page.evaluate(() => window.gyrostat.player.data.analysis);

test("a page of an analysis alone has its tab first, and none that needs a run", async () => {
  const page = await still(five);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(await page.getByRole("tab").allTextContents(), ["Linear analysis", "Model"]);
  assert.equal(await page.getByRole("tab", { name: "Linear analysis" }).getAttribute("aria-selected"), "true");
  assert.match(await page.locator(".top").textContent(), /JPL five-body spacecraft.*no mode grows/);
  assert.equal(await page.getByLabel("Time").count(), 0);
  await page.getByRole("tab", { name: "Model" }).click();
  assert.ok(await page.locator(".tree").isVisible());
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("the page without data stays below 3 MB", () => {
  const data = /<script type="(application\/json|text\/plain)" id="[^"]*">[^<]*<\/script>/g;
  const page = readFileSync(five, "utf8").replace(data, "");
  console.log(`the page without data: ${page.length} bytes`);
  assert.ok(page.length < 3e6);
});

test("the table has the modes that the command prints", async () => {
  const page = await still(five);
  const { modes } = JSON.parse(gyrostat("modes", example("five_body/five_body.yaml"), ...jets, "--json"));
  const moving = modes.filter(({ rigid }) => !rigid);
  const rows = await page
    .locator(".modes tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const shown = rows.filter(([number]) => !number.startsWith("N"));
  assert.equal(shown.length, moving.length);
  const number = (text) => Number(text.replace("−", "-"));
  shown.forEach(([k, frequency, damping, time, what], i) => {
    assert.equal(k, String(i + 1));
    assert.ok(Math.abs(number(frequency) / moving[i].frequency - 1) < 1e-4);
    assert.ok(Math.abs(number(damping) / moving[i].damping_ratio - 1) < 1e-3);
    assert.ok(Math.abs(number(time) / moving[i].time_constant - 1) < 1e-3);
    assert.equal(what, moving[i].what_moves);
  });
  const neutral = rows.filter(([number]) => number.startsWith("N")).map(([, , , , what]) => what);
  assert.deepEqual(neutral, [
    "rigid bodybase.position_x",
    "rigid bodybase.position_y",
    "rigid bodybase.position_z",
    "neutralpan.angle",
    "neutraltilt.angle",
  ]);
  await page.context().close();
});

test("choosing a mode moves the craft in it", async () => {
  const page = await still(five);
  await page.evaluate(() => window.gyrostat.player.set_share(0));
  await settle(page);
  const point = await poses(page);
  await page.evaluate(() => window.gyrostat.player.set_share(0.05));

  await choose(page, "Mode 4"); // boom_z
  assert.equal(await page.locator(".modes tr.chosen th").textContent(), "4");
  assert.match(await page.locator(".mode-caption").textContent(), /Mode 4: 0\.741 Hz, damping ratio 0\.01684/);
  await at_time(page, 0);
  let now = await poses(page);
  assert.ok(angle(now.boom.turn, point.boom.turn) > 0.05, "the boom turns");
  assert.ok(angle(now.bus.turn, point.bus.turn) < 0.5 * angle(now.boom.turn, point.boom.turn), "and the bus less");
  // its end moves by as much as the caption says
  const size = await page.evaluate(() => 2 * window.gyrostat.player.data.analysis.scene.radius);
  const drawn = await page.evaluate(() => window.gyrostat.player.amplitude);
  assert.ok(Math.abs(drawn / (0.05 * size) - 1) < 1e-9);
  assert.match(await page.locator(".mode-caption").textContent(), /on boom, 5 % of the craft's size/);
  // the joint between bus and boom stays together
  const gap = await page.evaluate(() => {
    const { craft } = window.gyrostat.view;
    const joint = craft.scene.joints.find(({ name }) => name === "boom_z");
    const place = (body, at) => {
      const group = craft.bodies[body];
      return group.position
        .clone()
        .set(...at)
        .applyQuaternion(group.quaternion)
        .add(group.position);
    };
    return place(joint.parent, joint.at).distanceTo(place(joint.body, joint.child_at));
  });
  assert.ok(gap < 1e-6, `${gap}`);

  // half a period later it is on the other side
  const other = await poses(page);
  await at_time(page, 1.2);
  now = await poses(page);
  const sum = now.boom.at.map((x, k) => x + other.boom.at[k] - 2 * point.boom.at[k]);
  assert.ok(Math.hypot(...sum) < 0.25 * apart(other.boom.at, point.boom.at), "as far as decay and second order allow");

  await choose(page, "Mode 7"); // pan
  await at_time(page, 0);
  now = await poses(page);
  assert.ok(angle(now.hub.turn, point.hub.turn) > 3 * angle(now.bus.turn, point.bus.turn));
  await keep(page, "linear_five_body_pan");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("displacements are those of the library: small ones are the payload's", async () => {
  const page = await still(five);
  await choose(page, "Mode 4");
  const difference = await page.evaluate(async () => {
    const { player, view } = window.gyrostat;
    const read = () => view.craft.bodies.map(({ position }) => position.toArray());
    const motion = await player.data.motion_of(player.mode);
    player.set_share(0);
    view.draw();
    const rest = read();
    player.set_share(1e-4);
    player.go_to(0);
    view.draw();
    const amplitude = player.amplitude;
    return Math.max(
      ...read().map((at, k) => Math.hypot(...at.map((x, c) => (x - rest[k][c]) / amplitude - motion[12 * k + 2 * c]))),
    );
  });
  assert.ok(difference < 2e-3, `${difference}`);
  await page.context().close();
});

test("the slider changes the amplitude, and the caption says how large it is drawn", async () => {
  const page = await still(five);
  await choose(page, "Mode 5");
  await at_time(page, 0);
  const slider = page.getByLabel("Amplitude");
  await slider.fill("0");
  await settle(page);
  const none = await poses(page);
  const picture = await part(page, ".canvas canvas");
  await slider.fill("0.02");
  await settle(page);
  const little = apart((await poses(page)).boom.at, none.boom.at);
  assert.match(await page.locator(".mode-caption").textContent(), /, 2 % of the craft's size/);
  await slider.fill("0.04");
  await settle(page);
  const more = apart((await poses(page)).boom.at, none.boom.at);
  assert.ok(Math.abs(more / little - 2) < 0.02, `${more} ${little}`);
  assert.ok((await compare(browser, picture, await part(page, ".canvas canvas"))).different > 0.002);
  await page.context().close();
});

test("it plays, pauses by key and button, and decays as the mode does unless it is held", async () => {
  const page = await open(browser, five);
  assert.deepEqual(page.complaints, []);
  await choose(page, "Mode 6");
  const until_moved = async () => {
    const before = await poses(page);
    for (let k = 0; k < 100; ++k) {
      await page.waitForTimeout(100);
      if (apart((await poses(page)).platform.at, before.platform.at) > 1e-6) return;
    }
    assert.fail("nothing moves");
  };
  const stands = async () => {
    await settle(page);
    const before = await poses(page);
    await page.waitForTimeout(400);
    assert.deepEqual(await poses(page), before);
  };
  await until_moved();
  await page.getByRole("button", { name: "Pause" }).click();
  await stands();
  await page.locator(".canvas canvas").focus();
  await page.keyboard.press(" ");
  await until_moved();
  await page.keyboard.press(" ");
  await stands();

  const size = async (time) => {
    await at_time(page, time);
    return page.evaluate(() => {
      const { craft } = window.gyrostat.view;
      return craft.mode.wheels.length === 0 && Math.hypot(...[3, 4, 5].map((k) => craft.mode.offsets[6 * 2 + k]));
    });
  };
  // after a period the amplitude is exp(-2 pi zeta/sqrt(1 - zeta^2)) of what it was
  const { damping } = (await data_of(page)).modes.filter(({ neutral }) => !neutral)[5];
  const expected = Math.exp((-2 * Math.PI * damping) / Math.sqrt(1 - damping ** 2));
  const ratio = (await size(2.4)) / (await size(0));
  assert.ok(Math.abs(ratio / expected - 1) < 1e-3, `${ratio} ${expected}`);
  await page.getByLabel("Decay").uncheck();
  assert.ok(Math.abs((await size(2.4)) / (await size(0)) - 1) < 1e-3);
  assert.match(await page.locator(".mode-caption").textContent(), /amplitude held/);
  await page.context().close();
});

test("flexible bodies bend in their modes", async () => {
  const page = await still(arrays);
  assert.deepEqual(page.complaints, []);
  await choose(page, "Mode 4"); // both arrays across their plane
  await at_time(page, 0);
  const tips = () =>
    page.evaluate(() =>
      window.gyrostat.view.craft.flexible.map((solid) => {
        const { array } = solid.node_lines.children[0].geometry.getAttribute("position");
        let most = 0;
        for (let k = 2; k < array.length; k += 3) most = Math.abs(array[k]) > Math.abs(most) ? array[k] : most;
        return most;
      }),
    );
  const bent = await tips();
  assert.ok(Math.abs(bent[0]) > 0.3 && Math.abs(bent[1]) > 0.3, `${bent}`);
  const whole = await keep(page, "linear_arrays_mode");
  // the picture of the guide; what is not text in it
  const box = await page.locator(".canvas canvas").boundingBox();
  const { different } = await compare(browser, whole, reference("linear_report.png", whole), { box });
  assert.ok(
    different < 0.02,
    `${(different * 100).toFixed(2)} % of the pixels are not those of docs/images/linear_report.png`,
  );
  await page.getByLabel("Amplitude").fill("0");
  await settle(page);
  assert.ok((await tips()).every((z) => Math.abs(z) < 1e-9));
  await page.context().close();
});

test("a pole tells its mode and chooses it", async () => {
  const page = await still(five);
  const map = page.locator(".card", { hasText: "Pole map" }).locator(".diagram");
  await map.scrollIntoViewIfNeeded();
  const poles = await map.locator(".pole").count();
  assert.ok(poles >= 8, `${poles}`);
  const { modes } = await data_of(page);
  const k = modes.findIndex(({ what }) => what.startsWith("tilt (platform"));
  const box = await map.locator(`.pole[data-mode="${k}"]`).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  const tip = await map.locator(".tip").textContent();
  assert.match(tip, /Mode 6.*−1\.1412 ± 19\.914i.*3\.1746 Hz, damping ratio 0\.05721.*tilt/);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await settle(page);
  assert.equal(await page.locator(".modes tr.chosen th").textContent(), "6");
  assert.equal(await map.locator(".pole.chosen").getAttribute("data-mode"), String(k));
  await page.context().close();
});

test("axes of the pole map are linear or logarithmic, and zoom", async () => {
  const page = await still(five);
  const card = page.locator(".card", { hasText: "Pole map" });
  await card.scrollIntoViewIfNeeded();
  const labels = () => card.locator(".axes text").allTextContents();
  const logarithmic = await labels();
  assert.ok(logarithmic.includes("−0.1") && logarithmic.includes("10"), logarithmic.join());
  await card.getByLabel("Logarithmic axes").uncheck();
  await settle(page);
  const linear = await labels();
  assert.ok(linear.includes("−1.0") || linear.includes("−1"), linear.join());
  const box = await card.locator(".frame").boundingBox();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 0.6 * box.height);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.95 * box.width, box.y + 0.95 * box.height, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  assert.notDeepEqual(await labels(), linear);
  await page.mouse.dblclick(box.x + 0.3 * box.width, box.y + 0.2 * box.height);
  await settle(page);
  assert.deepEqual(await labels(), linear);
  await page.context().close();
});

test("the root locus shows the value of the parameter under the pointer", async () => {
  const page = await still(locus);
  assert.deepEqual(page.complaints, []);
  const card = page.locator(".card", { hasText: "Root locus over rate_gain" });
  await card.scrollIntoViewIfNeeded();
  const keys = await card.locator(".key").allTextContents();
  assert.deepEqual(keys, ["rate_gain = 0 s", "rate_gain = 6 s", "rate_gain = 2 s, the model"]);
  const branches = await card.locator(".branch").count();
  assert.ok(branches >= 7, `${branches}`);
  assert.ok((await card.locator(".diagram .begin").count()) >= 7);
  assert.ok((await card.locator(".diagram .end").count()) >= 7);
  assert.ok((await card.locator(".diagram .nominal").count()) >= 7);
  // on the end of a branch the value is the last one; on the nominal point it is the model's
  const over = async (selector) => {
    const box = await card.locator(selector).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await settle(page);
    return card.locator(".tip").textContent();
  };
  const boom = await page.evaluate(() => {
    const { modes } = window.gyrostat.player.data.analysis;
    return modes.findIndex(({ what }) => what.startsWith("boom_x"));
  });
  const value = (text) => Number(/rate_gain = ([\d.]+) s/.exec(text)[1]);
  const nominal = await over(`.diagram .nominal >> nth=${boom}`);
  assert.ok(Math.abs(value(nominal) - 2) < 0.05, nominal);
  assert.match(nominal, /0\.8365\d* Hz, damping ratio 0\.02\d*/);
  assert.ok((await card.locator(".cursor").count()) >= 7, "all branches are marked at this value");
  await keep(page, "linear_locus");
  await page.context().close();
});

test("Bode and Nichols diagrams have the margins of the loop marked and listed", async () => {
  const page = await still(servo);
  assert.deepEqual(page.complaints, []);
  assert.equal(await page.locator("h1 b").count(), 0, "names are text");
  const { loops } = JSON.parse(gyrostat("margins", "servo.yaml", "--open", "command", "--json"));
  const [{ gain, phase, delay }] = loops;
  const bode = page.locator(".card", { has: page.locator("h2", { hasText: "Bode diagram" }) });
  const notes = await bode.locator(".margin-text").allTextContents();
  const pm = `PM ${Number(((phase[0].angle * 180) / Math.PI).toPrecision(3))}°`;
  assert.ok(notes.includes(pm), notes.join());
  const first = 20 * Math.log10(gain[0].factor);
  assert.ok(notes.includes(`GM ${Number(first.toPrecision(3))} dB`), notes.join());
  assert.equal(await bode.locator(".margin.phase").count(), phase.length);
  assert.equal(await bode.locator(".margin.gain").count(), gain.length);
  const nichols = page.locator(".card", { has: page.locator("h2", { hasText: "Nichols diagram" }) });
  assert.ok((await nichols.locator(".margin-text").allTextContents()).includes(pm));
  assert.ok((await nichols.locator("path.limit").count()) >= 1, "the point -1");
  const table = await page.locator(".loop").textContent();
  assert.match(table, /Loop at command: stable when closed/);
  assert.ok(table.includes(`${Number(delay.time.toPrecision(4))} s`), table);

  await bode.locator(".diagram").nth(1).scrollIntoViewIfNeeded();
  await bode.locator(".diagram").nth(0).scrollIntoViewIfNeeded();
  // where the phase margin is marked, the gain is 0 dB
  const [mark, frame] = await Promise.all([
    bode.locator(".diagram").nth(1).locator(".margin.phase").boundingBox(),
    bode.locator(".diagram").nth(0).locator(".frame").boundingBox(),
  ]);
  await page.mouse.move(mark.x + mark.width / 2, frame.y + frame.height / 2);
  await settle(page);
  const tip = await bode.locator(".tip").first().textContent();
  const [, w, level] = /([\d.]+) rad\/s, [\d.]+ Hz([−\d.]+) dB/.exec(tip);
  assert.ok(Math.abs(Number(w) / phase[0].frequency - 1) < 0.05, tip);
  assert.ok(Math.abs(Number(level.replace("−", "-"))) < 0.6, tip);
  await keep(page, "linear_servo");
  await page.context().close();
});

test("responses are shown and hidden by their names", async () => {
  const page = await still(arrays);
  const bode = page.locator(".card", { has: page.locator("h2", { hasText: "Bode diagram" }) });
  const chip = bode.getByRole("button", { name: "loop gain at jet_x" });
  assert.equal(await chip.getAttribute("aria-pressed"), "true");
  assert.ok((await bode.locator(".curve").count()) === 2);
  await chip.click();
  await settle(page);
  assert.equal(await bode.locator(".curve").count(), 0);
  await chip.click();
  await settle(page);
  assert.equal(await bode.locator(".curve").count(), 2);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("beside a run the picture shows the mode while its tab is open, and the run otherwise", async () => {
  const page = await still(both);
  assert.deepEqual(page.complaints, []);
  assert.deepEqual(await page.getByRole("tab").allTextContents(), [
    "Plots",
    "Model",
    "Run",
    "Events",
    "Linear analysis",
  ]);
  await page.evaluate(() => window.gyrostat.clock.go_to(8));
  await settle(page);
  const run = await poses(page);
  assert.ok(await page.getByLabel("Time", { exact: true }).first().isVisible());
  assert.equal(await page.locator(".mode-caption").isVisible(), false);

  await page.getByRole("tab", { name: "Linear analysis" }).click();
  await choose(page, "Mode 4");
  await at_time(page, 0);
  assert.ok(await page.locator(".mode-caption").isVisible());
  assert.ok(await page.getByLabel("Amplitude").isVisible());
  const mode = await poses(page);
  assert.ok(angle(mode.platform.turn, run.platform.turn) > 0.05, "the platform is where it is at the operating point");
  assert.equal(await page.locator(".firing").textContent(), "");
  await keep(page, "linear_both");

  await page.keyboard.press("1");
  await settle(page);
  assert.deepEqual(await poses(page), run);
  assert.equal(await page.locator(".mode-caption").isVisible(), false);
  assert.equal(await page.getByLabel("Amplitude").isVisible(), false);
  await page.keyboard.press("5");
  await settle(page);
  assert.deepEqual(await poses(page), mode);
  await page.context().close();
});

test("it can be read on a phone and in the dark", async () => {
  for (const [name, options] of [
    ["phone", { viewport: { width: 390, height: 844 } }],
    ["dark", { colorScheme: "dark" }],
  ]) {
    const page = await still(arrays, options);
    assert.deepEqual(page.complaints, []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1);
    assert.ok(!wide, `${name}: nothing is wider than the window`);
    const panel = await page.evaluate(() => {
      const panel = document.getElementById("panel-linear");
      return panel.scrollWidth > panel.clientWidth + 1;
    });
    assert.ok(!panel, `${name}: nothing is wider than the panel`);
    await keep(page, `linear_${name}`);
    await page.locator(".shortcuts").getByRole("button", { name: "Nichols diagram" }).click();
    await settle(page);
    await keep(page, `linear_${name}_nichols`);
    await page.context().close();
  }
});

test("without WebGL the tables and diagrams are there", async () => {
  const plain = await launch("--disable-gpu", "--disable-webgl", "--disable-webgl2", "--disable-3d-apis");
  const page = await open(plain, five);
  assert.match(await page.locator(".view").textContent(), /no WebGL/);
  assert.ok((await page.locator(".modes tbody tr").count()) > 5);
  await choose(page, "Mode 4");
  assert.equal(await page.locator(".modes tr.chosen th").textContent(), "4");
  await plain.close();
});
