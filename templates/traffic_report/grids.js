// The clients with search and filters, how long they wait, and the links of 1.0.
const CLIENT = ["label", "library", "name", "user", "vhost", "address", "protocol", "connections", "frames", "bytes",
  "published", "delivered", "error", "warning", "info", "deprecated", "blockers", "failed", "unclean", "rules", "waits", "platform"];
const clients = pageData.clients.map((row, place) => ({ place, ...Object.fromEntries(CLIENT.map((name, at) => [name, row[at]])) }));

function clientLink(client) {
  return make("a", { href: `#client-${client.place}`, textContent: client.name ?? client.library });
}

const plainColumn = (name, key, more = {}) => ({ name, value: (row) => row[key], ...more });
const clientGrid = new Grid(element("client-grid"), "Clients, the most severe findings first", [
  { name: "client", kind: "name", value: (row) => row.name ?? row.library, show: clientLink },
  plainColumn("errors", "error", { kind: "mark", mark: "error" }),
  plainColumn("warn.", "warning", { kind: "mark", mark: "warning", hint: "warnings" }),
  ...(clients.some((row) => row.name) ? [plainColumn("library", "library", { kind: "name" })] : []),
  plainColumn("user", "user", { kind: "name" }),
  plainColumn("vhost", "vhost", { kind: "name" }),
  plainColumn("address", "address", { kind: "name" }),
  plainColumn("conn.", "connections", { hint: "connections" }),
  plainColumn("depr.", "deprecated", { kind: "mark", mark: "warning", hint: "deprecated uses" }),
  plainColumn("block.", "blockers", { kind: "mark", mark: "warning", hint: "migration blockers" }),
  plainColumn("publ./s", "published", { hint: "messages published per second" }),
  plainColumn("deliv./s", "delivered", { hint: "messages delivered per second" }),
  plainColumn("octets", "bytes", { show: (row) => octets(row.bytes), hint: "on the wire, both directions" }),
  plainColumn("info", "info", { hint: "findings that are worth knowing, but not wrong" }),
  plainColumn("protocol", "protocol", { kind: "name" }),
], clients);

const searched = clients.map((row) => [row.label, row.library, row.name, row.user, row.vhost, row.address, row.protocol, row.platform]
  .join(" ").toLowerCase());

function filterClients() {
  const words = element("client-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = element("client-found").value;
  const rule = element("client-rule").value;
  clientGrid.show(clients.filter((row) => words.every((word) => searched[row.place].includes(word))
    && (!kind || (kind === "clean" ? !row.rules.length : row[kind] > 0))
    && (!rule || row.rules.some(([number]) => number === Number(rule)))));
}

element("client-search").addEventListener("input", filterClients);
element("client-found").addEventListener("change", filterClients);
element("client-rule").addEventListener("change", filterClients);
element("client-clear").addEventListener("click", () => {
  for (const id of ["client-search", "client-found", "client-rule"]) element(id).value = "";
  filterClients();
});
for (const button of document.querySelectorAll("button[data-library]")) {
  button.addEventListener("click", () => {
    element("client-search").value = button.dataset.library;
    filterClients();
    element("client-search").focus();
  });
}
for (const button of document.querySelectorAll("button[data-rule]")) {
  button.addEventListener("click", () => {
    element("client-rule").value = button.dataset.rule;
    filterClients();
    element("clients").scrollIntoView();
    element("client-rule").focus();
  });
}

// --- Latencies

const waitsOf = (row) => row.waits[Number(element("wait-kind").value)];
const waitColumn = (name, at) => ({ name, value: (row) => waitsOf(row)[at] });
const waitGrid = new Grid(element("wait-grid"), "Milliseconds by client", [
  { name: "client", kind: "name", value: (row) => row.label, show: (row) => make("a", { href: `#client-${row.place}`, textContent: row.label }) },
  waitColumn("count", 0), waitColumn("p50", 1), waitColumn("p95", 2), waitColumn("p99", 3), waitColumn("longest", 4),
], []);
waitGrid.by = 4;
function showWaits() {
  waitGrid.rows = clients.filter(waitsOf);
  waitGrid.show(waitGrid.rows);
}
element("wait-kind").addEventListener("change", showWaits);
showWaits();

// --- Links

const linkColumn = (name, at, more = {}) => ({ name, value: (row) => row[at], ...more });
if (element("link-grid")) {
  new Grid(element("link-grid"), "Links by client and address", [
    { name: "client", kind: "name", value: ([place]) => clients[place].label, show: ([place]) => make("a", { href: `#client-${place}`, textContent: clients[place].label }) },
    linkColumn("address", 1, { kind: "name" }),
    linkColumn("role", 2, { kind: "name" }),
    linkColumn("links", 3),
    linkColumn("messages", 4),
    linkColumn("octets", 5, { show: (row) => octets(row[5]) }),
    linkColumn("flows", 6, { hint: "how often the receiver granted credit" }),
    linkColumn("most credit", 7),
    linkColumn("withdrawn", 8, { hint: "how often the receiver set the credit to 0" }),
    linkColumn("drains", 9),
    linkColumn("unsettled", 10, { hint: "messages without a later settlement, including those that were sent settled" }),
  ], pageData.links);
}
