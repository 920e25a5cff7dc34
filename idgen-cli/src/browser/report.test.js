import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { images, launch, open } from "./browser.js";

const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;
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
  execFileSync("java", ["-jar", jar, "compare", "--duration", "20ms", "--out", file], { stdio: "ignore" });
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

/** Writes a copy of the report with changed data. */
function withData(name, change) {
  const html = readFileSync(file, "utf8");
  const begin = '<script type="application/json" id="data">';
  const from = html.indexOf(begin) + begin.length;
  const to = html.indexOf("</script>", from);
  const data = JSON.parse(html.slice(from, to));
  change(data);
  const path = join(folder, name + ".html");
  writeFileSync(path, html.slice(0, from) + JSON.stringify(data).replaceAll("<", "\\u003c") + html.slice(to));
  return path;
}

for (const [look, options] of Object.entries(looks)) {
  test(`every chart is drawn, and nothing is wider than the window: ${look}`, async () => {
    const { page, context, errors, requests } = await visit(file, options);
    for (const id of ["throughput", "latency", "trips", "inserts", "size", "outage", "crash"]) {
      assert.ok((await page.locator(`#${id} .plot svg path`).count()) > 3, `no chart in ${id}`);
      assert.match(await page.locator(`#${id} .finding`).textContent(), /^Highest: .* Lowest: /);
      for (const plot of await page.locator(`#${id} .plot`).all()) {
        assert.ok((await plot.getAttribute("aria-label")).length > 5, `no text for a chart in ${id}`);
      }
    }
    assert.ok((await page.locator("#answers article").count()) >= 6);
    assert.ok((await page.locator("#answers pre").first().textContent()).startsWith("idgen.strategy="));
    const [content, window] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= window, `${content} px in a window of ${window} px`);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
    await page.screenshot({ path: `${images}/report-${look}.png`, fullPage: true });
    await context.close();
  });
}

test("a column sorts the table, a second time the other way round, and dashes are last", async () => {
  const path = withData("sorted", (data) => data.kinds.forEach((x, i) => (x.latency = i === 3 ? null : { ...x.latency, roundTripsPerThousand: (i * 7) % 12 })));
  const { page, context } = await visit(path, {});
  const column = page.locator("#numbers thead th", { hasText: "SQL for 1,000 ids" });
  const at = await column.evaluate((th) => th.cellIndex);
  const cells = () => page.locator("#numbers tbody tr").evaluateAll((rows, i) => rows.map((r) => r.cells[i].textContent), at);
  for (const direction of ["ascending", "descending"]) {
    await column.locator("button").click();
    assert.equal(await column.getAttribute("aria-sort"), direction);
    const shown = await cells();
    assert.equal(shown.pop(), "–");
    const sorted = shown.toSorted((a, b) => a - b);
    assert.deepEqual(shown, direction === "ascending" ? sorted : sorted.toReversed());
  }
  await context.close();
});

test("duplicates, failures and a busy machine are warned of, and text in the data is never HTML", async () => {
  const hostile = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  const path = withData("warned", (data) => {
    data.conditions.computer = "2 processors: TOO BUSY, the speeds mean nothing";
    data.kinds[0].duplicates.count = 3;
    data.kinds[1].problem = hostile;
    data.kinds[2].name = hostile;
    data.answers[0].why = hostile;
  });
  const { page, context, errors } = await visit(path, {});
  const warnings = await page.locator(".notes .warning").allTextContents();
  assert.match(warnings[0], /^Do not use these speeds/);
  assert.match(warnings[1], /generated 3 duplicates/);
  assert.ok(warnings[2].endsWith(hostile));
  assert.equal(await page.title(), "idgen compare");
  assert.equal(await page.locator("main img").count(), 0);
  assert.deepEqual(errors, []);
  await context.close();
});
