/* Check an exported rollbook campaign: node verify_rollbook.js CAMPAIGN.jsonl [RECEIPT ...]
   or in a page: const answer = await verifyRollbook(bytes, ["sherwood @8 F5CBC-…"]); console.log(answer.text);
It asks what verify_rollbook.py asks and answers in the same words, with a browser or Node 18 and nothing else. VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. docs/proving.md and docs/dice.md have every byte.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here. */
"use strict";
const verifyRollbook = (() => {
  const LIMITS = `What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when a session begins.`;
  // What is read of a line, by its name: a value of this kind, or this one where it may be left out.
  const [NUMBER, TEXT, LIST] = [Number, String, Array], ENTRIES = { entries: LIST }, COUNTS = { session: NUMBER, counts: [] };
  const ENVELOPE = { seat: "", actor: "", visibility: "", provenance: "", revision: 1, restores: 0, public_number: 0,
    previous_public_hash: "", intent: {} };
  const READ = {
    ActionTaken: ENVELOPE, ActionRevised: ENVELOPE, ActionVoided: ENVELOPE, ActionRestored: ENVELOPE,
    Private: { action: NUMBER, causation: 0, correction: "", hidden_events: [], params: {} },
    Seal: { hash: TEXT, previous_hash: TEXT },
    CampaignStarted: { identity: TEXT }, CharacterJoined: { character: TEXT }, SeatTaken: { seat: TEXT, number: NUMBER },
    SessionOpened: { session: NUMBER, identity: "", nonce: "", commit_table: "", commit_screen: "" },
    EntropyAdded: { session: NUMBER, number: NUMBER, text: TEXT }, FreshDiceGranted: { session: NUMBER, places: LIST },
    SessionClosed: COUNTS, ScreenCounted: COUNTS, DiceRevealed: { session: NUMBER, seed: TEXT, screen: false },
    DiceRolled: { roller: TEXT, purpose: TEXT, occasion: "", repeat: 0, dice: [], sources: [] },
    NoteWritten: { text: TEXT, salt: "" }, NoteRedacted: ENTRIES, EntriesRevealed: ENTRIES,
  };
  const has = (object, key) => typeof object === "object" && Object.hasOwn(object, key);
  const get = (map, key, otherwise) => (map.has(key) ? map.get(key) : map.set(key, otherwise).get(key));
  const NO_ENTRY = "the next line is not an entry as rollbook writes it";
  function check(holds, otherwise = NO_ENTRY, exit = 1) {
    if (!holds) throw Object.assign(new Error(otherwise), { exit });
  }
  function must(due) {  // what has to follow from the entries before, whatever the hashes say
    for (const field in due) check(due[field], `the ${field} of the next one does not follow from what comes before it`);
  }
  // Bytes and their digests: by the browser, or in Node 18 and in pages without https as FIPS 180-4 has it.
  const utf8 = (text) => new TextEncoder().encode(text);
  const decode = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const counted = (bytes) => join(number(4, bytes.length), bytes);
  function fromHex(text) {
    check(typeof text === "string" && /^(?:\s*[0-9a-f]{2})*\s*$/i.test(text));
    return Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16));
  }
  function unhex(text, bytes = fromHex(text)) {
    check(text === hex(bytes) && [0, 32].includes(bytes.length), "a digest is not written as it was");
    return bytes;
  }
  function number(size, value) {
    check(Number.isSafeInteger(Number(value)) && value >= 0 && value < 256 ** size);
    return Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256);
  }
  function join(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
  }
  const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter((one, _, all) => all.every((by) => by >= one || one % by));
  const [ROUNDS, BEGINS] = [3, 2].map((root) => PRIMES.map((prime) => Math.floor((prime ** (1 / root) % 1) * 2 ** 32)));
  const turn = (word, ...by) => by.reduce((sum, each) => sum ^ ((word >>> each) | (word << (32 - each))), 0);
  function plainSha(bytes) {
    const state = Int32Array.from(BEGINS.slice(0, 8)), words = new Int32Array(64), zeros = new Uint8Array(63 - (bytes.length + 8) % 64);
    const data = new DataView(join(bytes, [0x80], zeros, number(8, bytes.length * 8)).buffer);
    for (let block = 0; block < data.byteLength; block += 64) {
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at++) {
        const [two, other] = [words[at - 2], words[at - 15]];
        words[at] = at < 16 ? data.getInt32(block + 4 * at) : words[at - 16] + words[at - 7] +
          (turn(other, 7, 18) ^ (other >>> 3)) + (turn(two, 17, 19) ^ (two >>> 10));
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
  const mac = (key, use, ...parts) => hmac(key, counted(utf8(`rollbook/dice/1 ${use}`)), ...parts);
  const tagged = (tag, ...parts) => sha(utf8(`rollbook/chain/1 ${tag}\0`), ...parts);
  const mark = async (raw) => `["~NoteWritten@1","${hex(await tagged("line", utf8(raw)))}"]`;

  // The file: its lines, and the entry that each one holds.
  const broken = (bytes) => new TextDecoder("latin1").decode(bytes).match(/[^\n]*\n|[^\n]+/g) ?? [""];  // a letter is a byte
  const linesOf = (bytes, at = 0) => broken(bytes).map((line) => bytes.subarray(at, (at += line.length)));
  async function readHead(first, name) {
    const head = await Promise.resolve(first).then((bytes) => JSON.parse(decode(bytes))).catch(() => null);
    check(has(head ?? 0, "format"), `${name} cannot be read (it is no export of rollbook)`, 2);
    check(/^rollbook\/(export|shown)\/1$/.test(head.format), `this verifier does not know the format of ${name}`, 2);
    const sum = hex(await sha(first.subarray(0, -31), utf8("}"))).slice(0, 16);
    check(decode(first).endsWith(`, "check": "${sum}"}\n`), "the first line was changed");
    return head;
  }
  // A number that is not written as a whole one is read as nothing, so that 1.0 is no 1.
  const parse = (text) => JSON.parse(text.replace(/("(?:[^"\\]|\\.)*")|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g,
    (token, words) => (words || /^-?\d+$/.test(token) ? token : "null")));
  function fill(kinds, fields) {
    check(typeof fields === "object" && !Array.isArray(fields));
    return Object.fromEntries(Object.entries(kinds).map(([key, kind]) => {
      const value = Object.hasOwn(fields, key) ? fields[key] : kind;
      check(value?.constructor === (typeof kind === "function" ? kind : kind.constructor));
      return [key, value];
    }));
  }
  function lineOf(raw) {
    const [name, fields, ...more] = parse(raw), kind = name.split("@")[0];
    check(raw[0] === "[" && fields !== undefined && !more.length);
    return { name: kind, fields: Object.hasOwn(READ, kind) ? fill(READ[kind], fields) : fields, raw };
  }
  function split(text) {  // a line of the file: what it says of an entry, and the entry's own lines, each as its letters are
    const begin = text.indexOf('"lines":[') + 9, lines = [];
    if (begin < 9) return [fill({}, parse(text)) && parse(text), lines];
    let depth = 0, from = begin;
    for (const { 0: sign, index } of text.slice(begin).matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
      if ("[{".includes(sign)) check(depth++ < 900);
      else if ("]}".includes(sign) && --depth === 0) lines.push(text.slice(from, (from = begin + index + 2) - 1));
      if (depth < 0) break;
    }
    check(lines.length);
    check(`${text.slice(0, begin)}${lines.join()}]}\n` === text, "the next line does not end as it should");
    return [parse(`${text.slice(0, begin - 9).replace(/,+$/, "")}}`), lines.map(lineOf)];
  }
  async function readEntry(text, running) {
    let [said, lines] = split(text), own = { params: {} };
    const due = said.entry, isLeftOut = !lines.length;
    if (due) {
      const [[inner], end] = [lines.splice(1, 1), lines.pop()], isSealed = end.raw === JSON.stringify(["Seal@1", end.fields]);
      check(isSealed && inner.raw.startsWith('["Private@'), "the next line does not begin and end as an entry does");
      own = inner.fields;
      said = { ...end.fields, hidden_events: own.hidden_events, private_envelope: hex(await tagged("line", utf8(inner.raw))) };
    }
    const [{ name: kind, fields: envelope, raw }, ...events] = isLeftOut ? [{ name: "", fields: { ...ENVELOPE, ...said }, raw: "" }] : lines;
    check(isLeftOut || READ[kind] === ENVELOPE);
    const isPublic = isLeftOut ? said.is_public === true : envelope.visibility === "", isTaken = kind === "ActionTaken";
    const hidden = said.hidden_events ?? [], link = envelope.previous_public_hash, isCounted = isPublic && (link || !isTaken);
    const [half, ...more] = ["kept", "private", "private_envelope"].filter((each) => Object.hasOwn(said, each));
    check(half && !more.length && (!hidden.length || half === "private_envelope"), "nothing vouches for a part of the next line");
    const marked = await Promise.all(events.map((event) => (event.name === "NoteWritten" ? mark(event.raw) : event.raw)));
    const [shown, secret] = [false, true].map((which) => marked.filter((_, at) => hidden.includes(at) === which));
    const open = isLeftOut ? unhex(said.public) : await tagged("public", utf8([raw, ...shown].join("\n")));
    const within = unhex(said.private_envelope ?? ""), previous = said.previous_hash ?? (half === "kept" ? "" : running);
    const closed = within.length ? await tagged("private", within, utf8(secret.join("\n"))) : unhex(said.private ?? "");
    const kept = half === "kept" ? unhex(said.kept) : await tagged("kept", closed, unhex(previous));
    const hash = hex(await tagged("entry", unhex(link), open, kept)), isOutcome = isTaken || kind === "ActionRevised";
    return { due, own, said, kind, envelope, events, isLeftOut, isPublic, isTaken, isCounted, isOutcome, hidden, link, previous, hash };
  }

  // What is counted from entry to entry. "places" are the actions' numbers at the table, 0 for those that it did not see.
  function newNumbers(isWhole) {
    const [places, outcomes, firsts, seats, settled] = Array.from({ length: 5 }, () => new Map()), people = new Set([""]);
    let taken = 0, last = "", session = 0, isRerun = false;
    return (due, { envelope, own, kind, hidden, events, isPublic, isTaken, isCounted, isOutcome, isLeftOut }) => {
      taken += isTaken && isPublic;
      const { public_number: place, revision, restores, provenance } = envelope, most = isCounted ? taken : 0;
      must({ public_number: isLeftOut || (place >= (isTaken ? most : 0) && place <= most) });
      if (!isWhole) return;  // nothing else is in sight of all that it follows from
      const { action, causation: cause, correction: id } = own, made = get(outcomes, action, []);
      check(hidden.every(Number.isInteger));
      if (isTaken) places.set(places.size + 1, isPublic ? taken : 0);
      must({
        action: isTaken ? action === places.size : places.has(action),
        revision: revision === made.length + 1,
        restores: kind === "ActionRestored" ? made[restores - 1] : restores === 0,
        public_number: place === (isCounted ? places.get(action) : 0),
        correction: isTaken === (id === "") && (id === last || !firsts.has(id)),
        causation: cause === 0 || (id ? cause === get(firsts, id, due) : [...firsts.values()].includes(cause)),
        hidden_events: hidden.every((each, at) => each >= -1 && each < events.length && !(each <= hidden[at - 1])),
      });
      made.push(isOutcome), (last = id) && get(firsts, id, due);
      // An action that is a ruling from the first: other rules played all of it again, and could not play what this rests on.
      isRerun ||= isTaken && provenance === "ruling";
      if (!isRerun) attend(due, envelope, events, isTaken, get(settled, action, []));
    };
    // Seats keep their numbers and sessions are counted, until an action that settled it is corrected (null).
    function attend(due, { seat, actor, visibility, provenance }, events, isTaken, own) {
      for (const each of isTaken ? [] : own) each ? seats.set(each, null) : (session = null);
      for (const { name, fields: event } of events) {
        if (READ[name]?.session && session !== null) {
          const isOpened = name === "SessionOpened", isLast = ["EntropyAdded", "SessionClosed"].includes(name), named = event.session;
          must({ session: named > 0 && (isOpened ? named === session + 1 : isLast ? named === session : named <= session) });
          session = Math.max(session, named);
        }
        if (name === "SeatTaken") {
          const isOthers = isTaken && [...seats].some(([other, its]) => other !== event.seat && its === event.number);
          must({ number: !isOthers && event.number >= 0 && (seats.get(event.seat) ?? event.number) === event.number });
          seats.set(event.seat, isTaken ? event.number : null);
        }
        if (name === "SeatTaken" || name === "SessionOpened") own.push(event.seat ?? "");
        if (name === "CharacterJoined") people.add(event.character);
        must({ entries: READ[name] !== ENTRIES || event.entries.every((each) => Number.isInteger(each) && each > 0 && each < due) });
        must({ CampaignStarted: name !== "CampaignStarted" || due === 1 });
      }
      const isImported = provenance === "imported";  // another program named them
      must({ seat: isImported || seat === "" || seats.has(seat), actor: isImported || people.has(actor) });
      must({ visibility: ["", "gm"].includes(visibility) || seats.has(visibility) });
    }
  }
  // The first question. "running" is the hash of the line before, "seen" that of the last entry that the table saw.
  async function askChain(head, lines, chain) {
    const { hashes, entries, removed } = chain, isWhole = head.format === "rollbook/export/1", isFiltered = head.for === "gm";
    const timeline = head.campaign.split("~")[1], [recorded, worded] = [new Set(), new Set()], numbers = newNumbers(isWhole);
    let running = "0".repeat(64), hasSecrets = false, isAlone = false;
    Object.assign(chain, { isWhole, isFiltered, fork: Number(timeline ?? 0) });
    for (const line of lines) {
      const entry = await readEntry(decode(line), running), due = hashes.size + 1;
      const { said, isPublic, isLeftOut, link, previous, hash } = entry;
      check(entry.due === due || !(entry.due || isWhole), "the next line is another entry");
      check(!hashes.has(hash), "the next one is there twice");
      check(hash === (said.hash ?? (isPublic || isLeftOut ? hash : "")), "the next one was changed");
      check(previous === running || !entry.due, "the next one does not follow it");
      if (!isFiltered) numbers(due, entry);
      const isSecret = hasSecrets || !isPublic || entry.hidden.length > 0, seen = isSecret || (link && !entry.due) ? chain.seen : "";
      check(link === seen && (seen || previous === running), "the table had not seen what the next one names");
      chain.loose += isAlone && previous !== running, chain.leftOut += isLeftOut;
      [hasSecrets, running, isAlone] = [isSecret || link !== "", hash, !(isPublic || isWhole || isFiltered)];
      chain.seen = isPublic ? hash : chain.seen, hashes.add(hash);
      if (!isLeftOut && entries.push([due, entry])) readWords(due, entry);
    }
    function readWords(due, { events, envelope: { intent: { verb } } }) {  // only those of a note can be removed, all of them
      const marks = events.filter(({ name }) => name[0] === "~"), isNote = verb === "note";
      const areMarks = isNote && marks.every(({ raw }) => /^\["~NoteWritten@1","[0-9a-f]{64}"\]$/.test(raw));
      for (const { name, fields } of events) {
        if (name === "NoteRedacted") fields.entries.forEach((gone) => recorded.add(gone));
        if (name === "NoteWritten" && isNote && fields.text + fields.salt) worded.add(due);
      }
      if (marks.length) removed.add(due);
      check(!marks.length || areMarks, "something was removed from the last one, and only the words of a note can be");
      check(!marks.length || !worded.has(due), "words were removed from the last one, and it has others");
    }
    const isEnd = (isWhole || isFiltered ? running : chain.seen) === head.head && entries.length === head.entries;
    const isRecorded = !isWhole || timeline || [...removed].every((gone) => recorded.has(gone));
    chain.loose += isAlone;
    check(isEnd, "the file does not end as it says");
    check(isRecorded, "words were removed from a note, and no record says so");
    check(!isWhole || ![...worded].some((there) => recorded.has(there)), "words that were removed on record are there again");
  }
  // The second question. A place is session, screen, fork, seat and number; at it may be a request that waits for its dice.
  // "own" are the places that an action has had. In a reader's file nobody can say for which one some were drawn (null).
  async function draw(key, [, , fork, seat, index], sides) {
    const own = fork ? await mac(key, "fork", number(4, fork)) : key, place = [number(2, seat), number(8, index), number(4, 0)];
    const faces = [];
    check(sides.every((many) => many >= 2 && many <= 2 ** 32), "there is no such die");
    for (let word = 0, view; faces.length < sides.length; word++) {
      if (word % 8 === 0) view = new DataView((await mac(own, "roll", ...place, number(4, word / 8))).buffer);
      const drawn = view.getUint32(word % 8 * 4), many = sides[faces.length];
      if (drawn < 2 ** 32 - 2 ** 32 % many) faces.push(drawn % many + 1);
    }
    return faces;
  }
  const areSomeOf = (few, dice) => dice.reduce((at, die) => at + (few[at] === die), 0) >= few.length;
  const longer = (one = [], other = []) => (other.length > one.length ? other : one);
  function placed({ roller, purpose, occasion, repeat, dice, sources }) {  // a roll's dice by place, and those of other sources
    const left = [...dice], rolls = new Map(), others = [], asked = [roller, purpose, occasion, repeat];
    for (const [kind, many, session = 0, at = null] of sources) {
      const fell = left.splice(0, many).map(([sides, face]) => ({ sides, face, isOther: kind === "override" }));
      const roll = { place: [session, ...(at ?? [])], key: String([session, ...(at ?? [])]), asked: JSON.stringify(asked), dice: [] };
      check(fell.length === many, "an entry lacks some of them");
      if (at) get(rolls, roll.key, { ...roll, run: String(roll.place.slice(0, 4)), occasion }).dice.push(...fell);
      if (!at || kind === "override") others.push([JSON.stringify([kind, roller, purpose, fell]), [kind, many]]);
    }
    check(!left.length, "nothing says where some of them come from");
    return [[...rolls.values()], others];
  }
  async function askDice({ entries, isWhole, fork: own, isFiltered, loose, leftOut, removed }) {
    const [sessions, outcomes, counting, owned, others, used, sides, waiting] = Array.from({ length: 8 }, () => new Map());
    const failed = [], missing = [], drawn = [], seeds = new Map();
    let proven = 0, taken = 0, campaign = "";
    const fail = (due, wrong) => wrong && failed.push(`entry @${due}: ${wrong}`);
    const isOver = ({ counts, seeds: known }) => counts.SessionClosed !== undefined || known.has(false);
    async function follow(due, { own: { action: numbered, params }, envelope, events, isPublic, isTaken, isOutcome }) {
      taken += isPublic && isTaken;
      const action = numbered ?? (isPublic ? envelope.public_number || taken : `hidden ${due}`), met = new Set(), fell = [];
      for (const { name, fields: event } of events) {
        const session = READ[name]?.session && sessions.get(event.session);
        if (name === "CampaignStarted") campaign = event.identity;
        else if (name === "SessionOpened") await open(due, event);
        else if (name === "DiceRolled") {
          const [rolls, foreign] = placed(event);
          for (const [which, many] of foreign) others.set(`${action} ${which}`, many);
          fell.push(...rolls), roll(due, rolls, get(owned, action, new Set()), met);
        } else if (session) attend(due, name, event, session);
      }
      const drawnFor = isWhole ? params.action ?? "" : null;
      if (envelope.intent.verb === "draw-for" && isOutcome) met.forEach((key) => get(owned, drawnFor, new Set()).add(key));
      // What no longer counts of an action waits for its request from here on, and what counts again does not.
      const { revision, restores } = envelope, made = get(outcomes, action, new Map()), before = made.get(counting.get(action)) ?? [];
      if (isOutcome) made.set(revision, fell);
      counting.set(action, isOutcome ? revision : restores), before.forEach((each) => waiting.set(each.key, each));
      take(made.get(counting.get(action)) ?? []);
    }
    function take(rolls) {
      for (const { key, run, place, dice } of rolls) {
        used.set(run, Math.max(used.get(run) ?? 0, place[4] + 1)), waiting.delete(key);
        sides.set(key, longer(sides.get(key), dice.map((die) => die.sides)));
      }
    }
    async function open(due, event) {
      const made = event.commit_table && hex(await sha(utf8("rollbook/session/1\0"), fromHex(campaign), fromHex(event.nonce))).slice(0, 32);
      fail(due, made && made !== event.identity && "its dice were committed to for another campaign");
      fail(due, sessions.has(event.session) && "a session is opened again");
      sessions.set(event.session, { ...event, lines: [], seeds: new Map(), counts: {} });
    }
    function attend(due, name, event, session) {
      if (name === "EntropyAdded") {
        const words = event.text.normalize("NFC"), isLate = isOver(session) || [...used.keys()].some((run) => run.split(",")[0] === String(event.session));
        check(!/\p{Surrogate}/u.test(words) && session.lines.push([event.number, utf8(words)]));
        fail(due, isLate && "a line was mixed in after the first die");
      } else if (name === "DiceRevealed") session.seeds.set(event.screen, event.seed);
      else if (name === "FreshDiceGranted") event.places.forEach((place) => waiting.delete(String([event.session, ...place])));
      else session.counts[name] = new Map(event.counts.map((run) => [String([event.session, ...run.slice(0, -1)]), run.at(-1)]));
    }
    function roll(due, rolls, own, met) {
      for (const each of rolls) {
        const { key, place } = each, isRight = !met.has(key) && (own.has(key) || isInTurn(each));
        fail(due, !isRight && `roll ${place[4]} of seat ${place[3]} is not in its turn`);
        drawn.push({ due, ...each }), met.add(key), own.add(key);
      }
      take(rolls);
    }
    // Whether an action may show dice that it never had: its request's, which were undone, or else those that are next.
    function isInTurn({ key, run, place: [named, screen, fork, , index], dice, asked, occasion }) {
      const session = sessions.get(named), waits = waiting.get(key), due = used.get(run) ?? 0;
      if (!session || dice.some((die) => die.isOther)) return own > 0;  // from canon, where it corrected something
      if (!isWhole && (screen || owned.get(null)?.has(key))) return true;  // not all of it is in sight
      if (isOver(session) || fork > own) return false;
      if (waits) return waits.asked === asked && sides.get(key).every((each, at) => each === (dice[at]?.sides ?? each));
      if (index !== due) return fork < own;
      return !occasion || ![...waiting.values()].some((other) => other.asked === asked && String(other.place.slice(0, 2)) === String([named, screen]));
    }
    async function finish() {
      const identities = [...sessions.values()].map(({ identity }) => identity).filter(Boolean);
      if (new Set(identities).size < identities.length) failed.push("two sessions share one identity");
      const unopened = new Set(drawn.map(({ place }) => place[0]).filter((named) => !sessions.has(named)));
      missing.push(...[...unopened].map((named) => `session ${named} was never opened`).sort());
      for (const [[named, session], screen] of [...sessions].flatMap((each) => [[each, false], [each, true]])) {
        const seed = session.seeds.get(screen), isOf = (key) => `${key},`.startsWith(`${named},${screen},`), fell = drawn.filter(({ key }) => isOf(key));
        if (seed !== undefined && get(seeds, seed.toLowerCase(), named) !== named) failed.push(`the dice of session ${named} come from the seed of another`);
        if (seed !== undefined && session.commit_table) await prove(named, session, screen, fromHex(seed), fell);
        else if (fell.length) missing.push(`${screen ? "secret" : "the"} dice of session ${named} are not revealed`);
        const said = session.counts[screen ? "ScreenCounted" : "SessionClosed"], had = [...used].filter(([run]) => isOf(run));
        const isOther = said && String([...said].sort()) !== String(had.sort()) && (isWhole || !screen);
        if (isOther) failed.push(`session ${named} was closed over other counts of rolls`);
      }
    }
    async function prove(named, { identity, commit_table, commit_screen, lines }, screen, seed, fell) {
      const id = counted(fromHex(identity)), commits = [commit_table, commit_screen].map(fromHex), cls = [Number(screen)], known = new Map();
      const isRight = hex(await sha(counted(utf8("rollbook/dice/1 commit")), cls, id, seed)) === hex(commits[cls[0]]);
      if (!isRight) failed.push(`the seed revealed for session ${named} is not the one that was committed to`);
      const mixed = lines.flatMap(([seat, words]) => [[0], number(2, seat), counted(words)]);
      const mix = await sha(counted(utf8("rollbook/dice/1 mix")), ...commits, number(2, lines.length), ...mixed);
      const key = await mac(seed, "key", cls, id, mix);
      for (const { due, key: where, place, dice } of fell) {
        const faces = await draw(key, place, dice.map((die) => die.sides)), before = get(known, where, []);
        const again = dice.map(({ sides: many }, at) => `${many} ${faces[at]}`), shown = dice.map(({ sides: many, face }) => `${many} ${face}`);
        const genuine = shown.filter((_, at) => !dice[at].isOther), isAgain = shown.every((die, at) => die === again[at] || dice[at].isOther);
        if (before.some((each) => areSomeOf(genuine, each))) continue;
        fail(due, !isAgain && `roll ${place[4]} of seat ${place[3]} does not show the dice of the stream`);
        proven += Math.max(0, genuine.length - Math.max(0, ...before.map((each) => each.length))), before.push(again);
      }
    }
    try {
      for (const [due, entry] of isFiltered ? [] : entries) await follow(due, entry);
      await finish();
    } catch (fault) {
      failed.push(`the dice cannot be followed: ${fault.exit && fault.message !== NO_ENTRY ? fault.message : "an entry lacks some of them"}`);
    }
    const sums = new Map(), verdict = () => (failed.length ? "FAILED" : missing.length ? "UNPROVEN" : "VERIFIED");
    for (const [kind, many] of others.values()) sums.set(kind, (sums.get(kind) ?? 0) + many);
    if (!proven && (sums.has("physical") || sums.has("imported"))) missing.push("no die here came from a committed stream");
    if (isFiltered) missing.push("parts of the history are left out, so its dice cannot be counted");
    const notes = [...sums].map(([kind, many]) => [`${kind} dice, which nobody can prove`, many]);
    notes.push(["entries that only this reader sees, and nothing else here vouches for", loose]);
    notes.push(["left out, with digests in their place", leftOut], ["entries from which words were removed", removed.size]);
    const said = notes.filter(([, many]) => many).map((note) => note.join(": "));
    return { verdict: verdict(), proven, findings: [...new Set(failed.length ? failed : missing)].slice(0, 20), notes: said };
  }
  // Codes, and the answer.
  const letter = (hash, at) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[(BigInt(`0x${hash}`) >> BigInt(251 - 5 * at)) & 31n];
  const codeOf = (hash) => Array.from({ length: 26 }, (_, at) => (at % 5 || !at || at > 20 ? "" : "-") + letter(hash, at)).join("");
  function lettersOf(line) {
    const bare = line.toUpperCase().replace(/[-\u2010-\u2014]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1").replace(/U/g, "V");
    const tails = bare.split(/\s+/).filter(Boolean).map((_, at, words) => words.slice(at).join(""));
    return tails.find((tail) => tail.length === 26) ?? tails.pop() ?? "";
  }
  function checkReceipts({ entries, hashes, isFiltered }, noted) {
    const opened = entries.flatMap(([, { events }]) => events.filter(({ name }) => name === "SessionOpened"));
    const known = [[...hashes], opened.map(({ fields }) => fields.commit_table).filter((each) => /^[0-9a-f]{64}$/.test(each))];
    const isHere = (code, which) => (isFiltered && which) || known[which].some((each) => lettersOf(codeOf(each)) === code);
    for (const [receipt, codes] of noted) check(codes.every(isHere), `no entry here has the receipt ${receipt}`);
  }
  // The answer for a file (text or bytes): "exit" as above, "chain", "dice" (null: not asked), and "text", all of it in words.
  return async function verify(file, receipts = [], name = "the file") {
    const chain = { hashes: new Set(), entries: [], removed: new Set(), seen: "0".repeat(64), loose: 0, leftOut: 0 };
    const noted = receipts.map((receipt) => [receipt, receipt.split(/\s+/).join(" ").split(" dice ").map(lettersOf)]);
    try {
      const [short] = noted.flatMap(([, codes]) => codes).filter((code) => code.length !== 26);
      check(short === undefined, `a code has 26 letters, and ${short?.length} prove nothing: ${short}`, 2);
      const [first, ...lines] = linesOf(typeof file === "string" ? utf8(file) : file);
      await askChain(await readHead(first, name), lines, chain), checkReceipts(chain, noted);
    } catch (fault) {
      if (fault.exit === 2) return { exit: 2, chain: null, dice: null, text: `Nothing was checked: ${fault.message}.` };
      const wrong = fault.exit ? fault.message : NO_ENTRY, entries = chain.hashes.size;
      const text = `chain  FAILED    after ${entries} good entries: ${wrong}`;
      return { exit: 1, chain: { verdict: "FAILED", entries, fault: wrong }, dice: null, text };
    }
    const dice = await askDice(chain), receipt = codeOf(chain.seen), entries = chain.entries.length - chain.loose;
    const there = chain.entries.length + (chain.isFiltered ? chain.leftOut : 0), verdict = entries === there ? "VERIFIED" : "UNPROVEN";
    const said = [`chain  ${verdict}  ${entries} of ${there} entries; the receipt of the last is ${receipt}`];
    said.push(`dice   ${dice.verdict.padEnd(8)}  ${dice.proven} dice proven`);
    const text = [...said, ...[...dice.findings, ...dice.notes].map((line) => `       ${line}`), LIMITS].join("\n");
    return { exit: dice.verdict === "FAILED" ? 1 : entries === there ? 0 : 3, chain: { verdict, entries, there, receipt }, dice, text };
  };
})();
if (typeof module === "object") module.exports = { verifyRollbook };
if (typeof require === "function" && require.main === module) {
  const { existsSync, readFileSync, statSync } = require("fs"), [path, ...receipts] = process.argv.slice(2);
  const isHelp = ["-h", "--help"].includes(path), shown = (text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (each) => (each === "\n" ? each : " "));
  const say = ({ text, exit }) => { console.log(shown(text)), (process.exitCode = exit); };
  if (isHelp || !path) say({ text: readFileSync(__filename, "utf8").split("*/")[0].slice(3), exit: isHelp ? 0 : 2 });
  else if (!existsSync(path)) say({ text: `Nothing was checked: ${path} cannot be read (No such file or directory).`, exit: 2 });
  else verifyRollbook(statSync(path).isFile() ? readFileSync(path) : "", receipts, path).then(say);
}
