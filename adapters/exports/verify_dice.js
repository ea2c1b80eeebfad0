/* The second question of verify_rollbook.js: are the dice those of the revealed seeds, each in its turn? docs/dice.md
   has the stream, its places and which of them are next. In a page this script comes after digests.js and before
   verify_rollbook.js. */
"use strict";
const askRollbookDice = (() => {
  const digests = typeof rollbookDigests === "object" ? rollbookDigests : require("./digests.js");
  const { NO_ENTRY, check, get, utf8, hex, fromHex, number, counted, sha, hmac } = digests;

  // The stream: the dice of a place follow from the key of its session.
  const LACKS = "an entry lacks some of them";
  const mac = (key, use, ...parts) => hmac(key, counted(utf8(`rollbook/dice/1 ${use}`)), ...parts);
  const hashed = (use, ...parts) => sha(counted(utf8(`rollbook/dice/1 ${use}`)), ...parts);
  async function draw(key, [, , fork, seat, index], sides) {
    const own = fork ? await mac(key, "fork", number(4, fork)) : key;
    const place = [number(2, seat), number(8, index), number(4, 0)], faces = [];
    check(sides.every((many) => many >= 2 && many <= 2 ** 32), "there is no such die");
    for (let word = 0, view; faces.length < sides.length; word++) {
      if (word % 8 === 0) view = new DataView((await mac(own, "roll", ...place, number(4, word / 8))).buffer);
      const drawn = view.getUint32(word % 8 * 4), many = sides[faces.length];
      if (drawn < 2 ** 32 - 2 ** 32 % many) faces.push(drawn % many + 1);
    }
    return faces;
  }
  const idOf = ({ identity }) => counted(fromHex(identity));
  const commitsOf = ({ commit_table, commit_screen }) => [fromHex(commit_table), fromHex(commit_screen)];
  async function isCommitted(session, screen, seed) {
    const commit = await hashed("commit", [Number(screen)], idOf(session), seed);
    return hex(commit) === hex(commitsOf(session)[Number(screen)]);
  }
  async function keyOf(session, screen, seed) {
    const mixed = session.lines.flatMap(([seat, words]) => [[0], number(2, seat), counted(words)]);
    const mix = await hashed("mix", ...commitsOf(session), number(2, session.lines.length), ...mixed);
    return mac(seed, "key", [Number(screen)], idOf(session), mix);
  }

  // A place is session, screen, fork, seat and number. Its key is all of it as text, its run what is before the number.
  const areSomeOf = (few, dice) => dice.reduce((at, die) => at + (few[at] === die), 0) >= few.length;
  const longer = (one = [], other = []) => (other.length > one.length ? other : one);
  const sidesOf = (dice) => dice.map(({ sides }) => sides);
  const isOver = ({ counts, seeds }) => counts.SessionClosed !== undefined || seeds.has(false);
  // A roll's dice by place, and those of other sources.
  function placed({ roller, purpose, occasion, repeat, dice, sources }) {
    const left = [...dice], rolls = new Map(), others = [], asked = JSON.stringify([roller, purpose, occasion, repeat]);
    for (const [kind, many, session = 0, at = null] of sources) {
      const place = [session, ...(at ?? [])], key = String(place), run = String(place.slice(0, 4));
      const taken = left.splice(0, many), isOther = kind === "override", isPlaced = at !== null;
      check(taken.length === many && (!isPlaced || (at.length === 4 && taken.every((die) => die.length >= 2))), LACKS);
      const fell = taken.map(([sides, face]) => ({ sides, face, isOther }));
      if (isPlaced) get(rolls, key, { place, key, run, occasion, asked, dice: [] }).dice.push(...fell);
      if (!isPlaced || isOther) others.push([JSON.stringify([kind, roller, purpose, fell]), [kind, many]]);
    }
    check(!left.length, "nothing says where some of them come from");
    return [[...rolls.values()], others];
  }

  // The ledger: which places are next, and which wait for the request that had them. "used" are the rolls of each run,
  // "owned" the places that an action has had. In a reader's file nobody can say for which one some were drawn (null).
  function newLedger(isWhole, ownFork, sessions) {
    const [used, sides, waiting, owned] = Array.from({ length: 4 }, () => new Map());
    const [outcomes, counting] = [new Map(), new Map()];
    const ownedBy = (action) => get(owned, action, new Set());
    function take(rolls) {
      for (const { key, run, place, dice } of rolls) {
        used.set(run, Math.max(used.get(run) ?? 0, place[4] + 1));
        sides.set(key, longer(sides.get(key), sidesOf(dice)));
        waiting.delete(key);
      }
    }
    // What no longer counts of an action waits for its request from here on, and what counts again does not.
    function swap(action, { revision, restores }, isOutcome, fell) {
      const made = get(outcomes, action, new Map()), before = made.get(counting.get(action)) ?? [];
      if (isOutcome) made.set(revision, fell);
      counting.set(action, isOutcome ? revision : restores);
      before.forEach((each) => waiting.set(each.key, each));
      take(made.get(counting.get(action)) ?? []);
    }
    // Whether an action may show dice that it never had: its request's, which were undone, or else those that are next.
    function isInTurn({ key, run, place: [named, screen, fork, , index], dice, asked, occasion }) {
      const session = sessions.get(named), waits = waiting.get(key), due = used.get(run) ?? 0;
      if (!session || dice.some((die) => die.isOther)) return ownFork > 0;  // from canon, where it corrected something
      if (!isWhole && (screen || owned.get(null)?.has(key))) return true;  // not all of it is in sight
      if (isOver(session) || fork > ownFork) return false;
      if (waits) return waits.asked === asked && sides.get(key).every((each, at) => each === (dice[at]?.sides ?? each));
      if (index !== due) return fork < ownFork;
      const isAlike = (other) => other.asked === asked && String(other.place.slice(0, 2)) === String([named, screen]);
      return !occasion || ![...waiting.values()].some(isAlike);
    }
    return { used, waiting, ownedBy, take, swap, isInTurn };
  }

  // The entries in their order, and then the sessions. What is found is FAILED, or only missing.
  function newProof({ isWhole, fork }) {
    const [sessions, seeds, others] = [new Map(), new Map(), new Map()];
    const failed = [], missing = [], drawn = [], ledger = newLedger(isWhole, fork, sessions);
    let proven = 0, taken = 0, campaign = "";
    const fail = (due, wrong) => wrong && failed.push(`entry @${due}: ${wrong}`);
    async function follow(due, { own, envelope, events, isPublic, isTaken, isOutcome }) {
      taken += isPublic && isTaken;
      const seen = isPublic ? envelope.public_number || taken : `hidden ${due}`, action = own.action ?? seen;
      const met = new Set(), fell = [];
      for (const { name, fields: event } of events) {
        if (name === "CampaignStarted") campaign = event.identity;
        else if (name === "SessionOpened") await open(due, event);
        else if (name === "DiceRolled") {
          const [rolls, foreign] = placed(event);
          for (const [which, many] of foreign) others.set(`${action} ${which}`, many);
          fell.push(...rolls), roll(due, rolls, ledger.ownedBy(action), met);
        } else if (OF_SESSIONS.includes(name) && sessions.has(event.session)) attend(due, name, event);
      }
      const drawnFor = ledger.ownedBy(isWhole ? own.params.action ?? "" : null);
      if (envelope.intent.verb === "draw-for" && isOutcome) met.forEach((key) => drawnFor.add(key));
      ledger.swap(action, envelope, isOutcome, fell);
    }
    async function open(due, event) {
      const from = [utf8("rollbook/session/1\0"), fromHex(campaign), fromHex(event.nonce)];
      const isOther = event.commit_table && hex(await sha(...from)).slice(0, 32) !== event.identity;
      fail(due, isOther && "its dice were committed to for another campaign");
      fail(due, sessions.has(event.session) && "a session is opened again");
      sessions.set(event.session, { ...event, lines: [], seeds: new Map(), counts: {} });
    }
    const OF_SESSIONS = ["EntropyAdded", "DiceRevealed", "FreshDiceGranted", "SessionClosed", "ScreenCounted"];
    function attend(due, name, event) {
      const session = sessions.get(event.session), key = (place) => String([event.session, ...place]);
      if (name === "EntropyAdded") mixIn(due, event, session);
      else if (name === "DiceRevealed") session.seeds.set(event.screen, event.seed);
      else if (name === "FreshDiceGranted") event.places.forEach((place) => ledger.waiting.delete(key(place)));
      else session.counts[name] = new Map(event.counts.map((run) => [key(run.slice(0, -1)), run.at(-1)]));
    }
    function mixIn(due, { session: named, number: seat, text }, session) {
      const words = text.normalize("NFC"), runs = [...ledger.used.keys()];
      const hasRolled = runs.some((run) => `${run},`.startsWith(`${named},`));
      check(!/\p{Surrogate}/u.test(words));
      session.lines.push([seat, utf8(words)]);
      fail(due, (isOver(session) || hasRolled) && "a line was mixed in after the first die");
    }
    function roll(due, rolls, own, met) {
      for (const each of rolls) {
        const { key, place } = each, isRight = !met.has(key) && (own.has(key) || ledger.isInTurn(each));
        fail(due, !isRight && `roll ${place[4]} of seat ${place[3]} is not in its turn`);
        drawn.push({ due, ...each }), met.add(key), own.add(key);
      }
      ledger.take(rolls);
    }
    async function finish() {
      const identities = [...sessions.values()].map(({ identity }) => identity).filter(Boolean);
      if (new Set(identities).size < identities.length) failed.push("two sessions share one identity");
      const unopened = new Set(drawn.map(({ place }) => place[0]).filter((named) => !sessions.has(named)));
      missing.push(...[...unopened].map((named) => `session ${named} was never opened`).sort());
      for (const [named, session] of sessions) for (const screen of [false, true]) await close(named, session, screen);
    }
    async function close(named, session, screen) {
      const isOf = (key) => `${key},`.startsWith(`${named},${screen},`);
      const seed = session.seeds.get(screen), fell = drawn.filter(({ key }) => isOf(key));
      const isOfAnother = seed !== undefined && get(seeds, seed.toLowerCase(), named) !== named;
      if (isOfAnother) failed.push(`the dice of session ${named} come from the seed of another`);
      if (seed !== undefined && session.commit_table) await prove(named, session, screen, fromHex(seed), fell);
      else if (fell.length) missing.push(`${screen ? "secret" : "the"} dice of session ${named} are not revealed`);
      const had = [...ledger.used].filter(([run]) => isOf(run));
      for (const [kind, counts] of Object.entries(session.counts)) {  // in older histories those of the table hold both
        const isScreens = kind === "ScreenCounted", said = [...counts].filter(([run]) => isScreens || isOf(run));
        const isMeant = isScreens ? screen : said.length || !screen;
        const isOther = isMeant && (isWhole || !screen) && String(said.sort()) !== String(had.sort());
        if (isOther) failed.push(`session ${named} was closed over other counts of rolls`);
      }
    }
    // Every roll again. Of the dice of a place some may be left out, once all of them were shown.
    async function prove(named, session, screen, seed, fell) {
      const isRight = await isCommitted(session, screen, seed), known = new Map();
      if (!isRight) failed.push(`the seed revealed for session ${named} is not the one that was committed to`);
      const key = await keyOf(session, screen, seed);
      for (const { due, key: where, place, dice } of fell) {
        const faces = await draw(key, place, sidesOf(dice)), before = get(known, where, []);
        const again = dice.map(({ sides }, at) => `${sides} ${faces[at]}`);
        const shown = dice.map(({ sides, face }) => `${sides} ${face}`);
        const genuine = shown.filter((_, at) => !dice[at].isOther);
        if (before.some((each) => areSomeOf(genuine, each))) continue;
        const isAgain = shown.every((die, at) => die === again[at] || dice[at].isOther);
        fail(due, !isAgain && `roll ${place[4]} of seat ${place[3]} does not show the dice of the stream`);
        proven += Math.max(0, genuine.length - Math.max(0, ...before.map((each) => each.length)));
        before.push(again);
      }
    }
    return { follow, finish, failed, missing, others, proven: () => proven };
  }

  // The answer for a chain that was found whole: how many dice are proven, and what contradicts them or is missing.
  return async function askDice(chain) {
    const proof = newProof(chain), { failed, missing } = proof, { isFiltered } = chain;
    try {
      for (const [due, entry] of isFiltered ? [] : chain.entries) await proof.follow(due, entry);
      await proof.finish();
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
    const notes = [...sums].map(([kind, many]) => [`${kind} dice, which nobody can prove`, many]);
    return { verdict, proven, findings, notes };
  };
})();
if (typeof module === "object") module.exports = askRollbookDice;
