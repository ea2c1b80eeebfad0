/* Values, bytes, their digests and the codes of these, for both questions of verify_rollbook.js: SHA-256 by the
   browser, or by this script where there is no WebCrypto. In a page it comes first, then verify_dice.js and
   verify_rollbook.js. */
"use strict";
const rollbookDigests = (() => {
  const NO_ENTRY = "the next line is not an entry as rollbook writes it";
  function check(holds, otherwise = NO_ENTRY, exit = 1) {
    if (!holds) throw Object.assign(new Error(otherwise), { exit });
  }
  function must(due) {  // what has to follow from the entries before, whatever the hashes say
    const wrong = (field) => `the ${field} of the next one does not follow from what comes before it`;
    for (const field in due) check(due[field], wrong(field));
  }
  const get = (map, key, otherwise) => (map.has(key) ? map.get(key) : map.set(key, otherwise).get(key));

  // JSON. A number that is not written as a whole one is read as nothing, so that 1.0 is no 1. That leaves fractions
  // free to stand for the numbers that are too large for JavaScript's own.
  const NUMBERS = /("(?:[^"\\]|\\.)*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  function parse(text) {
    const large = [], isLarge = (value) => typeof value === "number" && value % 1;
    const short = text.replace(NUMBERS, (token, words) => {
      if (!words && !/^-?\d+$/.test(token)) return "null";
      return words || Number.isSafeInteger(Number(token)) ? token : `${large.push(BigInt(token)) - 1}.5`;
    });
    const found = (_, value) => (isLarge(value) ? large[Math.floor(value)] : value);
    return JSON.parse(short, large.length ? found : undefined);
  }
  // Values of a file, and keys of several: true is 1 where a number is meant, and no key has a list in it.
  const isNumber = (value) => ["number", "bigint"].includes(typeof value);
  const integer = (value) => (check(isNumber(value)), value);
  const after = (whole) => (whole < Number.MAX_SAFE_INTEGER ? whole + 1 : BigInt(whole) + 1n);
  const plain = (value) => (typeof value === "boolean" ? Number(value) : value);
  const single = (value) => (check(Object(value) !== value), plain(value));
  const written = (value) => (typeof value === "string" || Object(value) === value ? JSON.stringify(value) : value);
  const keyOf = (...parts) => parts.map(written).join();
  const kindOf = (value) => (isNumber(value) ? Number : value !== null && Object.getPrototypeOf(value).constructor);
  function fill(kinds, fields) {  // values of these kinds, or these values where they may be left out
    check(kindOf(fields) === Object);
    return Object.fromEntries(Object.entries(kinds).map(([key, kind]) => {
      const value = Object.hasOwn(fields, key) ? fields[key] : kind;
      check(kindOf(value) === (typeof kind === "function" ? kind : kindOf(kind)));
      return [key, value];
    }));
  }
  function pieces(text) {  // the lists that a list holds, each as its letters are
    const found = [];
    let depth = 0, from = 0;
    for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
      if ("[{".includes(sign)) check(depth++ < 900);
      else if ("]}".includes(sign) && --depth === 0) found.push(text.slice(from, (from = index + 2) - 1));
      if (depth < 0) break;
    }
    check(found.length);
    return found;
  }
  // A line of an answer on one line, without signs that a terminal would obey.
  const cleaned = (line) => line.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");

  const utf8 = (text) => new TextEncoder().encode(text);
  const decode = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  // In Latin-1 every letter is one byte.
  const broken = (bytes) => new TextDecoder("latin1").decode(bytes).match(/[^\n]*\n|[^\n]+/g) ?? [""];
  const linesOf = (bytes, at = 0) => broken(bytes).map((line) => bytes.subarray(at, (at += line.length)));
  function fromHex(text) {
    check(typeof text === "string" && /^(?:[\t-\r ]*[0-9a-f]{2})*[\t-\r ]*$/i.test(text));
    return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
  }
  function unhex(text) {
    const bytes = fromHex(text);
    check(text === hex(bytes) && [0, 32].includes(bytes.length), "a digest is not written as it was");
    return bytes;
  }
  function number(size, value) {
    check(value >= 0 && value < 256 ** size);
    return Uint8Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(8 * (size - 1 - at))) & 255n));
  }
  function join(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
  }
  const counted = (bytes) => join(number(4, bytes.length), bytes);

  // SHA-256 as FIPS 180-4 has it, for Node 18 and for pages without https, which have no WebCrypto.
  const isPrime = (one, _, all) => all.every((by) => by >= one || one % by);
  const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter(isPrime);
  const rootsOf = (root) => PRIMES.map((prime) => Math.floor((prime ** (1 / root) % 1) * 2 ** 32));
  const [ROUNDS, BEGINS] = [rootsOf(3), rootsOf(2).slice(0, 8)];
  const turn = (word, ...by) => by.reduce((sum, each) => sum ^ ((word >>> each) | (word << (32 - each))), 0);
  function filled(bytes) {  // to whole blocks of 64 bytes, the last eight for the length in bits
    const zeros = new Uint8Array(63 - (bytes.length + 8) % 64);
    return new DataView(join(bytes, [0x80], zeros, number(8, bytes.length * 8)).buffer);
  }
  function wordsOf(data, block) {
    const words = new Int32Array(64);
    for (let at = 0; at < 16; at++) words[at] = data.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const [two, other] = [words[at - 2], words[at - 15]];
      const mixed = (turn(other, 7, 18) ^ (other >>> 3)) + (turn(two, 17, 19) ^ (two >>> 10));
      words[at] = words[at - 16] + words[at - 7] + mixed;
    }
    return words;
  }
  function plainSha(bytes) {
    const state = Int32Array.from(BEGINS), data = filled(bytes);
    for (let block = 0; block < data.byteLength; block += 64) {
      const words = wordsOf(data, block);
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at++) {
        const one = h + turn(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at];
        const both = one + turn(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, both | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
    }
    return join(...Array.from(state, (word) => number(4, word >>> 0)));
  }
  const digest = async (bytes) => globalThis.crypto?.subtle?.digest("SHA-256", bytes) ?? plainSha(bytes);
  const sha = async (...parts) => new Uint8Array(await digest(join(...parts)));
  const padded = (key, byte) => Uint8Array.from({ length: 64 }, (_, at) => key[at] ^ byte);
  const hmac = async (key, ...parts) => sha(padded(key, 0x5c), await sha(padded(key, 0x36), ...parts));
  const tagged = (tag, ...parts) => sha(utf8(`rollbook/chain/1 ${tag}\0`), ...parts);

  // Codes: the first 130 bits of a digest in letters for people, and what people make of them.
  const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const letter = (hash, at) => LETTERS[(BigInt(`0x${hash}`) >> BigInt(251 - 5 * at)) & 31n];
  const gap = (at) => (at % 5 || !at || at > 20 ? "" : "-");
  const codeOf = (hash) => Array.from({ length: 26 }, (_, at) => gap(at) + letter(hash, at)).join("");
  function lettersOf(line) {
    const bare = line.toUpperCase().replace(/[-\u2010-\u2014]/g, "");
    const read = bare.replace(/O/g, "0").replace(/[IL]/g, "1").replace(/U/g, "V");
    const tails = read.split(/\s+/).filter(Boolean).map((_, at, words) => words.slice(at).join(""));
    return tails.find((tail) => tail.length === 26) ?? tails.pop() ?? "";
  }

  const ofBytes = { utf8, decode, linesOf, hex, fromHex, unhex, number, counted };
  const ofValues = { parse, pieces, fill, isNumber, integer, after, plain, single, keyOf, cleaned };
  return { NO_ENTRY, check, must, get, ...ofValues, ...ofBytes, sha, hmac, tagged, codeOf, lettersOf };
})();
if (typeof module === "object") module.exports = rollbookDigests;
