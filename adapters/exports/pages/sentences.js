/* A line of the log in words, worked out again from the events of its entry: who, what, and what came of it. It says what
   projections/log_lines.py and outcomes.py say, and needs no rules. */
"use strict";
const rollbookSentences = (() => {
  const { actOf, arrivalOf, checksOf, counted, inWords, isOwn, key, large, listed, people, things } = rollbookActs;
  const many = (number, one) => counted(number, one).replace(/^\S+/, large(number));
  const NO_NAME = "(name removed)";
  const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  function passes(seconds) {
    const [size, unit] = UNITS.find(([length]) => seconds % length === 0);
    return `${many(seconds / size, unit)} ${seconds === size ? "passes" : "pass"}`;
  }
  const more = (words, before = ": ", after = "") => (words ? before + words + after : "");
  const rolls = (counts) => many(counts.reduce((sum, each) => sum + each[each.length - 1], 0), "roll");
  const numbers = (all) => `${all.length === 1 ? "entry" : "entries"} ${all.map((each) => `@${each}`).join(", ")}`;
  const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number)}`;
  const SETTLED = { stream: "from the stream", physical: "real, typed in", either: "from the stream or real", gm: "only behind the screen", open: "allowed" };
  const MATTERS = { zone: "days and hours in" };
  const GOES_ON = { resume: "the scene goes on", skip: "the scene is passed over", adjust: "the scene goes on in another way", rewind: "the scene is undone and played again" };
  const either = (known, word) => (Object.hasOwn(known, word) ? known[word] : word);
  // What is nobody's in particular.
  const OF_THE_TABLE = {
    CampaignStarted: (e) => `the campaign ${e.name} begins`,
    RulesetAdopted: (e) => `by ${e.ruleset} ${e.version}`,
    SessionOpened: (e) => `session ${e.session} begins${more(e.title)}`,
    EntropyAdded: (e) => `“${e.text}”`,
    SessionClosed: (e) => `session ${e.session} ends`,
    DiceRevealed: (e) => `session ${e.session}’s ${e.screen ? "secret" : "open"} dice are revealed`,
    ScreenCounted: (e) => `${rolls(e.counts)} fell behind the screen in session ${e.session}`,
    FreshDiceGranted: (e) => `may be rolled again: ${e.why}`,
    TableAgreed: (e) => `agreed: ${either(MATTERS, e.matter)}${more(e.seat, " of ")} ${either(SETTLED, e.value)}`,
    SceneFramed: (e) => e.title,
    SceneSetAside: () => "the scene before waits",
    SceneResumed: (e) => `back to ${e.title || `scene ${e.scene}`}`,
    SceneEnded: (e) => `scene ${e.scene} is over`,
    NoteWritten: (e) => e.text || "(its words were removed)",
    PictureShown: (e) => (e.digest ? (e.on_board ? e.alt || "a picture" : `a picture${more(e.alt)}`)
      : e.media ? "(its picture was removed)" : `no ${e.on_board ? "map" : "portrait"} any more`),
    NoteRedacted: (e) => `the words of #${e.action} are removed for good`,
    EntriesRevealed: (e) => `what was hidden from the table is revealed (${numbers(e.entries)})`,
    XCardRaised: () => "the scene pauses",
    XCardAnswered: (e) => either(GOES_ON, e.how),
    RulingMade: (e) => `ruling${more(e.reason)}`,
    TimePassed: (e) => (e.seconds ? passes(e.seconds) : ""),
    CharacterRenamed: (e) => `called ${e.name} from now on`,
    EncounterBegan: (e) => e.title || "an encounter begins",
    EncounterEnded: () => "the encounter is over",
    RoundBegan: () => "a new round",
  };
  const OF_A_SEAT = {
    SeatTaken: (e) => `sits down as ${e.role}`,
    SeatLeft: () => "leaves the table",
    SeatRenamed: (e) => `is called ${e.name} from now on`,
    SeatNamed: (e) => (e.name ? `is called ${e.name} from now on` : "(the name was removed)"),
  };
  const ABOUT = /.* (?:to|from|on|of|by|against)$/s;
  function condition(text, names) {
    const at = text.lastIndexOf(" "), before = text.slice(0, Math.max(at, 0)), last = text.slice(at + 1);
    return names.has(last) && ABOUT.test(before) ? `${before} ${names.get(last)}` : text;
  }
  const OF_SOMEBODY = {
    CharacterHidden: () => "is hidden from the table",
    CharacterRevealed: () => "comes into the open",
    CharacterJoined: () => "joins",
    CharacterLeft: (e) => `leaves${more(e.reason, " (", ")")}`,
    ControlPassed: (e) => `is played by ${e.seat || "the GM"}`,
    DamageTaken: (e) => `−${e.amount} HP`,
    HitPointsRestored: (e) => `+${e.amount} HP`,
    HitPointsCorrected: (e) => `${signed(e.amount)} HP, corrected`,
    ConditionBegan: (e, names) => `is ${condition(e.condition, names)}`,
    ConditionEnded: (e, names) => `is no longer ${condition(e.condition, names)}`,
    PoolGained: (e, names) => `+${e.amount} ${key(e.pool, names)}`,
    PoolSpent: (e, names) => `−${e.amount} ${key(e.pool, names)}${more(e.reason, " (", ")")}`,
    PoolBecame: (e, names) => `now has ${e.amount} ${key(e.pool, names)}`,
    ExperienceAwarded: (e) => `+${large(e.amount)} XP`,
    ChoiceMade: (e, names) => `chooses ${key(e.picked, names)}`,
    SheetSetAside: (e) => `sets the sheet of ${e.ruleset} aside`,
    SheetTakenUp: (e) => `takes the sheet of ${e.ruleset} up again`,
  };
  const sum = (all, field) => all.reduce((whole, each) => whole + each[field], 0);
  function levels(number) {
    if (!number) return "";
    return `${number > 0 ? "gains" : "loses"} ${Math.abs(number) === 1 ? "a level" : `${inWords(Math.abs(number))} levels`}`;
  }
  // What several events of a kind say of the one whom they befell.
  const TOGETHER = {
    LevelGained: (all) => levels(sum(all, "levels")),
    GearGained: (all) => more(things(all), "gets "),
    GearLost: (all) => more(things(all), "loses "),
    ChoiceOffered: (all, names) => `may choose: ${listed(all.map(({ choice }) => key(choice, names)), 3)}`,
    Moved: (all) => `moves${more(sum(all, "cost"), " ")}`,
  };
  const named = (who, names) => names.get(who) || who || "GM";

  // Events without those that begin what has begun before among them: it only grows.
  function* withoutRepeats(events) {
    const begun = new Set();
    for (const [kind, fields] of events) {
      const which = `${fields.character} ${fields.condition}`;
      if (kind === "ConditionBegan" && begun.has(which)) continue;
      if (kind === "ConditionBegan") begun.add(which);
      else if (kind === "ConditionEnded") begun.delete(which);
      yield [kind, fields];
    }
  }
  function* phrases(events, names, checked) {
    const gathered = new Set();
    for (const [kind, fields] of withoutRepeats(events)) {
      const about = fields.character || fields.holder || "";
      if (kind === "CheckResolved") yield { who: "", text: checked(fields) };
      else if (kind === "TurnBegan") yield { who: "", text: `${named(about, names)}’s turn` };
      else if (Object.hasOwn(OF_THE_TABLE, kind)) yield { who: "", text: OF_THE_TABLE[kind](fields) };
      else if (Object.hasOwn(OF_A_SEAT, kind)) yield { who: fields.seat, text: OF_A_SEAT[kind](fields) };
      else if (Object.hasOwn(OF_SOMEBODY, kind)) yield { who: named(about, names), text: OF_SOMEBODY[kind](fields, names) };
      else if (Object.hasOwn(TOGETHER, kind) && !gathered.has(`${kind} ${about}`)) {
        gathered.add(`${kind} ${about}`);
        const all = events.filter(([other, { character }]) => other === kind && character === about).map(([, each]) => each);
        yield { who: named(about, names), text: TOGETHER[kind](all, names) };
      }
    }
  }
  const whole = ({ who, text }) => (who ? `${who} ${text}` : text);
  const THE_SAME = { "an encounter begins": "begins an encounter", "the encounter is over": "ends the encounter" };
  function isTold(phrase, act) {
    const sentence = `${act.who} ${act.what}`, { who, text } = phrase, verb = text.split(" ", 1)[0];
    if (!who) return (Object.hasOwn(THE_SAME, text) && sentence.includes(THE_SAME[text])) || sentence.endsWith(`: ${text}`);
    if (verb === "chooses") return sentence.startsWith(`${who} chooses `) || sentence.endsWith(` ${text.slice(verb.length + 1)}`);
    if (verb === "gets" || verb === "loses") return sentence.includes(who) && sentence.endsWith(` ${text.slice(verb.length + 1)}`);
    return sentence.includes(whole(phrase));
  }
  function ofSeveral(found) {
    const groups = [];
    for (const each of found) {
      if (groups.at(-1)?.[0].text === each.text) groups.at(-1).push(each);
      else groups.push([each]);
    }
    return groups.flatMap((same) => {
      const who = same.map((each) => each.who), [{ text }] = same;
      if (same.length === 1 || new Set(who).size < same.length || who.includes("") || !/^(?:[+−]|is )/.test(text)) return same;
      return [{ who: people(who), text: text.replace(/^is /, "are ") }];
    });
  }
  function joined(found, who) {
    let last = who;
    return ofSeveral(found).map((phrase) => {
      const isKnown = phrase.who === last;
      last = phrase.who;
      return isKnown ? phrase.text : whole(phrase);
    }).join("; ");
  }

  // A whole campaign that changes its rules, in short.
  function crossing(events) {
    const adopted = events.find(([kind]) => kind === "RulesetAdopted"), aside = events.filter(([kind]) => kind === "SheetSetAside").length;
    return adopted && aside ? [OF_THE_TABLE.RulesetAdopted(adopted[1]), `${many(aside, "sheet")} converted`].map((text) => ({ who: "", text })) : null;
  }
  const BROUGHT = ["CharacterJoined", "GearGained", "GearLost", "LevelGained", "PoolBecame", "PoolGained", "ExperienceAwarded", "Moved"];
  const OFFERS = { ChoiceOffered: "ChoiceMade", ChoiceMade: "ChoiceOffered" };
  // What a newcomer brings along, also a choice that is offered and made at once.
  function isBrought([kind, { character, choice }], among) {
    if (!Object.hasOwn(OFFERS, kind)) return BROUGHT.includes(kind);
    return among.some(([other, each]) => other === OFFERS[kind] && each.character === character && each.choice === choice);
  }
  // A use of what the sentence says is counted, and not said.
  const isAUse = ([kind, { pool = "" }], { what }) => kind === "PoolGained" && pool.includes(":") && what.includes(key(pool.slice(pool.indexOf(":") + 1), new Map()));
  const isWho = ([kind, { name }], { who }) => kind === "SeatNamed" && [name, NO_NAME].includes(who);
  // What became of a maximum of hit points in an imported entry, which takes the hit points along.
  function maximaOf(events, names) {
    const grown = new Map(), moved = new Map(), arrived = events.filter(([kind]) => kind === "CharacterJoined").map(([, { character }]) => character);
    const add = (sums, who, amount) => sums.set(who, (sums.get(who) ?? 0) + amount);
    for (const [kind, { character, stat, amount }] of events) {
      if (kind === "StatChanged" && stat === "max_hp") add(grown, character, amount);
      else if (kind === "HitPointsCorrected") add(moved, character, amount);
    }
    const wanted = [...grown].filter(([who]) => moved.has(who) || !arrived.includes(who));
    return new Map(wanted.map(([who, by]) => {
      const left = by + (moved.get(who) ?? 0);
      return [who, { who: named(who, names), text: `maximum ${signed(by)} HP, ${left ? `${signed(left)} HP` : "hit points stay"}` }];
    }));
  }
  function resultOf({ events, envelope: { actor = "", provenance } }, act, names) {
    const crossed = crossing(events);
    if (crossed) return joined(crossed, act.who);
    const isArrival = events.some(([kind]) => kind === "CharacterJoined"), happened = isArrival ? events.filter((event) => !isBrought(event, events)) : events;
    const maxima = provenance === "imported" ? maximaOf(happened, names) : new Map();
    const rest = happened.filter((event) => !isAUse(event, act) && !isWho(event, act) && !(event[0] === "HitPointsCorrected" && maxima.has(event[1].character)));
    const isOneOfSeveral = checksOf(rest).filter((check) => isOwn(check, actor)).length > 1;
    function checked(check) {
      const came = `${check.total} against ${check.target}: ${check.outcome || (check.success ? "yes" : "no")}`;
      const tried = check.check + more(check.against && (names.get(check.against) ?? check.against), " against ");
      if (!isOwn(check, actor)) return `${named(check.character, names)}’s ${tried}: ${came}`;
      return isOneOfSeveral ? `${tried}: ${came}` : came;
    }
    const every = [...phrases(rest, names, checked)].filter(({ text }) => text);
    const found = [...every.filter((phrase) => !isTold(phrase, act)), ...maxima.values()];
    const totals = every.length || maxima.size || isArrival ? [] : rest.filter(([kind]) => kind === "DiceRolled").map(([, { total }]) => ({ who: "", text: String(total).replace("-", "−") }));
    return joined([...found, ...totals], act.who);
  }
  // An entry with what people are called in the place of seats, as projections/called_by_name.py has it.
  const OF_CHANCE = /^seat-[0-9a-f]{8}$/;
  function withPeople(entry, seats) {
    if (!seats.size) return entry;
    const byChance = (value) => (typeof value === "string" && OF_CHANCE.test(value) ? seats.get(value) ?? value : value);
    const events = entry.events.map(([kind, fields]) => [kind, { ...fields, ...(seats.has(fields.seat) && { seat: seats.get(fields.seat) }), ...(fields.roller && { roller: byChance(fields.roller) }) }]);
    const { intent } = entry.envelope, params = Object.fromEntries(Object.entries(intent?.params ?? {}).map(([name, value]) => [name, byChance(value)]));
    return { ...entry, events, envelope: { ...entry.envelope, ...(intent && { intent: { ...intent, params } }) } };
  }
  // An entry with the words of its conditions for their names.
  function withWords(entry, are) {
    const said = (fields) => (Object.hasOwn(are, fields.condition) ? { ...fields, condition: are[fields.condition] } : fields);
    return { ...entry, events: entry.events.map(([kind, fields]) => [kind, said(fields)]) };
  }
  // What an entry says, with the names that its characters and people have by then and the rules' own words.
  function describe(one, names, seats, { how: sentence = "", are = {} } = {}) {
    const entry = withWords(withPeople(one.entry, seats), are), { events, envelope: { actor = "", seat = "" } } = entry, checks = checksOf(events).filter((check) => isOwn(check, actor));
    const act = one.isOutcome ? arrivalOf(events, names) ?? actOf(entry, names, sentence) : { who: names.get(actor) ?? seat, what: "" };
    if (act.who === seat && seats.has(seat)) act.who = seats.get(seat);
    return { ...act, text: resultOf(entry, act, names), ok: checks.length === 1 ? (checks[0].success ? 1 : -1) : 0 };
  }
  // Names by id, with the id beside those that several have, as if there were no capitals.
  function toldApart(names) {
    const plain = (name) => name.toUpperCase().toLowerCase(), many = new Map();
    for (const name of names.values()) many.set(plain(name), (many.get(plain(name)) ?? 0) + 1);
    return new Map([...names].map(([id, name]) => [id, many.get(plain(name)) > 1 ? `${name} (${id})` : name]));
  }
  return { describe, toldApart, NO_NAME, kinds: [...[OF_THE_TABLE, OF_A_SEAT, OF_SOMEBODY, TOGETHER].flatMap(Object.keys), "CheckResolved", "TurnBegan"] };
})();
