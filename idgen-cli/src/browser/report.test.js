import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { images, launch, open } from "./browser.js";

const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;
const charts = ["throughput", "scaling", "latency", "stalls", "trips", "order", "outage", "gaps", "inserts"];
const kinds = 5; // of snowflake strategies
const looks = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
};

const strategies = 13;

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
      if (await page.locator("#numbers button.open").count()) {
        await page.locator("#numbers button.open").click();
      }
      assert.equal(await page.locator("#numbers tbody tr").count(), strategies);
      for (const id of charts) {
        assert.ok((await page.locator(`#${id} .plot svg path`).count()) > 3, `no chart in ${id}`);
        await page.locator(`#${id} summary`).click();
        const rows = page.locator(`#${id} details tbody tr`);
        assert.ok((await rows.count()) >= 10, `no data beneath ${id}`);
        assert.ok(await rows.first().isVisible());
      }
      assert.ok((await page.locator("#bits svg rect").count()) >= 64 + 64 + 128);
      assert.ok((await page.locator("#verdict article").count()) >= 4);
      for (const article of await page.locator("#verdict article").all()) {
        assert.match(await article.locator(".need").textContent(), /^If you need /);
        const chart = await article.locator("a").getAttribute("href");
        assert.equal(await page.locator(chart).count(), 1, `no chart ${chart}`);
      }
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

const quiet = (data) => Object.assign(data.load, { tooHigh: false, othersUsed: 0.01 });

test("three tiles say what is fastest, what has the fewest round trips, and what survives an outage", async () => {
  const path = withData("tiles", (data) => {
    data.headline.tiles[2] = { title: "Survives an outage", answer: "2 of 3", good: "a, b", bad: "c", chart: "OUTAGE" };
  });
  const { page, context } = await visit(path, {});
  assert.deepEqual(await page.locator(".tiles h2").allTextContents(), [
    "Fastest",
    "Fewest round trips",
    "Survives an outage",
  ]);
  const outage = page.locator(".tiles article").nth(2);
  assert.equal(await outage.locator(".good").textContent(), "✓a, b");
  assert.equal(await outage.locator(".poor").textContent(), "✗c");
  assert.equal(await outage.locator("a").getAttribute("href"), "#outage");
  await context.close();
});

test("a column sorts the table, a second time the other way round, and dashes are last", async () => {
  const path = withData("sorted", (data) => {
    quiet(data);
    data.strategies.forEach((s, i) => (s.roundTripsPerThousand = i === 3 ? null : (i * 7) % 12));
  });
  const { page, context } = await visit(path, {});
  await page.locator(".toolbar .chip").last().click(); // shows all snowflake strategies
  const column = page.locator("#numbers thead th", { hasText: "SQL round trips per 1,000 ids" });
  const cells = async () => {
    const at = await column.evaluate((th) => th.cellIndex);
    return page.locator("#numbers tbody tr").evaluateAll((rows, i) => rows.map((r) => r.cells[i].firstChild.textContent), at);
  };
  await column.locator("button").click();
  assert.equal(await column.getAttribute("aria-sort"), "ascending");
  const up = await cells();
  assert.equal(up.pop(), "–");
  assert.deepEqual(up.map(Number), up.map(Number).toSorted((a, b) => a - b));
  await column.locator("button").click();
  assert.equal(await column.getAttribute("aria-sort"), "descending");
  const down = await cells();
  assert.equal(down.pop(), "–");
  assert.deepEqual(down, up.toReversed());
  await context.close();
});

test("the best and the worst are marked, for screen readers too, but not on a busy machine", async () => {
  const speeds = (data) =>
    data.strategies.forEach((s, i) => (s.speed = { median: 1000 * (i + 1), low: 1000 * i + 900, high: 1000 * i + 1100, runs: [] }));
  const path = withData("marked", (data) => (quiet(data), speeds(data)));
  const calm = await visit(path, {});
  assert.match(await calm.page.locator("#numbers tbody tr").last().locator("td.best").first().textContent(), /\(best\)/);
  await calm.context.close();
  const busy = await visit(
    withData("busy", (data) => {
      speeds(data);
      data.load.tooHigh = true;
      data.load.text = "others used 1.9 of 2 cores";
    }),
    {},
  );
  assert.equal(await busy.page.locator("#numbers td:nth-child(2):is(.best, .worst)").count(), 0);
  const warning = busy.page.locator(".notes .warning").first();
  assert.match(await warning.textContent(), /Do not use these speeds: others used 1.9 of 2 cores/);
  const [red] = await warning.evaluate((e) => [getComputedStyle(e).borderLeftColor]);
  assert.match(red, /^rgb\(2\d\d, \d{2}, \d{2}\)$/);
  assert.match(await busy.page.locator("#throughput .finding").textContent(), /these speeds mean nothing/);
  await busy.context.close();
});

test("ids that were not given are not drawn as given", async () => {
  const path = withData("outage", (data) => {
    data.strategies.forEach((s) => (s.outage = { ...s.outage, given: 600, wanted: 600, failed: 0, servedSeconds: 3, seconds: 3 }));
    // a call that waits through the whole outage does not fail during it
    data.strategies[5].outage.given = 0;
  });
  const { page, context } = await visit(path, {});
  const name = await page.locator("#numbers tbody tr").nth(1).locator("th").textContent();
  const row = page.locator("#numbers tbody tr", { hasText: name });
  assert.ok((await row.textContent()).includes("✗ 0 %"));
  assert.ok((await page.locator("#outage .finding").textContent()).includes(`Fewest ids: ${name}, 0 %`));
  assert.ok((await page.locator("#outage .plot svg text").allTextContents()).includes("0 %"));
  await context.close();
});

test("families and snowflake kinds are switched on and off, in the table and in the charts", async () => {
  const path = withData("families", (data) => {
    data.strategies.filter((s) => s.family === "SNOWFLAKE").forEach((s) => Object.assign(s.outage, { given: 600, wanted: 600, servedSeconds: 3, seconds: 3 }));
  });
  const { page, context, errors } = await visit(path, {});
  const rows = page.locator("#numbers tbody tr");
  const bars = async () => (await page.locator("#trips .plot svg text").allTextContents()).filter((t) => /^[a-z]+-/.test(t));
  assert.equal(await rows.count(), strategies - kinds + 1);
  assert.match(await rows.first().locator("th").textContent(), /snowflake, 5 kinds/);
  assert.equal((await bars()).filter((t) => t.startsWith("snowflake")).length, 1);
  await page.locator(".toolbar .chip", { hasText: "128 bits" }).click();
  assert.equal(await rows.count(), strategies - kinds + 1 - 3);
  assert.deepEqual((await bars()).filter((t) => /^u[ul]id/.test(t)), []);
  assert.equal(await page.locator(".toolbar .chip", { hasText: "128 bits" }).getAttribute("aria-pressed"), "false");
  await page.locator("#numbers button.open").click();
  assert.equal(await rows.count(), strategies - 3);
  assert.equal((await bars()).filter((t) => t.startsWith("snowflake")).length, kinds);
  assert.deepEqual(errors, []);
  await context.close();
});

test("every chart has its finding as text, and lines have their names at their ends", async () => {
  const { page, context } = await visit(file, {});
  for (const id of charts) {
    assert.ok((await page.locator(`#${id} .finding`).textContent()).length > 20, `no finding in ${id}`);
    for (const plot of await page.locator(`#${id} .plot`).all()) {
      assert.equal(await plot.getAttribute("role"), "img");
      assert.ok((await plot.getAttribute("aria-label")).length > 5, `no text for a chart in ${id}`);
    }
  }
  for (const id of ["scaling", "latency"]) {
    assert.ok((await page.locator(`#${id} .plot svg text`).allTextContents()).includes("identity"));
  }
  await context.close();
});

for (const [look, options] of Object.entries(looks)) {
  test(`the names at the ends of lines neither overlap nor are cut off: ${look}`, async () => {
    const path = withData("ends", (data) => {
      // all lines end at almost the same place
      data.strategies.forEach((s, i) => {
        s.scaling.forEach((p) => (p.perSecond = 1e6 + i));
        s.latency.percentiles.forEach((p) => (p.micros = 10 + i / 100));
      });
    });
    const { page, context } = await visit(path, options);
    for (const id of ["scaling", "latency"]) {
      const [boxes, edge] = await page.locator(`#${id} .plot svg`).evaluate((svg) => {
        const names = JSON.parse(document.getElementById("data").textContent).strategies.map((s) => s.name);
        const boxes = [...svg.querySelectorAll("text")].filter((t) => names.includes(t.textContent))
          .map((t) => t.getBoundingClientRect()).map((r) => ({ top: r.top, right: r.right }));
        return [boxes, svg.getBoundingClientRect().right];
      });
      assert.ok(boxes.length >= 8, `${boxes.length} names in ${id}`);
      boxes.sort((a, b) => a.top - b.top);
      boxes.slice(1).forEach((box, i) => assert.ok(box.top - boxes[i].top >= 11, `names in ${id}: ${boxes[i].top}, ${box.top}`));
      boxes.forEach((box) => assert.ok(box.right <= edge, `a name in ${id} ends at ${box.right} of ${edge}`));
    }
    await context.close();
  });
}

test("two runs stand beside each other, with what changed", async () => {
  const path = withData("baseline", (data) => {
    const at = (value) => ({ value, low: 0.9 * value, high: 1.1 * value });
    data.baseline = {
      started: "2026-11-20T08:00:00Z",
      conditions: ["threads: 4 before, 8 now"],
      changes: [
        { strategy: "segment", figure: "ids/s", before: at(1e6), after: at(2e6), result: "BETTER", text: "2.00 times" },
        { strategy: "identity", figure: "ids/s", before: at(1e6), after: at(1e6), result: "SAME", text: "no difference measured" },
      ],
      agreement: { verdicts: 9, differing: ["short numbers: segment before, stepped now"], figures: 2, agreeing: 1, notCompared: 0, whyNot: "" },
    };
  });
  const { page, context, errors } = await visit(path, {});
  assert.match(await page.locator("#baseline .finding").textContent(), /^1 of 2 figures have changed since 2026-11-20 08:00 UTC/);
  const texts = await page.locator("#baseline .plot svg text").allTextContents();
  assert.ok(texts.includes("segment, before") && texts.includes("segment, now") && texts.includes("2 M, 2.00 times"), String(texts));
  assert.ok((await page.locator("#baseline .warning").textContent()).includes("threads: 4 before, 8 now"));
  assert.match(await page.locator("#baseline .agreement").textContent(), /^✗ 1 of 9 verdicts differ\. 1 of 2 figures agree \(50\.0 %\)/);
  assert.equal(await page.locator("#baseline .note").textContent(), "Verdict differs: short numbers: segment before, stepped now");
  assert.deepEqual(errors, []);
  await context.close();
});

test("it is printed without clipping, on white", async () => {
  const { page, context } = await visit(file, { colorScheme: "dark", viewport: { width: 1123, height: 794 } });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.waitForSelector("html.print");
  const paper = 1123 - 2 * 46; // A4 landscape less its margins, in CSS pixels
  const clipped = await page.evaluate(
    (width) =>
      [...document.querySelectorAll("main *")]
        .filter((e) => !e.closest("details, .toolbar, .unseen") && e.getClientRects().length > 0)
        .filter((e) => e.getBoundingClientRect().right - document.querySelector("main").getBoundingClientRect().left > width)
        .map((e) => `${e.tagName} ${e.className.baseVal ?? e.className}`),
    paper,
  );
  assert.deepEqual(clipped, []);
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--card").trim()), "#1a2028");
  await page.screenshot({ path: `${images}/report-print.png`, clip: { x: 0, y: 0, width: 1031, height: 1458 }, fullPage: true });
  const pdf = await page.pdf({ preferCSSPageSize: true });
  assert.ok(pdf.length > 20_000);
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
