/* A line of the log in words, worked out again from the events of its entry: who, what, and what came of it. It says what
   projections/log_lines.py says, and needs no rules. */
"use strict";
const rollbookSentences = (() => {
  const { counted } = rollbookElements;
  const large = (number) => number.toLocaleString("en");
  const many = (number, one) => counted(number, one).replace(/^\S+/, large(number));
  const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  function duration(seconds) {
    const [size, unit] = UNITS.find(([length]) => seconds % length === 0);
    return many(seconds / size, unit);
  }
  const more = (words, before = ": ", after = "") => (words ? before + words + after : "");
  const rolls = (counts) => many(counts.reduce((sum, each) => sum + each[each.length - 1], 0), "roll");
  const numbers = (all) => `${all.length === 1 ? "entry" : "entries"} ${all.map((each) => `@${each}`).join(", ")}`;
  const things = ({ count, item }) => (count > 1 ? `${count} × ${item}` : item);
  const SETTLED = { stream: "from the stream", physical: "real, typed in", either: "from the stream or real", gm: "only behind the screen", open: "allowed" };
  const MATTERS = { zone: "days and hours in" };
  const GOES_ON = { resume: "the scene goes on", skip: "the scene is passed over", adjust: "the scene goes on in another way", rewind: "the scene is undone and played again" };
  const either = (known, word) => (Object.hasOwn(known, word) ? known[word] : word);
  const PHRASES = {
    CampaignStarted: (e) => `the campaign ${e.name} begins`,
    RulesetAdopted: (e) => `by ${e.ruleset} ${e.version}`,
    SeatTaken: (e) => `${e.seat} sits down as ${e.role}`,
    SeatLeft: (e) => `${e.seat} leaves the table`,
    SeatRenamed: (e) => `${e.seat} is called ${e.name} from now on`,
    SessionOpened: (e) => `session ${e.session} begins${more(e.title)}`,
    EntropyAdded: (e) => `mixes in “${e.text}”`,
    SessionClosed: (e) => `session ${e.session} ends`,
    DiceRevealed: (e) => `session ${e.session}’s ${e.screen ? "secret" : "open"} dice are revealed`,
    ScreenCounted: (e) => `${rolls(e.counts)} fell behind the screen in session ${e.session}`,
    FreshDiceGranted: (e) => `may be rolled again: ${e.why}`,
    TableAgreed: (e) => `agreed: ${either(MATTERS, e.matter)}${more(e.seat, " of ")} ${either(SETTLED, e.value)}`,
    SceneFramed: (e) => e.title,
    NoteWritten: (e) => e.text || "(its words were removed)",
    NoteRedacted: (e) => `the words of #${e.action} are removed for good`,
    EntriesRevealed: (e) => `what was hidden from the table is revealed (${numbers(e.entries)})`,
    CharacterHidden: (e, who) => `${who} is hidden from the table`,
    CharacterRevealed: (e, who) => `${who} comes into the open`,
    XCardRaised: () => "the X-card is raised; the scene pauses",
    XCardAnswered: (e) => either(GOES_ON, e.how),
    RulingMade: (e) => `ruling${more(e.reason)}`,
    TimePassed: (e) => (e.seconds ? `${duration(e.seconds)} pass` : ""),
    CharacterJoined: (e, who) => `${who === e.character ? e.name : who} joins`,
    CharacterRenamed: (e) => `${e.character} is called ${e.name} from now on`,
    CharacterLeft: (e, who) => `${who} leaves${more(e.reason, " (", ")")}`,
    ControlPassed: (e, who) => `${who} is played by ${e.seat || "the GM"}`,
    Moved: (e, who) => `${who} moves${more(e.cost, " ")}`,
    CheckResolved: (e) => `${e.total} against ${e.target}: ${e.outcome || (e.success ? "yes" : "no")}`,
    DamageTaken: (e, who) => `${who} −${e.amount} HP`,
    HitPointsRestored: (e, who) => `${who} +${e.amount} HP`,
    HitPointsCorrected: (e, who) => `${who} ${e.amount < 0 ? "" : "+"}${e.amount} HP, corrected`,
    ConditionBegan: (e, who) => `${who} is ${e.condition}`,
    ConditionEnded: (e, who) => `${who} is no longer ${e.condition}`,
    PoolGained: (e, who) => `${who} +${e.amount} ${e.pool}`,
    PoolSpent: (e, who) => `${who} −${e.amount} ${e.pool}${more(e.reason, " (", ")")}`,
    PoolBecame: (e, who) => `${who}: ${e.pool} ${e.amount}`,
    ExperienceAwarded: (e, who) => `${who} +${large(e.amount)} XP`,
    LevelGained: (e, who) => `${who} ${e.levels > 0 ? "gains" : "loses"} a level`,
    ChoiceOffered: (e, who) => `${who} may choose: ${e.choice}`,
    ChoiceMade: (e, who) => `${who} chooses ${e.picked}`,
    GearGained: (e, who) => (e.count ? `${who} gets ${things(e)}` : ""),
    SheetSetAside: (e, who) => `${who}’s sheet of ${e.ruleset} is set aside`,
    SheetTakenUp: (e, who) => `${who} takes the sheet of ${e.ruleset} up again`,
    GearLost: (e, who) => `${who} loses ${things(e)}`,
    EncounterBegan: (e) => `an encounter begins${more(e.title)}`,
    EncounterEnded: () => "the encounter is over",
    RoundBegan: () => "a new round",
    TurnBegan: (e, who) => `${who}’s turn`,
  };
  function phrase([kind, fields], names, isSeveral) {
    const about = fields.character || fields.holder || "", who = names.get(about) ?? (about || "GM");
    const said = PHRASES[kind](fields, who || "GM");
    return isSeveral && kind === "CheckResolved" ? `${who}: ${said}` : said;
  }
  // A whole campaign that changes its rules, in short.
  function crossing(events, names) {
    const adopted = events.find(([kind]) => kind === "RulesetAdopted"), aside = events.filter(([kind]) => kind === "SheetSetAside").length;
    return adopted && aside ? [phrase(adopted, names, false), `${many(aside, "sheet")} converted`] : null;
  }
  function whoOf({ entry: { events, envelope }, isOutcome }, names, befell) {
    const { actor = "", seat = "" } = envelope;
    if (names.has(actor)) return names.get(actor);
    const rollers = new Set(events.filter(([kind]) => kind === "DiceRolled").map(([, { roller }]) => roller)), [roller] = rollers;
    if (!isOutcome && rollers.size === 1 && names.has(roller)) return names.get(roller);
    for (const [, fields] of events) {
      const who = fields.roller || fields.character;
      if (names.has(who)) return befell.every((each) => each === who) ? names.get(who) : seat;
    }
    return seat;
  }
  function whatOf(verb, checks, names) {
    const said = verb.replaceAll("-", " "), [check] = checks;
    if (checks.length !== 1) return said;
    const what = said === check.check ? said : `${said}: ${check.check}`;
    return check.against ? `${what} against ${names.get(check.against) ?? check.against}` : what;
  }
  // What an entry says, with the names that its characters have by then.
  function describe(one, names) {
    const { events, envelope: { actor = "", intent } } = one.entry;
    const checks = events.filter(([kind]) => kind === "CheckResolved").map(([, fields]) => fields);
    const befell = events.filter(([, fields]) => Object.hasOwn(fields, "character")).map(([, { character }]) => character);
    const others = checks.filter(({ character }) => character && character !== actor);
    const isSeveral = new Set(checks.map(({ character }) => character)).size > 1 || (names.has(actor) && others.length > 0);
    const said = events.filter(([kind]) => Object.hasOwn(PHRASES, kind));
    const phrases = crossing(events, names) ?? said.map((event) => phrase(event, names, isSeveral));
    return {
      who: whoOf(one, names, befell), what: whatOf(intent?.verb ?? "", checks, names), text: phrases.filter(Boolean).join("; "),
      ok: checks.length === 1 ? (checks[0].success ? 1 : -1) : 0,
    };
  }
  // Names by id, with the id beside those that several have, as if there were no capitals.
  function toldApart(names) {
    const plain = (name) => name.toUpperCase().toLowerCase(), many = new Map();
    for (const name of names.values()) many.set(plain(name), (many.get(plain(name)) ?? 0) + 1);
    return new Map([...names].map(([id, name]) => [id, many.get(plain(name)) > 1 ? `${name} (${id})` : name]));
  }
  return { describe, toldApart, kinds: Object.keys(PHRASES) };
})();
