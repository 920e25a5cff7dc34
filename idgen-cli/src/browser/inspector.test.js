import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { images, launch, open } from "./browser.js";

const jar = process.env.IDGEN_JAR ?? new URL("../../target/idgen.jar", import.meta.url).pathname;

let browser;
let server;
let url;
let page;
let context;
let errors;

before(async () => {
  server = spawn("java", ["-jar", jar, "serve", "--port", "0", "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  url = JSON.parse(line).url;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill();
});

beforeEach(async () => {
  ({ page, context, errors } = await open(browser));
  await visit(page);
});

afterEach(async () => {
  await context.close();
  assert.deepEqual(errors, []);
});

async function visit(page, query = "") {
  await page.goto(url + query);
  await page.locator("html[data-ready]").waitFor();
}

async function layout(widths, epoch) {
  await page.getByRole("textbox", { name: "Bits" }).fill(widths);
  await page.getByLabel("Epoch").fill(epoch);
  await page.getByLabel("Epoch").press("Tab");
}

async function takeApart(...ids) {
  await page.getByLabel("Ids", { exact: true }).fill(ids.join("\n"));
  await page.getByRole("button", { name: "Decode", exact: true }).click();
}

function result() {
  return page.locator("#detail");
}

async function legend() {
  return (await page.locator(".legend li").allTextContents()).map((text) => text.replace(/\s+/g, " "));
}

describe("taking ids apart", () => {
  test("the article's id", async () => {
    await layout("41-5-5-12", "2016-01-01T00:00:00Z");
    await takeApart("225912364091068416");

    await result().getByText("2017-09-15T09:35:04.848Z").waitFor();
    assert.deepEqual(await legend(), [
      "Sign 0 · 1 bit",
      "Time 53,861,704,848 ticks · 41 bits",
      "Datacenter 2 · 5 bits",
      "Worker 5 · 5 bits",
      "Sequence 0 · 12 bits",
    ]);
    assert.match(await result().textContent(), /03229A1924045000/);
    assert.equal(
      (await page.locator(".bit").allTextContents()).join(""),
      "0000001100100010100110100001100100100100000001000101000000000000",
    );
    assert.equal(await page.locator(".bit.datacenter").count(), 5);
  });

  test("Discord's id, by its preset", async () => {
    await page.getByLabel("Preset").selectOption("discord");
    await takeApart("175928847299117063");

    await result().getByText("2016-04-30T11:18:25.796Z").waitFor();
    const fields = await legend();
    assert.equal(fields[2], "Datacenter 1 · 5 bits");
    assert.equal(fields[3], "Worker 0 · 5 bits");
    assert.equal(fields[4], "Sequence 7 · 12 bits");
  });

  test("an id that JavaScript's numbers would damage stays as it is", async () => {
    await takeApart("9007199254740993");

    assert.equal(await result().locator(".big").textContent(), "9007199254740993");
  });

  test("two equal ids get the verdict", async () => {
    await takeApart("225912364091068416", "225912364091068416");

    const verdict = page.locator("#verdict");
    await verdict.getByText("Equal ids").waitFor();
    assert.match(await verdict.textContent(), /225912364091068416 \(2 times\).*one worker id/);
    assert.equal(await page.locator("tr.repeated").count(), 2);
  });

  test("two ids that differ, and which was first", async () => {
    await takeApart("225912364091068417", "225912364091068416");

    await page.getByText("Different ids").waitFor();
    const text = await page.locator("#verdict").textContent();
    assert.match(text, /differ in: Sequence.*225912364091068416 was generated first/);
    assert.match(text, /JavaScript stores both as the same number/);
  });

  test("the other presets that fit are named, and a click decodes the id under one", async () => {
    await takeApart("225912364091068416");
    await result().getByText("2025-09-15T09:35:04.848Z").waitFor();
    const others = page.locator(".others li");
    assert.deepEqual(
      await others.locator("button").allTextContents(), ["twitter", "discord", "instagram", "sonyflake", "tsid"]);
    assert.match(await others.first().textContent(), /2012-07-19T11:17:59\.505Z.*worker 2\/5, sequence 0/);

    await page.getByRole("button", { name: "Decode as twitter" }).click();

    await page.locator("#detail .when").getByText("2012-07-19T11:17:59.505Z").waitFor();
    assert.equal(await page.getByLabel("Preset").inputValue(), "twitter");
    assert.equal((await others.locator("button").allTextContents())[0], "idgen");
  });

  test("an invalid layout clears what stood below, and a valid one decodes again", async () => {
    await takeApart("225912364091068416");
    await result().getByText("2025-09-15T09:35:04.848Z").waitFor();

    await layout("41-5-5-11", "2024-01-01T00:00:00Z");

    await page.locator("#layout-error").getByText("give 1 more").waitFor();
    await page.locator("#results").waitFor({ state: "hidden" });
    for (const id of ["capacity", "epoch-hint", "worker-hint"]) {
      assert.equal(await page.locator(`#${id}`).textContent(), "", id);
    }

    await layout("41-5-5-12", "2024-01-01T00:00:00Z");
    await page.locator("#capacity").getByText("Ends on 2093-09-06").waitFor();
    await takeApart("225912364091068416");
    await result().getByText("2025-09-15T09:35:04.848Z").waitFor();
    await layout("41-5-5-12", "2016-01-01T00:00:00Z");
    await page.locator("#detail .when").getByText("2017-09-15T09:35:04.848Z").waitFor();
    errors.length = 0; // Chromium reports each answer of 400 in its console
  });

  test("a bad line is told beside the good ones", async () => {
    await takeApart("225912364091068416", "-5", "0322FG");

    await page.getByText("an id is never negative, got -5").waitFor();
    await page.getByText("'0322FG' is not an id in decimal").waitFor();
    await result().getByText("2025-09-15T09:35:04.848Z").waitFor();
  });

  test("an id of the future is called implausible", async () => {
    await page.getByLabel("Preset").selectOption("idgen");
    await takeApart("9123372036854775807");

    await page.getByText("This time lies in the future").waitFor();
  });

  test("a thousand ids are taken and one more is refused", async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => String(225912364091068416n + BigInt(i)));
    await takeApart(...ids);
    await page.getByText("No two of these 1,000 ids are equal.").waitFor();

    await takeApart(...ids, "1");
    await page.getByText("a request must have 1 to 1000 ids, got 1001").waitFor();
    errors.length = 0; // Chromium reports each answer of 400 in its console
  });
});

describe("making ids", () => {
  test("begins with idgen's layout", async () => {
    assert.equal(await page.getByLabel("Preset").inputValue(), "idgen");
    assert.equal(await page.getByLabel("Epoch").inputValue(), "2024-01-01T00:00:00Z");
    await page.getByText("1704067200000 ms").waitFor();
  });

  test("begins with the preset that the address names, and then with the last layout", async () => {
    await visit(page, "?preset=twitter");
    assert.equal(await page.getByLabel("Preset").inputValue(), "twitter");
    assert.equal(await page.getByLabel("Epoch").inputValue(), "2010-11-04T01:42:54.657Z");
    await page.getByText("1288834974657 ms").waitFor();

    await visit(page);
    assert.equal(await page.getByLabel("Preset").inputValue(), "twitter");

    await layout("41-10-12", "2016-01-01T00:00:00Z");
    await page.getByText("Ends on 2085-09-06").waitFor();
    await visit(page);
    assert.equal(await page.getByRole("textbox", { name: "Bits" }).inputValue(), "41-10-12");
    assert.equal(await page.getByLabel("Epoch").inputValue(), "2016-01-01T00:00:00Z");
    await page.getByText("Ends on 2085-09-06").waitFor();

    await visit(page, "?preset=discord");
    assert.equal(await page.getByLabel("Preset").inputValue(), "discord");
  });

  test("an answer that arrives after a newer one is not shown", async () => {
    const asked = [];
    await page.route("**/api/layout", (route) => asked.push(route));
    await layout("41-10-12", "2016-01-01T00:00:00Z");
    while (asked.length < 2) {
      await page.waitForTimeout(10);
    }

    await asked[1].continue();
    await page.getByText("Ends on 2085-09-06").waitFor();
    const older = page.waitForResponse("**/api/layout");
    await asked[0].continue();
    await (await older).finished();
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));

    assert.match(await page.locator("#capacity").textContent(), /Ends on 2085-09-06/);
    assert.equal(await page.evaluate(() => localStorage.getItem("epoch")), "2016-01-01T00:00:00Z");
  });

  test("a preset of the address that does not exist is refused with the names of all", async () => {
    await visit(page, "?preset=%3Cb%3Etwiter");

    await page.getByText("There is no preset “<b>twiter” in the address of this page; the presets are: idgen, ").waitFor();
    assert.equal(await page.getByLabel("Preset").inputValue(), "idgen");
  });

  test("at a time that was given, the same ids as the parser reads", async () => {
    await layout("41-5-5-12", "1451606400000");
    await page.getByLabel("Datacenter").fill("2");
    await page.getByLabel("Worker", { exact: true }).fill("5");
    await page.getByLabel("Time (optional)").fill("2017-09-15T17:35:04.848+08:00");
    await page.getByLabel("How many").fill("2");
    await page.getByRole("button", { name: "Generate", exact: true }).click();

    await result().getByText("225912364091068416").first().waitFor();
    assert.deepEqual(await page.locator(".pick").allTextContents(), ["225912364091068416", "225912364091068417"]);
  });

  test("now, and never the same twice", async () => {
    const seen = new Set();
    await page.getByLabel("How many").fill("100");
    for (let i = 1; i <= 3; i++) {
      await page.evaluate(() => document.getElementById("rows").replaceChildren());
      await page.getByRole("button", { name: "Generate", exact: true }).click();
      await page.locator(".pick").nth(99).waitFor();
      (await page.locator(".pick").allTextContents()).forEach((id) => seen.add(id));
      assert.equal(seen.size, 100 * i);
    }
  });

  test("a worker that does not fit is refused, never wrapped", async () => {
    await page.getByLabel("Worker", { exact: true }).fill("32");
    await page.getByRole("button", { name: "Generate", exact: true }).click();

    await page.getByText("worker id 32 does not fit in 5 bits").waitFor();
    errors.length = 0; // Chromium reports each answer of 400 in its console
  });

  test("an epoch without a zone is refused", async () => {
    await page.getByLabel("Epoch").fill("2016-01-01");
    await page.getByLabel("Epoch").press("Tab");

    await page.getByText("an epoch is an instant with its zone").waitFor();
    errors.length = 0; // Chromium reports each answer of 400 in its console
  });
});

describe("for everyone", () => {
  test("every control has a name", async () => {
    await takeApart("1", "2");
    await page.locator("#list").waitFor();
    const unnamed = await page.locator("input, select, textarea, button").evaluateAll((controls) =>
      controls.filter((c) => !(c.labels?.length || c.textContent.trim() || c.getAttribute("aria-label")))
        .map((c) => c.outerHTML));
    assert.deepEqual(unnamed, []);
  });

  test("by keyboard alone", async () => {
    await page.getByLabel("Ids", { exact: true }).focus();
    await page.keyboard.type("225912364091068416");
    await page.keyboard.press("Enter");
    await page.keyboard.type("225912364091068417");
    await page.keyboard.press("Control+Enter");
    await page.locator(".pick").nth(1).waitFor();

    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.textContent === "225912364091068417")) {
        break;
      }
    }
    await page.keyboard.press("Enter");
    assert.equal(await result().locator(".big").textContent(), "225912364091068417");
    assert.notEqual(
      await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none", "the focus is seen");
  });

  test("what was copied is said, and on the clipboard", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await takeApart("225912364091068416");
    await page.getByRole("button", { name: "Copy hex" }).click();

    await page.getByText("Copied hex").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "03229A1924045000");
  });

  test("in Chinese and Swahili, and remembered", async () => {
    await takeApart("225912364091068416", "225912364091068416");
    await page.getByLabel("Language").selectOption("zh");
    await page.getByText("ID 重复").waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), "zh");

    await page.getByLabel("语言").selectOption("sw");
    await page.getByText("ID zinazofanana").waitFor();
    await visit(page);
    assert.equal(await page.locator("html").getAttribute("lang"), "sw");
  });

  test("the languages say the same things", async () => {
    const { messages } = await import("../main/resources/io/idgen/cli/serve/messages.js");
    const shape = (texts) => Object.fromEntries(Object.entries(texts)
      .map(([key, text]) => [key, [...text.matchAll(/\{\w+\}/g)].map(String).sort().join()]));
    assert.deepEqual(shape(messages.zh), shape(messages.en));
    assert.deepEqual(shape(messages.sw), shape(messages.en));
  });

  test("letters stand out from what is behind them, light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await takeApart("225912364091068416", "225912364091068416", "x");
      await page.locator("#detail .bit").first().waitFor();
      assert.deepEqual(await page.evaluate(tooFaint), [], colorScheme);
    }
  });

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    phone: { viewport: { width: 375, height: 800 }, colorScheme: "light", deviceScaleFactor: 1 },
  })) {
    test(`is looked at: ${name}`, async () => {
      const looked = await open(browser, options);
      ({ page } = looked);
      await visit(page);
      await layout("41-5-5-12", "2016-01-01T00:00:00Z");
      await takeApart("225912364091068416", "225912364091068417", "225912364091068416");
      await page.locator("#list").waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overhang <= 0, `nothing sticks out to the right: ${overhang} px`);
      await page.screenshot({ path: `${images}/inspector-${name}.png`, fullPage: true });
      await looked.context.close();
      assert.deepEqual(looked.errors, []);
    });
  }
});

describe("kept apart from other sites", () => {
  test("markup in an id or a layout is text", async () => {
    const markup = "<img/src=x/onerror=alert(1)>";
    page.on("dialog", () => assert.fail("a script ran"));
    await takeApart(markup);
    await result().getByText(markup, { exact: true }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);

    await page.getByRole("textbox", { name: "Bits" }).fill("<script>alert(1)</script>");
    await page.getByRole("textbox", { name: "Bits" }).press("Tab");
    await page.locator("#layout-error").getByText("<script>alert(1)</script>").waitFor();
    errors.length = 0; // Chromium reports each answer of 400 in its console
  });

  test("a script that got into the page would not run", async () => {
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => window.ran), undefined);
    assert.match(errors.join(), /Content Security Policy/);
    errors.length = 0;
  });

  test("a foreign name that is bound to this address gets nothing", async () => {
    const port = new URL(url).port;
    const bound = await launchBound();
    try {
      const { page: foreign } = await open(bound);
      const response = await foreign.goto(`http://evil.example:${port}/`);
      assert.equal(response.status(), 403);
      assert.doesNotMatch(await foreign.content(), /app\.js/);
    } finally {
      await bound.close();
    }
  });

  test("another site's page neither reads an answer nor asks", async () => {
    const site = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>elsewhere"));
    await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
    const elsewhere = await open(browser);
    try {
      await elsewhere.page.goto(`http://localhost:${site.address().port}/`);
      const attempts = await elsewhere.page.evaluate(async (inspector) => {
        const tries = [
          [`${inspector}api/presets`, {}],
          [`${inspector}api/presets`, { mode: "no-cors" }],
          [`${inspector}api/generate`, { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } }],
        ];
        return Promise.all(tries.map(([to, how]) => fetch(to, how).then((r) => r.type, () => "failed")));
      }, url);
      assert.deepEqual(attempts, ["failed", "failed", "failed"]);
    } finally {
      await elsewhere.context.close();
      site.close();
    }
  });

  function launchBound() {
    return launch(["--host-resolver-rules=MAP evil.example 127.0.0.1"]);
  }
});

/** Runs in the page. Returns the texts whose contrast with their background is below 4.5 : 1, the limit of WCAG. */
function tooFaint() {
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const numbers = (colour) => colour.match(/[\d.]+/g).map(Number);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) {
        return colour;
      }
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("body *")]
    .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
    .filter((e) => e.tagName !== "OPTION")
    .map((e) => {
      const [a, b] = [luminance(numbers(getComputedStyle(e).color)), luminance(behind(e))].sort((x, y) => y - x);
      return { text: e.textContent.slice(0, 30), contrast: (a + 0.05) / (b + 0.05) };
    })
    .filter(({ contrast }) => contrast < 4.5);
}
