// Filter by level and by words. Without scripts the page is whole, only longer.
const changes = [...document.querySelectorAll("details.change")];
const boxes = [...document.querySelectorAll("input[data-level]")];
const search = document.getElementById("search");
const texts = new Map();

// Text of closed details counts as well, and is put together only when somebody searches.
function textOf(change) {
  if (!texts.has(change)) texts.set(change, change.textContent.toLowerCase());
  return texts.get(change);
}

function filter() {
  const levels = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.level));
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const change of changes) {
    change.hidden = !levels.has(change.dataset.level) || !words.every((word) => textOf(change).includes(word));
    if (!change.hidden) shown += 1;
  }
  for (const group of document.querySelectorAll("section.group")) {
    group.hidden = !group.querySelector("details:not([hidden])");
  }
  document.getElementById("shown").textContent = `${shown} shown`;
}

search.addEventListener("input", filter);
for (const box of boxes) box.addEventListener("change", filter);
document.getElementById("expand").addEventListener("click", () => {
  const shown = changes.filter((change) => !change.hidden);
  const open = !shown.every((change) => change.open);
  for (const change of shown) change.open = open;
});
