/* The cards of the log that a step stands for, at a moment and on a course. */
"use strict";
const rollbookCards = (() => {
  const { eventsOf, rollsOf } = rollbookFrames;
  const THEN = 0;

  return function newCards({ steps, people }, entries) {
    const placeOf = new Map(steps.map(({ no }, at) => [no, at]));
    const nameOf = (id) => people[id]?.[0] ?? id;
    const markOf = ({ marks = [] }, kind) => marks.find(([its]) => its === kind)?.[1];

    function plain(at) {
      const step = steps[at], entry = entries.entryAt(step.place), checks = eventsOf(entry, "CheckResolved");
      const said = ({ total, target }) => `; ${step.text}`.includes(`; ${total} against ${target}: `);
      const check = step.ok ? checks.find(said) : null, phrase = check && `${check.total} against ${check.target}: `;
      return {
        at, no: step.no, call: step.of || !step.n ? "" : `#${step.n}`, who: step.who ?? "", what: step.what ?? "", text: step.text ?? "", sees: step.sees ?? "",
        headline: (phrase ? (step.text ?? "").replace(phrase, "") : step.text) || step.what || step.verb || "", ok: step.ok ?? 0,
        total: check?.total, against: check?.target, rolls: rollsOf(entry, nameOf), notes: [], reason: step.reason ?? "", kind: "",
        pictures: eventsOf(entry, "PictureShown").filter(({ media, portrait_of: whose }) => media && !whose),
      };
    }
    const call = (step) => (step.n ? `#${step.n}` : `an action of @${step.no}`);
    const DONE = { undo: "undone", redo: "counts again" };
    function correction(at) {
      const step = steps[at], card = plain(at), first = placeOf.get(step.first) ?? at, verb = step.verb;
      const what = DONE[verb] ? `${call(step)} ${verb === "undo" ? "is undone" : DONE[verb]}` : `${call(step)} is changed: ${card.headline}`;
      const who = step.seat ?? "";
      return { ...card, kind: "correction", headline: what, who, what: "", ok: DONE[verb] ? 0 : card.ok, sides: first === at || at < 1 ? step.sides ?? [] : null };
    }
    // What became of an outcome later, for a reader who stands at a moment of the course as it was then.
    function laterNote(step, moment) {
      const by = placeOf.get(step.by);
      if (by === undefined) return { undone: Boolean(step.by), notes: [] };
      const is = by <= moment, done = steps[by].verb === "undo" ? "undone" : "changed", why = step.why ? `: ${step.why},` : ",";
      return { undone: is, notes: [[done === "undone" ? "undo" : "pen", `${is ? `was ${done}` : `will be ${done}`}${why} see`, by, step.by]] };
    }
    function outcome(at, course, moment) {
      const step = steps[at], card = { ...plain(at), kind: markOf(step, "x-card") === undefined ? "" : "x" };
      if (course === THEN) return { ...card, ...laterNote(step, moment) };
      const counts = step.counts ?? step.no, by = placeOf.get(step.by), why = step.why ? `: ${step.why},` : ",";
      if (counts === step.no) return card;
      if (!counts) return { ...card, undone: true, notes: by === undefined ? [] : [["undo", `undone${why} see`, by, step.by]] };
      const other = placeOf.get(counts);
      if (other === undefined) return { ...card, notes: [["pen", "another outcome counts today, which is not drawn here"]] };
      return { ...plain(other), at, call: card.call, was: card, notes: [["pen", `as corrected${why} see`, other, counts]], reason: card.reason };
    }
    function headings(at, course) {
      const step = steps[at], heads = [];
      for (const [kind, words] of step.marks ?? []) {
        if (kind === "round") heads.push({ at, kind, headline: `Round ${words}` });
        if (kind === "scene") heads.push({ at, kind, headline: words || "A new scene", more: step.n ? `#${step.n}` : "" });
        if (kind === "session") heads.push({ at, kind, headline: words, more: step.text });
      }
      return heads;
    }
    const isHeading = ({ marks = [] }) => marks.some(([kind]) => kind === "scene" || kind === "session");
    // The cards of one step; as corrected there are none of what only corrects.
    function cardsOf(at, course, moment) {
      const step = steps[at], here = at === moment;
      if (step.of) return course === THEN ? [{ ...correction(at), here }] : [];
      const heads = headings(at, course), card = outcome(at, course, moment);
      if (isHeading(step) && !card.undone && !card.was && !card.notes.length && !card.rolls.length) return heads;
      return [...heads, { ...card, here }];
    }
    // The cards of so many steps up to a moment, oldest first.
    function upTo(moment, course, many) {
      const found = [];
      for (let at = moment; at >= 0 && found.length < many; at--) found.unshift(...cardsOf(at, course, moment));
      return found;
    }
    // The digests of the portraits that there are at a moment, by character.
    const portraits = steps.flatMap(({ verb, of }, at) => (verb === "portrait" && !of ? [at] : []));
    function facesAt(moment, course) {
      const shown = portraits.filter((at) => at <= moment && !outcome(at, course, moment).undone).flatMap((at) => eventsOf(entries.entryAt(steps[at].place), "PictureShown"));
      return new Map(shown.filter(({ digest, media }) => digest || !media).map(({ portrait_of: whose, digest }) => [whose, digest]));
    }
    function wordsOf(at, course) {
      const step = steps[at], { who, what, headline } = step.of ? correction(at) : outcome(at, course, at);
      return step.of ? headline : [who, what || headline].filter(Boolean).join(" ");
    }
    return { upTo, wordsOf, placeOf, facesAt };
  };
})();
