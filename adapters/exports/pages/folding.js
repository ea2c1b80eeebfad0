/* The state that entries come to, as far as events alone say it: who is there and what befell them, the scene, the fight. The maximum of
   hit points, what can be spent and most of all places are the rules' to say, and are not in it. */
"use strict";
const rollbookFolding = (() => {
  const START = { name: "", session: 0, title: "", scene: "", number: 0, scenes: 0, paused: false, fight: null, elsewhere: new Map(), people: new Map() };
  const NEWCOMER = { isHidden: false, isPresent: true, lost: 0, conditions: new Map(), square: [0, 0], aside: new Map() };
  const person = (change) => (state, fields) => {
    const who = state.people.get(fields.character);
    return who ? { ...state, people: new Map(state.people).set(fields.character, { ...who, ...change(who, fields) }) } : state;
  };
  const fight = (change) => (state, fields) => (state.fight ? { ...state, fight: { ...state.fight, ...change(state.fight, fields) } } : state);
  const restored = person(({ lost }, { amount }) => ({ lost: lost - amount }));
  const without = (map, key) => { const left = new Map(map); left.delete(key); return left; };
  // The scenes that wait, without those who have come over from their fights.
  function left(elsewhere, gone) {
    const stay = (who) => !gone.includes(who), of = (fight) => fight && { ...fight, order: fight.order.filter(stay), current: stay(fight.current) ? fight.current : "" };
    return new Map([...elsewhere].map(([number, { title, fight: before }]) => [number, { title, fight: of(before) }]));
  }

  const ARMS = {
    CampaignStarted: (state, { name }) => ({ ...state, name }),
    SessionOpened: (state, { session, title }) => ({ ...state, session, title }),
    SceneFramed: (state, { title }) => ({ ...state, scene: title, scenes: state.scenes + 1, number: state.scenes + 1 }),
    SceneSetAside: ({ number, scene: title, fight, elsewhere, ...state }) =>
      ({ ...state, number, scene: title, fight: null, elsewhere: without(elsewhere, number).set(number, { title, fight }) }),
    SceneResumed: (state, { scene, title }) => ({
      ...state, scene: title, number: scene, fight: state.elsewhere.has(scene) ? state.elsewhere.get(scene).fight : state.fight,
      elsewhere: without(state.elsewhere, scene),
    }),
    SceneEnded: (state, { scene }) => ({ ...state, elsewhere: without(state.elsewhere, scene) }),
    XCardRaised: (state) => ({ ...state, paused: true }),
    XCardAnswered: (state) => ({ ...state, paused: false }),
    CharacterJoined: (state, { character, name, kind }) => ({ ...state, people: new Map(state.people).set(character, { ...NEWCOMER, name, kind }) }),
    CharacterRenamed: person((_, { name }) => ({ name })),
    CharacterLeft: person(() => ({ isPresent: false })),
    CharacterHidden: person(() => ({ isHidden: true })),
    CharacterRevealed: person(() => ({ isHidden: false })),
    Moved: person(({ square: [east, north] }, moved) => ({ square: [east + moved.east, north + moved.north] })),
    SheetSetAside: person(({ lost, conditions, aside }, { ruleset }) => ({ lost: 0, conditions: new Map(), aside: new Map(aside).set(ruleset, { lost, conditions }) })),
    SheetTakenUp: person(({ aside }, { ruleset }) => (aside.has(ruleset) ? { ...aside.get(ruleset), aside: without(aside, ruleset) } : {})),
    DamageTaken: person(({ lost }, { amount }) => ({ lost: lost + amount })),
    HitPointsRestored: restored, HitPointsCorrected: restored,
    ConditionBegan: person(({ conditions }, { condition, detail }) => ({ conditions: new Map(conditions).set(condition, detail) })),
    ConditionEnded: person(({ conditions }, { condition }) => ({ conditions: without(conditions, condition) })),
    EncounterBegan: (state, { title }) => ({ ...state, fight: { title, round: 0, current: "", order: [], acted: [] } }),
    EncounterEnded: (state) => ({ ...state, fight: null }),
    TurnOrderSet: (state, { order }) => (state.fight ? { ...state, fight: { ...state.fight, order }, elsewhere: left(state.elsewhere, order) } : state),
    RoundBegan: fight(({ round }) => ({ round: round + 1, acted: [] })),
    RoundEnded: fight(() => ({ current: "" })),
    TurnBegan: fight((_, { character }) => ({ current: character })),
    TurnEnded: fight(({ acted }, { character }) => ({ current: "", acted: [...acted, character] })),
  };
  const fold = (state, events) => events.reduce((before, [kind, fields]) => (Object.hasOwn(ARMS, kind) ? ARMS[kind](before, fields) : before), state);

  // An action comes after all others in the order of play, or just before the one before which it was inserted.
  function enter(order, action) {
    const at = action.before ? order.indexOf(action.before) : -1;
    order.splice(at < 0 ? order.length : at, 0, action);
  }
  // The states after each entry, [as it was then, as corrected]. What comes to the same is worked out once.
  function statesOf(told) {
    const known = new Map(), [then, today] = [[START], [START]], outcomes = new Map(), order = [], final = [], found = [];
    function after(state, outcome) {
      if (!outcome) return state;
      if (!known.has(outcome)) known.set(outcome, new Map());
      const made = known.get(outcome);
      if (!made.has(state)) made.set(state, fold(state, outcome.entry.events));
      return made.get(state);
    }
    for (const action of new Set(told.map((one) => one.action))) enter(final, action);
    const places = new Map(final.map((action, at) => [action, at + 1]));
    for (const { action, outcome } of told) {
      if (!outcomes.has(action)) enter(order, action);
      outcomes.set(action, outcome);
      for (let at = order.lastIndexOf(action); at < order.length; at++) then[at + 1] = after(then[at], outcomes.get(order[at]));
      const last = places.get(order.at(-1));
      while (today.length <= last) today.push(after(today.at(-1), final[today.length - 1].counting));
      found.push([then.at(-1), today[last]]);
    }
    return found;
  }
  return { statesOf, kinds: Object.keys(ARMS) };
})();
