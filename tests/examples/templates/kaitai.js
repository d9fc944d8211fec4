// Compiles a .ksy and reads streams with the parser that comes out.
// A line of input: {"ksy": text, "streams": [hex, ...]}; a line of output: {"error": text} or {"streams": [...]},
// each of these either what was read, all its fields by name, or {"error": text}.
"use strict";
const readline = require("node:readline");
const vm = require("node:vm");
const yaml = require("js-yaml");
const compiler = require("kaitai-struct-compiler");
const KaitaiStream = require("kaitai-struct/KaitaiStream");

async function parserOf(ksy) {
  const files = await compiler.compile("javascript", yaml.load(ksy), null, false);
  const [name] = Object.keys(files);
  const module = { exports: {} };
  const load = vm.compileFunction(files[name], ["exports", "require", "module", "define"]);
  load.call(module.exports, module.exports, require, module, undefined);
  const exported = module.exports;
  return typeof exported === "function" ? exported : exported[name.replace(/\.js$/, "")];
}

function plain(value) {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const found = {};
  for (const key of Object.keys(value)) if (!key.startsWith("_")) found[key] = plain(value[key]);
  // What Kaitai calls instances are properties of the class.
  const own = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value));
  for (const key of Object.keys(own)) if (own[key].get) found[key] = plain(value[key]);
  return found;
}

async function answer({ ksy, streams }) {
  let Parser;
  try {
    Parser = await parserOf(ksy);
  } catch (error) {
    return { error: String(error.message || error) };
  }
  return {
    streams: streams.map((hex) => {
      try {
        return plain(new Parser(new KaitaiStream(new Uint8Array(Buffer.from(hex, "hex")))));
      } catch (error) {
        return { error: String(error.message || error) };
      }
    }),
  };
}

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await answer(JSON.parse(line))) + "\n");
  }
})();
