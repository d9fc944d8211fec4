// A table of many rows, a page of them at a time: sorted by a click on a heading. All texts are put in as texts.
const element = (id) => document.getElementById(id);
const pageData = JSON.parse(element("page-data").textContent);
// Rows are lists; their names are told once for each kind of row.
const record = (kind, row) => Object.fromEntries(pageData.names[kind].map((name, at) => [name, row[at]]));
const records = (kind, rows) => rows.map((row) => record(kind, row));
const figure = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
const PAGE = 25;

function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function octets(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < units.length - 1) { count /= 1000; unit += 1; }
  return `${unit ? count.toPrecision(3) : count} ${units[unit]}`;
}

class Grid {
  // columns: {name, value(row), show?(row) -> text or node, kind?: "name" | "mark", hint?}
  constructor(place, caption, columns, rows) {
    Object.assign(this, { place, columns, rows, shown: rows, page: 0, by: null, down: true });
    this.head = make("tr");
    this.body = make("tbody");
    this.status = make("output", { className: "soft" });
    this.before = make("button", { type: "button", textContent: "‹ back" });
    this.after = make("button", { type: "button", textContent: "next ›" });
    this.before.addEventListener("click", () => this.turn(-1));
    this.after.addEventListener("click", () => this.turn(1));
    columns.forEach((column, at) => {
      const button = make("button", { type: "button", className: "plain", textContent: column.name, title: column.hint ?? "" });
      button.addEventListener("click", () => this.sort(at));
      this.head.append(make("th", { scope: "col", className: column.kind === "name" ? "name" : "" }, button));
    });
    const table = make("table", { className: "figures" }, make("caption", { textContent: caption }), make("thead", {}, this.head), this.body);
    place.replaceChildren(make("div", { className: "wide", tabIndex: 0 }, table),
      make("p", { className: "pager" }, this.before, this.after, this.status));
    this.draw();
  }

  show(rows) {
    this.shown = rows;
    this.page = 0;
    this.order();
    this.draw();
  }

  sort(at) {
    // A first click shows the most of a number, and the first of names.
    this.down = this.by === at ? !this.down : this.columns[at].kind !== "name";
    this.by = at;
    this.page = 0;
    this.order();
    this.draw();
  }

  order() {
    if (this.by === null) return;
    const { value, kind } = this.columns[this.by];
    const sign = this.down ? -1 : 1;
    const keyed = this.shown.map((row, place) => [value(row), place, row]);
    const missing = (key) => key === null || key === undefined || key === "";
    keyed.sort(([a, i], [b, j]) => {
      if (missing(a) || missing(b)) return missing(a) - missing(b) || i - j;  // what is not known comes last, always
      return sign * (kind === "name" ? String(a).localeCompare(String(b), "en", { numeric: true }) : a - b) || i - j;
    });
    this.shown = keyed.map(([, , row]) => row);
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  draw() {
    const first = this.page * PAGE;
    const rows = this.shown.slice(first, first + PAGE);
    this.body.replaceChildren(...rows.map((row) => this.line(row)));
    this.before.disabled = this.page === 0;
    this.after.disabled = first + PAGE >= this.shown.length;
    this.before.hidden = this.after.hidden = this.shown.length <= PAGE;
    const range = rows.length ? `${figure.format(first + 1)}-${figure.format(first + rows.length)} of ` : "";
    this.status.textContent = `${range}${figure.format(this.shown.length)}`
      + (this.shown.length < this.rows.length ? ` (${figure.format(this.rows.length)} in all)` : "");
    [...this.head.children].forEach((heading, at) => {
      if (at === this.by) heading.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      else heading.removeAttribute("aria-sort");
    });
  }

  line(row) {
    return make("tr", {}, ...this.columns.map((column, at) => {
      const value = column.value(row);
      const text = column.show ? column.show(row) : typeof value === "number" ? figure.format(value) : value ?? "";
      const cell = make(at === 0 ? "th" : "td", { className: column.kind === "name" ? "name" : "" }, text);
      if (at === 0) cell.scope = "row";
      if (column.kind === "mark" && value) cell.classList.add(column.mark);
      if (value === 0 || value === null) cell.classList.add("none");
      return cell;
    }));
  }
}
