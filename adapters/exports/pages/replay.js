/* The page of a replay and its controls. What it shows comes from "rollbookSource": { frames, chain }, both in time. */
"use strict";
(async () => {
  const { el, svg, said, counted, text } = rollbookElements, { drawLanes, drawMarks } = rollbookLanes;
  const one = (id) => document.getElementById(id), THEN = 0;
  // Until the answer is there the page counts as loading, so that a program that takes its picture waits for it.
  function holdLoading() {
    const frame = el("iframe", { hidden: true, title: "Nothing" });
    document.body.append(frame);
    frame.contentDocument.open();
    return () => { frame.contentDocument.close(); frame.remove(); };
  }
  const release = location.hash === "#verify" ? holdLoading() : () => {};
  const came = await rollbookSource.frames().catch((fault) => one("where").replaceChildren(fault.message));
  if (!came) return;
  let data, steps, last, entries, courses, lanes, sorted, cards, marks, scenes, corrections, isFromStart, isAll = false;
  let course = THEN, due = 0, settling = 0, sayNumbers = () => {}, track = [0, 0];
  const isStep = (at) => course === THEN || !steps[at].of;

  // What there is to watch, and what stands out in it. Of a table that goes on more comes later: then it is all taken again.
  const SHOWN = 8, FOES = ["npc", "monster"];
  function take(what) {
    data = what;
    for (const step of data.steps) step.place ??= step.no;
    ({ steps } = data);
    last = steps.length - 1;
    isFromStart = !rollbookSource.unproven && steps.every(({ no }, at) => no === at + 1);
    entries = rollbookFrames.newEntries();
    courses = rollbookFrames.coursesOf(data);
    lanes = rollbookFrames.lanesOf(data);
    cards = rollbookCards(data, entries);
    marks = steps.flatMap(({ marks: its = [], no }, at) => its.map(([kind, words = ""]) => ({ at, no, kind, text: words })));
    scenes = placesOf("scene", "session");
    corrections = placesOf("correction");
    turns = null;
    // The players' characters and those who were hurt first; of many the others on demand.
    sorted = [...lanes].sort((some, other) => weight(other) - weight(some));
    one("at").max = last;
    one("correction").hidden = !corrections.length;
    one("modes").hidden = !corrections.length;
  }
  const weight = ({ kind, courses: [then] }) => (FOES.includes(kind) ? 0 : 1e6) + then.length;
  const placesOf = (...kinds) => [...new Set(marks.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => at))];
  let turns = null;
  const turnAt = (at) => { const fight = courses[THEN](at).fight; return fight ? `${fight.round} ${fight.current}` : ""; };
  const turnsOf = () => (turns ??= steps.map((_, at) => at).filter((at) => at === 0 || turnAt(at) !== turnAt(at - 1)));

  // Drawing: at most once a frame; while somebody drags, the log is short.
  const MANY = 40, FEW = 6;
  function draw(isWhole) {
    const { at } = player, moment = courses[course](at), before = previous(at);
    const { no } = steps[at], number = isFromStart ? `${no} of ${last + 1}` : `${no}, ${at + 1} of ${last + 1} here`;
    const where = `Entry ${number}: ${cards.wordsOf(at, course)}`;
    one("where").replaceChildren(said(where));
    one("at").value = at;
    one("at").setAttribute("aria-valuetext", [`entry ${no}`, moment.fight && `round ${moment.fight.round}`, text(cards.wordsOf(at, course))].filter(Boolean).join(", "));
    one("now").style.transform = `translateX(${track[0] + (track[1] * at) / Math.max(1, last)}px)`;
    sayNumbers(at);
    rollbookFight.draw(one("fight"), moment, before, cards.facesAt(at, course));
    one("board-panel").hidden = !rollbookBoard.draw(one("board"), moment);
    rollbookLog.draw(one("log"), cards.upTo(at, course, isWhole ? MANY : FEW));
    drawSides(at);
    if (at === last) one("more-moments")?.replaceChildren();
  }
  function previous(at) {
    for (let seen = at - 1; seen >= 0; seen--) if (isStep(seen)) return courses[course](seen);
    return null;
  }
  // The moment of a correction shows both sides, beside the fight.
  function drawSides(at) {
    const step = steps[at], first = step.of && course === THEN ? cards.placeOf.get(step.first) ?? at : -1;
    one("sides-panel").hidden = first < 0;
    if (first >= 0) one("sides").replaceChildren(el("p", { class: "note" }, said(steps[first].reason || "No reason is given.", "span")), rollbookLog.sides(steps[first].sides ?? []));
  }
  const SETTLED = 160;
  function moved(at, isPlaying) {
    one("play").replaceChildren(svg("svg", { class: "icon", "aria-hidden": "true" }, svg("use", { href: isPlaying ? "#i-pause" : "#i-play" })), isPlaying ? " Pause" : " Play");
    clearTimeout(settling);
    // A frame may come later than this, of a page in the background or a busy machine: then it would shorten the log for good.
    settling = setTimeout(() => { cancelAnimationFrame(due); due = 0; draw(true); }, SETTLED);
    if (!due) due = requestAnimationFrame(() => { due = 0; draw(false); });
  }
  const timeOf = (at) => entries.entryAt(steps[at].place)?.at ?? 0;
  const player = rollbookPlayer({ lastOf: () => last, isStep, timeOf, moved });

  // Lanes.
  function measure() {
    const box = one("lanes-box").getBoundingClientRect(), line = (one("lanes").querySelector(".lane svg") ?? one("marks")).getBoundingClientRect();
    track = [line.left - box.left, line.width];
  }
  function drawAll() {
    const isWhole = isAll || lanes.length <= SHOWN + 2, shown = isWhole ? lanes : lanes.filter((lane) => sorted.indexOf(lane) < SHOWN);
    sayNumbers = drawLanes(one("lanes"), shown, course, last);
    one("more-lanes").hidden = isWhole;
    one("more-lanes").textContent = `${counted(lanes.length - SHOWN, "more line")} of hit points`;
    drawMarks(one("marks"), marks, last);
    measure();
  }
  function drawNumbers() {
    if (!one("numbers-of").open) return;
    const MOST = 400, rows = [];
    for (const { name, courses: [then, now] } of lanes) {
      then.forEach(([at, left], place) => {
        const [, had] = then[place - 1] ?? [], other = now === then ? undefined : [...now].reverse().find(([its]) => its <= at)?.[1];
        if (had === undefined || left === undefined || had === left) return;
        rows.push([at, name, `${had} to ${left}${other === undefined || other === left ? "" : `, as corrected ${other}`}`]);
      });
    }
    rows.sort(([some], [other]) => some - other);
    const shown = rows.slice(0, MOST).map(([at, name, words]) => el("tr", {}, el("th", { scope: "row" }, el("a", { href: `#@${steps[at].no}`, "data-at": at }, `@${steps[at].no}`), " ", said(name)), el("td", {}, words)));
    const more = rows.length > MOST ? [el("tr", {}, el("td", { colspan: 2 }, `and ${rows.length - MOST} more`))] : [];
    one("numbers").replaceChildren(...shown, ...more);
  }

  // Where to: "#31" and "31" are actions, "@47" an entry.
  function jump(words) {
    const [, sign, digits] = /^\s*([#@]*)\s*(\d+)\s*$/.exec(words) ?? [];
    const number = Number(digits), isEntry = sign?.includes("@");
    const at = !digits ? -1 : steps.findIndex((step) => (isEntry ? step.no === number : step.n === number && !step.of));
    one("go").setAttribute("aria-invalid", String(at < 0));
    one("go-error").hidden = at >= 0;
    if (at < 0) one("go-error").replaceChildren(`Nothing here is called ${words.trim() || "nothing"}. Try #12 for an action, or @12 for an entry.`);
    else player.pause(), player.go(at);
    return at >= 0;
  }
  function setCourse(wanted) {
    course = wanted;
    document.querySelector(`[name=course][value="${wanted}"]`).checked = true;
    one("course-words").textContent = wanted === THEN
      ? "Mistakes show as they were made, and corrections when they came. The red dotted line is the other way."
      : "Only what counts today, as if it had been right from the start. The red dotted line is how it was then.";
    drawAll();
    player.go(player.at);
  }
  const PACES = { 1: { every: 1000 }, 2: { every: 500 }, 5: { every: 200 }, slow: { every: 3000 }, pace: { faster: 1 }, pace10: { faster: 10 }, pace60: { faster: 60 } };
  function faster(way) {
    const select = one("pace");
    select.selectedIndex = Math.max(0, Math.min(select.options.length - 1, select.selectedIndex + way));
    player.setPace(PACES[select.value]);
  }

  const DOES = {
    "scene-back": () => player.leap(scenes, -1), "turn-back": () => player.leap(turnsOf(), -1), back: () => player.step(-1),
    on: () => player.step(1), "turn-on": () => player.leap(turnsOf(), 1), "scene-on": () => player.leap(scenes, 1),
    correction: () => { setCourse(THEN); player.leap(corrections, 1); }, play: () => player.toggle(),
  };
  const stops = (does) => () => { if (does !== DOES.play) player.pause(); does(); };
  for (const [id, does] of Object.entries(DOES)) one(id).addEventListener("click", stops(does));
  const KEYS = {
    " ": DOES.play, ArrowLeft: DOES.back, ArrowRight: DOES.on, "Shift+ArrowLeft": DOES["turn-back"], "Shift+ArrowRight": DOES["turn-on"],
    PageUp: DOES["scene-back"], PageDown: DOES["scene-on"], "[": DOES["scene-back"], "]": DOES["scene-on"],
    Home: () => player.go(0), End: () => player.go(last), c: DOES.correction, C: () => { setCourse(THEN); player.leap(corrections, -1); },
    v: () => setCourse(1 - course), g: () => one("go").focus(), "+": () => faster(1), "-": () => faster(-1),
  };
  document.addEventListener("keydown", (pressed) => {
    const does = KEYS[(pressed.shiftKey && pressed.key.length > 1 ? "Shift+" : "") + pressed.key], { target } = pressed;
    const isTyped = target.matches("input:not([type=range]):not([type=radio]), select, textarea"), isOwn = pressed.key === " " && target.matches("button, summary, a, [type=radio]");
    if (!does || isTyped || isOwn || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    if (target.matches("[type=radio]") && pressed.key.startsWith("Arrow")) return;
    pressed.preventDefault();
    stops(does)();
  });
  one("at").addEventListener("input", () => { player.pause(); player.go(Number(one("at").value)); });
  one("pace").addEventListener("change", () => player.setPace(PACES[one("pace").value]));
  one("goto").addEventListener("submit", (sent) => { sent.preventDefault(); jump(one("go").value); });
  for (const choice of document.querySelectorAll("[name=course]")) choice.addEventListener("change", () => setCourse(Number(choice.value)));
  one("more-lanes").addEventListener("click", () => { isAll = true; drawAll(); player.go(player.at); });
  one("numbers-of").addEventListener("toggle", drawNumbers);
  document.addEventListener("click", (clicked) => {
    const link = clicked.target.closest("a[data-at]");
    if (!link) return;
    clicked.preventDefault();
    if (!isStep(Number(link.dataset.at))) setCourse(THEN);
    player.pause(), player.go(Number(link.dataset.at));
  });
  one("lanes-box").addEventListener("pointerdown", (pressed) => {
    if (pressed.target.closest("input, button, summary, table, a")) return;
    const share = (pressed.clientX - one("lanes-box").getBoundingClientRect().left - track[0]) / track[1];
    if (share >= -.02 && share <= 1.02) player.pause(), player.go(share * last);
  });

  // The proof.
  function heading() {
    const [campaign, subtitle, reader] = ["h1 > bdi", "h1 small", ".seat bdi"].map((which) => document.querySelector(which).textContent);
    return { title: document.title, campaign, subtitle, reader };
  }
  async function verify() {
    const button = one("verify-now"), receipt = one("receipt").value.trim();
    if (button.disabled) return;
    button.disabled = true;
    one("answer").replaceChildren(el("p", { class: "quiet" }, "Checking …"));
    const answer = await verifyRollbook(entries.bytes, receipt ? [receipt] : [], "this page");
    const drawing = answer.chain && answer.chain.verdict !== "FAILED" ? rollbookDrawn(data, entries, courses, lanes, heading()) : null;
    rollbookVerdict.draw(one("answer"), one("seal"), answer, drawing);
    document.documentElement.toggleAttribute("data-compared", Boolean(drawing));
    button.disabled = false;
  }
  one("verify-now").addEventListener("click", verify);
  one("verify-form").addEventListener("submit", (sent) => { sent.preventDefault(); verify(); });
  function follow() {
    const fragment = decodeURIComponent(location.hash);
    if (fragment === "#proof") return undefined;
    if (fragment === "#verify") return one("proof").scrollIntoView({ block: "nearest" }), verify();
    return fragment.length > 1 && jump(fragment.replace("#@", "@"));
  }
  addEventListener("hashchange", follow);
  addEventListener("resize", () => { drawAll(); player.go(player.at); });

  // More has come, of what is older or newer: who watches stays at their moment, and who was at the end goes on with the table.
  function takeMore(what, chain, { isNew = false } = {}) {
    const { no } = steps[player.at], many = steps.length, isAtEnd = player.at >= (course === THEN ? last : steps.findLastIndex((_, at) => isStep(at)));
    take(what);
    entries.fill(chain);
    drawAll();
    drawNumbers();
    player.go(isNew && isAtEnd ? last : steps.findIndex((step) => step.no === no));
    if (isNew && !isAtEnd && last >= many) sayNewer(steps.length - many);
  }
  function sayNewer(many) {
    one("more-moments")?.replaceChildren(el("p", { class: "notice notice-good" }, el("span", {}, `${counted(many, "new moment")} at the table.`), " ", el("a", { class: "btn", href: `#@${steps[last].no}`, "data-at": last }, "To the newest")));
  }

  const NO_CHAIN = "The names of people are others here than were recorded, and a hash is of the names: so this page carries no chain, and there is nothing to verify.";
  function sayUnproven(why) {
    one("verify-now").disabled = true;
    one("answer").replaceChildren(el("p", {}, why));
  }

  // The first picture: where somebody is there to be seen.
  take(came);
  player.go(Math.max(0, steps.findIndex((_, at) => rollbookFight.peopleOf(courses[THEN](at)).length)));
  setCourse(THEN);
  draw(true);
  document.documentElement.dataset.drawn = "yes";
  performance.mark("drawn");
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
  if (rollbookSource.unproven) sayUnproven(rollbookSource.unproven);
  entries.fill(await rollbookSource.chain());
  await rollbookPictures.unpack();
  // Where people have other names a page has no chain, but for what is drawn from it.
  if (!rollbookSource.unproven && !Object.keys(entries.head).length) sayUnproven(NO_CHAIN);
  draw(true);
  document.documentElement.dataset.ready = "yes";
  await Promise.resolve(follow()).finally(release);
  await rollbookSource.goOn?.(takeMore);
})();
