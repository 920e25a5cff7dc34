// Writes the pictures of the site to docs/images/site, in 64 colours so that they stay small.

import { mkdirSync, writeFileSync } from "node:fs";
import UPNG from "upng-js";
import { launch, looks, pagesFor, visit } from "./browser.js";

const COLOURS = 64;
const LARGEST = 1_000_000; // bytes of all pictures
const images = new URL("../../../docs/images/site/", import.meta.url).pathname;
const pages = {
  landing: "index.html",
  guide: "docs/getting-started.html",
  table: "docs/errors.html",
  search: "docs/spring-boot.html",
};
let bytes = 0;

mkdirSync(images, { recursive: true });
const browser = await launch();
try {
  for (const [look, options] of Object.entries(looks)) {
    for (const [name, path] of Object.entries(pages)) {
      await visit(browser, path, options, async (page) => {
        if (name === "search") {
          await pagesFor(page, "duplicate key after failover");
        }
        const { width, height, ...png } = UPNG.decode(await page.screenshot());
        const small = Buffer.from(UPNG.encode(UPNG.toRGBA8({ width, height, ...png }), width, height, COLOURS));
        bytes += small.length;
        writeFileSync(`${images}${name}-${look}.png`, small);
      });
    }
  }
} finally {
  await browser.close();
}
if (bytes > LARGEST) {
  throw new Error(`The pictures have ${bytes} bytes, more than ${LARGEST}; show less, or use fewer colours.`);
}
console.log(`${bytes} bytes in ${images}`);
