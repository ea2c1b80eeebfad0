/* Where a replay on live data has its moments from: they are fetched a few at a time, those of the wanted entry first. The page
   draws as soon as these are there, and goes on with the table: what is new is read when a bell has rung. */
"use strict";
const rollbookSource = (() => {
  const one = (id) => document.getElementById(id), AT_ONCE = 3;
  const UNPROVEN = "What is shown here comes from the table’s server, moment by moment. To check it without trusting anybody, take the replay as a file, which the GM makes under Export.";
  const AWAY = "The table does not answer, so nothing can be watched. Look again in a moment.";
  // The chunks that have come, by the places where they begin: each is "size" long but for the last of "total" moments. What was shown
  // up to "cursor" is still shown so; where it is not, because somebody has corrected it, all is fetched again.
  let known = new Map(), size = 1, total = 0, cursor = "", wanted = Number(one("moments-of").dataset.place);
  const isChanged = Symbol("changed");
  async function fetched(from) {
    const answer = await fetch(`${one("moments-of").dataset.from}&${new URLSearchParams({ from, after: cursor })}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(AWAY);
    const chunk = await answer.json();
    if (chunk.again) throw isChanged;
    return chunk;
  }
  async function begin() {
    known = new Map();
    [cursor, total] = ["", 0];
    note(await fetched(wanted));
    [wanted] = known.keys();
  }
  function note(chunk) {
    known.set(chunk.from, chunk);
    ({ size, cursor } = chunk);
    total = Math.max(total, chunk.total);
  }
  // What is missing: first what comes after the wanted moments, then what came before them.
  function missing() {
    const later = [], earlier = [];
    for (let from = wanted; from < total; from += size) if (!isWhole(from)) later.push(from);
    for (let from = wanted - size; from >= 0; from -= size) if (!isWhole(from)) earlier.push(from);
    return [...later, ...earlier];
  }
  const isWhole = (from) => known.get(from)?.steps.length === Math.min(size, total - from);
  async function fetchMissing(came) {
    const rest = missing();
    const next = async () => {
      for (let from = rest.shift(); from !== undefined; from = rest.shift()) note(await fetched(from)), came();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    if (missing().length) await fetchMissing(came);
  }
  // The chunks around the wanted one that follow each other.
  function together() {
    let [first, end] = [wanted, wanted];
    while (known.has(first - size)) first -= size;
    while (known.has(end + size)) end += size;
    return [...known.values()].filter(({ from }) => from >= first && from <= end).sort((some, other) => some.from - other.from);
  }

  const isOther = (all) => all.some(({ corrected }) => corrected);
  function course(all, which) {
    const made = { changes: [], whole: {}, lanes: {} }, begins = all[0].from;
    for (const each of all) {
      const { changes, whole, lanes } = each[which] ?? each.then, before = each.from - begins;
      made.changes.push(...changes);
      for (const [at, moment] of Object.entries(whole)) made.whole[before + Number(at)] = moment;
      if (each === all[0]) beginLanes(made.lanes, whole[0]?.people ?? {}, lanes);
      for (const [id, lane] of Object.entries(lanes)) (made.lanes[id] ??= []).push(...lane.map(([at, ...values]) => [before + at, ...values]));
    }
    return made;
  }
  // A chunk says only what changes in it; what is before the first one is in its first moment.
  function beginLanes(made, people, lanes) {
    for (const [id, { left, most }] of Object.entries(people)) {
      if (left !== undefined && lanes[id]?.[0][0] !== 0) made[id] = [most === undefined ? [0, left] : [0, left, most]];
    }
  }
  function data() {
    const all = together(), steps = all.flatMap((each) => each.steps);
    steps.forEach((step, at) => { step.place = at + 1; });
    const made = { steps, people: Object.assign({}, ...all.map(({ people }) => people)), ...course(all, "then") };
    return isOther(all) ? { ...made, corrected: course(all, "corrected") } : made;
  }
  const chain = () => new TextEncoder().encode(["{}\n", ...together().flatMap((each) => each.chain)].join(""));

  let hasRung = false;
  one("live").readOn = async () => { hasRung = true; return true; };
  async function frames() {
    one("where").textContent = "Fetching …";
    await begin();
    return data();
  }
  // All the rest, and then whatever the table does ("readOn": the page's own script calls it when a bell has rung).
  async function goOn(take) {
    let due = 0;
    const draw = (how) => { cancelAnimationFrame(due); take(data(), chain(), how); };
    const soon = () => { cancelAnimationFrame(due); due = requestAnimationFrame(() => draw()); };
    async function read(isNew) {
      try {
        if (isNew) note(await fetched(Math.max(0, ...known.keys())));
        await fetchMissing(isNew ? () => {} : soon);
      } catch (fault) {
        if (fault !== isChanged) return false;
        try { await begin(); await fetchMissing(() => {}); } catch { return false; }
      }
      draw({ isNew });
      one("cursor").value = cursor;
      document.documentElement.dataset.whole = "yes";
      return true;
    }
    let reading = read(false);
    one("live").readOn = () => (reading = reading.then(() => read(true)));
    if (hasRung) one("live").readOn();
    await reading;
  }
  return { frames, chain: async () => chain(), goOn, unproven: UNPROVEN };
})();
