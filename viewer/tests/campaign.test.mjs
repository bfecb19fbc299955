// The page of a campaign in a real browser: requirements, histograms, selection in all views, histories, sensitivity, a
// flight and the command that replays it; with ten thousand flights.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gyrostat, keep, launch, open, output, settle } from "./support.mjs";

const flights = 10_000;
const model = `gyrostat: 1
name: "<b>pendulum</b>"
parameters: {k: 4, m: 2, c: 0.4, x0: 0.3, level: 0.9}
bodies: {bob: {mass: m, com: [0, 0, -1], inertia: [0.2, 0.2, 0.05]}}
joints:
  pin: {type: revolute, parent: world, child: bob, axis: [0, 1, 0], stiffness: k, damping: c, initial: {angle: x0}}
signals:
  wind: {noise: {seed: 3, std: 0.3, period: 0.1}}
  margin: "sqrt(level - abs(pin.angle))"
loads:
  - {body: bob, torque: [0, wind, 0]}
simulation: {duration: 2, integrator: {method: rk4, step: 0.05}}
output: {interval: 0.1}
`;
const campaign = (count, samples, more = "") => `gyrostat_campaign: 1
name: Pendulum <img src=x onerror=alert(1)>
model: pendulum.yaml
vary:
  k: {uniform: {low: 2, high: 8}}
  m: {normal: {mean: 2, std: 0.2}}
  c: {lognormal: {median: 0.4, sigma: 0.3}}
  x0: {normal: {mean: 0.3, std: 0.12}}
  level: {uniform: {low: 0.66, high: 1.2}}
samples: {count: ${count}, seed: 3, ${samples}}
measure:
  peak: {max: abs(pin.angle)}
  late: {rms: pin.angle, between: [1, 2]}
  settled: {first_time: "abs(pin.angle) < 0.08", for: 0.4}
  speed: {max: abs(pin.rate)}
require:
  peak: {below: 40 deg, in: 99 %, confidence: 90 %}
  late: {below: 20 deg, in: 90 %}
${more}`;

let browser, many, design, factors, answers;
before(async () => {
  browser = await launch("--disable-gpu"); // nothing here is drawn by it
  writeFileSync(join(output, "pendulum.yaml"), model);
  const record =
    "record: {interval: 0.1, columns: [pin.angle, pin.rate, margin], of: 60, worst: {measure: peak, count: 10}}\n";
  writeFileSync(join(output, "campaign_many.yaml"), campaign(flights, "method: sobol", record));
  writeFileSync(join(output, "campaign_design.yaml"), campaign(64, "method: sobol, sensitivity: true"));
  answers = JSON.parse(gyrostat("campaign", "campaign_many.yaml", "-o", "campaign many.h5", "--report", "--json"));
  many = join(output, "campaign many.html");
  gyrostat("campaign", "campaign_design.yaml", "--quiet", "-o", "campaign_design.h5");
  gyrostat("report", "campaign_design.h5");
  design = join(output, "campaign_design.html");
  const of_factors = campaign(40, "method: sobol").replace(
    "  c: {lognormal: {median: 0.4, sigma: 0.3}}",
    "  c: {values: [0.2, 0.8]}",
  );
  writeFileSync(join(output, "campaign_factors.yaml"), of_factors);
  gyrostat("campaign", "campaign_factors.yaml", "--quiet", "--report", "-o", "campaign_factors.h5");
  factors = join(output, "campaign_factors.html");
});
after(() => browser?.close());

const count = (page) => page.evaluate(() => window.gyrostat.selection.count);
const english = (n) => n.toLocaleString("en-US");
/// A drag in the middle of an element, in shares of its size.
async function drag(page, selector, from, to) {
  const box = await page.locator(selector).first().boundingBox();
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]), { steps: 3 });
  await page.mouse.move(...at(to), { steps: 3 });
  await page.mouse.up();
  await settle(page);
}

test("it says what the command says", async () => {
  const page = await open(browser, many);
  assert.deepEqual(page.complaints, []);
  assert.equal(await page.locator("img, b img").count(), 0, "names are text");
  assert.match(await page.locator(".top h1").textContent(), /<img src=x/);
  assert.deepEqual(await page.getByRole("tab").allTextContents(), [
    "Results",
    "Over time",
    "Sensitivity",
    "Flights",
    "Campaign",
  ]);
  const rows = await page.locator(".requirement").allTextContents();
  assert.equal(rows.length, answers.requirements.length);
  answers.requirements.forEach((r, k) => {
    assert.ok(rows[k].startsWith(r.verdict), `${rows[k]} ${r.verdict}`);
    assert.ok(rows[k].includes(`${english(r.fulfilled)} of ${english(r.flights)}`), rows[k]);
  });
  const numbers = await page
    .locator(".card.measure")
    .first()
    .locator("tbody tr")
    .first()
    .locator("td")
    .allTextContents();
  const { peak } = answers.measures;
  const expected = [peak.mean, peak.std, peak.min, ...peak.percentiles.map(({ value }) => value), peak.max];
  assert.equal(numbers.length, expected.length);
  numbers.forEach((text, k) => assert.ok(Math.abs(Number(text.replace("−", "-")) / expected[k] - 1) < 1e-3, text));
  await keep(page, "campaign_light");
  await page.getByLabel("Degrees").check();
  assert.match((await page.locator(".requirement").allTextContents())[0], /below 40 deg/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a selection is the same in all views: in a box, on an axis, in a histogram, of a group", async () => {
  const page = await open(browser, many);
  await drag(page, ".scatter", [0.3, 0.2], [0.7, 0.6]);
  const boxed = await count(page);
  assert.ok(boxed > 0 && boxed < flights, `${boxed}`);
  // as many as are in the box by their numbers
  const inside = await page.evaluate(() => {
    const { campaign, selection } = window.gyrostat;
    const sides = selection.columns.map((k) => [campaign.columns[k].places, selection.interval(k)]);
    let n = 0;
    for (let k = 0; k < campaign.size; ++k) n += sides.every(([p, { from, to }]) => p[k] >= from && p[k] <= to) ? 1 : 0;
    return { n, sides: sides.length };
  });
  assert.deepEqual(inside, { n: boxed, sides: 2 });
  assert.match(await page.locator(".selection .count").textContent(), new RegExp(`^${english(boxed)} of 10,000`));
  await drag(page, ".card.measure .histogram", [0.4, 0.5], [0.95, 0.5]);
  const less = await count(page);
  assert.ok(less <= boxed, "intervals of several columns are all to hold");
  await keep(page, "campaign_selected");
  await page.keyboard.press("Escape");
  await settle(page);
  assert.equal(await count(page), flights);

  const axis = await page.evaluate(() => {
    const { parallel } = window.gyrostat.views;
    return [parallel.x(1) / parallel.surface.width, parallel.columns[1]];
  });
  await drag(page, ".parallel", [axis[0], 0.2], [axis[0], 0.4]);
  assert.deepEqual(await page.evaluate(() => window.gyrostat.selection.columns), [axis[1]]);
  assert.ok((await count(page)) < flights / 2);
  await page.keyboard.press("Escape");

  await page
    .getByRole("button", { name: /^Select [0-9]/ })
    .first()
    .click();
  await settle(page);
  const broken = answers.requirements.find(({ fulfilled }) => fulfilled < flights);
  assert.equal(await count(page), broken.flights - broken.fulfilled);
  await page.getByRole("button", { name: "Clear" }).click();
  await settle(page);
  assert.equal(await count(page), flights);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a flight that is pressed has its values and the command that replays it", async () => {
  const page = await open(browser, many, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("tab", { name: "Flights" }).click();
  const worst = answers.measures.peak.worst[0];
  await page.locator(".worst .flight").first().click();
  assert.equal(await page.locator(".chosen h2").textContent(), `Flight ${worst}`);
  const command = `gyrostat campaign 'campaign many.h5' --report --replay ${worst}`;
  assert.equal(await page.locator(".chosen .command code").textContent(), command);
  await page.locator(".selection .copy").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
  const value = await page.locator(".chosen .values tbody tr").first().locator("td").first().textContent();
  assert.ok(Math.abs(Number(value) / answers.measures.peak.max - 1) < 1e-4);
  // the command does what it says
  gyrostat("campaign", "campaign many.h5", "--replay", String(worst), "--quiet", "-o", "replayed.h5");
  const angles = gyrostat("show", "replayed.h5", "pin.angle", "--csv").trim().split("\n").slice(1);
  const largest = Math.max(...angles.map((line) => Math.abs(Number(line.split(",")[1]))));
  assert.ok(largest <= answers.measures.peak.max && largest > 0.8 * answers.measures.peak.max);

  await page.locator(".top h1").click();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".chosen h2").textContent(), `Flight ${worst + 1}`);
  const point = await page.evaluate(() => {
    const { views, campaign } = window.gyrostat;
    const { box, x, y } = views.scatter;
    const k = campaign.place_of(4321);
    return [
      box.left + campaign.columns[x].places[k] * box.width,
      box.top + (1 - campaign.columns[y].places[k]) * box.height,
    ];
  });
  const box = await page.locator(".scatter").boundingBox();
  await page.mouse.click(box.x + point[0], box.y + point[1]);
  const near = await page.evaluate(() => {
    const { views, campaign, selection } = window.gyrostat;
    const of = (axis, k) => campaign.columns[views.scatter[axis]].places[k];
    const k = campaign.place_of(4321);
    return Math.hypot(of("x", selection.chosen) - of("x", k), of("y", selection.chosen) - of("y", k));
  });
  assert.ok(near < 0.01, `${near}`);
  const failures = await page.locator(".failure-reason").allTextContents();
  assert.equal(failures.length, answers.failures.length);
  assert.ok(answers.failed > 0 && failures[0].includes("not finite"), failures[0]);
  await keep(page, "campaign_flight");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("bands over time are those of the first flights, and single flights stand over them", async () => {
  const page = await open(browser, many);
  await page.keyboard.press("2");
  await page.waitForSelector(".over-time");
  await settle(page);
  assert.match(await page.locator(".histories").textContent(), /bands of the first 60 flights.*more, which are worst/);
  assert.equal(await page.locator(".card.quantity").count(), 3);
  const [median, ordered] = await page.evaluate(async () => {
    const { campaign } = window.gyrostat;
    const { columns, time, fractions } = campaign.campaign.histories;
    const bands = await campaign.f64(columns[0].bands);
    const n = time.count;
    let ordered = true;
    for (let k = 1; k < fractions.length; ++k)
      for (let t = 0; t < n; ++t) ordered &&= bands[k * n + t] >= bands[(k - 1) * n + t];
    return [bands[3 * n], ordered];
  });
  assert.ok(ordered);
  const x0 = await page.evaluate(() => [
    ...window.gyrostat.campaign.columns.find(({ name }) => name === "x0").values.slice(0, 60),
  ]);
  x0.sort((a, b) => a - b);
  assert.ok(Math.abs(median - (x0[29] + x0[30]) / 2) < 1e-12, "at the start the median is that of what was drawn");
  await page.keyboard.press("w");
  await settle(page);
  await keep(page, "campaign_over_time");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("sensitivity: bars of rank correlations and Sobol indices, which choose what is plotted", async () => {
  const page = await open(browser, design);
  await page.keyboard.press("3");
  const first = page.locator(".sensitivity .card").first();
  assert.equal(await first.locator(".influences").count(), 2);
  assert.equal(await first.locator(".wide .influence").count(), 5);
  assert.match(await first.locator(".wide .influence").first().getAttribute("aria-label"), /^x0: .* alone, .* in all$/);
  await first.locator(".wide .influence").nth(1).click();
  const shown = await page.evaluate(() => [window.gyrostat.views.scatter.x, window.gyrostat.views.scatter.y]);
  assert.equal(shown[1], 5);
  await keep(page, "campaign_sensitivity");
  await page.keyboard.press("2");
  assert.match(await page.locator("#panel-time").textContent(), /This campaign kept none/);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("factors: every combination of their values by itself", async () => {
  const told = JSON.parse(gyrostat("show", "campaign_factors.h5", "--json"));
  const page = await open(browser, factors);
  const names = ["c = 0.2", "c = 0.8"];
  const requirements = page.locator(".requirement");
  assert.equal(await requirements.count(), 2);
  for (const [k, r] of told.requirements.entries()) {
    assert.ok((await requirements.nth(k).textContent()).startsWith(r.verdict));
    const rows = await page.locator(".combinations").nth(k).locator("tbody tr").allTextContents();
    assert.equal(rows.length, 2);
    r.combinations.forEach((one, c) => {
      assert.ok(rows[c].startsWith(names[c] + one.verdict), rows[c]);
      assert.ok(rows[c].includes(`${one.fulfilled} of ${one.flights}`), rows[c]);
    });
  }
  const rows = page.locator(".card.measure").first().locator("tbody tr");
  assert.equal(await rows.count(), 6, "value, from and to of each");
  for (const [c, { mean }] of told.measures.peak.combinations.entries()) {
    assert.equal(
      await rows
        .nth(3 * c)
        .locator("th")
        .textContent(),
      names[c],
    );
    assert.ok(
      Math.abs(
        Number(
          await rows
            .nth(3 * c)
            .locator("td")
            .first()
            .textContent(),
        ) /
          mean -
          1,
      ) < 1e-3,
    );
  }
  await keep(page, "campaign_factors");
  await page.keyboard.press("3");
  const bars = page.locator(".sensitivity .card").first().locator(".influences");
  assert.equal(await bars.count(), 3, "of the factor, and of each combination");
  assert.match(await bars.first().locator(".influence").first().getAttribute("aria-label"), /^c: /);
  assert.equal(await bars.nth(1).locator(".influence").count(), 4);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("ten thousand flights: a change of the selection takes less than 60 ms of the processor", async () => {
  const page = await open(browser, many);
  await page.waitForFunction(() => !window.gyrostat.views.parallel.running);
  // of the page's own thread, so that others on the machine do not count
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
  await session.send("Performance.enable");
  const busy = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
  };
  const changes = 40;
  const begin = await busy();
  await page.evaluate(async (changes) => {
    const { selection, views } = window.gyrostat;
    for (let k = 0; k < changes; ++k) {
      selection.set([views.scatter.y, { from: 0.1 + 0.01 * k, to: 0.4 + 0.01 * k }]);
      await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done)); // what the frame asked for is done
    }
  }, changes);
  const each = ((await busy()) - begin) / changes;
  console.log(`a change of the selection of ${flights} flights: ${each.toFixed(1)} ms of the processor`);
  assert.ok(each < 60, `${each} ms`);
  await page.context().close();
});

test("it can be read on a phone, in the dark and by keys", async () => {
  for (const [name, options] of [
    ["phone", { viewport: { width: 390, height: 844 } }],
    ["dark", { colorScheme: "dark" }],
    ["phone_dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
  ]) {
    const page = await open(browser, many, options);
    assert.deepEqual(page.complaints, []);
    assert.ok(!(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth + 1)), `${name}: too wide`);
    await page.waitForFunction(() => !window.gyrostat.views.parallel.running);
    await page.keyboard.press("w");
    await settle(page);
    await keep(page, `campaign_${name}`);
    for (const [key, tab] of [
      ["1", "results"],
      ["2", "time"],
      ["3", "sensitivity"],
      ["4", "flights"],
      ["5", "campaign"],
    ]) {
      await page.keyboard.press(key);
      await settle(page);
      const wide = await page.evaluate((id) => {
        const panel = document.getElementById(`panel-${id}`);
        return panel.hidden || panel.scrollWidth > panel.clientWidth + 1;
      }, tab);
      assert.ok(!wide, `${name}, ${tab}: hidden, or wider than the panel`);
      await page.locator(`#tab-${tab}`).scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector(".campaign .side").scrollIntoView());
      if (name !== "phone_dark") await keep(page, `campaign_${name}_${tab}`);
    }
    await page.keyboard.press("?");
    assert.match(await page.locator("dialog").textContent(), /the worst flight/);
    await page.context().close();
  }
});
