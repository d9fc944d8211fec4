// Search, and only what differs. Without scripts the table is whole, only longer.
const rows = [...document.querySelectorAll(".side-by-side tbody tr")];
const control = (id) => document.getElementById(id);

function filter() {
  const words = control("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const differing = control("differing").value;
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = Boolean(differing && row.dataset.differs !== differing) || !words.every((word) => text.includes(word));
    if (!row.hidden) shown += 1;
  }
  control("shown").textContent = `${shown} shown`;
  control("nothing").hidden = shown > 0;
}

control("search").addEventListener("input", filter);
control("differing").addEventListener("change", filter);
// What differs is what one looks for first.
control("differing").value = rows.some((row) => row.dataset.differs === "verdict") ? "verdict" : "";
filter();
