import assert from "node:assert/strict";
import { mkdirSync, readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { launch, looks, site, visit as visitIn } from "./browser.js";

const images = new URL("../../target/browser", import.meta.url).pathname;
// all pages, without the javadoc
const pages = readdirSync(new URL(site), { recursive: true })
  .filter((file) => file.endsWith(".html") && !/^api\/.*\//.test(file))
  .sort();

let browser;

before(async () => {
  mkdirSync(images, { recursive: true });
  browser = await launch();
});

after(() => browser?.close());

function visit(path, options, act) {
  return visitIn(browser, path, options, act);
}

/** Returns the widths, what ends beyond the window outside a box that scrolls, and the boxes that scroll. */
function measure() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const scrolling = [...document.querySelectorAll("main :is(pre, .table)")];
  const cut = [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.matches(".skip"))
    .filter((element) => !scrolling.some((box) => box !== element && box.contains(element)))
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 80));
  const boxes = scrolling.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.tagName);
  return { scrollWidth, clientWidth, cut, boxes };
}

/** Returns the lightness of the page's background, from 0 to 255. */
function lightness(page) {
  return page.evaluate(() => Number(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0]));
}

for (const look of ["light", "phone"]) {
  const { width } = looks[look].viewport;
  test(`nothing is cut off on any page at ${width} px, since wide tables and code scroll within their own boxes`, () =>
    visit("index.html", looks[look], async (page) => {
      const scrolling = new Set();
      for (const path of pages) {
        await page.goto(site + path);
        const { scrollWidth, clientWidth, cut, boxes } = await page.evaluate(measure);
        assert.ok(scrollWidth <= clientWidth, `${path} has ${scrollWidth} px in a window of ${clientWidth} px`);
        assert.deepEqual(cut, [], `${path} in a window of ${clientWidth} px`);
        assert.equal(await page.evaluate(() => scrollY), 0, `${path} does not begin at its top`);
        boxes.forEach((box) => scrolling.add(box));
      }
      assert.ok(pages.length > 40, `${pages.length} pages`);
      assert.deepEqual([...scrolling].sort(), ["DIV", "PRE"]);
    }));
}

for (const [look, options] of Object.entries(looks)) {
  describe(look, () => {
    test("the search finds the horizon in the glossary and elsewhere, and opens the first page", () =>
      visit("docs/leases.html", options, async (page) => {
        await page.keyboard.press("/");
        await page.keyboard.type("horizon");
        const results = page.locator("#results a");
        await results.filter({ hasText: "Glossary" }).first().waitFor();
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
        if (look.startsWith("phone")) {
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

test("code has colours in each language", () =>
  visit("index.html", {}, async (page) => {
    const coloured = new Set();
    for (const path of pages.filter((each) => each.startsWith("docs/") && !each.includes("internals"))) {
      await page.goto(site + path);
      const languages = await page
        .locator("code[class]:has(.token)")
        .evaluateAll((blocks) => blocks.map((code) => code.className.match(/language-(\w+)/)[1]));
      languages.forEach((language) => coloured.add(language));
    }
    for (const language of ["java", "sql", "yaml", "sh", "xml", "properties", "kotlin"]) {
      assert.ok(coloured.has(language), `${language} is not among ${[...coloured]}`);
    }
  }));

for (const [look, options] of [["light", looks.light], ["dark", looks.dark]]) {
  test(`the colours of code have a contrast of at least 4.5 in ${look}`, () =>
    visit("docs/getting-started.html", options, async (page) => {
      const pale = await page.locator("pre .token").evaluateAll((tokens) => {
        const luminance = (colour) => {
          const [r, g, b] = colour.match(/\d+/g).map((part) => ((part / 255 + 0.055) / 1.055) ** 2.4);
          return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
        };
        return tokens
          .map((token) => [token, luminance(getComputedStyle(token).color)])
          .filter(([token, light]) => {
            const paper = luminance(getComputedStyle(token.closest("pre")).backgroundColor);
            return Math.max(light, paper) / Math.min(light, paper) < 4.5;
          })
          .map(([token]) => token.className);
      });
      assert.deepEqual([...new Set(pale)], []);
    }));
}

test("a button copies the code beside it", () =>
  visit("docs/getting-started.html", {}, async (page) => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => (window.copied = text);
    });
    const box = page.locator(".code").first();
    await box.hover();
    await box.getByRole("button", { name: "Copy" }).click();
    await box.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => window.copied), await box.locator("code").textContent());
  }));

test("of a console, the button copies the commands without prompts and output", () =>
  visit("docs/cli.html", {}, async (page) => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => (window.copied = text);
    });
    const box = page.locator(".code:has(.language-console)").first();
    await box.hover();
    await box.getByRole("button").click();
    await box.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(await page.evaluate(() => window.copied), /^idgen [^\n]*$/);
  }));

test("the pages before and after lead through all pages of the list, each once", () =>
  visit("docs/getting-started.html", {}, async (page) => {
    const listed = await page.locator("#pages a").evaluateAll((links) => links.map((link) => link.href));
    const read = [page.url()];
    while ((await page.locator("#neighbours [rel=next]").count()) > 0) {
      await page.goto(await page.locator("#neighbours [rel=next]").evaluate((link) => link.href));
      assert.equal(await page.locator("#neighbours [rel=prev]").evaluate((link) => link.href), read.at(-1));
      read.push(page.url());
    }
    assert.deepEqual(read, listed);
    assert.equal(new Set(read).size, read.length);
  }));

test("the first page shows the code and the picture of README, without the badges", () =>
  visit("index.html", {}, async (page) => {
    assert.match(await page.locator(".hero pre").first().textContent(), /@SnowflakeId\n +private Long id;/);
    assert.match(await page.locator(".hero pre").nth(1).textContent(), /persist\(book\)/);
    assert.ok(await page.locator(".hero img").isVisible());
    assert.equal(await page.locator("main img[src*=badge]").count(), 0);
    assert.equal(await page.locator(".start a").first().textContent(), "Getting started");
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
