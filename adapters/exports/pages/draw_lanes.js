/* The bar's company: marks above it, and a line of hit points for each person below. Positions are steps, from 0 to "last". */
"use strict";
const rollbookLanes = (() => {
  const { el, svg, said, text } = rollbookElements;
  const HIGH = 36, TOP = 4, DOWN = 32, FINEST = 1200, GAP = 6, LETTER = 7.2;
  const percent = (at, last) => `${((100 * at) / Math.max(1, last)).toFixed(3)}%`;

  // A course of hit points: [[at, left, most]], each until the next. Where nothing is said nobody is there.
  function valueAt(lane, at) {
    let low = 0, high = lane.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane[middle][0] <= at) low = middle + 1; else high = middle;
    }
    return low ? lane[low - 1] : [0];
  }
  // The stretches of a course that are otherwise on the other one.
  function differing(lane, other) {
    const places = [...new Set([...lane, ...other].map(([at]) => at))].sort((some, more) => some - more);
    return places.map((at) => {
      const [, ...values] = valueAt(lane, at), [, ...others] = valueAt(other, at);
      return String(values) === String(others) ? [at] : [at, ...values];
    });
  }
  const heightOf = (left, most, top) => DOWN - (DOWN - TOP) * Math.max(0, Math.min(1, left / (most || top)));
  // The steps as runs [from, to, height]; of more than can be told apart the lowest of each stretch.
  function runsOf(lane, last) {
    const top = Math.max(1, ...lane.map(([, left = 0]) => left)), wide = Math.max(1, last), runs = [];
    lane.forEach(([at, left, most], place) => {
      const to = place + 1 < lane.length ? lane[place + 1][0] : last;
      if (left !== undefined) runs.push([at / wide, to / wide, heightOf(left, most, top)]);
    });
    return runs.length > FINEST ? thinned(runs) : runs;
  }
  function thinned(runs) {
    const made = [];
    for (const run of runs) {
      const before = made.at(-1), isSame = before && Math.floor(before[0] * FINEST) === Math.floor(run[0] * FINEST);
      if (isSame) { before[1] = run[1]; before[2] = Math.max(before[2], run[2]); } else made.push([...run]);
    }
    return made;
  }
  const round = (number) => Math.round(number * 100) / 100;
  function lineOf(runs, { isClosed = false } = {}) {
    let path = "", at = null;
    for (const [from, to, height] of runs) {
      const [x, end] = [round(from * 1000), round(to * 1000)];
      if (isClosed) path += `M${x} ${DOWN}V${round(height)}H${end}V${DOWN}Z`;
      else path += at === x ? `V${round(height)}H${end}` : `M${x} ${round(height)}H${end}`;
      at = end;
    }
    return path;
  }
  function picture(name, lane, other, last) {
    const runs = runsOf(lane, last), apart = other ? runsOf(differing(other, lane), last) : [], shape = (kind, d) => d && svg("path", { class: kind, d, "vector-effect": "non-scaling-stroke" });
    return svg("svg", { viewBox: `0 0 1000 ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": `Hit points of ${text(name)}` },
      shape("plot-area", lineOf(runs, { isClosed: true })), shape("plot-line", lineOf(runs)), shape("plot-else", lineOf(apart)));
  }
  function lane({ id, name, courses }, course, last) {
    const [shown, other] = course ? [courses[1], courses[0]] : courses;
    return el("div", { class: "lane", "data-of": id }, said(name, "span"), el("b", {}), picture(name, shown, shown === other ? null : other, last));
  }
  const wordsAt = (course, at) => {
    const [, left, most] = valueAt(course, at);
    return (left === undefined ? "–" : most === undefined ? `${left}` : `${left} of ${most}`).replace("-", "−");
  };
  // Draws lanes into an element. Returns what says the numbers of a moment.
  function drawLanes(into, lanes, course, last) {
    const drawn = lanes.map((each) => [each.courses[course], lane(each, course, last)]);
    into.replaceChildren(...drawn.map(([, element]) => element));
    return (at) => drawn.forEach(([values, element]) => {
      const words = wordsAt(values, at), shown = element.children[1];
      if (shown.textContent !== words) {
        shown.textContent = words;
        element.lastChild.setAttribute("aria-label", `Hit points of ${element.firstChild.textContent}: ${words} at this moment`);
      }
    });
  }

  // Marks: [{ at, no, kind, text }]: at which step, and the number of its entry. Words stand where there is room for them.
  const ROWS = { session: 12, scene: 12, round: 34, level: 34, fall: 54, "x-card": 54, correction: 54 };
  const SIGNS = { level: "▲", fall: "▼", "x-card": "X", correction: "✎" };
  const KINDS = { level: " mark-good", fall: " mark-fall", "x-card": " mark-x", correction: " mark-pen" };
  function sign(mark, last, wide, free, room) {
    const x = (mark.at / Math.max(1, last)) * wide, row = ROWS[mark.kind], words = wordsOf(mark, wide, room);
    const isTick = !SIGNS[mark.kind], long = words.length * LETTER + GAP, isEnd = x + long > wide && isTick;
    const [from, to] = isEnd ? [x - long, x] : isTick ? [x, x + long] : [x - long / 2, x + long / 2];
    const ends = free.get(row) ?? -Infinity, fits = words && from >= ends && from > -GAP - LETTER;
    if (fits) free.set(row, to);
    const tick = isTick ? svg("line", { class: "mark", x1: percent(mark.at, last), x2: percent(mark.at, last), y1: row - 10, y2: 56 }) : null;
    const named = svg("title", {}, `${mark.kind}${mark.text ? `: ${text(mark.text)}` : ""}, entry ${mark.no}`);
    const label = fits ? svg("text", { class: `mark-text${KINDS[mark.kind] ?? ""}`, x: percent(mark.at, last), y: row,
      dx: isEnd ? -4 : isTick ? 3 : 0, "text-anchor": isEnd ? "end" : isTick ? "start" : "middle" }, words) : null;
    return tick || label ? svg("g", {}, named, tick, label) : null;
  }
  const LEAST = 5;
  function wordsOf({ kind, text: words }, wide, room) {
    if (kind === "round") return wide < 600 ? words : `round ${words}`;
    if (kind === "level") return wide < 600 ? SIGNS.level : `${SIGNS.level} level`;
    const most = Math.floor((room - GAP) / LETTER), shown = text(words);
    return SIGNS[kind] ?? (shown.length <= most ? shown : most < LEAST ? "" : `${shown.slice(0, most - 1).trimEnd()}…`);
  }
  const MEANS = [["scene", "scenes"], ["round", "rounds"], ["fall", "falls"], ["level", "level-ups"], ["x-card", "X-cards"], ["correction", "corrections"]];
  function summary(marks) {
    const places = (kind) => marks.filter((mark) => mark.kind === kind).map(({ no }) => no);
    const listed = (all) => `${all.slice(0, 12).join(", ")}${all.length > 12 ? ` and ${all.length - 12} more` : ""}`;
    const said = MEANS.map(([kind, name]) => [name, places(kind)]).filter(([, all]) => all.length);
    return `Marks: ${said.map(([name, all]) => `${name} at entries ${listed(all)}`).join("; ") || "none"}`;
  }
  function drawMarks(into, marks, last) {
    const wide = into.clientWidth || 800, free = new Map(), ticks = new Map();
    const apart = marks.filter(({ at, kind }) => {  // of ticks that would touch only the first is drawn
      const x = Math.round((at / Math.max(1, last)) * wide / 3), key = ROWS[kind];
      if (ticks.get(key) === x) return false;
      return ticks.set(key, x), true;
    });
    into.setAttribute("aria-label", summary(marks));
    const big = apart.filter(({ kind }) => kind === "scene" || kind === "session"), rest = apart.filter((mark) => !big.includes(mark));
    // A title has the room up to the next one; the last may stand before its tick.
    const rooms = new Map(big.map((mark, place) => [mark, place + 1 < big.length ? ((big[place + 1].at - mark.at) / last) * wide : wide]));
    into.replaceChildren(...[...big, ...rest].map((mark) => sign(mark, last, wide, free, rooms.get(mark) ?? wide)).filter(Boolean));
  }
  return { drawLanes, drawMarks, percent };
})();
