/* What a page carries, unpacked: the moments of both courses, and the entries of the chain. */
"use strict";
const rollbookFrames = (() => {
  async function unpack(packed) {
    const letters = atob(packed.trim()), bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  // RFC 7396, into a copy: what is not named is shared with the value before. No name is special in it.
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  function merged(value, patch) {
    const made = Object.assign(Object.create(null), isObject(value) ? value : null);
    for (const key of Object.keys(patch)) {
      if (patch[key] === null) delete made[key];
      else made[key] = isObject(patch[key]) ? merged(made[key], patch[key]) : patch[key];
    }
    return made;
  }
  // The moments of a course: from the nearest one that is known or whole, one change after the other.
  function newCourse(changeAt, whole) {
    const known = new Map();
    return function momentAt(at) {
      if (at < 0) return null;
      let from = at;
      while (from > 0 && !known.has(from) && !Object.hasOwn(whole, from)) from--;
      let moment = known.get(from) ?? merged(null, whole[from] ?? changeAt(from));
      known.set(from, moment);
      for (let next = from + 1; next <= at; next++) known.set(next, (moment = merged(moment, changeAt(next))));
      return moment;
    };
  }
  function coursesOf({ changes, whole, corrected }) {
    const then = newCourse((at) => changes[at], whole);
    if (!corrected) return [then, then];
    const other = (at) => (corrected.changes[at] === 0 ? changes[at] : corrected.changes[at]);
    return [then, newCourse(other, { ...whole, ...corrected.whole })];
  }
  function lanesOf({ lanes, corrected, people }) {
    const ids = Object.keys({ ...lanes, ...corrected?.lanes });
    const [then, now] = [(id) => lanes[id] ?? [], (id) => corrected?.lanes[id] ?? lanes[id] ?? []];
    return ids.map((id) => ({ id, name: people[id]?.[0] ?? id, kind: people[id]?.[1], courses: [then(id), now(id)] }));
  }

  // The entries of a chain: each line is read when it is asked for. Names of kinds are without their version.
  const NEWLINE = 10;
  function newEntries() {
    const known = new Map(), ends = [0];
    let bytes = new Uint8Array(0);
    // What is packed takes longer to unpack than a first picture may take: until then nothing is known of any entry.
    function fill(unpacked) {
      bytes = unpacked;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at + 1);
    }
    function entryAt(place) {
      if (place + 1 >= ends.length) return null;
      if (!known.has(place)) known.set(place, read(rollbookDigests.decode(bytes.subarray(ends[place], ends[place + 1]))));
      return known.get(place);
    }
    // A line of a whole export has its private envelope and its seal besides. Of words that were removed a mark is left.
    const withoutWords = ({ intent } = {}) => ({ text: "", about: "", name: "", seat: intent?.params?.seat ?? "" });
    const lineOf = ([name, fields], at, [[, envelope]]) => (name[0] === "~" ? [name.slice(1).split("@")[0], withoutWords(envelope)] : [name.split("@")[0], fields]);
    const read = (text) => {
      const [first, ...rest] = (JSON.parse(text).lines ?? []).map(lineOf);
      if (!first) return null;
      const own = rest[0]?.[0] === "Private" ? rest.shift()[1] : null;
      if (own) rest.pop();
      return { kind: first[0], envelope: first[1], own, at: first[1].at / 1000, events: rest };
    };
    const head = () => (ends.length > 1 ? JSON.parse(rollbookDigests.decode(bytes.subarray(0, ends[1]))) : {});
    return { entryAt, fill, get head() { return head(); }, get count() { return ends.length - 2; }, get bytes() { return bytes; } };
  }
  const eventsOf = (entry, ...kinds) => (entry?.events ?? []).filter(([kind]) => kinds.includes(kind)).map(([, fields]) => fields);
  const PHYSICAL = "physical", OVERRIDE = "override";
  // The rolls of an entry from left to right, with their dice as they lay.
  function rollsOf(entry, nameOf) {
    return eventsOf(entry, "DiceRolled").map((roll) => {
      const { roller, purpose, dice, sources, total, secret } = roll, { terms, after } = rollbookRollLines.lineOf(roll);
      const kinds = sources.flatMap(([kind, many]) => Array(many).fill(kind));
      const lay = dice.map(([sides, face, kept], place) => ({ sides, face, kept, typed: kinds[place] === PHYSICAL, put: kinds[place] === OVERRIDE }));
      const label = [nameOf(roller), purpose].filter(Boolean).join(", ");
      return { label, terms: terms.map(({ before, dice: places }) => [before, places.map((place) => lay[place])]), after, dice: lay, total, secret };
    });
  }
  return { unpack, coursesOf, lanesOf, newEntries, eventsOf, rollsOf };
})();
