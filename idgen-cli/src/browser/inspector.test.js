// Tests docs/idgen-inspector.html in Chromium: opened as a file, compared with idgen.jar.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { images, launch, open } from "./browser.js";

const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;
const url = new URL("../../../docs/idgen-inspector.html", import.meta.url).href;
let browser;
let page;
let context;
let errors;

before(async () => (browser = await launch()));
after(() => browser.close());
beforeEach(async () => {
  ({ page, context, errors } = await open(browser));
  await page.goto(url);
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(errors, []);
});

const idgen = (...args) => JSON.parse(execFileSync("java", ["-jar", jar, ...args, "--json"], { encoding: "utf8" }));
const text = (selector) => page.locator(selector).textContent();
const texts = (selector) => page.locator(selector).allTextContents();

async function layout(widths, epoch) {
  for (const [id, value] of [["#widths", widths], ["#epoch", epoch]]) {
    await page.fill(id, value);
    await page.press(id, "Tab");
  }
}

async function decode(...ids) {
  await page.fill("#ids", ids.join("\n"));
  await page.click("#decode button");
}

async function generate(values) {
  for (const [id, value] of Object.entries(values)) {
    await page.fill(`#${id}`, value);
  }
  await page.click("#generate button");
}

describe("decodes", () => {
  test("the ids of the article, and draws their bits", async () => {
    await layout("41-5-5-12", "2016-01-01T00:00:00Z");
    await decode("225912364091068416");

    assert.equal(await text("#detail .big"), "225912364091068416");
    assert.equal(await text("#detail .mono"), "2017-09-15T09:35:04.848Z");
    assert.deepEqual(await texts(".legend li"), ["Sign: 0, 1 bit", "Time: 53861704848 ticks of 1 ms, 41 bits",
      "Datacenter: 2, 5 bits", "Worker: 5, 5 bits", "Sequence: 0, 12 bits"]);
    assert.equal((await texts(".bits span")).join(""), "0000001100100010100110100001100100100100000001000101000000000000");
    assert.match(await text("#detail pre"), /0x03229A1924045000/);

    await decode("0x03229A1924045000", "0x03229A1924045000", "225912364091068417");
    assert.match(await text("#verdict"), /^Equal ids: 225912364091068416\. /);
    await page.click("#rows tr:nth-child(3) button");
    assert.equal(await text("#detail .big"), "225912364091068417");
  });

  test("with each preset as Java does, and generates the same ids", async () => {
    const ofJava = idgen("layout");
    assert.deepEqual(await page.locator("#preset option").evaluateAll((all) => all.map((each) => each.value)),
      [...ofJava.map((each) => each.layout), ""]);
    for (const { layout: preset, widths, epoch, end } of ofJava) {
      await page.selectOption("#preset", preset);
      assert.deepEqual([await page.inputValue("#widths"), await page.inputValue("#epoch")], [widths, epoch]);
      assert.ok((await text("#capacity")).startsWith(`Ends at ${end}. `), preset);
      for (const id of ["175928847299117", "300000000000001"]) {
        const java = idgen("inspect", id, "--layout", preset);
        await decode(id, "1");
        assert.deepEqual((await texts("#rows tr:first-child td")).map(String),
          [java.id, java.instant, java.datacenter, java.worker, java.sequence].map(String), `${preset} ${id}`);
      }
      await generate({ worker: "3", count: "4", moment: "2026-11-22T08:48:17.382+02:00" });
      assert.deepEqual(await texts("#rows button"),
        idgen("generate", "--layout", preset, "--worker", "3", "-n", "4", "--at", "2026-11-22T06:48:17.382Z"), preset);
    }
  });

  test("the id that Discord documents", async () => {
    await page.selectOption("#preset", "discord");
    await decode("175928847299117063", "1");
    assert.deepEqual(await texts("#rows tr:first-child td"), ["175928847299117063", "2016-04-30T11:18:25.796Z", "1", "0", "7"]);
  });
});

test("generates ids that never repeat", async () => {
  await page.selectOption("#preset", "js-safe"); // 512 ids per tick
  const seen = new Set();
  for (let i = 1; i <= 3; i++) {
    await generate({ count: "1000" });
    (await texts("#rows button")).forEach((id) => seen.add(id));
    assert.equal(seen.size, 1000 * i);
  }
});

test("refuses values that do not fit, and shows markup as text", async () => {
  const refused = async (place, pattern) => assert.match(await text(`#${place}-error`), pattern);
  await generate({ worker: "32" });
  await refused("generate", /Worker must be 0 to 31, got '32'/);
  await generate({ worker: "0", moment: "2015-01-01T00:00:00Z" });
  await refused("generate", /is outside the layout/);
  page.on("dialog", () => assert.fail("a script ran"));
  await decode("<img/src=x/onerror=alert(1)>");
  await refused("decode", /'<img\/src=x\/onerror=alert\(1\)>' is not an id/);
  await decode("9223372036854775808");
  await refused("decode", /more than the 63 bits/);
  await layout("41-5-5-13", "2016-01-01T00:00:00Z");
  await refused("layout", /must sum to 63 or 53.*got 64/);
  await layout("41-5-5-12", "2016-01-01");
  await refused("layout", /an instant with its zone/);
  assert.equal(await page.locator("main img").count(), 0);
});

test("in English and Chinese, with the keyboard, on a phone", async () => {
  await page.selectOption("#language", "zh");
  assert.equal(await page.locator("html").getAttribute("lang"), "zh");
  await page.focus("#ids");
  await page.keyboard.type("225912364091068416");
  await page.keyboard.press("Control+Enter");
  assert.equal(await text(".legend li.worker"), "工作节点: 5, 5 位");
  assert.deepEqual(await page.evaluate("Object.keys(messages.zh)"), await page.evaluate("Object.keys(messages.en)"));
  assert.deepEqual(await page.locator("input, select, textarea").evaluateAll((all) => all.filter((each) => !each.labels.length)
    .map((each) => each.id)), []);

  for (const [name, size, colorScheme] of [["light", [1200, 900], "light"], ["phone", [375, 800], "dark"]]) {
    await page.setViewportSize({ width: size[0], height: size[1] });
    await page.emulateMedia({ colorScheme });
    assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out to the right");
    await page.screenshot({ path: `${images}/inspector-${name}.png`, fullPage: true });
  }
});
