// Makes the pictures of the examples, examples/NAME/NAME.png: some instants of a run side by side.
//   node viewer/tests/pictures.mjs [NAME..]
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fly, go_to, launch, open, report, source } from "./support.mjs";

/// `crop`: width and height about the middle of the picture, drawn at this scale [px]. `hide`: what is not drawn.
/// `exaggeration` and `color`: of flexible bodies.
const pictures = {
  four_bar: { model: "four_bar.yaml", times: [0, 10, 20], crop: [640, 610], scale: 0.5 },
  slider_crank: { model: "slider_crank.yaml", times: [0, 0.3, 0.6], crop: [640, 260], scale: 0.6 },
  scissor: { model: "scissor.yaml", times: [0, 20, 30, 60], crop: [180, 680], scale: 0.9 },
  stewart: { model: "stewart.yaml", times: [0, 15, 20], crop: [520, 700], scale: 0.6, hide: ["momentum", "loads"] },
  cat: { model: "cat.yaml", times: [0, 0.15, 0.3, 0.45, 0.9], crop: [620, 560], scale: 0.42 },
  solar_arrays: {
    model: "solar_arrays.yaml",
    times: [590, 590.9, 591.9],
    crop: [640, 520],
    scale: 0.5,
    exaggeration: 100,
    color: "displacement",
  },
  flexible_slider_crank: {
    model: "flexible_slider_crank.yaml",
    times: [0, 0.02, 0.04],
    crop: [640, 300],
    scale: 0.6,
    exaggeration: 10,
    color: "strain",
  },
  cat_satellite: { model: "cat_satellite.yaml", times: [0, 74, 149, 500], crop: [640, 560], scale: 0.45 },
  deployment: { model: "deployment.yaml", times: [0, 5, 9, 12, 24], crop: [640, 560], scale: 0.42 },
  leo_satellite: { model: "leo_satellite.yaml", times: [0, 590, 1000], crop: [640, 520], scale: 0.5, hide: ["loads"] },
};

const browser = await launch();
const wanted = process.argv.slice(2);
for (const [name, { model, times, crop, scale, hide, exaggeration, color }] of Object.entries(pictures)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const page = await open(browser, report(`picture_${name}`, fly(`${name}/${model}`, `picture_${name}`)));
  await page.evaluate(
    (layers) => layers.forEach((layer) => window.gyrostat.view.set_visible(layer, false)),
    hide ?? ["joints", "momentum", "centre", "loads"],
  );
  if (exaggeration) await page.evaluate((factor) => window.gyrostat.view.set_exaggeration(factor), exaggeration);
  if (color) await page.evaluate((by) => window.gyrostat.view.set_coloring(by), color);
  const parts = [];
  for (const t of times) {
    await go_to(page, t);
    parts.push(
      await page.evaluate(async () => {
        const bytes = new Uint8Array(await (await window.gyrostat.view.picture()).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      }),
    );
  }
  await page.context().close();
  const blank = await browser.newPage();
  const png = await blank.evaluate(
    async ({ parts, crop: [width, height], scale }) => {
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      const canvas = new OffscreenCanvas(w * parts.length, h);
      const pen = canvas.getContext("2d");
      pen.imageSmoothingQuality = "high";
      for (const [k, part] of parts.entries()) {
        const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const [x, y] = [(picture.width - width) / 2, (picture.height - height) / 2];
        pen.drawImage(picture, x, y, width, height, k * w, 0, w, h);
      }
      const made = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
      return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(""));
    },
    { parts, crop, scale },
  );
  await blank.close();
  const file = join(source, "examples", name, `${name}.png`);
  const bytes = Buffer.from(png, "base64");
  writeFileSync(file, bytes);
  console.log(`${file}: ${Math.round(bytes.length / 1024)} kB`);
}
await browser.close();
