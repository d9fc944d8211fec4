// Search, filter, and the way from a link to its rule. Without scripts the page is whole, only longer.
const rules = [...document.querySelectorAll("details.rule")];
const groups = [...document.querySelectorAll("section.group")];
const control = (id) => document.getElementById(id);
const texts = new Map();

// Text of closed details counts as well, and is put together only when somebody searches.
function textOf(rule) {
  if (!texts.has(rule)) texts.set(rule, rule.textContent.toLowerCase());
  return texts.get(rule);
}

function fits(rule) {
  const words = control("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const { verdict, level } = rule.dataset;
  return (!control("verdict").value || verdict === control("verdict").value)
    && (!control("level").value || level === control("level").value)
    && (!control("group").value || rule.parentElement.dataset.group === control("group").value)
    && (!control("unexpected").checked || "unexpected" in rule.dataset)
    && words.every((word) => textOf(rule).includes(word));
}

function filter() {
  let shown = 0;
  for (const rule of rules) {
    rule.hidden = !fits(rule);
    if (!rule.hidden) shown += 1;
  }
  for (const group of groups) group.hidden = ![...group.children].some((child) => child.matches("details:not([hidden])"));
  control("shown").textContent = `${shown} shown`;
  control("nothing").hidden = shown > 0;
  for (const chip of document.querySelectorAll(".chip")) {
    chip.setAttribute("aria-pressed", String(chip.dataset.verdict === control("verdict").value));
  }
}

function clear() {
  for (const id of ["search", "verdict", "level", "group"]) control(id).value = "";
  control("unexpected").checked = false;
  filter();
}

function follow() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!rule || !rule.matches("details.rule")) return;
  if (rule.hidden) clear();
  rule.open = true;
  rule.scrollIntoView();
}

// Not every browser tells "input" of a list.
for (const id of ["search", "unexpected"]) control(id).addEventListener("input", filter);
for (const id of ["verdict", "level", "group"]) control(id).addEventListener("change", filter);
control("clear").addEventListener("click", clear);
control("expand").addEventListener("click", () => {
  const shown = rules.filter((rule) => !rule.hidden);
  const open = !shown.every((rule) => rule.open);
  for (const rule of shown) rule.open = open;
});
for (const chip of document.querySelectorAll(".chip")) {
  chip.addEventListener("click", () => {
    control("verdict").value = control("verdict").value === chip.dataset.verdict ? "" : chip.dataset.verdict;
    filter();
  });
}
for (const button of document.querySelectorAll(".matrix button")) {
  button.addEventListener("click", () => {
    control("group").value = button.dataset.group;
    control("level").value = button.dataset.level ?? "";
    filter();
    control("rules").scrollIntoView();
  });
}
addEventListener("hashchange", follow);
follow();
