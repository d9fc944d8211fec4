// rhea's values and those of vectors.json; replace this file to run another codec.
"use strict";

const { types } = require("rhea");

// The format codes of each type, the widest first.
const codes = {};
const nameOf = (code) => Object.keys(codes).find((name) => codes[name].includes(code));
const NUMBERS = { float: ["FloatBE", 4], double: ["DoubleBE", 8] };
const WIDE = { ulong: "BigUInt64BE", long: "BigInt64BE", timestamp: "BigInt64BE" };

function plain({ type, value }) {
  const octets = Buffer.from((value && value.hex) || "", "hex");
  if (type in NUMBERS) return octets[`read${NUMBERS[type][0]}`]();
  if (type in WIDE) {
    const wide = Buffer.alloc(8);
    wide[`write${WIDE[type]}`](BigInt(value));
    return wide;
  }
  return value && value.hex !== undefined ? octets : value;
}

function toRhea(form) {
  const { type, of, descriptors = [] } = form;
  if (type === "null") return types.Null();
  if (type === "list") return types.wrap_list(form.items.map(toRhea));
  if (type === "map") return new types.Map32(form.entries.flat().map(toRhea));
  if (type === "described") return types.described_nc(toRhea(form.descriptor), toRhea(form.value));
  if (type !== "array") return types[type.startsWith("decimal") ? `D${type.slice(1)}` : `wrap_${type}`](plain(form));
  if (descriptors.length > 1 || ["list", "map", "array", "null"].includes(of)) throw "skipped";
  return types.wrap_array(form.items.map(plain), codes[of][0], descriptors[0] && toRhea(descriptors[0]));
}

function fromRhea({ type: { typecode }, value, descriptor, array_constructor: array }) {
  const type = nameOf(typecode);
  const octets = Buffer.alloc(8);
  if (descriptor) {
    const bare = { type: { typecode }, value, array_constructor: array };
    return { type: "described", descriptor: fromRhea(descriptor), value: fromRhea(bare) };
  }
  if (type === "list") return { type, items: value.map(fromRhea) };
  if (type === "map") {
    const pairs = value.flatMap((_, at) => (at % 2 ? [] : [value.slice(at, at + 2)]));
    return { type, entries: pairs.map((pair) => pair.map(fromRhea)) };
  }
  if (type === "array") {
    const descriptors = array.descriptor && { descriptors: [fromRhea(array.descriptor)] };
    return { type, of: nameOf(array.typecode), ...descriptors, items: value.map(fromRhea) };
  }
  if (type === "boolean") return { type, value: Boolean(value) };
  if (type === "timestamp") return { type, value: String(value.getTime()) };
  if (type in WIDE) return { type, value: String(Buffer.isBuffer(value) ? value[`read${WIDE[type]}`]() : value) };
  if (!(type in NUMBERS)) return { type, value: Buffer.isBuffer(value) ? { hex: value.toString("hex") } : value };
  const end = octets[`write${NUMBERS[type][0]}`](value);
  return { type, value: { hex: octets.toString("hex", 0, end) } };
}

function encode(form) {
  const writer = new types.Writer();
  writer.write(toRhea(form));
  return writer.toBuffer();
}

function decode(octets) {
  const reader = new types.Reader(octets);
  const value = fromRhea(reader.read());
  if (reader.remaining()) throw new Error(`${reader.remaining()} octets are left`);
  return value;
}

// Must be called first: the schema of vectors.json declares the types.
function declare({ primitives }) {
  for (const { name, encodings } of primitives)
    codes[name] = [...encodings].sort((one, other) => other.width - one.width).map((each) => each.code);
}

module.exports = { declare, encode, decode };
