/* Where a replay on live data has its moments from: they are fetched a few at a time, those of the wanted entry first. */
"use strict";
const rollbookSource = (() => {
  const one = (id) => document.getElementById(id), AT_ONCE = 3;
  const UNPROVEN = "What is shown here comes from the table’s server, moment by moment. To check it without trusting anybody, take the replay as a file: rollbook export --format replay.";
  async function fetched(from) {
    const answer = await fetch(`${one("moments-of").dataset.from}&from=${from}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error("The table does not answer, so nothing can be watched. Look again in a moment.");
    return answer.json();
  }
  // The chunks of a stretch: the first says how long it is, then several are on their way at once.
  async function chunks() {
    const first = await fetched(0), size = first.steps.length || 1, rest = [], got = [first];
    for (let from = size; from < first.total; from += size) rest.push(from);
    const say = () => one("where").replaceChildren(`Fetching ${Math.min(got.length * size, first.total)} of ${first.total} moments …`);
    const next = async () => {
      for (let from = rest.shift(); from !== undefined; from = rest.shift()) got.push(await fetched(from)), say();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    return got.sort((some, other) => some.from - other.from);
  }
  const isOther = (all) => all.some(({ corrected }) => corrected);
  function course(all, which) {
    const made = { changes: [], whole: {}, lanes: {} };
    for (const each of all) {
      const { changes, whole, lanes } = each[which] ?? each.then;
      made.changes.push(...changes);
      for (const [at, moment] of Object.entries(whole)) made.whole[each.from + Number(at)] = moment;
      for (const [id, lane] of Object.entries(lanes)) (made.lanes[id] ??= []).push(...lane.map(([at, ...values]) => [each.from + at, ...values]));
    }
    return made;
  }
  let lines = [];
  async function frames() {
    const all = await chunks(), steps = all.flatMap((each) => each.steps);
    steps.forEach((step, at) => { step.place = at + 1; });
    lines = all.flatMap(({ chain }) => chain);
    const made = { steps, people: Object.assign({}, ...all.map(({ people }) => people)), complete: false, unproven: UNPROVEN, loose: [], ...course(all, "then") };
    return isOther(all) ? { ...made, corrected: course(all, "corrected") } : made;
  }
  return { frames, chain: async () => new TextEncoder().encode(["{}\n", ...lines].join("")) };
})();
