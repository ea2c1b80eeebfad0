/* What each step has to say: its line of the log, which action and which correction it belongs to, and by which entry it was
   corrected. A key that a step leaves out is empty. */
"use strict";
const rollbookDueSteps = (() => {
  const { describe, toldApart, NO_NAME } = rollbookSentences;
  const OF_CHANCE = /seat-[0-9a-f]{8}/g;
  const VERBS = { ActionVoided: "undo", ActionRestored: "redo" };
  function dueStep(one, names, seats, words) {
    const { no, place, action, entry: { kind, envelope }, isTaken, revision, first, reason, by, why } = one;
    const counts = action.counting?.no ?? 0, verb = VERBS[kind] ?? envelope.intent.verb;
    return { no, place, n: action.n, verb, ...describe(one, names, seats, words), reason, why, seat: envelope.seat ?? "", sees: envelope.visibility ?? "", by, of: isTaken ? 0 : revision, first, counts };
  }
  // Of all that a reader was told, by its place in the chain; so are the "words" that only the rules give. What was said at the time stays said, so names follow the entries.
  return function dueSteps(told, words) {
    const names = new Map(), seats = new Map(), due = new Map();
    let shown = names;
    for (const one of told) {
      const named = one.entry.events.filter(([kind]) => kind === "CharacterJoined" || kind === "CharacterRenamed");
      for (const [, { character, name }] of named) names.set(character, name);
      if (named.length) shown = toldApart(names);
      for (const [kind, { seat, name }] of one.entry.events) if (kind === "SeatRenamed" || kind === "SeatNamed") seats.set(seat, name || NO_NAME);
      due.set(one.place, dueStep(one, shown, seats, words.get(one.place)));
    }
    const named = (seat) => seats.get(seat) ?? seat, inWords = (text) => text.replace(OF_CHANCE, named);
    for (const step of due.values()) Object.assign(step, { seat: named(step.seat), sees: named(step.sees), reason: inWords(step.reason), why: inWords(step.why) });
    return due;
  };
})();
