// Starts Chromium, and opens pages that collect their errors.

import { chromium } from "playwright-core";

export const images = process.env.IMAGES ?? new URL("../../target/browser", import.meta.url).pathname;

export function launch(args = []) {
  // tests may run as root, in a container without a sandbox
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", ...args] });
}

/** Opens a page in its own context. `errors` collects the errors of its console and its scripts. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({
    locale: "en-GB",
    timezoneId: "Africa/Nairobi",
    viewport: { width: 1200, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  const errors = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      errors.push(message.text());
    }
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  return { page, context, errors };
}
