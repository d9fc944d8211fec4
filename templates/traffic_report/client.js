// A client in a dialog: its timeline and findings. The address of the page says which, so that one can go back.
const fileNames = new Map(records("files", pageData.files).map((file) => [`${file.capture}\n${file.number}`, file.name]));
const pauses = records("pauses", pageData.pauses);
const dialog = element("client");
const moment = (since) => since === null ? "" : new Date(pageData.first + since).toISOString().replace("T", " ").replace("Z", "");

// Charts leave pauses out.
function inChart(since) {
  return since - pauses.reduce((left, pause) => left + Math.min(Math.max(since - pause.start, 0), pause.length), 0);
}

function openClient(client) {
  element("client-name").textContent = client.label;
  const facts = {
    library: client.library, name: client.name, platform: client.platform, user: client.user, "virtual host": client.vhost,
    address: client.address, protocol: client.protocol, connections: figure.format(client.connections),
    "closed by an error": client.failed ? figure.format(client.failed) : null,
    "ended without a close": client.unclean ? figure.format(client.unclean) : null,
    frames: figure.format(client.frames), octets: octets(client.bytes),
  };
  element("client-facts").replaceChildren(...Object.entries(facts).filter(([, value]) => value !== null)
    .flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", { textContent: value })]));
  element("client-rules").replaceChildren(...client.rules.map(({ rule, times }) => make("li", {},
    make("span", { className: `severity ${pageData.severities[rule]}`, textContent: pageData.severities[rule] }), " ",
    make("a", { href: `#rule-${pageData.rules[rule]}`, textContent: pageData.rules[rule] }),
    make("span", { className: "soft", textContent: ` ×${figure.format(times)}` }))));
  const found = records("findings", pageData.findings[client.place]);
  element("client-findings").replaceChildren();
  if (found.length) showFindings(client, found);
  else if (!client.rules.length) element("client-rules").append(make("li", { className: "soft", textContent: "none" }));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  drawTimeline(client, found);
}

function showFindings(client, found) {
  new Grid(element("client-findings"), client.rules.reduce((sum, { times }) => sum + times, 0) > found.length ? "The first findings" : "All findings", [
    { name: "rule", kind: "name", value: (row) => pageData.rules[row.rule] },
    { name: "time", kind: "name", value: (row) => row.time, show: (row) => moment(row.time) },
    { name: "connection", kind: "name", value: (row) => row.connection },
    { name: "ch.", value: (row) => row.channel },
    { name: "frame", value: (row) => row.frame },
    { name: "packet", value: (row) => row.packet, show: (row) => row.packet === null ? "" : `${row.packet} in ${fileNames.get(`${row.capture}\n${row.file}`) ?? row.file}` },
    { name: "count", value: (row) => row.count },
    { name: "evidence", kind: "name", value: (row) => row.evidence },
  ], found);
}

function drawTimeline(client, found) {
  const activity = Object.entries(record("activity", pageData.activity[client.place])).flatMap(([what, pairs]) => {
    if (!pairs.length) return [];
    const times = new Array(pageData.parts).fill(0);
    for (let at = 0; at < pairs.length; at += 2) times[pairs[at]] = pairs[at + 1];
    return times.map((count, part) => ({ ms: pageData.first + (part + 0.5) * pageData.step, what, times: count }));
  });
  element("client-activity").hidden = !activity.length;
  if (activity.length) draw(element("client-activity"), "client-activity", activity);
  const shown = records("connections", pageData.connections[client.place]);
  element("client-shown").textContent = shown.length < client.connections ? `the first ${shown.length} of ${figure.format(client.connections)}` : "";
  const numbers = new Map(shown.map(({ id }, at) => [id, at + 1]));
  const rows = shown.map(({ id, start, end, mid_stream, ending, frames }, at) => ({
    row: at + 1, ms: pageData.first + inChart(start), end: pageData.first + inChart(end), conn: id, frames,
    how: `${mid_stream ? "began before the capture, " : ""}ended: ${ending}`,
  }));
  for (const finding of found) {
    if (numbers.has(finding.connection) && finding.time !== null) {
      rows.push({ row: numbers.get(finding.connection), ms: pageData.first + inChart(finding.time), severity: pageData.severities[finding.rule], rule: pageData.rules[finding.rule], evidence: finding.evidence });
    }
  }
  draw(element("client-connections"), "client-connections", rows);
}

function follow() {
  const name = decodeURIComponent(location.hash.slice(1));
  const client = name.startsWith("client-") ? clients[Number(name.slice(7))] : undefined;
  if (client) {
    openClient(client);
    return;
  }
  if (dialog.open) dialog.close();
  const target = element(name);
  if (target?.matches("details.rule")) {
    target.open = true;
    target.scrollIntoView();
    target.querySelector("summary").focus({ preventScroll: true });
  }
}

element("client-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("close", () => {
  if (location.hash.startsWith("#client-")) history.replaceState(null, "", "#clients");
});
addEventListener("hashchange", follow);
follow();

for (const button of document.querySelectorAll("button.copy")) {
  button.addEventListener("click", async () => {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);  // then the reader copies
    }
  });
}
