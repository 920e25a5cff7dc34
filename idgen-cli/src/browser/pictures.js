// Writes the pictures of the documentation to docs/images. PICTURES_OF is the path of a report of compare, with its
// output in report.txt beside it. Without it, compare runs with its defaults.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { images, launch, open } from "./browser.js";

const LARGEST = 300_000; // bytes of a picture
const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;
const docs = new URL("../../../docs/images/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "idgen-pictures"));
const browser = await launch();

try {
  const report = process.env.PICTURES_OF || compare();
  const text = readFileSync(report.replace(/\.html$/, ".txt"), "utf8");
  if (text.includes("the speeds mean nothing")) {
    throw new Error("Other processes kept the machine too busy for a report that is shown: repeat it on a quiet machine.");
  }
  await show(report, { colorScheme: "light" }, "report-light", ["body", "#verdict"]);
  await show(report, { colorScheme: "dark" }, "report-dark", [".toolbar", "#throughput"]);
  await show(report, { colorScheme: "light", viewport: { width: 390, height: 1500 } }, "report-phone");
  await show(report, { viewport: { width: 1031, height: 1250 }, print: true }, "report-print");
  await terminal(text);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

function compare() {
  const report = join(folder, "report.html");
  const text = execFileSync("java", ["-jar", jar, "compare", "--out", report], { stdio: ["ignore", "pipe", "ignore"] });
  writeFileSync(join(folder, "report.txt"), text);
  return report;
}

/** Takes a picture of a report, from the top of one element to the bottom of another one, or of the window. */
async function show(report, { print, ...options }, name, between) {
  const { page, context } = await open(browser, options);
  await page.goto("file://" + report);
  await page.waitForSelector("html[data-drawn=true]");
  if (print) {
    await page.emulateMedia({ media: "print" });
    await page.waitForSelector("html.print");
  }
  const clip = between && await page.evaluate(([first, last]) => {
    const top = document.querySelector(first).getBoundingClientRect().top;
    const bottom = document.querySelector(last).getBoundingClientRect().bottom;
    return { x: 0, y: top, width: document.documentElement.clientWidth, height: bottom + 18 - top };
  }, between);
  await write(page, name, clip ? { fullPage: true, clip } : {});
  await context.close();
}

/** Takes a picture of the output of compare. */
async function terminal(text) {
  const { page, context } = await open(browser, { viewport: { width: 1400, height: 400 } });
  await page.setContent("<body style='margin: 0'><pre style='display: inline-block; margin: 0; padding: 18px 22px; max-width: 1340px; white-space: pre-wrap; background: #12161c; "
    + "color: #e4e9f0; font: 12px/1.35 ui-monospace, Menlo, Consolas, \"DejaVu Sans Mono\", monospace'></pre>");
  await page.locator("pre").evaluate((pre, shown) => { pre.textContent = shown; }, "$ java -jar idgen.jar compare\n\n" + text.trimEnd());
  const { width, height } = await page.locator("pre").boundingBox();
  await page.setViewportSize({ width: Math.ceil(width), height: Math.ceil(height) });
  await write(page, "terminal", {});
  await context.close();
}

async function write(page, name, options) {
  const path = join(docs, name + ".png");
  await page.screenshot({ path, ...options });
  if (statSync(path).size > LARGEST) {
    throw new Error(`${path} has ${statSync(path).size} bytes, more than ${LARGEST}; show less of the page.`);
  }
}
