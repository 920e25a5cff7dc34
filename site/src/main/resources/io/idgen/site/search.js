"use strict";

// What people type, and the terms of the pages for it. A key is one or more words, whose parts "|" separates.
const TERMS = {
  "aws|rds|aurora|azure|gcp|cloud": "managed",
  "back|backwards|drift|ntp|time": "clock policy stepped",
  "auto increment|autoincrement|auto_increment|serial": "identity auto_increment",
  "collide|collision|duplicate|duplicates|same|unique|uniqueness": "equal duplicate",
  "bug|exception|error": "errors",
  "build|ci|junit|mock|unittest": "test",
  "cost|expensive|price|slow down": "costs",
  "create table|ddl|migration|schema|liquibase": "tables flyway",
  "date|day|timestamp": "time day",
  "down|crash|unavailable|unreachable": "outage",
  "fast|latency|per second|qps|slow|speed|throughput": "performance limits",
  "frontend|browser|js|node|nodejs|typescript|react": "javascript json",
  "grant|permission|permissions|privilege|rights|role": "grants",
  "hide|guess|secret|leak": "public hide volume",
  "k8s|pod|pods|container|docker|replicas|statefulset": "kubernetes process",
  "alternative|better|difference|versus|vs": "comparison alternatives",
  "leave|remove|uninstall|quit|rid|replace": "leaving stop",
  "limit|max|maximum|overflow|run out": "limits",
  "alert|dashboard|grafana|monitor|monitoring|prometheus": "metrics",
  "maintained|maintainer|maintains|support|roadmap": "maintenance maintains",
  "migrate|move|switch|import|existing": "adopting existing",
  "microservice|microservices|multiple|services": "services several",
  "permit|safe|reliable|trust|guarantee": "guarantees uniqueness",
  "python|go|rust|php|csharp": "languages",
  "security|vulnerability|cve": "security",
  "upgrade|update version|new version": "version versions compatibility",
  "choose|pick|should": "strategies choose",
  "uuid|ulid|tsid": "alternatives",
};

// Words of letters and digits. Chinese has no blanks, so each of its characters is a word.
function words(text) {
  return String(text).toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+?(?=\p{Script=Han}|[^\p{L}\p{N}]|$)/gu) ?? [];
}

function buildIndex(entries) {
  return lunr(function () {
    this.tokenizer = (text) => words(text ?? "").map((word) => new lunr.Token(word));
    this.pipeline.remove(lunr.trimmer); // the trimmer drops all letters except English ones
    this.ref("at");
    this.b(0.5); // favours short sections less than the default does
    this.field("name", { boost: 8 });
    this.field("page", { boost: 4 });
    this.field("heading", { boost: 8 });
    this.field("terms", { boost: 4 });
    this.field("text");
    entries.forEach((entry, at) => this.add({ ...entry, name: entry.url.replace(/.*\/|\.html.*/g, ""), at }, { boost: entry.weight }));
  });
}

// Returns the words that count: all except stop words and the library's name, unless there are no others.
function asked(text) {
  const all = words(text);
  const some = all.filter((word) => word !== "idgen" && lunr.stopWordFilter(word));
  return some.length > 0 ? some : all;
}

function terms(text) {
  const padded = ` ${words(text).join(" ")} `;
  return Object.entries(TERMS)
    .filter(([typed]) => typed.split("|").some((each) => padded.includes(` ${words(each).join(" ")} `)))
    .flatMap(([, found]) => words(found))
    .filter((term) => !words(text).includes(term));
}

/** Finds pages, the best one first. Each has its sections, the best one first. */
function search(index, entries, text) {
  const typed = asked(text);
  const queries = typed.map((word, at) => (q) => {
    q.term(word, { boost: 10 });
    q.term(word, { editDistance: word.length > 4 ? 1 : 0 });
    if (at === typed.length - 1) {
      q.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    }
  });
  const others = terms(text);
  if (others.length > 0) {
    queries.push((q) => others.forEach((term) => q.term(term, {})));
  }
  const scores = new Map();
  for (const query of queries) {
    for (const { ref, score } of index.query(query)) {
      const before = scores.get(ref) ?? { sum: 0, count: 0 };
      scores.set(ref, { sum: before.sum + score, count: before.count + 1 });
    }
  }
  const pages = new Map();
  [...scores]
    .map(([ref, { sum, count }]) => ({ ...entries[ref], score: sum * Math.sqrt(count) }))
    .sort((a, b) => b.score - a.score)
    .forEach((entry) => pages.set(entry.page, [...(pages.get(entry.page) ?? []), entry]));
  return [...pages.values()];
}
