/* Whether what a page draws is what its chain says. All that the entries say is worked out again from them and compared: steps, moments
   on both courses, lanes, names and headings. Nothing that the page carries says how strictly it is to be compared: what the entries do not
   say is counted here, and a drawing of which anything is left open is UNPROVEN. */
"use strict";
const rollbookDrawn = (() => {
  const { contradictions, countRuled, mayBeRuled, NONE_RULED } = rollbookDueMoments, { marksOf, sidesOf } = rollbookDifferences, { counted } = rollbookElements, { isOfAGame } = rollbookActs;
  const same = (some, others) => JSON.stringify(some) === JSON.stringify(others);
  const COURSES = ["", " as corrected"], THEN = 0, MAXIMUM = "maximum hit points", WORDS = "words of verbs", STATES = "words of conditions";

  // "found" are contradictions, each with its entry. "ruled" counts what only the rules give, by what it is.
  function newComparison({ steps, people }, entries, courses, lanes, heading) {
    const history = rollbookHistory(entries, steps), { told } = history, due = rollbookDueSteps(told, new Map(steps.map((step) => [step.place, step]))), states = rollbookFolding.statesOf(told);
    const placeIn = new Map(told.map(({ place }, at) => [place, at])), at = steps.map(({ place }) => placeIn.get(place));
    const found = new Set(), ruled = { [MAXIMUM]: 0, [WORDS]: new Set(steps.filter(isOfAGame).map(({ how }) => how)).size, [STATES]: new Set(steps.flatMap(({ are = {} }) => Object.values(are))).size, ...NONE_RULED }, tally = { rolls: 0, points: 0, loose: 0, undrawn: told.length - new Set(at.filter((each) => each !== undefined)).size };
    const namings = told.flatMap(({ entry: { events } }) => events).filter(([kind]) => kind === "SeatRenamed" || kind === "SeatNamed");
    const nameOf = (seat) => namings.filter(([, said]) => said.seat === seat).map(([, { name }]) => name || rollbookSentences.NO_NAME).at(-1) ?? seat;
    const fail = ({ no }, wrong) => found.add(`entry @${no}: ${wrong}`);
    const stateOf = (step, course) => (at[step] === undefined ? null : states[at[step]][course]);

    function compareStep(step, place) {
      const wanted = due.get(step.place), isLater = !place || at[place] > at[place - 1];
      if (!wanted || !isLater) return fail(step, "it is drawn, and is not in its place in the chain");
      tally.rolls += told[at[place]].entry.events.filter(([kind]) => kind === "DiceRolled").length;
      for (const [key, value] of Object.entries(wanted)) {
        const drawn = step[key] ?? (key === "counts" ? step.no : typeof value === "number" ? 0 : "");
        if (drawn !== value) fail(step, key === "text" ? `its line says “${drawn}”, and its events say “${value}”` : `“${key}” is drawn as “${drawn}”, and is “${value}” by its entry`);
      }
      const [was, now] = [courses[THEN](place - 1), courses[THEN](place)];
      if (!same(step.marks ?? [], marksOf(told[at[place]], was, now))) fail(step, "what stands out in it is not what its entry says");
      if (!same(step.sides ?? [], step.first === step.no ? sidesAt(place) : [])) fail(step, "what it changed is not what the moments beside it say");
    }
    function sidesAt(place) {  // a correction is a stretch of neighbours
      let end = place;
      while (steps[end + 1]?.first === steps[place].first) end++;
      const beside = (each) => [courses[THEN](each), stateOf(each, THEN)];
      return place && stateOf(place - 1, THEN) ? sidesOf(beside(place - 1), beside(end)) : [];
    }

    function compareMoment(place, course) {
      const now = courses[course](place), was = courses[course](place - 1), state = stateOf(place, course), before = place ? stateOf(place - 1, course) : null;
      if (!state) return;
      for (const wrong of contradictions(now, state)) fail(steps[place], wrong + COURSES[course]);
      for (const [id, has] of Object.entries(now.people ?? {})) {
        if (state.people.has(id)) comparePoints(place, course, id, [was?.people?.[id], before?.people.get(id)], [has, state.people.get(id)]);
      }
      countRuled(was, now, course === THEN || !same(now, courses[THEN](place)) ? ruled : { ...NONE_RULED });
    }
    // What is left is the maximum without what was lost, which the events say. The maximum is the rules' to say, also where it is not drawn,
    // and only changes after what they look at. Hit points in words, or that the rules reckon otherwise, are open.
    const maximum = ({ left, most }, { lost }) => most ?? left + lost, over = (who, due) => maximum(who, due) - who.left - due.lost;
    function comparePoints(place, course, id, [had, before], [has, due]) {
      const isNew = !had || ["left", "most", "hp"].some((key) => had[key] !== has[key]) || before?.lost !== due.lost;
      if (!isNew || (has.left === undefined && !has.hp && !due.lost)) return;
      if (![has.left ?? 0, has.most ?? 0].every(Number.isInteger)) return void fail(steps[place], `hit points of ${has.name} are no numbers`);
      if (had?.left !== undefined && has.left !== undefined && before) compareChange(place, course, id, [had, before], [has, due]);
      const isFirst = course === THEN || !same(courses[THEN](place).people?.[id], has);
      tally.points += isFirst;
      tally.loose += isFirst && (has.left === undefined || over(has, due) !== 0);
      if (isFirst && has.left !== undefined && !(before && had?.left !== undefined && maximum(had, before) === maximum(has, due))) ruled[MAXIMUM]++;
    }
    function compareChange(place, course, id, [had, before], [has, due]) {
      const one = told[at[place]], events = (course === THEN ? one.outcome : one.action.counting)?.entry.events ?? [];
      if (at[place] !== at[place - 1] + 1 || !one.isTaken || mayBeRuled(events, id)) return;
      const where = `in the drawing${COURSES[course]}`, name = has.name;
      if (had.most !== has.most) fail(steps[place], `the ${MAXIMUM} of ${name} change ${where}, and by nothing in its events`);
      else if (had.left - has.left !== due.lost - before.lost) fail(steps[place], `hit points of ${name} change by ${has.left - had.left} ${where}, and by ${before.lost - due.lost} in its events`);
    }

    // Lanes and names are of the moments: each lane anew where it changes, and nothing where somebody has gone.
    function compareLanes(course) {
      const drawn = new Map(lanes.map(({ id, courses: its }) => [id, its[course]])), made = new Map(), names = {};
      steps.forEach((_, place) => {
        const now = courses[course](place).people ?? {}, was = courses[course](place - 1)?.people ?? {};
        for (const [id, who] of Object.entries(now)) names[id] = [who.name, who.kind];
        for (const id of Object.keys(now === was ? {} : { ...was, ...now })) {
          const [had, has] = [was[id], now[id]].map((who) => (who?.left === undefined ? [] : [who.left, ...(who.most === undefined ? [] : [who.most])]));
          if (!same(had, has)) made.set(id, [...(made.get(id) ?? []), [place, ...has]]);
        }
      });
      for (const id of new Map([...drawn, ...made]).keys()) if (!same(drawn.get(id) ?? [], made.get(id) ?? [])) found.add(`the line of hit points of ${id}${COURSES[course]} is not that of the moments`);
      const sorted = (all) => Object.entries(all).sort(([some], [other]) => (some < other ? -1 : 1));
      if (course === THEN && !same(sorted(people), sorted(names))) found.add("the names of people are not those of the moments");
    }
    function compareHeading() {
      const seen = steps.map((_, place) => stateOf(place, THEN)).filter((state) => state?.session), titles = new Set(seen.map(({ title }) => title));
      const name = states.at(-1)?.[THEN].name ?? "", [title] = titles.size === 1 ? titles : [""], { format, for: reader = "" } = entries.head;
      const whom = format === "rollbook/export/1" ? "for the GM, with all that is secret" : reader === "table" ? "for the table" : `for ${nameOf(reader.replace(/^player:/, ""))}`;
      const wanted = { title: `${title || name}, watched again · rollbook`, campaign: name, subtitle: title ? `${title}, watched again` : "watched again", reader: whom };
      const squashed = (words) => (words ?? "").replace(/[\t\n\f\r ]+/g, " ").trim();
      for (const [key, words] of Object.entries(wanted)) if (squashed(heading[key]) !== squashed(words)) found.add(`the page’s head says “${heading[key]}”, and its chain “${words}”`);
    }
    function compare() {
      for (const course of [0, 1]) steps.forEach((_, place) => compareMoment(place, course)), compareLanes(course);
      steps.forEach(compareStep);
      compareHeading();
      const many = Object.values(ruled).reduce((all, each) => all + each, 0), sorts = Object.entries(ruled).filter(([, each]) => each).map((sort) => sort.join(" "));
      const open = [
        tally.loose && `${tally.loose} of ${tally.points} drawn changes of hit points were not compared`,
        tally.undrawn && `${tally.undrawn} of ${told.length} entries are not drawn`,
        history.unnamed && `of ${history.unnamed} entries the file does not say which action they correct`,
        many && `${counted(many, "drawn value")} that only the rules give (${sorts.join(", ")})`,
      ].filter(Boolean);
      return { verdict: found.size ? "FAILED" : open.length ? "UNPROVEN" : "VERIFIED", found: [...found], open, tally };
    }
    return compare;
  }
  // What somebody has changed may be no drawing at all.
  return function compare(...all) {
    try {
      return newComparison(...all)();
    } catch (fault) {
      return { verdict: "FAILED", found: [`the drawing cannot be followed: ${fault.message}`], open: [], tally: {} };
    }
  };
})();
