// A real browser, reports made by the program, and pictures compared.
//   GYROSTAT_PROGRAM  the program; GYROSTAT_OUTPUT  where reports and screenshots go
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const source = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = process.env.GYROSTAT_PROGRAM ?? join(source, "build/release/app/gyrostat");
export const output = process.env.GYROSTAT_OUTPUT ?? join(source, "build/release/viewer/screenshots");
mkdirSync(output, { recursive: true });

const software_rendering = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];

export function launch(...more) {
  const found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
    existsSync(path),
  );
  if (!found) throw new Error("Chromium is not there: apt-get install chromium");
  return chromium.launch({
    executablePath: found,
    args: ["--no-sandbox", "--force-color-profile=srgb", ...(more.length ? more : software_rendering)],
  });
}

export function gyrostat(...args) {
  return execFileSync(program, args, {
    encoding: "utf8",
    cwd: output,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1 << 30,
  });
}

/// Results of an example, and the page made of them.
export function fly(model, name, ...args) {
  gyrostat("run", join(source, "examples", model), "--quiet", "-o", `${name}.h5`, ...args);
  return join(output, `${name}.h5`);
}
export function report(name, ...results) {
  const file = join(output, `${name}.html`);
  gyrostat("report", ...results, "-o", file);
  return file;
}

/// Opens a report from disk. `page.complaints` collects errors of the page and whatever it asked the network for.
export async function open(browser, file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.complaints = [];
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(`console: ${message.text()}`),
  );
  page.on("pageerror", (error) => page.complaints.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => (page.complaints.push(`dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on(
    "request",
    (request) => /^(file|data|blob):/.test(request.url()) || page.complaints.push(`network: ${request.url()}`),
  );
  await page.goto(`file://${file}`);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60_000 });
  await settle(page);
  return page;
}

/// Until the browser has painted what was asked for.
export const settle = (page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))),
  );

export const now = (page) => page.evaluate(() => window.gyrostat.clock.t);
export async function go_to(page, t) {
  await page.evaluate((t) => window.gyrostat.clock.go_to(t), t);
  await settle(page);
}
export async function keep(page, name) {
  const png = await page.screenshot({ path: join(output, `${name}.png`) });
  return png;
}

/// A part of the screenshot.
export async function part(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  return page.screenshot({ clip: box });
}

/// Compares pictures, or what is in a box of them, in a page of its own: the share of pixels that differ by more than `off`
/// (of 255) in any colour, and facts of the first picture.
export async function compare(browser, a, b = a, { off = 24, box = null } = {}) {
  const page = await browser.newPage();
  const result = await page.evaluate(
    async ({ first, second, off, box }) => {
      const pixels = async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const pen = canvas.getContext("2d");
        pen.drawImage(bitmap, 0, 0);
        return pen.getImageData(box?.x ?? 0, box?.y ?? 0, box?.width ?? bitmap.width, box?.height ?? bitmap.height);
      };
      const [x, y] = [await pixels(first), await pixels(second)];
      const colors = new Set();
      let light = 0;
      let different = 0;
      for (let k = 0; k < x.data.length; k += 4) {
        colors.add((x.data[k] << 16) | (x.data[k + 1] << 8) | x.data[k + 2]);
        light += x.data[k] + x.data[k + 1] + x.data[k + 2];
        different += [0, 1, 2].some((c) => Math.abs(x.data[k + c] - y.data[k + c]) > off) ? 1 : 0;
      }
      const count = x.data.length / 4;
      const same_size = x.width === y.width && x.height === y.height;
      return {
        different: same_size ? different / count : 1,
        colors: colors.size,
        light: light / count / 3 / 255,
        width: x.width,
        height: x.height,
      };
    },
    { first: a.toString("base64"), second: b.toString("base64"), off, box },
  );
  await page.close();
  return result;
}

/// The picture of the README is made here, and is what later ones are compared with: GYROSTAT_RENEW=1 renews it.
export function reference(name, png) {
  const file = join(source, "docs/images", name);
  if (process.env.GYROSTAT_RENEW) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, png);
  }
  return readFileSync(file);
}
