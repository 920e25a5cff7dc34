// One Chromium for all tests of a file, and pages that remember what went wrong on them.

import { chromium } from "playwright-core";

export const images = process.env.IMAGES ?? new URL("../../target/browser", import.meta.url).pathname;

export function launch(args = []) {
  // tests may run as root, in a container without a sandbox of its own
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", ...args] });
}

/** A page in a context of its own; `errors` collects what its console and its scripts complain of. */
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
