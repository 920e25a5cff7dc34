"use strict";

const root = document.body.dataset.root;
const query = document.getElementById("query");
const results = document.getElementById("results");
const MOST = 12;

// The lists of pages and headings stay open where there is room for them.
const wide = matchMedia("(min-width: 60rem)");
function unfold() {
  for (const list of document.querySelectorAll(".columns > details")) {
    list.open = wide.matches;
  }
}
wide.addEventListener("change", unfold);
unfold();
document.querySelector("#pages [aria-current]")?.scrollIntoView({ block: "nearest" });

// Words of letters and digits; Chinese has no blanks, so each of its characters is a word.
function words(text) {
  return String(text).toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+?(?=\p{Script=Han}|[^\p{L}\p{N}]|$)/gu) ?? [];
}

function build(entries) {
  return lunr(function () {
    this.tokenizer = (text) => words(text ?? "").map((word) => new lunr.Token(word));
    this.pipeline.remove(lunr.trimmer); // the trimmer drops all letters except English ones
    this.ref("at");
    this.field("page", { boost: 4 });
    this.field("heading", { boost: 6 });
    this.field("terms", { boost: 12 });
    this.field("text");
    entries.forEach((entry, at) => this.add({ ...entry, at }));
  });
}

// Finds the sections that contain all words. The beginning of a word is enough.
function search(index, text) {
  const scores = words(text).map((word) => {
    const found = index.query((q) => {
      q.term(word, { boost: 10 });
      q.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    });
    return new Map(found.map((match) => [match.ref, match.score]));
  });
  const [first, ...others] = scores;
  return [...(first?.entries() ?? [])]
    .filter(([ref]) => others.every((each) => each.has(ref)))
    .map(([ref, score]) => [ref, others.reduce((sum, each) => sum + each.get(ref), score)])
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST)
    .map(([ref]) => window.searchIndex[ref]);
}

// Returns the text around the query, or around one of its words, with the match marked.
function excerpt(entry, text) {
  const lower = entry.text.toLowerCase();
  const part = [text.toLowerCase(), ...words(text)].find((each) => lower.includes(each)) ?? "";
  const at = lower.indexOf(part);
  const end = at + part.length;
  const span = document.createElement("span");
  const mark = document.createElement("mark");
  mark.textContent = entry.text.slice(at, end);
  span.append(at > 60 ? "… " : "", entry.text.slice(Math.max(0, at - 60), at), mark, entry.text.slice(end, end + 120));
  return span;
}

function item(entry, text) {
  const link = document.createElement("a");
  const title = document.createElement("b");
  link.href = root + entry.url;
  title.textContent = entry.heading ? `${entry.page} › ${entry.heading}` : entry.page;
  link.append(title, excerpt(entry, text));
  const line = document.createElement("li");
  line.append(link);
  return line;
}

let index;
let loading;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "assets/search-index.js";
    script.onload = () => resolve((index = build(window.searchIndex)));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

async function show() {
  await load();
  const text = query.value.trim();
  const found = search(index, text);
  results.replaceChildren(...found.map((entry) => item(entry, text)));
  if (found.length === 0) {
    const none = document.createElement("p");
    none.textContent = `No page has “${text}”.`;
    results.replaceChildren(document.createElement("li"));
    results.firstChild.append(none);
  }
  results.hidden = text === "";
}

query.addEventListener("focus", load, { once: true });
query.addEventListener("input", show);

document.addEventListener("keydown", (event) => {
  const links = [...results.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "/" && !event.target.matches("input")) {
    query.focus();
  } else if (event.key === "Escape" && !results.hidden) {
    results.hidden = true;
    query.focus();
  } else if (event.key === "Enter" && event.target === query) {
    show().then(() => results.querySelector("a")?.click());
    return;
  } else if (results.hidden || !event.target.closest("search")) {
    return;
  } else if (event.key === "ArrowDown") {
    links[at + 1]?.focus();
  } else if (event.key === "ArrowUp") {
    (links[at - 1] ?? query).focus();
  } else {
    return;
  }
  event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("search") || event.target.closest("#results a")) {
    results.hidden = true;
  }
});
