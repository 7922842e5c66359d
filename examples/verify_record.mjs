// Verifies the chain and the signatures of a game record: `node verify_record.mjs duel.jsonl`.
// Written from docs/record.md alone, with nothing but Node. Exit 0 whole, 3 not, 4 torn tail, 2 not readable.

import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";

const MAX = 2 ** 53 - 1;
const KEY = /^[a-z0-9_]{1,32}$/;
const FIELDS = ["data", "hash", "prev", "seq", "ts", "type"];
const STAMP = /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z$/;
const PRIME = 2n ** 255n - 19n;
const LOW = new Set([
  0n, 1n, PRIME - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
]);

class Wrong extends Error {}

function must(holds, reason) {
  if (!holds) throw new Wrong(reason);
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isHex = (value, digits) => typeof value === "string" && value.length === digits && /^[0-9a-f]*$/.test(value);
const isList = (value) => Array.isArray(value) && value.every((name) => typeof name === "string");

// Canonical bytes: one spelling for every value, or none. What is spelled otherwise (a key twice, a blank, a
// fraction, another escape) differs from the bytes of the line.
function canonical(value, depth = 1) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    must(Number.isInteger(value) && Math.abs(value) <= MAX && !Object.is(value, -0), "a number that has no canonical bytes");
    return String(value);
  }
  if (typeof value === "string") {
    must(!/[\u0000-\u001f\u007f-\u009f]|\p{Cs}/u.test(value), "a control character or half a surrogate pair");
    must(value.normalize("NFC") === value, "text that is not in form NFC");
    return `"${value.replace(/["\\]/g, "\\$&")}"`;
  }
  must(depth <= 16, "nested deeper than 16 levels");
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  const keys = Object.keys(value).sort();
  must(keys.every((key) => KEY.test(key)), "a key that is not 1 to 32 of a-z, 0-9 and _");
  return `{${keys.map((key) => `"${key}":${canonical(value[key], depth + 1)}`).join(",")}}`;
}

function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function without(object, ...names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

// A line, its place in the chain and its hash.
function readEntry(line, seq, prev) {
  must(line.length < 256 * 1024, "longer than a line may be");
  let text;
  let entry;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    entry = JSON.parse(text);
  } catch {
    throw new Wrong("not JSON in UTF-8");
  }
  must(isObject(entry), "not an object");
  const names = Object.keys(without(entry, "sigs")).sort();
  must(names.join() === FIELDS.join(), "not the fields of an entry");
  must(canonical(entry) === text, "not in canonical bytes");
  must(isObject(entry.data) && isHex(entry.hash, 64) && isHex(entry.prev, 64), "data, hash or prev is malformed");
  must(STAMP.test(entry.ts) && /^[a-z][a-z0-9_]{0,31}$/.test(entry.type), "ts or type is malformed");
  if ("sigs" in entry) {
    must(isObject(entry.sigs) && Object.keys(entry.sigs).length > 0, "sigs is malformed");
    must(Object.values(entry.sigs).every((sig) => isHex(sig, 128)), "a signature is malformed");
  }
  must(entry.hash === sha256("referee.log.v1\n", canonical(without(entry, "hash", "sigs"))), "its hash does not fit");
  must(entry.seq === seq, `holds entry ${entry.seq} where ${seq} is due`);
  must(entry.prev === prev, "does not continue the line before");
  must((entry.type === "genesis") === (seq === 0), "genesis is the first entry and no other");
  return entry;
}

const PLAYER = ["anchor", "nonce", "key", "seal", "form", "order", "signer", "step", "ship", "drone"];
const BY = ["confirm", "forfeit_roll", "umpire_ack", "umpire_reject", "ruling", "note"];
const NOBODYS = ["genesis", "reveal", "foul", "events", "taken"];

class Signers {
  constructor(genesis) {
    this.game = genesis.game;
    this.keys = new Map();
    this.owners = new Map();
    this.used = new Set();
    this.thrower = { umpire: genesis.dice.umpire, solo: genesis.dice.operator }[genesis.dice.mode];
    const names = [...genesis.players, ...(genesis.umpire ? [genesis.umpire] : [])].sort();
    const { signers } = genesis;
    if (signers === undefined) return;
    must(Object.keys(signers).sort().join() === names.join(), "the keys are not those of the players and the umpire");
    for (const name of names) this.own(name, signers[name]);
    this.first = new Set(names);
  }

  own(name, key) {
    must(isHex(key, 64), "a key is not 64 hex digits");
    const y = BigInt(`0x${Buffer.from(key, "hex").reverse().toString("hex")}`) & (2n ** 255n - 1n);
    must(y < PRIME && !LOW.has(y), "a key that anybody can sign for");
    must(!this.owners.has(key), `the key of ${name} is or was that of ${this.owners.get(key)}`);
    this.owners.set(key, name);
    this.keys.set(name, key);
  }

  // A key of his own for a player who joins, or a new one that all others agree to.
  take({ player, signer, agreed_by: agreed }) {
    must(this.keys.has(player), `${player} is no player`);
    if (agreed === undefined) {
      const free = this.first.has(player) && !this.used.has(player) && player !== this.thrower;
      must(free, `${player} has a key already`);
    } else {
      const others = [...this.keys.keys()].filter((name) => name !== player);
      must(isList(agreed) && others.every((name) => agreed.includes(name)), "not all others agree to a new key");
      must(!agreed.includes(player), `${player} agrees to a key of ${player}`);
    }
    this.first.delete(player);
    this.used.delete(player);
    this.own(player, signer);
  }

  due({ type, data }) {
    const names = [];
    if (PLAYER.includes(type)) names.push(data.player);
    if (BY.includes(type)) names.push(data.by);
    if (type === "declare") names.push(data.who);
    if (type === "result") names.push(data.entered_by);
    if (!NOBODYS.includes(type)) names.push(...(data.agreed_by ?? []));
    if (type === "order" && isObject(data.act)) names.push(...(data.act.agreed_by ?? []));
    const thrown = type === "result" && data.entered_by === undefined && data.dice.length > 0;
    if (this.thrower && (thrown || type === "dice_seed")) names.push(this.thrower);
    return new Set(names.filter((name) => name !== undefined));
  }

  check(entry) {
    const sigs = entry.sigs ?? {};
    if (!this.keys.size) return must(!entry.sigs, "is signed in a record of no keys");
    const joins = ["anchor", "nonce", "signer"].includes(entry.type) && entry.data.signer !== undefined;
    if (joins) this.take(entry.data);
    const due = this.due(entry);
    for (const name of due) {
      must(this.keys.has(name), `${name} is no player`);
      must(Object.hasOwn(sigs, name), `${entry.type} in the name of ${name} without the signature of ${name}`);
    }
    for (const [name, sig] of Object.entries(sigs)) {
      must(due.has(name), `${entry.type} is signed by ${name}, in whose name it is not`);
      must(this.holds(name, entry, sig), `${entry.type} in the name of ${name}: the signature does not hold`);
      if (!["ship", "drone"].includes(entry.type)) this.used.add(name);
    }
  }

  holds(name, { type, data, hash }, sig) {
    const message = type === "key"
      ? Buffer.from(`referee.signkey.v1\n${canonical({ ...data, game: this.game })}`)
      : Buffer.concat([Buffer.from("referee.sign.v1\n"), Buffer.from(hash, "hex")]);
    const key = { kty: "OKP", crv: "Ed25519", x: Buffer.from(this.keys.get(name), "hex").toString("base64url") };
    return verify(null, message, createPublicKey({ key, format: "jwk" }), Buffer.from(sig, "hex"));
  }
}

function verifyRecord(bytes) {
  let [start, seq, prev, signers, count] = [0, 0, "0".repeat(64), null, 0];
  for (let end; (end = bytes.indexOf(10, start)) >= 0; start = end + 1, seq += 1) {
    try {
      const entry = readEntry(bytes.subarray(start, end), seq, prev);
      if (!seq && entry.data.format !== 1) return [`line 1: is of format ${entry.data.format}, and not of 1`, 2];
      signers ??= new Signers(entry.data);
      signers.check(entry);
      prev = entry.hash;
      count += Object.keys(entry.sigs ?? {}).length;
    } catch (error) {
      if (!(error instanceof Wrong)) error.message = `misshapen (${error.message})`;
      return [`line ${seq + 1}: ${error.message}`, 3];
    }
  }
  if (start < bytes.length) return [`line ${seq + 1}: was never finished`, 4];
  if (!seq) return ["holds no entry", 2];
  return [`whole: ${seq} entries, ${signers.keys.size ? `signed: ${count} signatures hold` : "unsigned"}, ${prev}`, 0];
}

const [told, code] = verifyRecord(readFileSync(process.argv[2]));
(code ? console.error : console.log)(told);
process.exitCode = code;
