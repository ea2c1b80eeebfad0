/* Who is there and how they are: the fight in its order, or those in the scene. It draws a moment and knows no game:

   moment = { scene, paused, fight: { title, round, current, next, left }, order: [id], lines: [[label, text]],
              people: { id: { name, kind, turn, next, hidden, hp, left, most, where, away,
                              conditions: [[name, detail, left, isBesides]], resources: [text] } } }
   Whatever is missing is empty; a condition that is there besides is said in other words too. What only the rules give is "ruled", so
   that a page can show what no entry says. "before" is the moment before it: what somebody has just lost shows on the bar. */
"use strict";
const rollbookFight = (() => {
  const { el, svg, said, initials, text } = rollbookElements;
  const FOES = ["npc", "monster"];
  const isFoe = ({ kind }) => FOES.includes(kind);
  const isDown = ({ left, turn }) => left !== undefined && left <= 0;
  const peopleOf = (moment) => (moment?.order ?? []).map((id) => [id, moment.people[id]]).filter(([, who]) => who);

  const minus = (number) => String(number).replace("-", "−");
  function words({ left, most, hp }) {
    if (left === undefined) return hp || "";
    return most === undefined ? minus(left) : `${minus(left)} of ${most}`;
  }
  const share = (part, most) => Math.max(0, Math.min(100, (100 * part) / most));
  const level = (part, most) => (part * 4 <= most ? "bar-low" : part * 2 <= most ? "bar-half" : "");
  function bar(who, was) {
    if (who.left === undefined || !(who.most > 0)) return null;
    const has = share(who.left, who.most), had = was?.left === undefined ? has : share(was.left, who.most);
    const ticks = [25, 50, 75].map((at) => svg("path", { class: "bar-tick", d: `M${at} 0V10` }));
    return svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img",
      "aria-label": `${words(who)} hit points` },
      svg("rect", { class: `bar-fill ${level(who.left, who.most)}`, width: has, height: 10 }),
      had > has && svg("rect", { class: "bar-lost", x: has, width: had - has, height: 10 }), ...ticks);
  }
  const ruled = (words) => said(words, "bdi", { class: "ruled" });
  function condition([name, detail, left, isBesides]) {
    const more = [detail && said(detail), detail && left && ", ", left && ruled(left)];
    return el("span", { class: isBesides ? "quiet" : "chip chip-bad" }, said(name), (detail || left) && el("small", {}, ...more));
  }
  const WHEN = { now: "on turn", acted: "acted", "to come": "to come" };
  function when(who, following) {
    if (who.turn) return who.turn === "now" ? WHEN.now : who.next ? following : WHEN[who.turn];
    return who.hidden ? "hidden" : "";
  }
  function sign(who, letters, face) {
    const picture = rollbookPictures.face(face);
    if (picture) return picture;
    const kind = who.hidden ? "who who-hid" : isFoe(who) ? "who who-foe" : "who";
    return el("span", { class: kind, "aria-hidden": "true" }, text(letters.get(who.name)));
  }
  function fighter(who, was, letters, following, face) {
    const turn = { now: " fighter-now", acted: " fighter-done" }[who.turn] ?? "";
    const place = [who.where && placed(who.where), who.away && ruled(who.away)].filter(Boolean), change = who.left < was?.left ? ` −${was.left - who.left}` : "";
    return el("li", { class: `fighter${turn}`, "aria-current": who.turn === "now" ? "true" : null },
      sign(who, letters, face), el("h3", {}, said(who.name, "span")), el("span", { class: "fighter-when" }, when(who, following)),
      bar(who, was), points(who, change), el("p", { class: "fighter-ac" }, place[0], place.length > 1 && ", ", place[1]), more(who));
  }
  const placed = (where) => (/^-?\d+,-?\d+/.test(where) ? said(where) : ruled(where));
  function points(who, change) {
    const most = who.most !== undefined && [" of ", ruled(who.most)];
    const shown = who.left === undefined ? ruled(who.hp ?? "") : el("span", {}, el("b", { class: "ruled" }, minus(who.left)), most);
    const state = isDown(who) ? el("span", { class: "quiet" }, " down") : null;
    return el("p", { class: "fighter-hp" }, shown, change && el("b", { class: "lost-now" }, change), state);
  }
  function more(who) {
    const held = (who.resources ?? []).map((each) => el("span", { class: "chip" }, ruled(each)));
    return el("p", { class: "fighter-more" }, ...(who.conditions ?? []).map(condition), ...held);
  }

  function heading(moment) {
    const { fight } = moment;
    if (!fight) return el("div", { class: "fight-head" }, el("h2", {}, said(moment.scene || "Who is there", "span")));
    const whose = fight.current && moment.people[fight.current];
    return el("div", { class: "fight-head" }, el("h2", {}, said(fight.title || "The fight", "span")),
      el("span", {}, `round ${fight.round}`),
      el("span", { class: "quiet" }, whose ? [said(whose.name), " is on turn"] : "between turns"));
  }
  const stopped = () => el("p", { class: "notice notice-error" }, el("span", { class: "x-mark", "aria-hidden": "true" }, "X"), el("span", {}, "The X-card is on the table: the scene pauses."));
  function besides(moment) {
    const rows = (moment.lines ?? []).map(([label, value]) => el("div", { class: "row" }, el("dt", {}, said(label)), el("dd", {}, ruled(value))));
    const left = moment.fight?.left && moment.fight.current;
    for (const [name, round, whose] of moment.elsewhere ?? [])
      rows.push(el("div", { class: "row" }, el("dt", {}, "meanwhile"), el("dd", {}, said(name), round ? `, round ${round}` : "", whose && [", ", said(whose), " is on turn"])));
    if (left) rows.unshift(el("div", { class: "row" }, el("dt", {}, "left of the turn"), el("dd", {}, ruled(moment.fight.left.join(", ") || "nothing"))));
    return rows.length ? el("dl", { class: "rows besides" }, ...rows) : null;
  }
  // Draws a moment into an element, in the place of what was there. "faces" are the digests of portraits by character.
  function draw(into, moment, before, faces) {
    const people = peopleOf(moment), letters = initials(people.map(([, who]) => who.name));
    const following = people.filter(([, who]) => who.next).length > 1 ? "may be next" : "next";
    const order = people.map(([id, who]) => fighter(who, before?.people?.[id], letters, following, faces.get(id)));
    const list = order.length ? el("ol", { class: "order" }, ...order) : el("p", { class: "empty" }, "Nobody is in play yet.");
    into.replaceChildren(...[moment.paused && stopped(), heading(moment), list, besides(moment)].filter(Boolean));
  }
  return { draw, peopleOf, isFoe, isDown, words };
})();
