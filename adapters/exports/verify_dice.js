/* The second question of verify_rollbook.js: are the dice those of the revealed seeds, each in its turn? docs/dice.md
   has the stream, its places and which of them are next. In a page this script comes after digests.js and before
   verify_rollbook.js. */
"use strict";
const askRollbookDice = (() => {
  const digests = typeof rollbookDigests === "object" ? rollbookDigests : require("./digests.js");
  const { NO_ENTRY, check, get, isNumber, integer, after, plain, single, keyOf, cleaned } = digests;
  const { utf8, hex, fromHex, number, counted, sha, hmac, codeOf } = digests;
  const NOWHERE = "nothing says where some of them come from";
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
  async function mixOf({ commits, lines }) {
    const mixed = lines.flatMap(({ seat, words }) => [[0], number(2, seat), words]);
    return hashed("mix", ...commits, number(2, lines.length), ...mixed);
  }

  // A place is session, screen, fork, seat and number, its run all but the number, its stream the first two.
  function placeOf(named, row) {
    const [screen, ...rest] = row, [fork, seat, index] = rest;
    check(row.length);
    const isPlace = typeof screen === "boolean" && rest.every((each) => isNumber(each) && each >= 0);
    check(isPlace, "what is called a place in the streams is none");
    const session = single(named), stream = keyOf(session, screen), run = keyOf(session, screen, fork, seat);
    return { key: keyOf(session, ...row), run, stream, session, screen, fork, seat, index };
  }
  // The dice of a roll by place, with sides, face and whether the GM put them there; where each is from; others.
  const HAVE_PLACES = new Map([["stream", true], ["override", true], ["physical", false], ["imported", false]]);
  function placed({ roller, purpose, dice, sources }) {
    const left = [...dice], places = new Map(), order = [], others = [];
    for (const source of sources) {
      const [kind, count, session, row] = [...source, 0, null], many = plain(count), hasPlace = row !== null;
      check(row !== undefined);
      check(HAVE_PLACES.get(single(kind)) === hasPlace, "some of them come from a source that there is not");
      const isRight = integer(many) >= 0 && many <= left.length;
      check(isRight && (!hasPlace || (Array.isArray(row) && row.length === 4)), NOWHERE);
      const fell = left.splice(0, many).map((die) => [...[...die].slice(0, 2).map(plain), kind === "override"]);
      const place = hasPlace && placeOf(session, row);
      check(fell.every((die) => die.length === 3));
      order.push(...fell.map(([sides]) => [sides, place && place.key]));
      if (place) get(places, place.key, { ...place, dice: [] }).dice.push(...fell);
      if (kind !== "stream") others.push([keyOf(kind, roller, purpose, ...fell.flat()), [kind, many]]);
    }
    check(!left.length, NOWHERE);
    return { places: [...places.values()], order, others };
  }
  const sidesOf = (dice) => dice.map(([sides]) => sides);
  const areSomeOf = (few, dice) => dice.reduce((at, die) => at + (few[at] === die), 0) >= few.length;
  const isOver = ({ counts, seeds }) => counts.SessionClosed !== undefined || seeds.has(false);

  // What counts of each action: by revision its "rolls", what it "asks" for and the seats that it took ("sat").
  const NOTHING = { rolls: [], asks: [], sat: new Map() }, NOBODY = { given: 0, role: "gm", since: 0 };
  function newOutcomes(isCanon, fail) {
    const [outcomes, counting, seats] = [new Map(), new Map(), new Map()];
    const order = [];  // of play
    let stretch = new Set();
    const countingOf = (action) => get(outcomes, action, new Map()).get(counting.get(action)) ?? NOTHING;
    // Returns what counted of an action, and what does now.
    function swap(due, action, { own, envelope, isNow, isInserted, isOutcome }, made) {
      const before = countingOf(action), { revision, restores } = envelope;
      if (isOutcome) outcomes.get(action).set(revision, made);
      if (isInserted && isCanon) order.splice(order.indexOf(own.before), 0, action);
      else if (!counting.has(action)) order.push(action);
      counting.set(action, isOutcome ? revision : restores);
      const now = countingOf(action), sat = [...now.sat].map(([seat, known]) => [seat, { ...known, since: due }]);
      if (!isNow) stretch = null;
      if (sat.length || before.sat.size) seats.set(action, new Map(sat));  // in the order of the actions
      return [before, now];
    }
    // The number of a seat, its role, and the entry since which it has that.
    const seatOf = (seat) => [...seats.values()].reverse().find((sat) => sat.has(seat))?.get(seat) ?? NOBODY;
    // A request has the lowest number that is free since a session, scene or fight began (null), by what counts then.
    function ask(due, { isNow, isPlayed }, asks, request) {
      asks.push(request);
      stretch = request ? stretch ?? askedFor() : new Set();
      if (!request?.occasion) return;
      let free = 0;
      while (stretch.has(request.numbered(free))) free++;
      const isOther = isCanon && isNow && isPlayed && request.repeat !== Math.min(free, 10_000);
      fail(due, isOther && `a request is not number ${free}, which is free`);
      stretch.add(request.key);
    }
    function askedFor() {
      const asked = order.flatMap((action) => countingOf(action).asks);
      return new Set(asked.slice(asked.lastIndexOf(null) + 1).map(({ key }) => key));
    }
    return { swap, seatOf, ask };
  }

  // Which places are next, and which wait for their request. "used" are the rolls of each run by stream, "owned" the
  // places that a roll had or that were drawn for it, in its order; a reader's file does not say for which (null).
  function newLedger({ isWhole, ownFork, sessions, last, seatOf, fail, miss }) {
    const [used, sides, waiting, owned, answered] = Array.from({ length: 5 }, () => new Map());
    const usedIn = (stream) => get(used, stream, new Map());
    const isUsed = (session) => [false, true].some((screen) => usedIn(keyOf(session, screen)).size);
    function take(rolls) {
      for (const { key, run, stream, index, dice } of rolls) {
        const runs = usedIn(stream);
        if (index >= (runs.get(run) ?? 0)) runs.set(run, after(index));
        if (dice.length > (sides.get(key)?.length ?? -1)) sides.set(key, sidesOf(dice));
        waiting.delete(key);
      }
    }
    // One roll of an action. Returns its dice by place, with the request.
    function roll(due, entry, which, { places, order }, { request, secret, met }) {
      const { own, odd } = ownPlaces(entry, which, order), first = get(answered, keyOf(...which), request.key);
      const isOther = own.size && first !== request.key, fell = places.map((place) => ({ ...place, request }));
      fail(due, isOther && "a roll has the dice of its action, and not the request that they fell for");
      for (const place of fell) {
        const { key, seat, index } = place, isDue = own.has(key) || (!odd.has(key) && isInTurn(entry, place, secret));
        fail(due, (!isDue || met.has(key)) && `roll ${index} of seat ${seat} is not in its turn`);
        met.add(key);
      }
      take(fell);
      return fell;
    }
    // The places of a roll from which its action had dice before, and those that come out of the order of these.
    function ownPlaces({ own: { params: drawnFor }, envelope: { intent }, ...its }, which, order) {
      const { isNow, isInserted, isOutcome } = its;
      const [own, odd, many] = [new Set(), new Set(), new Map()], { verb, params = {} } = intent;
      check(!isWhole || (Object(params) === params && !Array.isArray(params)));
      const drawn = isWhole ? [drawnFor.action, ...which.slice(1, 3), params.ordinal] : [null];
      const drawnOf = (die) => (isWhole ? [] : owned.get(keyOf(null, die)) ?? []);
      for (const [die, where] of order) {
        const had = get(owned, keyOf(...which, single(die)), []), at = many.get(die) ?? 0;
        many.set(die, at + 1);
        const waits = isInserted && at === had.length ? owned.get(keyOf(0, ...which.slice(1), single(die))) : undefined;
        if (waits?.length) had.push(waits.shift());  // what was drawn for such actions waits for the next one
        if (at < had.length && where) (where === had[at] ? own : odd).add(where);
        else if (at === had.length || had[at]) {  // it is new, or was typed again
          had.splice(at, 0, where);
          if (!isNow && drawnOf(die).includes(where)) own.add(where);
        }
        if (verb === "draw-for" && isOutcome) get(owned, keyOf(...drawn.map(single), die), []).push(where);
      }
      const isDrawn = order.some(([die, where]) => own.has(where) && drawnOf(die).includes(where));
      miss(isDrawn && "dice were drawn for a correction, and this file does not say of what");
      return { own, odd };
    }
    // Whether an action may show dice that it never had: its request's, which were undone, or else those that are next.
    function isInTurn(entry, { key, run, stream, session: named, screen, fork, seat, index, dice, request }, secret) {
      const session = sessions.get(named), asked = waiting.get(key)?.request.key;
      if (!session || dice.some(([, , isOther]) => isOther)) return ownFork > 0;  // from canon: what it corrected
      if (named !== last() || isOver(session) || fork > ownFork || screen !== secret) return false;
      const isAlike = () => sides.get(key).every((each, at) => at >= dice.length || each === dice[at][0]);
      if (asked || fork < ownFork) return !asked || (asked === request.key && isAlike());  // the latter are from canon
      const isHidden = screen && !isWhole, isNext = index === (usedIn(stream).get(run) ?? 0);
      miss(!entry.isPlayed && "dice fell in an action that was never played");
      miss(!request.occasion && "dice name no occasion, as of an early rollbook");
      miss(isHidden && "whether secret dice are in their turn only the whole history shows");
      const waits = (other) => other.stream === stream && other.request.key === request.key;
      const isFree = !request.occasion || ![...waiting.values()].some(waits);
      return seat === seatOf(entry.envelope.seat).given && (isHidden || (isNext && isFree));
    }
    return { roll, take, waiting, usedIn, isUsed };
  }

  // The entries in their order, and then the sessions. What is found is FAILED, or only missing.
  const OF_SESSIONS = ["EntropyAdded", "DiceRevealed", "FreshDiceGranted", "SessionClosed", "ScreenCounted"];
  const BEGIN = ["SessionOpened", "SceneFramed", "SceneSetAside", "SceneResumed", "EncounterBegan", "EncounterEnded"];
  function newProof({ isWhole, fork }) {
    const [sessions, others, seeds] = [new Map(), new Map(), new Map()], [failed, missing, drawn] = [[], [], []];
    const fail = (due, wrong) => wrong && failed.push(`entry @${due}: ${wrong}`);
    const miss = (what) => what && missing.push(what);
    let proven = 0, taken = 0, campaign = "", last = 0;
    const outcomes = newOutcomes(isWhole && !fork, fail), { seatOf } = outcomes;
    const ledger = newLedger({ isWhole, ownFork: fork, sessions, last: () => last, seatOf, fail, miss });
    async function follow(due, entry) {
      const { own, envelope, events, isPublic, isTaken } = entry;
      const [asks, rolls, sat, met] = [[], [], new Map(), new Set()];
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
      const [before, now] = outcomes.swap(due, action, entry, { rolls, asks, sat });
      before.rolls.forEach((each) => ledger.waiting.set(each.key, each));  // from here on, for its request
      ledger.take(now.rolls);
    }
    async function open(due, { session: named, identity, nonce, commit_table, commit_screen }) {
      const from = () => [utf8("rollbook/session/1\0"), fromHex(campaign), fromHex(nonce)];
      const isOther = commit_table && hex(await sha(...from())).slice(0, 32) !== identity;
      fail(due, isOther && "its dice were committed to for another campaign");
      fail(due, sessions.has(named) && "a session is opened again");
      const commits = [fromHex(commit_table), fromHex(commit_screen)];
      const begun = { identity, commit_table, commits, since: due, lines: [], seeds: new Map(), counts: {} };
      sessions.set((last = named), begun);
    }
    function roll(due, entry, action, event, asks, met) {
      const { roller, purpose, occasion, repeat, secret } = event, sort = keyOf(roller, purpose);
      const numbered = (many) => keyOf(roller, purpose, occasion, many), key = numbered(repeat);
      outcomes.ask(due, entry, asks, { key, sort, occasion, repeat, numbered });
      const ordinal = asks.filter((each) => each?.sort === sort).length - 1, fell = placed(event);
      for (const [which, foreign] of fell.others) others.set(keyOf(action, which), foreign);
      drawn.push(...fell.places.map((place) => ({ due, ...place })));
      return ledger.roll(due, entry, [action, roller, purpose, ordinal], fell, { request: asks.at(-1), secret, met });
    }
    function attend(due, entry, name, event) {
      const session = sessions.get(event.session), place = (row) => placeOf(event.session, row);
      const countOf = ([...run]) => [plain(run.pop()), place(run)];
      if (name === "EntropyAdded") mixIn(due, entry, event, session);
      else if (name === "DiceRevealed") session.seeds.set(event.screen, event.seed);
      else if (name === "FreshDiceGranted") event.places.forEach((row) => ledger.waiting.delete(place(row).key));
      else session.counts[name] = new Map(event.counts.map(countOf).map((count) => [count[1].key, count]));
    }
    // A line is a player's if its seat has been a player's since before the session was opened.
    function mixIn(due, entry, { session: named, number: seat, text }, session) {
      const { given, role, since } = seatOf(entry.envelope.seat), isLate = isOver(session) || ledger.isUsed(named);
      fail(due, isLate && "a line was mixed in after the first die");
      fail(due, seat !== given && !isLate && "a line is not of the seat that it names");
      check(!/\p{Surrogate}/u.test(text));
      const isPlayers = role === "player" && since < session.since && entry.isPlayed;
      session.lines.push({ seat, words: counted(utf8(text.normalize("NFC"))), isPlayers });
    }
    async function finish() {  // returns the levels
      const identities = [...sessions.values()].map(({ identity }) => identity).filter(Boolean);
      if (new Set(identities).size < identities.length) failed.push("two sessions share one identity");
      miss(fork && "the dice of a timeline rest on the history that it left, which is not here");
      const unopened = [...new Set(drawn.map(({ session }) => session))].filter((named) => !sessions.has(named));
      unopened.sort((one, other) => (one > other) - (one < other));
      missing.push(...unopened.map((named) => `session ${named} was never opened`));
      for (const [named, session] of sessions) for (const screen of [false, true]) await close(named, session, screen);
      return (await Promise.all([...sessions].map(levelOf))).flat();
    }
    async function close(named, session, screen) {
      const stream = keyOf(named, screen), fell = drawn.filter((each) => each.stream === stream);
      const seed = session.seeds.get(screen), used = ledger.usedIn(stream);
      const isOfAnother = seed !== undefined && get(seeds, seed.toLowerCase(), named) !== named;
      if (isOfAnother) failed.push(`the dice of session ${named} come from the seed of another`);
      if (seed !== undefined && session.commit_table) await prove(named, session, screen, fromHex(seed), fell);
      else if (fell.length) missing.push(`${screen ? "secret" : "the"} dice of session ${named} are not revealed`);
      for (const [kind, counts] of Object.entries(session.counts)) {  // in older histories those of the table hold both
        const isScreens = kind === "ScreenCounted";
        const said = [...counts.values()].filter(([, run]) => isScreens || run.screen === screen);
        const isMeant = (isScreens ? screen : said.length || !screen) && (isWhole || !screen);
        const isSame = said.length === used.size && said.every(([many, { key }]) => used.get(key) === many);
        if (isMeant && !isSame) failed.push(`session ${named} was closed over other counts of rolls`);
      }
    }
    // Every roll again. Of the dice of a place some may be left out, once all of them were shown.
    async function prove(named, session, screen, seed, fell) {
      const known = new Map(), of = [[Number(screen)], counted(fromHex(session.identity))];
      const isRight = hex(await hashed("commit", ...of, seed)) === hex(session.commits[Number(screen)]);
      if (!isRight) failed.push(`the seed revealed for session ${named} is not the one that was committed to`);
      const key = await mac(seed, "key", ...of, await mixOf(session));
      for (const place of fell) {
        const { due, dice, seat, index } = place, faces = await draw(key, place, sidesOf(dice));
        const again = dice.map(([sides], at) => keyOf(sides, faces[at]));
        const shown = dice.map(([sides, face]) => keyOf(sides, face));
        const genuine = shown.filter((_, at) => !dice[at][2]), before = get(known, place.key, []);
        if (before.some((each) => areSomeOf(genuine, each))) continue;
        const isAgain = shown.every((die, at) => die === again[at] || dice[at][2]);
        fail(due, !isAgain && `roll ${index} of seat ${seat} does not show the dice of the stream`);
        proven += Math.max(0, genuine.length - Math.max(0, ...before.map((each) => each.length)));
        before.push(again);
      }
    }
    // How much the proof of a session is worth (docs/dice.md), or that a line was mixed for nothing.
    async function levelOf([named, session]) {
      const { lines } = session, players = lines.filter(({ isPlayers }) => isPlayers).length;
      const hasDice = drawn.some((each) => each.session === named), many = `${players} line${players > 1 ? "s" : ""}`;
      const level = lines.at(-1)?.isPlayers
        ? `level 1, table: players mixed in ${many} before the first roll`
        : `level 0, solo: ${lines.some(({ seat }) => seat) ? LATE : "no player mixed anything in"}`;
      const mix = lines.length ? `; mixed to ${codeOf(hex(await mixOf(session)))}` : "";
      const said = `session ${named}: ${hasDice ? level : "a line was mixed in, and no roll followed"}${mix}`;
      return hasDice || mix ? [said] : [];
    }
    return { follow, finish, failed, missing, others, proven: () => proven };
  }

  // The answer for a chain that was found whole: how many dice are proven, and what contradicts them or is missing.
  return async function askDice(chain) {
    const proof = newProof(chain), { failed, missing, others } = proof, { isFiltered } = chain, sums = new Map();
    let levels = [];
    try {
      for (const [due, entry] of isFiltered ? [] : chain.entries) await proof.follow(due, entry);
      levels = await proof.finish();
    } catch (fault) {
      const why = fault.exit && fault.message !== NO_ENTRY ? fault.message : "an entry lacks some of them";
      failed.push(`the dice cannot be followed: ${why}`);
    }
    for (const [kind, many] of others.values()) sums.set(kind, (sums.get(kind) ?? 0) + many);
    const proven = proof.proven(), isForeign = !proven && (sums.has("physical") || sums.has("imported"));
    if (isForeign) missing.push("no die here came from a committed stream");
    if (isFiltered) missing.push("parts of the history are left out, so its dice cannot be counted");
    const verdict = failed.length ? "FAILED" : missing.length ? "UNPROVEN" : "VERIFIED";
    const findings = [...new Set(failed.length ? failed : missing)].slice(0, 20).map(cleaned);
    const foreign = ([kind, many]) => (many ? [`${kind} dice, which nobody can prove: ${many}`] : []);
    return { verdict, proven, findings, notes: [...levels.slice(0, 20), ...[...sums].flatMap(foreign)].map(cleaned) };
  };
})();
if (typeof module === "object") module.exports = askRollbookDice;
