/* Check an exported rollbook campaign: node verify_rollbook.js CAMPAIGN.jsonl [RECEIPT ...]
   or in a page: const answer = await verifyRollbook(text, ["sherwood @8 F5CBC-…"]); console.log(answer.text);
It asks what verify_rollbook.py asks and answers in the same words, with a browser or Node 18 and nothing else. VERIFIED is
proven, UNPROVEN lacks something, FAILED is contradicted. docs/proving.md and docs/dice.md have every byte.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above, 3 nothing is
contradicted, but nothing vouches for some of the entries here. */
"use strict";
const verifyRollbook = (() => {
  const LIMITS = `What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
and what the words in it mean. Against that somebody at the table notes receipts, and the dice code when a session begins.`;
  // Without words to say otherwise: the line is not an entry as rollbook writes it.
  function check(holds, otherwise, exit = 1) { if (!holds) throw Object.assign(new Error(otherwise), otherwise && { exit }); }
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const has = (object, key) => isObject(object) && Object.hasOwn(object, key);
  const get = (object, key, otherwise) => (has(object, key) ? object[key] : otherwise);
  const all = (object, ...keys) => keys.map((key) => (check(has(object, key)), object[key]));
  const texts = (object, ...keys) => all(object, ...keys).map((value) => (check(typeof value === "string"), value));
  const list = (value, length) => (check(Array.isArray(value) && value.length === (length ?? value.length)), value);
  const plain = (value) => JSON.stringify(value, (_, each) => (typeof each === "boolean" ? Number(each) : each));
  const utf8 = (text) => new TextEncoder().encode(text);
  const decode = (bytes) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromHex = (text) => (check(typeof text === "string" && /^(?:\s*[0-9a-f]{2})*\s*$/i.test(text)),
    Uint8Array.from(text.match(/[0-9a-f]{2}/gi) ?? [], (pair) => parseInt(pair, 16)));
  const unhex = (text, bytes = fromHex(text)) =>
    (check(text === hex(bytes) && [0, 32].includes(bytes.length), "a digest is not written as it was"), bytes);
  const number = (size, value) => (check(Number.isSafeInteger(Number(value)) && value >= 0 && value < 256 ** size),
    Uint8Array.from({ length: size }, (_, at) => Math.floor(value / 256 ** (size - 1 - at)) % 256));
  const counted = (bytes) => join(number(4, bytes.length), bytes);
  function join(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    return parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0), whole;
  }
  // SHA-256: the browser's own; in Node 18, and in pages without https, as FIPS 180-4 has it.
  const PRIMES = Array.from({ length: 310 }, (_, at) => at + 2).filter((one, _, all) => all.every((by) => by >= one || one % by));
  const [ROUNDS, BEGINS] = [3, 2].map((root) => PRIMES.map((prime) => Math.floor((prime ** (1 / root) % 1) * 2 ** 32)));
  const turn = (word, by) => (word >>> by) | (word << (32 - by));
  function plainSha(bytes) {
    const state = Int32Array.from(BEGINS.slice(0, 8)), words = new Int32Array(64), zeros = new Uint8Array(63 - (bytes.length + 8) % 64);
    const data = new DataView(join(bytes, [0x80], zeros, number(8, bytes.length * 8)).buffer);
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0, round = 0, two, other; at < data.byteLength; at++, round = at % 64) {
      [two, other] = [words[round - 2], words[round - 15]];
      words[round] = round < 16 ? data.getInt32(at + 3 * round) : words[round - 16] + words[round - 7] +
        (turn(other, 7) ^ turn(other, 18) ^ (other >>> 3)) + (turn(two, 17) ^ turn(two, 19) ^ (two >>> 10));
      h += (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[round] + words[round];
      other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + h) | 0, c, b, a, (h + other) | 0];
      if (round === 63) [a, b, c, d, e, f, g, h] = state.map((word, which) => (state[which] += [a, b, c, d, e, f, g, h][which]));
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
  const broken = (bytes) => new TextDecoder("latin1").decode(bytes).match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+/g) ?? [""];  // a letter is a byte
  const linesOf = (bytes, at = 0) => broken(bytes).map((line) => bytes.subarray(at, (at += line.length)));
  async function readHead(chain, first, name) {
    const head = await Promise.resolve(first).then((bytes) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))).catch(() => null);
    check(has(head, "format"), `${name} cannot be read (it is no export of rollbook)`, 2);
    check(/^rollbook\/(export|shown)\/1$/.test(head.format), `this verifier does not know the format of ${name}`, 2);
    const sum = hex(await sha(first.subarray(0, -31), utf8("}"))).slice(0, 16);
    check(decode(first).endsWith(`, "check": "${sum}"}\n`), "the first line was changed");
    const isTimeline = String(all(head, "campaign")[0]).includes("~"), isWhole = head.format === "rollbook/export/1";
    Object.assign(chain, { head, isWhole, isFiltered: head.for === "gm", isTimeline });
  }
  function split(text) {  // a line of the file: what it says of an entry, and the entry's own lines, each as its letters are
    const begin = text.indexOf('"lines":['), rest = text.slice(begin + 9), lines = [];
    if (begin < 0) return [JSON.parse(text), lines];
    let depth = 0, from = 0, bare = rest.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, (words) => " ".repeat(words.length));
    for (const { 0: sign, index } of bare.matchAll(/[[\]{},]/g)) {
      if (depth === 0 && "],".includes(sign)) {
        const raw = rest.slice(from, index), [name, fields] = list(JSON.parse(raw), 2);
        check(typeof name === "string" && name && raw === raw.trim());
        [from, depth] = [index + 1, sign === "]" ? 1000 : 0], lines.push({ name: name.split("@")[0], fields, raw });
      } else check((depth += { ",": 0, "[": 1, "{": 1 }[sign] ?? -1) < 900);
      if (depth === 1000) break;
    }
    check(rest.slice(from - 1) === "]}\n", "the next line does not end as it should");
    return [JSON.parse(`${text.slice(0, begin).replace(/,+$/, "")}}`), lines];
  }
  async function readEntry(text, running) {
    let [said, lines] = split(text), own = {}, due = get(said, "entry", null), isLeftOut = !lines.length;
    if (due) {
      const [[inner], end] = [lines.splice(1, 1), lines.pop()], [hash, previous_hash] = all(end.fields, "hash", "previous_hash");
      const isSealed = end.raw === JSON.stringify(["Seal@1", { hash, previous_hash }]) && inner.raw.startsWith('["Private@');
      check(isSealed && lines.length, "the next line does not begin and end as an entry does");
      const private_envelope = hex(await tagged("line", utf8(inner.raw))), hidden_events = get(inner.fields, "hidden_events", []);
      [own, said] = [inner.fields, { hash, previous_hash, hidden_events, private_envelope }];
    }
    const [{ name: kind, fields: envelope, raw }, ...events] = isLeftOut ? [{ name: "", fields: said, raw: "" }] : lines;
    check(isObject(said) && isObject(envelope) && isObject(get(envelope, "intent", {})));
    const isPublic = isLeftOut ? all(said, "is_public")[0] === true : get(envelope, "visibility", "") === "";
    const hidden = list(get(said, "hidden_events", [])), link = get(envelope, "previous_public_hash", "");
    const [half, ...more] = ["kept", "private", "private_envelope"].filter((each) => has(said, each));
    check(half && !more.length && (!hidden.length || half === "private_envelope"), "nothing vouches for a part of the next line");
    const marked = await Promise.all(events.map((event) => (event.name === "NoteWritten" ? mark(event.raw) : event.raw)));
    const [shown, secret] = [false, true].map((which) => marked.filter((_, at) => hidden.includes(at) === which).join("\n"));
    const open = isLeftOut ? unhex(all(said, "public")[0]) : await tagged("public", utf8(shown ? `${raw}\n${shown}` : raw));
    const within = unhex(get(said, "private_envelope", "")), previous = get(said, "previous_hash", half === "kept" ? "" : running);
    const closed = within.length ? await tagged("private", within, utf8(secret)) : unhex(get(said, "private", ""));
    const kept = half === "kept" ? unhex(said.kept) : await tagged("kept", closed, unhex(previous));
    const hash = hex(await tagged("entry", unhex(link), open, kept));
    return { due, own, said, kind, envelope, events, isLeftOut, isPublic, hidden, link, previous, hash };
  }
  // What must follow from the entries before, whatever the hashes say. In a reader's file that is the table's own count alone.
  const KINDS = ["ActionTaken", "ActionRevised", "ActionVoided", "ActionRestored"];
  const SESSIONS = ["EntropyAdded", "SessionClosed", "SessionOpened", "DiceRevealed", "ScreenCounted", "FreshDiceGranted"];
  function newNumbers(isWhole) {
    const [outcomes, corrections, seats, settled] = KINDS.map(() => new Map()), people = new Set([""]), places = [];
    let taken = 0, last = "", session = 0, isRerun = false;
    return (due, { envelope, own, kind, link, hidden, events, isPublic }) => {
      const isTaken = kind === "ActionTaken", [place, restores] = ["public_number", "restores"].map((each) => get(envelope, each, 0));
      taken += isTaken && isPublic;
      check(Number.isInteger(place));
      const isSeen = !kind || (isTaken ? place === (link ? taken : 0) : place >= 0 && place <= taken);
      if (!isWhole) return check(isPublic ? isSeen : place === 0, `the table does not count the next one as ${place}`);
      const [action, cause, id] = [all(own, "action")[0], get(own, "causation", 0), get(own, "correction", "")];
      const revision = get(envelope, "revision", 1), made = outcomes.get(action) ?? [];
      const isEntry = KINDS.includes(kind) && [action, cause, revision, restores, place, ...hidden].every(Number.isInteger) && typeof id === "string";
      check(isEntry);
      const isThere = (each, at) => each >= -1 && each < events.length && !(each <= hidden[at - 1]);
      check(hidden.every(isThere), "the next one hides what is not there");
      if (isTaken) places.push(isPublic ? taken : 0);
      check(isTaken ? action === places.length : action > 0 && action <= places.length, `#${action} is not the next action`);
      check(revision === made.length + 1, `revision ${revision} of #${action} is not the one that is next`);
      check(kind === "ActionRestored" ? restores > 0 && made[restores - 1] : restores === 0, `revision ${restores} of #${action} cannot be redone`);
      const counted = isPublic && (link || !isTaken) ? places[action - 1] : 0;
      check(place === counted, `the table counts #${action} as ${counted} and not as ${place}`);
      check(isTaken === (id === ""), "the next one has the id of no correction, or has one and is none");
      check(id === last || !corrections.has(id), "the correction of the next one was over");
      if (id && !corrections.has(id)) corrections.set(id, due);
      const isCause = id ? corrections.get(id) === cause : [...corrections.values()].includes(cause);
      check(cause === 0 || isCause, `it does not follow from @${cause}`);
      outcomes.set(action, [...made, KINDS.indexOf(kind) < 2]), (last = id);
      isRerun ||= isTaken && get(envelope, "provenance") === "ruling";
      if (isRerun) return;  // other rules played all of it again, and could not play what this rests on
      for (const seat of isTaken ? [] : settled.get(action) ?? []) seat ? seats.set(seat, null) : (session = null);
      for (const { name, fields } of events) attend(due, name, fields, action, isTaken);
      const [seat, actor, visibility] = ["seat", "actor", "visibility"].map((each) => get(envelope, each, "")), there = [...seats.keys(), ""];
      const isHere = (there.includes(seat) && people.has(actor)) || get(envelope, "provenance") === "imported";  // or named by another program
      check(isHere && [...there, "gm"].includes(visibility), "the next one names somebody who was never there");
    };
    function attend(due, name, event, action, isTaken) {  // seats keep their numbers, sessions are counted; until a correction (null)
      const named = get(event, "session", 0), which = SESSIONS.indexOf(name);
      const isRight = which === 2 ? named === session + 1 : named > 0 && (which < 2 ? named === session : named <= session);
      check(which < 0 || session === null || isRight, `session ${named} is not the one that it can be about`);
      if (which === 2 || name === "SeatTaken") settled.set(action, [...(settled.get(action) ?? []), which === 2 ? "" : event.seat]);
      if (which === 2 && session !== null) session = named;
      if (name === "SeatTaken") {
        const [seat] = texts(event, "seat"), given = event.number, isOthers = isTaken && [...seats].some(([other, its]) => other !== seat && its === given);
        check(Number.isInteger(given) && !isOthers && given >= 0 && (seats.get(seat) ?? given) === given, `seat ${given} is another's`);
        seats.set(seat, isTaken ? given : null);
      }
      if (name === "CharacterJoined") people.add(texts(event, "character")[0]);
      const those = ["EntriesRevealed", "NoteRedacted"].includes(name) ? list(all(event, "entries")[0]) : [];
      check(those.every((each) => each > 0 && each < due), "the next one names an entry that comes after it");
      check(name !== "CampaignStarted" || due === 1, "the campaign begins twice");
    }
  }
  // The first question. "running" is the hash of the line before, "seen" that of the last entry that the table saw.
  async function askChain(chain, lines) {
    const { hashes, entries, removed, isWhole, isFiltered, isTimeline, head } = chain, recorded = new Set(), worded = new Set(), numbers = newNumbers(isWhole);
    let running = "0".repeat(64), hasSecrets = false, isAlone = false;
    for (const line of lines) {
      const entry = await readEntry(decode(line), running), due = hashes.size + 1;
      const { said, isPublic, isLeftOut, link, previous, hash } = entry;
      check(entry.due === due || !(entry.due || isWhole), "the next line is another entry");
      check(!hashes.has(hash), "the next one is there twice");
      check(hash === get(said, "hash", isPublic || isLeftOut ? hash : ""), "the next one was changed");
      check(previous === running || !entry.due, "the next one does not follow it");
      if (!isFiltered) numbers(due, entry);
      const isSecret = hasSecrets || !isPublic || entry.hidden.length > 0;
      const seen = isSecret || (link && !entry.due) ? chain.seen : "";
      check(link === seen && (seen || previous === running), "the table had not seen what the next one names");
      chain.loose += isAlone && previous !== running, chain.leftOut += hashes.add(hash) && isLeftOut;
      [hasSecrets, running, isAlone] = [isSecret || link !== "", hash, !(isPublic || isWhole || isFiltered)];
      chain.seen = isPublic ? hash : chain.seen;
      if (!isLeftOut && entries.push([due, entry])) checkRemoved(due, entry.events, get(get(entry.envelope, "intent", {}), "verb"));
    }
    function checkRemoved(due, events, verb) {  // only the words of a note can be, all of them, and a later entry says so
      const written = verb === "note" ? events.filter(({ name }) => name === "NoteWritten") : [];
      if (written.some(({ fields }) => texts(fields, "text", "salt").join(""))) worded.add(due);
      check(!worded.has(due) || events.every(({ name }) => name[0] !== "~"), "words were removed from the last one, and it has others");
      for (const { name, fields, raw } of events) {
        const isMark = name[0] === "~" && verb === "note" && raw === `["~NoteWritten@1","${fields}"]` && removed.add(due);
        check(isMark || name[0] !== "~", "something was removed from the last one, and only the words of a note can be");
        if (name === "NoteRedacted") list(all(fields, "entries")[0]).forEach((gone) => gone < due && recorded.add(gone));
      }
    }
    chain.loose += isAlone;
    check((isWhole || isFiltered ? running : chain.seen) === head.head && entries.length === head.entries, "the file does not end as it says");
    check([...removed].every((gone) => recorded.has(gone)) || !isWhole || isTimeline, "words were removed from a note, and no record says so");
    check(!isWhole || ![...worded].some((there) => recorded.has(there)), "words that were removed on record are there again");
  }
  // The second question. "waiting" are requests that were undone, by session and place in the stream.
  const ATTENDED = ["EntropyAdded", "DiceRevealed", "SessionClosed", "ScreenCounted"];
  const asked = (roll) => plain(all(roll, "roller", "purpose", "occasion", "repeat", "secret"));
  async function draw(key, [fork, seat, index], sides, faces = [], view = null) {
    const own = fork ? await mac(key, "fork", number(4, fork)) : key, place = [number(2, seat), number(8, index), number(4, 0)];
    check(sides.every((many) => many >= 2 && many <= 2 ** 32), "there is no such die");
    for (let word = 0; faces.length < sides.length; word++) {
      if (word % 8 === 0) view = new DataView((await mac(own, "roll", ...place, number(4, word / 8))).buffer);
      const drawn = view.getUint32(word % 8 * 4), many = sides[faces.length];
      if (drawn < 2 ** 32 - 2 ** 32 % many) faces.push(drawn % many + 1);
    }
    return faces;
  }
  function runsOf(roll) {  // the dice of a roll by where they fell: session and place, and sides with faces
    const [dice, sources] = all(roll, "dice", "sources"), left = [...list(dice)];
    return list(sources).map((source) => {
      const [kind, many, session, place] = list(source, 4), fell = left.splice(0, many).map((die) => list(die).slice(0, 2));
      const where = place && kind !== "override" ? list(place, 4) : kind;
      return check(fell.length === many), { session, where, key: plain([session, where]), fell };
    });
  }
  async function askDice({ entries, isWhole, isTimeline, isFiltered, loose, leftOut, removed }) {
    const [sessions, counts, outcomes, waiting, others] = [1, 2, 3, 4, 5].map(() => new Map()), seeds = new Set();
    let proven = 0, taken = 0, campaign = fromHex(""), failed = [], missing = [];
    const fail = (due, wrong) => wrong && failed.push(`entry @${due}: ${wrong}`);
    async function follow(due, { own, envelope, events, isPublic, kind }) {
      const rolls = events.filter(({ name }) => name === "DiceRolled").map(({ fields }) => fields);
      taken += isPublic && kind === "ActionTaken";
      const action = get(own, "action") || (isPublic ? get(envelope, "public_number", taken) : `hidden ${due}`);
      for (const roll of counts.get(action) ?? []) for (const { key } of runsOf(roll)) waiting.set(key, asked(roll));
      outcomes.set(plain([action, get(envelope, "revision", 1)]), rolls);
      counts.set(action, has(envelope, "restores") ? outcomes.get(plain([action, envelope.restores])) ?? [] : rolls);
      const answered = counts.get(action).flatMap((roll) => runsOf(roll).map(({ key }) => key));
      for (const { name, fields: event } of events) {
        if (name === "CampaignStarted") campaign = campaign.length ? campaign : fromHex(all(event, "identity")[0]);
        if (name === "FreshDiceGranted") answered.push(...list(event.places).map((place) => plain([event.session, place])));
        if (name === "SessionOpened") await open(due, event, ...all(event, "session", "identity", "nonce", "commit_table"));
        if (ATTENDED.includes(name)) attend(due, name, event, sessions.get(event.session));
      }
      answered.forEach((key) => waiting.delete(key)), rolls.forEach((roll) => fall(due, action, roll));
    }
    async function open(due, event, session, identity, nonce, commit) {
      sessions.set(session, { event, lines: [], seeds: new Map(), used: new Map(), rolls: new Map() });
      const made = hex(await sha(utf8("rollbook/session/1\0"), campaign, fromHex(nonce))).slice(0, 32);
      fail(due, made !== identity && commit && "its dice were committed to for another campaign");
    }
    function attend(due, name, event, session) {
      if (name === "EntropyAdded") {
        const [seat, text] = all(event, "number", "text"), words = text.normalize("NFC");
        check(!/\p{Surrogate}/u.test(words) && session.lines.push([seat, utf8(words)]));
        return fail(due, (session.used.size || session.seeds.size) && "a line was mixed in after the first die");
      }
      if (name === "DiceRevealed") return session.seeds.set(Math.trunc(all(event, "screen")[0]), fromHex(event.seed));
      const counted = new Map(list(event.counts).map((run) => [plain(list(run).slice(0, -1)), run[run.length - 1]]));
      check(event.counts.every((run) => run.length > 1));
      const isScreen = name === "ScreenCounted", hasScreen = [...counted.keys()].some((run) => JSON.parse(run)[0]);
      const isMeant = ([run]) => [!isScreen, isWhole && (isScreen || hasScreen)][JSON.parse(run)[0]];
      const [said, had] = [counted, session.used].map((each) => plain([...each].filter(isMeant).sort()));
      return fail(due, said !== had && "a session was closed over other counts of rolls");
    }
    function fall(due, action, roll) {
      for (const { session: named, where, key, fell } of runsOf(roll)) {
        const session = sessions.get(named), [screen, fork, seat, index] = where, stream = plain([screen, fork, seat]);
        if (typeof where === "string") {
          others.set(plain([where, action, all(roll, "roller", "purpose"), fell]), [where, fell.length]);
          continue;
        } else if (!session || (fork && !isTimeline)) {
          fail(due, "dice of a session or a timeline that is not of this history");
        } else if (!session.rolls.has(key) && (isWhole || !screen)) {
          const next = isTimeline && !fork ? index : session.used.get(stream) ?? 0;
          const isAgain = [...waiting].some(([at, waits]) => JSON.parse(at)[0] === named && waits === asked(roll));
          const wrong = session.seeds.has(Number(screen)) ? "a die after the seed was revealed"
            : index !== next && `roll ${index} of seat ${seat} where ${next} is next`;
          fail(due, isAgain ? "fresh dice for a request that was undone, granted by nobody" : wrong);
        }
        session?.used.set(stream, Math.max(session.used.get(stream) ?? 0, index + 1));
        session?.rolls.set(key, { where, uses: [...(session.rolls.get(key)?.uses ?? []), [due, fell]] });
      }
    }
    async function prove(named, { event, lines }, cls, seed, rolls) {
      const [identity, ...commits] = all(event, "identity", "commit_table", "commit_screen").map(fromHex), id = counted(identity);
      const made = hex(await sha(counted(utf8("rollbook/dice/1 commit")), [cls], id, seed));
      const isRight = made === hex(commits[cls]) && seeds.size < seeds.add(hex(seed)).size;
      if (!isRight) failed.push(`the seed revealed for session ${named} is not the one that was committed to`);
      const mixed = lines.flatMap(([seat, words]) => [[0], number(2, seat), counted(words)]);
      const mix = await sha(counted(utf8("rollbook/dice/1 mix")), ...commits, number(2, lines.length), ...mixed);
      const key = await mac(seed, "key", [cls], id, mix);
      for (const { where, uses } of rolls) {
        const most = uses.map(([, fell]) => fell).reduce((one, other) => (other.length > one.length ? other : one));
        const faces = await draw(key, where.slice(1), most.map(([sides]) => sides));
        for (const [due, fell] of uses) {  // they are shown in their order, and some may be left out
          const shown = most.reduce((at, [sides], which) => at + (plain(fell[at]) === plain([sides, faces[which]])), 0);
          fail(due, shown < fell.length && `roll ${where[3]} of seat ${where[2]} does not show the dice of the stream`);
        }
        proven += most.length;
      }
    }
    try {
      for (const [due, entry] of isFiltered ? [] : entries) await follow(due, entry);
      for (const [[named, session], cls] of [...sessions].flatMap((each) => [[each, 0], [each, 1]])) {
        const rolls = [...session.rolls.values()].filter(({ where }) => Number(where[0]) === cls);
        if (session.seeds.has(cls)) await prove(named, session, cls, session.seeds.get(cls), rolls);
        else if (rolls.length) missing.push(`${cls ? "secret" : "the"} dice of session ${named} are not revealed`);
      }
    } catch (fault) {
      failed.push(`the dice cannot be followed: ${fault.exit ? fault.message : "an entry lacks some of them"}`);
    }
    if (others.size && !proven) missing.push("no die here came from a committed stream");
    if (isFiltered) missing.push("parts of the history are left out, so its dice cannot be counted");
    const sums = new Map(), verdict = failed.length ? "FAILED" : missing.length ? "UNPROVEN" : "VERIFIED";
    for (const [kind, many] of others.values()) sums.set(kind, (sums.get(kind) ?? 0) + many);
    const notes = [...sums].map(([kind, many]) => `${kind} dice, which nobody can prove: ${many}`);
    if (loose) notes.push(`entries that only this reader sees, and nothing else here vouches for: ${loose}`);
    if (leftOut) notes.push(`left out, with digests in their place: ${leftOut}`);
    if (removed.size) notes.push(`entries from which words were removed: ${removed.size}`);
    return { verdict, proven, findings: [...new Set(failed.length ? failed : missing)].slice(0, 20), notes };
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
    const commits = opened.map(({ fields }) => all(fields, "commit_table")[0]), known = [[...hashes], commits.filter(Boolean)];
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
      await readHead(chain, first, name), await askChain(chain, lines), checkReceipts(chain, noted);
    } catch (fault) {
      if (fault.exit === 2) return { exit: 2, chain: null, dice: null, text: `Nothing was checked: ${fault.message}.` };
      const wrong = fault.exit ? fault.message : "the next line is not an entry as rollbook writes it";
      const entries = chain.hashes.size, text = `chain  FAILED    after ${entries} good entries: ${wrong}`;
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
  const say = ({ text, exit }) => { console.log(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => (c === "\n" ? c : " "))), (process.exitCode = exit); }, isHelp = ["-h", "--help"].includes(path);
  if (isHelp || !path) say({ text: readFileSync(__filename, "utf8").split("*/")[0].slice(3), exit: isHelp ? 0 : 2 });
  else if (!existsSync(path)) say({ text: `Nothing was checked: ${path} cannot be read (No such file or directory).`, exit: 2 });
  else verifyRollbook(statSync(path).isFile() ? readFileSync(path) : "", receipts, path).then(say);
}
