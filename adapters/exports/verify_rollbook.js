/* Check an exported rollbook campaign: node verify_rollbook.js CAMPAIGN.jsonl [RECEIPT ...]
   or in a page, after the scripts digests.js and verify_dice.js, which lie beside this one:
   const answer = await verifyRollbook(bytes, ["sherwood @8 F5CBC-…"]); console.log(answer.text);
It asks what verify_rollbook.py asks and answers in the same words, with a browser or Node 18 and nothing else.
VERIFIED is proven, UNPROVEN lacks something, FAILED is contradicted. docs/proving.md and docs/dice.md have every byte.
Exit codes: 0 nothing is contradicted, 1 FAILED, 2 nothing was checked: not an export, or not written as above,
3 nothing is contradicted, but nothing vouches for some of the entries here. */
"use strict";
const verifyRollbook = (() => {
  const digests = typeof rollbookDigests === "object" ? rollbookDigests : require("./digests.js");
  const askDice = typeof askRollbookDice === "function" ? askRollbookDice : require("./verify_dice.js");
  const { NO_ENTRY, check, must, get, parse, pieces, fill, isNumber, cleaned } = digests;
  const { utf8, decode, linesOf, hex, unhex, sha, tagged, codeOf, lettersOf } = digests;

  const LIMITS = `
What a file alone cannot prove: that its end was not cut off, that it was not written differently from the start,
what the words in it mean, and that each roll was for what its entry says, which rollbook audit works out. Against that
somebody at the table notes receipts, and the codes of the dice when a session begins and when they are mixed.`;
  // What is read of a line, by its name: a value of this kind, or this one where it may be left out.
  const [NUMBER, TEXT, LIST] = [Number, String, Array];
  const ENTRIES = { entries: LIST }, COUNTS = { session: NUMBER, counts: [] };
  const ENVELOPE = {
    seat: "", actor: "", visibility: "", provenance: "played", revision: 1, restores: 0, public_number: 0,
    previous_public_hash: "", intent: {}, public_before: 0,
  };
  const READ = {
    ActionTaken: ENVELOPE, ActionInserted: ENVELOPE, ActionRevised: ENVELOPE, ActionVoided: ENVELOPE,
    ActionRestored: ENVELOPE,
    Private: { action: NUMBER, before: 0, causation: 0, correction: "", hidden_events: [], params: {} },
    Seal: { hash: TEXT, previous_hash: TEXT },
    CampaignStarted: { identity: TEXT }, CharacterJoined: { character: TEXT },
    SeatTaken: { seat: TEXT, number: NUMBER, role: TEXT },
    SessionOpened: { session: NUMBER, identity: "", nonce: "", commit_table: "", commit_screen: "" },
    EntropyAdded: { session: NUMBER, number: NUMBER, text: TEXT },
    FreshDiceGranted: { session: NUMBER, places: LIST }, SessionClosed: COUNTS, ScreenCounted: COUNTS,
    DiceRevealed: { session: NUMBER, seed: TEXT, screen: false },
    DiceRolled: { roller: TEXT, purpose: TEXT, occasion: "", repeat: 0, secret: false, dice: [], sources: [] },
    NoteWritten: { text: TEXT, salt: "" }, NoteRedacted: ENTRIES, EntriesRevealed: ENTRIES,
    PictureShown: { digest: "", alt: "", salt: "" }, SeatNamed: { seat: TEXT, name: TEXT, salt: "" },
  };
  const NOTES = "note say whisper handout portrait lay-map take-seat rename-seat".split(" "), NAMED = ["name", "salt"];
  const REMOVABLE = { NoteWritten: ["text", "salt"], PictureShown: ["digest", "alt", "salt"], SeatNamed: NAMED };

  // The file: its lines, and the entry that each one holds.
  async function readHead(first, name, why) {
    const head = await Promise.resolve(first).then((bytes) => JSON.parse(decode(bytes))).catch(() => null);
    check(Object.hasOwn(Object(head), "format"), `${name} cannot be read (${why})`, 2);
    const isKnown = ["rollbook/export/1", "rollbook/shown/1"].includes(head.format);
    check(isKnown, `this verifier does not know the format of ${name}`, 2);
    const sum = hex(await sha(first.subarray(0, -31), utf8("}"))).slice(0, 16);
    check(decode(first).endsWith(`, "check": "${sum}"}\n`), "the first line was changed");
    return head;
  }
  function lineOf(raw) {
    const [name, fields, ...more] = parse(raw), kind = name.split("@")[0];
    check(raw[0] === "[" && fields !== undefined && !more.length);
    return { name: kind, fields: Object.hasOwn(READ, kind) ? fill(READ[kind], fields) : fields, raw };
  }
  function split(text) {  // a line of the file: what it says of an entry, and the entry's own lines
    const begin = text.indexOf('"lines":[') + 9, hasLines = begin >= 9;
    const lines = hasLines ? pieces(text.slice(begin)) : [];
    const isEnded = !hasLines || `${text.slice(0, begin)}${lines.join()}]}\n` === text;
    check(isEnded, "the next line does not end as it should");
    const said = parse(hasLines ? `${text.slice(0, begin - 9).replace(/,+$/, "")}}` : text);
    if (!hasLines) fill({}, said);
    return [said, lines.map(lineOf)];
  }
  async function unsealed(lines) {  // takes the private envelope and the seal away from an entry's lines
    const [[inner], end] = [lines.splice(1, 1), lines.pop()];
    const isSealed = end.raw === JSON.stringify(["Seal@1", end.fields]);
    check(isSealed && inner.raw.startsWith('["Private@'), "the next line does not begin and end as an entry does");
    const private_envelope = hex(await tagged("line", utf8(inner.raw)));
    return [inner.fields, { ...end.fields, hidden_events: inner.fields.hidden_events, private_envelope }];
  }
  async function readEntry(text) {
    let [said, lines] = split(text), own = { params: {} };
    const due = said.entry, isLeftOut = !lines.length;
    if (due) [own, said] = await unsealed(lines);
    const replaced = { name: "", fields: { ...ENVELOPE, ...said }, raw: "" };
    const [{ name: kind, fields: envelope, raw }, ...events] = isLeftOut ? [replaced] : lines;
    check(isLeftOut || READ[kind] === ENVELOPE);
    const isInserted = kind === "ActionInserted", isNow = kind === "ActionTaken";  // or played before one
    const isTaken = isNow || isInserted, isOutcome = isTaken || kind === "ActionRevised";
    const isPublic = isLeftOut ? said.is_public === true : envelope.visibility === "";
    const hidden = said.hidden_events ?? [], link = envelope.previous_public_hash;
    const isCounted = isPublic && (link || !isTaken);
    const [half, ...more] = ["kept", "private", "private_envelope"].filter((each) => Object.hasOwn(said, each));
    const isVouchedFor = half && !more.length && (!hidden.length || half === "private_envelope");
    check(isVouchedFor, "nothing vouches for a part of the next line");
    const isPlayed = envelope.provenance === "played";
    const entry = { due, own, said, kind, raw, envelope, events, hidden, link };
    return Object.assign(entry, { isLeftOut, isNow, isInserted, isTaken, isOutcome, isPublic, isCounted, isPlayed });
  }
  const mark = async ({ name, raw }) => `["~${name}@1","${hex(await tagged("line", utf8(raw)))}"]`;
  // From its public half, and its private half bound to the entry before. A digest replaces what is not here.
  async function hashOf({ said, raw, events, hidden, link, isLeftOut }, previous) {
    const isRemovable = ({ name }) => Object.hasOwn(REMOVABLE, name);
    const marked = await Promise.all(events.map((each) => (isRemovable(each) ? mark(each) : each.raw)));
    const [shown, secret] = [false, true].map((which) => marked.filter((_, at) => hidden.includes(at) === which));
    const open = isLeftOut ? unhex(said.public) : await tagged("public", utf8([raw, ...shown].join("\n")));
    const within = unhex(said.private_envelope ?? ""), hasWithin = within.length > 0;
    const closed = hasWithin ? await tagged("private", within, utf8(secret.join("\n"))) : unhex(said.private ?? "");
    const kept = Object.hasOwn(said, "kept") ? unhex(said.kept) : await tagged("kept", closed, unhex(previous));
    return hex(await tagged("entry", unhex(link), open, kept));
  }

  // What is counted from entry to entry. "places" are the actions' numbers at the table, 0 for those it did not see.
  function newNumbers(isWhole) {
    const [places, outcomes, firsts, settled] = Array.from({ length: 4 }, () => new Map()), attend = newNames();
    let taken = 0, last = "", isRerun = false;
    function follow(due, entry) {
      const { envelope, isPublic, isTaken, isCounted, isLeftOut } = entry, place = envelope.public_number;
      taken += isTaken && isPublic;
      const most = isCounted ? taken : 0;
      must({ public_number: isLeftOut || (place >= (isTaken ? most : 0) && place <= most) });
      const isSeen = entry.isInserted && isPublic, told = envelope.public_before;
      must({ public_before: isSeen ? isNumber(told) && told > 0 && told < taken : told === 0 });
      if (!isWhole) return;  // nothing else is in sight of all that it follows from
      followAction(due, entry);
      // An action that is a ruling from the first: other rules played it again, and could not play what this rests on.
      isRerun ||= isTaken && envelope.provenance === "ruling";
      if (!isRerun) attend(due, entry, get(settled, entry.own.action, []));
    }
    function followAction(due, { envelope, own, kind, hidden, events, ...its }) {
      const { isPublic, isTaken, isNow, isInserted, isCounted, isOutcome } = its;
      const { public_number: place, public_before: told, revision, restores } = envelope;
      const { before, action, causation: cause, correction: id } = own, made = get(outcomes, action, []);
      check(hidden.every(isNumber));
      if (isTaken) places.set(places.size + 1, isPublic ? taken : 0);
      must({
        action: isTaken ? action === places.size : places.has(action),
        revision: revision === made.length + 1,
        restores: kind === "ActionRestored" ? made[Number(restores) - 1] : restores === 0,
        public_number: place === (isCounted ? places.get(action) : 0),
        before: isInserted ? isNumber(before) && before > 0 && before < action : before === 0,
        public_before: !told || told === places.get(before),
        correction: isNow === (id === "") && (id === last || !firsts.has(id)),
        causation: cause === 0 || (id ? cause === get(firsts, id, due) : [...firsts.values()].includes(cause)),
        hidden_events: hidden.every((each, at) => each >= -1 && each < events.length && !(each <= hidden[at - 1])),
      });
      made.push(isOutcome), (last = id) && get(firsts, id, due);
    }
    return { follow, isRerun: () => isRerun };
  }
  // Seats keep their numbers and sessions are counted, until an action that settled it is corrected (null).
  function newNames() {
    const seats = new Map(), people = new Set([""]);
    let session = 0;
    function countSession(name, named) {
      const last = { SessionOpened: session + 1, EntropyAdded: session, SessionClosed: session }[name];
      must({ session: named > 0 && named <= (last ?? session) && named >= (last ?? 0) });
      session = Math.max(session, named);
    }
    function takeSeat({ seat, number }, isTaken) {
      const isOthers = isTaken && [...seats].some(([other, its]) => other !== seat && its === number);
      must({ number: !isOthers && number >= 0 && (seats.get(seat) ?? number) === number });
      seats.set(seat, isTaken ? number : null);
    }
    function attend(due, { events, isTaken, envelope: { seat, actor, visibility, provenance } }, settled) {
      for (const each of isTaken ? [] : settled) each ? seats.set(each, null) : (session = null);
      const isBefore = (each) => isNumber(each) && each > 0 && each < due;
      for (const { name, fields: event } of events) {
        if (READ[name]?.session && session !== null) countSession(name, event.session);
        if (name === "SeatTaken") takeSeat(event, isTaken);
        if (name === "SeatTaken" || name === "SessionOpened") settled.push(event.seat ?? "");
        if (name === "CharacterJoined") people.add(event.character);
        must({ entries: READ[name] !== ENTRIES || event.entries.every(isBefore) });
        must({ CampaignStarted: name !== "CampaignStarted" || due === 1 });
      }
      const isImported = provenance === "imported";  // another program named them
      must({ seat: isImported || seat === "" || seats.has(seat), actor: isImported || people.has(actor) });
      must({ visibility: ["", "gm"].includes(visibility) || seats.has(visibility) });
    }
    return attend;
  }

  // Only the words of a note can be removed, all of them, and a later entry says so.
  function newWords(removed) {
    const [recorded, worded] = [new Set(), new Set()];
    const isMark = ({ raw }) => /^\["~(NoteWritten|PictureShown|SeatNamed)@1","[0-9a-f]{64}"\]$/.test(raw);
    function follow(due, { events, envelope: { intent: { verb } } }) {
      const marks = events.filter(({ name }) => name[0] === "~"), isNote = NOTES.includes(verb);
      for (const { name, fields } of events) {
        if (name === "NoteRedacted") fields.entries.forEach((gone) => recorded.add(gone));
        if (isNote && Object.hasOwn(REMOVABLE, name) && REMOVABLE[name].some((key) => fields[key])) worded.add(due);
      }
      if (marks.length) removed.add(due);
      const areMarks = !marks.length || (isNote && marks.every(isMark)), hasWords = marks.length && worded.has(due);
      check(areMarks, "something was removed from the last one, and only the words of a note can be");
      check(!hasWords, "words were removed from the last one, and it has others");
    }
    function finish(isWhole, timeline) {  // returns how many were removed without a record here
      const unrecorded = [...removed].filter((gone) => !recorded.has(gone)).length;
      check(timeline || !isWhole || !unrecorded, "words were removed from a note, and no record says so");
      const isBack = isWhole && [...worded].some((there) => recorded.has(there));
      check(!isBack, "words that were removed on record are there again");
      return unrecorded;
    }
    return { follow, finish };
  }
  const shortened = (words) => [...words].slice(0, 60).join("");
  const SIXTY_FOUR = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  function fromBase64(text) {
    const sixes = Array.from(text.replace(/=+$/, ""), (letter) => SIXTY_FOUR.indexOf(letter));
    const byte = (bit, at = Math.floor(bit / 6)) => ((sixes[at] << 6) | (sixes[at + 1] ?? 0)) >> (4 - (bit % 6));
    return Uint8Array.from({ length: (sixes.length * 6) >> 3 }, (_, at) => byte(at * 8));
  }
  async function checkPicture({ picture, data }) {
    check(hex(await sha(fromBase64(data))) === picture, "a picture is not the one that was shown");
  }
  // The first question. "running" is the hash of the line before, "seen" that of the last entry that the table saw.
  async function askChain(head, lines, chain) {
    const { hashes, entries, removed, missing } = chain, { campaign, for: reader = "" } = head;
    const [, name, fork = 0] = /^([^~]*)(?:~([1-9][0-9]{0,8}))?$/.exec(campaign) ?? [];
    const areNames = typeof campaign === "string" && typeof reader === "string" && name !== undefined;
    check(areNames, "the first line names no campaign, or no reader");
    const isWhole = head.format === "rollbook/export/1", isFiltered = reader === "gm";
    const isReaders = !isWhole && !isFiltered, numbers = newNumbers(isWhole), words = newWords(removed);
    const whom = isWhole ? "" : isFiltered ? " of a filter" : `, as ${shortened(reader) || "somebody"} may see it`;
    let running = (chain.seen = "0".repeat(64)), hasSecrets = false, isAlone = false, events = 0;
    const ofWhat = cleaned(whom + (fork ? ` of the timeline ${shortened(name)}~${fork}` : ""));
    Object.assign(chain, { isWhole, isFiltered, fork: Number(fork), ofWhat });
    for (const line of lines) {
      check(line.length <= 2 ** 22);  // no entry is longer
      if (decode(line.slice(0, 11)) === '{"picture":') { await checkPicture(JSON.parse(decode(line))); continue; }
      const entry = await readEntry(decode(line)), { said, isPublic, isLeftOut, link } = entry, due = hashes.size + 1;
      check(entry.due === due || !(entry.due || isWhole), "the next line is another entry");
      check(isFiltered || !(isLeftOut && isPublic), "an entry that the table saw is left out");
      check(!isReaders || !entry.due, "the next one is not as a reader's file has it");
      const previous = said.previous_hash ?? (Object.hasOwn(said, "kept") ? "" : running);
      const hash = await hashOf(entry, previous);
      check(!hashes.has(hash), "the next one is there twice");
      check(hash === (said.hash ?? (isPublic || isLeftOut ? hash : "")), "the next one was changed");
      check(previous === running || !entry.due, "the next one does not follow it");
      if (!isFiltered) numbers.follow(due, entry);
      const isSecret = hasSecrets || !isPublic || entry.hidden.length > 0;
      const seen = isSecret || (link && !entry.due) ? chain.seen : "";
      check(link === seen && (seen || previous === running), "the table had not seen what the next one names");
      chain.loose += isAlone && previous !== running;
      (chain.leftOut += isLeftOut), (events += entry.events.length);
      [hasSecrets, running, isAlone] = [isSecret || link !== "", hash, !isPublic && isReaders];
      if (isPublic) chain.seen = hash;
      hashes.add(hash);
      if (!isLeftOut && entries.push([due, entry])) words.follow(due, entry);
    }
    chain.loose += isAlone;
    const end = isReaders ? chain.seen : running, isEvents = !isWhole || events === head.events;
    check(end === head.head && entries.length === head.entries && isEvents, "the file does not end as it says");
    const gone = words.finish(isWhole, fork);
    if (gone) missing.push(`words were removed, and the record of it is not here: ${gone}`);
    if (isFiltered) missing.push("what a filter left out cannot be counted");
    if (numbers.isRerun()) missing.push("other rules played it again, so seats and sessions are not followed");
    if (!entries.length) missing.push("no entry is here");
  }

  // The receipts, and the answer.
  function checkReceipts({ entries, hashes, isFiltered }, noted) {
    const opened = entries.flatMap(([, { events }]) => events.filter(({ name }) => name === "SessionOpened"));
    const commits = opened.map(({ fields }) => fields.commit_table).filter((each) => /^[0-9a-f]{64}$/.test(each));
    const known = [[...hashes], commits];
    const isHere = (code, at) => (isFiltered && at) || known[at].some((each) => lettersOf(codeOf(each)) === code);
    for (const [receipt, codes] of noted) check(codes.every(isHere), `no entry here has the receipt ${receipt}`);
  }
  function failed(fault, { hashes }) {  // the answer where something was thrown: not checked, or FAILED
    const wrong = cleaned(fault.exit ? fault.message : NO_ENTRY), entries = hashes.size;
    if (fault.exit === 2) return { exit: 2, chain: null, dice: null, text: `Nothing was checked: ${wrong}.` };
    const text = `chain  FAILED    after ${entries} good entries: ${wrong}`;
    return { exit: 1, chain: { verdict: "FAILED", entries, fault: wrong }, dice: null, text };
  }
  async function answered(chain) {
    const { loose, leftOut, missing, ofWhat } = chain, dice = await askDice(chain);
    const note = (what, many) => many && dice.notes.push(`${what}: ${many}`), within = (line) => `       ${line}`;
    note("entries that only this reader sees, and nothing else here vouches for", loose);
    note("left out, with digests in their place", leftOut);
    note("entries from which words were removed", chain.removed.size);
    const entries = chain.entries.length - loose, there = chain.entries.length + leftOut, receipt = codeOf(chain.seen);
    const verdict = loose || missing.length ? "UNPROVEN" : "VERIFIED", otherwise = verdict === "VERIFIED" ? 0 : 3;
    const known = `${entries} of ${there} entries${ofWhat}; the receipt of the last is ${receipt}`;
    const proven = `${dice.verdict.padEnd(8)}  ${dice.proven} ${dice.proven === 1 ? "die" : "dice"} proven`;
    const found = [`dice   ${proven}`, ...[...dice.findings, ...dice.notes].map(within)];
    const text = [`chain  ${verdict}  ${known}`, ...missing.map(within), ...found].join("\n") + LIMITS;
    return { exit: dice.verdict === "FAILED" ? 1 : otherwise, chain: { verdict, entries, there, receipt }, dice, text };
  }
  // The answer for a file (text or bytes): "exit" as above, "chain", "dice" (null: not asked), and "text", in words.
  return async function verify(file, receipts = [], name = "the file", why = "it is no export of rollbook") {
    const chain = { hashes: new Set(), entries: [], removed: new Set(), missing: [], loose: 0, leftOut: 0 };
    const noted = receipts.map((each) => [each, each.split(/\s+/).join(" ").split(" dice ").map(lettersOf)]);
    try {
      const [short] = noted.flatMap(([, codes]) => codes).filter((code) => code.length !== 26);
      check(short === undefined, `a code has 26 letters, and ${short?.length} prove nothing: ${short}`, 2);
      const [first, ...lines] = linesOf(typeof file === "string" ? utf8(file) : file);
      await askChain(await readHead(first, name, why), lines, chain);
      checkReceipts(chain, noted);
    } catch (fault) {
      return failed(fault, chain);
    }
    return answered(chain);
  };
})();
if (typeof module === "object") module.exports = { verifyRollbook };
if (typeof require === "function" && require.main === module) {
  const { existsSync, readFileSync, statSync } = require("fs"), [path, ...receipts] = process.argv.slice(2);
  const isHelp = ["-h", "--help"].includes(path), why = existsSync(path) ? undefined : "No such file or directory";
  const say = ({ text, exit }) => { console.log(text), (process.exitCode = exit); };
  if (isHelp || !path) say({ text: readFileSync(__filename, "utf8").split("*/")[0].slice(3), exit: isHelp ? 0 : 2 });
  else verifyRollbook(!why && statSync(path).isFile() ? readFileSync(path) : "", receipts, path, why).then(say);
}
