// Values in and out of rhea, as the example vectors_rhea has them. The first line is the schema of vectors.json; each other one
// is {"read": hex} or {"write": value}, and gets a line with the value, the hex, or {"error": text}.
"use strict";

const { readFileSync } = require("fs");
const { declare, encode, decode } = require("../../examples/vectors_rhea/rhea_peer");

function answer({ schema, read, write }) {
  if (schema) return declare(schema) || null;
  return write ? encode(write).toString("hex") : decode(Buffer.from(read, "hex"));
}

for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  let result;
  try {
    result = answer(JSON.parse(line));
  } catch (error) {
    result = { error: String(error) };
  }
  console.log(JSON.stringify(result));
}
