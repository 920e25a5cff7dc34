// Opens pages of the site in headless Chromium.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

// from the disk, as a user opens it after a build
export const site = new URL("../../target/site/", import.meta.url).href;

export const looks = {
  light: { viewport: { width: 1366, height: 768 } },
  dark: { viewport: { width: 1366, height: 768 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 } },
  "phone-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
}

/**
 * Opens a page and passes it on. Fails if the console has a message, or if the page requests anything outside the disk.
 */
export async function visit(browser, path, options, act) {
  const context = await browser.newContext({ ...looks.light, ...options });
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

/** Types a query, and returns the address of the best section of each page that is found. */
export async function pagesFor(page, query) {
  await page.fill("#query", "");
  await page.fill("#query", query);
  await page.locator("#results li").first().waitFor();
  return page.locator("#results li a:first-child").evaluateAll((links) => links.map((link) => link.href));
}
