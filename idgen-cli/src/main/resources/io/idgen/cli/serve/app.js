// The script of the page. The server computes everything; the script sends requests and shows the answers. Ids are
// always strings. Text is inserted as text, never as markup.

import { messages } from "/messages.js";

const $ = (id) => document.getElementById(id);

const state = { language: "en", presets: [], layout: null, answer: null, isDecoded: false, selected: 0 };

// --- words

function say(key, values = {}) {
  return messages[state.language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

function number(digits) {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ",");
}

function firstLanguage() {
  const wanted = [remembered("language"), ...navigator.languages].filter(Boolean);
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in messages) ?? "en";
}

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage may be forbidden
  }
}

function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // then the page chooses again next time
  }
}

function speak(language) {
  state.language = language;
  document.documentElement.lang = language;
  $("language").value = language;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = say(element.dataset.text);
  }
  document.title = `idgen ${say("title")}`;
  showPresets();
  showLayout();
  showAnswer();
}

// --- questions

class Refused extends Error {}

async function ask(path, question) {
  let response;
  try {
    response = await fetch(path, question && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
    });
  } catch {
    throw new Refused(say("noServer"));
  }
  const answer = await response.json();
  if (!response.ok) {
    throw new Refused(answer.error);
  }
  return answer;
}

function complain(id, error) {
  const place = $(id);
  place.hidden = !error;
  place.textContent = error ? error.message : "";
}

const newest = {}; // the number of the newest question of each place

/** Makes each answer stale that the place still waits for, and clears its error. */
function begin(place) {
  complain(place, null);
  newest[place] = (newest[place] ?? 0) + 1;
  return newest[place];
}

/**
 * Asks, and uses the answer. If the server refuses the question, shows the reason at the given place. Answers can
 * arrive in another order than their questions: a stale one is dropped.
 */
async function attempt(place, question, use, refused = () => {}) {
  const mine = begin(place);
  try {
    const answer = await question();
    if (mine === newest[place]) {
      await use(answer);
    }
  } catch (error) {
    if (!(error instanceof Refused)) {
      throw error;
    }
    if (mine === newest[place]) {
      complain(place, error);
      refused();
    }
  }
}

// --- layout

function layoutQuestion() {
  return { layout: $("widths").value.trim(), epoch: $("epoch").value.trim() };
}

function showPresets() {
  const chosen = state.layout?.preset ?? "";
  $("preset").replaceChildren(
    ...state.presets.map((preset) => new Option(preset.preset, preset.preset)),
    new Option(say("custom"), ""),
  );
  $("preset").value = chosen;
}

function showLayout() {
  const layout = state.layout;
  if (!layout) {
    for (const id of ["epoch-hint", "capacity", "datacenter-hint", "worker-hint"]) {
      $(id).textContent = "";
    }
    return;
  }
  $("preset").value = layout.preset ?? "";
  $("epoch-hint").textContent = /^\d+$/.test($("epoch").value.trim()) ? layout.epoch : `${layout.epochMillis} ms`;
  $("capacity").textContent = say("capacity", {
    end: layout.end.slice(0, 10),
    workers: number(layout.workers),
    ids: number(layout.idsPerTick),
    tick: say("millis", { n: layout.tickMillis }),
  });
  $("datacenter-hint").textContent = say("range", { max: 2 ** layout.datacenterBits - 1 });
  $("worker-hint").textContent = say("range", { max: 2 ** layout.workerBits - 1 });
  $("datacenter").disabled = layout.datacenterBits === 0;
}

function choose(preset) {
  $("widths").value = preset.widths;
  $("epoch").value = preset.epoch;
  begin("layout-error");
  return take(preset);
}

/** Shows a layout, and decodes the current ids again. Without a layout, removes the answer below. */
function take(layout) {
  state.layout = layout;
  showLayout();
  if (layout) {
    remember("widths", $("widths").value.trim());
    remember("epoch", $("epoch").value.trim());
  }
  if (layout && state.answer && state.isDecoded) {
    return parse();
  }
  state.answer = null;
  showAnswer();
  return undefined;
}

function presetNamed(name) {
  return state.presets.find((preset) => preset.preset === name);
}

/** Opens with the preset of the address (?preset=twitter), or the last layout used in this browser, or idgen's. */
async function firstLayout() {
  const wanted = new URLSearchParams(location.search).get("preset");
  if (wanted === null && remembered("widths") && remembered("epoch")) {
    $("widths").value = remembered("widths");
    $("epoch").value = remembered("epoch");
    await readLayout();
  } else {
    await choose(presetNamed(wanted ?? "idgen") ?? presetNamed("idgen"));
  }
  if (wanted !== null && !presetNamed(wanted)) {
    const presets = state.presets.map((preset) => preset.preset).join(", ");
    complain("layout-error", new Refused(say("noPreset", { preset: wanted, presets })));
  }
}

async function readLayout() {
  await attempt("layout-error", () => ask("/api/layout", layoutQuestion()), take, () => {
    $("preset").value = "";
    take(null);
  });
}

// --- forms

function wholeNumber(id) {
  const value = $(id).value.trim();
  if (!/^\d{1,9}$/.test(value)) {
    throw new Refused(say("wholeNumber", { what: say(id), value }));
  }
  return Number(value);
}

async function parse() {
  await attempt("parse-error", async () => {
    const ids = $("ids").value.split(/[\s,;]+/).filter(Boolean);
    if (ids.length === 0) {
      throw new Refused(say("noIds"));
    }
    return ask("/api/inspect", { ...layoutQuestion(), ids, form: $("form").value });
  }, (answer) => show(answer, true));
}

async function generate() {
  await attempt("generate-error", async () => ask("/api/generate", {
    ...layoutQuestion(),
    datacenter: $("datacenter").disabled ? 0 : wholeNumber("datacenter"),
    worker: wholeNumber("worker"),
    count: wholeNumber("count"),
    moment: $("moment").value.trim(),
  }), (answer) => show(answer, false));
}

// --- answers

function show(answer, isDecoded) {
  state.answer = answer;
  state.isDecoded = isDecoded;
  state.selected = Math.max(0, answer.ids.findIndex((id) => !id.error));
  showAnswer();
  $("results").scrollIntoView({ block: "nearest" });
}

function showAnswer() {
  const answer = state.answer;
  $("results").hidden = !answer;
  if (!answer) {
    return;
  }
  showVerdict(answer);
  showDetail(answer.ids[state.selected]);
  showList(answer);
}

function showVerdict({ verdict, ids }) {
  $("verdict").hidden = !verdict;
  if (!verdict) {
    return;
  }
  $("verdict").classList.toggle("duplicates", verdict.kind === "duplicates");
  const equal = verdict.kind === "duplicates";
  $("verdict").replaceChildren(
    element("strong", say(equal ? "verdictDuplicates" : "verdictDifferent")),
    `: ${verdictText(verdict, ids.filter((id) => !id.error).length)}`,
  );
}

function verdictText(verdict, count) {
  if (verdict.kind === "distinct") {
    return say("distinct", { n: number(count) });
  }
  if (verdict.kind === "duplicates") {
    const most = 5;
    const all = Object.entries(verdict.repeated).map(([id, n]) => say("times", { id, n }));
    const ids = all.slice(0, most).join(", ") + (all.length > most ? ", …" : "");
    return `${say("duplicates", { ids })} ${say(verdict.cause)}`;
  }
  return [
    say("differIn", { fields: verdict.fields.map((field) => say(field)).join(", ") }),
    verdict.first ? say("firstMade", { id: verdict.first }) : say("unordered"),
    verdict.gapMillis === "0" ? "" : say("gap", { gap: number(verdict.gapMillis) }),
    verdict.sameInJavaScript ? say("sameInJavaScript") : "",
  ].filter(Boolean).join(" ");
}

function showDetail(id) {
  const detail = $("detail");
  detail.hidden = false;
  if (id.error) {
    detail.replaceChildren(element("p", id.text, "big"), element("p", say("notAnId", { why: id.error }), "error"));
    return;
  }
  detail.replaceChildren(
    element("p", id.id, "big"),
    when(id),
    ...(id.plausible ? [] : [element("p", say("implausible"), "warning")]),
    bits(id),
    legend(id),
    forms(id),
    ...others(id),
  );
}

/** Lists the other presets that could have generated the id. A click decodes the id with one of them. */
function others(id) {
  if (id.others.length === 0) {
    return [];
  }
  const list = element("ul", "", "others");
  for (const other of id.others) {
    const item = document.createElement("li");
    const pick = element("button", other.preset, "other");
    pick.type = "button";
    pick.setAttribute("aria-label", say("decodeAs", { preset: other.preset }));
    pick.addEventListener("click", () => choose(presetNamed(other.preset)));
    const worker = `${other.datacenter}/${other.worker}`;
    item.append(pick, element("span", other.instant, "mono"), element("span", say("otherParts", {
      worker, sequence: other.sequence,
    })));
    list.append(item);
  }
  return [element("p", say("others"), "hint apart"), list];
}

function when(id) {
  const line = element("p", "", "when");
  const time = element("time", id.instant, "mono");
  time.dateTime = id.instant;
  const local = new Date(id.instant);
  const text = Number.isNaN(local.getTime())
    ? ""
    : ` · ${say("here", { time: local.toLocaleString(state.language, { dateStyle: "medium", timeStyle: "medium" }) })}`;
  line.append(time, element("span", text, "local"));
  return line;
}

function bits(id) {
  const drawing = element("div", "", "bits");
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", say("drawing", { id: id.id, fields: id.fields.map(fieldText).join("; ") }));
  for (const field of id.fields) {
    const digits = id.binary.slice(64 - field.shift - field.width, 64 - field.shift);
    [...digits].forEach((digit, i) => {
      const bit = element("span", digit, `bit ${field.name}`);
      bit.classList.toggle("first", i === 0);
      bit.classList.toggle("last", i === digits.length - 1);
      drawing.append(bit);
    });
  }
  return drawing;
}

function width(field) {
  return field.width === 1 ? say("oneBit") : say("bits", { n: field.width });
}

function value(field) {
  return field.name === "time" ? say("ticks", { value: number(field.value) }) : field.value;
}

function fieldText(field) {
  return `${say(field.name)} ${value(field)}, ${width(field)}`;
}

function legend(id) {
  const list = element("ul", "", "legend");
  for (const field of id.fields) {
    const item = element("li", `${say(field.name)} `, field.name);
    item.append(element("span", value(field), "mono"), ` · ${width(field)}`);
    list.append(item);
  }
  return list;
}

function forms(id) {
  const list = element("dl", "", "forms");
  const texts = { decimal: id.id, hex: id.hex, binary: id.binary, base32: id.base32 };
  for (const [name, text] of Object.entries(texts)) {
    const what = name === "base32" ? name : say(name);
    list.append(element("dt", what), element("dd", text, "mono"), copyButton(text, what));
  }
  return list;
}

function showList({ ids, verdict }) {
  $("list").hidden = ids.length < 2;
  $("list-title").textContent = say("list", { n: number(ids.length) });
  $("rows").replaceChildren(...ids.map((id, index) => row(id, index, verdict?.repeated ?? {})));
}

function row(id, index, repeated) {
  const line = document.createElement("tr");
  line.classList.toggle("repeated", id.id in repeated);
  const pick = element("button", id.id ?? id.text, "pick");
  pick.type = "button";
  pick.setAttribute("aria-current", String(index === state.selected));
  pick.addEventListener("click", () => {
    $("rows").querySelector('[aria-current="true"]')?.setAttribute("aria-current", "false");
    pick.setAttribute("aria-current", "true");
    state.selected = index;
    showDetail(id);
    $("detail").scrollIntoView({ block: "nearest" });
  });
  line.append(cell(pick));
  if (id.error) {
    const why = cell(id.error, "wrong");
    why.colSpan = 4;
    line.append(why);
  } else {
    line.append(cell(id.instant, "mono"), cell(id.datacenter), cell(id.worker), cell(id.sequence));
  }
  return line;
}

function cell(content, className = "") {
  const td = element("td", "", className);
  td.append(content);
  return td;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

// --- copying

function copyButton(text, what) {
  const button = element("button", say("copy"), "copy");
  button.type = "button";
  button.setAttribute("aria-label", say("copyWhat", { what }));
  button.addEventListener("click", () => copy(text, what));
  const place = document.createElement("dd");
  place.append(button);
  return place;
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    $("said").textContent = say("copied", { what });
  } catch {
    $("said").textContent = say("cannotCopy");
  }
}

// --- start

$("language").addEventListener("change", ({ target }) => {
  remember("language", target.value);
  speak(target.value);
});

$("preset").addEventListener("change", ({ target }) => {
  const preset = presetNamed(target.value);
  if (preset) {
    choose(preset);
  } else {
    $("widths").focus();
  }
});

for (const id of ["widths", "epoch"]) {
  $(id).addEventListener("change", readLayout);
}

for (const [id, action] of [["parse", parse], ["generate", generate]]) {
  $(id).addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

$("ids").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    parse();
  }
});

$("copy-all").addEventListener("click", () => {
  const ids = state.answer.ids.filter((id) => !id.error).map((id) => id.id);
  copy(ids.join("\n"), say("list", { n: number(ids.length) }));
});

speak(firstLanguage());
await attempt("layout-error", () => ask("/api/presets"), async (presets) => {
  state.presets = presets;
  await firstLayout();
  showPresets();
  document.documentElement.dataset.ready = "true";
});
