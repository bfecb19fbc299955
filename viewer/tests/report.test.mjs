// The report of the five-body run, in a real browser.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { compare, fly, go_to, gyrostat, keep, launch, now, open, part, reference, report, settle } from "./support.mjs";

let browser, results, other, file, both;
before(async () => {
  browser = await launch();
  results = fly("five_body/five_body.yaml", "five_body");
  other = fly("five_body/five_body.yaml", "slower", "--set", "slew=0.8 deg/s", "--until", "70", "--interval", "0.05");
  file = report("five_body", results);
  both = report("five_body_and_slower", results, other);
});
after(() => browser?.close());

const value_of = async (page, name) => {
  const chip = page.locator(".chip", { has: page.locator(`span:text-is("${name}")`) }).first();
  return Number((await chip.locator(".value").textContent()).replaceAll("−", "-"));
};
const recorded = (file, name, t) =>
  Number(gyrostat("show", file, name, "--at", String(t), "--csv").trim().split("\n").pop().split(",").pop());
const first_plot = async (page) => {
  const over = page.locator(".u-over").first();
  await over.waitFor();
  return over.boundingBox();
};

test("opens from disk without an error and without the network", async () => {
  const page = await open(browser, file);
  assert.deepEqual(page.complaints, []);
  assert.equal(await page.title(), "JPL five-body spacecraft, case 1 – Gyrostat");
  assert.match(await page.locator(".top").textContent(), /finished.*ledger balances/);
  await page.context().close();
});

test("has the equations of motion in a tab, on request", async () => {
  const page = await open(browser, file);
  assert.equal(await page.locator("#tab-equations").count(), 0);
  await page.context().close();
  const with_equations = report("five_body_equations", results, "--equations");
  const other_page = await open(browser, with_equations);
  await other_page.locator("#tab-equations").click();
  const frame = other_page.frameLocator("iframe.equations");
  assert.match(await frame.locator("h1").textContent(), /equations of motion/);
  assert.ok((await frame.locator("math").count()) > 50);
  await keep(other_page, "equations");
  // links and symbols lead to places in the page
  const top_of = (place) => frame.locator(place).evaluate((e) => e.getBoundingClientRect().top);
  const section = await frame.locator("nav a", { hasText: "Scalar equations" }).getAttribute("href");
  assert.ok((await top_of(section)) > 1000);
  await frame.locator("nav a", { hasText: "Scalar equations" }).click();
  assert.ok(Math.abs(await top_of(section)) < 60);
  const symbol = frame.locator(`${section} .s`).first();
  const definition = `#s-${await symbol.getAttribute("data-s")}`;
  await symbol.click();
  await frame.locator(`${definition}.lit`).waitFor();
  assert.ok(Math.abs((await top_of(definition)) - 60) < 100);
  assert.deepEqual(other_page.complaints, []);
  await other_page.context().close();
});

test("is below 3 MB without its data", () => {
  const data = /<script type="(application\/json|text\/plain)" id="[^"]*">[^<]*<\/script>/g;
  const page = readFileSync(file, "utf8");
  assert.ok(page.replace(data, "").length < 3e6);
  assert.ok(page.match(data).length > 30);
  console.log(
    `report of the five-body run: ${statSync(file).size} bytes, ${page.replace(data, "").length} without data`,
  );
});

test("shows the spacecraft as the picture in the README does", async () => {
  const page = await open(browser, file);
  await go_to(page, 4.7);
  const whole = await keep(page, "five_body");
  const canvas = await compare(browser, await part(page, ".canvas canvas"));
  assert.ok(canvas.colors > 200, `the canvas has ${canvas.colors} colours only`);
  // the picture only: texts have other fonts elsewhere
  const box = await page.locator(".canvas canvas").boundingBox();
  const { different } = await compare(browser, whole, reference("five_body_report.png", whole), { box });
  assert.ok(
    different < 0.02,
    `${(different * 100).toFixed(2)} % of the pixels are not those of docs/images/five_body_report.png`,
  );
  await page.context().close();
});

test("draws nothing but sky when the bodies are hidden", async () => {
  const page = await open(browser, file);
  const shown = await part(page, ".canvas canvas");
  await page.evaluate(() =>
    ["bodies", "joints", "momentum", "loads", "centre", "wheels", "directions"].forEach((layer) =>
      window.gyrostat.view.set_visible(layer, false),
    ),
  );
  await settle(page);
  const { different } = await compare(browser, shown, await part(page, ".canvas canvas"));
  assert.ok(different > 0.01);
  assert.equal(await page.locator(".tag:visible").count(), 0);
  const seen = await page.evaluate(() => {
    let meshes = 0;
    window.gyrostat.view.craft.root.traverseVisible((object) => (meshes += object.isMesh ? 1 : 0));
    return meshes;
  });
  assert.equal(seen, 0);
  await page.context().close();
});

test("play moves the picture, pause stops it", async () => {
  const page = await open(browser, file);
  const still = await part(page, ".canvas canvas");
  await page.getByLabel("Speed").selectOption("10");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.gyrostat.clock.t > 15, null, { timeout: 30_000 });
  await page.getByRole("button", { name: "Pause" }).click();
  const stopped = await now(page);
  await settle(page);
  assert.ok((await compare(browser, still, await part(page, ".canvas canvas"))).different > 0.003);
  await settle(page);
  assert.equal(await now(page), stopped);
  await page.context().close();
});

test("a click in a plot moves the picture, the slider and the cursors of all plots", async () => {
  const page = await open(browser, file);
  const before = await part(page, ".canvas canvas");
  const box = await first_plot(page);
  await page.mouse.click(box.x + box.width / 2, box.y + 30);
  await settle(page);
  assert.ok(Math.abs((await now(page)) - 30) < 0.2);
  assert.ok((await compare(browser, before, await part(page, ".canvas canvas"))).different > 0.003);
  assert.ok(Math.abs(Number(await page.locator(".slider").inputValue()) - 30) < 0.2);
  const cursors = await page.locator(".now").evaluateAll((all) => all.map((line) => line.getBoundingClientRect().x));
  assert.ok(cursors.length >= 2);
  for (const x of cursors) assert.ok(Math.abs(x - (box.x + box.width / 2)) < 2, `${x}`);
  await page.context().close();
});

test("the slider moves the cursors of the plots", async () => {
  const page = await open(browser, file);
  const box = await first_plot(page);
  await page.locator(".slider").fill("45");
  await settle(page);
  const x = await page
    .locator(".now")
    .first()
    .evaluate((line) => line.getBoundingClientRect().x);
  assert.ok(Math.abs(x - (box.x + box.width * 0.75)) < 2);
  assert.match(await page.locator(".time").textContent(), /^45\.00 s$/);
  await page.context().close();
});

test("values under the pointer are those recorded, in the unit chosen", async () => {
  const page = await open(browser, file);
  const box = await first_plot(page);
  await page.mouse.move(box.x + box.width / 4, box.y + 30);
  await settle(page);
  const t = await page.evaluate(() => window.gyrostat.timeline.hover);
  const nearest = Math.round(t / 0.06) * 0.06;
  const omega = recorded(results, "bus.omega_y", nearest);
  assert.ok(Math.abs((await value_of(page, "bus.omega_y")) / omega - 1) < 1e-4);
  await page.getByLabel("Degrees").check();
  await page.mouse.move(box.x + box.width / 4, box.y + 30);
  await settle(page);
  assert.ok(Math.abs((await value_of(page, "bus.omega_y")) / ((omega * 180) / Math.PI) - 1) < 1e-3);
  assert.ok((await page.locator(".plot header small").allTextContents()).includes("[deg/s]"));
  await page.context().close();
});

test("a drag zooms all plots, a double click shows everything again", async () => {
  const page = await open(browser, file);
  const box = await first_plot(page);
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 44, { steps: 6 });
  await page.mouse.up();
  await settle(page);
  const { from, to } = await page.evaluate(() => window.gyrostat.timeline.window);
  assert.ok(Math.abs(from - 30) < 0.5 && Math.abs(to - 45) < 0.5, `${from} to ${to}`);
  await keep(page, "zoomed");
  const selections = await page
    .locator(".u-select")
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().width));
  assert.ok(selections.length >= 2 && selections.every((width) => width === 0), "a selection stays");
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 40);
  assert.deepEqual(await page.evaluate(() => window.gyrostat.timeline.window), { from: 0, to: 60 });
  assert.equal(await now(page), 0, "a double click leaves the time alone");
  await page.context().close();
});

test("a second run is drawn over the first", async () => {
  const page = await open(browser, both);
  await first_plot(page);
  await keep(page, "overlay");
  assert.deepEqual(page.complaints, []);
  const area = ".plot .area";
  const two = await part(page, area);
  for (const k of [3, 4, 5]) await page.locator(".plot .chip").nth(k).click();
  await settle(page);
  const first_only = await part(page, area);
  assert.ok((await compare(browser, two, first_only)).different > 0.002, "the second run's curves are not seen");
  for (const k of [0, 1, 2]) await page.locator(".plot .chip").nth(k).click();
  for (const k of [3, 4, 5]) await page.locator(".plot .chip").nth(k).click();
  await settle(page);
  assert.ok(
    (await compare(browser, two, await part(page, area))).different > 0.002,
    "the first run's curves are not seen",
  );
  await go_to(page, 20);
  assert.ok(Math.abs((await value_of(page, "theta1 · slower.h5")) / recorded(other, "theta1", 20) - 1) < 1e-4);
  // beyond the end of the first run
  await page.keyboard.press("End");
  await settle(page);
  assert.ok(Number.isNaN(await value_of(page, "theta1 · five_body.h5")));
  assert.match(await page.locator(".firing").textContent(), /five_body.h5 ended at 60 s/);
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await now(page)) - 69.95) < 1e-9);
  await page.context().close();
});

test("any quantity can be plotted, each unit by itself", async () => {
  const page = await open(browser, file);
  await page.getByRole("button", { name: "Plot", exact: true }).click();
  await page.locator("dialog input[type=search]").fill("momentum_x");
  await page.locator("dialog .choice:visible input").check();
  await page.locator("dialog input[type=search]").fill("boom_z.rate");
  await page.locator("dialog .choice:visible input").check();
  await page.locator("dialog .primary").click();
  await settle(page);
  assert.deepEqual((await page.locator(".plot h3").allTextContents()).slice(0, 2).sort(), [
    "boom_z.rate",
    "system.momentum_x",
  ]);
  await page.getByRole("button", { name: "Remove the plot" }).first().click();
  await settle(page);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("quantities are chosen by keys as well", async () => {
  const page = await open(browser, file);
  const pencil = page.getByRole("button", { name: "Choose other curves" }).first();
  await pencil.press("Enter");
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  await pencil.press("Enter");
  await page.locator("dialog .primary").press("Enter");
  await settle(page);
  assert.equal(await page.locator(".plot h3").first().textContent(), "Attitude", "nothing was changed");
  await page.locator("dialog").waitFor({ state: "detached" });
  await pencil.press("Enter");
  await page.keyboard.type("bus.yaw");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await settle(page);
  assert.equal(await page.locator(".plot h3").first().textContent(), "bus.yaw, theta1, theta2, ..");
  await page.context().close();
});

test("numbers and pictures can be saved", async () => {
  const page = await open(browser, file);
  await first_plot(page);
  const save = async (name) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name }).first().click(),
    ]);
    return readFileSync(await download.path());
  };
  const rows = (await save("Save the numbers (CSV)")).toString().trim().split("\n");
  assert.equal(rows[0], "time [s],theta1 [rad],theta2 [rad],theta3 [rad]");
  const shown = gyrostat("show", results, "theta1", "theta2", "theta3", "--csv").trim().split("\n");
  assert.equal(rows.length, shown.length);
  rows.slice(1).forEach((row, k) => assert.deepEqual(row.split(",").map(Number), shown[k + 1].split(",").map(Number)));
  assert.ok((await compare(browser, await save("Save the plot (PNG)"))).colors > 20);
  assert.ok((await compare(browser, await save("Save this picture (PNG)"))).colors > 200);
  await page.context().close();
});

test("events lead to their instants", async () => {
  const page = await open(browser, file);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.locator("button[data-event='0']").first().click();
  const first = gyrostat("show", results, "--events")
    .split("\n")
    .find((line) => /jet/.test(line))
    .trim()
    .split(/\s+/);
  assert.ok(Math.abs((await now(page)) - Number(first[0])) < 1e-6);
  await page.getByLabel("Filter events").fill("jet1 off");
  assert.match(await page.locator("#panel-events tbody tr").first().textContent(), /jet1off/);
  await keep(page, "events");
  await page.context().close();
});

test("the same event at many times is one row that opens", async () => {
  const page = await open(browser, file);
  await page.getByRole("tab", { name: "Events" }).click();
  const all = gyrostat("show", results, "--events", "--csv").trim().split("\n").slice(1);
  const off = all.map((line) => line.split(",")).filter(([, name, what]) => name === "jet1" && what === "off");
  assert.ok(off.length > 5);
  const kinds = new Set(all.map((line) => line.split(",").slice(1).join()));
  const rows = page.locator("#panel-events tbody tr");
  assert.equal(await rows.count(), kinds.size);
  const row = rows.filter({ hasText: "jet1off" });
  const cells = await row.locator("td").allTextContents();
  assert.equal(Number(cells[2]), off.length);
  assert.ok(Math.abs(Number(cells[3]) - Number(off[0][0])) < 1e-6);
  assert.ok(Math.abs(Number(cells[4]) - Number(off.at(-1)[0])) < 1e-6);
  const opener = row.locator(".opener");
  await opener.press("Enter");
  assert.equal(await opener.getAttribute("aria-expanded"), "true");
  const times = page.locator("#panel-events .times button:visible");
  assert.equal(await times.count(), off.length);
  await times.nth(3).click();
  assert.ok(Math.abs((await now(page)) - Number(off[3][0])) < 1e-6);
  assert.ok(await times.nth(3).evaluate((e) => e.classList.contains("latest")));
  await keep(page, "events_opened");
  await opener.press("Enter");
  assert.equal(await times.count(), 0);
  // one row each
  await page.getByLabel("One row for the same event").uncheck();
  assert.equal(await rows.count(), Math.min(300, all.length));
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("summary: tree, masses, ledger, warnings", async () => {
  const page = await open(browser, file);
  await page.getByRole("tab", { name: "Model" }).click();
  const model = await page.locator("#panel-model").textContent();
  for (const text of ["bus", "platform", "boom_z", "revolute", "410", "K_platform", "gyrostat: 1"])
    assert.ok(model.includes(text), text);
  await keep(page, "model");
  await page.getByRole("tab", { name: "Run" }).click();
  const run = await page.locator("#panel-run").textContent();
  for (const text of [
    "articulated_body",
    "dopri5",
    "6,829",
    "The ledger balances",
    "bodies.bus.inertia",
    "gyrostat run",
  ])
    assert.ok(run.includes(text), text);
  await keep(page, "run");
  await page.context().close();
});

test("seen from a body, that body stands still", async () => {
  const page = await open(browser, file);
  const place = (body) =>
    page.evaluate((body) => {
      const { craft } = window.gyrostat.view;
      return craft.bodies[craft.scene.bodies.findIndex(({ name }) => name === body)].matrixWorld.elements.slice();
    }, body);
  const moved = (a, b) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));
  await page.getByLabel("Frame of the camera").selectOption({ label: "platform" });
  await go_to(page, 0);
  const [platform, bus] = [await place("platform"), await place("bus")];
  await go_to(page, 40);
  assert.ok(moved(platform, await place("platform")) < 1e-6);
  assert.ok(moved(bus, await place("bus")) > 0.3);
  await page.getByText("Trails").click();
  await page.locator(".sheet").getByLabel("boom", { exact: true }).check();
  await settle(page);
  await keep(page, "trail");
  await page.context().close();
});

test("dark when the system is, and when asked", async () => {
  const page = await open(browser, file, { colorScheme: "dark" });
  await go_to(page, 52);
  assert.ok((await compare(browser, await keep(page, "dark"))).light < 0.25);
  await page.keyboard.press("t");
  await settle(page);
  assert.ok((await compare(browser, await page.screenshot())).light > 0.75);
  await page.context().close();
});

test("fits a phone", async () => {
  const page = await open(browser, file, {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  });
  await go_to(page, 52);
  await keep(page, "phone");
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const canvas = await page.locator(".canvas canvas").boundingBox();
  assert.ok(canvas.width > 380 && canvas.height > 200);
  const box = await first_plot(page);
  await page.touchscreen.tap(box.x + box.width / 2, box.y + 60);
  await settle(page);
  assert.ok(Math.abs((await now(page)) - 30) < 1);
  // the legend follows the time, not the finger that is gone
  await go_to(page, 50);
  assert.ok(Math.abs((await value_of(page, "theta1")) / recorded(results, "theta1", 49.98) - 1) < 0.01);
  const controls = await page
    .locator("button:visible, select:visible, summary:visible")
    .evaluateAll((all) =>
      all.filter((e) => e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.textContent || e.title),
    );
  assert.deepEqual(controls, [], "controls beyond the border");
  await page.context().close();
});

test("every tab and menu fits a phone, and tables are seen whole", async () => {
  const page = await open(browser, both, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  /// What reaches beyond the window, or beyond the border of what it stands in, and is not in a box that scrolls.
  const beyond = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#page *")]
        .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)
        .filter((e) => !e.closest(".scroll:has(svg), pre"))
        .map((e) => `${e.tagName} ${e.className} ${e.textContent?.slice(0, 20)}`),
    );
  for (const tab of ["Plots", "Model", "Run", "Events"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settle(page);
    assert.deepEqual(await beyond(), [], tab);
    const wide = await page
      .locator(".scroll:visible:not(:has(svg))")
      .evaluateAll((all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
    assert.deepEqual(wide, [], `${tab}: a table is cut off`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await keep(page, `phone_${tab.toLowerCase()}`);
  }
  await page.getByRole("tab", { name: "Model" }).click();
  const masses = page.locator(".card", { hasText: "Mass properties" }).locator("tbody tr").first();
  const texts = await masses.locator("td").evaluateAll((all) => all.map((e) => [e.dataset.head, e.textContent]));
  assert.equal(texts.length, 8);
  assert.deepEqual([texts[0], texts[2][0]], [["mass [kg]", "410"], "xx [kg·m²]"]);
  await page.getByRole("tab", { name: "Plots" }).click();
  for (const label of ["Show", "Trails"]) {
    await page.locator("summary", { hasText: label }).click();
    await settle(page);
    assert.deepEqual(await beyond(), [], label);
    await page.keyboard.press("Escape");
  }
  await page.locator(".plot").first().getByLabel("Axes").click();
  await settle(page);
  assert.deepEqual(await beyond(), []);
  await keep(page, "phone_axes");
  await page.context().close();
});

test("keys alone are enough", async () => {
  const page = await open(browser, file);
  await page.keyboard.press("End");
  assert.equal(await now(page), 60);
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await now(page)) - 0.6) < 1e-9);
  await page.keyboard.press("ArrowLeft");
  assert.ok(Math.abs((await now(page)) - 0.54) < 1e-9);
  await page.keyboard.press("Space");
  assert.ok(await page.evaluate(() => window.gyrostat.clock.playing));
  await page.keyboard.press("Space");
  await page.keyboard.press("3");
  assert.ok(await page.locator("#panel-run").isVisible());
  const reached = new Set();
  for (let k = 0; k < 40; ++k) {
    await page.keyboard.press("Tab");
    reached.add(
      await page.evaluate(
        () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent,
      ),
    );
  }
  for (const name of ["Play", "Time", "Speed", "Frame of the camera", "Show", "Trails", "Run"])
    assert.ok(
      [...reached].some((r) => r?.startsWith(name)),
      name,
    );
  await page.keyboard.press("1");
  const seen = await part(page, ".canvas canvas");
  for (const key of ["d", "d", "w", "+"]) await page.keyboard.press(key);
  await settle(page);
  assert.ok(
    (await compare(browser, seen, await part(page, ".canvas canvas"))).different > 0.01,
    "keys move the camera",
  );
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog.keys").isVisible());
  await page.keyboard.press("Escape");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
