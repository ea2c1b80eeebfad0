/* Whether what a page draws is what its chain says. Dice, totals and times are drawn from the chain itself; compared are the
   sentences of the log, the changes of hit points, and which entries are there. */
"use strict";
const rollbookDrawn = (() => {
  const { eventsOf } = rollbookFrames;
  function wordsDue(entry) {  // what a sentence has to say of an entry, in the words of the log
    if (eventsOf(entry, "RulesetAdopted").length) return [];
    const checks = eventsOf(entry, "CheckResolved").map(({ total, target }) => `${total} against ${target}`);
    const lost = eventsOf(entry, "DamageTaken").map(({ amount }) => `−${amount} HP`);
    const back = eventsOf(entry, "HitPointsRestored").map(({ amount }) => `+${amount} HP`);
    return [...checks, ...lost, ...back];
  }
  function pointsDue(entry) {
    const due = new Map(), add = (who, amount) => due.set(who, (due.get(who) ?? 0) + amount);
    for (const { character, amount } of eventsOf(entry, "DamageTaken")) add(character, -amount);
    for (const { character, amount } of eventsOf(entry, "HitPointsRestored", "HitPointsCorrected")) add(character, amount);
    return due;
  }
  const THEN = 0;
  // Compares all steps on both courses. "found" are contradictions with their entries; the rest is counted.
  return function compare({ steps, loose, complete }, entries, courses) {
    const free = new Set(loose.map(String)), found = [], tally = { rolls: 0, points: 0, loose: loose.filter(([, , course]) => course === THEN).length, entries: steps.length };
    const fail = (no, wrong) => found.push(`entry @${no}: ${wrong}`);
    const missed = (place) => entries.entryAt(place) && fail(place, "it is in the chain, and is not drawn");
    const placeOf = new Map(steps.map(({ no, place }) => [no, place]));
    let last = 0;
    steps.forEach((step) => {
      const entry = entries.entryAt(step.place);
      if (!entry || step.place <= last) return fail(step.no, "it is drawn, and is not in its place in the chain");
      for (let left = last + 1; complete && left < step.place; left++) missed(left);
      last = step.place;
      tally.rolls += eventsOf(entry, "DiceRolled").length;
      for (const words of wordsDue(entry)) if (!(step.text ?? "").includes(words)) fail(step.no, `its line does not say “${words}”, and its events do`);
    });
    for (let left = last + 1; complete && left <= entries.count; left++) missed(left);
    courses.forEach((momentAt, course) => steps.forEach((step, at) => {
      const counts = course === THEN ? step.no : step.counts ?? step.no, place = placeOf.get(counts);
      if (!step.of && (!counts || place)) comparePoints(step, counts ? entries.entryAt(place) : null, momentAt(at - 1), momentAt(at), course);
    }));
    function comparePoints(step, entry, was, now, course) {
      const due = pointsDue(entry);
      for (const id of Object.keys(now.people ?? {})) {
        const [had, has] = [was?.people?.[id], now.people[id]];
        if (had?.left === undefined || has.left === undefined || had.most !== has.most || free.has(`${step.no},${id},${course}`)) continue;
        const [change, wanted] = [has.left - had.left, due.get(id) ?? 0];
        if (change !== wanted) fail(step.no, `hit points of ${has.name} change by ${change} in the drawing${course === THEN ? "" : " as corrected"}, and by ${wanted} in its events`);
        else if (change && course === THEN) tally.points++;
      }
    }
    return { verdict: found.length ? "FAILED" : "VERIFIED", found, tally };
  };
})();
