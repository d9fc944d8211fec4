// Search over all pages. What it reads is loaded when somebody begins to search.
const box = document.getElementById("search-box");
const input = document.getElementById("search");
const list = document.getElementById("found");
const SHOWN = 40, EXCERPT = 140;
let index = null; // once loaded
let loading = null;
let selected = -1;
box.hidden = false;

function load(then) {
  loading ??= new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = `${SITE_ROOT}search-data.js`;
    script.onload = () => {
      index = indexed(window.searchData);
      resolve();
    };
    document.head.append(script);
  });
  loading.then(then);
}

// The text with the words marked; made of text nodes, so nothing in it is ever markup.
function marked(tag, text, words) {
  const element = document.createElement(tag);
  const low = text.toLowerCase();
  // A few letters change their length with their case; what is marked would not be the word then.
  const hits = low.length !== text.length ? [] : words.flatMap((word) => {
    const found = [];
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) found.push([at, at + word.length]);
    return found;
  }).sort((one, other) => one[0] - other[0]);
  let done = 0;
  for (const [start, end] of hits) {
    if (start < done) continue;
    element.append(text.slice(done, start));
    const mark = document.createElement("mark");
    mark.textContent = text.slice(start, end);
    element.append(mark);
    done = end;
  }
  element.append(text.slice(done));
  return element;
}

// Of a long text the part with the first word that was searched for.
function excerpt(text, words) {
  const low = text.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((at) => at >= 0);
  const at = places.length ? Math.min(...places) : 0;
  const start = at > EXCERPT / 2 ? text.lastIndexOf(" ", at - EXCERPT / 3) + 1 : 0;
  const end = start + EXCERPT;
  return `${start ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}

function item([kind, name, text, address], words, number) {
  const entry = document.createElement("li");
  entry.id = `found-${number}`;
  entry.setAttribute("role", "option");
  const link = document.createElement("a");
  link.href = SITE_ROOT + address;
  link.tabIndex = -1;
  const label = document.createElement("span");
  label.className = "kind";
  label.textContent = kind;
  link.append(label, marked("code", name, words), marked("small", excerpt(text, words), words));
  entry.append(link);
  return entry;
}

function remark(text) {
  const line = document.createElement("li");
  line.className = "none";
  line.setAttribute("role", "presentation");
  line.textContent = text;
  return line;
}

function show() {
  if (!index) { load(show); return; }
  const { words, found, mended } = find(index, input.value, GUIDE_FOLDER);
  list.replaceChildren(...found.slice(0, SHOWN).map((entry, number) => item(entry, words, number)));
  if (mended) list.prepend(remark(`nothing found for “${input.value.trim()}”; this is for “${words.join(" ")}”`));
  if (words.length && !found.length) list.append(remark("nothing found"));
  else if (found.length > SHOWN) list.append(remark(`and ${found.length - SHOWN} more`));
  open(words.length > 0);
  select(found.length ? 0 : -1);
}

function open(yes) {
  list.hidden = !yes;
  input.setAttribute("aria-expanded", String(yes));
}

function select(number) {
  const options = list.querySelectorAll("[role=option]");
  selected = options.length ? (number + options.length) % options.length : -1;
  options.forEach((option, index) => option.setAttribute("aria-selected", String(index === selected)));
  if (selected >= 0) {
    options[selected].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", options[selected].id);
  } else input.removeAttribute("aria-activedescendant");
}

input.addEventListener("focus", () => load(show));
input.addEventListener("input", show);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") select(selected + 1);
  else if (event.key === "ArrowUp") select(selected - 1);
  else if (event.key === "Enter") list.querySelector("[aria-selected=true] a")?.click();
  else if (event.key === "Escape") { open(false); return; }
  else return;
  event.preventDefault();
});
list.addEventListener("click", () => { open(false); input.blur(); });
document.addEventListener("click", (event) => { if (!box.contains(event.target)) open(false); });
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  input.focus();
});
// On a phone the sidebar lies over the page: a link in it leads away from it.
const sidebar = document.getElementById("sidebar");
sidebar.addEventListener("click", (event) => { if (event.target.closest("a") && sidebar.matches(":popover-open")) sidebar.hidePopover(); });

// In the sidebar: where the reader is. What that unfolds is folded again behind him.
const places = new Map();
for (const link of sidebar.querySelectorAll("a[href*='#']")) {
  if (link.pathname !== location.pathname) continue;
  const place = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (place) places.set(place, link);
}
let here = null, unfolded = null;
function mark(link) {
  if (link === here) return;
  if (here?.ariaCurrent === "true") here.removeAttribute("aria-current"); // "page" stays
  here = link;
  if (!here.hasAttribute("aria-current")) here.setAttribute("aria-current", "true");
  const below = here.nextElementSibling; // what is folded away under a link stands after it
  const group = below?.matches("details") ? below : here.closest("details");
  if (unfolded && unfolded !== group && !unfolded.contains(group)) { unfolded.open = false; unfolded = null; }
  if (group && !group.open) { group.open = true; unfolded = group; }
  if (sidebar.matches(":hover")) return; // he is about to click
  const [box, own] = [sidebar.getBoundingClientRect(), here.getBoundingClientRect()];
  if (own.top < box.top || own.bottom > box.bottom) sidebar.scrollTop += own.top - box.top - box.height / 3;
}
let waiting = false;
function follow() {
  waiting = false;
  let last = null;
  for (const [place, link] of places) {
    if (place.getBoundingClientRect().top > 140) break;
    last = link;
  }
  if (last) mark(last);
}
addEventListener("scroll", () => { if (!waiting) { waiting = true; requestAnimationFrame(follow); } }, { passive: true });
follow();

// An anchor that this page does not have: of another page, in another spelling, or of nothing.
const NEARBY = 5;
function redirect() {
  document.getElementById("unknown-anchor")?.remove();
  const anchor = decodeURIComponent(location.hash.slice(1));
  if (!anchor || document.getElementById(anchor)) return;
  const go = () => {
    const address = addressOf(index, anchor, GUIDE_FOLDER);
    if (address) location.replace(SITE_ROOT + address);
    else document.getElementById("content-pane").prepend(unknown(anchor));
  };
  load(go);
}

function unknown(anchor) {
  const line = document.createElement("p");
  line.id = "unknown-anchor";
  line.setAttribute("role", "status");
  line.textContent = `There is no element “${anchor}” here.`;
  const near = nearby(index, anchor, GUIDE_FOLDER).slice(0, NEARBY);
  if (near.length) line.append(" Did you mean");
  near.forEach(([, name, , address], number) => {
    const link = document.createElement("a");
    link.href = SITE_ROOT + address;
    link.textContent = name;
    line.append(number ? ", " : " ", link);
  });
  line.append(near.length ? "?" : " Search finds every name, number and word.");
  return line;
}
addEventListener("hashchange", redirect);
redirect();
