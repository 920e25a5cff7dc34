"use strict";

const root = document.body.dataset.root;
const query = document.getElementById("query");
const results = document.getElementById("results");
const PAGES = 8;
const SECTIONS = 2;

// The lists of pages and headings stay open where there is room for them.
const wide = matchMedia("(min-width: 60rem)");
function unfold() {
  for (const list of document.querySelectorAll(".columns > details")) {
    list.open = wide.matches;
  }
}
wide.addEventListener("change", unfold);
unfold();
const list = document.getElementById("pages");
list.scrollTop = (list.querySelector("[aria-current]")?.offsetTop ?? 0) - list.clientHeight / 2;

// Returns the code, or, from a console, the commands without prompts and output.
function copied(block) {
  const commands = block.querySelector(".language-console") && block.textContent.match(/(?<=^\$ ).*(?:\\\n.*)*/gm);
  return commands ? commands.join("\n") : block.textContent;
}

// Each block of code gets a button, in a box around the block, since the block scrolls.
for (const code of document.querySelectorAll("main pre")) {
  const box = document.createElement("div");
  const copy = document.createElement("button");
  box.className = "code";
  copy.type = "button";
  copy.textContent = "Copy";
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copied(code));
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = "Copy"), 2000);
  });
  code.replaceWith(box);
  box.append(code, copy);
}

// Returns the text around the first word of the query that the section has, with the word marked.
function excerpt(entry, text) {
  const lower = entry.text.toLowerCase();
  const part = [text.toLowerCase(), ...asked(text)].find((each) => lower.includes(each)) ?? "";
  const at = lower.indexOf(part);
  const end = at + part.length;
  const span = document.createElement("span");
  const mark = document.createElement("mark");
  mark.textContent = entry.text.slice(at, end);
  const before = at > 60 ? entry.text.slice(at - 60, at).replace(/^\S*/, "…") : entry.text.slice(0, at);
  span.append(before, mark, entry.text.slice(end, end + 120).replace(/\S*$/, "…"));
  return span;
}

// A page, with its best section and the ones that are almost as good.
function item(sections, text) {
  const line = document.createElement("li");
  for (const entry of sections.slice(0, SECTIONS).filter(({ score }) => score > sections[0].score * 0.7)) {
    const link = document.createElement("a");
    const title = document.createElement("b");
    link.href = root + entry.url;
    title.textContent = entry.heading ? `${entry.page} › ${entry.heading}` : entry.page;
    link.append(title, excerpt(entry, text));
    line.append(link);
  }
  return line;
}

let index;
let loading;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = root + "assets/search-index.js";
    script.onload = () => resolve((index = buildIndex(window.searchIndex)));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

async function show() {
  await load();
  const text = query.value.trim();
  const found = search(index, window.searchIndex, text).slice(0, PAGES);
  results.replaceChildren(...found.map((sections) => item(sections, text)));
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
