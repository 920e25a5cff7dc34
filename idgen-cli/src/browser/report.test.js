import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { images, launch, open } from "./browser.js";

const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;
const charts = ["throughput", "scaling", "latency", "stalls", "trips", "order", "outage", "gaps", "inserts"];
const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
};

let browser;
let folder;
let file;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "idgen-report"));
  file = join(folder, "report.html");
  const short = ["--duration", "20", "--rows", "400", "--outage", "1200", "--out", file];
  execFileSync("java", ["-jar", jar, "compare", ...short], { stdio: ["ignore", "ignore", "ignore"] });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function visit(path, options) {
  const { page, context, errors } = await open(browser, options);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("file://" + path);
  await page.waitForSelector("html[data-drawn=true]");
  return { page, context, errors, requests };
}

for (const [look, options] of Object.entries(looks)) {
  describe(look, () => {
    test("every chart is drawn and has its data beneath", async () => {
      const { page, context, errors, requests } = await visit(file, options);
      const strategies = await page.locator("#numbers tbody tr").count();
      assert.equal(strategies, 12);
      for (const id of charts) {
        assert.ok((await page.locator(`#${id} .plot svg path`).count()) > 3, `no chart in ${id}`);
        await page.locator(`#${id} summary`).click();
        const rows = page.locator(`#${id} details tbody tr`);
        assert.ok((await rows.count()) >= 10, `no data beneath ${id}`);
        assert.ok(await rows.first().isVisible());
      }
      assert.ok((await page.locator("#bits svg rect").count()) >= 64 + 64 + 128);
      assert.ok((await page.locator("#verdict article").count()) >= 4);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")),
        [],
      );
      await page.screenshot({ path: `${images}/report-${look}.png`, fullPage: true });
      await context.close();
    });

    test("nothing is wider than the window", async () => {
      const { page, context } = await visit(file, options);
      const [content, window] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= window, `${content} px in a window of ${window} px`);
      await context.close();
    });
  });
}

test("the page follows the system from light to dark, charts included", async () => {
  const { page, context } = await visit(file, { colorScheme: "light" });
  const paint = () =>
    page.evaluate(() => [
      getComputedStyle(document.body).backgroundColor,
      document.querySelector("#throughput .plot svg text").getAttribute("fill"),
    ]);
  const [lightPage, lightText] = await paint();
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(
    (before) => document.querySelector("#throughput .plot svg text").getAttribute("fill") !== before,
    lightText,
  );
  const [darkPage] = await paint();
  assert.notEqual(darkPage, lightPage);
  await context.close();
});

test("text in the data is never run and never HTML", async () => {
  const hostile = String.raw`\u003cimg src=x onerror=\"document.title='owned'\"\u003e\u003cscript\u003edocument.title='owned'\u003c/script\u003e`;
  const html = readFileSync(file, "utf8").replaceAll("idgen_compare_", hostile).replaceAll("snowflake-wait", hostile);
  const path = join(folder, "hostile.html");
  writeFileSync(path, html);
  const { page, context, errors } = await visit(path, {});
  assert.equal(await page.title(), "idgen compare");
  assert.equal(await page.locator("main img").count(), 0);
  assert.ok((await page.locator("#method").textContent()).includes("<img src=x"));
  assert.deepEqual(errors, []);
  await context.close();
});
