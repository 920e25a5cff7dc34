import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";

// from the disk, as a user opens it after a build
const site = new URL("../../target/site/", import.meta.url).href;
const images = new URL("../../target/browser", import.meta.url).pathname;
const looks = {
  light: {},
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 } },
};
// the pages with the widest tables and with the longest code
const pages = ["index.html", "docs/databases.html", "docs/performance.html", "docs/cli.html", "api/index.html"];

let browser;

before(async () => {
  mkdirSync(images, { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});

after(() => browser?.close());

/**
 * Opens a page and passes it on. Fails if the console has a message, or if the page requests anything outside the disk.
 */
async function visit(path, options, act) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => {
    const { url } = message.location();
    // Debian's JDK lacks the fonts that javadoc's style sheet names
    if (!url.endsWith("/fonts/dejavu.css")) {
      complaints.push(`${message.text()} ${url}`);
    }
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push(request.url()));
  await page.goto(site + path);
  await act(page);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Returns the lightness of the page's background, from 0 to 255. */
function lightness(page) {
  return page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
}

for (const [look, options] of Object.entries(looks)) {
  describe(look, () => {
    for (const path of pages) {
      test(`${path} is not wider than the window`, () =>
        visit(path, options, async (page) => {
          const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(content <= window, `${content} px in a window of ${window} px`);
          await page.screenshot({ path: `${images}/${look}-${path.replaceAll("/", "-")}.png` });
        }));
    }

    test("the search finds the horizon in the glossary and elsewhere, and opens the first page", () =>
      visit("docs/leases.html", options, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("horizon");
        const results = page.locator("#results a");
        await results.filter({ hasText: "Glossary" }).waitFor();
        const first = await results.first().evaluate((link) => link.href);
        await page.screenshot({ path: `${images}/${look}-search.png` });
        await page.keyboard.press("Enter");
        await page.waitForURL(first);
        assert.match(await page.locator("main").textContent(), /horizon/);
      }));

    test("the pages and the headings are listed, open where there is room", () =>
      visit("docs/leases.html", options, async (page) => {
        const entry = page.locator("#pages a[aria-current]").first();
        const heading = page.locator("#contents a").first();
        if (look === "phone") {
          assert.equal(await entry.isVisible(), false);
          await page.locator("#pages summary").click();
          await page.locator("#contents summary").click();
        }
        assert.ok(await entry.isVisible());
        await heading.click();
        assert.match(page.url(), /docs\/leases\.html#./);
      }));
  });
}

test("the search finds parts of words, settings, codes and Chinese words, and says when there is nothing", () =>
  visit("index.html", {}, async (page) => {
    for (const [words, expected] of [
      ["hibern", "What works with which Hibernate"],
      ["IDGEN-607", "Errors"],
      ["idgen.worker.lease", "Leased worker ids"],
      ["号段", "Glossary"],
      ["nosuchword", "No page has “nosuchword”."],
    ]) {
      await page.fill("#query", words);
      await page.locator("#results li").filter({ hasText: expected }).first().waitFor();
    }
  }));

test("the page follows the system's light and dark", async () => {
  await visit("index.html", looks.light, async (page) => assert.ok((await lightness(page)) > 200));
  await visit("index.html", looks.dark, async (page) => assert.ok((await lightness(page)) < 60));
});

test("a page is printed light, without what is around it, and not wider than the paper", () =>
  visit("docs/errors.html", { ...looks.dark, viewport: { width: 720, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.ok((await lightness(page)) > 200);
    for (const around of ["header", "#pages", "#contents"]) {
      assert.equal(await page.locator(around).isVisible(), false, around);
    }
    assert.ok(await page.locator("main table").first().isVisible());
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(content <= window, `${content} px on paper of ${window} px`);
    await page.screenshot({ path: `${images}/print.png` });
  }));

test("the javadoc of a module opens, and leads to that of another", () =>
  visit("api/index.html", {}, async (page) => {
    await page.getByRole("link", { name: "idgen-jdbc" }).click();
    await page.waitForURL(/api\/idgen-jdbc\//);
    await page.goto(site + "api/idgen-jdbc/io.idgen.jdbc/io/idgen/jdbc/SegmentTable.html");
    await page.getByRole("link", { name: "SegmentAllocator" }).first().click();
    await page.waitForURL(/api\/idgen-core\//);
  }));
