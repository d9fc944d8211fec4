// Runs the values of vectors.json over rhea: node run.js vectors.json deviations.toml [--list]
// Names what no deviation explains, and deviations that occur no more; with --list every outcome, as JSON.
"use strict";

const { readFileSync } = require("fs");
const { isDeepStrictEqual } = require("util");
const toml = require("smol-toml");
const { declare, encode, decode } = require("./rhea_peer");

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const deviations = toml.parse(readFileSync(process.argv[3], "utf8")).deviation;
const list = process.argv[4] === "--list";
declare(vectors.schema);

function isRefused(action, argument) {
  try {
    action(argument);
  } catch (error) {
    if (error === "skipped") throw error;
    return true;
  }
  return false;
}

// Each check returns what went wrong, or an empty text.
const CHECKS = {
  test_encode({ input, octets, encoding, bytes }) {
    const found = encode(input);
    const isLegal = encoding === "free" && isDeepStrictEqual(decode(found), input);
    const hex = `${found.toString("hex")}, not ${bytes}`;
    return found.equals(octets) ? "" : `${isLegal ? "legal, but longer" : "wrong octets"}: ${hex}`;
  },
  test_decode({ input, octets }) {
    const found = decode(octets);
    return isDeepStrictEqual(found, input) ? "" : `wrong value: ${JSON.stringify(found)}`;
  },
  test_every_prefix_is_refused({ octets }) {
    const taken = [...octets.keys()].filter((length) => !isRefused(decode, octets.subarray(0, length)));
    return taken.length ? `prefixes not refused as truncated: ${taken}` : "";
  },
  test_encoding_is_refused: ({ input }) => (isRefused(encode, input) ? "" : "accepted"),
  test_decoding_is_refused: ({ octets }) => (isRefused(decode, octets) ? "" : "accepted"),
};

function checksOf({ way, verdict }) {
  if (verdict === "reject") return [way === "encode" ? "test_encoding_is_refused" : "test_decoding_is_refused"];
  return Object.keys(CHECKS).slice(way === "decode" ? 1 : 0, 3);
}

function fits(pattern, text) {
  const escaped = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\[!/g, "[^");
  return new RegExp(`^${escaped.replace(/\*/g, ".*").replace(/\?/g, ".")}$`, "s").test(text);
}

const counts = { passed: 0, skipped: 0, known: 0, unexplained: 0, stale: 0 };
const used = new Set();

function run(check, test) {
  const known = deviations.filter(({ checks }) => checks.some((pattern) => fits(pattern, `${check} ${test.id}`)));
  let reason = known.find((each) => each.run === false);
  let outcome = "not run";
  try {
    if (!reason) outcome = CHECKS[check](test) || "passed";
  } catch (error) {
    outcome = error === "skipped" ? error : `${error.name}: ${error.message}`;
  }
  if (list) console.log(JSON.stringify({ check: `${check} ${test.id}`, outcome }));
  if (outcome in counts) return outcome;
  reason = reason || known.find((each) => fits(each.outcome || "*", outcome));
  if (!reason && !list) console.log(`${check} ${test.id}: ${outcome}`);
  return reason ? (used.add(reason), "known") : "unexplained";
}

for (const place of vectors.index.value) {
  const test = { ...vectors.cases[place], octets: Buffer.from(vectors.cases[place].bytes || "", "hex") };
  for (const check of checksOf(test)) counts[run(check, test)] += 1;
}
for (const { why } of deviations.filter((each) => !used.has(each))) {
  counts.stale += 1;
  if (!list) console.log(`occurs no more: ${why}`);
}
if (!list) console.log(JSON.stringify(counts));
process.exitCode = list || counts.unexplained + counts.stale === 0 ? 0 : 1;
