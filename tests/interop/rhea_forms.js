// Neutral forms (see neutral.py) in and out of rhea. One JSON line in, {"read": hex} or {"write": form}, one out:
// the form, the hex, or {"error": text}.
"use strict";

const types = require("rhea").types;

const NAMES = {
  Null: "null", Boolean: "boolean", True: "boolean", False: "boolean", Ubyte: "ubyte", Ushort: "ushort",
  Uint: "uint", SmallUint: "uint", Uint0: "uint", Ulong: "ulong", SmallUlong: "ulong", Ulong0: "ulong",
  Byte: "byte", Short: "short", Int: "int", SmallInt: "int", Long: "long", SmallLong: "long", Float: "float",
  Double: "double", Decimal32: "decimal32", Decimal64: "decimal64", Decimal128: "decimal128", CharUTF32: "char",
  Timestamp: "timestamp", Uuid: "uuid", Vbin8: "binary", Vbin32: "binary", Str8: "string", Str32: "string",
  Sym8: "symbol", Sym32: "symbol", List0: "list", List8: "list", List32: "list", Map8: "map", Map32: "map",
  Array8: "array", Array32: "array",
};
// What the items of an array are written as: the widest encoding.
const CODES = {
  boolean: 0x56, ubyte: 0x50, ushort: 0x60, uint: 0x70, ulong: 0x80, byte: 0x51, short: 0x61, int: 0x71,
  long: 0x81, float: 0x72, double: 0x82, decimal32: 0x74, decimal64: 0x84, decimal128: 0x94, char: 0x73,
  timestamp: 0x83, uuid: 0x98, binary: 0xb0, string: 0xb1, symbol: 0xb3,
};
const WRAPPED = ["ubyte", "ushort", "uint", "byte", "short", "int"];

function floating(value, width) {
  const octets = Buffer.alloc(width);
  if (width === 4) octets.writeFloatBE(value);
  else octets.writeDoubleBE(value);
  return octets.toString("hex");
}

function form(typed) {
  if (typed.descriptor === undefined) return bare(typed, NAMES[typed.type.name]);
  return ["described", form(typed.descriptor), bare(typed, NAMES[typed.type.name])];
}

function bare(typed, name) {
  const value = typed.value;
  switch (name) {
    case "null": return [name];
    case "boolean": return [name, Boolean(value)];
    case "float": return [name, floating(value, 4)];
    case "double": return [name, floating(value, 8)];
    case "ulong": return [name, Buffer.isBuffer(value) ? value.readBigUInt64BE().toString() : String(value)];
    case "long": return [name, Buffer.isBuffer(value) ? value.readBigInt64BE().toString() : String(value)];
    case "timestamp": return [name, String(value.getTime())];
    case "decimal32": case "decimal64": case "decimal128": case "uuid": case "binary":
      return [name, value.toString("hex")];
    case "string": case "symbol": return [name, String(value)];
    case "list": return [name, value.map(form)];
    case "map": {
      const pairs = [];
      for (let i = 0; i < value.length; i += 2) pairs.push([form(value[i]), form(value[i + 1])]);
      return [name, pairs];
    }
    case "array": {
      const kind = typed.array_constructor;
      const descriptors = kind.descriptor === undefined ? [] : [form(kind.descriptor)];
      return [name, NAMES[types.by_code[kind.typecode].name], descriptors, value.map((item) => form(item))];
    }
    default: return [name, String(value)];
  }
}

function big(name, text) {
  const octets = Buffer.alloc(8);
  if (name === "ulong") octets.writeBigUInt64BE(BigInt(text));
  else octets.writeBigInt64BE(BigInt(text));
  return octets;
}

// What an array takes as an item, and the constructors as their argument.
function plain([name, value]) {
  switch (name) {
    case "boolean": case "string": case "symbol": return value;
    case "ulong": case "long": case "timestamp": return big(name, value);
    case "float": return Buffer.from(value, "hex").readFloatBE();
    case "double": return Buffer.from(value, "hex").readDoubleBE();
    case "decimal32": case "decimal64": case "decimal128": case "uuid": case "binary":
      return Buffer.from(value, "hex");
    default: return Number(value);
  }
}

function typed(given) {
  const [name, value] = given;
  if (name === "null") return types.Null();
  if (name === "list") return value.length ? types.List32(value.map(typed)) : types.List0();
  if (name === "map") return types.Map32(value.flat().map(typed));
  if (name === "array") {
    const descriptor = given[2].length ? typed(given[2][0]) : undefined;
    return types.wrap_array(given[3].map(plain), CODES[value], descriptor);
  }
  if (name === "described") return types.described_nc(typed(value), typed(given[2]));
  if (name.startsWith("decimal")) return types["D" + name.slice(1)](plain(given));
  return types["wrap_" + name](plain(given));
}

function answer(request) {
  if (request.write) {
    const writer = new types.Writer();
    writer.write(typed(request.write));
    return writer.toBuffer().toString("hex");
  }
  const reader = new types.Reader(Buffer.from(request.read, "hex"));
  const found = form(reader.read());
  if (reader.remaining()) throw new Error(reader.remaining() + " octets are left");
  return found;
}

const lines = require("fs").readFileSync(0, "utf8").split("\n").filter(Boolean);
for (const line of lines) {
  let result;
  try {
    result = answer(JSON.parse(line));
  } catch (error) {
    result = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(result) + "\n");
}
