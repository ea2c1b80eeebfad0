/* The second question of verify_rollbook.js: are the dice those of the revealed seeds, each in its turn? docs/dice.md
   has the stream, its places and which of them are next. In a page this script comes after digests.js and before
   verify_rollbook.js. */
"use strict";
const askRollbookDice = (() => {
  const digests = typeof rollbookDigests === "object" ? rollbookDigests : require("./digests.js");
  const { NO_ENTRY, check, get, isNumber, utf8, hex, fromHex, number, counted, sha, hmac, codeOf } = digests;
  const LACKS = "an entry lacks some of them", NOWHERE = "nothing says where some of them come from";
  const LATE = "the last line before the first roll is not that of a player who sat there when the session was opened";

  // The stream: the dice of a place follow from the key of its session.
  const mac = (key, use, ...parts) => hmac(key, counted(utf8(`rollbook/dice/1 ${use}`)), ...parts);
  const hashed = (use, ...parts) => sha(counted(utf8(`rollbook/dice/1 ${use}`)), ...parts);
  async function draw(key, { fork, seat, index }, sides) {
    const own = fork ? await mac(key, "fork", number(4, fork)) : key, faces = [];
    check(sides.every((many) => integer(many) >= 2 && many <= 2 ** 32), "there is no such die");
    for (let word = 0, view; faces.length < sides.length; word++) {
      const block = () => [number(2, seat), number(8, index), number(4, 0), number(4, word / 8)];
      if (word % 8 === 0) view = new DataView((await mac(own, "roll", ...block())).buffer);
      const drawn = view.getUint32(word % 8 * 4), many = sides[faces.length];
      if (drawn < 2 ** 32 - 2 ** 32 % many) faces.push(drawn % many + 1);
    }
    return faces;
  }
  const idOf = ({ identity }) => counted(fromHex(identity));
  async function isCommitted(session, screen, seed) {
    const commit = await hashed("commit", [Number(screen)], idOf(session), seed);
    return hex(commit) === hex(session.commits[Number(screen)]);
  }
  async function mixOf({ commits, lines }) {
    const mixed = lines.flatMap(({ seat, words }) => [[0], number(2, seat), counted(words)]);
    return hashed("mix", ...commits, number(2, lines.length), ...mixed);
  }
  const keyOfDice = async (session, screen, seed) =>
    mac(seed, "key", [Number(screen)], idOf(session), await mixOf(session));

  // Values of a file, and keys for several of them: true is 1 where a number is meant, and no key has a list in it.
  const plain = (value) => (typeof value === "boolean" ? Number(value) : value);
  function integer(value) {
    check(isNumber(value), LACKS);
    return value;
  }
  function single(value) {
    check(Object(value) !== value, LACKS);
    return plain(value);
  }
  const written = (value) => (typeof value === "string" || Object(value) === value ? JSON.stringify(value) : value);
  const keyOf = (...parts) => parts.map(written).join();
  const after = (index) => (index < Number.MAX_SAFE_INTEGER ? index + 1 : BigInt(index) + 1n);

  // A place is session, screen, fork, seat and number, its run all but the number, its stream the first two.
  function placeOf(named, row) {
    const [screen, ...rest] = row, [fork, seat, index] = rest;
    check(row.length, LACKS);
    const isPlace = typeof screen === "boolean" && rest.every((each) => isNumber(each) && each >= 0);
    check(isPlace, "what is called a place in the streams is none");
    const session = single(named), [stream, run] = [keyOf(session, screen), keyOf(session, screen, fork, seat)];
    return { key: keyOf(session, ...row), run, stream, session, screen, fork, seat, index };
  }
  const KINDS = new Map([["stream", true], ["override", true], ["physical", false], ["imported", false]]);
  function sourceOf(source, most) {  // its kind, how many dice it gave, and its place in the streams, which some have
    const [kind, given, session, row] = [...source, 0, null], many = plain(given), hasPlace = row !== null;
    check(row !== undefined, LACKS);
    check(KINDS.get(single(kind)) === hasPlace, "some of them come from a source that there is not");
    check(integer(many) >= 0 && many <= most, NOWHERE);
    check(!hasPlace || typeof row === "string" || Object(row) === row, LACKS);
    check(!hasPlace || Object.keys(row).length === 4, NOWHERE);
    return { kind, many, where: () => (hasPlace ? placeOf(session, row) : null) };
  }
  // The dice of a roll by place, each with sides, face and whether the GM put it there; where each came from; and others.
  function placed({ roller, purpose, dice, sources }) {
    const left = [...dice], places = new Map(), order = [], others = [];
    for (const source of sources) {
      const { kind, many, where } = sourceOf(source, left.length);
      const fell = left.splice(0, many).map((die) => [...[...die].slice(0, 2).map(plain), kind === "override"]);
      const place = where();
      check(fell.every((die) => die.length === 3), LACKS);
      order.push(...fell.map(([sides]) => [sides, place && place.key]));
      if (place) get(places, place.key, { ...place, dice: [] }).dice.push(...fell);
      if (kind !== "stream") others.push([keyOf(kind, roller, purpose, ...fell.flat()), [kind, many]]);
    }
    check(!left.length, NOWHERE);
    return { places: [...places.values()], order, others };
  }
  const sidesOf = (dice) => dice.map(([sides]) => sides);
  const longer = (one = [], other = []) => (other.length > one.length ? other : one);
  const areSomeOf = (few, dice) => dice.reduce((at, die) => at + (few[at] === die), 0) >= few.length;
  const isOver = ({ counts, seeds }) => counts.SessionClosed !== undefined || seeds.has(false);

  // What counts of each action: by revision its "rolls", what it "asks" for and the seats that it took ("sat").
  const NOTHING = { rolls: [], asks: [], sat: new Map() }, NOBODY = { given: 0, role: "gm", since: 0 };
  function newOutcomes(isCanon, fail) {
    const [outcomes, counting, seats] = Array.from({ length: 3 }, () => new Map());
    let stretch = new Set();
    const countingOf = (action) => get(outcomes, action, new Map()).get(counting.get(action)) ?? NOTHING;
    function swap(due, action, { envelope, isTaken, isOutcome }, made) {  // returns what counted of it, and what does now
      const before = countingOf(action), { revision, restores } = envelope;
      if (isOutcome) outcomes.get(action).set(revision, made);
      counting.set(action, isOutcome ? revision : restores);
      const now = countingOf(action), sat = [...now.sat].map(([seat, known]) => [seat, { ...known, since: due }]);
      if (!isTaken) stretch = null;
      if (sat.length || before.sat.size) seats.set(action, new Map(sat));
      return [before, now];
    }
    // The number of the seat that acts, its role, and the entry since which it has that.
    function seatOf({ envelope: { seat } }) {
      return [...seats.values()].reverse().find((sat) => sat.has(seat))?.get(seat) ?? NOBODY;
    }
    // A request has the lowest number that is free since a session, scene or fight began (null), by what counts by then.
    function ask(due, { isTaken, isPlayed }, asks, request) {
      asks.push(request);
      stretch = request ? stretch ?? askedFor() : new Set();
      if (!request?.occasion) return;
      let free = 0;
      while (stretch.has(request.numbered(free))) free++;
      const isOther = isCanon && isTaken && isPlayed && request.repeat !== Math.min(free, 10_000);
      fail(due, isOther && `a request is not number ${free}, which is free`);
      stretch.add(request.key);
    }
    function askedFor() {
      const found = new Set();
      for (const action of [...counting.keys()].reverse()) {
        const { asks } = countingOf(action), begun = asks.lastIndexOf(null);
        asks.slice(begun + 1).forEach(({ key }) => found.add(key));
        if (begun >= 0) break;
      }
      return found;
    }
    return { swap, seatOf, ask };
  }

  // The ledger: which places are next, and which wait for the request that had them. "used" are the rolls of each run by
  // stream, "owned" the places that a roll of an action has had or that were drawn for it, as it takes them. In a reader's
  // file nobody can say for which action some were drawn (null).
  function newLedger({ isWhole, ownFork, sessions, last, seatOf, fail, miss }) {
    const [used, sides, waiting, owned, answered] = Array.from({ length: 5 }, () => new Map());
    const usedIn = (stream) => get(used, stream, new Map());
    const isUsed = (session) => [false, true].some((screen) => usedIn(keyOf(session, screen)).size);
    function take(rolls) {
      for (const { key, run, stream, index, dice } of rolls) {
        const runs = usedIn(stream), due = after(index);
        runs.set(run, due > (runs.get(run) ?? 0) ? due : runs.get(run));
        sides.set(key, longer(sides.get(key), sidesOf(dice)));
        waiting.delete(key);
      }
    }
    // What no longer counts of an action waits for its request from here on, and what counts again does not.
    function replace([before, now]) {
      before.rolls.forEach((each) => waiting.set(each.key, each));
      take(now.rolls);
    }
    // One roll of an action. Returns its dice by place, with the request.
    function roll(due, entry, which, { places, order }, { request, secret, met }) {
      const { own, odd } = ownPlaces(entry, which, order), first = get(answered, keyOf(...which), request.key);
      const isOther = own.size && first !== request.key;
      fail(due, isOther && "a roll has the dice of its action, and not the request that they fell for");
      for (const place of places) {
        const { key, seat, index } = place;
        const isRight = own.has(key) || (!odd.has(key) && isInTurn(entry, place, secret, request));
        fail(due, (!isRight || met.has(key)) && `roll ${index} of seat ${seat} is not in its turn`);
        met.add(key);
      }
      const fell = places.map((place) => ({ ...place, request }));
      take(fell);
      return fell;
    }
    // The places of a roll from which its action had dice before, and those that come out of the order of these.
    function ownPlaces({ own: { params: of }, envelope: { intent }, isTaken, isOutcome }, which, order) {
      const [own, odd, many] = [new Set(), new Set(), new Map()], { params = {} } = intent;
      check(!isWhole || Object.prototype.toString.call(params) === "[object Object]", LACKS);
      const drawnFor = isWhole ? [of.action, ...which.slice(1, 3), params.ordinal] : [null];
      const drawn = (sides) => (isWhole ? [] : owned.get(keyOf(null, sides)) ?? []);
      for (const [sides, where] of order) {
        const had = get(owned, keyOf(...which, single(sides)), []), at = many.get(sides) ?? 0;
        many.set(sides, at + 1);
        if (at < had.length && where) (where === had[at] ? own : odd).add(where);
        else if (at === had.length || had[at]) {  // it is new, or was typed again
          had.splice(at, 0, where);
          if (!isTaken && drawn(sides).includes(where)) own.add(where);
        }
        const isDrawing = intent.verb === "draw-for" && isOutcome;
        if (isDrawing) get(owned, keyOf(...drawnFor.map(single), sides), []).push(where);
      }
      const isDrawn = order.some(([sides, where]) => own.has(where) && drawn(sides).includes(where));
      miss(isDrawn && "dice were drawn for a correction, and this file does not say of what");
      return { own, odd };
    }
    // Whether an action may show dice that it never had: its request's, which were undone, or else those that are next.
    function isInTurn(entry, { key, run, stream, session: named, screen, fork, seat, index, dice }, secret, request) {
      const session = sessions.get(named), asked = waiting.get(key)?.request;
      if (!session || dice.some(([, , isOther]) => isOther)) return ownFork > 0;  // from canon, where it corrected something
      if (named !== last() || isOver(session) || fork > ownFork || screen !== secret) return false;
      const isAlike = () => sides.get(key).every((each, at) => at >= dice.length || each === dice[at][0]);
      if (asked) return asked.key === request.key && isAlike();
      if (fork < ownFork) return true;  // a timeline's, from canon
      const isHidden = screen && !isWhole, isNext = index === (usedIn(stream).get(run) ?? 0);
      miss(!entry.isPlayed && "dice fell in an action that was never played");
      miss(!request.occasion && "dice name no occasion, as of an early rollbook");
      miss(isHidden && "whether secret dice are in their turn only the whole history shows");
      const waits = (other) => other.stream === stream && other.request.key === request.key;
      const isWaiting = request.occasion && [...waiting.values()].some(waits);
      return seat === seatOf(entry).given && (isHidden || (isNext && !isWaiting));
    }
    const grant = ({ key }) => waiting.delete(key);
    return { roll, replace, grant, isUsed, usedIn };
  }

  // The entries in their order, and then the sessions. What is found is FAILED, or only missing.
  const OF_SESSIONS = ["EntropyAdded", "DiceRevealed", "FreshDiceGranted", "SessionClosed", "ScreenCounted"];
  const BEGIN = ["SessionOpened", "SceneFramed", "EncounterBegan", "EncounterEnded"];  // requests are counted from 0 again
  function newProof({ isWhole, fork }) {
    const [sessions, seeds, others] = [new Map(), new Map(), new Map()], failed = [], missing = [], drawn = [];
    const fail = (due, wrong) => wrong && failed.push(`entry @${due}: ${wrong}`);
    const miss = (what) => what && missing.push(what);
    let proven = 0, taken = 0, campaign = "", last = 0;
    const outcomes = newOutcomes(isWhole && !fork, fail), { seatOf } = outcomes;
    const ledger = newLedger({ isWhole, ownFork: fork, sessions, last: () => last, seatOf, fail, miss });
    async function follow(due, entry) {
      const { own, envelope, events, isPublic, isTaken } = entry, asks = [], rolls = [], sat = new Map(), met = new Set();
      taken += isPublic && isTaken;
      const seen = isPublic ? envelope.public_number || taken : `hidden ${due}`, action = own.action ?? seen;
      for (const { name, fields: event } of events) {
        if (BEGIN.includes(name)) outcomes.ask(due, entry, asks, null);
        if (name === "CampaignStarted") campaign = event.identity;
        else if (name === "SeatTaken") sat.set(event.seat, { given: event.number, role: event.role, since: due });
        else if (name === "SessionOpened") await open(due, event);
        else if (name === "DiceRolled") rolls.push(...roll(due, entry, action, event, asks, met));
        else if (OF_SESSIONS.includes(name) && sessions.has(event.session)) attend(due, entry, name, event);
      }
      ledger.replace(outcomes.swap(due, action, entry, { rolls, asks, sat }));
    }
    async function open(due, { session: named, identity, nonce, commit_table, commit_screen }) {
      const from = () => [utf8("rollbook/session/1\0"), fromHex(campaign), fromHex(nonce)];
      const isOther = commit_table && hex(await sha(...from())).slice(0, 32) !== identity;
      fail(due, isOther && "its dice were committed to for another campaign");
      fail(due, sessions.has(named) && "a session is opened again");
      const commits = [fromHex(commit_table), fromHex(commit_screen)];
      sessions.set(named, { identity, commit_table, commits, since: due, lines: [], seeds: new Map(), counts: {} });
      last = named;
    }
    function roll(due, entry, action, event, asks, met) {
      const { roller, purpose, occasion, repeat, secret } = event, numbered = (many) => keyOf(roller, purpose, occasion, many);
      const request = { key: numbered(repeat), check: keyOf(roller, purpose), occasion, repeat, numbered };
      outcomes.ask(due, entry, asks, request);
      const ordinal = asks.filter((each) => each?.check === request.check).length - 1, fell = placed(event);
      for (const [which, foreign] of fell.others) others.set(keyOf(action, which), foreign);
      drawn.push(...fell.places.map((place) => ({ due, ...place })));
      return ledger.roll(due, entry, [action, roller, purpose, ordinal], fell, { request, secret, met });
    }
    function attend(due, entry, name, event) {
      const session = sessions.get(event.session), place = (row) => placeOf(event.session, row);
      if (name === "EntropyAdded") mixIn(due, entry, event, session);
      else if (name === "DiceRevealed") session.seeds.set(event.screen, event.seed);
      else if (name === "FreshDiceGranted") event.places.forEach((row) => ledger.grant(place(row)));
      else session.counts[name] = new Map(event.counts.map((row) => countOf(place, [...row])));
    }
    function countOf(place, row) {
      const many = row.pop(), { key, screen } = place(row);
      return [key, { screen, many: plain(many) }];
    }
    // A line is a player's if its seat has been a player's since before the session was opened.
    function mixIn(due, entry, { session: named, number: seat, text }, session) {
      const { given, role, since } = seatOf(entry), isLate = isOver(session) || ledger.isUsed(named);
      fail(due, isLate && "a line was mixed in after the first die");
      fail(due, seat !== given && !isLate && "a line is not of the seat that it names");
      check(!/\p{Surrogate}/u.test(text), LACKS);
      const isPlayers = role === "player" && since < session.since && entry.isPlayed;
      session.lines.push({ seat, words: utf8(text.normalize("NFC")), isPlayers });
    }
    async function finish() {
      const identities = [...sessions.values()].map(({ identity }) => identity).filter(Boolean);
      if (new Set(identities).size < identities.length) failed.push("two sessions share one identity");
      miss(fork && "the dice of a timeline rest on the history that it left, which is not here");
      const unopened = new Set(drawn.map(({ session }) => session).filter((named) => !sessions.has(named)));
      const inOrder = [...unopened].sort((one, other) => (one > other) - (one < other));
      missing.push(...inOrder.map((named) => `session ${named} was never opened`));
      for (const [named, session] of sessions) for (const screen of [false, true]) await close(named, session, screen);
    }
    async function close(named, session, screen) {
      const seed = session.seeds.get(screen), fell = drawn.filter((each) => each.session === named && each.screen === screen);
      const isOfAnother = seed !== undefined && get(seeds, seed.toLowerCase(), named) !== named;
      if (isOfAnother) failed.push(`the dice of session ${named} come from the seed of another`);
      if (seed !== undefined && session.commit_table) await prove(named, session, screen, fromHex(seed), fell);
      else if (fell.length) missing.push(`${screen ? "secret" : "the"} dice of session ${named} are not revealed`);
      const used = ledger.usedIn(keyOf(named, screen));
      for (const [kind, counts] of Object.entries(session.counts)) {  // in older histories those of the table hold both
        const isScreens = kind === "ScreenCounted";
        const said = [...counts].filter(([, count]) => isScreens || count.screen === screen);
        const isMeant = (isScreens ? screen : said.length || !screen) && (isWhole || !screen);
        const isSame = said.length === used.size && said.every(([run, { many }]) => used.get(run) === many);
        if (isMeant && !isSame) failed.push(`session ${named} was closed over other counts of rolls`);
      }
    }
    // Every roll again. Of the dice of a place some may be left out, once all of them were shown.
    async function prove(named, session, screen, seed, fell) {
      const isRight = await isCommitted(session, screen, seed), known = new Map();
      if (!isRight) failed.push(`the seed revealed for session ${named} is not the one that was committed to`);
      const key = await keyOfDice(session, screen, seed);
      for (const place of fell) {
        const { due, dice, seat, index } = place, before = get(known, place.key, []);
        const faces = await draw(key, place, sidesOf(dice)), again = dice.map(([sides], at) => keyOf(sides, faces[at]));
        const shown = dice.map(([sides, face]) => keyOf(sides, face)), genuine = shown.filter((_, at) => !dice[at][2]);
        if (before.some((each) => areSomeOf(genuine, each))) continue;
        const isAgain = shown.every((die, at) => die === again[at] || dice[at][2]);
        fail(due, !isAgain && `roll ${index} of seat ${seat} does not show the dice of the stream`);
        proven += Math.max(0, genuine.length - Math.max(0, ...before.map((each) => each.length)));
        before.push(again);
      }
    }
    // How much the proof of each session is worth (docs/dice.md), and in which a line was mixed for nothing.
    async function levels() {
      const found = [];
      for (const [named, session] of sessions) {
        const { lines } = session, players = lines.filter(({ isPlayers }) => isPlayers).length;
        const solo = `level 0, solo: ${lines.some(({ seat }) => seat) ? LATE : "no player mixed anything in"}`;
        const many = `${players} line${players > 1 ? "s" : ""}`;
        const table = `level 1, table: players mixed in ${many} before the first roll`;
        const hasDice = drawn.some((each) => each.session === named), level = lines.at(-1)?.isPlayers ? table : solo;
        const mix = lines.length ? `; mixed to ${codeOf(hex(await mixOf(session)))}` : "";
        const said = hasDice ? level : "a line was mixed in, and no roll followed";
        if (hasDice || mix) found.push(`session ${named}: ${said}${mix}`);
      }
      return found;
    }
    return { follow, finish, levels, failed, missing, others, proven: () => proven };
  }

  // The answer for a chain that was found whole: how many dice are proven, and what contradicts them or is missing.
  return async function askDice(chain) {
    const proof = newProof(chain), { failed, missing } = proof, { isFiltered } = chain;
    let levels = [];
    try {
      for (const [due, entry] of isFiltered ? [] : chain.entries) await proof.follow(due, entry);
      await proof.finish();
      levels = await proof.levels();
    } catch (fault) {
      const why = fault.exit && fault.message !== NO_ENTRY ? fault.message : LACKS;
      failed.push(`the dice cannot be followed: ${why}`);
    }
    const sums = new Map(), proven = proof.proven();
    for (const [kind, many] of proof.others.values()) sums.set(kind, (sums.get(kind) ?? 0) + many);
    const isForeign = !proven && (sums.has("physical") || sums.has("imported"));
    if (isForeign) missing.push("no die here came from a committed stream");
    if (isFiltered) missing.push("parts of the history are left out, so its dice cannot be counted");
    const verdict = failed.length ? "FAILED" : missing.length ? "UNPROVEN" : "VERIFIED";
    const findings = [...new Set(failed.length ? failed : missing)].slice(0, 20);
    const foreign = [...sums].map(([kind, many]) => [`${kind} dice, which nobody can prove`, many]);
    return { verdict, proven, findings, levels: levels.slice(0, 20), foreign };
  };
})();
if (typeof module === "object") module.exports = askRollbookDice;
