/* Who did what, worked out again from an entry and the words that its verb gives, which the page carries for each step: see
   domain/rules/sentences.py. It says what projections/acts.py, phrases.py and arrivals.py say. */
"use strict";
const rollbookActs = (() => {
  const { counted } = rollbookElements;
  const large = (number) => number.toLocaleString("en");
  const WORDS = "no one two three four five six seven eight nine ten eleven twelve".split(" "), MOST_NAMES = 6, FEW_THINGS = 2;
  const ODD = { child: "children", dwarf: "dwarves", elf: "elves", foot: "feet", goose: "geese", man: "men", mouse: "mice", thief: "thieves", tooth: "teeth", wolf: "wolves" };
  // The words of the verbs that every game has, as domain/actions gives them. Those of a game's own verbs are its maker's.
  const EVERY_GAMES = {
    adjust: "~adjusts {what:key} of {who}", adopt: "~changes the rules to {ruleset}", "after-x-card": "~answers the X-card",
    agree: "~settles how dice are rolled", award: "~awards experience to {who:the}[ ({reason})]", "close-session": "~closes the session",
    conceal: "~hides {who} from the table", "cut-to": "~cuts to another scene", "draw-for": "~draws fresh dice", drop: "drops {item:many}", entropy: "~adds words to the dice",
    give: "~gives {who} {item:many}", "grant-dice": "~lets #{action} be rolled again|lets dice be rolled again",
    handout: "~hands out", portrait: "has another portrait", "lay-map": "~lays a map", say: "~says", whisper: "~whispers",
    "house-rules": "~changes the house rules", join: "~brings somebody in", leave: "{who} leaves[ ({reason})]",
    "leave-seat": "{seat} leaves the table", lend: "~lends {who} to {to}|takes {who} back", meanwhile: "~sets a scene that is played meanwhile", note: "~writes a note[ about {about}]",
    "open-session": "~opens the session", "pass-time": "~lets time pass[ for a rest{rest:if}]",
    redact: "~removes the words of a note", rename: "~renames {who}", "rename-seat": "~gives a seat another name",
    reveal: "~reveals {who}|reveals what was hidden", "reveal-screen": "~reveals the secret dice[ of session {session}]",
    roll: "rolls {expression}[ for {purpose}]", ruling: "~makes a ruling[ about {about}]", scene: "~sets a new scene",
    "start-campaign": "~begins the campaign {name}", "take-seat": "{seat} sits down[ as {role}]", "time-zone": "~sets the time zone",
    trait: "~takes {trait:key} from the sheet of {who}{lose:if}|puts {trait:key} on the sheet of {who}", "withdraw-x-card": "~withdraws the X-card",
    "x-card": "~raises the X-card",
  };
  const isOfAGame = ({ verb, how }) => Boolean(how) && how !== EVERY_GAMES[verb];
  const inWords = (number) => WORDS[number] ?? large(number);
  const has = (known, key) => Object.hasOwn(known, key);
  const first = (text) => [...text].slice(0, 1).join("");
  const isSmall = (text) => first(text) !== first(text).toUpperCase();
  const withArticle = (name) => (name ? `${"aeiou".includes(first(name).toLowerCase()) ? "an" : "a"} ${name}` : "");

  function plural(stem) {
    const isTitled = stem.split(/\s+/).filter(Boolean).slice(1).some((word) => /^\p{Lu}/u.test(word));
    const words = isTitled ? stem : first(stem).toLowerCase() + stem.slice(first(stem).length), cut = words.lastIndexOf(" ") + 1;
    const before = words.slice(0, cut), last = words.slice(cut), odd = Object.keys(ODD).find((each) => last.endsWith(each));
    if (odd) return before + last.slice(0, -odd.length) + ODD[odd];
    if (/[^aeiou]y$/.test(last)) return `${before}${last.slice(0, -1)}ies`;
    return before + last + (/(?:s|x|z|ch|sh)$/.test(last) ? "es" : "s");
  }
  function grouped(names) {
    const stems = new Map();
    for (const name of names) {
      const stem = /^(.*[^0-9]) [0-9]+(?: \([^()]*\))?$/s.exec(name)?.[1] ?? name;
      stems.set(stem, [...(stems.get(stem) ?? []), name]);
    }
    return [...stems].map(([stem, same]) => (same.length === 1 ? same[0] : `${inWords(same.length)} ${plural(stem)}`));
  }
  function listed(names, most = MOST_NAMES) {
    if (names.length > most) return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
    return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");
  }
  const people = (names) => listed(grouped(names.filter(Boolean)));
  const key = (text, names) => text.split(":").map((part) => names.get(part) || (part.includes(" ") ? part : part.replaceAll("-", " "))).join(" ");
  function things(all, said = ({ item }) => item) {
    const found = all.filter(({ count = 1 }) => count).map((each) => ((each.count ?? 1) > 1 ? `${each.count} × ${each.item}` : said(each)));
    if (found.length <= FEW_THINGS) return found.join(" and ");
    return `${found.slice(0, FEW_THINGS - 1).join(", ")} and ${inWords(found.length - FEW_THINGS + 1)} more things`;
  }

  const KINDS = {
    the: (text) => (text === "natural" || text === "unarmed" ? "" : isSmall(text) ? `the ${key(text, new Map())}` : text),
    a: (text) => (/ (?:roll|check|save|saving throw)\b/.test(text) ? withArticle(text) : text),
    quote: (text) => `“${text}”`,
    many: (text, { count }) => (Number.isInteger(count) && count > 1 ? `${count} × ${text}` : text),
    key,
  };
  const YES = "\0";
  function one(value, kind, slots, names) {
    if (names.has(String(value))) return names.get(String(value));
    const text = String(value).replace(/[ \t\n\v\f\r\x85\u2028\u2029]+/g, " ").replace(/^ +| +$/g, "");
    if (!text || !has(KINDS, kind)) return text;
    return KINDS[kind](text, kind === "key" ? names : slots);
  }
  function said(value, kind, slots, names) {
    if (kind === "if") return value && !(Array.isArray(value) && !value.length) ? YES : "";
    if (value === undefined || value === null || typeof value === "boolean") return "";
    if (typeof value === "number" || typeof value === "bigint") {
      const number = String(value).replace("-", "−");
      return !Number(value) ? "" : kind && !has(KINDS, kind) ? `${number} ${Number(value) === 1 ? kind : plural(kind)}` : number;
    }
    if (Array.isArray(value) && kind === "square") return value.map((each) => one(each, "", slots, names)).join(",");
    if (Array.isArray(value)) return people(value.map((each) => one(each, kind, slots, names)));
    return typeof value === "object" ? "" : one(value, kind, slots, names);
  }
  const SLOT = /{([A-Za-z0-9_]+)(?::([a-z]+))?}/g, trim = (text) => text.replace(/^ +| +$/g, "");
  // A reading with its slots filled; null if one of them has nothing to say.
  function filled(reading, slots, names) {
    let found = "";
    for (const [, optional, plain] of reading.matchAll(/\[([^\]]*)\]|([^[]+)/g)) {
      let isWhole = true;
      const text = (optional ?? plain).replace(SLOT, (_, name, kind = "") => {
        const words = said(has(slots, name) ? slots[name] : undefined, kind, slots, names);
        isWhole &&= words !== "";
        return words;
      });
      if (isWhole) found += text;
      else if (optional === undefined) return null;
    }
    return trim(found.replaceAll(YES, ""));
  }

  const checksOf = (events) => events.filter(([kind]) => kind === "CheckResolved").map(([, fields]) => fields);
  const isOwn = ({ character = "" }, actor) => character === "" || character === actor;
  function doerOf({ events, envelope: { actor = "", seat = "", provenance } }, names, isTheActor) {
    if (isTheActor && names.has(actor)) return names.get(actor);
    const [[kind, { character } = {}] = []] = events;
    if (kind === "TurnEnded" && names.has(character)) return names.get(character);
    return seat || (provenance === "imported" || events.some(([each]) => each === "XCardRaised") ? "Somebody" : "The GM");
  }
  // What the check was for and against, where the sentence does not say it.
  function moreOf(check, actor, verb, words, names) {
    if (!check?.check) return "";
    const folded = words.toLowerCase(), tried = check.check.toLowerCase(), against = check.against ? (names.get(check.against) ?? check.against) : "";
    const what = tried === verb || folded.includes(tried) ? "" : check.check;
    const whom = against && !folded.includes(against.toLowerCase()) && check.against !== actor ? `against ${against}` : "";
    return what ? ` (${[what, whom].filter(Boolean).join(" ")})` : whom && ` ${whom}`;
  }
  function thirdPerson(verb) {
    const [begin, ...others] = verb.replaceAll("-", " ").split(" "), rest = others.join(" ");
    const does = /[^aeiou]y$/.test(begin) ? `${begin.slice(0, -1)}ies` : begin && begin + (/(?:s|x|z|ch|sh|o)$/.test(begin) ? "es" : "s");
    if (!rest) return does;
    const PARTICLES = "at away behind by down for home in off on out over to up way".split(" ");
    return `${does} ${PARTICLES.includes(others[0]) ? rest : withArticle(rest)}`;
  }
  function actOf(entry, names, sentence) {
    const { events, envelope: { actor = "", intent = {} }, own } = entry, verb = intent.verb ?? "";
    const found = checksOf(events).filter((each) => isOwn(each, actor)), check = found.length === 1 ? found[0] : null;
    const cost = events.filter(([kind, { character }]) => kind === "Moved" && character === actor).reduce((sum, [, each]) => sum + (each.cost ?? 0), 0);
    const params = Object.fromEntries(Object.entries({ ...intent.params, ...own?.params }).filter(([, value]) => value !== verb));
    const slots = { ...(check && { against: check.against }), ...params, check: check ? check.check : events.find(([kind]) => kind === "DiceRolled")?.[1].purpose ?? "", cost };
    const doer = doerOf(entry, names, !sentence.startsWith("~"));
    for (const reading of sentence.replace(/^~/, "").split("|")) {
      const what = filled(reading, slots, names);
      if (what === null) continue;
      if (!reading.startsWith("{")) return { who: doer, what: what + moreOf(check, actor, verb, what, names) };
      const [[, name, kind = ""]] = reading.matchAll(SLOT), who = said(slots[name], kind, slots, names);
      return { who, what: trim(what.startsWith(who) ? what.slice(who.length) : what) };
    }
    return { who: doer, what: thirdPerson(verb) };
  }

  function arrivalOf(events, names) {
    const of = (wanted) => events.filter(([kind]) => kind === wanted).map(([, fields]) => fields), arrived = of("CharacterJoined");
    if (!arrived.length) return null;
    const who = arrived.map(({ character, name }) => names.get(character) ?? name), together = people(who);
    if (arrived.length > 1) return { who: grouped(who).length === 1 ? first(together).toUpperCase() + together.slice(first(together).length) : together, what: "join" };
    const level = of("LevelGained").reduce((sum, { levels = 1 }) => sum + levels, 0), isOne = ({ item, use = [] }) => use[0] === "weapon" && !item.endsWith("s") && isSmall(item);
    const gear = things(of("GearGained"), (each) => (isOne(each) ? withArticle(each.item) : each.item));
    const brings = (level > 0 ? ` at level ${level}` : "") + (gear && ` with ${gear}`), by = arrived[0].seat ? `, played by ${arrived[0].seat}` : "";
    return { who: who[0], what: `comes in${by}${by && brings ? "," : ""}${brings}` };
  }
  return { actOf, arrivalOf, checksOf, counted, inWords, isOwn, key, large, listed, people, things, EVERY_GAMES, isOfAGame };
})();
