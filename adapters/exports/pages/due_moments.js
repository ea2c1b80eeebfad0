/* Whether a moment is drawn as the state has it that its entries come to. What only the rules give is not compared: it is counted, by
   what it is, and a change of it is bounded by what can change it. */
"use strict";
const rollbookDueMoments = (() => {
  const { toldApart } = rollbookSentences;
  const same = (some, others) => JSON.stringify(some) === JSON.stringify(others);

  // Who is in play, those in the fight in their order and then the others, each with what they are called.
  function presentIn({ people, fight }) {
    const known = [...people].filter(([, who]) => who.isPresent), order = fight?.order ?? [];
    const fighters = order.filter((id) => people.get(id)?.isPresent), others = known.map(([id]) => id).filter((id) => !order.includes(id));
    // Who is hidden makes no difference to how others are called.
    const names = (some) => toldApart(new Map(some.map(([id, { name }]) => [id, name])));
    const [all, open] = [names(known), names(known.filter(([, { isHidden }]) => !isHidden))];
    const called = (id) => (people.get(id).isHidden ? all : open).get(id);
    return [...fighters, ...others].map((id) => [id, { ...people.get(id), label: called(id) }]);
  }
  function turnOf(id, fight) {
    if (!fight?.order.includes(id)) return "";
    return id === fight.current ? "now" : fight.acted.includes(id) ? "acted" : "to come";
  }
  const byName = (conditions) => conditions.map(([name, detail]) => [name, detail && !name.includes(`(${detail})`) ? detail : ""]).sort(([some], [other]) => (some < other ? -1 : 1));
  const SQUARE = /^\s*-?\d+\s*,\s*-?\d+/;
  const isSquare = (where) => SQUARE.test(where ?? "");
  // What is drawn and what is due, by what it is called: of the table, and of one person.
  function elsewhereOf(elsewhere, present) {
    const called = new Map(present.map(([id, { label }]) => [id, label]));
    return [...elsewhere].map(([number, { title, fight }]) => {
      const isSeen = fight?.order.some((id) => called.has(id));
      return [title || `scene ${number}`, isSeen ? fight.round : 0, (isSeen && called.get(fight.current)) || ""];
    });
  }
  function ofTable(now, { scene, paused, fight, elsewhere }, present) {
    const current = present.some(([id]) => id === fight?.current) ? fight.current : "", drawn = now.fight;
    return {
      "the scene": [now.scene ?? "", scene], "the X-card": [Boolean(now.paused), paused],
      "the fight": [drawn && [drawn.title ?? "", drawn.round, drawn.current ?? ""], fight ? [fight.title, fight.round, current] : undefined],
      "what waits": [now.elsewhere ?? [], elsewhereOf(elsewhere, present)],
      "who is there": [[now.order ?? [], Object.keys(now.people ?? {}).sort()], [present.map(([id]) => id), present.map(([id]) => id).sort()]],
    };
  }
  const ofPerson = (drawn, id, who, fight) => ({
    name: [drawn.name, who.label], kind: [drawn.kind, who.kind], turn: [drawn.turn ?? "", turnOf(id, fight)], hiding: [Boolean(drawn.hidden), who.isHidden],
    conditions: [byName(drawn.conditions ?? []), byName([...who.conditions])],
    square: isSquare(drawn.where) ? [drawn.where.trim().split(",").slice(0, 2).map(Number), who.square] : [],
  });
  // Each contradiction between a moment and a state, in words.
  function* contradictions(now, state) {
    const present = presentIn(state);
    for (const [what, [drawn, due]] of Object.entries(ofTable(now, state, present))) if (!same(drawn, due)) yield `${what} is not as its events have it`;
    for (const [id, who] of present) {
      const pairs = Object.entries(ofPerson(now.people?.[id] ?? {}, id, who, state.fight));
      for (const [what, [drawn, due]] of pairs) if (!same(drawn, due)) yield `the ${what} of ${who.label} is not as its events have it`;
    }
  }

  const some = (all) => (all ?? []).filter(Boolean);
  // Of a square its numbers are compared; that somebody has one is counted. Not to be next is as much the rules' word as to be next.
  const RULES = {
    places: ({ where }) => (isSquare(where) ? "a square" : where ?? ""), distances: ({ away }) => away ?? "",
    "what can be spent": ({ resources }) => some(resources), "how long conditions last": ({ conditions }) => some((conditions ?? []).map(([, , left]) => left)),
    "who may be next": ({ next, turn }) => (turn && turn !== "now" ? Boolean(next) : ""),
  };
  const OF_THE_TABLE = { "what is left of a turn": ({ fight }) => (fight?.left && fight.current ? fight.left.join(", ") || "nothing" : ""), "what the game counts": ({ lines }) => some(lines) };
  const NONE_RULED = Object.fromEntries([...Object.keys(RULES), ...Object.keys(OF_THE_TABLE)].map((what) => [what, 0]));
  // Counts what only the rules give and has come since the moment before, into "tally", by what it is.
  function countRuled(was, now, tally) {
    const note = (kinds, before, after) => {
      for (const [what, of] of Object.entries(kinds)) {
        const value = of(after);
        if (String(value) && !(before && same(of(before), value))) tally[what]++;
      }
    };
    note(OF_THE_TABLE, was, now);
    for (const [id, who] of Object.entries(now.people ?? {})) if (who !== was?.people?.[id]) note(RULES, was?.people?.[id], who);
  }

  // Events after which the rules may give anybody another maximum of hit points, and those of a character that give them none.
  const FOR_ALL = ["RulesetAdopted", "TimePassed", "TableAgreed"];
  const BESIDES = [
    ...["DamageTaken", "HitPointsRestored", "HitPointsCorrected", "Moved", "CheckResolved", "TurnBegan", "TurnSpent", "TurnEnded"],
    ...["CharacterRenamed", "CharacterHidden", "CharacterRevealed", "ControlPassed"],
  ];
  const mayBeRuled = (events, id) => events.some(([kind, { character, holder }]) => FOR_ALL.includes(kind) || ((character ?? holder) === id && !BESIDES.includes(kind)));
  return { contradictions, countRuled, mayBeRuled, presentIn, NONE_RULED };
})();
