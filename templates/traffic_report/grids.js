// The clients with search and filters, how long they wait, and the links of 1.0.
const clients = records("clients", pageData.clients).map((client, place) => ({
  ...client, place, rules: records("client_rules", client.rules), waits: client.waits.map((row) => row && record("waits", row)),
}));

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
    && (!rule || row.rules.some((broken) => broken.rule === Number(rule)))));
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
const waitColumn = (name) => ({ name, value: (row) => waitsOf(row)[name] });
const waitGrid = new Grid(element("wait-grid"), "Milliseconds by client", [
  { name: "client", kind: "name", value: (row) => row.label, show: (row) => make("a", { href: `#client-${row.place}`, textContent: row.label }) },
  ...["count", "p50", "p95", "p99", "longest"].map(waitColumn),
], []);
waitGrid.by = waitGrid.columns.findIndex((column) => column.name === "p99");
function showWaits() {
  waitGrid.rows = clients.filter(waitsOf);
  waitGrid.show(waitGrid.rows);
}
element("wait-kind").addEventListener("change", showWaits);
showWaits();

// --- Links

if (element("link-grid")) {
  new Grid(element("link-grid"), "Links by client and address", [
    { name: "client", kind: "name", value: (row) => clients[row.client].label, show: (row) => make("a", { href: `#client-${row.client}`, textContent: clients[row.client].label }) },
    plainColumn("address", "address", { kind: "name" }),
    plainColumn("role", "role", { kind: "name" }),
    plainColumn("links", "links"),
    plainColumn("messages", "messages"),
    plainColumn("octets", "octets", { show: (row) => octets(row.octets) }),
    plainColumn("flows", "flows", { hint: "how often the receiver granted credit" }),
    plainColumn("most credit", "most_credit"),
    plainColumn("withdrawn", "no_credit", { hint: "how often the receiver set the credit to 0" }),
    plainColumn("drains", "drains"),
    plainColumn("unsettled", "unsettled", { hint: "messages without a later settlement, including those that were sent settled" }),
  ], records("links", pageData.links));
}
