import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, looks, pagesFor, site, visit } from "./browser.js";

// What people type, and the page that answers it. A second or third page is as good as the first one.
const QUESTIONS = `
  how to test                        docs/testing
  is it safe                         docs/guarantees
  duplicate key after failover       docs/operations
  how do I leave                     docs/leaving
  mysql auto increment               docs/adopting-identity
  clock went backwards               docs/clock-policies docs/leases
  two pods same worker id            docs/worker-ids docs/leases
  json long javascript               docs/json
  flyway                             docs/databases
  uuid vs snowflake                  docs/comparison
  what does it cost                  docs/comparison
  how fast is it                     docs/performance
  who maintains this                 docs/faq
  does it work on aws rds            docs/managed-databases
  kubernetes replicas                docs/worker-ids
  frontend shows wrong id            docs/json
  spring boot starter                docs/spring-boot docs/getting-started
  mybatis                            docs/without-hibernate
  plain jdbc without hibernate       docs/without-hibernate docs/getting-started
  which strategy should I choose     docs/strategies
  gaps in ids                        docs/strategies
  database is down                   docs/leases docs/strategies
  IDGEN-601                          docs/errors
  health check actuator              docs/metrics docs/spring-boot
  grafana dashboard alerts           docs/metrics
  restore backup                     docs/maintenance
  grant permissions for the dba      docs/databases
  change int to bigint               docs/adopting-int
  composite primary key              docs/hibernate
  move from mybatis-plus snowflake   docs/adopting-generators
  how many ids per second            docs/limits docs/performance
  when will ids run out              docs/limits
  multiple services one database     docs/services
  decode an id                       docs/ids docs/cli
  python client                      docs/ids
  hide number of orders              docs/ids
  find rows by date                  docs/ids
  redis                              docs/redis
  upgrade to a new version           VERSIONING docs/compatibility docs/maintenance
  supported hibernate versions       docs/compatibility
`
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s{2,}/))
  .map(([query, answers]) => ({ query, answers: answers.split(" ").map((page) => `${page}.html`) }));
const ENOUGH = 38;

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser?.close());

test(`${ENOUGH} of ${QUESTIONS.length} questions have the right page among the first three`, (t) =>
  visit(browser, "index.html", {}, async (page) => {
    const misses = [];
    for (const { query, answers } of QUESTIONS) {
      for (const answer of answers) {
        assert.ok(existsSync(new URL(answer, site)), `“${query}” wants ${answer}, which is no page`);
      }
      const found = await pagesFor(page, query);
      const pages = found.slice(0, 3).map((url) => url.slice(site.length).replace(/#.*/, ""));
      if (!pages.some((each) => answers.includes(each))) {
        misses.push(`“${query}” finds ${pages.join(", ")} instead of ${answers.join(" or ")}`);
      }
    }
    t.diagnostic(`${QUESTIONS.length - misses.length} of ${QUESTIONS.length} questions are answered`);
    misses.forEach((miss) => t.diagnostic(miss));
    assert.ok(QUESTIONS.length - misses.length >= ENOUGH, misses.join("\n"));
  }));

test("the search finds parts of words, mistyped words, settings, codes and Chinese words", () =>
  visit(browser, "index.html", {}, async (page) => {
    for (const [words, expected] of [
      ["hibern", "docs/hibernate.html"],
      ["kubernets", "docs/worker-ids.html#on-kubernetes"],
      ["IDGEN-607", "docs/errors.html#IDGEN-607"],
      ["idgen.worker.lease", "docs/settings.html#idgen.worker.lease"],
      ["号段", "docs/getting-started.zh-CN.html"],
    ]) {
      const found = await pagesFor(page, words);
      assert.ok(found.some((url) => url.startsWith(site + expected)), `${words}: ${found.join(" ")}`);
    }
  }));

test("the search says when there is nothing", () =>
  visit(browser, "index.html", {}, async (page) => {
    assert.deepEqual(await pagesFor(page, "nosuchword"), []);
    assert.equal(await page.locator("#results").textContent(), "No page has “nosuchword”.");
  }));

test("nothing of the page covers the results on a phone", () =>
  visit(browser, "docs/getting-started.html", looks.phone, async (page) => {
    await pagesFor(page, "duplicate key after failover");
    const covering = await page.locator("#results").evaluate((results) => {
      const { left, top, width, height } = results.getBoundingClientRect();
      return Array.from({ length: Math.floor(height / 10) }, (_, row) => [left + width / 2, top + 5 + row * 10])
        .map(([x, y]) => document.elementFromPoint(x, y))
        .filter((shown) => !shown.closest("#results"))
        .map((shown) => shown.outerHTML.slice(0, 80));
    });
    assert.deepEqual(covering, []);
  }));
