/* What stands out at a step, and what a correction changed: both follow from the moments beside it, and from its events. */
"use strict";
const rollbookDifferences = (() => {
  const { presentIn } = rollbookDueMoments;
  const peopleOf = (moment) => (moment?.order ?? []).map((id) => [id, moment.people[id]]);

  function marksOf({ entry: { events }, isTaken, first, no, reason }, was, now) {
    if (!isTaken) return first === no ? [["correction", reason]] : [];
    const named = (id) => now.people?.[id]?.name ?? id, arrived = events.filter(([kind]) => kind === "CharacterJoined").map(([, { character }]) => character);
    const found = events.flatMap(([kind, e]) => {
      if (kind === "SessionOpened") return [["session", e.title || `session ${e.session}`]];
      if (kind === "SceneFramed" || kind === "SceneResumed") return [["scene", e.title]];
      if (kind === "RoundBegan") return [["round", now.fight ? String(now.fight.round) : ""]];
      if (kind === "XCardRaised") return [["x-card", ""]];
      return kind === "LevelGained" && e.levels > 0 && !arrived.includes(e.character) ? [["level", named(e.character)]] : [];
    });
    const fell = peopleOf(now).filter(([id, { left }]) => left <= 0 && was?.people?.[id]?.left > 0);
    return [...found, ...fell.map(([, { name }]) => ["fall", name])];
  }

  const tableOf = ({ scene, fight, people, lines = [] }) =>
    new Map([["scene", scene], ["fight", fight && `round ${fight.round}`], ["turn", people?.[fight?.current]?.name], ...lines]);
  const hitPoints = ({ left, most, hp }) => (left === undefined ? hp : most === undefined ? `${left}` : `${left} of ${most}`);
  const SHOWN = {
    name: (_, name) => name, "hit points": hitPoints, place: ({ where }) => where, turn: ({ turn }) => turn,
    conditions: ({ conditions = [] }) => conditions.filter(([, , , isBesides]) => !isBesides).map(([name, detail]) => `${name} ${detail}`.trimEnd()).join(", "),
    resources: ({ resources = [] }) => resources.join(", "),
  };
  const ORDER = ["name", "hit points", "conditions", "resources", "place", "turn"];
  function* sides([was, before], [now, after]) {
    const [were, are] = [tableOf(was), tableOf(now)], named = (state) => new Map(presentIn(state).map(([id, { name }]) => [id, name]));
    const row = (label, what, some, others) => (some || "none") === (others || "none") ? [] : [[label, what, some || "none", others || "none"]];
    for (const what of new Map([...were, ...are]).keys()) yield* row("", what, were.get(what), are.get(what));
    const [had, has] = [new Map(peopleOf(was)), new Map(peopleOf(now))], [called, calls] = [named(before), named(after)];
    for (const id of new Map([...had, ...has]).keys()) {
      const [some, other] = [had.get(id), has.get(id)], label = (other ?? some).name;
      if (!some || !other) yield* row(label, "presence", some ? "in play" : "not in play", other ? "in play" : "not in play");
      else for (const what of ORDER) yield* row(label, what, SHOWN[what](some, called.get(id)), SHOWN[what](other, calls.get(id)));
    }
  }
  // Of the two moments beside a correction, each with its state.
  const sidesOf = (was, now) => (was ? [...sides(was, now)] : []);
  return { marksOf, sidesOf };
})();
