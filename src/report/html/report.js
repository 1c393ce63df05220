// SPDX-License-Identifier: MIT
// The report's page. All that is known is in the JSON of #data; nothing is
// loaded from elsewhere. Long lists (steps, source lines) are drawn only where
// they can be seen, so that runs of many thousand steps open at once.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// An element: h("b", {class: "x", onclick: f}, child, "text", …)
function h(tag, attributes, ...children) {
  const svg = /^(svg|g|path|line|rect|text|tspan|defs|marker)$/.test(tag);
  const e = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {}))
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) e.setAttribute(key, value === true ? "" : value);
  e.append(...children.flat().filter(c => c != null && c !== false));
  return e;
}
const count = n => n.toLocaleString("en");
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
const base = path => path.replace(/.*\//, "");
const color = thread => `--c: var(--t${thread % 8})`;

// --- theme ---

function startTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try { chosen = localStorage.getItem("heddle-theme"); } catch { /* not for files */ }
  const show = () => {
    document.documentElement.dataset.theme = chosen || (dark.matches ? "dark" : "light");
    if (player) player.paint();
  };
  const flip = () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("heddle-theme", chosen); } catch { /* likewise */ }
    show();
  };
  dark.addEventListener("change", show);
  $("theme").addEventListener("click", flip);
  show();
  return flip;
}

// --- verdict ---

const words = {
  unsafe: ["✗", "unsafe"], safe: ["✓", "safe"], unknown: ["?", "unknown"], none: ["▸", "run"],
};

function place(at, thread) {
  if (!at || at.line == null) return null;
  return `${base(data.files[at.file].name)}:${at.line}${thread ? ` (${thread})` : ""}`;
}

function showVerdict() {
  const kind = data.verdict || "none";
  const [sign, word] = words[kind];
  const hero = h("div", {class: `hero ${kind}`},
    h("div", {class: "word"}, h("span", {"aria-hidden": "true"}, sign), word),
    h("h1", null, data.summary[0].toUpperCase() + data.summary.slice(1)),
    h("p", null, h("code", null, data.file), ` — ${data.kind}`, data.size ? `, ${data.size}` : ""));
  const card = h("div", {class: "card"}, hero);
  const answers = group(data.findings.filter(f => f.name !== "run"));
  if (answers.length) card.append(h("div", {class: "answers"}, answers.map(answer)));
  const notes = data.notes.slice();
  if (data.hint) notes.push("Try " + data.hint + ".");
  if (notes.length) card.append(h("ul", {class: "notes"}, notes.map(n => h("li", null, n))));
  $("verdict").append(card);
}

// Those about which the same is said share a row.
function group(findings) {
  const rows = [];
  for (const f of findings) {
    const same = f.run == null && rows.find(r => r.run == null && r.verdict === f.verdict && r.reason === f.reason && r.engine === f.engine);
    if (same) same.name += `, ${f.name}`;
    else rows.push({...f});
  }
  const order = ["unsafe", "unknown", "safe"];
  return rows.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

function answer(f) {
  const where = [place(f.at, f.at_thread), place(f.other, f.other_thread)].filter(Boolean);
  const by = (f.engine ? `by ${f.engine}` : "") + (f.checked ? (f.engine ? ", " : "") + "checked" : "");
  const what = h("div", {class: "what"}, f.title,
    f.run != null && data.runs.length > 1 &&
      h("button", {type: "button", onclick: () => { player.choose(f.run); $("run").scrollIntoView(); }}, "show"),
    where.length > 0 && h("small", null, where.join(" and ")),
    f.reason && h("small", null, f.reason));
  return h("div", {class: `answer ${f.verdict}`}, h("span", {class: "name"}, f.name),
    h("span", {class: "chip"}, f.verdict), what, h("span", {class: "by"}, by));
}

// --- lists of which only what can be seen is there ---

class Window {
  // draw(first, last) makes the elements of these rows, last not included.
  constructor(scroll, canvas, height, draw) {
    Object.assign(this, {scroll, canvas, height, draw, n: 0, asked: false});
    scroll.addEventListener("scroll", () => this.ask());
    new ResizeObserver(() => this.ask()).observe(scroll);
  }
  resize(n) {
    this.n = n;
    this.canvas.style.height = `${n * this.height + 8}px`;
    this.ask();
  }
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.paint(); });
  }
  paint() {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / this.height) - 6);
    const last = Math.min(this.n, Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / this.height) + 6);
    this.canvas.replaceChildren(...this.draw(first, last));
  }
  reveal(row) {
    const top = row * this.height, room = this.scroll.clientHeight;
    const margin = Math.min(room / 3, 3 * this.height);
    const s = this.scroll.scrollTop;
    if (top < s + margin || top + this.height > s + room - margin)
      this.scroll.scrollTop = Math.max(0, top - room / 2);
    this.ask();
  }
}

// --- source ---

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long " +
  "register return short signed sizeof static struct switch typedef union unsigned void volatile while bool _Bool _Atomic _Thread_local " +
  "begin end decl skip assert assume goto start_thread atomic_begin atomic_end vars rules init target true false").split(" "));
const TOKEN = /(\/\*[^]*?(?:\*\/|$)|\/\/.*)|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|\b(0[xX][\da-fA-F]+|\d+(?:\.\d+)?)\b|([A-Za-z_]\w*)|(^\s*#\s*\w+)/g;

// Which lines begin inside a comment.
function comments(lines) {
  const inside = [];
  let open = false;
  for (const line of lines) {
    inside.push(open);
    const rest = line.replace(/"(?:\\.|[^"\\])*"/g, "");
    const from = rest.lastIndexOf("/*"), to = rest.lastIndexOf("*/");
    if (from > to && !/\/\//.test(rest.slice(0, from))) open = true;
    else if (to >= 0) open = false;
  }
  return inside;
}

// Of the other formats only comments and numbers.
function highlightModel(line) {
  const mark = line.search(/#|\/\//), code = mark < 0 ? line : line.slice(0, mark);
  return [...code.split(/\b(\d+)\b/).map((part, i) => i % 2 ? h("span", {class: "num"}, part) : part),
    mark >= 0 && h("span", {class: "com"}, line.slice(mark))].filter(Boolean);
}

function highlight(line, inComment) {
  const parts = [];
  let at = 0;
  if (inComment) {
    const end = line.indexOf("*/");
    if (end < 0) return [h("span", {class: "com"}, line)];
    parts.push(h("span", {class: "com"}, line.slice(0, end + 2)));
    at = end + 2;
  }
  TOKEN.lastIndex = at;
  for (let m; (m = TOKEN.exec(line));) {
    const kind = m[1] ? "com" : m[2] ? "str" : m[3] ? "num" : m[5] ? "pre" : KEYWORDS.has(m[4]) ? "kw" : null;
    if (!kind) continue;
    parts.push(line.slice(at, m.index), h("span", {class: kind}, m[0]));
    at = m.index + m[0].length;
  }
  parts.push(line.slice(at));
  return parts;
}

class Source {
  constructor() {
    this.files = data.files.map(f => {
      const lines = f.text == null ? null : f.text.replace(/\r/g, "").split("\n");
      if (lines && lines.length > 1 && lines[lines.length - 1] === "") lines.pop();
      return {name: f.name, lines, inside: lines && comments(lines), model: /\.(tts|spec|pnml|prop)$/.test(f.name)};
    });
    this.file = -1;
    this.marks = new Map();
    this.window = new Window($("code"), $("lines"), 20, (a, b) => this.draw(a, b));
    this.tabs = this.files.map((f, i) => h("button", {type: "button", role: "tab", title: f.name,
      onclick: () => this.open(i)}, base(f.name)));
    $("tabs").append(...this.tabs);
    if (this.files.length) this.open(0);
  }
  open(file) {
    if (file === this.file) return;
    this.file = file;
    this.tabs.forEach((t, i) => t.setAttribute("aria-selected", i === file));
    const lines = this.files[file].lines;
    this.wide = lines ? Math.max(20, ...lines.slice(0, 5000).map(l => l.length)) : 20;
    $("lines").style.minWidth = `${this.wide * 7.6 + 120}px`;
    $("code").scrollLeft = 0;
    this.window.resize(lines ? lines.length : 1);
  }
  // marks: line → [{thread, now, failed, letter}]; `at` is shown.
  show(file, line, marks) {
    this.allMarks = marks;
    if (file != null && file >= 0) this.open(file);
    if (line && file === this.file) this.window.reveal(line - 1);
    else this.window.ask();
  }
  draw(first, last) {
    const f = this.files[this.file];
    if (!f || !f.lines) return [h("div", {class: "empty"}, "The source is not there.")];
    const rows = [];
    for (let i = first; i < last; i++) {
      const marks = (this.allMarks && this.allMarks.get(`${this.file}:${i + 1}`)) || [];
      const now = marks.find(m => m.now);
      const failed = marks.some(m => m.failed);
      const kind = failed ? "failed" : now ? "active" : marks.length ? "held" : "";
      rows.push(h("div", {class: `src ${kind}`, style: `top: ${i * 20}px; ${marks.length ? color((now || marks[0]).thread) : ""}`},
        h("span", {class: "no"}, i + 1),
        h("span", {class: "marks"}, marks.map(m => h("em", {style: color(m.thread), title: m.name}, m.letter))),
        h("span", null, f.model ? highlightModel(f.lines[i]) : highlight(f.lines[i], f.inside[i]))));
    }
    return rows;
  }
}

// --- the state after a step ---

// Change kinds, in the order of the C side.
const SHARED = 0, LOCAL = 1, ACQUIRE = 2, RELEASE = 3, WAIT = 4, OUTPUT = 5, END = 6;

class State {
  constructor(run) {
    this.run = run;
    this.reset();
  }
  reset() {
    this.at = 0;     // changes that were made
    this.step = -1;
    this.shared = new Map();
    this.locals = this.run.threads.map(() => new Map());
    this.locks = new Map();
    this.doing = this.run.threads.map(() => "");
    this.in = this.run.threads.map(() => null);
    this.output = "";
  }
  // Goes on, or begins again to go back.
  go(step) {
    if (step < this.step) this.reset();
    const {changes, steps} = this.run;
    this.fresh = new Map();
    for (let s = this.step; s <= step; s++) {
      if (s > this.step) {
        this.in[steps[s][0]] = steps[s][6];
        this.doing[steps[s][0]] = "";
      }
      for (; this.at < changes.length && changes[this.at][0] <= s; this.at++) this.make(changes[this.at], step);
    }
    this.step = step;
  }
  set(map, key, value, fresh, id) {
    if (fresh) this.fresh.set(id, this.fresh.has(id) ? this.fresh.get(id) : map.get(key));
    map.set(key, value);
  }
  make([step, kind, thread, name, value], now) {
    const fresh = step === now;
    const f = step < 0 ? null : this.run.steps[step][6];
    if (kind === SHARED) this.set(this.shared, name, value, fresh, `g ${name}`);
    else if (kind === LOCAL) this.set(this.locals[thread], `${f} ${name}`, value, fresh, `${thread} ${f} ${name}`);
    else if (kind === ACQUIRE) this.set(this.locks, name, thread, fresh, `k ${name}`);
    else if (kind === RELEASE) { if (fresh) this.fresh.set(`k ${name}`, null); this.locks.set(name, -1); }
    else if (kind === WAIT) this.doing[thread] = name ? `waits for ${name.replace(/\.__.*/, "")}` : "waits";
    else if (kind === OUTPUT) this.output += value;
    else if (kind === END) this.doing[thread] = "has ended";
  }
  variable(name, value, id) {
    const changed = this.fresh.has(id), old = this.fresh.get(id);
    return h("div", {class: changed ? "var changed" : "var", title: name},
      h("span", {class: "n"}, name),
      h("span", {class: "v"}, changed && old != null && old !== value && h("span", {class: "old"}, old), value));
  }
  show(pane) {
    const {threads, functions} = this.run;
    const top = pane.scrollTop;
    const out = [];
    const shared = [...this.shared].filter(([, v]) => v !== "0" || !this.run.hideZero);
    if (shared.length)
      out.push(h("h3", null, "Shared"), h("div", {class: "vars"}, shared.map(([n, v]) => this.variable(n, v, `g ${n}`))));
    if (this.locks.size)
      out.push(h("h3", null, "Locks"), h("div", {class: "vars"}, [...this.locks].map(([n, t]) =>
        this.variable(n, t < 0 ? "free" : threads[t], `k ${n}`))));
    threads.forEach((name, t) => {
      if (this.in[t] === null) return;
      const here = [...this.locals[t]].filter(([key]) => key.startsWith(`${this.in[t]} `));
      const f = functions[this.in[t]];
      const doing = this.doing[t];
      if (!here.length && !doing && !f) return;
      out.push(h("h3", {style: color(t)}, h("span", {class: "dot"}), name,
        h("span", {class: "doing" + (doing.startsWith("waits") ? " waits" : "")},
          [f && !doing ? `in ${f}` : "", doing].filter(Boolean).join(", "))));
      if (here.length)
        out.push(h("div", {class: "vars"}, here.map(([key, v]) => this.variable(key.slice(key.indexOf(" ") + 1), v, `${t} ${key}`))));
    });
    if (this.output) out.push(h("h3", null, "Printed"), h("pre", {class: "printed"}, this.output));
    pane.replaceChildren(...(out.length ? out : [h("p", {class: "empty"}, "Nothing has changed yet.")]));
    pane.scrollTop = top;
  }
}

// --- the run ---

const ROW = 46, BOX = 40, GUTTER = 48;
const ARROWS = {create: "starts a thread", join: "joins it", lock: "lock handed over", wake: "wakes", message: "message", race: "race", read: "reads it", before: "does not see it yet", wait: "waits for who has it"};

class Player {
  constructor() {
    this.source = new Source();
    this.window = new Window($("scroll"), $("canvas"), ROW, (a, b) => this.draw(a, b));
    $("scroll").addEventListener("scroll", () => { $("heads").scrollLeft = $("scroll").scrollLeft; });
    new ResizeObserver(() => this.measure()).observe($("scroll"));
    const which = $("which");
    which.hidden = data.runs.length < 2;
    data.runs.forEach((r, i) => which.append(h("option", {value: i}, r.name)));
    which.addEventListener("change", () => this.choose(+which.value));
    $("all").addEventListener("change", () => this.select());
    $("slider").addEventListener("input", () => this.go(+$("slider").value));
    $("map").addEventListener("pointerdown", e => this.jump(e));
    $("map").addEventListener("pointermove", e => { if (e.buttons & 1) this.jump(e); });
    const on = (id, f) => $(id).addEventListener("click", f);
    on("first", () => this.go(0));
    on("back", () => this.go(this.at - 1));
    on("next", () => this.go(this.at + 1));
    on("last", () => this.go(this.shown.length - 1));
    on("play", () => this.play());
    $("run").hidden = false;
    this.choose(0);
  }
  jump(e) {
    const box = $("map").getBoundingClientRect();
    this.go(Math.round((e.clientX - box.left) / box.width * (this.shown.length - 1)));
  }
  choose(i) {
    const run = data.runs[i];
    this.run = run;
    $("which").value = i;
    run.hideZero = data.kind !== "C program" && data.kind !== "Boolean program";
    this.state = new State(run);
    this.letters = run.threads.map((t, n) => (/(\d+)$/.exec(t) || [, t[0].toUpperCase()])[1] || n);
    this.findColumns();
    this.findWaits();
    this.findSpots();
    const kinds = new Set(run.arrows.map(a => a[0]));
    $("legend").replaceChildren(...Object.keys(ARROWS).filter(k => kinds.has(k)).map(k =>
      h("span", null, h("svg", {width: 30, height: 10}, h("path", {class: `arrow k-${k}`, d: "M1 5H24"}),
        h("path", {class: `k-${k}`, d: "M22 1L29 5L22 9z", style: "fill: var(--k)"})), ARROWS[k])));
    $("legend").hidden = !kinds.size;
    this.select(run.steps.length - 1);
  }
  // Threads that do something have a column; each has a life from its creation
  // to its end.
  findColumns() {
    const {run} = this, n = run.threads.length;
    this.column = new Array(n).fill(-1);
    run.steps.forEach(s => { this.column[s[0]] = 0; });
    let columns = 0;
    for (let t = 0; t < n; t++) if (this.column[t] === 0) this.column[t] = columns++;
    this.threads = run.threads.map((_, t) => t).filter(t => this.column[t] >= 0);
    this.born = new Array(n).fill(-1);
    this.died = new Array(n).fill(Infinity);
    for (const [kind, from, to] of run.arrows) if (kind === "create") this.born[run.steps[to][0]] = from;
    for (const [step, kind, thread] of run.changes) if (kind === END) this.died[thread] = step;
  }
  // In a deadlock: from who waits at the end to who took what it waits for.
  findWaits() {
    const {run} = this;
    if (run.waits) return;
    run.waits = true;
    const taken = new Map(), plain = name => name.replace(/\.__.*/, "");
    for (const [step, kind, thread, name] of run.changes) {
      if (kind === ACQUIRE) taken.set(plain(name), [thread, step]);
      else if (kind === RELEASE) taken.delete(plain(name));
      else if (kind === WAIT && run.steps[step][9] & 2) {
        const [owner, since] = taken.get(plain(name)) || [thread, 0];
        if (owner !== thread) run.arrows.push(["wait", step, since]);
      }
    }
  }
  // For each step the last step of every thread up to it, by searching.
  findSpots() {
    this.steps = this.run.threads.map(() => []);
    this.run.steps.forEach((s, i) => this.steps[s[0]].push(i));
  }
  lastOf(thread, step) {
    const list = this.steps[thread];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= step) low = middle + 1; else high = middle;
    }
    return low ? list[low - 1] : -1;
  }
  // Which steps are shown; the place stays where it was, or is that of `step`.
  select(step) {
    const all = $("all").checked, {steps} = this.run;
    const was = step != null ? step : this.shown[this.at];
    this.shown = [];
    this.line = new Int32Array(steps.length);
    steps.forEach((s, i) => {
      this.line[i] = this.shown.length;
      if (all || s[9] & 1) this.shown.push(i);
    });
    const last = Math.max(0, this.shown.length - 1);
    $("slider").max = last;
    $("panes").style.setProperty("--need", `${Math.max(9, this.shown.length + 0.5) * ROW + 70}px`);
    $("all").parentNode.hidden = steps.every(s => s[9] & 1);
    this.measure();
    this.window.resize(this.shown.length);
    let at = 0;
    while (at < last && this.shown[at] < was) at++;
    const failed = this.shown.findIndex(i => steps[i][9] & 2);
    this.go(step != null && failed >= 0 ? this.lastFailed() : at);
  }
  lastFailed() {
    let at = this.shown.length - 1;
    while (at > 0 && !(this.run.steps[this.shown[at]][9] & 2)) at--;
    return at;
  }
  measure() {
    if (!this.threads) return;
    const room = $("scroll").clientWidth - GUTTER - 8;
    const width = Math.max(Math.min(160, room), Math.min(this.threads.length > 1 ? 460 : 820, Math.floor(room / Math.max(1, this.threads.length))));
    this.width = width;
    this.gap = width > 230 ? 46 : 18;
    $("canvas").style.width = `${GUTTER + width * this.threads.length + 8}px`;
    $("heads").replaceChildren(h("span", {class: "lines", style: `width: ${GUTTER}px`}, "line"),
      ...this.threads.map(t => h("span", {style: `width: ${width}px; padding-right: ${this.gap - 8}px; ${color(t)}`, "data-thread": t}, this.run.threads[t])));
    this.paint();
    this.window.ask();
  }
  x(thread) { return GUTTER + this.column[thread] * this.width + 5 + (this.width - this.gap) / 2; }

  draw(first, last) {
    const {run, shown} = this, out = [];
    if (!shown) return out;
    const now = shown[this.at];
    out.push(h("div", {class: "band", style: `top: ${this.at * ROW}px; height: ${ROW}px`}));
    out.push(this.wires(first, last, now));
    for (let k = first; k < last; k++) {
      const i = shown[k], s = run.steps[i];
      const left = GUTTER + this.column[s[0]] * this.width + 5;
      const kind = (i > now ? " later" : "") + (i === now ? " now" : "") + (s[9] & 2 ? " failed" : "");
      out.push(h("span", {class: "row-number", style: `top: ${k * ROW + 3}px`}, s[4] || ""));
      const f = run.functions[s[6]];
      out.push(h("div", {class: "box" + kind, "data-step": k, style: `top: ${k * ROW + 3}px; left: ${left}px; width: ${this.width - this.gap}px; ${color(s[0])}`,
        title: `${s[7]}${s[8] ? "\n" + s[8] : ""}\n${s[4] ? `${base(data.files[s[3]].name)}:${s[4]}` : ""}${f ? ` in ${f}` : ""}`,
        onclick: () => this.go(k)}, h("b", null, s[7]), h("i", null, s[8])));
    }
    return out;
  }
  wires(first, last, now) {
    const {run, shown} = this;
    const svg = h("svg", {class: "wires", width: GUTTER + this.width * this.threads.length, height: this.window.n * ROW});
    const defs = h("defs");
    for (const k of Object.keys(ARROWS))
      defs.append(h("marker", {id: `m-${k}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto"},
        h("path", {d: "M0 0L8 4L0 8z", class: `k-${k}`, style: "fill: var(--k)"})));
    svg.append(defs);
    const top = first * ROW, bottom = last * ROW;
    for (const t of this.threads) {
      const x = this.x(t);
      const from = this.born[t] < 0 ? 0 : this.line[this.born[t]] * ROW + ROW / 2;
      const to = this.died[t] === Infinity ? shown.length * ROW : this.line[this.died[t]] * ROW + ROW / 2;
      const a = Math.max(top, from), b = Math.min(bottom, to);
      if (a < b) svg.append(h("line", {class: "life", x1: x, x2: x, y1: a, y2: b, style: color(t)}));
      if (from > top) svg.append(h("line", {class: "life before", x1: x, x2: x, y1: top, y2: Math.min(from, bottom)}));
    }
    for (const [kind, a, b] of run.arrows) {
      const from = this.line[a], to = this.line[b];
      if (Math.max(from, to) < first || Math.min(from, to) >= last) continue;
      const ta = run.steps[a][0], tb = run.steps[b][0];
      if (ta === tb) continue;
      const right = this.column[tb] > this.column[ta];
      const edge = (this.width - this.gap) / 2;
      const xa = this.x(ta) + (right ? edge : -edge), xb = this.x(tb) + (right ? -edge - 1 : edge + 1);
      const ya = from * ROW + ROW / 2, yb = to * ROW + ROW / 2;
      const bend = Math.max(16, Math.min(60, Math.abs(xb - xa) / 2)) * (right ? 1 : -1);
      svg.append(h("path", {class: `arrow k-${kind}${Math.max(a, b) > now ? " later" : ""}`, "marker-end": `url(#m-${kind})`,
        d: `M${xa} ${ya}C${xa + bend} ${ya} ${xb - bend} ${yb} ${xb} ${yb}`}));
    }
    return svg;
  }

  go(at) {
    if (!this.shown.length) return;
    this.at = Math.max(0, Math.min(this.shown.length - 1, at));
    const i = this.shown[this.at], s = this.run.steps[i];
    $("slider").value = this.at;
    $("counter").value = `${count(this.at + 1)} / ${count(this.shown.length)}`;
    $("back").disabled = $("first").disabled = this.at === 0;
    $("next").disabled = $("last").disabled = this.at === this.shown.length - 1;
    if (this.at === this.shown.length - 1) this.stop();
    const reached = this.at + 1 < this.shown.length ? this.shown[this.at + 1] - 1 : this.run.steps.length - 1;
    this.state.go($("all").checked ? i : Math.max(i, Math.min(reached, this.sameThread(i, reached))));
    this.state.show($("state"));
    const marks = new Map();
    for (const t of this.threads) {
      const k = this.lastOf(t, i);
      if (k < 0 || (this.died[t] <= i && t !== s[0])) continue;
      const spot = this.run.steps[k];
      if (!spot[4]) continue;
      const key = `${spot[3]}:${spot[4]}`;
      if (!marks.has(key)) marks.set(key, []);
      marks.get(key).push({thread: t, now: t === s[0], failed: k === i && spot[9] & 2, letter: this.letters[t], name: this.run.threads[t]});
    }
    this.source.show(s[4] ? s[3] : null, s[4], marks);
    $("now").replaceChildren(h("span", {class: "who", style: `color: var(--t${s[0] % 8})`}, this.run.threads[s[0]]),
      h("code", null, s[7]), h("span", {class: "effect"}, s[8]));
    for (const head of $("heads").children)
      if (head.dataset.thread != null)
        head.classList.toggle("idle", this.born[head.dataset.thread] > i || this.died[head.dataset.thread] < i);
    this.window.reveal(this.at);
    this.follow(s);
    this.paint();
    if (drawing) drawing.occupy(this.state);
  }
  // What this thread goes on to do unseen belongs to the step.
  sameThread(from, to) {
    let k = from;
    while (k < to && this.run.steps[k + 1][0] === this.run.steps[from][0]) k++;
    return k;
  }
  follow(s) {
    const box = $("scroll"), x = GUTTER + this.column[s[0]] * this.width;
    if (x < box.scrollLeft || x + this.width > box.scrollLeft + box.clientWidth)
      box.scrollLeft = Math.max(0, x - (box.clientWidth - this.width) / 2);
  }
  // All steps in small: one lane a thread.
  paint() {
    const canvas = $("map"), box = canvas.getBoundingClientRect();
    if (!this.shown || !box.width) return;
    const scale = devicePixelRatio || 1, w = Math.round(box.width * scale), height = Math.round(16 * scale);
    if (canvas.width !== w || canvas.height !== height) { canvas.width = w; canvas.height = height; }
    const g = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
    const colors = [0, 1, 2, 3, 4, 5, 6, 7].map(i => style.getPropertyValue(`--t${i}`));
    const bad = style.getPropertyValue("--bad"), n = this.shown.length, lanes = Math.max(1, this.threads.length);
    g.clearRect(0, 0, w, height);
    const each = w / n, lane = height / lanes;
    this.shown.forEach((i, k) => {
      const s = this.run.steps[i], failed = s[9] & 2;
      g.globalAlpha = k <= this.at ? 1 : 0.35;
      g.fillStyle = failed ? bad : colors[s[0] % 8];
      g.fillRect(k * each, this.column[s[0]] * lane, Math.max(1, each * 0.9), Math.max(1, lane * 0.9));
    });
    g.globalAlpha = 1;
    g.fillStyle = style.getPropertyValue("--text");
    g.fillRect(Math.min(w - 2, (this.at + 0.5) * each), 0, 2 * scale, height);
  }
  play() {
    if (this.timer) return this.stop();
    if (this.at === this.shown.length - 1) this.go(0);
    this.timer = setInterval(() => this.go(this.at + 1), 350);
    $("play").textContent = "❚❚";
  }
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    $("play").textContent = "▶▶";
  }
}

// --- proof ---

function showProof() {
  if (!data.proof && !data.proof_summary) return;
  const checked = data.findings.some(f => f.verdict === "safe" && f.checked);
  const pre = h("pre");
  // Sentences are set as text, what they list as code.
  for (const line of (data.proof || "").trimEnd().split("\n"))
    pre.append(/^\s/.test(line) || line.length < 2 ? `${line}\n` : h("span", {class: "lead"}, `${line}\n`));
  $("proof").append(h("h2", null, data.verdict === "safe" ? "Why it is safe" : "What is proved", data.proof_summary && h("small", null, data.proof_summary)),
    h("div", {class: "card proof"},
      data.certificate && h("p", {class: checked ? "checked" : "unchecked"}, checked
        ? "✓ The certificate was checked on the input model by code that shares nothing with the engine that found it."
        : "The certificate was not checked."),
      data.proof && pre));
  $("proof").hidden = false;
}

// --- graph ---

// Reads the DOT that heddle writes: nodes and edges with attributes.
function readDot(text) {
  const nodes = new Map(), edges = [];
  const attributes = list => {
    const found = {};
    for (const m of (list || "").matchAll(/(\w+)=("(?:\\.|[^"\\])*"|[^,\]]+)/g))
      found[m[1]] = m[2].startsWith('"') ? m[2].slice(1, -1).replace(/\\([\\"])/g, "$1") : m[2].trim();
    return found;
  };
  const node = id => {
    if (!nodes.has(id)) nodes.set(id, {id, label: id});
    return nodes.get(id);
  };
  for (const line of text.split("\n")) {
    let m = /^\s*(\w+) -> (\w+)(?:\s*\[(.*)\])?;$/.exec(line);
    if (m) { edges.push({from: node(m[1]), to: node(m[2]), ...attributes(m[3])}); continue; }
    m = /^\s*(\w+)\s*\[(.*)\];$/.exec(line);
    if (m && !["node", "edge", "graph"].includes(m[1])) Object.assign(node(m[1]), attributes(m[2]));
  }
  return {nodes: [...nodes.values()], edges, across: /rankdir=LR/.test(text)};
}

// Layers by the longest way, ordered by their neighbours: for where Graphviz
// was not there.
function layOut({nodes, edges, across}) {
  const out = new Map(nodes.map(n => [n, []])), state = new Map(), back = new Set();
  edges.forEach(e => out.get(e.from).push(e));
  const order = [];
  for (const root of nodes) {
    if (state.has(root)) continue;
    const stack = [[root, 0]];
    state.set(root, 1);
    while (stack.length) {
      const top = stack[stack.length - 1], [n, i] = top;
      if (i < out.get(n).length) {
        top[1]++;
        const e = out.get(n)[i];
        if (!state.has(e.to)) { state.set(e.to, 1); stack.push([e.to, 0]); }
        else if (state.get(e.to) === 1) back.add(e);
      } else { state.set(n, 2); order.push(n); stack.pop(); }
    }
  }
  for (const n of nodes) n.rank = 0;
  for (const n of order.reverse())
    for (const e of out.get(n)) if (!back.has(e) && e.constraint !== "false") e.to.rank = Math.max(e.to.rank, n.rank + 1);
  const layers = [];
  for (const n of nodes) (layers[n.rank] = layers[n.rank] || []).push(n);
  const near = new Map(nodes.map(n => [n, []]));
  edges.forEach(e => { near.get(e.from).push(e.to); near.get(e.to).push(e.from); });
  layers.forEach(l => l && l.forEach((n, i) => { n.order = i; }));
  for (let sweep = 0; sweep < 8; sweep++)
    for (const l of sweep % 2 ? [...layers].reverse() : layers) {
      if (!l) continue;
      for (const n of l) n.mean = near.get(n).length ? near.get(n).reduce((s, m) => s + m.order, 0) / near.get(n).length : n.order;
      l.sort((a, b) => a.mean - b.mean).forEach((n, i) => { n.order = i; });
    }
  for (const n of nodes) {
    n.lines = n.label.split("\\n");
    n.w = Math.max(34, 7 * Math.max(...n.lines.map(l => l.length)) + 18);
    n.h = 14 * n.lines.length + 12;
  }
  let at = 0;
  for (const l of layers) {
    if (!l) continue;
    const size = Math.max(...l.map(n => across ? n.w : n.h));
    let side = -l.reduce((s, n) => s + (across ? n.h : n.w) + 26, 0) / 2;
    for (const n of l) {
      const own = across ? n.h : n.w;
      const along = at + size / 2, cross = side + own / 2;
      [n.x, n.y] = across ? [along, cross] : [cross, along];
      side += own + 26;
    }
    at += size + 56;
  }
}

function drawDot(text) {
  const graph = readDot(text);
  layOut(graph);
  const g = h("g", {class: "graph"});
  const svg = h("svg", null, h("defs", null, h("marker", {id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto"},
    h("path", {d: "M0 0L8 4L0 8z", style: "fill: var(--soft)"}))), g);
  for (const e of graph.edges) {
    const {from: a, to: b} = e;
    const dx = b.x - a.x, dy = b.y - a.y;
    const clip = (n, x, y) => {
      const f = Math.min(x ? n.w / 2 / Math.abs(x) : Infinity, y ? n.h / 2 / Math.abs(y) : Infinity);
      return f === Infinity ? 0 : Math.min(1, f);
    };
    const ca = clip(a, dx, dy), cb = clip(b, dx, dy);
    const [x1, y1, x2, y2] = [a.x + dx * ca, a.y + dy * ca, b.x - dx * cb, b.y - dy * cb];
    const d = a === b ? `M${a.x + a.w / 2} ${a.y - 6}c30 -16 30 28 0 12` : `M${x1} ${y1}Q${(x1 + x2) / 2 - dy * 0.08} ${(y1 + y2) / 2 + dx * 0.08} ${x2} ${y2}`;
    const group = h("g", {class: "edge"}, h("path", {d, stroke: e.color, "stroke-dasharray": e.style === "dashed" ? "6 4" : e.style === "dotted" ? "2 4" : null,
      "marker-end": e.dir === "none" ? null : "url(#tip)"}));
    if (e.label) group.append(h("text", {x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 4, "font-size": 10, "text-anchor": "middle"}, e.label));
    g.append(group);
  }
  for (const n of graph.nodes) {
    const tint = n.fillcolor && n.fillcolor.split(":")[0];
    const group = h("g", {class: "node" + (n.color === "red" ? " target" : "") + (tint ? " tinted" : "")},
      h("rect", {x: n.x - n.w / 2, y: n.y - n.h / 2, width: n.w, height: n.h, rx: n.shape === "ellipse" ? n.h / 2 : 6, style: tint ? `fill: ${tint}` : null}));
    n.lines.forEach((l, i) => group.append(h("text", {x: n.x, y: n.y + 4 + 14 * (i - (n.lines.length - 1) / 2), "font-size": 12, "text-anchor": "middle"}, l)));
    g.append(group);
  }
  return svg;
}

class Drawing {
  constructor() {
    const {svg, dot, kind} = data.graph;
    this.svg = svg ? document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true) : drawDot(dot);
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.querySelectorAll("title").forEach(t => { if (t.parentNode === this.svg || t.parentNode.classList.contains("graph")) t.remove(); });
    this.svg.querySelectorAll(".node > polygon[fill^='#'], .node > ellipse[fill^='#'], .node > path[fill^='#']").forEach(p => p.parentNode.classList.add("tinted"));
    const tool = (text, title, f) => h("button", {type: "button", title, "aria-label": title, onclick: f}, text);
    this.pane = h("div", {class: "card drawing", tabindex: 0, "aria-label": `${kind}, drawn`}, this.svg,
      h("div", {class: "tools"}, tool("+", "Zoom in (+)", () => this.zoom(0.8)), tool("−", "Zoom out (-)", () => this.zoom(1.25)), tool("fit", "Whole picture (0)", () => this.fit())));
    $("graph").append(h("h2", null, data.graph.title, h("small", null, data.graph.words)), this.pane);
    $("graph").hidden = false;
    const box = (this.svg.querySelector("g") || this.svg).getBBox();
    const own = this.svg.viewBox.baseVal;
    this.whole = own && own.width ? [own.x, own.y, own.width, own.height] : [box.x - 20, box.y - 20, box.width + 40, box.height + 40];
    const across = this.whole[2] / this.pane.clientWidth;
    this.pane.style.height = `min(62vh, 640px, ${Math.max(220, Math.round(this.whole[3] / Math.max(across, 0.7) + 48))}px)`;
    this.fit();
    this.listen();
    this.labels = [...this.svg.querySelectorAll(".node")].map(n => [n, (n.querySelector("text") || n).textContent]);
  }
  set(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", view.map(v => v.toFixed(2)).join(" "));
  }
  // The whole picture; of a large one as much as can be read.
  fit() {
    const [x, y, w, hh] = this.whole, {clientWidth: cw, clientHeight: ch} = this.pane;
    const scale = Math.max(w / cw, hh / ch, 0.7);
    const f = Math.min(1, 2.2 / scale);
    this.set(f === 1 ? [x + w / 2 - cw * scale / 2, y + hh / 2 - ch * scale / 2, cw * scale, ch * scale] : [x, y, cw * scale * f, ch * scale * f]);
  }
  zoom(f, cx = 0.5, cy = 0.5) {
    const [x, y, w, hh] = this.view;
    this.set([x + w * cx * (1 - f), y + hh * cy * (1 - f), w * f, hh * f]);
  }
  listen() {
    const {pane} = this;
    let from = null;
    pane.addEventListener("pointerdown", e => {
      if (e.target.closest(".tools")) return;
      from = [e.clientX, e.clientY, ...this.view];
      pane.setPointerCapture(e.pointerId);
      pane.classList.add("moving");
    });
    pane.addEventListener("pointermove", e => {
      if (!from) return;
      const scale = Math.max(this.view[2] / pane.clientWidth, this.view[3] / pane.clientHeight);
      this.set([from[2] - (e.clientX - from[0]) * scale, from[3] - (e.clientY - from[1]) * scale, from[4], from[5]]);
    });
    for (const end of ["pointerup", "pointercancel"])
      pane.addEventListener(end, () => { from = null; pane.classList.remove("moving"); });
    pane.addEventListener("wheel", e => {
      if (!e.ctrlKey && !pane.matches(":focus-within, :focus")) return;
      e.preventDefault();
      const box = pane.getBoundingClientRect();
      this.zoom(e.deltaY > 0 ? 1.15 : 0.87, (e.clientX - box.left) / box.width, (e.clientY - box.top) / box.height);
    }, {passive: false});
    pane.addEventListener("keydown", e => {
      const step = this.view[2] / 10;
      const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step]};
      if (e.key === "+" || e.key === "=") this.zoom(0.8);
      else if (e.key === "-") this.zoom(1.25);
      else if (e.key === "0") this.fit();
      else if (moves[e.key]) this.set([this.view[0] + moves[e.key][0], this.view[1] + moves[e.key][1], this.view[2], this.view[3]]);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }
  // Thread states or places that are occupied after the step.
  occupy(state) {
    if (data.graph.kind !== "model") return;
    const shared = state.shared.get("shared state");
    for (const [node, label] of this.labels) {
      const name = shared == null ? label.replace(/ >?=\d+$/, "") : label.startsWith(`${shared}|`) ? `threads in ${label.slice(shared.length + 1)}` : null;
      node.classList.toggle("occupied", name != null && Number(state.shared.get(name)) > 0);
    }
  }
}

// --- figures ---

function showFigures() {
  const groups = new Map();
  for (const s of data.statistics) {
    const dot = s.name.indexOf("."), group = s.unit === "s" ? "time" : s.unit === "bytes" ? "memory" : dot < 0 ? "" : s.name.slice(0, dot);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(s);
  }
  const charts = [...groups].map(([group, list], i) => chart(group, list, i));
  if (!charts.length) return;
  $("figures").append(h("h2", null, "Figures", h("small", null, `${data.time.wall.toFixed(2)} s`)), h("div", {class: "card charts"}, charts));
  $("figures").hidden = false;
}

function chart(group, list, i) {
  const linear = group === "time" || group === "memory";
  const most = Math.max(...list.map(s => s.value), linear ? 1e-9 : 2);
  const share = v => v <= 0 ? 0 : linear ? v / most : Math.log(v + 1) / Math.log(most + 1);
  const text = s => s.unit === "s" ? `${s.value.toFixed(3)} s` : s.unit === "bytes" ? `${(s.value / 1048576).toFixed(1)} MB` :
    count(Math.round(s.value * 1000) / 1000) + (s.unit ? ` ${s.unit}` : "");
  return h("div", {class: "chart", style: color(i)}, h("h3", null, group || "other", !linear && h("small", null, " — bars are logarithmic")),
    list.map(s => h("div", {class: "stat", title: s.help || s.name}, h("span", {class: "n"}, s.name),
      h("span", {class: "b"}, s.value > 0 && h("i", {style: `width: ${(100 * share(s.value)).toFixed(1)}%`})), h("span", {class: "v"}, text(s)))));
}

// --- keys ---

const KEYS = [["→ j", "next step"], ["← k", "step back"], ["Page Down / Up", "ten steps"], ["Home / End", "first, last step"],
  ["space", "play or pause"], ["f", "to the violation"], ["a", "every statement, or what others see"], ["t", "light or dark"],
  ["+ − 0", "zoom the drawing (when it has the focus)"], ["?", "these keys"]];

function startKeys(flip) {
  const keys = $("keys");
  keys.append(h("h3", {style: "margin-top: 0"}, "Keys"), h("table", null, KEYS.map(([k, what]) => h("tr", null, h("td", null, h("kbd", null, k)), h("td", null, what)))),
    h("button", {type: "button", onclick: () => keys.close()}, "Close"));
  const help = () => keys.open ? keys.close() : keys.showModal();
  $("help").addEventListener("click", help);
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches("select, input[type=text]")) return;
    if (e.key === "?") return help();
    if (e.key === "t") return flip();
    if (!player || keys.open) return;
    const p = player, moves = {
      ArrowRight: () => p.go(p.at + 1), j: () => p.go(p.at + 1), ArrowLeft: () => p.go(p.at - 1), k: () => p.go(p.at - 1),
      PageDown: () => p.go(p.at + 10), PageUp: () => p.go(p.at - 10), Home: () => p.go(0), End: () => p.go(p.shown.length - 1),
      " ": () => p.play(), f: () => p.go(p.lastFailed()), a: () => { $("all").checked = !$("all").checked; p.select(); },
    };
    if (!moves[e.key] || (e.key === " " && e.target.matches("button, input"))) return;
    e.preventDefault();
    moves[e.key]();
  });
}

// --- all of it ---

let player = null, drawing = null;
const flip = startTheme();
showVerdict();
showProof();
if (data.graph) drawing = new Drawing();
if (data.runs.length && data.runs.some(r => r.steps.length)) player = new Player();
showFigures();
startKeys(flip);
const sections = [["run", "Run"], ["proof", "Proof"], ["graph", "Graph"], ["figures", "Figures"]];
$("nav").append(...sections.filter(([id]) => !$(id).hidden).map(([id, name]) => h("a", {href: `#${id}`}, name)));
if (data.output) $("verdict").firstChild.append(h("div", {class: "proof"}, h("p", null, "The program printed:"), h("pre", {class: "printed"}, data.output)));
$("foot").append(`heddle ${data.heddle}, command ${data.command}, ${data.time.wall.toFixed(2)} s. This page is one file and loads nothing.`);
document.documentElement.dataset.ready = "1";
})();
